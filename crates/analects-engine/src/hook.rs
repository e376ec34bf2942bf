//! Answers a host's hook: with the memory that the host does not load itself, once, and bounded.
//!
//! A hook must never stand in the way: whatever goes wrong, the answer is nothing, and the reason a note
//! for those who ask. What each host does by itself stands in `host`; what a session was told already is
//! kept by `said`.

mod after_tool;
mod before_agent;
mod fit;
mod handover;
mod host;
mod input;
mod overlap;
mod pre_compact;
mod said;
mod session_end;
mod session_start;
mod surrogates;
mod talk;
mod theirs;
mod touched;

use analects_text::problem::Problem;
use analects_text::truncate;
use analects_world::{AbsPath, Agent, Surroundings};
use serde_json::json;

use crate::events::{self, What};
use crate::load_memory::{self, Prepared};
use crate::secrets::Guarded;
use crate::settings::keys;
use crate::verbs::{Failure, Flags};
use crate::{World, trust};

use fit::Limits;
use host::Manners;
use input::{Event, Input};

/// One call of a hook.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// Which host calls.
    pub host: &'a str,
    /// The event, in the host's spelling or in ours; the input tells it if this does not.
    pub event: Option<&'a str>,
    /// What the host says about it: one JSON object.
    pub input: &'a [u8],
    /// Whether the input goes on beyond what was read of it.
    pub is_cut: bool,
    /// What the host takes at once, in tokens, where it was told to take something else than usual.
    pub room_tokens: Option<usize>,
}

/// What to answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// One JSON object for the host; `None` to say nothing at all.
    pub json: Option<String>,
    /// What went wrong, for a person who wants to know.
    pub notes: Vec<String>,
}

/// Everything that an event is answered from.
struct Scene<'a> {
    world: World<'a>,
    flags: Flags,
    host: Agent,
    input: &'a Input,
    prepared: &'a Prepared,
    room_tokens: Option<usize>,
}

impl Scene<'_> {
    /// What may be said at once.
    fn limits(&self) -> Limits {
        let mut room = Manners::of(self.host).room;
        if let Some(tokens) = self.room_tokens {
            room.limit = tokens.saturating_mul(4);
        }
        let settings = &self.prepared.settings;
        Limits {
            tokens: settings.count(&keys::HOOK_SESSION_TOKENS).unwrap_or(0),
            room,
            layer_tokens: self.prepared.layer_limit_tokens,
        }
    }
}

/// Whether an event of this name can be answered, in any host's spelling or in ours.
pub(crate) fn is_event(name: &str) -> bool {
    Event::named(name).is_some()
}

/// Answers a call. Never fails: a hook that has nothing to say is silent.
#[must_use]
pub fn answer(world: &World<'_>, flags: &Flags, call: &Call<'_>) -> Answer {
    let mut run = Run::new(world);
    let json = match speak(world, flags, call, &mut run) {
        Ok(json) => json,
        Err(failure) => {
            run.outcome = "failed";
            run.notes.push(failure.to_string());
            None
        }
    };
    if !flags.dry_run {
        run.count(world);
    }
    Answer {
        json,
        notes: run.notes,
    }
}

