//! Compresses a recorded conversation, and undoes it.
//!
//! A record of our format is compressed where it lies: what was said stays in the file, and a checkpoint behind
//! it says what counts from now on. Another agent's record is never touched: a copy of it is compressed, the
//! same one each time. A model is asked only if somebody names one.

pub(crate) mod prose;

use std::fmt::Display;

use analects_chat::audit::{Audit, audit};
use analects_chat::compress::{self as chat, Answer, Ask, Fault, Outcome, Status, Trigger};
use analects_chat::limits::Limits;
use analects_chat::weigh;
use analects_session::history::{history, name_calls};
use analects_session::record::{
    CannotUndo, Compressed as Noted, Lines, Recorder, in_lines, messages,
};
use analects_session::replay::{Replayed, replay};
use analects_session::transcript::Kind;
use analects_text::problem::Problem;
use analects_world::model::Content;
use analects_world::{AbsPath, Agent, Cancel};

use super::import::{id_for, import_found};
use super::masked::masked;
use super::recording::further;
use super::{Exactness, Found, find, is_live, now};
use crate::events::{self, Event, Session, Weights, What};
use crate::load_memory::Prepared;
use crate::models::choose::choose;
use crate::pins::{self, Of};
use crate::secrets::Guarded;
use crate::settings::keys;
use crate::verbs::{Failure, Flags};
use crate::{World, codes, inbox, skills};
use prose::{Terms, prose};

/// What is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// The session, as a person calls it.
    pub session: &'a str,
    /// What is to be kept in most detail.
    pub focus: Option<&'a str>,
    /// The model that is to write the snapshot; none is asked otherwise.
    pub model: Option<&'a str>,
    /// How much of everything there may be.
    pub limits: &'a Limits,
    /// What else must be there word for word.
    pub pins: &'a [String],
    /// Somebody wants it to stop: then everything stays as it is.
    pub cancel: &'a Cancel,
}

/// A conversation that was made short, or would be.
#[derive(Debug)]
pub struct Compressed {
    /// The id of the session that is short now: that of the copy, for another agent's.
    pub id: String,
    /// The record it stands in.
    pub path: AbsPath,
    /// Whose session was meant.
    pub agent: Agent,
    /// What came of it.
    pub status: Status,
    /// What it weighed, and weighs, in tokens.
    pub tokens: (usize, usize),
    /// What stands for the past.
    pub snapshot: Option<String>,
    /// The model that wrote it, if one did and was believed.
    pub written_by: Option<String>,
    /// The turns that stand as they did, and those that were put back word for word.
    pub kept: Vec<Content>,
    /// What became of its facts.
    pub audit: Audit,
    /// The user's constraints, in sentences.
    pub constraints: Vec<String>,
    /// Those that no memory has, and that now wait in the inbox.
    pub proposed: Vec<String>,
    /// Whether it was written.
    pub is_written: bool,
    /// What a person should know.
    pub problems: Vec<Problem>,
}

/// A conversation that is long again, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    /// Its id.
    pub id: String,
    /// Its record.
    pub path: AbsPath,
    /// Whose session was meant.
    pub agent: Agent,
    /// What it weighed, and weighs, in tokens.
    pub tokens: (usize, usize),
    /// Whether it was written.
    pub is_written: bool,
    /// What a person should know.
    pub problems: Vec<Problem>,
}

