//! Performs one tool call.

use analects_agent::subagent::{Definition, invoke_agent};
use analects_agent::tools::{
    For, Output, Planned, Refusal, RefusalKind, Wanted, Workspace, activate_skill, glob,
    grep_search, list_directory, read_file, read_many_files, replace, shell, write_file,
};
use analects_skill::catalog::{Skill, Tier};
use analects_world::files::Files;
use analects_world::model::Call;
use analects_world::{AbsPath, Cancel, Profile};
use serde_json::{Map, Value};

use super::Toolbox;
use super::approve::Asking;
use super::awaited::{self, Awaited};
use crate::World;
use crate::save_memory::{self, SaveMemory, save_memory};
use crate::talk::servers::ToolUse;
use crate::talk::skills::Repertoire;
use crate::talk::stats;
use crate::verbs::{Failure, Flags};
use crate::write;

/// What is to be done for a call.
pub(super) enum Job {
    /// What a tool of the agent's does.
    Tool(Wanted),
    /// A fact is to be remembered.
    Save(SaveMemory),
    /// What a tool of a server does.
    Serve(ToolUse),
    /// A sub-agent is to be sent.
    Agent(Box<Order>),
    /// A skill is to be activated.
    Skill(Box<Skill>),
}

/// A sub-agent, and what it is sent with.
pub(super) struct Order {
    pub(super) agent: Definition,
    pub(super) inputs: Map<String, Value>,
}

/// What came of a call.
pub(super) struct Done {
    pub(super) result: Result<Output, Refusal>,
    pub(super) ms: u64,
    /// Lines that came in and went, where a file was written.
    pub(super) lines: Option<(usize, usize)>,
    /// The file, where one was written.
    pub(super) wrote: Option<AbsPath>,
    /// Whether somebody stopped it on the way.
    pub(super) was_stopped: bool,
    /// The sub-agent's name in the record, where one was sent.
    pub(super) agent_id: Option<String>,
    /// What a person said to it, if one was asked.
    pub(super) decision: Option<stats::Decision>,
    /// How much of that time a person took to answer.
    pub(super) waited_ms: u64,
}

impl Job {
    /// Reads a call.
    pub(super) fn read(
        call: &Call,
        agents: &[Definition],
        skills: &Repertoire,
    ) -> Result<Self, Refusal> {
        if call.name == activate_skill::NAME && !skills.names().is_empty() {
            let skill = skills.wanted(&call.args)?;
            return Ok(Self::Skill(Box::new(skill)));
        }
        if call.name == invoke_agent::NAME && !agents.is_empty() {
            let invoke_agent::Sent { agent, inputs } = invoke_agent::read(&call.args, agents)?;
            let agent = agent.clone();
            return Ok(Self::Agent(Box::new(Order { agent, inputs })));
        }
        if call.name != save_memory::NAME {
            return Wanted::read(&call.name, &call.args).map(Self::Tool);
        }
        serde_json::from_value(call.args.clone())
            .map(Self::Save)
            .map_err(|error| {
                let message = format!("The arguments of `{}` make no sense: {error}.", call.name);
                Refusal::new(
                    RefusalKind::BadArguments,
                    analects_text::sanitize::one_line(&message).into_owned(),
                )
            })
    }

    pub(super) fn only_looks(&self) -> bool {
        match self {
            Self::Tool(wanted) => wanted.only_looks(),
            Self::Skill(_) => true,
            Self::Save(_) | Self::Agent(_) | Self::Serve(_) => false,
        }
    }

    /// Whether it is part of the program, so that nobody has to agree to it.
    pub(super) fn is_ours(&self) -> bool {
        matches!(self, Self::Skill(skill) if skill.tier == Tier::Bundled)
    }

    pub(super) fn command(&self) -> Option<&str> {
        match self {
            Self::Tool(Wanted::Shell(args)) => Some(&args.command),
            _ => None,
        }
    }

    /// Where a command is to be run, if that is said.
    pub(super) fn dir(&self) -> Option<&str> {
        match self {
            Self::Tool(Wanted::Shell(args)) => args.dir_path.as_deref(),
            _ => None,
        }
    }

    /// Whether what it does is a change that a person can look at before it is made.
    pub(super) fn shows_a_change(&self) -> bool {
        let writes = matches!(self, Self::Tool(Wanted::WriteFile(_) | Wanted::Replace(_)));
        // Memory is asked for on its own road, with its own diff.
        writes || matches!(self, Self::Save(_))
    }

