//! Codex' records, called rollouts: what went to the model and came from it, and events beside it.
//!
//! A prompt stands there twice, as an item for the model and as an event for the screen, in either order. Items
//! also hold what the program puts in; where a file has events, they tell what a person said. Files from before
//! September 2025 have bare items only.

mod event;
mod item;
mod output;
mod prompt;
mod titles;
mod unpack;

pub use titles::titles;
pub use unpack::unpack;

use analects_text::problem::Problem;
use analects_world::Agent;
use serde::Deserialize;

use crate::stamp::Stamp;
use crate::transcript::{Head, Kind, Role, Transcript};

use super::json::Raw;
use super::lines::{self, Place, Problems};
use super::name::Named;
use super::story::{Said, Story, when};
use super::{Base, Limits, MAX_PATH_BYTES, Record, codes};

/// Reads a record, as it is or [unpacked](unpack).
///
/// Turns that were taken back are not there. The title is in another file: see [`titles`].
#[must_use]
pub fn read(bytes: &[u8], named: &Named, limits: Limits) -> (Record, Vec<Problem>) {
    let mut reading = Reading::new(limits);
    let mut problems = Problems::default();
    lines::read(bytes, &mut problems, |object, place| {
        let line = serde_json::from_str(object);
        line.map(|line| reading.line(object, &line, place)).is_ok()
    });
    let record = reading.finish(named, &mut problems);
    (record, problems.finish())
}

/// A line. The oldest ones are the payload itself.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow)]
    r#type: Raw<'a>,
    #[serde(borrow)]
    timestamp: Raw<'a>,
    #[serde(borrow)]
    ordinal: Raw<'a>,
    #[serde(borrow)]
    payload: Raw<'a>,
    #[serde(borrow)]
    metadata: Raw<'a>,
    #[serde(borrow)]
    id: Raw<'a>,
}

/// What the agent notes about an item.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata<'a> {
    #[serde(borrow)]
    compaction_output: Raw<'a>,
}

/// The first line, and `turn_context`, which has a part of the same fields.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Meta<'a> {
    #[serde(borrow)]
    timestamp: Raw<'a>,
    #[serde(borrow)]
    cwd: Raw<'a>,
    #[serde(borrow)]
    git: Raw<'a>,
    #[serde(borrow)]
    source: Raw<'a>,
    #[serde(borrow)]
    thread_source: Raw<'a>,
    #[serde(borrow)]
    parent_thread_id: Raw<'a>,
    #[serde(borrow)]
    forked_from_id: Raw<'a>,
    #[serde(borrow)]
    history_base: Raw<'a>,
    #[serde(borrow)]
    subagent_history_start_ordinal: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Git<'a> {
    #[serde(borrow)]
    branch: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Source<'a> {
    #[serde(borrow)]
    subagent: Raw<'a>,
    #[serde(borrow)]
    thread_spawn: Raw<'a>,
    #[serde(borrow)]
    parent_thread_id: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct HistoryBase<'a> {
    #[serde(borrow)]
    thread_id: Raw<'a>,
    #[serde(borrow)]
    end_byte_offset: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Compacted<'a> {
    #[serde(borrow)]
    message: Raw<'a>,
}

/// What was read so far.
struct Reading {
    limits: Limits,
    story: Story,
    /// How each turn of the user came to be known; other turns have none. As long as the turns.
    known: Vec<Option<prompt::Known>>,
    n_prompts: usize,
    has_events: bool,
    has_meta: bool,
    is_subagent: bool,
    /// Where a sub-agent's own lines begin; what stands before was its parent's.
    own_from: Option<i64>,
    parent: Option<String>,
    continues: Option<Base>,
    cwd: Option<String>,
    branch: Option<String>,
    title: Option<String>,
}

impl Reading {
    fn new(limits: Limits) -> Self {
        Self {
            limits,
            story: Story::default(),
            known: Vec::new(),
            n_prompts: 0,
            has_events: false,
            has_meta: false,
            is_subagent: false,
            own_from: None,
            parent: None,
            continues: None,
            cwd: None,
            branch: None,
            title: None,
        }
    }

