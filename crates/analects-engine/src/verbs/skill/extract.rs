//! `skill extract`.

use analects_world::Cancel;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{self, Mode, Occasion, Outcome, Report, Wish};
use crate::verbs::answer::{self, Problem};
use crate::verbs::session::when;
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::{World, load_memory};

/// Learn from past sessions: what was worked out twice waits in the inbox as a skill.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Extract {
    /// Only sessions of this day and later, or not longer ago than this: `2026-03-01`, `7d`, `12h`.
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// Those that were learned from before, too.
    #[arg(short, long)]
    pub all: bool,
    /// Ask a model as well, even if `memory.learn` does not.
    #[arg(short, long)]
    pub model: bool,
}

/// What was looked at, what was made of it, and why not more.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ExtractAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// Who learns: `off`, `local` or `model`.
    pub mode: String,
    /// How it went.
    pub status: Status,
    /// The same as a sentence.
    pub why: String,
    /// The sessions there are.
    pub sessions: SessionCounts,
    /// Those that a model would be shown, the new ones first.
    pub indexed: Vec<IndexedSession>,
    /// New skills that wait in the inbox, by name.
    pub skills: Vec<String>,
    /// Skills that waited, and say something else now.
    pub changed_skills: Vec<String>,
    /// Patches that wait in the inbox, by their ids there.
    pub patches: Vec<String>,
    /// What rests on text from outside only, and went into quarantine.
    pub quarantined: Vec<String>,
    /// How many sessions a model read.
    pub read: usize,
    /// How many turns it took.
    pub turns: usize,
    /// How many tokens it cost.
    pub tokens: u64,
    /// What a model would cost; `null` if none would be asked.
    pub estimate: Option<Estimate>,
    /// What went wrong.
    pub problems: Vec<Problem>,
}

/// How a run went.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Learning is switched off.
    Off,
    /// Somebody else is at it.
    Busy,
    /// It is too early.
    Resting,
    /// There is nothing new to learn from.
    NothingNew,
    /// There is, and this was a dry run.
    Planned,
    /// It was stopped.
    Stopped,
    /// It came to its end.
    Done,
}

/// How many sessions of this project there are.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct SessionCounts {
    /// Records of any agent.
    pub records: usize,
    /// Those that can be learned from.
    pub eligible: usize,
    /// Those of them that nobody learned from yet.
    pub new: usize,
    /// Left out: an agent held them.
    pub of_agents: usize,
    /// Left out: they may go on.
    pub busy: usize,
    /// Left out: too little was asked.
    pub short: usize,
    /// Left out: they are older than wanted.
    pub older: usize,
}

/// What a model would cost, before it is asked.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Estimate {
    /// The model.
    pub model: String,
    /// How many tokens, about, over all turns that it is likely to take.
    pub tokens: u64,
    /// How many of them it is told to begin with.
    pub opening_tokens: u64,
    /// How many sessions it is likely to read.
    pub reads: usize,
    /// What those cost, once.
    pub reads_tokens: u64,
    /// What was spent today on what nobody waits for; `null` if nobody knows.
    pub spent_today: Option<u64>,
    /// What may be spent a day.
    pub daily_ceiling: u64,
}

impl From<extract::Estimate> for Estimate {
    fn from(estimate: extract::Estimate) -> Self {
        Self {
            model: estimate.model,
            tokens: estimate.tokens,
            opening_tokens: estimate.opening_tokens,
            reads: estimate.n_reads,
            reads_tokens: estimate.reads_tokens,
            spent_today: estimate.spent_today,
            daily_ceiling: estimate.ceiling,
        }
    }
}

/// A session in the list that a model is shown.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct IndexedSession {
    /// Its id.
    pub id: String,
    /// Who held it: `gemini`, `claude` or `codex`.
    pub agent: String,
    /// The record.
    pub path: String,
    /// When something was last said.
    pub updated: Option<String>,
    /// How many prompts of a person it has.
    pub prompts: usize,
    /// What it was about.
    pub title: Option<String>,
    /// Whether nobody learned from it yet.
    pub is_new: bool,
}

