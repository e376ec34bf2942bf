//! Everything that has to be known before the first request.

use analects_agent::activity::Activity;
use analects_agent::tools::{For, Seen, Workspace, replace, write_file};
use analects_agent::turn::{Dialogue, MAX_TURNS, Options, Want};
use analects_chat::budget::Gauge;
use analects_chat::reading::Measures;
use analects_chat::reading::ide::MAX_SELECTION_UNITS;
use analects_chat::{loops, mask};
use analects_world::model::Content;
use analects_world::{AbsPath, Agent, Cancel};

use super::environment::{self, Scene};
use super::ide::{IdeContext, Telling};
use super::memory::Memory;
use super::record::Record;
use super::resume::{Resumed, resume};
use super::run::{Run, weight};
use super::stats::Stats;
use super::tools::{CommandLimits, Toolbox};
use super::{Ended, Hands, Tell, Wish};
use crate::World;
use crate::events::Session;
use crate::load_memory::{self, Prepared};
use crate::models::choose::{self, choose};
use crate::models::ledger;
use crate::settings::{Settings, keys};
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
    let prepared = load_memory::prepare(world, flags)?;
    trust::refuse_headless(&prepared.decision)?;
    let settings = &prepared.settings;
    let (mode, mut problems) = policies::mode(&prepared, wish.mode.as_deref())?;
    let chosen = choose(world, settings, wish.model.as_deref())?;
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
    } = resumed.unwrap_or_else(|| Resumed {
        id: wish.new_session.clone(),
        history: Vec::new(),
        record: Record::new(&wish.new_session, folder.clone(), flags),
    });
    // Neither need be there yet: only the way to them has no links.
    let shelf_dir = folder.join("tool-outputs").join(&format!("session-{id}"));
    let plans = folder.join("plans");
    let workspace = workspace(world, &prepared, wish, &shelf_dir, &plans);
    let (policy, found) = policies::gather(world, &prepared, &plans);
    problems.extend(found);
    let toolbox = Toolbox {
        hands,
        ignore_files: ignore_files(world, &prepared),
        heeds_git: settings.flag(&keys::RESPECT_GIT_IGNORE),
        measures: measures(settings),
        policy,
        mode,
        vars: world.around.vars.clone(),
        seen: Seen::new(),
        plan: plan(world, &history, &workspace, &plans),
        plans,
        workspace,
        limits: CommandLimits {
            idle_ms: Some(COMMAND_IDLE_MS),
            whole_ms: None,
        },
    };
    let session = Session::of(Agent::Gemini, &id);
    let limits = context_limits::limits(settings, Some(chosen.window_tokens));
    let calibration = ledger::calibration(world, &chosen.provider, &chosen.model);
    let options = options(&prepared, wish, &id, &shelf_dir);
    let dialogue = Dialogue::new(options, limits, Gauge::calibrated(0, calibration), history);
    let opening = environment::turn(
        world,
        &prepared,
        &Scene {
            os: std::env::consts::OS,
            roots: &toolbox.workspace.roots,
            temp_dir: None,
            ignore: &prepared.discover.ignore,
        },
    );
    let ide = IdeContext::wanted(
        world.around,
        wish.ide.clone(),
        toolbox.workspace.roots.clone(),
    );
    let selection = settings.count(&keys::context::MAX_SELECTED_CHARS);
    let ide = ide.map(|ide| ide.with_selection(selection.unwrap_or(MAX_SELECTION_UNITS)));
    tell(Tell::Began {
        session: &id,
        model: &chosen.model,
    });
    let offered = toolbox.offered();
    let mut run = Run {
        world: *world,
        flags: *flags,
        prepared: &prepared,
        cancel,
        tell,
        session,
        wanted: wish.model.clone(),
        typed: wish.prompt.clone(),
        session_id: id,
        chosen,
        other,
        dialogue,
        opening,
        ide,
        telling: Telling::Changes,
        memory: Memory::new(*flags),
        tools_tokens: offered.iter().map(weight).sum(),
        offered,
        written_ms: 0,
        toolbox,
        record,
        stats: Stats::default(),
        activity: Activity::default(),
        problems: Vec::new(),
        system: String::new(),
        answered: None,
        no_answer: None,
        response: String::new(),
    };
    run.tell_new(problems);
    let prompt = run.prompt(wish);
    run.run(prompt)
}

