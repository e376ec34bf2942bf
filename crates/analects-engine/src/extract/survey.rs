//! Which sessions of this project are worth learning from, whichever agent held them.
//!
//! Records are opened one after the other, and only a few words of each are kept.

use analects_session::stamp::Stamp;
use analects_session::{headline, scratchpad};
use analects_skill::eligible::{self, Eligible, Mark, Rules, Unfit};
use analects_text::problem::Problem;
use analects_world::AbsPath;

use crate::load_memory::Prepared;
use crate::sessions::{self, Opened, Stored, Subagents, Which};
use crate::{World, codes};

/// A longer record is left alone: what it says would not fit into memory beside all else.
pub(super) const MAX_RECORD_BYTES: u64 = 100 * 1024 * 1024;

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// What makes a session worth a look.
    pub(super) rules: Rules,
    /// Records are at most this long.
    pub(super) max_record_bytes: u64,
    /// Nothing older, if somebody says so.
    pub(super) since: Option<Stamp>,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    /// The sessions, the newest first.
    pub sessions: Vec<Eligible>,
    /// How many records of this project there are.
    pub n_records: usize,
    /// How many of them an agent held.
    pub n_subagents: usize,
    /// How many may still go on.
    pub n_busy: usize,
    /// How many are too short.
    pub n_short: usize,
    /// How many are older than wanted.
    pub n_older: usize,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// Looks at every record of this project; `None` if somebody wants it to stop.
pub(super) fn survey(
    world: &World<'_>,
    prepared: &Prepared,
    limits: Limits,
    goes_on: &dyn Fn() -> bool,
) -> Option<Survey> {
    let which = Which {
        project: Some(&prepared.root),
        agent: None,
        subagents: Subagents::Left,
        trust: prepared.decision.trust,
    };
    let records = sessions::stored(world, which);
    let now_ms = world.clock.now_ms();
    let mut survey = Survey::default();
    for (n_done, record) in records.iter().enumerate() {
        world
            .progress
            .tell("looking at sessions", n_done, records.len());
        if !goes_on() {
            return None;
        }
        survey.look(world, prepared, limits, record, now_ms);
    }
    world
        .progress
        .tell("looking at sessions", records.len(), records.len());
    survey.sessions = eligible::once(survey.sessions);
    Some(survey)
}

impl Survey {
    /// How many of the sessions nobody learned from yet.
    #[must_use]
    pub fn n_new(&self) -> usize {
        let sessions = self.sessions.iter();
        sessions.filter(|session| session.mark.is_new()).count()
    }

    fn look(
        &mut self,
        world: &World<'_>,
        prepared: &Prepared,
        limits: Limits,
        record: &Stored,
        now_ms: u64,
    ) {
        if !sessions::may_be_in(world, record, Some(&prepared.root)) {
            return;
        }
        if record.measure.len > limits.max_record_bytes {
            self.n_records += 1;
            let message = format!(
                "it has more than {} bytes, and is not learned from",
                limits.max_record_bytes
            );
            self.problem(record, message);
            return;
        }
        let opened = match sessions::open(world, record) {
            Ok(opened) => opened,
            Err(trouble) => return self.problem(record, trouble.to_string()),
        };
        let head = &opened.transcript.head;
        if !sessions::is_in(record, head, &prepared.root) {
            return;
        }
        self.n_records += 1;
        let session = describe(record, &opened);
        match limits.rules.unfit(&head.kind, &session, now_ms) {
            Some(Unfit::Subagent) => self.n_subagents += 1,
            Some(Unfit::Busy) => self.n_busy += 1,
            Some(Unfit::Short) => self.n_short += 1,
            None if session.updated < limits.since => self.n_older += 1,
            None => self.sessions.push(session),
        }
    }

    fn problem(&mut self, record: &Stored, message: String) {
        let problem = Problem::new(&codes::RECORD_UNREADABLE, message);
        self.problems.push(problem.in_file(&record.path));
    }
}

/// What is kept of a session.
fn describe(record: &Stored, opened: &Opened) -> Eligible {
    let transcript = &opened.transcript;
    let (headline, workflow) = words(record, opened);
    Eligible {
        id: eligible::safe_id(&transcript.head.id),
        agent: record.agent,
        path: record.path.clone(),
        updated: updated(record, opened),
        n_prompts: eligible::n_prompts(transcript),
        headline,
        workflow,
        mark: Mark::New { n_attempts: 0 },
        n_bytes: record.measure.len,
    }
}

/// When something was last said; where the record does not tell, when it was written. If it has a header, that is believed:
/// by it Gemini CLI notes what it has learned from.
fn updated(record: &Stored, opened: &Opened) -> Option<Stamp> {
    let header = opened.replayed.as_ref();
    let header = header.and_then(|replayed| replayed.about().updated);
    let written = || Stamp::from_ms(record.measure.written_ms());
    header.or(opened.transcript.head.updated).or_else(written)
}

/// Headlines and workflows are kept so far.
const MAX_CHARS: usize = 1000;

/// What a session was about, and what was done: as its record says, else by rules.
fn words(record: &Stored, opened: &Opened) -> (Option<String>, Option<String>) {
    let cut = |text: String| text.chars().take(MAX_CHARS).collect::<String>();
    let about = opened.replayed.as_ref().map(|replayed| replayed.about());
    let pad = about.filter(|about| about.scratchpad_is_stale == Some(false));
    let pad = pad.and_then(|about| about.scratchpad.as_ref());
    let workflow = pad.and_then(|pad| pad.workflow_summary.as_deref());
    let workflow = workflow.map(scratchpad::sanitized);
    let given = opened.transcript.head.title.clone();
    if given.is_some() || workflow.is_some() {
        return (given.map(cut), workflow.map(cut));
    }
    let prompts = opened.transcript.prompts();
    let told = headline::headline(prompts.map(|turn| turn.text.as_str()));
    let root = record.project.clone().unwrap_or_else(AbsPath::root);
    let done = opened.replayed.as_ref();
    let done = done.and_then(|replayed| scratchpad::scratchpad(replayed, &root).workflow_summary);
    (told.map(cut), done.map(cut))
}