/// Makes a conversation short.
pub fn compress(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    wish: Wish<'_>,
) -> Result<Compressed, Failure> {
    let began_ms = world.clock.now_ms();
    let Own {
        found,
        agent,
        meant,
        mut problems,
    } = own(world, flags, prepared, wish.session)?;
    let replayed = replayed(&found)?;
    let standing = in_lines(replayed);
    let mut turns = history(&standing);
    name_calls(&mut turns);
    let mut pins = pins_of(world, agent, &[&found.opened.transcript.head.id, &meant])?;
    pins.extend_from_slice(wish.pins);
    let active = skills::active_in(&turns);
    pins.extend(skills::pin(active.iter().map(String::as_str)));
    let ask = Ask {
        limits: wish.limits,
        trigger: Trigger::Manual,
        pins: &pins,
        focus: wish.focus,
        plan_file: None,
    };
    let id = snapshot_id(&turns, began_ms);
    // What is written anew holds no secret; what stays of the record stays as it is.
    let allowed = prepared.settings.list(&keys::ALLOWED_SECRETS);
    let shown = masked(&turns, &Guarded { allowed });
    let mut written_by = None;
    let outcome = match chat::plan(&shown, &ask) {
        Some(plan) => {
            let past = turns.get(..plan.cut()).unwrap_or(&turns);
            let session = Session::of(found.stored.agent, &found.opened.transcript.head.id);
            let settings = &prepared.settings;
            let chosen = wish.model.map(|model| choose(world, settings, Some(model)));
            let chosen = chosen.transpose()?;
            let prose = chosen.as_ref().map(|chosen| {
                problems.extend(chosen.problems.iter().cloned());
                let terms = Terms {
                    session: &session,
                    patience_ms: None,
                    cancel: wish.cancel,
                };
                prose(world, settings, chosen, past, plan.question(), &terms)
            });
            let answer = match &prose {
                None => Answer::NotAsked,
                Some(prose) => prose.text.as_deref().map_or(Answer::Failed, Answer::Said),
            };
            let outcome = chat::apply(turns, plan, &id, answer);
            if let Some(prose) = prose {
                problems.extend(prose.problems);
                problems.extend(outcome.fault.and_then(unfit));
                written_by = Some(prose.model).filter(|_| outcome.fault.is_none());
            }
            outcome
        }
        None => {
            let tokens = weigh::history(&turns, wish.limits.profile);
            Outcome::unchanged(Status::Noop, turns, tokens)
        }
    };
    if wish.cancel.is_cancelled() {
        return Err(Failure::failed("cancelled: the session stays as it was"));
    }
    let is_written = outcome.status == Status::Compressed && !flags.dry_run;
    if is_written {
        problems.extend(live(world, &found));
        let at = now(world)?;
        let (mut recorder, mut lines) = Recorder::resume(replayed);
        let entries = messages(&outcome.history, &standing, at);
        let noted = Noted {
            snapshot: &id,
            before: outcome.before_tokens as u64,
            after: outcome.after_tokens as u64,
            at,
        };
        lines.extend([recorder.compress(&standing, &entries, noted)]);
        write(world, &found, replayed, &lines)?;
    }
    let mut proposed = Vec::new();
    // A sub-agent's prompts were written by a model.
    let is_persons = found.opened.transcript.head.kind == Kind::Main;
    let is_ours = is_written && is_persons && is_of(&found, prepared);
    if is_ours && !outcome.constraints.is_empty() {
        match inbox::propose(
            world,
            flags,
            prepared,
            &outcome.constraints,
            "session compress",
        ) {
            Ok(inbox) => proposed = inbox.facts,
            Err(failure) => {
                let problem = Problem::new(&codes::NOT_PROPOSED, failure.to_string());
                problems.push(problem);
            }
        }
    }
    if !flags.dry_run {
        problems.extend(count(world, prepared, &found, &outcome, began_ms));
    }
    Ok(Compressed {
        id: found.opened.transcript.head.id.clone(),
        path: found.stored.path.clone(),
        agent,
        status: outcome.status,
        tokens: (outcome.before_tokens, outcome.after_tokens),
        audit: audit(&shown, &outcome.history),
        kept: kept(outcome.history, &id),
        snapshot: outcome.snapshot,
        written_by,
        constraints: outcome.constraints,
        proposed,
        is_written,
        problems,
    })
}