/// The project and what else belongs to it, by where that really lies.
fn workspace(
    world: &World<'_>,
    prepared: &Prepared,
    wish: &Wish,
    shelf_dir: &AbsPath,
    plans: &AbsPath,
) -> Workspace {
    let real = |path: &AbsPath| world.files.real_or_same(path);
    let set = prepared.settings.list(&keys::INCLUDE_DIRECTORIES).iter();
    let included = set
        .chain(&wish.include)
        .map(|text| world.around.resolve(text));
    let mut roots = vec![real(&prepared.root)];
    for dir in included.map(|dir| real(&dir)) {
        if !roots.contains(&dir) {
            roots.push(dir);
        }
    }
    Workspace {
        cwd: world.around.cwd.clone(),
        roots,
        readable: vec![shelf_dir.clone(), plans.clone()],
        writable: vec![plans.clone()],
        scope: None,
    }
}

/// The plan that was written before, in a session that goes on.
fn plan(
    world: &World<'_>,
    history: &[Content],
    workspace: &Workspace,
    plans: &AbsPath,
) -> Option<AbsPath> {
    let mut calls = history.iter().flat_map(Content::calls);
    calls.find_map(|call| {
        let is_writing = [write_file::NAME, replace::NAME].contains(&&*call.name);
        let path = call.args.get("file_path")?.as_str()?;
        let place = workspace.locate(world.files, path, For::Writing);
        let path = place.ok().filter(|_| is_writing)?.path;
        let is_there = path.is_within(plans) && world.files.real(&path).is_ok();
        is_there.then_some(path)
    })
}

fn ignore_files(world: &World<'_>, prepared: &Prepared) -> Vec<AbsPath> {
    let ignore = &prepared.discover.ignore;
    let own = ignore.gemini.then(|| prepared.root.join(".geminiignore"));
    let all = own.into_iter().chain(ignore.custom.iter().cloned());
    all.filter(|file| world.files.real(file).is_ok()).collect()
}

fn options(prepared: &Prepared, wish: &Wish, session: &str, shelf_dir: &AbsPath) -> Options {
    let settings = &prepared.settings;
    let asked = wish.max_turns.map(|turns| turns as usize);
    Options {
        session: session.to_owned(),
        max_session_turns: asked.or_else(|| settings.count(&keys::context::MAX_SESSION_TURNS)),
        max_turns: MAX_TURNS,
        exempt: mask::EXEMPT.map(str::to_owned).to_vec(),
        loops: loops::Options {
            profile: settings.profile,
            switch: match settings.flag(&keys::context::DISABLE_LOOP_DETECTION) {
                true => loops::Switch::Off,
                false => loops::Switch::On,
            },
            exempt_tools: settings.list(&keys::context::LOOP_EXEMPT_TOOLS).to_vec(),
            checks_per_prompt: CHECKS_PER_PROMPT,
        },
        shelf_dir: shelf_dir.as_str().to_owned(),
        next_speaker: match settings.flag(&keys::context::SKIP_NEXT_SPEAKER_CHECK) {
            true => Want::No,
            false => Want::Yes,
        },
        plan_file: None,
    }
}

/// How much of a file is shown at once.
fn measures(settings: &Settings) -> Measures {
    let usual = Measures::USUAL;
    let lines = settings.count(&keys::context::MAX_FILE_LINES);
    let line_units = settings.count(&keys::context::MAX_LINE_CHARS);
    Measures {
        lines: lines.unwrap_or(usual.lines),
        line_units: line_units.unwrap_or(usual.line_units),
    }
}

/// A command that says nothing for so long is stopped, as in the original.
const COMMAND_IDLE_MS: u64 = 300_000;
/// How often in a prompt another model may be asked whether there is progress.
const CHECKS_PER_PROMPT: usize = 5;
