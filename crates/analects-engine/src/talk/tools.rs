//! Runs a model's tool calls: within the policy, read-only calls in parallel, results in the order of the calls.

mod answer;
mod approve;
mod awaited;
mod condense;
mod hooked;
mod perform;
mod send;

use std::collections::BTreeMap;
use std::sync::{Arc, mpsc};
use std::thread;

use analects_agent::activity::Happening;
use analects_agent::policy::{Asked, Decision, Mode, Policy, Verdict, decide};
use analects_agent::subagent::{Definition, invoke_agent};
use analects_agent::tools::{Bench, Refusal, RefusalKind, Seen, Workspace, activate_skill};
use analects_chat::reading::Measures;
use analects_chat::route;
use analects_text::sanitize::one_line;
use analects_world::model::{Call, Part};
use analects_world::models::Tool;
use analects_world::{AbsPath, Cancel, Files, Profile};
use serde_json::Value;

use super::run::Run;
use super::servers::Served;
use super::skills::Repertoire;
use super::staged::Staged;
use super::stats;
use super::{Hands, Tell};
use crate::World;
use crate::prompt::{self, Audience, PromptOptions, Roster, Writer};
use crate::save_memory::{self, SaveMemory};
use crate::verbs::Flags;
pub(super) use approve::Approved;
use perform::{Done, Job, Performer};

/// What tools need, for as long as a talk goes on.
pub(super) struct Toolbox<'a> {
    pub(super) hands: Hands<'a>,
    /// Where writes wait, if they are not to be made at once.
    pub(super) staged: Option<&'a Staged<'a>>,
    pub(super) workspace: Workspace,
    pub(super) policy: Policy,
    pub(super) mode: Mode,
    /// Whether somebody can be asked.
    pub(super) audience: Audience,
    /// What a person agreed to for as long as this goes on.
    pub(super) approved: Arc<Approved>,
    /// Who writes memory.
    pub(super) writer: Writer,
    /// The tools that there are, by their names.
    pub(super) roster: Vec<String>,
    /// The agents that can be sent.
    pub(super) agents: Vec<Definition>,
    /// Skills that can be activated, and those that are.
    pub(super) skills: Repertoire,
    /// Servers, and their tools.
    pub(super) served: Arc<Served>,
    /// The sub-agent whose tools these are, if it is one.
    pub(super) subagent: Option<String>,
    /// What commands find in their environment.
    pub(super) vars: BTreeMap<String, String>,
    pub(super) seen: Seen,
    /// Where plans of this project lie.
    pub(super) plans: AbsPath,
    /// The plan that was written in this talk.
    pub(super) plan: Option<AbsPath>,
    /// Files that say what is not to be looked at.
    pub(super) ignore_files: Vec<AbsPath>,
    pub(super) heeds_git: bool,
    /// How much of a text is shown at once.
    pub(super) measures: Measures,
    pub(super) limits: CommandLimits,
}

/// How long a command may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommandLimits {
    pub(super) idle_ms: Option<u64>,
    pub(super) whole_ms: Option<u64>,
}

/// How many calls that only look run at the same time.
const MAX_AT_ONCE: usize = 8;
/// How many pieces of what commands print wait to be told; a command waits for a reader who is slower than it.
const MAX_UNHEARD: usize = 16;
/// A model that calls more at once has lost its way.
const MAX_CALLS: usize = 128;

