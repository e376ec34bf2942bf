//! The system prompt: base text, rules about memory, skills, memory, and which file said what.
//!
//! Our own sections are joined with blank lines; memory follows as the memory room renders it. Nothing
//! that a user wrote is reflowed. A `system.md` of the user's takes the place of our own sections, except for
//! those that last: the rules about memory, remembering, and what plan mode is.

mod custom;
pub(crate) mod fill;
mod keep;
mod own;
mod page;
mod template;

use analects_memory::{render, trace};
use analects_text::problem::Problem;
use analects_text::tokens;
use analects_world::AbsPath;

use crate::World;
use crate::load_memory::{Prepared, Started};
use crate::settings::{Settings, keys};
use crate::verbs::Failure;
use own::Which;
use page::Page;

pub use keep::keep;

pub use own::OWN_SECTIONS;

/// Whether somebody can answer while the model works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Audience {
    /// A user at a terminal.
    Present,
    /// Nobody: a script, a pipeline.
    #[default]
    Absent,
}

/// Who writes memory in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// The model, with a tool.
    Direct,
    /// An agent that the model delegates to.
    Manager,
}

/// What the model may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode<'a> {
    /// What the policy allows.
    Usual,
    /// Only look, and write a plan.
    Plan {
        /// Where the plan goes.
        dir: &'a AbsPath,
    },
}

/// The tool of the direct writer, and the agent of the other.
pub const SAVE_MEMORY: &str = "save_memory";
/// The tool that needs somebody who answers.
const ASK_USER: &str = "ask_user";

/// The tools of a talk, whoever writes memory.
const TOOLS: [&str; 9] = [
    "read_file",
    "read_many_files",
    "write_file",
    "replace",
    "list_directory",
    "glob",
    "grep_search",
    "run_shell_command",
    ASK_USER,
];

/// What the model can call on, as the prompt should name it.
#[derive(Debug, Clone, Default)]
pub struct Roster<'a> {
    /// Names of tools.
    pub tools: Vec<&'a str>,
    /// Agents to delegate to, by name, each with a sentence about it.
    pub agents: Vec<(&'a str, &'a str)>,
    /// Skills that can be activated.
    pub skills: &'a [SkillLine],
    /// What skills say that were activated before, and that the history does not say any more.
    pub activated: &'a [String],
}

/// A skill as the prompt offers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillLine {
    /// What it is called.
    pub name: String,
    /// When to use it.
    pub description: String,
    /// Where it lies.
    pub location: String,
}

/// What a prompt is assembled for.
#[derive(Debug)]
pub struct PromptOptions<'a> {
    /// Whether questions can be asked.
    pub audience: Audience,
    /// Who writes memory.
    pub writer: Writer,
    /// What the model may do.
    pub mode: Mode<'a>,
    /// What the model can call on.
    pub roster: Roster<'a>,
    /// What a sub-agent is told, in the place of our own sections and of the user's.
    pub own: Option<&'a str>,
}

/// An assembled prompt.
#[derive(Debug)]
pub struct Prompt {
    /// The text.
    pub system: String,
    /// What it costs.
    pub tokens: usize,
    /// Its parts in order.
    pub sections: Vec<Section>,
    /// What was wrong with the user's own system prompt.
    pub problems: Vec<Problem>,
    /// The file that `GEMINI_WRITE_SYSTEM_MD` wants the text in.
    pub write_to: Option<AbsPath>,
}

/// One part of a prompt. Lines count from one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it is.
    pub name: String,
    /// The file it came from; ours if none.
    pub source: Option<AbsPath>,
    /// What it costs.
    pub tokens: usize,
    /// Its first line in the prompt.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
    /// The files and lines behind its lines, imports included.
    pub spans: Vec<Span>,
}

/// Lines of a prompt, and the lines of the file they came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The first line in the prompt.
    pub start_line: usize,
    /// The last line in the prompt.
    pub end_line: usize,
    /// The file.
    pub path: AbsPath,
    /// The first line in the file.
    pub source_start_line: usize,
    /// The last line in the file.
    pub source_end_line: usize,
}

/// Puts the prompt together.
pub fn assemble(
    world: &World<'_>,
    prepared: &Prepared,
    started: &Started<'_>,
    options: &PromptOptions<'_>,
) -> Result<Prompt, Failure> {
    let mut page = Page::default();
    let mut problems = Vec::new();
    let mut which = Which::All;
    if let Some(own) = options.own {
        page.add("agent", own);
        which = Which::Rules;
    } else if let Some(path) = custom::named_by(world.around, "GEMINI_SYSTEM_MD") {
        let text = custom::read(world, prepared, &path, &mut problems)?;
        page.add_file("system", &path, &text, |line| {
            own::substituted(line, world.around, options)
        });
        which = Which::Lasting;
    }
    for (name, text) in own::sections(world.around, options, which) {
        page.add(name, &text);
    }
    add_memory(&mut page, prepared, started);
    Ok(Prompt {
        tokens: tokens::estimate(&page.text),
        system: page.text,
        sections: page.sections,
        problems,
        write_to: custom::named_by(world.around, "GEMINI_WRITE_SYSTEM_MD"),
    })
}

fn add_memory(page: &mut Page, prepared: &Prepared, started: &Started<'_>) {
    let rendered = render::render(&started.stack, prepared.settings.profile);
    // The blank line before it is ours to set.
    let text = rendered.text.trim_start_matches('\n');
    if text.is_empty() {
        return;
    }
    let n_dropped = rendered.text.len() - text.len();
    let n_before = page.begin();
    let moved = |line: usize| line + n_before - n_dropped;
    page.say(text);
    // A section that has a source is a block; both stand in one order.
    let mut blocks = started.stack.layers.iter().flat_map(|layer| &layer.blocks);
    for section in rendered.sections {
        let block = section.source.as_ref().and_then(|_| blocks.next());
        let file = block.and_then(|block| started.loaded.iter().find(|f| f.path == block.path));
        let start_line = moved(section.start_line);
        let span = |span: trace::Span| Span {
            start_line: span.start_line + start_line - 1,
            end_line: span.end_line + start_line - 1,
            source_start_line: span.source_line,
            source_end_line: span.source_end_line(),
            path: span.path,
        };
        let spans = block
            .zip(file)
            .map(|(block, file)| trace::trace(&block.text, file));
        page.sections.push(Section {
            name: section.name,
            source: block.map(|block| block.path.clone()),
            tokens: section.tokens,
            start_line,
            end_line: moved(section.end_line),
            spans: spans.into_iter().flatten().map(span).collect(),
        });
    }
}

impl Writer {
    /// The writer that the settings ask for.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        match settings.text(&keys::WRITER) {
            "manager" => Self::Manager,
            _ => Self::Direct,
        }
    }
}

impl Roster<'static> {
    /// What the model can call on in a talk.
    #[must_use]
    pub fn of_talk(writer: Writer, audience: Audience) -> Self {
        let is_offered = |tool: &&str| *tool != ASK_USER || audience == Audience::Present;
        let mut roster = Self {
            tools: TOOLS.into_iter().filter(is_offered).collect(),
            ..Self::default()
        };
        match writer {
            Writer::Direct => roster.tools.push(SAVE_MEMORY),
            Writer::Manager => roster.agents.push((
                SAVE_MEMORY,
                "keeps memory: adds, corrects, merges and removes facts",
            )),
        }
        roster
    }
}

#[cfg(test)]
mod tests;