impl Verb for Extract {
    const NAME: &'static str = "skill extract";
    type Answer = ExtractAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<ExtractAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let now_ms = world.clock.now_ms();
        let since = self.since.as_deref();
        let wish = Wish {
            occasion: Occasion::Asked,
            since: since.map(|text| when(text, now_ms)).transpose()?,
            all: self.all,
            model: self.model,
        };
        let report = extract::run(world, flags, &prepared, &wish, &Cancel::new())?;
        Ok(ExtractAnswer::from(report))
    }
}

impl From<Report> for ExtractAnswer {
    fn from(report: Report) -> Self {
        let survey = &report.survey;
        let indexed = report.indexed.iter().map(|session| IndexedSession {
            id: session.id.clone(),
            agent: session.agent.as_str().to_owned(),
            path: session.path.to_string(),
            updated: session.updated.map(|updated| updated.to_string()),
            prompts: session.n_prompts,
            title: session.headline.clone().or(session.workflow.clone()),
            is_new: session.mark.is_new(),
        });
        let (status, why) = told(&report);
        Self {
            schema_version: SCHEMA_VERSION,
            mode: report.mode.as_str().to_owned(),
            status,
            why,
            sessions: SessionCounts {
                records: survey.n_records,
                eligible: survey.sessions.len(),
                new: survey.n_new(),
                of_agents: survey.n_subagents,
                busy: survey.n_busy,
                short: survey.n_short,
                older: survey.n_older,
            },
            indexed: indexed.collect(),
            read: report.n_read,
            turns: report.n_turns,
            tokens: report.tokens,
            estimate: report.estimate.map(Estimate::from),
            problems: answer::problems(&report.problems),
            skills: report.skills,
            changed_skills: report.changed,
            patches: report.patches,
            quarantined: report.quarantined,
        }
    }
}

fn told(report: &Report) -> (Status, String) {
    match &report.outcome {
        Outcome::Off => (
            Status::Off,
            format!(
                "learning is switched off, by `memory.learn`, `--no-memory` or {}",
                extract::KILL_SWITCH
            ),
        ),
        Outcome::Busy(holder) => {
            let who = match holder.pid {
                Some(pid) => format!("process {pid}"),
                None => "another process".to_owned(),
            };
            (
                Status::Busy,
                format!("{who} is learning from these sessions"),
            )
        }
        Outcome::Resting { ms } => {
            let minutes = ms.div_ceil(60_000);
            (
                Status::Resting,
                format!("it is too early, by {minutes} min"),
            )
        }
        Outcome::NothingNew => (Status::NothingNew, nothing_new(report)),
        Outcome::Planned => (Status::Planned, planned(report)),
        Outcome::Stopped => (Status::Stopped, "it was stopped".to_owned()),
        Outcome::Done => (Status::Done, done(report)),
    }
}

fn nothing_new(report: &Report) -> String {
    let survey = &report.survey;
    if !survey.sessions.is_empty() {
        return "every session was learned from; `--all` does it again".to_owned();
    }
    match survey.n_records {
        0 => "there is no session of this project".to_owned(),
        _ => "no session is long enough and over since long enough".to_owned(),
    }
}

fn planned(report: &Report) -> String {
    let n_new = report.survey.n_new();
    let n_all = report.survey.sessions.len();
    match report.mode {
        Mode::Off | Mode::Local => format!("{n_new} of {n_all} sessions are new"),
        Mode::Model => {
            let n_shown = report.indexed.len();
            format!("{n_new} of {n_all} sessions are new; a model would be shown {n_shown}")
        }
    }
}

fn done(report: &Report) -> String {
    let made = [
        report.skills.len(),
        report.changed.len(),
        report.patches.len(),
        report.quarantined.len(),
    ];
    match made.iter().sum() {
        0usize => {
            "nothing in them was done often and surely enough to become a new skill; what waits, is installed or was \
             dismissed is not proposed again"
                .to_owned()
        }
        _ => "see what waits with `analects memory inbox list`".to_owned(),
    }
}
