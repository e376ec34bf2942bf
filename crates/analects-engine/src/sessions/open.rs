//! A record, read: whichever agent wrote it, the same comes out.

use std::borrow::Cow;

use analects_session::foreign::name::{Form, Named};
use analects_session::foreign::{Base, Limits, claude, codex as rollout, name};
use analects_session::replay::{Replayed, replay};
use analects_session::transcript::{Head, Kind, Transcript};
use analects_session::{from_gemini, headline};
use analects_text::problem::Problem;
use analects_text::redact;
use analects_world::files::{Blob, Trouble, Want, Within};
use analects_world::{AbsPath, Agent};

use super::{Stored, codex};
use crate::{World, codes};

/// A record is read this far: longer than any that was seen, and no more than a machine has room for.
const LIMIT_BYTES: usize = 512 * 1024 * 1024;

/// How much of a record tells where it was made.
const PEEK_BYTES: usize = 64 * 1024;

/// A record that was read.
#[derive(Debug)]
pub struct Opened {
    /// What was said and done.
    pub transcript: Transcript,
    /// The numbers of turns on ways that were left.
    left: Vec<usize>,
    /// What it goes on from, if that is not in the record itself.
    pub(super) continues: Option<Base>,
    /// The record itself, where it is in Gemini CLI's format.
    pub replayed: Option<Replayed>,
    /// What could not be read of it.
    pub problems: Vec<Problem>,
}

impl Opened {
    /// What counts for whoever goes on: without the ways that were left.
    #[must_use]
    pub fn standing(&self) -> Cow<'_, Transcript> {
        if self.left.is_empty() {
            return Cow::Borrowed(&self.transcript);
        }
        let mut transcript = self.transcript.clone();
        let mut number = 0..;
        transcript
            .turns
            .retain(|_| number.next().is_none_or(|n| !self.left.contains(&n)));
        Cow::Owned(transcript)
    }

    /// What it is called: by somebody, or else by what was asked first.
    #[must_use]
    pub fn title(&self) -> String {
        let given = self.transcript.head.title.clone();
        let prompts = || self.transcript.prompts().map(|turn| turn.text.as_str());
        let told = || headline::headline(prompts());
        // A greeting tells nothing, but more than nothing.
        let said = || prompts().find_map(headline::clean);
        let title = given.or_else(told).or_else(said);
        let title = title.unwrap_or_else(|| "(no prompt)".to_owned());
        // Titles go everywhere: into lists, indexes and other agents.
        redact::mask(&title, &redact::scan(&title))
    }
}

/// Reads a record.
pub fn open(world: &World<'_>, stored: &Stored) -> Result<Opened, Trouble> {
    let blob = blob(world, &stored.path)?;
    Ok(open_blob(world, stored, Cow::Owned(blob)))
}

/// A record as it lies on the disk.
pub(super) fn blob(world: &World<'_>, path: &AbsPath) -> Result<Blob, Trouble> {
    world.files.read_one(Want {
        path,
        within: Within::Anywhere,
        limit_bytes: LIMIT_BYTES,
    })
}

/// Reads a record that was fetched.
pub(super) fn open_blob(world: &World<'_>, stored: &Stored, blob: Cow<'_, Blob>) -> Opened {
    let is_cut = blob.is_cut();
    let mut opened = match blob {
        Cow::Borrowed(blob) => read(stored, Cow::Borrowed(&blob.bytes)),
        Cow::Owned(blob) => read(stored, blob.bytes.into()),
    };
    if let Some(base) = opened.continues.take() {
        let mut turns = codex::before(world, stored, &base);
        turns.append(&mut opened.transcript.turns);
        opened.transcript.turns = turns;
    }
    if is_cut {
        let message = format!("only the first {LIMIT_BYTES} bytes were read");
        opened
            .problems
            .push(Problem::new(&codes::RECORD_CUT, message));
    }
    for problem in &mut opened.problems {
        problem.path.get_or_insert_with(|| stored.path.to_string());
    }
    let head = &mut opened.transcript.head;
    if let Some(project) = &stored.project {
        head.cwd.get_or_insert_with(|| project.to_string());
    }
    if stored.is_subagent && head.kind == Kind::Main {
        head.kind = Kind::Subagent { parent: None };
    }
    if head.id.is_empty() {
        head.id = stem(&stored.path).to_owned();
    }
    opened
}

