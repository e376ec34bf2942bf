//! A conversation of any agent as the turns that go to a model.

use analects_session::history::{history, name_calls};
use analects_session::into_gemini;
use analects_session::record::{By, Start};
use analects_session::replay::replay;
use analects_session::stamp::Stamp;
use analects_world::model::Content;

use super::Opened;
use super::masked::masked;
use crate::secrets::Guarded;

/// The turns of a conversation, without its secrets.
#[must_use]
pub fn turns(opened: &Opened, guarded: &Guarded<'_>, now: Stamp) -> Vec<Content> {
    let mut turns = match &opened.replayed {
        Some(replayed) => masked(&history(replayed), guarded),
        None => {
            let head = &opened.transcript.head;
            let start = Start {
                session_id: &head.id,
                project_hash: "",
                at: head.started.unwrap_or(now),
                by: By::Person,
            };
            let redact = |text: &str| guarded.mask(text);
            let lines = into_gemini::record(&opened.standing(), "", start, now, &redact);
            history(&replay(lines.into_bytes()))
        }
    };
    name_calls(&mut turns);
    turns
}
