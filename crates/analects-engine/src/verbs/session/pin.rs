//! `session pin`.

use analects_text::tokens;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::World;
use crate::load_memory::{self, Prepared};
use crate::pins::{self, Of, Pinned};
use crate::remember;
use crate::secrets::{self, Guarded};
use crate::sessions::{self, Exactness};
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};

/// Pin a text to a session: it stays in its context word for word, however it is compressed.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Pin {
    /// The session: its id, the beginning of its id, its file, or `latest`.
    pub session: String,
    /// What to pin.
    #[arg(required_unless_present_any = ["list", "remove"])]
    #[serde(default)]
    pub text: Vec<String>,
    /// Show what is pinned.
    #[arg(long, conflicts_with_all = ["text", "remove"])]
    #[serde(default)]
    pub list: bool,
    /// Take the pin of this number away.
    #[arg(long, value_name = "N", conflicts_with = "text")]
    #[serde(default)]
    pub remove: Option<usize>,
    /// Pin it with secrets left out.
    #[arg(long)]
    #[serde(default)]
    pub redact: bool,
    /// The fingerprint of a finding that is no secret; may be given several times.
    #[arg(long, value_name = "FINGERPRINT")]
    #[serde(default)]
    pub allow: Vec<String>,
}

/// What is pinned to a session.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct PinAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// The session's id.
    pub session: String,
    /// Whose session it is.
    pub agent: String,
    /// What it is called.
    pub title: String,
    /// Everything that is pinned to it, in order.
    pub pins: Vec<PinnedText>,
    /// What was asked for; `null` if it was only to show them.
    pub change: Option<PinChange>,
    /// The change.
    pub diff: String,
    /// Whether it was written; not in a dry run, and not if the text was pinned already.
    pub written: bool,
    /// The name of the commit in the journal.
    pub commit: Option<String>,
}

/// A text that is pinned.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct PinnedText {
    /// Its number, from 1 on; it changes when one before it goes.
    pub number: usize,
    /// The text.
    pub text: String,
    /// When it was pinned, in UTC.
    pub at: String,
    /// What it costs with every request.
    pub tokens: usize,
}

/// What became of the pins.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum PinChange {
    /// The text is the last of them.
    Added,
    /// The text was among them.
    Known,
    /// One was taken away.
    Removed,
}

impl Verb for Pin {
    const NAME: &'static str = "session pin";
    type Answer = PinAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<PinAnswer, Failure> {
        let text = self.text.join(" ");
        let n_wishes = [!text.is_empty(), self.list, self.remove.is_some()];
        if n_wishes.iter().filter(|wish| **wish).count() != 1 {
            return Err(Failure::bad_input(
                "give a text to pin, `list`, or `remove`",
            ));
        }
        let prepared = load_memory::prepare(world, flags)?;
        let (trust, exactness) = (prepared.decision.trust, Exactness::Beginning);
        let found = sessions::find(world, &prepared.root, trust, &self.session, exactness)?;
        let of = Of {
            agent: found.stored.agent,
            session: &found.opened.transcript.head.id,
        };
        let mut answer = PinAnswer {
            schema_version: SCHEMA_VERSION,
            session: of.session.to_owned(),
            agent: of.agent.as_str().to_owned(),
            title: found.opened.title(),
            pins: Vec::new(),
            change: None,
            diff: String::new(),
            written: false,
            commit: None,
        };
        let pinned = match self.remove {
            _ if self.list => {
                answer.tell(pins::read(world, of)?);
                return Ok(answer);
            }
            Some(number) => {
                answer.change = Some(PinChange::Removed);
                pins::remove(world, flags, of, number, Self::NAME)?
            }
            None => {
                let text = self.guarded(&prepared, &text)?;
                let pinned = pins::add(world, flags, of, &text, Self::NAME)?;
                answer.change = Some(match pinned.is_changed {
                    true => PinChange::Added,
                    false => PinChange::Known,
                });
                pinned
            }
        };
        answer.take(pinned);
        Ok(answer)
    }
}

impl Pin {
    /// The text as it would be pinned, if it may be stored: for a session that has not begun.
    pub fn vetted(&self, world: &World<'_>, flags: &Flags) -> Result<String, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        self.guarded(&prepared, &self.text.join(" "))
    }

    /// The text, if it may be stored.
    fn guarded(&self, prepared: &Prepared, text: &str) -> Result<String, Failure> {
        let allowed = remember::allowed(prepared, &self.allow);
        let guarded = Guarded { allowed: &allowed };
        let text = pins::clean(text)?;
        let found = guarded.find(&text);
        match (found.is_empty(), self.redact) {
            (true, _) => Ok(text),
            (false, true) => Ok(guarded.mask(&text)),
            (false, false) => Err(secrets::refuse_or_redact(&found)),
        }
    }
}

impl PinAnswer {
    fn take(&mut self, pinned: Pinned) {
        self.tell(pinned.pins);
        let commit = pinned.written.receipt.and_then(|receipt| receipt.id);
        self.written = pinned.is_changed && commit.is_some();
        self.commit = commit;
        self.diff = pinned.written.diff;
    }

    fn tell(&mut self, pins: Vec<pins::Pin>) {
        let numbered = (1..).zip(pins);
        let pinned = numbered.map(|(number, pin)| PinnedText {
            number,
            tokens: tokens::estimate(&pin.text),
            text: pin.text,
            at: pin.at,
        });
        self.pins = pinned.collect();
    }
}