/// What the first lines of a record say about the whole; enough to tell where it was made.
#[must_use]
pub fn peek(world: &World<'_>, stored: &Stored) -> Option<Head> {
    let is_packed = |named: &Named| named.form == Form::Zstd;
    if stored.named.as_ref().is_some_and(is_packed) {
        return Some(open(world, stored).ok()?.transcript.head);
    }
    let start = world.files.piece(&stored.path, 0, PEEK_BYTES).ok()?;
    let is_whole = start.len() < PEEK_BYTES;
    let head = read(stored, start.into()).transcript.head;
    // A first line can be longer than that.
    match head.cwd.is_some() || is_whole {
        true => Some(head),
        false => Some(open(world, stored).ok()?.transcript.head),
    }
}

/// What was said at the beginning of a record, and the whole of it if nothing was said there.
pub(super) fn beginning(world: &World<'_>, stored: &Stored) -> Option<Transcript> {
    let start = world.files.piece(&stored.path, 0, PEEK_BYTES).ok()?;
    let is_whole = start.len() < PEEK_BYTES;
    let mut transcript = read(stored, start.into()).transcript;
    if !is_whole && transcript.turns.is_empty() {
        transcript = open(world, stored).ok()?.transcript;
    }
    if transcript.head.id.is_empty() {
        stem(&stored.path).clone_into(&mut transcript.head.id);
    }
    Some(transcript)
}

/// Reads bytes as the agent that wrote them would.
pub(super) fn read(stored: &Stored, bytes: Cow<'_, [u8]>) -> Opened {
    let foreign = |(record, problems): (analects_session::foreign::Record, Vec<Problem>)| Opened {
        transcript: record.transcript,
        left: record.left,
        continues: record.continues.filter(|base| base.end.is_some()),
        replayed: None,
        problems,
    };
    let named = || {
        stored
            .named
            .clone()
            .unwrap_or_else(|| unnamed(stored.agent, &stored.path))
    };
    match stored.agent {
        Agent::Gemini => {
            let replayed = replay(bytes.into_owned());
            let (transcript, unread) = from_gemini::read(&replayed);
            let mut problems = replayed.problems().to_vec();
            problems.extend(unread);
            Opened {
                transcript,
                left: Vec::new(),
                continues: None,
                problems,
                replayed: Some(replayed),
            }
        }
        Agent::Claude => foreign(claude::read(&bytes, &named(), Limits::USUAL)),
        Agent::Codex => {
            let named = named();
            if named.form == Form::Plain {
                return foreign(rollout::read(&bytes, &named, Limits::USUAL));
            }
            let (bytes, cut) = rollout::unpack(&bytes, LIMIT_BYTES);
            let mut opened = foreign(rollout::read(&bytes, &named, Limits::USUAL));
            opened.problems.extend(cut);
            opened
        }
    }
}

/// What a file is taken for that lies somewhere else than its agent puts it.
fn unnamed(agent: Agent, path: &AbsPath) -> Named {
    let file = path.file_name();
    let named = match agent {
        Agent::Gemini => None,
        Agent::Claude => name::claude(file),
        Agent::Codex => name::codex(&format!("archived_sessions/{file}")),
    };
    named.unwrap_or_else(|| Named {
        id: stem(path).to_owned(),
        kind: Kind::Main,
        form: match path.as_str().ends_with(".zst") {
            true => name::Form::Zstd,
            false => name::Form::Plain,
        },
    })
}

fn stem(path: &AbsPath) -> &str {
    let name = path.file_name();
    name.split_once('.').map_or(name, |(stem, _)| stem)
}