/// What a person is told about a snapshot of a model that is of no use.
fn unfit(fault: Fault) -> Option<Problem> {
    let why = match fault {
        // That was told already.
        Fault::Unanswered => return None,
        Fault::Empty => "wrote nothing",
        Fault::NoSnapshot => "wrote no snapshot",
        Fault::Incomplete => "left sections of the snapshot out",
        Fault::TooLong => "wrote far too much",
        Fault::Forgetful => "forgot most of what was said",
    };
    let message = format!("the model {why}; the digest stands alone");
    Some(Problem::new(&codes::NO_PROSE, message))
}

/// Takes the last compression back.
pub fn undo(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    wanted: &str,
    limits: &Limits,
) -> Result<Undone, Failure> {
    let trust = prepared.decision.trust;
    let meant = find(world, &prepared.root, trust, wanted, Exactness::Beginning)?;
    let agent = meant.stored.agent;
    let found = match agent {
        Agent::Gemini => meant,
        // Without a copy nothing was compressed.
        Agent::Claude | Agent::Codex => {
            let copy = id_for(&meant);
            find(world, &prepared.root, trust, &copy, Exactness::Full)
                .map_err(|_| cannot(&meant, CannotUndo::Nothing))?
        }
    };
    let record = replayed(&found)?;
    let weigh = |record: &Replayed| weigh::history(&history(record), limits.profile);
    let (mut recorder, mut lines) = Recorder::resume(record);
    let undone = recorder.undo(record, now(world)?);
    lines.extend([undone.map_err(|why| cannot(&found, why))?]);
    let after = replay(format!("{}\n{}", record.text(), lines.as_str()).into_bytes());
    let tokens = (weigh(record), weigh(&after));
    let is_written = !flags.dry_run;
    let mut problems = Vec::new();
    if is_written {
        write(world, &found, record, &lines)?;
        let tokens = Weights {
            before: tokens.0 as u64,
            after: tokens.1 as u64,
        };
        problems.extend(note(world, prepared, &found, What::Uncompressed { tokens }));
    }
    Ok(Undone {
        id: found.opened.transcript.head.id.clone(),
        path: found.stored.path.clone(),
        agent,
        tokens,
        is_written,
        problems,
    })
}

/// A record in our own format, and what it was made from.
pub(super) struct Own {
    pub(super) found: Found,
    /// Whose session was meant, and its id there.
    agent: Agent,
    meant: String,
    /// What a person should know.
    pub(super) problems: Vec<Problem>,
}

/// The record that is meant, or the copy of it.
pub(super) fn own(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    wanted: &str,
) -> Result<Own, Failure> {
    let trust = prepared.decision.trust;
    let mut found = find(world, &prepared.root, trust, wanted, Exactness::Beginning)?;
    let agent = found.stored.agent;
    let meant = found.opened.transcript.head.id.clone();
    let mut problems = Vec::new();
    if agent != Agent::Gemini {
        let (mut copy, lines) = import_found(world, flags, prepared, &found)?;
        problems.append(&mut copy.problems);
        match lines {
            // In a dry run there is no file of it, or an old one.
            Some(lines) if !copy.is_written => {
                found.stored.path = copy.path;
                found.stored.agent = Agent::Gemini;
                found.opened.transcript.head.id = copy.id;
                found.opened.replayed = Some(replay(lines));
            }
            _ => found = find(world, &prepared.root, trust, &copy.id, Exactness::Full)?,
        }
    }
    Ok(Own {
        found,
        agent,
        meant,
        problems,
    })
}

/// Whether a session is one of this project, as far as anybody knows.
fn is_of(found: &Found, prepared: &Prepared) -> bool {
    let project = found.stored.project.as_ref();
    project.is_none_or(|project| *project == prepared.root)
}

pub(super) fn replayed(found: &Found) -> Result<&Replayed, Failure> {
    let replayed = found.opened.replayed.as_ref();
    replayed.ok_or_else(|| Failure::bad_input("this session has no record that can be compressed"))
}

