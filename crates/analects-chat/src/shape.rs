//! What kind of turn a turn is: a prompt, an answer, calls, their outputs.

use analects_world::model::{Body, Content, Role};

/// Whether the model only wants tools to run: every piece is a call.
#[must_use]
pub fn is_call(content: &Content) -> bool {
    content.role == Role::Model
        && !content.parts.is_empty()
        && (content.parts.iter()).all(|part| matches!(part.body, Body::Call(_)))
}

/// Whether a tool answers: one piece is enough.
#[must_use]
pub fn is_response(content: &Content) -> bool {
    content.role == Role::User && content.responses().next().is_some()
}

/// Whether somebody asks for something: a turn of the user in which no tool answers.
#[must_use]
pub fn is_request(content: &Content) -> bool {
    content.role == Role::User && !is_response(content)
}
