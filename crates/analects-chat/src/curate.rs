//! The part of a history worth keeping: without failed answers and, on request, without thoughts, neighbours merged.
//!
//! Three steps that are taken one by one. None of them pairs calls with responses: see `harden`.

use analects_world::Profile;
use analects_world::model::{Body, Content, Part, Role, stable_id};
use serde_json::Value;

use crate::shape::is_response;

/// What a call says that has lost the signature which its model wants to see.
pub const SYNTHETIC_SIGNATURE: &str = "skip_thought_signature_validator";
/// What stands for an answer that never came.
pub const INTERRUPTED: &str = "[The previous response was interrupted before it completed.]";

/// Whether calls are signed that are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signatures {
    /// The first call of a turn gets the signature that Gemini takes for any.
    Synthetic,
    /// Other models know no signatures.
    Left,
}

/// The turns that count. The user's always do; an unbroken run of the model's does if each of its turns is
/// worth something, since half an answer is none.
#[must_use]
pub fn curate(history: Vec<Content>, profile: Profile) -> Vec<Content> {
    let mut curated = Vec::with_capacity(history.len());
    let mut run_start = 0;
    let mut is_worth_it = true;
    for content in history {
        match content.role {
            Role::User => {
                close(&mut curated, run_start, is_worth_it);
                curated.push(content);
                run_start = curated.len();
                is_worth_it = true;
            }
            Role::Model => {
                is_worth_it &= is_valid(&content, profile);
                curated.push(content);
            }
        }
    }
    close(&mut curated, run_start, is_worth_it);
    curated
}

/// The turns without what the model only thought; a turn that says nothing else goes, and so does an empty
/// one. Calls stay even where they are marked as thoughts, for their responses stay too.
#[must_use]
pub fn strip_thoughts(history: Vec<Content>, signatures: Signatures) -> Vec<Content> {
    let stripped = history.into_iter().map(|mut content| {
        let had_thoughts = content.parts.iter().any(|part| part.is_thought);
        content.parts.retain_mut(keep_said);
        // What signed the call may have been the thought.
        if had_thoughts && signatures == Signatures::Synthetic {
            sign(&mut content);
        }
        content
    });
    stripped
        .filter(|content| !content.parts.is_empty())
        .collect()
}

/// The turns, with neighbours of the same role made one; the first one's id stays.
#[must_use]
pub fn merge_roles(history: Vec<Content>) -> Vec<Content> {
    let mut merged: Vec<Content> = Vec::with_capacity(history.len());
    for content in history {
        match merged.last_mut() {
            Some(last) if last.role == content.role => last.parts.extend(content.parts),
            _ => merged.push(content),
        }
    }
    merged
}

/// The turn that belongs before the next request when a tool has answered and the model has not. Without
/// it the request would become part of the tool's turn.
#[must_use]
pub fn interrupted(history: &[Content]) -> Option<Content> {
    let last = history.last().filter(|last| is_response(last))?;
    let id = stable_id(&[&last.id, "interrupted"]);
    Some(Content::text(id, Role::Model, INTERRUPTED))
}

/// Signs the first call of a model's turn, unless it is signed.
pub(crate) fn sign(content: &mut Content) {
    let mut parts = content.parts.iter_mut();
    let call = parts.find(|part| matches!(part.body, Body::Call(_)));
    if let Some(call) = call.filter(|_| content.role == Role::Model) {
        let signature = call.rest.get("thoughtSignature").and_then(Value::as_str);
        if signature.is_none_or(str::is_empty) {
            call.rest
                .insert("thoughtSignature".to_owned(), SYNTHETIC_SIGNATURE.into());
        }
    }
}

/// Whether a piece is more than a thought. A call or a response is, and stops calling itself one.
pub(crate) fn keep_said(part: &mut Part) -> bool {
    if matches!(part.body, Body::Call(_) | Body::Response(_)) {
        part.is_thought = false;
    }
    !part.is_thought
}

fn close(curated: &mut Vec<Content>, run_start: usize, is_worth_it: bool) {
    if !is_worth_it {
        curated.truncate(run_start);
    }
}

fn is_valid(content: &Content, profile: Profile) -> bool {
    let may_be_empty = match profile {
        Profile::Analects | Profile::Head => true,
        Profile::Seed => false,
    };
    match content.parts.is_empty() {
        true => may_be_empty,
        false => (content.parts.iter()).all(|part| is_valid_part(part, profile)),
    }
}

fn is_valid_part(part: &Part, profile: Profile) -> bool {
    let says_nothing = match &part.body {
        Body::Text(text) => text.is_empty(),
        // A call may have an empty text beside it.
        Body::Call(_) | Body::Response(_) | Body::Media(_) | Body::Other => {
            part.rest.get("text").and_then(Value::as_str) == Some("")
        }
    };
    let has_more = match &part.body {
        Body::Text(_) | Body::Other => (part.rest.keys()).any(|name| !is_mark(name)),
        Body::Call(_) | Body::Response(_) | Body::Media(_) => true,
    };
    let is_nothing = matches!(part.body, Body::Other) && part.rest.is_empty() && !part.is_thought;
    let is_empty_text = says_nothing
        && !part.is_thought
        && match profile {
            Profile::Analects | Profile::Head => !has_more,
            Profile::Seed => true,
        };
    !is_nothing && !is_empty_text
}

/// Whether a field says only something about the text beside it.
pub(crate) fn is_mark(name: &str) -> bool {
    matches!(name, "text" | "thought" | "callIndex")
}

#[cfg(test)]
mod tests;