    /// Where the paths of the call really lead.
    pub(super) fn paths(
        &self,
        files: &dyn Files,
        workspace: &Workspace,
    ) -> Result<Vec<AbsPath>, Refusal> {
        let Self::Tool(wanted) = self else {
            return Ok(Vec::new());
        };
        let at = |path: &str, what_for: For| {
            let place = workspace.locate(files, path, what_for)?;
            Ok(vec![place.path])
        };
        let dir = |path: &Option<String>| at(path.as_deref().unwrap_or("."), For::Listing);
        match wanted {
            Wanted::ReadFile(args) => at(&args.file_path, For::Reading),
            Wanted::WriteFile(args) => at(&args.file_path, For::Writing),
            Wanted::Replace(args) => at(&args.file_path, For::Writing),
            Wanted::ListDirectory(args) => at(&args.dir_path, For::Listing),
            Wanted::Glob(args) => match (&args.dir_path, &workspace.scope) {
                (None, Some(scope)) => Ok(scope.roots()),
                (path, _) => dir(path),
            },
            Wanted::GrepSearch(args) => dir(&args.dir_path),
            Wanted::Shell(args) => dir(&args.dir_path),
            // Its globs begin in the working directory, and stay in the workspace. What names a file is that file here
            // too, so that a rule about it is not avoided by another tool.
            Wanted::ReadManyFiles(args) => {
                let named = args.include.iter();
                let named = named.filter_map(|path| at(path, For::Listing).ok());
                Ok([at(".", For::Listing)?]
                    .into_iter()
                    .chain(named)
                    .flatten()
                    .collect())
            }
            Wanted::AskUser(_) => Ok(Vec::new()),
        }
    }

    /// The file that it would write.
    pub(super) fn writes<'p>(&self, paths: &'p [AbsPath]) -> Option<&'p AbsPath> {
        match self {
            Self::Tool(Wanted::WriteFile(_) | Wanted::Replace(_)) => paths.first(),
            _ => None,
        }
    }
}

/// What is needed to do what calls want; shared by all that run at once.
pub(super) struct Performer<'a> {
    pub(super) world: World<'a>,
    pub(super) flags: Flags,
    pub(super) toolbox: &'a Toolbox<'a>,
    pub(super) profile: Profile,
    pub(super) cancel: &'a Cancel,
}

