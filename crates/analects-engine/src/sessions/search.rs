//! Searches all sessions of all agents, and memory.

use std::collections::HashMap;

use analects_session::search::{Hit, Options, Query, Snippet, document, find, snippet_of};
use analects_session::stamp::Stamp;
use analects_session::transcript::{Role, Transcript, Turn};
use analects_text::problem::Problem;
use analects_world::index::{Filter, IndexError};
use analects_world::{AbsPath, Agent, SessionScope};

use super::masked::{mask_transcript, mask_turn};
use super::{Refreshed, Stored, none_visible, open, refresh};
use crate::World;
use crate::secrets::Guarded;
use crate::verbs::Failure;

/// What is searched for.
#[derive(Debug, Clone)]
pub struct Wanted<'a> {
    /// The words.
    pub query: &'a str,
    /// Of sessions in this directory or below it.
    pub project: Option<&'a AbsPath>,
    /// Of this agent.
    pub agent: Option<Agent>,
    /// Said by this one.
    pub role: Option<Role>,
    /// Not before.
    pub since: Option<Stamp>,
    /// Before.
    pub until: Option<Stamp>,
    /// Which used this tool.
    pub tool: Option<&'a str>,
    /// Which named this file, or one below it.
    pub path: Option<&'a str>,
    /// At most this many.
    pub limit: usize,
    /// Which findings of the secret scanner are shown.
    pub guarded: Guarded<'a>,
}

/// What was found.
#[derive(Debug)]
pub struct Searched {
    /// The hits, the best first.
    pub hits: Vec<Shown>,
    /// How the index stands.
    pub refreshed: Refreshed,
}

/// A hit with what is shown of it.
#[derive(Debug)]
pub struct Shown {
    /// The turn.
    pub hit: Hit,
    /// The part of it that answers.
    pub snippet: Snippet,
}

/// Not more hits than this of one session, so that one long talk does not hide the others.
const LIMIT_PER_SESSION: usize = 3;

/// A turn is read this far for its snippet.
const TURN_BYTES: usize = 4 * 1024 * 1024;

/// Searches the sessions of all agents.
pub fn search(world: &World<'_>, wanted: &Wanted<'_>) -> Result<Searched, Failure> {
    let query = Query::parse(wanted.query);
    if query.is_empty() && wanted.query.chars().any(char::is_alphanumeric) {
        return Err(Failure::bad_input(
            "these words stand in every session, and cannot be searched for",
        )
        .hint("add a word that was said with them"));
    }
    if query.is_empty() {
        return Err(Failure::bad_input("what should be searched for?")
            .hint("name words that were said, as in `session search \"port of the database\"`"));
    }
    none_visible(world)?;
    let Some(project) = project_filter(&world.around.sessions, wanted.project) else {
        return Ok(Searched {
            hits: Vec::new(),
            refreshed: Refreshed::default(),
        });
    };
    let mut refreshed = refresh(world);
    let options = Options {
        filter: Filter {
            project: project.map(ToString::to_string),
            agent: wanted.agent.map(|agent| agent.as_str().to_owned()),
            session: None,
            role: wanted.role.map(document::role_number),
            since_ms: wanted.since.map(Stamp::as_ms),
            until_ms: wanted.until.map(Stamp::as_ms),
            tool: wanted.tool.map(ToOwned::to_owned),
            path: wanted.path.map(ToOwned::to_owned),
        },
        limit: wanted.limit,
        limit_per_session: LIMIT_PER_SESSION,
        now: Stamp::from_ms(world.clock.now_ms()),
    };
    let mut found = find(world.index, &query, &options);
    if found == Err(IndexError::Lost) {
        // It was thrown away, and is filled once more.
        refreshed = refresh(world);
        found = find(world.index, &query, &options);
    }
    let hits = found.map_err(|error| Failure::failed(format!("cannot search: {error}")))?;
    let mut sources = Sources {
        world,
        guarded: wanted.guarded,
        whole: HashMap::new(),
    };
    let hits = hits
        .into_iter()
        .map(|hit| Shown {
            snippet: sources.snippet(&hit, &query),
            hit,
        })
        .collect();
    Ok(Searched { hits, refreshed })
}

impl Searched {
    /// What stood in the way.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.refreshed.problems
    }
}

/// The records behind hits, each read at most once.
struct Sources<'a> {
    world: &'a World<'a>,
    guarded: Guarded<'a>,
    whole: HashMap<AbsPath, Option<Transcript>>,
}

impl Sources<'_> {
    fn snippet(&mut self, hit: &Hit, query: &Query) -> Snippet {
        let stored = stored_at(hit);
        let line = self.line(&stored, hit);
        let shown = line.map(|turn| snippet_of(&turn, query));
        match shown {
            Some(shown) if !shown.marks.is_empty() => shown,
            // What a tool answered may stand on another line than the turn.
            shown => {
                let whole = self.whole(&stored, hit).map(|turn| snippet_of(turn, query));
                whole.or(shown).unwrap_or_default()
            }
        }
    }

    /// The turn, as its own line alone tells it.
    fn line(&self, stored: &Stored, hit: &Hit) -> Option<Turn> {
        let span = &hit.document.span;
        let n_bytes = usize::try_from(span.end.checked_sub(span.start)?).ok()?;
        let is_packed = stored.path.as_str().ends_with(".zst");
        if is_packed || n_bytes > TURN_BYTES {
            return None;
        }
        let files = self.world.files;
        let bytes = files.piece(&stored.path, span.start, n_bytes).ok()?;
        let read = super::open::read(stored, bytes.into()).transcript;
        let turns = read.turns.into_iter();
        let mut named = turns.filter(|turn| turn.id == hit.document.name);
        // A user and a hook may speak in one message: then its name does not tell whose words were found.
        let only = named.next();
        let mut turn = only.filter(|_| named.next().is_none())?;
        mask_turn(&mut turn, &self.guarded);
        Some(turn)
    }

    fn whole(&mut self, stored: &Stored, hit: &Hit) -> Option<&Turn> {
        let (world, guarded) = (self.world, self.guarded);
        let transcript = self.whole.entry(stored.path.clone()).or_insert_with(|| {
            let mut transcript = open(world, stored).ok()?.transcript;
            mask_transcript(&mut transcript, &guarded);
            Some(transcript)
        });
        transcript.as_ref()?.turns.get(hit.turn)
    }
}

/// The directory whose sessions are searched, all if it is `None`; nothing if what is wanted is out of scope.
fn project_filter<'a>(
    scope: &'a SessionScope,
    wanted: Option<&'a AbsPath>,
) -> Option<Option<&'a AbsPath>> {
    match (scope, wanted) {
        (SessionScope::All, wanted) => Some(wanted),
        (SessionScope::Project(root), None) => Some(Some(root)),
        (SessionScope::Project(root), Some(wanted)) if wanted.is_within(root) => Some(Some(wanted)),
        (SessionScope::Project(root), Some(wanted)) if root.is_within(wanted) => Some(Some(root)),
        _ => None,
    }
}

/// The record of a hit.
fn stored_at(hit: &Hit) -> Stored {
    let document = &hit.document;
    let agent = Agent::named(&document.session.agent);
    Stored::anywhere(agent.unwrap_or(Agent::Gemini), document.path.clone())
}