impl Toolbox<'_> {
    /// The tools of a sub-agent: those of these that it may have, and what it has seen is its own.
    pub(super) fn for_agent(&self, agent: &Definition) -> Self {
        let has = |name: &&String| match self.served.server_of(name) {
            Some(server) => agent.tools.has_of(server, name),
            None => agent.tools.has(name),
        };
        Self {
            hands: self.hands,
            staged: self.staged,
            workspace: self.workspace.clone(),
            policy: self.policy.clone(),
            mode: self.mode,
            audience: self.audience,
            approved: Arc::clone(&self.approved),
            writer: self.writer,
            roster: self.roster.iter().filter(has).cloned().collect(),
            agents: Vec::new(),
            skills: self.skills.for_agent(),
            served: Arc::clone(&self.served),
            subagent: Some(agent.name.clone()),
            vars: self.vars.clone(),
            seen: Seen::new(),
            plans: self.plans.clone(),
            plan: self.plan.clone(),
            ignore_files: self.ignore_files.clone(),
            heeds_git: self.heeds_git,
            measures: self.measures,
            limits: self.limits,
        }
    }

    /// The tools as the model is told of them.
    pub(super) fn offered(&self) -> Vec<Tool> {
        let mut tools = analects_agent::tools::offered();
        tools.push(Tool {
            name: save_memory::NAME.to_owned(),
            description: include_str!("../../prompts/save-memory-tool.md")
                .trim_end()
                .to_owned(),
            parameters: analects_agent::tools::schema::<SaveMemory>(),
        });
        tools.extend(self.served.tools().cloned());
        tools.extend(activate_skill::offered(&self.skills.names()));
        tools.retain(|tool| self.has(&tool.name));
        tools.extend(invoke_agent::offered(&self.agents));
        tools
    }

    /// Adds servers, and all of their tools.
    pub(super) fn serve(&mut self, served: Served) {
        let names = served.tools().map(|tool| tool.name.clone());
        self.roster.extend(names);
        self.served = Arc::new(served);
    }

    /// Has the tool that activates skills while there are any.
    pub(super) fn list_skills(&mut self) {
        self.roster.retain(|name| name != activate_skill::NAME);
        if !self.skills.names().is_empty() {
            self.roster.push(activate_skill::NAME.to_owned());
        }
    }

    /// Lets tools read what lies in a directory, too.
    pub(super) fn may_read(&mut self, dir: Option<&AbsPath>) {
        let readable = &mut self.workspace.readable;
        readable.extend(dir.filter(|dir| !readable.contains(dir)).cloned());
    }

    fn has(&self, tool: &str) -> bool {
        self.roster.iter().any(|name| name == tool)
    }

    /// The disk as tools see it.
    fn files<'b>(&'b self, world: &World<'b>) -> &'b dyn Files {
        self.staged.map_or(world.files, Staged::files)
    }

    /// What tools look at.
    pub(super) fn bench<'b>(
        &'b self,
        world: &World<'b>,
        profile: Profile,
        cancel: &'b Cancel,
    ) -> Bench<'b> {
        Bench {
            files: self.files(world),
            search: self.staged.map_or(world.search, Staged::search),
            workspace: &self.workspace,
            ignore_files: &self.ignore_files,
            heeds_git: self.heeds_git,
            measures: self.measures,
            profile,
            cancel,
        }
    }

    /// What the system prompt is assembled for.
    pub(super) fn prompt_options(&self) -> PromptOptions<'_> {
        let agents = self.agents.iter();
        PromptOptions {
            audience: self.audience,
            writer: self.writer,
            mode: match self.mode {
                Mode::Plan => prompt::Mode::Plan { dir: &self.plans },
                Mode::Default | Mode::AutoEdit | Mode::Yolo => prompt::Mode::Usual,
            },
            roster: Roster {
                tools: self.roster.iter().map(String::as_str).collect(),
                agents: agents.map(|it| (&*it.name, &*it.description)).collect(),
                skills: match self.has(activate_skill::NAME) {
                    true => self.skills.lines(),
                    false => &[],
                },
                activated: self.skills.told(),
            },
            own: None,
        }
    }

    /// What the mode means for the choice of a model.
    pub(super) fn route_mode(&self) -> route::Mode {
        match self.mode {
            Mode::Plan => route::Mode::Plan,
            Mode::Default | Mode::AutoEdit | Mode::Yolo => route::Mode::Usual,
        }
    }

    /// What must survive a compression: where the plan lies.
    pub(super) fn plan_pin(&self) -> Option<String> {
        let plan = self.plan.as_ref()?;
        Some(format!(
            "The plan of this session lies in {plan}; read it before going on."
        ))
    }

    /// A refusal that tells of the tools that are there, if there is no such tool.
    fn with_tools(&self, mut refusal: Refusal) -> Refusal {
        if refusal.kind == RefusalKind::UnknownTool {
            let known = self.roster.join(", ");
            refusal.message = format!("{} Those that are there: {known}.", refusal.message);
        }
        refusal
    }

    /// What a call wants, if there is such a tool here.
    fn read(&self, call: &Call) -> Result<Job, Refusal> {
        if self.subagent.is_some() && !self.has(&call.name) {
            let message = format!("There is no tool `{}` for you.", one_line(&call.name));
            return Err(Refusal::new(RefusalKind::UnknownTool, message));
        }
        // A server reaches what it likes: it is nothing for somebody who may only reach some files.
        let is_free = self.workspace.scope.is_none();
        match self.served.wanted(call).filter(|_| is_free) {
            Some(wanted) => wanted.map(Job::Serve),
            None => Job::read(call, &self.agents, &self.skills),
        }
    }

    /// What is to be done for a call, if it may be, and why somebody has to agree first, if so.
    fn judge(&self, world: &World<'_>, flags: &Flags, call: &Call) -> Result<Judged, Refusal> {
        let job = self
            .read(call)
            .map_err(|refusal| self.with_tools(refusal))?;
        let paths = job.paths(self.files(world), &self.workspace)?;
        // What waits is asked for in the end, and nobody needs to be asked about what is part of the program.
        let audience = match self.staged.is_some() || job.is_ours() {
            true => Audience::Present,
            false => self.audience,
        };
        let verdict = self.verdict(call, &job, &paths, audience);
        // What waits is asked for when all of it is there, and shown even if it is not to be written.
        let waits = self.staged.is_some() && job.writes(&paths).is_some();
        let can_ask = self.audience == Audience::Present;
        let asks = match verdict.decision {
            Decision::Allow => None,
            Decision::Ask if waits || job.is_ours() => None,
            Decision::Ask if can_ask => Some(verdict.message),
            Decision::Ask | Decision::Deny => {
                return Err(Refusal::new(RefusalKind::Denied, verdict.message));
            }
        };
        if flags.dry_run && !job.only_looks() && !waits {
            let message = "This is a dry run: nothing is written and nothing is run. Say what you would have done.";
            return Err(Refusal::new(RefusalKind::Denied, message));
        }
        Ok(Judged { job, asks })
    }

    /// What the policy says of a call.
    fn verdict(&self, call: &Call, job: &Job, paths: &[AbsPath], audience: Audience) -> Verdict {
        let (mcp_server, annotations) = match job {
            Job::Serve(wanted) => self.served.about(wanted).unzip(),
            Job::Tool(_) | Job::Save(_) | Job::Agent(_) | Job::Skill(_) => (None, None),
        };
        let asked = Asked {
            tool: &call.name,
            args: &call.args,
            paths,
            command: job.command(),
            subagent: self.subagent.as_deref(),
            mcp_server,
            annotations,
            mode: self.mode,
            is_interactive: audience == Audience::Present,
        };
        decide(&self.policy, &asked)
    }

    /// Refuses a second plan. Asked right before a call is made: the first may have been written by the call before.
    fn keep_to_the_plan(&self, world: &World<'_>, job: &Job) -> Result<(), Refusal> {
        let (Mode::Plan, Some(plan)) = (self.mode, &self.plan) else {
            return Ok(());
        };
        let paths = job.paths(self.files(world), &self.workspace)?;
        if job.writes(&paths).is_none_or(|path| path == plan) {
            return Ok(());
        }
        let message =
            format!("There is one plan in a session, and it lies in {plan}. Change that one.");
        Err(Refusal::new(RefusalKind::Denied, message))
    }
}

