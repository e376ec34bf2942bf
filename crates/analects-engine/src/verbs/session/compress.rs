//! `session compress`.

use analects_chat::audit::{Audit, Tally};
use analects_chat::compress::Status;
use analects_chat::limits::Limits;
use analects_chat::weigh;
use analects_world::model::{Body, Content};
use analects_world::{Cancel, Profile};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::load_memory;
use crate::sessions::{self, Compressed, Undone, Wish};
use crate::verbs::answer::Problem;
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::{World, context_limits};

/// Make a session short: a snapshot stands for its past, and its end stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Compress {
    /// The session: its id, the beginning of its id, its file, or `latest`.
    pub session: String,
    /// Take the last compression back.
    #[arg(long, conflicts_with_all = ["focus", "window", "model"])]
    #[serde(default)]
    pub undo: bool,
    /// What is to be kept in most detail.
    #[arg(long, value_name = "TEXT")]
    #[serde(default)]
    pub focus: Option<String>,
    /// The window of the model that goes on with it, in tokens.
    #[arg(long, value_name = "TOKENS")]
    #[serde(default)]
    pub window: Option<usize>,
    /// Let this model write the snapshot; an alias or `provider:model` will do. Without it none is asked.
    #[arg(short, long, value_name = "NAME")]
    #[serde(default)]
    pub model: Option<String>,
}

/// What became of a session.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct CompressAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// The session that is short now; for another agent's, the copy of it.
    pub session: String,
    /// Whose session was meant.
    pub agent: String,
    /// Its record.
    pub path: String,
    /// `COMPRESSED`, `NOOP`, `UNDONE`, or what failed.
    pub status: String,
    /// What it weighed before.
    pub tokens_before: usize,
    /// What it weighs now.
    pub tokens_after: usize,
    /// What stands for the past.
    pub snapshot: Option<String>,
    /// The model that wrote it, if one was asked and wrote something that holds.
    pub written_by: Option<String>,
    /// The turns that stand word for word.
    pub kept: Vec<KeptTurn>,
    /// What of the whole is still to be read, as another pair of eyes sees it.
    pub survived: Survived,
    /// What is not.
    pub lost: Vec<Lost>,
    /// How many older facts were not looked for; the newest 10,000 of a kind are.
    pub unchecked: usize,
    /// What the user wants to be heeded, sentence by sentence.
    pub constraints: Vec<String>,
    /// Those of them that no memory has: they wait in the inbox for a yes.
    pub proposed: Vec<String>,
    /// Whether it was written.
    pub written: bool,
    /// What a person should know.
    pub problems: Vec<Problem>,
}

/// A turn that stands word for word.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct KeptTurn {
    /// Its id.
    pub id: String,
    /// Whose it is.
    pub role: String,
    /// What it weighs.
    pub tokens: usize,
    /// What it says; calls and answers of tools as JSON.
    pub text: String,
}

/// What is still to be read.
#[derive(Debug, Clone, Default, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Survived {
    /// Files and directories.
    pub paths: Vec<String>,
    /// Commands.
    pub commands: Vec<String>,
    /// Lines that tell of errors.
    pub errors: Vec<String>,
    /// What the user asked for, forbade or corrected.
    pub imperatives: Vec<String>,
}

/// Something that is only in the record any more.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Lost {
    /// `path`, `command`, `error` or `imperative`.
    pub kind: &'static str,
    /// What it said.
    pub text: String,
}

/// Less than this no model has.
const LEAST_WINDOW_TOKENS: usize = 1_000;

