//! Model requests and responses in the format that hooks read and write.
//!
//! Hooks see text and nothing else: no calls, no images, no thoughts. What they change is put back where it was taken from;
//! whatever they cannot see stays as it is.

mod edit;

use analects_chat::answer::Heard;
use analects_world::model::{Body, Content, Part, Role};
use analects_world::models::{Choice, Finish, Options, Tool, Usage};
use serde_json::{Map, Value, json};

pub use edit::edited;

/// A request as hooks see it.
#[must_use]
pub fn request(model: &str, history: &[Content], options: &Options) -> Value {
    let messages: Vec<_> = messages(history)
        .map(|(_, message)| message.to_value())
        .collect();
    let mut config = Map::new();
    if let Some(temperature) = options.temperature {
        config.insert("temperature".to_owned(), temperature.into());
    }
    if let Some(most) = options.max_output_tokens {
        config.insert("maxOutputTokens".to_owned(), most.into());
    }
    json!({ "model": model, "messages": messages, "config": config })
}

/// What hooks want to be otherwise about a request, apart from what is said in it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wishes {
    /// Another model.
    pub model: Option<String>,
    /// How freely it chooses its words.
    pub temperature: Option<f64>,
    /// How long its answer may be.
    pub max_output_tokens: Option<u32>,
}

/// What a changed request wants to be otherwise; `was` is how hooks saw it.
#[must_use]
pub fn wishes(was: &Value, now: &Map<String, Value>) -> Wishes {
    let model = now.get("model").and_then(Value::as_str);
    let model = model.filter(|name| was.get("model").and_then(Value::as_str) != Some(name));
    let config = now.get("config");
    let number = |name: &str| config?.get(name)?.as_f64();
    let most = config.and_then(|config| config.get("maxOutputTokens")?.as_u64());
    Wishes {
        model: model
            .map(str::to_owned)
            .filter(|name| !name.trim().is_empty()),
        temperature: number("temperature").filter(|it| (0.0..=2.0).contains(it)),
        max_output_tokens: most
            .and_then(|most| u32::try_from(most).ok())
            .filter(|most| *most > 0),
    }
}

/// An answer as hooks see it.
#[must_use]
pub fn response(heard: &Heard) -> Value {
    let texts: Vec<_> = heard.parts.iter().filter_map(text_of).collect();
    let reason = match &heard.finish {
        Finish::Done => "STOP",
        Finish::Length => "MAX_TOKENS",
        Finish::Blocked(_) => "SAFETY",
        Finish::Recitation => "RECITATION",
        Finish::BadCall(_) | Finish::Other(_) => "OTHER",
    };
    json!({
        "text": texts.concat(),
        "candidates": [{
            "content": { "role": "model", "parts": texts },
            "finishReason": reason,
            "index": 0,
        }],
        "usageMetadata": heard.usage.map(counted),
    })
}

fn counted(usage: Usage) -> Value {
    let answer = usage
        .answer
        .unwrap_or(0)
        .saturating_add(usage.thoughts.unwrap_or(0));
    json!({
        "promptTokenCount": usage.prompt,
        "candidatesTokenCount": usage.answer,
        "totalTokenCount": usage.prompt.unwrap_or(0).saturating_add(answer),
    })
}

/// The answer that a hook gives in the model's place; `Err` says why it is none.
pub fn answer(response: &Value) -> Result<Heard, String> {
    Ok(Heard {
        parts: spoken(response)?.into_iter().map(Part::text).collect(),
        usage: None,
        finish: Finish::Done,
    })
}

/// The parts of an answer with other words; calls, thoughts and everything else stay where they are. `Err` says why the words
/// are none.
pub fn reworded(parts: Vec<Part>, response: &Value) -> Result<Vec<Part>, String> {
    let mut words = spoken(response)?.into_iter();
    let n_texts = parts.iter().filter(|part| text_of(part).is_some()).count();
    let mut n_left = n_texts;
    let mut new = Vec::new();
    for part in parts {
        if text_of(&part).is_none() {
            new.push(part);
            continue;
        }
        n_left -= 1;
        let mine = if n_left == 0 { usize::MAX } else { 1 };
        new.extend(words.by_ref().take(mine).map(Part::text));
    }
    // There was nothing said before: what is said now comes first.
    let more: Vec<_> = words.map(Part::text).collect();
    new.splice(0..0, more);
    Ok(new)
}

/// The words of a response of a hook's.
fn spoken(response: &Value) -> Result<Vec<String>, String> {
    let parts = response
        .get("candidates")
        .and_then(|candidates| candidates.get(0)?.get("content")?.get("parts")?.as_array());
    let words = match (parts, response.get("text").and_then(Value::as_str)) {
        (Some(parts), _) => parts.iter().map(word).collect::<Option<Vec<_>>>(),
        (None, Some(text)) => Some(vec![text.to_owned()]),
        (None, None) => None,
    };
    let words = words.ok_or("`llm_response` has no words in `candidates[0].content.parts`")?;
    let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
    match words.is_empty() {
        true => Err("`llm_response` says nothing".to_owned()),
        false => Ok(words),
    }
}

/// A part is a plain text; that of the model's own wire is understood, too.
fn word(part: &Value) -> Option<String> {
    let text = part.as_str().or_else(|| part.get("text")?.as_str());
    text.map(str::to_owned)
}

/// The tools that are offered, if hooks have a say in it, and whether one must be called.
#[must_use]
pub fn offered(tools: &[Tool], config: &Value) -> (Vec<Tool>, Choice) {
    let names = config.get("allowedFunctionNames").and_then(Value::as_array);
    let names: Vec<_> = names
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let is_named = |tool: &&Tool| names.is_empty() || names.contains(&&*tool.name);
    let left: Vec<_> = tools.iter().filter(is_named).cloned().collect();
    let mode = config.get("mode").and_then(Value::as_str);
    match (mode, left.is_empty()) {
        (Some("NONE"), _) | (_, true) => (Vec::new(), Choice::Auto),
        (Some("ANY"), false) => (left, Choice::Any),
        _ => (left, Choice::Auto),
    }
}

/// A message as hooks see it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Message {
    role: Role,
    text: String,
}

impl Message {
    fn to_value(&self) -> Value {
        json!({ "role": self.role.as_str(), "content": self.text })
    }

    /// Reads a message of a hook's.
    fn read(value: &Value) -> Option<Self> {
        let role = match value.get("role").and_then(Value::as_str)? {
            "model" | "assistant" => Role::Model,
            _ => Role::User,
        };
        let text = match value.get("content")? {
            Value::String(text) => text.clone(),
            Value::Array(pieces) => pieces.iter().map(word).collect::<Option<String>>()?,
            _ => return None,
        };
        Some(Self { role, text })
    }
}

/// The turns that say something in words, by place.
fn messages(history: &[Content]) -> impl Iterator<Item = (usize, Message)> {
    history.iter().enumerate().filter_map(|(place, turn)| {
        let text: String = turn.parts.iter().filter_map(text_of).collect();
        let role = turn.role;
        (!text.is_empty()).then_some((place, Message { role, text }))
    })
}

/// What a part says in words, unless it was only thought.
fn text_of(part: &Part) -> Option<&str> {
    match &part.body {
        Body::Text(text) if !part.is_thought => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