/// What is to be done for a call.
struct Judged {
    job: Job,
    /// Why somebody has to agree first, if so.
    asks: Option<String>,
}

/// A call, what is to be done for it, and what came of it.
struct Ticket {
    call: Call,
    job: Result<Job, Refusal>,
    /// Why somebody has to agree before it is done, if so.
    asks: Option<String>,
    /// What a person said to it.
    decision: Option<stats::Decision>,
    done: Option<Done>,
    /// What it was made with, if hooks wanted other arguments.
    made_with: Option<Value>,
    /// What the model is told beside the answer.
    notes: Vec<String>,
}

/// What a running tool tells.
enum News {
    Prints(usize, String),
    Done(usize, Box<Done>),
}

impl Judged {
    fn parted(judged: Result<Self, Refusal>) -> (Result<Job, Refusal>, Option<String>) {
        match judged {
            Ok(judged) => (Ok(judged.job), judged.asks),
            Err(refusal) => (Err(refusal), None),
        }
    }
}

impl Run<'_, '_> {
    /// Runs the calls of one answer; a response to each, in their order.
    pub(super) fn use_tools(&mut self, calls: Vec<Call>) -> Vec<Part> {
        if calls.is_empty() {
            return Vec::new();
        }
        let mut tickets: Vec<_> = calls
            .into_iter()
            .enumerate()
            .map(|(at, call)| self.ticket(at, call))
            .collect();
        let mut from = 0;
        while from < tickets.len() {
            let n_together = together(tickets.get(from..).unwrap_or_default());
            let batch = tickets.get_mut(from..from + n_together).unwrap_or_default();
            for ticket in &mut *batch {
                if from > 0 {
                    self.judge_again(ticket);
                }
                self.keep_to_the_time(ticket);
                self.keep_to_the_plan(ticket);
                self.before_tool(ticket);
                self.keep_to_the_time(ticket);
                self.approve(ticket);
            }
            self.toolbox.limits.whole_ms = self.left_ms();
            if let [ticket] = &mut *batch
                && let Ok(Job::Agent(order)) = &ticket.job
            {
                ticket.done = Some(self.send(&ticket.call, order));
            } else {
                self.run_batch(batch);
            }
            let dones = batch.iter().filter_map(|ticket| ticket.done.as_ref());
            self.course.waited(dones.map(|done| done.waited_ms).sum());
            batch.iter_mut().for_each(|ticket| self.after_tool(ticket));
            self.note_the_plan(batch);
            self.note_the_skills(batch);
            let saves = |ticket: &Ticket| matches!(ticket.job, Ok(Job::Save(_) | Job::Agent(_)));
            self.has_saved |= batch.iter().any(saves);
            from += n_together;
        }
        self.answer_all(tickets)
    }

