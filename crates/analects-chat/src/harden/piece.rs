//! A history taken apart: every piece on the side that must say it, and nothing that says nothing.

use analects_world::model::{Body, Content, Part, Role};

use super::{Fields, HardenOptions, Thoughts};
use crate::curate::{is_mark, keep_said};

/// What is said, in order.
pub(super) struct Talk {
    /// The ids of the turns that it came from.
    pub(super) turn_ids: Vec<String>,
    pub(super) pieces: Vec<Piece>,
}

/// A part of a turn.
pub(super) struct Piece {
    /// The turn it came from.
    pub(super) turn_idx: usize,
    /// Its place in that turn.
    pub(super) part_idx: usize,
    /// Who says it: tools are called by the model and answer to it, whoever's turn that was.
    pub(super) role: Role,
    /// Which unbroken run of its role it belongs to. The runs alternate.
    pub(super) run: usize,
    pub(super) part: Part,
}

/// Takes a history apart.
pub(super) fn pieces(history: Vec<Content>, options: &HardenOptions) -> Talk {
    let mut talk = Talk {
        turn_ids: Vec::with_capacity(history.len()),
        pieces: Vec::with_capacity(history.len()),
    };
    for (turn_idx, content) in history.into_iter().enumerate() {
        talk.turn_ids.push(content.id);
        for (part_idx, mut part) in content.parts.into_iter().enumerate() {
            if is_wanted(&mut part, options) {
                let role = side(&part, content.role);
                let run = match talk.pieces.last() {
                    Some(last) => last.run + usize::from(last.role != role),
                    None => 0,
                };
                talk.pieces.push(Piece {
                    turn_idx,
                    part_idx,
                    role,
                    run,
                    part,
                });
            }
        }
    }
    talk
}

fn is_wanted(part: &mut Part, options: &HardenOptions) -> bool {
    if options.thoughts == Thoughts::Dropped && !keep_said(part) {
        return false;
    }
    if options.fields == Fields::Known {
        scrub(part);
    }
    match &part.body {
        Body::Text(text) if !text.is_empty() => true,
        Body::Text(_) | Body::Other => part.rest.keys().any(|name| !is_mark(name)),
        Body::Call(_) | Body::Response(_) | Body::Media(_) => true,
    }
}

/// Leaves only the fields that Gemini has. Unlike the original it leaves the media of a response too.
fn scrub(part: &mut Part) {
    part.rest.retain(|name, value| match &**name {
        "text" => value.is_string(),
        "inlineData"
        | "fileData"
        | "executableCode"
        | "codeExecutionResult"
        | "thoughtSignature" => true,
        _ => false,
    });
    match &mut part.body {
        Body::Call(call) => call.rest.clear(),
        Body::Response(response) => response.rest.clear(),
        Body::Text(_) | Body::Media(_) | Body::Other => {}
    }
}

fn side(part: &Part, role: Role) -> Role {
    match part.body {
        Body::Call(_) => Role::Model,
        Body::Response(_) => Role::User,
        Body::Text(_) | Body::Media(_) | Body::Other => role,
    }
}
