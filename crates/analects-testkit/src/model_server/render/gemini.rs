//! Gemini: every chunk is a whole response with the parts that are new in it.

use analects_world::model::{Body, Part};
use analects_world::models::{Finish, Listed, Usage};
use serde_json::{Value, json};

use super::{Said, counts, sum};
use crate::model_server::reply::{Quirk, Trouble};

pub(super) fn stream(said: &Said<'_>) -> Vec<String> {
    chunks(said).iter().map(event).collect()
}

/// This service ends its lines as mail does.
pub(super) fn event(value: &Value) -> String {
    format!("data: {value}\r\n\r\n")
}

pub(super) fn chunks(said: &Said<'_>) -> Vec<Value> {
    if let Some(refused) = refused_prompt(said) {
        return vec![response(said, refused, said.usage())];
    }
    let read = said.usage().map(|usage| Usage {
        prompt: usage.prompt,
        ..Usage::default()
    });
    let candidate = |part: &Part| {
        let content = json!({"parts": [part_form(said, part)], "role": "model"});
        json!({"candidates": [{"content": content, "index": 0}]})
    };
    let mut chunks: Vec<Value> = said
        .parts()
        .map(|part| response(said, candidate(part), read))
        .collect();
    let last = last(said, chunks.is_empty());
    chunks.extend(last.map(|last| response(said, last, said.usage())));
    chunks
}

pub(super) fn whole(said: &Said<'_>) -> Value {
    if let Some(refused) = refused_prompt(said) {
        return response(said, refused, said.usage());
    }
    let parts: Vec<Value> = said.parts().map(|part| part_form(said, part)).collect();
    let mut content = json!({"role": "model"});
    if !parts.is_empty() {
        content["parts"] = parts.into();
    }
    let mut candidate = json!({"content": content, "index": 0});
    if let Some(finish) = said.finish() {
        candidate["finishReason"] = word(finish).into();
    }
    let body = json!({"candidates": [candidate]});
    response(said, body, said.usage())
}

pub(super) fn trouble(trouble: &Trouble) -> Value {
    let status = trouble.code.unwrap_or(match trouble.status {
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        429 => "RESOURCE_EXHAUSTED",
        500 => "INTERNAL",
        503 | 529 => "UNAVAILABLE",
        504 => "DEADLINE_EXCEEDED",
        _ => "INVALID_ARGUMENT",
    });
    let mut error = json!({
        "code": trouble.status,
        "message": trouble.message,
        "status": status,
    });
    if let Some(secs) = trouble.retry_info_secs {
        error["details"] = json!([{
            "@type": "type.googleapis.com/google.rpc.RetryInfo",
            "retryDelay": format!("{secs}s"),
        }]);
    }
    json!({"error": error})
}

pub(super) fn models(models: &[Listed]) -> Value {
    let models: Vec<Value> = models
        .iter()
        .map(|listed| {
            let mut model = json!({
                "name": format!("models/{}", listed.name),
                "version": "001",
                "displayName": listed.name,
                "outputTokenLimit": 8192,
                "supportedGenerationMethods": ["generateContent", "countTokens"],
            });
            if let Some(tokens) = listed.window_tokens {
                model["inputTokenLimit"] = tokens.into();
            }
            model
        })
        .collect();
    json!({"models": models})
}

/// A question that is not allowed is not answered by a candidate at all.
fn refused_prompt(said: &Said<'_>) -> Option<Value> {
    match said.finish() {
        Some(Finish::Blocked(word)) if said.parts().next().is_none() => {
            Some(json!({"promptFeedback": {"blockReason": word}}))
        }
        _ => None,
    }
}

/// The chunk with the finish in it, and with no words; without a finish there may still be the usage.
fn last(said: &Said<'_>, is_only: bool) -> Option<Value> {
    let Some(finish) = said.finish() else {
        return said.usage().map(|_| json!({}));
    };
    let content = if is_only {
        json!({"role": "model"})
    } else {
        json!({"parts": [{"text": ""}], "role": "model"})
    };
    let candidate = json!({"content": content, "finishReason": word(finish), "index": 0});
    Some(json!({"candidates": [candidate]}))
}

fn response(said: &Said<'_>, mut body: Value, usage: Option<Usage>) -> Value {
    if let Some(usage) = usage {
        body["usageMetadata"] = usage_form(said, usage);
    }
    body["modelVersion"] = said.request.model().into();
    body["responseId"] = "k3Xe2vQAdG4RQ".into();
    body
}

fn usage_form(said: &Said<'_>, usage: Usage) -> Value {
    let written = sum(usage.answer, usage.thoughts);
    let known = [
        ("promptTokenCount", usage.prompt),
        ("candidatesTokenCount", usage.answer),
        ("totalTokenCount", sum(usage.prompt, written)),
        ("cachedContentTokenCount", usage.cached),
        ("thoughtsTokenCount", usage.thoughts),
    ];
    let mut form = Value::from(counts(said, known));
    if let Some(prompt) = usage.prompt {
        form["promptTokensDetails"] = json!([{"modality": "TEXT", "tokenCount": prompt}]);
    }
    form
}

fn part_form(said: &Said<'_>, part: &Part) -> Value {
    let mut form = part.to_value();
    if let (Quirk::Arguments(text), Body::Call(_)) = (said.quirk, &part.body) {
        form["functionCall"]["args"] = text.as_str().into();
    }
    form
}

fn word(finish: &Finish) -> &str {
    match finish {
        Finish::Done => "STOP",
        Finish::Length => "MAX_TOKENS",
        Finish::Recitation => "RECITATION",
        Finish::BadCall(_) => "MALFORMED_FUNCTION_CALL",
        Finish::Blocked(word) | Finish::Other(word) => word,
    }
}
