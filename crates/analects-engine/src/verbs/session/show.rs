//! `session show`.

use analects_session::history;
use analects_session::markdown::{Detail, markdown};
use analects_session::stamp::Stamp;
use analects_session::transcript::{AttachedText, Outcome, ToolUse, Turn};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Session;
use crate::World;
use crate::load_memory;
use crate::secrets::Guarded;
use crate::sessions::{self, Exactness};
use crate::settings::keys;
use crate::verbs::answer::Problem;
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};

/// Show what was said and done in a session, as Markdown.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Show {
    /// Its id or the beginning of it, the record's file, or `latest`.
    #[arg(value_name = "SESSION", default_value = LATEST)]
    pub session: String,
    /// Show it as a model gets to see it again: Gemini's contents, as JSON.
    #[arg(long)]
    pub history: bool,
    /// Show passwords, tokens and keys as they were recorded; they are masked otherwise.
    #[arg(long)]
    pub secrets: bool,
}

const LATEST: &str = "latest";

impl Default for Show {
    fn default() -> Self {
        Self {
            session: LATEST.to_owned(),
            history: false,
            secrets: false,
        }
    }
}

/// A session, whole.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ShowAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// What is known about it.
    pub session: Session,
    /// What was said and done; empty with `--history`.
    pub turns: Vec<ShownTurn>,
    /// The contents that a model gets to see again, with `--history`.
    pub history: Option<Value>,
    /// What could not be read.
    pub problems: Vec<Problem>,
    /// All of it as Markdown, for people and models.
    #[serde(skip)]
    pub markdown: String,
}

/// One thing that was said.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ShownTurn {
    /// Its id.
    pub id: String,
    /// When, in UTC.
    pub at: Option<String>,
    /// Who: `user`, `model` or `program`.
    pub role: String,
    /// What, by that role alone.
    pub text: String,
    /// What others wrote into the same message.
    pub attached: Vec<ShownAttachment>,
    /// The tools that were used.
    pub tools: Vec<ShownTool>,
}

/// A text in a message that its role did not write.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ShownAttachment {
    /// Who wrote it: `model`, `tool`, `file`, `editor`, `hook` or `system`.
    pub author: String,
    /// What was written.
    pub text: String,
}

/// A tool that was used.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ShownTool {
    /// Its name.
    pub name: String,
    /// What it was asked.
    pub input: String,
    /// What it answered.
    pub output: String,
    /// How it ended: `succeeded`, `failed` or `unknown`.
    pub outcome: String,
    /// The files it named.
    pub paths: Vec<String>,
}

impl Verb for Show {
    const NAME: &'static str = "session show";
    type Answer = ShowAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<ShowAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let trust = prepared.decision.trust;
        let meant = &self.session;
        let mut found = sessions::find(world, &prepared.root, trust, meant, Exactness::Beginning)?;
        let allowed = prepared.settings.list(&keys::ALLOWED_SECRETS);
        let guarded = (!self.secrets).then_some(Guarded { allowed });
        let history = self.history.then(|| history_of(&found, guarded));
        let history = history.transpose()?;
        if let Some(guarded) = guarded {
            sessions::mask_transcript(&mut found.opened.transcript, &guarded);
        }
        let turns = match history {
            Some(_) => Vec::new(),
            None => found
                .opened
                .transcript
                .turns
                .iter()
                .map(Into::into)
                .collect(),
        };
        Ok(ShowAnswer {
            schema_version: SCHEMA_VERSION,
            session: Session::of(&found, sessions::is_live(world, &found.stored)),
            turns,
            history,
            problems: found.opened.problems.iter().map(Problem::from).collect(),
            markdown: markdown(
                &found.opened.transcript,
                &found.opened.title(),
                Detail::USUAL,
            ),
        })
    }
}

fn history_of(found: &sessions::Found, guarded: Option<Guarded<'_>>) -> Result<Value, Failure> {
    let Some(replayed) = &found.opened.replayed else {
        let agent = found.stored.agent.as_str();
        return Err(Failure::bad_input(format!(
            "a session of {agent} is no history for our models"
        ))
        .hint("`analects session import` makes one of it"));
    };
    let mut turns = history::history(replayed);
    if let Some(guarded) = guarded {
        turns = sessions::masked(&turns, &guarded);
    }
    history::name_calls(&mut turns);
    Ok(json!(turns))
}

impl From<&Turn> for ShownTurn {
    fn from(turn: &Turn) -> Self {
        Self {
            id: turn.id.clone(),
            at: turn.at.as_ref().map(Stamp::to_string),
            role: turn.role.as_str().to_owned(),
            text: turn.text.clone(),
            attached: turn.attached.iter().map(Into::into).collect(),
            tools: turn.tools.iter().map(Into::into).collect(),
        }
    }
}

impl From<&AttachedText> for ShownAttachment {
    fn from(attached: &AttachedText) -> Self {
        Self {
            author: attached.author.as_str().to_owned(),
            text: attached.text.clone(),
        }
    }
}

impl From<&ToolUse> for ShownTool {
    fn from(tool: &ToolUse) -> Self {
        let outcome = match tool.outcome {
            Outcome::Succeeded => "succeeded",
            Outcome::Failed => "failed",
            Outcome::Unknown => "unknown",
        };
        Self {
            name: tool.name.clone(),
            input: tool.input.clone(),
            output: tool.output.clone(),
            outcome: outcome.to_owned(),
            paths: tool.paths.clone(),
        }
    }
}