/// What is pinned to a session of ours; and to the one it is a copy of, if it is one.
fn pins_of(
    world: &World<'_>,
    agent: Agent,
    [own, meant]: &[&str; 2],
) -> Result<Vec<String>, Failure> {
    let of = |agent, session| pins::read(world, Of { agent, session });
    let mut all = of(Agent::Gemini, own)?;
    if agent != Agent::Gemini {
        all.extend(of(agent, meant)?);
    }
    let mut texts: Vec<_> = all.into_iter().map(|pin| pin.text).collect();
    texts.dedup();
    Ok(texts)
}

/// A name that no turn has yet.
fn snapshot_id(turns: &[Content], now_ms: u64) -> String {
    let is_new = |id: &String| !turns.iter().any(|turn| turn.id == *id);
    let mut ids = (0..).map(|nth| match nth {
        0 => format!("compress-{now_ms}"),
        nth => format!("compress-{now_ms}-{nth}"),
    });
    ids.find(is_new).unwrap_or_default()
}

/// The turns behind the snapshot and its acknowledgement.
fn kept(mut history: Vec<Content>, snapshot_id: &str) -> Vec<Content> {
    let is_new = history.first().is_some_and(|first| first.id == snapshot_id);
    if is_new {
        history.split_off(2)
    } else {
        history
    }
}

/// Writes what was decided on, if the record is still the one it was decided on.
pub(super) fn write(
    world: &World<'_>,
    found: &Found,
    replayed: &Replayed,
    lines: &Lines,
) -> Result<(), Failure> {
    let stored = &found.stored;
    let failed =
        |error: &dyn Display| Failure::failed(format!("cannot write `{}`: {error}", stored.path));
    let (path, opening) =
        further(stored, replayed).ok_or_else(|| failed(&"there is no name for it"))?;
    let tape = world.tapes.open(&path, opening);
    let mut tape = tape.map_err(|error| failed(&error))?;
    // From here on nobody of ours writes there; who wrote before must be heard first.
    let measure = world
        .files
        .measure(std::slice::from_ref(&stored.path))
        .pop();
    let is_same = measure.is_some_and(|now| now.is_ok_and(|now| now.len == stored.measure.len));
    if !is_same {
        return Err(Failure::failed("the session went on meanwhile").hint("try again"));
    }
    let written = tape.append(lines.as_str().as_bytes());
    let written = written.and_then(|()| tape.settle());
    written.map_err(|error| failed(&error))
}

fn live(world: &World<'_>, found: &Found) -> Option<Problem> {
    is_live(world, &found.stored).then(|| {
        let message = "the session was going on a moment ago: an agent that has it open sees no change before it is resumed";
        Problem::new(&codes::SESSION_LIVE, message).in_file(&found.stored.path)
    })
}

fn count(
    world: &World<'_>,
    prepared: &Prepared,
    found: &Found,
    outcome: &Outcome,
    began_ms: u64,
) -> Option<Problem> {
    let ms = world.clock.now_ms().saturating_sub(began_ms);
    let trigger = events::Trigger::Manual;
    let what = match outcome.status {
        Status::Noop => return None,
        Status::Compressed => What::Compressed {
            tokens: Weights {
                before: outcome.before_tokens as u64,
                after: outcome.after_tokens as u64,
            },
            trigger,
            ms,
        },
        status => What::CompressionFailed {
            status: events::Word::from(status.as_str()),
            trigger,
            ms,
        },
    };
    note(world, prepared, found, what)
}

fn note(world: &World<'_>, prepared: &Prepared, found: &Found, what: What) -> Option<Problem> {
    let session = &found.opened.transcript.head.id;
    let event = Event {
        at_ms: world.clock.now_ms(),
        session: Some(Session::of(found.stored.agent, session)),
        what,
    };
    events::is_on(&prepared.settings).then(|| events::note(world, &event))?
}

fn cannot(found: &Found, why: CannotUndo) -> Failure {
    let id = &found.opened.transcript.head.id;
    let failure = Failure::bad_input(format!("cannot undo in session `{id}`: {why}"));
    match why {
        CannotUndo::Nothing => failure.hint("`analects session compress` would compress it"),
        CannotUndo::Newer | CannotUndo::Changed | CannotUndo::TakenBack => failure,
    }
}