impl Performer<'_> {
    /// Does it, which a model wants with these arguments; `hear` is told what a command prints. A file is written only
    /// after a person agreed, if that must be.
    pub(super) fn perform(
        &self,
        job: &Job,
        args: &Value,
        asks: Option<&str>,
        hear: &mut dyn FnMut(&str),
    ) -> Done {
        let person = Awaited::new(&self.world);
        let timed = Performer {
            world: World {
                person: &person,
                ..self.world
            },
            ..*self
        };
        let done = timed.done(job, args, asks, hear);
        Done {
            waited_ms: person.ms(),
            ..done
        }
    }

    fn done(
        &self,
        job: &Job,
        args: &Value,
        asks: Option<&str>,
        hear: &mut dyn FnMut(&str),
    ) -> Done {
        let began_ms = self.world.clock.now_ms();
        let (mut lines, mut wrote) = (None, None);
        let asking = Asking::new(asks);
        let result = match job {
            _ if self.cancel.is_cancelled() => Err(cancelled()),
            Job::Save(args) => Ok(self.save(args)),
            Job::Serve(wanted) => {
                let Toolbox { served, limits, .. } = self.toolbox;
                served.run(wanted, limits.whole_ms, self.cancel, hear)
            }
            Job::Skill(skill) => self.toolbox.skills.open(self.world.files, skill),
            Job::Agent(_) => Err(Refusal::new(RefusalKind::Failed, "An agent goes alone.")),
            Job::Tool(wanted) => self.tool(wanted, args, &asking, hear).map(|did| {
                if let Some(planned) = did.planned {
                    lines = Some((planned.n_added, planned.n_removed));
                    wrote = Some(planned.after.0);
                }
                did.output
            }),
        };
        Done {
            result,
            ms: self.world.clock.now_ms().saturating_sub(began_ms),
            lines,
            wrote,
            was_stopped: job.command().is_some() && self.cancel.is_cancelled(),
            agent_id: None,
            decision: asking.said(),
            waited_ms: 0,
        }
    }

    fn tool(
        &self,
        wanted: &Wanted,
        args: &Value,
        asking: &Asking,
        hear: &mut dyn FnMut(&str),
    ) -> Result<Did, Refusal> {
        let bench = self.toolbox.bench(&self.world, self.profile, self.cancel);
        let Toolbox {
            seen, workspace, ..
        } = self.toolbox;
        let looked = match wanted {
            Wanted::ReadFile(args) => read_file::run(args, &bench, seen),
            Wanted::ReadManyFiles(many) => {
                let keeps_back = self.keeps_back(many, args);
                read_many_files::run(many, &bench, seen, &keeps_back)
            }
            Wanted::ListDirectory(args) => list_directory::run(args, &bench),
            Wanted::Glob(args) => {
                let now_ns = self.world.clock.now_ms().saturating_mul(1_000_000);
                glob::run(args, &bench, now_ns)
            }
            Wanted::GrepSearch(args) => grep_search::run(args, &bench),
            Wanted::Shell(args) => shell::run(args, &bench, &self.runner(), hear),
            Wanted::AskUser(args) => awaited::ask(&self.world, self.cancel, args),
            Wanted::WriteFile(args) => {
                let plan = |files: &dyn Files| write_file::plan(args, files, workspace, seen);
                return self.commit(asking, &args.file_path, &plan);
            }
            Wanted::Replace(args) => {
                let plan = |files: &dyn Files| replace::plan(args, files, workspace);
                return self.commit(asking, &args.file_path, &plan);
            }
        };
        looked.map(|output| Did {
            output,
            planned: None,
        })
    }

    /// Why a file is left out that patterns of a call have found: rules are stricter with it than with the call.
    fn keeps_back(
        &self,
        many: &read_many_files::Args,
        args: &Value,
    ) -> impl Fn(&AbsPath) -> Option<String> {
        let (toolbox, files) = (self.toolbox, self.toolbox.files(&self.world));
        let call = Call {
            id: None,
            name: read_many_files::NAME.to_owned(),
            args: args.clone(),
            rest: Map::new(),
        };
        let job = Job::Tool(Wanted::ReadManyFiles(many.clone()));
        let paths = job.paths(files, &toolbox.workspace);
        let verdict =
            move |paths: &[AbsPath]| toolbox.verdict(&call, &job, paths, toolbox.audience);
        let whole = verdict(&paths.unwrap_or_default()).decision;
        move |path| {
            let verdict = verdict(std::slice::from_ref(path));
            (verdict.decision > whole).then_some(verdict.message)
        }
    }

    fn runner(&self) -> shell::Runner<'_> {
        shell::Runner {
            shell: self.toolbox.hands.shell,
            vars: &self.toolbox.vars,
            idle_ms: self.toolbox.limits.idle_ms,
            whole_ms: self.toolbox.limits.whole_ms,
        }
    }

    /// Commits what a tool plans, on the files as they are under the lock; what a person has to agree to only as they
    /// saw it.
    fn commit(
        &self,
        asking: &Asking,
        file: &str,
        plan: &dyn Fn(&dyn Files) -> Result<Planned, Refusal>,
    ) -> Result<Did, Refusal> {
        if let Some(staged) = self.toolbox.staged {
            let planned = staged.stage(self.world.clock.now_ms(), plan)?;
            return Ok(self.did(planned));
        }
        match asking.must_ask {
            true => self.agreed(asking, file, plan).map(|agreed| {
                let mut did = self.did(agreed.planned);
                if agreed.is_edited {
                    did.output.text.push_str(EDITED);
                }
                did
            }),
            false => match self.write(plan, None)? {
                Some(planned) => Ok(self.did(planned)),
                None => Err(unwritten("Nothing was written.".to_owned())),
            },
        }
    }

    /// Writes what is planned; nothing, if it is not what a person agreed to.
    pub(super) fn write(
        &self,
        plan: &dyn Fn(&dyn Files) -> Result<Planned, Refusal>,
        agreed: Option<&Planned>,
    ) -> Result<Option<Planned>, Refusal> {
        let (mut refused, mut planned, mut is_other) = (None, None, false);
        let mut changes = |files: &dyn Files| match plan(files) {
            Ok(plan) => {
                is_other = agreed.is_some_and(|agreed| agreed.changes != plan.changes);
                if is_other {
                    return Err(Failure::failed("the file has changed"));
                }
                let changes = plan.changes.clone();
                planned = Some(plan);
                Ok(changes)
            }
            Err(refusal) => {
                let failure = Failure::failed(refusal.message.clone());
                refused = Some(refusal);
                Err(failure)
            }
        };
        let written = write::write(&self.world, &self.flags, &[], &mut changes);
        if let Some(refusal) = refused {
            return Err(refusal);
        }
        if is_other {
            return Ok(None);
        }
        written.map_err(|failure| unwritten(format!("Nothing was written: {failure}.")))?;
        Ok(planned)
    }

    fn did(&self, planned: Planned) -> Did {
        planned.note(&self.toolbox.seen);
        Did {
            output: planned.output.clone(),
            planned: Some(planned),
        }
    }

    /// Remembers a fact, on the one road that all facts take.
    fn save(&self, args: &SaveMemory) -> Output {
        let saved = save_memory(&self.world, &self.flags, args, save_memory::NAME);
        let shown = match saved.is_success() {
            true => "remembered",
            false => "not remembered",
        };
        Output {
            text: serde_json::to_string(&saved).unwrap_or_default(),
            shown: shown.to_owned(),
            ..Output::default()
        }
    }
}

/// What was done.
struct Did {
    output: Output,
    planned: Option<Planned>,
}

/// What a model is told whose words a person changed.
const EDITED: &str =
    "\n\nThe user changed the text before it was written; read the file before you go on.";

/// What a model is told of a file that could not be written.
pub(super) fn unwritten(message: String) -> Refusal {
    Refusal::new(RefusalKind::Unwritable, message)
}

/// What a model is told of a call that was stopped before it began.
pub(super) fn cancelled() -> Refusal {
    let message = "The user stopped this run before the call was made.";
    Refusal::new(RefusalKind::Cancelled, message)
}