    fn line(&mut self, object: &str, line: &Line<'_>, place: &Place) {
        let is_parents = line.ordinal.number().zip(self.own_from);
        if is_parents.is_some_and(|(ordinal, own_from)| ordinal < own_from) {
            return;
        }
        let at = when(line.timestamp);
        self.story.happened(at);
        let scene = Scene { at, place };
        let is_bare = line.payload.source().is_none();
        match line.r#type.word().as_deref() {
            Some("session_meta") => self.meta(line.payload),
            Some("turn_context") => self.turn_context(line.payload),
            Some("response_item") => {
                let Metadata { compaction_output } = line.metadata.fields();
                // Its words are in the `compacted` line that follows.
                if !compaction_output.is_true() {
                    self.item(line.payload, &scene);
                }
            }
            Some("event_msg") => self.event(line.payload, &scene),
            Some("compacted") => self.compacted(line.payload, &scene),
            Some(_) if is_bare => self.item(Raw::of_object(object), &scene),
            None if is_bare && line.id.is_string() => self.meta(Raw::of_object(object)),
            _ => {}
        }
    }

    /// The first one is this file's own; a fork repeats its parent's.
    fn meta(&mut self, payload: Raw<'_>) {
        if std::mem::replace(&mut self.has_meta, true) {
            return;
        }
        let meta: Meta<'_> = payload.fields();
        self.story.happened(when(meta.timestamp));
        self.note_cwd(meta.cwd);
        let Git { branch } = meta.git.fields();
        self.branch = branch.word().map(Into::into);
        let source: Source<'_> = meta.source.fields();
        self.is_subagent = source.subagent.source().is_some() || meta.thread_source.is("subagent");
        let spawn: Source<'_> = source.subagent.fields::<Source<'_>>().thread_spawn.fields();
        let parent = meta
            .parent_thread_id
            .word()
            .or_else(|| spawn.parent_thread_id.word());
        self.parent = parent.map(Into::into);
        if self.is_subagent {
            self.own_from = meta.subagent_history_start_ordinal.number();
            return;
        }
        let base: HistoryBase<'_> = meta.history_base.fields();
        let end = base
            .end_byte_offset
            .number()
            .and_then(|end| u64::try_from(end).ok());
        let id = base.thread_id.word().map(|id| (id, end));
        let id = id.or_else(|| meta.forked_from_id.word().map(|id| (id, None)));
        self.continues = id.map(|(id, end)| Base { id: id.into(), end });
    }

    fn turn_context(&mut self, payload: Raw<'_>) {
        let meta: Meta<'_> = payload.fields();
        self.note_cwd(meta.cwd);
    }

    fn note_cwd(&mut self, cwd: Raw<'_>) {
        if self.cwd.is_none() {
            self.cwd = cwd.text(MAX_PATH_BYTES).filter(|cwd| !cwd.is_empty());
        }
    }

    fn compacted(&mut self, payload: Raw<'_>, scene: &Scene<'_>) {
        let Compacted { message } = payload.fields();
        let text = message.text(self.limits.text_bytes).unwrap_or_default();
        let text = match text.trim() {
            "" => "Conversation compacted".to_owned(),
            _ => text,
        };
        self.say(scene.said(None, Role::Program, text), None);
    }

    /// Adds a turn; answers its number.
    fn say(&mut self, said: Said<'_>, known: Option<prompt::Known>) -> usize {
        self.n_prompts += usize::from(known.is_some_and(prompt::Known::is_prompt));
        self.known.push(known);
        self.story.say(said)
    }

    fn finish(mut self, named: &Named, problems: &mut Problems) -> Record {
        self.settle_prompts();
        let told = self.story.finish();
        if told.n_stray > 0 {
            let message = format!("results of tools without a call: {}", told.n_stray);
            problems.add_whole(&codes::STRAY_RESULT, message);
        }
        let kind = if self.is_subagent {
            Kind::Subagent {
                parent: self.parent,
            }
        } else {
            Kind::Main
        };
        let head = Head {
            agent: Agent::Codex,
            id: named.id.clone(),
            title: self.title,
            cwd: self.cwd,
            branch: self.branch,
            started: told.started,
            updated: told.updated,
            kind,
        };
        let turns = told.turns;
        Record {
            transcript: Transcript { head, turns },
            continues: self.continues,
            left: Vec::new(),
        }
    }
}

/// Where and when a line stands.
struct Scene<'a> {
    at: Option<Stamp>,
    place: &'a Place,
}

impl<'a> Scene<'a> {
    fn said(&self, id: Option<&'a str>, role: Role, text: String) -> Said<'a> {
        Said {
            id,
            at: self.at,
            role,
            text,
            attached: Vec::new(),
            place: self.place,
        }
    }
}
