//! The last turn of an errand: a minute, in which nothing but `complete_task` can be called.

use analects_world::model::{Content, Part, Role};
use analects_world::provenance::Author;

use super::{Errand, Phase, Reason, after};
use crate::turn::{Event, Next, Note, Step};

/// How long the last turn may take.
const GRACE_MS: u64 = 60_000;

const LAST_TURN: &str = include_str!("../../../prompts/last_turn.md");

/// The last turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grace {
    pub(super) why: Reason,
    pub(super) until_ms: u64,
    pub(super) is_asked: bool,
}

impl Errand {
    pub(super) fn give_grace(&mut self, why: Reason, now_ms: u64) {
        self.phase = Phase::Grace(Grace {
            why,
            until_ms: now_ms.saturating_add(GRACE_MS),
            is_asked: false,
        });
    }

    /// The last turn of a dialogue that has ended: it is asked once more.
    pub(super) fn last_turn(&mut self, notes: Vec<Note>, why: Reason, now_ms: u64) -> Step {
        self.give_grace(why, now_ms);
        let task = self.task.as_mut();
        let id = task.as_ref().map_or("", |task| &task.id);
        let id = format!("{id}_last");
        // A task that nobody has answered is gone from the history, unless it was compressed.
        let unheard = task.and_then(|task| task.unheard.take());
        let stands = |task: &Content| {
            self.dialogue
                .history()
                .iter()
                .any(|turn| turn.id == task.id)
        };
        let unheard = unheard.filter(|task| !stands(task));
        let mut parts = unheard.map_or_else(Vec::new, |task| task.parts);
        parts.push(Part::written_by(Author::System, last_words(why)));
        let prompt = Content {
            id,
            role: Role::User,
            parts,
        };
        let step = after(notes, self.dialogue.step(Event::Prompt(prompt)));
        self.follow(step, now_ms)
    }

    /// It is over, and its last turn has not helped.
    pub(super) fn finish_late(&mut self, notes: Vec<Note>, next: Next, now_ms: u64) -> Step {
        let why = match self.phase {
            Phase::Grace(grace) => grace.why,
            Phase::Working => Reason::Error,
        };
        self.finish(why, None, now_ms);
        Step { notes, next }
    }
}

/// What the model is told before its last turn.
pub(super) fn last_words(why: Reason) -> String {
    let why = match why {
        Reason::MaxTurns => "you have had as many turns as you may have",
        Reason::Timeout => "your time is over",
        _ => "you stopped without calling `complete_task`",
    };
    LAST_TURN.trim_end().replace("{why}", why)
}
