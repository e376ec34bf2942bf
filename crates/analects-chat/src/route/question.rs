//! A request and what came before it, made into a question about which model answers.
//!
//! Under `analects` all of it is quoted in one turn, shortened, and cannot pass for anything but a quotation:
//! what is judged must not be able to choose its judge's answer, and no server minds the order of turns.

use std::fmt::Write as _;

use analects_text::neutralise::{Delimiters, neutralise};
use analects_text::sanitize::one_line;
use analects_world::Profile;
use analects_world::model::{Body, Content, Part, Role};
use serde_json::{Value, json};

use super::{Ask, Judge};
use crate::excerpt::excerpt;
use crate::question::Question;
use crate::view;

const CHOICE: &str = include_str!("../../prompts/route.md");
const MARKS: &str = include_str!("../../prompts/route-marks.md");
/// How much of a turn is shown, and of the request.
const TURN_CHARS: usize = 1_000;
const REQUEST_CHARS: usize = 4_000;
const OURS: Delimiters = Delimiters {
    tags: &["conversation", "request"],
    rulers: &[],
    comments: &[],
    notes: &[],
};

pub(super) fn question(ask: &Ask<'_>, judge: Judge) -> Question {
    let (system, schema, shown) = match judge {
        Judge::Marks { .. } => (MARKS, marks(), view::scoring(ask.history).to_vec()),
        Judge::Choice | Judge::Nobody => (
            CHOICE,
            choice(),
            view::routing(ask.history, ask.lookback, ask.profile),
        ),
    };
    let contents = match ask.profile {
        Profile::Analects => vec![Content::text(
            "route",
            Role::User,
            quoted(&shown, ask.request),
        )],
        Profile::Seed | Profile::Head => {
            let mut contents = shown;
            contents.push(ask.request.clone());
            contents
        }
    };
    Question {
        system: system.trim_end().to_owned(),
        contents,
        schema,
    }
}

fn quoted(shown: &[Content], request: &Content) -> String {
    let mut text = String::new();
    if !shown.is_empty() {
        text.push_str("<conversation>\n");
        for content in shown {
            let who = match content.role {
                Role::User => "user",
                Role::Model => "agent",
            };
            let _ = writeln!(text, "{who}: {}", told(content, TURN_CHARS));
        }
        text.push_str("</conversation>\n");
    }
    let _ = write!(
        text,
        "<request>\n{}\n</request>",
        told(request, REQUEST_CHARS)
    );
    text
}

/// What a turn says, in at most about this many characters; tools by their names.
fn told(content: &Content, max_chars: usize) -> String {
    let said = content.parts.iter().filter(|part| !part.is_thought);
    let pieces: Vec<_> = said.map(piece).collect();
    let text = pieces.join(" ");
    neutralise(&excerpt(text.trim(), max_chars), &OURS).into_owned()
}

fn piece(part: &Part) -> String {
    match &part.body {
        Body::Text(text) => text.clone(),
        Body::Call(call) => format!("[calls {}]", one_line(&call.name)),
        Body::Response(response) => format!("[{} answered]", one_line(&response.name)),
        Body::Media(media) => format!("[{}]", one_line(&media.mime)),
        Body::Other => "[something else]".to_owned(),
    }
}

fn choice() -> Value {
    json!({
        "type": "object",
        "properties": {
            "reasoning": { "type": "string", "description": "One sentence." },
            "model_choice": { "type": "string", "enum": ["flash", "pro"] },
        },
        "required": ["reasoning", "model_choice"],
    })
}

fn marks() -> Value {
    json!({
        "type": "object",
        "properties": {
            "complexity_reasoning": { "type": "string", "description": "One sentence." },
            "complexity_score": { "type": "integer", "minimum": 1, "maximum": 100 },
        },
        "required": ["complexity_reasoning", "complexity_score"],
    })
}
