//! `session search`.

use analects_session::foreign::resume;
use analects_session::retention;
use analects_session::stamp::Stamp;
use analects_session::transcript::Role;
use analects_world::{AbsPath, Agent};
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::AgentName;
use crate::World;
use crate::secrets::Guarded;
use crate::sessions::{self, Shown, Wanted};
use crate::settings::keys;
use crate::verbs::answer::Problem;
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::{find_entries, load_memory};

/// Find what was said and done before, in all sessions of all agents, and in memory.
#[derive(Debug, Clone, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Search {
    /// What was said; "words in quotes" must stand together; `-- … -word` must not be there.
    #[arg(required = true)]
    pub query: Vec<String>,
    /// Only sessions of this project.
    #[arg(long)]
    pub here: bool,
    /// Only sessions of this agent.
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<AgentName>,
    /// Only what was said by the user or by the model.
    #[arg(long, value_name = "ROLE")]
    pub role: Option<RoleName>,
    /// Not before this day, or not longer ago than this: `2026-03-01`, `7d`, `12h`.
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// Before this day, or longer ago than this.
    #[arg(long, value_name = "WHEN")]
    pub until: Option<String>,
    /// Only where this tool was used.
    #[arg(long, value_name = "NAME")]
    pub tool: Option<String>,
    /// Only where a tool was pointed at this file, or at one below this directory.
    #[arg(long, value_name = "PATH")]
    pub path: Option<String>,
    /// How many hits.
    #[arg(short = 'n', long, default_value_t = DEFAULT_LIMIT)]
    pub limit: usize,
}

const DEFAULT_LIMIT: usize = 10;

/// How many entries of memory are told beside the hits.
const MAX_MEMORIES: usize = 3;

impl Default for Search {
    fn default() -> Self {
        Self {
            query: Vec::new(),
            here: false,
            agent: None,
            role: None,
            since: None,
            until: None,
            tool: None,
            path: None,
            limit: DEFAULT_LIMIT,
        }
    }
}

/// Who said something, as a person names it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum RoleName {
    /// The person.
    User,
    /// The model.
    Model,
}

/// What was found.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct SearchAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// What time it is, in UTC.
    pub now: String,
    /// The hits, the best first.
    pub hits: Vec<Hit>,
    /// What memory says about it.
    pub memories: Vec<Remembered>,
    /// How many records there are.
    pub records: usize,
    /// What stood in the way.
    pub problems: Vec<Problem>,
}

/// A turn that was found.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// The session's id.
    pub session: String,
    /// The turn's id.
    pub message: String,
    /// When it was said, in UTC.
    pub timestamp: Option<String>,
    /// Who said it: `user`, `model` or `program`.
    pub role: String,
    /// How well it answers; comparable within one search.
    pub score: f64,
    /// The part of it that answers.
    pub snippet: String,
    /// Where in the snippet words of the query stand: start and end, in bytes.
    pub marks: Vec<[usize; 2]>,
    /// Whose session it is.
    pub agent: String,
    /// What the session is called.
    pub title: String,
    /// The directory it worked in.
    pub project: Option<String>,
    /// The record.
    pub path: String,
    /// The command that goes on with the session.
    pub resume: Option<String>,
}

/// An entry of memory that says it.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Remembered {
    /// Its id.
    pub id: String,
    /// The file it stands in.
    pub path: String,
    /// What it says.
    pub text: String,
}

impl Verb for Search {
    const NAME: &'static str = "session search";
    type Answer = SearchAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<SearchAnswer, Failure> {
        let query = self.query.join(" ");
        let now = world.clock.now_ms();
        let prepared = load_memory::prepare(world, flags)?;
        let allowed = prepared.settings.list(&keys::ALLOWED_SECRETS);
        let wanted = Wanted {
            query: &query,
            project: self.here.then_some(&prepared.root),
            agent: self.agent.map(Into::into),
            role: self.role.map(|role| match role {
                RoleName::User => Role::User,
                RoleName::Model => Role::Model,
            }),
            since: self
                .since
                .as_deref()
                .map(|text| when(text, now))
                .transpose()?,
            until: self
                .until
                .as_deref()
                .map(|text| when(text, now))
                .transpose()?,
            tool: self.tool.as_deref(),
            path: self.path.as_deref(),
            limit: self.limit,
            guarded: Guarded { allowed },
        };
        let searched = sessions::search(world, &wanted)?;
        let found = find_entries::search(world, &prepared, &query)?;
        let memories = found.entries.into_iter().take(MAX_MEMORIES);
        Ok(SearchAnswer {
            schema_version: SCHEMA_VERSION,
            now: crate::when::utc(now),
            problems: searched.problems().iter().map(Problem::from).collect(),
            records: searched.refreshed.n_records,
            hits: searched.hits.into_iter().map(hit).collect(),
            memories: memories
                .map(|noted| Remembered {
                    id: noted.id,
                    path: noted.path.to_string(),
                    text: noted.entry.text,
                })
                .collect(),
        })
    }
}

/// Whether a record lies where agents put what others did for them.
fn is_subagents(path: &AbsPath) -> bool {
    let above = path.parent().and_then(|dir| dir.parent());
    above.is_some_and(|above| above.file_name() == "chats") || path.as_str().contains("/subagents/")
}

fn hit(shown: Shown) -> Hit {
    let document = shown.hit.document;
    let session = document.session;
    let agent = Agent::named(&session.agent);
    let at = document.at_ms.or(session.updated_ms);
    Hit {
        message: document.name,
        timestamp: at.map(crate::when::utc),
        role: shown.hit.role.as_str().to_owned(),
        score: shown.hit.score,
        snippet: shown.snippet.text,
        marks: shown
            .snippet
            .marks
            .iter()
            .map(|mark| [mark.start, mark.end])
            .collect(),
        title: session.title.unwrap_or_default(),
        project: session.project,
        path: document.path.to_string(),
        // No agent takes up what another one did for it.
        resume: agent
            .filter(|_| !is_subagents(&document.path))
            .and_then(|agent| resume::resume(agent, &session.id)),
        agent: session.agent,
        session: session.id,
    }
}

/// A day, a time, or how long ago.
pub(in crate::verbs) fn when(text: &str, now_ms: u64) -> Result<Stamp, Failure> {
    let ago = retention::duration(text).and_then(|ago| u64::try_from(ago.as_millis()).ok());
    let ago = ago.map(|ago| now_ms.saturating_sub(ago));
    let day = || Stamp::parse(&format!("{text}T00:00:00Z"));
    ago.and_then(Stamp::from_ms)
        .or_else(|| Stamp::parse(text))
        .or_else(day)
        .ok_or_else(|| {
            Failure::bad_input(format!("`{text}` is no time"))
                .hint("name a day as `2026-03-01`, or how long ago as `12h`, `7d`, `2w`, `1m`")
        })
}
