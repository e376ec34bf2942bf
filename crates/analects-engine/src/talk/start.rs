//! Starts a talk: everything that must be known before the first request.

use analects_agent::activity::Activity;
use analects_agent::turn::{Dialogue, MAX_TURNS, Options};
use analects_chat::budget::Gauge;
use analects_chat::reading::ide::MAX_SELECTION_UNITS;
use analects_text::problem::Problem;
use analects_world::{AbsPath, Agent, Cancel};

use super::course::Course;
use super::ground::Ground;
use super::hooks;
use super::ide::{IdeContext, Telling};
use super::memory::Memory;
use super::part::Part;
use super::record::{Record, Whose};
use super::resume::{Resumed, resume};
use super::run::{Run, weight};
use super::servers;
use super::stats::Stats;
use super::{Conversation, Ended, Hands, Said, Tell, Wish};
use crate::World;
use crate::events::Session;
use crate::load_memory;
use crate::models::choose::{self, Chosen, choose};
use crate::models::ledger;
use crate::prompt::Audience;
use crate::settings::keys;
use crate::verbs::{Failure, Flags};
use crate::{context_limits, identity, policies, trust};

/// Says something to a model and lets it work until it has answered.
pub fn talk(
    world: &World<'_>,
    hands: Hands<'_>,
    flags: &Flags,
    wish: &Wish,
    cancel: &Cancel,
    tell: &mut dyn FnMut(Tell<'_>),
) -> Result<Ended, Failure> {
    let said = Said {
        text: &wish.prompt,
        piped_bytes: wish.piped_bytes,
    };
    converse(world, hands, flags, wish, cancel, tell, |conversation| {
        conversation.say(said, cancel)
    })
}

/// Opens a conversation, and lets `hold` hold it; what `wish` says of a prompt is not said.
///
/// Where somebody is there it needs no model before something is said: all the rest of it works without one.
///
/// Servers are met before, and left afterwards; the hooks for the end of a session run if it has begun.
pub fn converse<T>(
    world: &World<'_>,
    hands: Hands<'_>,
    flags: &Flags,
    wish: &Wish,
    cancel: &Cancel,
    tell: &mut dyn FnMut(Tell<'_>),
    hold: impl FnOnce(&mut Conversation<'_, '_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    if wish.audience == Audience::Absent {
        trust::refuse_headless(&prepared.decision)?;
    }
    let settings = &prepared.settings;
    let (mode, mut problems) = policies::mode(&prepared, wish.mode.as_deref())?;
    let (chosen, absent) = match choose(world, settings, wish.model.as_deref()) {
        Ok(chosen) => (chosen, None),
        Err(failure) if wish.audience == Audience::Present => {
            let window_tokens = context_limits::window_tokens(settings, None);
            (Chosen::nobody(window_tokens), Some(failure))
        }
        Err(failure) => return Err(failure),
    };
    let other = choose::fallback(settings, &chosen);
    let claimed = identity::claim(
        world,
        flags,
        &prepared.root,
        None,
        prepared.decision.trust,
        "talk",
    )?;
    let folder = claimed.memory.parent().unwrap_or_else(AbsPath::root);
    let folder = world.files.real_or_same(&folder);
    problems.extend(chosen.problems.iter().cloned());
    let resumed = match wish.resume.as_deref() {
        Some(wanted) => match resume(world, flags, &prepared, &folder, wanted)? {
            Ok(resumed) => Some(resumed),
            Err(problem) => {
                problems.push(problem);
                None
            }
        },
        None => None,
    };
    let Resumed {
        id,
        history,
        record,
        problems: of_copy,
    } = resumed.unwrap_or_else(|| Resumed {
        id: wish.new_session.clone(),
        history: Vec::new(),
        record: Record::new(&wish.new_session, folder.clone(), flags, Whose::Person),
        problems: Vec::new(),
    });
    problems.extend(of_copy);
    let ground = Ground {
        world,
        prepared: &prepared,
        folder: &folder,
        session: &id,
        include: &wish.include,
        audience: wish.audience,
    };
    let (mut toolbox, found) = ground.toolbox(hands, mode, &history);
    problems.extend(found);
    toolbox.resume_skills(world.files, &history, chosen.window_tokens);
    tell(Tell::Began {
        session: &id,
        model: &chosen.model,
    });
    let mut announced = Vec::new();
    let mut announce = |problem: Problem| {
        tell(Tell::Notice(&problem));
        announced.push(problem);
    };
    let (served, found) = servers::connect(
        world,
        &prepared,
        flags,
        hands.servers,
        cancel,
        &mut announce,
    );
    problems.extend(found);
    let words = served.words();
    toolbox.serve(served);
    let (hooks, found) = hooks::gather(world, &prepared, flags, &id);
    problems.extend(found);
    let session = Session::of(Agent::Gemini, &id);
    let limits = context_limits::limits(settings, Some(chosen.window_tokens));
    let calibration = ledger::calibration(world, &chosen.provider, &chosen.model);
    let asked = wish.max_turns.map(|turns| turns as usize);
    let options = Options {
        max_session_turns: asked.or_else(|| settings.count(&keys::context::MAX_SESSION_TURNS)),
        ..ground.options(MAX_TURNS)
    };
    let dialogue = Dialogue::new(options, limits, Gauge::calibrated(0, calibration), history);
    let opening = Some(ground.opening(&toolbox.workspace.roots));
    let ide = IdeContext::wanted(
        world.around,
        wish.ide.clone(),
        toolbox.workspace.roots.clone(),
    );
    let selection = settings.count(&keys::context::MAX_SELECTED_CHARS);
    let ide = ide.map(|ide| ide.with_selection(selection.unwrap_or(MAX_SELECTION_UNITS)));
    let offered = toolbox.offered();
    let mut run = Run {
        world: *world,
        flags: *flags,
        prepared: &prepared,
        cancel: cancel.clone(),
        tell,
        session,
        wanted: wish.model.clone(),
        typed: String::new(),
        session_id: id.clone(),
        folder: folder.clone(),
        chosen,
        absent,
        other,
        course: Course::Talk(Box::new(dialogue)),
        part: Part::Main,
        opening,
        ide,
        telling: Telling::Changes,
        memory: Memory::new(*flags).with(words),
        tools_tokens: offered.iter().map(weight).sum(),
        offered,
        shares: Vec::new(),
        has_saved: false,
        written_ms: 0,
        toolbox,
        hooks,
        record,
        stats: Stats::default(),
        activity: Activity::default(),
        problems: announced,
        system: String::new(),
        answered: None,
        cut_short: None,
        no_answer: None,
        response: String::new(),
    };
    run.tell_new(problems);
    let mut conversation = Conversation::new(run);
    let held = hold(&mut conversation);
    conversation.end();
    held
}
