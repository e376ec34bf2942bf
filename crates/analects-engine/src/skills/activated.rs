//! Which skills were activated in a conversation.
//!
//! The tool's answer holds what a skill says for as long as it stands in the history. A compression takes it away and keeps
//! the names; whoever assembles the next request tells the rest anew.

use analects_agent::tools::activate_skill;
use analects_chat::compress;
use analects_skill::catalog;
use analects_world::model::{Content, Response, Role};
use serde_json::Value;

/// Before the names of the skills that hold, in what a compression keeps word for word.
const PIN: &str = "Skills that were activated in this conversation and still hold: ";

/// What must survive a compression: which skills were activated. What they say is told anew.
#[must_use]
pub fn pin<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let names: Vec<_> = names.into_iter().collect();
    (!names.is_empty()).then(|| format!("{PIN}{}", names.join(", ")))
}

/// The request of somebody who activated a skill by its name, and what they said besides.
#[must_use]
pub fn request(name: &str, said: &str) -> String {
    let said = said.trim();
    match said.is_empty() {
        true => format!("{REQUEST}{name}` now."),
        false => format!("{REQUEST}{name}` for this: {said}"),
    }
}

const REQUEST: &str = "Follow the skill `";

/// The names of the skills that were activated in a history, in their order: by the model, by the user, or before it was
/// compressed.
#[must_use]
pub fn active_in(history: &[Content]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if catalog::safe(name).as_deref() == Some(name) && !names.iter().any(|it| it == name) {
            names.push(name.to_owned());
        }
    };
    for (at, content) in history.iter().enumerate() {
        for response in content.responses() {
            if let Some(name) = activated(response) {
                add(&name);
            }
        }
        if content.role != Role::User {
            continue;
        }
        let is_snapshot = compress::is_snapshot(history, at);
        for text in content.texts() {
            if let Some(pinned) = text.strip_prefix(PIN).filter(|_| is_snapshot) {
                pinned.split(", ").for_each(&mut add);
            } else if let Some(rest) = text.strip_prefix(REQUEST) {
                add(rest.split('`').next().unwrap_or_default());
            }
        }
    }
    names
}

/// The skill that a response of the tool brought, if it did.
fn activated(response: &Response) -> Option<String> {
    if response.name != activate_skill::NAME {
        return None;
    }
    let output = response.response.get("output")?.as_str()?;
    let (name, _) = output
        .strip_prefix("<activated_skill name=\"")?
        .split_once('"')?;
    Some(name.to_owned())
}

/// Whether what a skill says stands in a history, word for word.
#[must_use]
pub fn stands_in(history: &[Content], name: &str) -> bool {
    let opening = catalog::opening(name);
    let mut responses = history.iter().flat_map(Content::responses);
    responses.any(|response| {
        let output = response.response.get("output").and_then(Value::as_str);
        let is_whole = |output: &str| output.starts_with(&opening) && output.contains(CLOSING);
        response.name == activate_skill::NAME && output.is_some_and(is_whole)
    })
}

const CLOSING: &str = "</activated_skill>";