impl Compress {
    /// Does it; `pins` must be there word for word afterwards.
    pub(crate) fn run_with(
        &self,
        world: &World<'_>,
        flags: &Flags,
        pins: &[String],
        cancel: &Cancel,
    ) -> Result<CompressAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let settings = &prepared.settings;
        let limits = match self.window {
            Some(window) if window < LEAST_WINDOW_TOKENS => {
                let message = format!("a window of {window} tokens holds no conversation");
                return Err(Failure::bad_input(message)
                    .hint(format!("the least is {LEAST_WINDOW_TOKENS} tokens")));
            }
            Some(window) => Limits::of(window, settings.profile, &context_limits::wishes(settings)),
            None => context_limits::limits(settings, None),
        };
        if self.undo {
            let undone = sessions::undo(world, flags, &prepared, &self.session, &limits)?;
            return Ok(CompressAnswer::undone(undone));
        }
        let wish = Wish {
            session: &self.session,
            focus: self.focus.as_deref(),
            model: self.model.as_deref(),
            limits: &limits,
            pins,
            cancel,
        };
        let compressed = sessions::compress(world, flags, &prepared, wish)?;
        Ok(CompressAnswer::told(compressed, limits.profile))
    }
}

impl Verb for Compress {
    const NAME: &'static str = "session compress";
    type Answer = CompressAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<CompressAnswer, Failure> {
        self.run_with(world, flags, &[], &Cancel::new())
    }
}

impl CompressAnswer {
    fn told(compressed: Compressed, profile: Profile) -> Self {
        let audit = compressed.audit;
        let unchecked = [
            &audit.paths,
            &audit.commands,
            &audit.errors,
            &audit.imperatives,
        ];
        let unchecked = unchecked.iter().map(|tally| tally.n_unchecked).sum();
        let (survived, lost) = audited(audit);
        let turn = |turn: &Content| KeptTurn {
            id: turn.id.clone(),
            role: turn.role.as_str().to_owned(),
            tokens: weigh::content(turn, profile),
            text: said(turn),
        };
        Self {
            schema_version: SCHEMA_VERSION,
            session: compressed.id,
            agent: compressed.agent.as_str().to_owned(),
            path: compressed.path.to_string(),
            status: compressed.status.as_str().to_owned(),
            tokens_before: compressed.tokens.0,
            tokens_after: compressed.tokens.1,
            snapshot: compressed.snapshot,
            written_by: compressed.written_by,
            kept: compressed.kept.iter().map(turn).collect(),
            survived,
            lost,
            unchecked,
            constraints: compressed.constraints,
            proposed: compressed.proposed,
            written: compressed.is_written,
            problems: compressed.problems.iter().map(Problem::from).collect(),
        }
    }

    /// Whether it is shorter than before, or would be.
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        self.status == Status::Compressed.as_str()
    }

    fn undone(undone: Undone) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            session: undone.id,
            agent: undone.agent.as_str().to_owned(),
            path: undone.path.to_string(),
            status: "UNDONE".to_owned(),
            tokens_before: undone.tokens.0,
            tokens_after: undone.tokens.1,
            snapshot: None,
            written_by: None,
            kept: Vec::new(),
            survived: Survived::default(),
            lost: Vec::new(),
            unchecked: 0,
            constraints: Vec::new(),
            proposed: Vec::new(),
            written: undone.is_written,
            problems: undone.problems.iter().map(Problem::from).collect(),
        }
    }
}

/// What a turn says, piece by piece.
fn said(turn: &Content) -> String {
    let pieces = turn.parts.iter().map(|part| match &part.body {
        Body::Text(text) => text.clone(),
        Body::Call(_) | Body::Response(_) | Body::Media(_) | Body::Other => {
            part.to_value().to_string()
        }
    });
    pieces.collect::<Vec<_>>().join("\n")
}

fn audited(audit: Audit) -> (Survived, Vec<Lost>) {
    let mut lost = Vec::new();
    let mut split = |kind: &'static str, tally: Tally| {
        let gone = tally.lost.into_iter();
        lost.extend(gone.map(|text| Lost { kind, text }));
        tally.survived
    };
    let survived = Survived {
        paths: split("path", audit.paths),
        commands: split("command", audit.commands),
        errors: split("error", audit.errors),
        imperatives: split("imperative", audit.imperatives),
    };
    (survived, lost)
}