    fn ticket(&mut self, at: usize, call: Call) -> Ticket {
        let id = call.id.as_deref().unwrap_or_default();
        (self.tell)(Tell::Uses {
            id,
            name: &call.name,
            args: &call.args,
        });
        self.noticed(Happening::ToolCallScheduled);
        let judged = match at < MAX_CALLS {
            true => self.toolbox.judge(&self.world, &self.flags, &call),
            false => {
                let message = format!(
                    "Only {MAX_CALLS} calls are made at once; call it again in the next turn."
                );
                Err(Refusal::new(RefusalKind::BadArguments, message))
            }
        };
        let (job, asks) = Judged::parted(judged);
        let ticket = Ticket {
            call,
            job,
            asks,
            decision: None,
            done: None,
            made_with: None,
            notes: Vec::new(),
        };
        self.notify(&ticket);
        ticket
    }

    /// Judges a call once more after others of the same answer were made: one of them may have put a link where this one
    /// writes.
    fn judge_again(&mut self, ticket: &mut Ticket) {
        if ticket.job.is_err() {
            return;
        }
        let was_asked = ticket.asks.is_some();
        let judged = self.toolbox.judge(&self.world, &self.flags, &ticket.call);
        (ticket.job, ticket.asks) = Judged::parted(judged);
        if !was_asked {
            self.notify(ticket);
        }
    }