fn speak(
    world: &World<'_>,
    flags: &Flags,
    call: &Call<'_>,
    run: &mut Run,
) -> Result<Option<String>, Failure> {
    let host = Agent::named(call.host)
        .ok_or_else(|| Failure::bad_input(format!("`{}` is no host we know", call.host)))?;
    run.host = Some(host);
    let input = input::parse(call.input, call.is_cut)
        .ok_or_else(|| Failure::bad_input("the input is not a JSON object"))?;
    run.session.clone_from(&input.session);
    let event = call.event.or(input.event.as_deref()).unwrap_or_default();
    let event = Event::named(event)
        .ok_or_else(|| Failure::bad_input(format!("`{event}` is no event we know")))?;
    run.event = event.as_str();
    // Everything that can be told from the input alone, before a file is opened.
    let is_idle = match event {
        Event::SessionStart => false,
        // Only Gemini CLI says nothing when a compression is over; there the next prompt is the first sign.
        Event::BeforeAgent => {
            let is_asked = before_agent::is_worth_a_look(host, &input);
            !is_asked && !handover::is_waiting(world, host, &input)
        }
        Event::PreCompact => !pre_compact::is_meant(host, &input),
        Event::AfterTool => touched::touched(&input).is_empty(),
        Event::SessionEnd => input.transcript.is_none(),
        Event::Other => true,
    };
    if is_idle || flags.no_memory {
        return Ok(None);
    }
    run.outcome = "silent";
    if event == Event::SessionEnd {
        return session_end::session_end(world, host, &input).map(|()| None);
    }
    let started_in = world.around.cwd.clone();
    let around = surroundings(world, &input);
    let world = World {
        around: &around,
        ..*world
    };
    // The host names the folder; what was said for this run is about the one that this process stands in.
    let (flags, around) = trust::confine_to_start(&world, &started_in, flags);
    let world = World {
        around: &around,
        ..world
    };
    let prepared = load_memory::prepare(&world, &flags)?;
    run.is_counted = Some(events::is_on(&prepared.settings));
    let notes = &mut run.notes;
    let scene = Scene {
        world,
        flags,
        host,
        input: &input,
        prepared: &prepared,
        room_tokens: call.room_tokens,
    };
    let text = match event {
        Event::SessionStart => session_start::session_start(&scene, notes),
        Event::BeforeAgent => before_agent::before_agent(&scene, notes)?,
        Event::PreCompact => {
            pre_compact::pre_compact(&scene, notes)?;
            None
        }
        Event::AfterTool => after_tool::after_tool(&scene, notes)?,
        Event::SessionEnd | Event::Other => None,
    };
    notes.extend(prepared.problems().iter().map(Problem::to_string));
    if text.is_some() {
        run.outcome = "told";
    }
    let text = text.map(|text| masked(&scene, &text));
    Ok(text.map(|text| said_to(Manners::of(host), event, &text)))
}

/// Takes the secrets out of all that any event answers: it goes to another agent and to its model.
fn masked(scene: &Scene<'_>, text: &str) -> String {
    let masked = guarded(scene).mask(text);
    let limits = scene.limits();
    if masked == text || limits.admit(&masked) {
        return masked;
    }
    // A mark can be longer than the secret was.
    truncate::head(&masked, limits.narrow_tokens()).to_owned()
}

/// Masks secrets, except those that the settings allow.
fn guarded<'a>(scene: &Scene<'a>) -> Guarded<'a> {
    Guarded {
        allowed: scene.prepared.settings.list(&keys::ALLOWED_SECRETS),
    }
}

/// What is known about a call, for whoever wants to know afterwards.
struct Run {
    began_ms: u64,
    notes: Vec<String>,
    host: Option<Agent>,
    session: Option<String>,
    event: &'static str,
    outcome: &'static str,
    /// Whether it is counted; nobody knows until the settings were read.
    is_counted: Option<bool>,
}

impl Run {
    fn new(world: &World<'_>) -> Self {
        Self {
            began_ms: world.clock.now_ms(),
            notes: Vec::new(),
            host: None,
            session: None,
            event: "unknown",
            outcome: "idle",
            is_counted: None,
        }
    }

    fn count(&mut self, world: &World<'_>) {
        let Some(host) = self.host else { return };
        if !self.is_counted.unwrap_or_else(|| events::is_on_here(world)) {
            return;
        }
        let session = self.session.as_deref();
        let now = world.clock.now_ms();
        let event = events::Event {
            at_ms: now,
            session: session.map(|id| events::Session::of(host, id)),
            what: What::Hook {
                host,
                event: self.event.into(),
                outcome: self.outcome.into(),
                ms: now.saturating_sub(self.began_ms),
            },
        };
        let problem = events::note(world, &event);
        self.notes
            .extend(problem.map(|problem| problem.to_string()));
    }
}

/// The place that the host speaks of, if there is one; else where this process stands.
fn surroundings(world: &World<'_>, input: &Input) -> Surroundings {
    let told = input.cwd.as_deref().and_then(|cwd| AbsPath::new(cwd).ok());
    let real = told.map(|cwd| world.files.real_or_same(&cwd));
    let mut around = world.around.clone();
    around.cwd = real
        .filter(|cwd| world.files.require_dir(cwd).is_ok())
        .unwrap_or(around.cwd);
    around
}

/// The answer in the host's own shape.
fn said_to(manners: &Manners, event: Event, text: &str) -> String {
    let mut answer = json!({
        "hookSpecificOutput": {
            "hookEventName": manners.event(event),
            "additionalContext": text,
        },
    });
    if manners.may_suppress {
        answer["suppressOutput"] = true.into();
    }
    answer.to_string()
}

#[cfg(test)]
mod tests;
