//! An event as a line of the log: flat JSON, versioned.

use std::borrow::Cow;

use analects_world::Agent;
use serde::{Deserialize, Serialize};

use super::{Event, Session, Trigger, Weights, What, Word};

/// The version of a line.
const VERSION: u32 = 1;

#[derive(Default, Serialize, Deserialize)]
struct Stored<'a> {
    v: u32,
    at: u64,
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    agent: Option<Cow<'a, str>>,
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    session: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ms: Option<u64>,
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    trigger: Option<Cow<'a, str>>,
    /// Why it failed, which kind of circle or which skill it was, or for which event a hook ran.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    which: Option<Cow<'a, str>>,
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    outcome: Option<Cow<'a, str>>,
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    host: Option<Cow<'a, str>>,
}

/// The line of an event, with its end.
pub(super) fn print(event: &Event) -> String {
    let mut stored = Stored {
        v: VERSION,
        at: event.at_ms,
        kind: event.what.kind().into(),
        ..Stored::default()
    };
    if let Some(session) = &event.session {
        stored.agent = Some(session.agent.as_str().into());
        stored.session = Some((&*session.hash).into());
    }
    match &event.what {
        What::Compressed {
            tokens,
            trigger,
            ms,
        } => {
            stored.weigh(*tokens);
            stored.trigger = Some(trigger.as_str().into());
            stored.ms = Some(*ms);
        }
        What::CompressionFailed {
            status,
            trigger,
            ms,
        } => {
            stored.which = Some(status.as_str().into());
            stored.trigger = Some(trigger.as_str().into());
            stored.ms = Some(*ms);
        }
        What::Uncompressed { tokens } => stored.weigh(*tokens),
        What::Masked { count, tokens } | What::Shortened { count, tokens } => {
            stored.weigh(*tokens);
            stored.count = Some(*count);
        }
        What::Overflow { request, remaining } => {
            stored.before = Some(*request);
            stored.after = Some(*remaining);
        }
        What::Loop { kind } => stored.which = Some(kind.as_str().into()),
        What::Skill { skill } => stored.which = Some(skill.as_str().into()),
        What::Hook {
            host,
            event,
            outcome,
            ms,
        } => {
            stored.host = Some(host.as_str().into());
            stored.which = Some(event.as_str().into());
            stored.outcome = Some(outcome.as_str().into());
            stored.ms = Some(*ms);
        }
    }
    let mut line = serde_json::to_string(&stored).unwrap_or_default();
    line.push('\n');
    line
}

/// The event of a line; `None` if it makes no sense, or is of another version.
pub(super) fn parse(line: &str) -> Option<Event> {
    let stored: Stored<'_> = serde_json::from_str(line).ok()?;
    if stored.v != VERSION {
        return None;
    }
    Some(Event {
        at_ms: stored.at,
        session: Session::read(stored.agent.as_deref(), stored.session.as_deref()),
        what: stored.what()?,
    })
}

impl Stored<'_> {
    fn weigh(&mut self, tokens: Weights) {
        self.before = Some(tokens.before);
        self.after = Some(tokens.after);
    }

    fn what(&self) -> Option<What> {
        let tokens = self.before.zip(self.after);
        let tokens = tokens.map(|(before, after)| Weights { before, after });
        let which = self.which.as_deref().and_then(Word::read);
        let trigger = self.trigger.as_deref();
        let mut triggers = Trigger::ALL.into_iter();
        let trigger = triggers.find(|known| Some(known.as_str()) == trigger);
        Some(match &*self.kind {
            "compressed" => What::Compressed {
                tokens: tokens?,
                trigger: trigger?,
                ms: self.ms?,
            },
            "compression_failed" => What::CompressionFailed {
                status: which?,
                trigger: trigger?,
                ms: self.ms?,
            },
            "uncompressed" => What::Uncompressed { tokens: tokens? },
            "masked" => What::Masked {
                count: self.count?,
                tokens: tokens?,
            },
            "shortened" => What::Shortened {
                count: self.count?,
                tokens: tokens?,
            },
            "overflow" => What::Overflow {
                request: self.before?,
                remaining: self.after?,
            },
            "loop" => What::Loop { kind: which? },
            "skill" => What::Skill { skill: which? },
            "hook" => What::Hook {
                host: Agent::named(self.host.as_deref()?)?,
                event: which?,
                outcome: self.outcome.as_deref().and_then(Word::read)?,
                ms: self.ms?,
            },
            _ => return None,
        })
    }
}
