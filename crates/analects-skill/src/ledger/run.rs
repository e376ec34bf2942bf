//! One run, as the file has it.

use analects_session::stamp::Stamp;
use serde_json::{Map, Value, json};

use crate::eligible::Eligible;

/// Who learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learner {
    /// The one without a model.
    Local,
    /// A model, ours or Gemini CLI's.
    Model,
}

/// A session as it was at some time: one that went on is another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version {
    /// When something was last said.
    pub updated: Stamp,
    /// The session.
    pub id: String,
}

impl Version {
    /// A session as it is now.
    #[must_use]
    pub fn of(session: &Eligible) -> Self {
        Self::new(&session.id, session.updated)
    }

    /// A session as it was then; one that does not say when is as old as can be.
    #[must_use]
    pub fn new(id: &str, updated: Option<Stamp>) -> Self {
        let epoch = || Stamp::from_ms(0).expect("invariant: time begins in 1970");
        Self {
            id: id.to_owned(),
            updated: updated.unwrap_or_else(epoch),
        }
    }

    fn read(value: &Value) -> Option<Self> {
        let id = value.get("sessionId")?.as_str()?;
        let updated = value.get("lastUpdated")?.as_str()?;
        Some(Self::new(id, Stamp::parse(updated)))
    }

    pub(super) fn write(&self) -> Value {
        json!({ "sessionId": self.id, "lastUpdated": self.updated.to_string() })
    }
}

/// How a run came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Who learned.
    pub learner: Learner,
    /// The sessions it had before it.
    pub candidates: Vec<Version>,
    /// Those of them that were read.
    pub processed: Vec<Version>,
    /// The folders of new skills.
    pub skills: Vec<String>,
    /// Patches of memory that are new or changed, from the private memory folder on.
    pub memory_patches: Vec<String>,
    /// How many turns a model took.
    pub n_turns: usize,
    /// How long it took.
    pub ms: u64,
    /// How it ended, in Gemini CLI's words.
    pub reason: String,
}

/// One run: a date, and whatever the file says of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    pub(super) raw: Map<String, Value>,
}

/// Before the reason of a run that asked no model.
const LOCAL: &str = "LOCAL";
/// The reason of a run that did not come to its end.
const UNFINISHED: &str = "UNFINISHED";
/// Reasons why nothing came of a run.
const FAILURES: [&str; 4] = [
    UNFINISHED,
    "ERROR",
    "ABORTED",
    "ERROR_NO_COMPLETE_TASK_CALL",
];

impl Run {
    /// A run, by the rule of Gemini CLI: it has a date and says which skills it made.
    pub(super) fn read(value: Value) -> Option<Self> {
        let Value::Object(raw) = value else {
            return None;
        };
        let is_run = raw.get("runAt")?.is_string() && raw.contains_key("skillsCreated");
        is_run.then_some(Self { raw })
    }

    pub(super) fn begun(at: Stamp, learner: Learner, candidates: &[Version]) -> Self {
        Self::finished(
            at,
            &Finished {
                learner,
                candidates: candidates.to_vec(),
                processed: Vec::new(),
                skills: Vec::new(),
                memory_patches: Vec::new(),
                n_turns: 0,
                ms: 0,
                reason: UNFINISHED.to_owned(),
            },
        )
    }

    pub(super) fn finished(at: Stamp, finished: &Finished) -> Self {
        let reason = &finished.reason;
        let reason = match (finished.learner, reason.as_str()) {
            (Learner::Model, _) => reason.clone(),
            (Learner::Local, "") => LOCAL.to_owned(),
            (Learner::Local, reason) => format!("{LOCAL}_{reason}"),
        };
        let mut run = Self { raw: Map::new() };
        run.put("runAt", at.to_string().into());
        run.put_processed(&finished.processed);
        run.put_candidates(&finished.candidates);
        run.put("memoryCandidatesCreated", list(&finished.memory_patches));
        run.put("memoryFilesUpdated", json!([]));
        run.put("skillsCreated", list(&finished.skills));
        run.put("turnCount", finished.n_turns.into());
        run.put("durationMs", finished.ms.into());
        run.put("terminateReason", reason.into());
        run
    }

    pub(super) fn put(&mut self, field: &str, value: Value) {
        self.raw.insert(field.to_owned(), value);
    }

    pub(super) fn put_processed(&mut self, versions: &[Version]) {
        let ids: Vec<_> = versions.iter().map(|version| version.id.clone()).collect();
        self.put("sessionIds", list(&ids));
        let versions = versions.iter().map(Version::write).collect();
        self.put("processedSessions", versions);
    }

    pub(super) fn put_candidates(&mut self, versions: &[Version]) {
        let versions = versions.iter().map(Version::write).collect();
        self.put("candidateSessions", versions);
    }

    /// When it began; `None` if it says so in a way that nobody understands.
    pub(super) fn at(&self) -> Option<Stamp> {
        self.raw.get("runAt")?.as_str().and_then(Stamp::parse)
    }

    pub(super) fn texts(&self, field: &str) -> impl Iterator<Item = &str> {
        let items = self.raw.get(field).and_then(Value::as_array);
        items.into_iter().flatten().filter_map(Value::as_str)
    }

    pub(super) fn number(&self, field: &str) -> u64 {
        self.raw.get(field).and_then(Value::as_u64).unwrap_or(0)
    }

    pub(super) fn candidates(&self) -> impl Iterator<Item = Version> {
        let items = self.raw.get("candidateSessions").and_then(Value::as_array);
        items.into_iter().flatten().filter_map(Version::read)
    }

    /// The sessions that were read, as they were; `None` if the run is of an age that did not say.
    pub(super) fn processed(&self) -> Option<impl Iterator<Item = Version>> {
        let items = self.raw.get("processedSessions")?.as_array()?;
        Some(items.iter().filter_map(Version::read))
    }

    /// Whether it names every session that it read as it was. Gemini CLI leaves an empty list out when it writes a run
    /// of ours again.
    pub(super) fn names_versions(&self) -> bool {
        self.processed().is_some() || self.texts("sessionIds").next().is_none()
    }

    pub(super) fn learner(&self) -> Learner {
        match self.reason().starts_with(LOCAL) {
            true => Learner::Local,
            false => Learner::Model,
        }
    }

    pub(super) fn has_failed(&self) -> bool {
        FAILURES.contains(&self.outcome())
    }

    pub(super) fn is_unfinished(&self) -> bool {
        self.outcome() == UNFINISHED
    }

    fn outcome(&self) -> &str {
        let reason = self.reason();
        let local = reason.strip_prefix(LOCAL);
        local.map_or(reason, |reason| reason.trim_start_matches('_'))
    }

    fn reason(&self) -> &str {
        let reason = self.raw.get("terminateReason").and_then(Value::as_str);
        reason.unwrap_or_default()
    }
}

pub(super) fn list(texts: &[String]) -> Value {
    texts
        .iter()
        .map(|text| Value::from(text.as_str()))
        .collect()
}