    /// Begins nothing for which there is no time left: the calls and the hooks before it may have taken all of it.
    fn keep_to_the_time(&self, ticket: &mut Ticket) {
        if ticket.job.is_ok() && self.is_late() {
            let message = "This was not run: your time is over.";
            ticket.job = Err(Refusal::new(RefusalKind::Denied, message));
        }
    }

    fn keep_to_the_plan(&self, ticket: &mut Ticket) {
        if let Ok(job) = &ticket.job
            && let Err(refusal) = self.toolbox.keep_to_the_plan(&self.world, job)
        {
            ticket.job = Err(refusal);
        }
    }

    fn note_the_plan(&mut self, batch: &[Ticket]) {
        let mut dones = batch.iter().filter_map(|ticket| ticket.done.as_ref());
        if let (Mode::Plan, Some(path)) = (
            self.toolbox.mode,
            dones.find_map(|done| done.wrote.as_ref()),
        ) {
            self.toolbox.plan = Some(path.clone());
        }
    }

    fn note_the_skills(&mut self, batch: &[Ticket]) {
        for ticket in batch {
            let result = ticket.done.as_ref().map(|done| &done.result);
            if let (Ok(Job::Skill(skill)), Some(Ok(output))) = (&ticket.job, result) {
                self.has_activated(skill, output.text.clone());
            }
        }
    }

    /// Runs calls that do not get into each other's way, each on a thread of its own.
    fn run_batch(&mut self, batch: &mut [Ticket]) {
        let performer = Performer {
            world: self.world,
            flags: self.flags,
            toolbox: &self.toolbox,
            profile: self.prepared.settings.profile,
            cancel: &self.cancel,
        };
        let (send, receive) = mpsc::sync_channel(MAX_UNHEARD);
        let tell = &mut *self.tell;
        thread::scope(|scope| {
            for (at, ticket) in batch.iter().enumerate() {
                let Ok(job) = &ticket.job else { continue };
                let asks = ticket.asks.as_deref();
                let args = ticket.made_with.as_ref().unwrap_or(&ticket.call.args);
                let (send, performer) = (send.clone(), &performer);
                scope.spawn(move || {
                    // Who hears it is gone only if everything is.
                    let mut hear = |text: &str| drop(send.send(News::Prints(at, text.to_owned())));
                    let done = performer.perform(job, args, asks, &mut hear);
                    drop(send.send(News::Done(at, Box::new(done))));
                });
            }
            drop(send);
            let mut dones: Vec<Option<Done>> = batch.iter().map(|_| None).collect();
            for news in receive {
                match news {
                    News::Prints(at, text) => {
                        let id = batch.get(at).and_then(|ticket| ticket.call.id.as_deref());
                        tell(Tell::Prints {
                            id: id.unwrap_or_default(),
                            text: &text,
                        });
                    }
                    News::Done(at, done) => {
                        if let Some(slot) = dones.get_mut(at) {
                            *slot = Some(*done);
                        }
                    }
                }
            }
            dones
        })
        .into_iter()
        .zip(batch)
        .for_each(|(done, ticket)| ticket.done = done);
    }
}

/// How many calls from here on can run at the same time: all that only look, or one.
fn together(tickets: &[Ticket]) -> usize {
    let looks = |ticket: &&Ticket| ticket.job.as_ref().map_or(true, Job::only_looks);
    let n_looking = tickets.iter().take_while(looks).count();
    n_looking.clamp(1, MAX_AT_ONCE)
}

#[cfg(test)]
mod tests;
