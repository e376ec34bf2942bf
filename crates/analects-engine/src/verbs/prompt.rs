//! `prompt`: the assembled system prompt, and which file and line said what.

use analects_agent::tools::activate_skill;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::{self, Problem, TrustAnswer};
use super::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::prompt::{self, Audience, Mode, PromptOptions, Roster, Writer};
use crate::{World, load_memory, skills};

/// Show the system prompt that a conversation here would begin with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Prompt {
    /// Show which file and line each section came from instead of the text.
    #[arg(long)]
    pub sources: bool,
    /// Assemble it for a run in which nobody can be asked.
    #[arg(long)]
    pub headless: bool,
}

/// A system prompt and its parts.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Assembled {
    /// The version of this answer.
    pub schema_version: u32,
    /// Whether the project's own memory was read.
    pub trusted: bool,
    /// Why.
    pub trust: TrustAnswer,
    /// The project's root.
    pub root: String,
    /// The prompt.
    pub system: String,
    /// What it costs.
    pub tokens: usize,
    /// Its sections in order; the tags around memory belong to none.
    pub sections: Vec<Section>,
    /// What went wrong.
    pub problems: Vec<Problem>,
    /// The file it was written to, where `GEMINI_WRITE_SYSTEM_MD` names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
    /// Whether a person asked for the sections instead of the text; JSON has both.
    #[serde(skip)]
    pub is_map: bool,
}

/// One section. Lines count from one.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    /// What it is.
    pub name: String,
    /// The file it came from; `analects` if the words are our own.
    pub source: String,
    /// What it costs.
    pub tokens: usize,
    /// Its first line in `system`.
    pub start_line: usize,
    /// Its last line in `system`.
    pub end_line: usize,
    /// The files and lines behind it, imports included; markers and notes of ours have none.
    pub spans: Vec<Span>,
}

/// Lines of `system` that came from one file.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Span {
    /// The first line in `system`.
    pub start_line: usize,
    /// The last line in `system`.
    pub end_line: usize,
    /// The file.
    pub source: String,
    /// The first line in the file.
    pub source_start_line: usize,
    /// The last line in the file.
    pub source_end_line: usize,
}

impl Verb for Prompt {
    const NAME: &'static str = "prompt";
    type Answer = Assembled;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Assembled, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let started = prepared.start(*world);
        let writer = Writer::of(&prepared.settings);
        let audience = match self.headless {
            true => Audience::Absent,
            false => Audience::Present,
        };
        let found = skills::find(world, &prepared);
        let lines = skills::lines(&found.offered());
        let mut roster = Roster::of_talk(writer, audience);
        if !lines.is_empty() {
            roster.tools.push(activate_skill::NAME);
        }
        let options = PromptOptions {
            audience,
            writer,
            mode: Mode::Usual,
            roster: Roster {
                skills: &lines,
                ..roster
            },
            own: None,
        };
        let prompt = prompt::assemble(world, &prepared, &started, &options)?;
        let written = prompt::keep(world, flags, &prepared, &prompt)?;
        let mut problems = answer::problems(&started.problems);
        problems.extend(answer::problems(&prompt.problems));
        problems.extend(answer::problems(&found.problems));
        Ok(Assembled {
            schema_version: SCHEMA_VERSION,
            trusted: answer::is_trusted(&prepared.decision),
            trust: (&prepared.decision).into(),
            root: prepared.root.to_string(),
            system: prompt.system,
            tokens: prompt.tokens,
            sections: prompt.sections.into_iter().map(Section::from).collect(),
            problems,
            written: written.map(|path| path.to_string()),
            is_map: self.sources,
        })
    }
}

impl From<prompt::Section> for Section {
    fn from(section: prompt::Section) -> Self {
        let source = section.source.map(|path| path.to_string());
        Self {
            name: section.name,
            source: source.unwrap_or_else(|| "analects".to_owned()),
            tokens: section.tokens,
            start_line: section.start_line,
            end_line: section.end_line,
            spans: section.spans.into_iter().map(Span::from).collect(),
        }
    }
}

impl From<prompt::Span> for Span {
    fn from(span: prompt::Span) -> Self {
        Self {
            start_line: span.start_line,
            end_line: span.end_line,
            source: span.path.to_string(),
            source_start_line: span.source_start_line,
            source_end_line: span.source_end_line,
        }
    }
}
