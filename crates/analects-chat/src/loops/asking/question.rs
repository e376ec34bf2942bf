//! The end of a conversation, made into a question.
//!
//! Under `analects` long texts are shown by beginning and end, media by their kind, and nothing in them can
//! pass for the user's request: what is judged must not be able to plead, and a check stays cheap.

use std::borrow::Cow;

use analects_text::neutralise::{Delimiters, neutralise};
use analects_world::Profile;
use analects_world::model::{Body, Call, Content, Part, Response, Role};
use serde_json::{Map, Value, json};

use crate::excerpt::excerpt;
use crate::shape::{is_call, is_response};

use super::Question;

/// How many turns are shown.
const TURNS: usize = 20;
/// How much of a text is shown, and as much of each text in what goes to tools and comes from them.
const TEXT_CHARS: usize = 2_000;
const TAG: &str = "original_user_request";
const OURS: Delimiters = Delimiters {
    tags: &[TAG],
    rulers: &[],
    comments: &[],
    notes: &[],
};
const SYSTEM: &str = include_str!("../../../prompts/loop-check.md");
const QUESTION: &str = include_str!("../../../prompts/loop-check-question.md");
/// A conversation must not begin with a call.
const LEAD: &str = "The end of a conversation follows.";

/// Asks about the end of a history. The seed's era did not show the request.
pub(in crate::loops) fn question(history: &[Content], request: &str, profile: Profile) -> Question {
    let mut contents = Vec::with_capacity(TURNS + 2);
    if !request.is_empty() && profile != Profile::Seed {
        let request = match profile {
            Profile::Analects => excerpt(request, TEXT_CHARS),
            Profile::Seed | Profile::Head => Cow::Borrowed(request),
        };
        let request = neutralise(&request, &OURS);
        contents.push(said(format!("<{TAG}>\n{request}\n</{TAG}>")));
    }
    let recent = trimmed(history);
    if contents.is_empty() && recent.first().is_some_and(is_call) {
        contents.push(said(LEAD.to_owned()));
    }
    contents.extend(recent.iter().map(|content| match profile {
        Profile::Analects => brief(content),
        Profile::Seed | Profile::Head => content.clone(),
    }));
    contents.push(said(QUESTION.trim_end().to_owned()));
    Question {
        system: SYSTEM.trim_end().to_owned(),
        contents,
        schema: schema(),
    }
}

/// The last turns, without calls that are not answered yet and answers whose calls are not shown.
fn trimmed(history: &[Content]) -> &[Content] {
    let from = history.len().saturating_sub(TURNS);
    let mut recent = history.get(from..).unwrap_or_default();
    while let [rest @ .., last] = recent
        && is_call(last)
    {
        recent = rest;
    }
    while let [first, rest @ ..] = recent
        && is_response(first)
    {
        recent = rest;
    }
    recent
}

fn said(text: String) -> Content {
    Content::text("loop-check", Role::User, text)
}

fn brief(content: &Content) -> Content {
    Content {
        id: content.id.clone(),
        role: content.role,
        parts: content.parts.iter().map(brief_part).collect(),
    }
}

fn brief_part(part: &Part) -> Part {
    let body = match &part.body {
        Body::Text(text) => Body::Text(brief_text(text)),
        Body::Media(media) => Body::Text(format!("[{}]", brief_text(&media.mime))),
        Body::Call(call) => Body::Call(Call {
            id: call.id.clone(),
            name: call.name.clone(),
            args: brief_value(&call.args),
            rest: Map::new(),
        }),
        Body::Response(response) => Body::Response(Response {
            id: response.id.clone(),
            name: response.name.clone(),
            response: brief_value(&response.response),
            parts: response.parts.iter().map(brief_part).collect(),
            rest: Map::new(),
        }),
        Body::Other => Body::Text(brief_text(&part.to_value().to_string())),
    };
    Part {
        is_thought: part.is_thought,
        ..Part::new(body)
    }
}

fn brief_value(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(brief_text(text)),
        Value::Array(items) => items.iter().map(brief_value).collect(),
        Value::Object(fields) => (fields.iter())
            .map(|(name, field)| (name.clone(), brief_value(field)))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn brief_text(text: &str) -> String {
    neutralise(&excerpt(text, TEXT_CHARS), &OURS).into_owned()
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "unproductive_state_analysis": {
                "type": "string",
                "description": "What is repeated without result, or what was achieved.",
            },
            "unproductive_state_confidence": {
                "type": "number",
                "description": "From 0.0 (progress) to 1.0 (surely stuck).",
            },
        },
        "required": ["unproductive_state_analysis", "unproductive_state_confidence"],
    })
}
