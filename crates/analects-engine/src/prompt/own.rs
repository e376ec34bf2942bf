//! The sections that are our own words, and what a user's own system prompt may ask of us.

use std::borrow::Cow;

use analects_text::{sanitize, truncate};
use analects_world::Surroundings;

use super::fill::fill;
use super::template::{self, Part};
use super::{Audience, Mode, PromptOptions, Roster, SAVE_MEMORY, SkillLine, Writer};

/// Our own sections in order; `GEMINI_PROMPT_<NAME>=0` leaves one out, unless it is `memory_rules`.
pub const OWN_SECTIONS: [&str; 10] = [
    "preamble",
    "core_mandates",
    "primary_workflows",
    "planning_workflow",
    "tool_use",
    "operational_guidelines",
    "memory_rules",
    "remembering",
    SKILLS,
    ACTIVATED,
];

pub(super) const TEMPLATE: &str = include_str!("../../prompts/system.md");

/// Which of our own sections are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// All of them: the prompt is ours.
    All,
    /// Those that follow a prompt of the user's own, too.
    Lasting,
    /// Those that nobody can leave out, not even a sub-agent.
    Rules,
}

/// The sections that are wanted, filled in.
pub(super) fn sections(
    around: &Surroundings,
    options: &PromptOptions<'_>,
    which: Which,
) -> Vec<(&'static str, String)> {
    let holds = |condition: &str| holds(condition, options);
    let is_meant = |part: &Part<'_>| {
        let is_wanted = match which {
            Which::All => true,
            Which::Lasting => part.is_lasting,
            // A sub-agent that has skills is told of them.
            Which::Rules => part.is_fixed || [SKILLS, ACTIVATED].contains(&part.name),
        };
        is_wanted && part.condition.is_none_or(holds) && (part.is_fixed || is_on(around, part.name))
    };
    let wanted = template::parts(TEMPLATE).filter(is_meant);
    wanted
        .map(|part| (part.name, section(&part, options)))
        .collect()
}

fn section(part: &Part<'_>, options: &PromptOptions<'_>) -> String {
    let text = template::settled(part.body, |condition| holds(condition, options));
    fill(&text, "{", |name| match (name, options.mode) {
        ("tool", _) => Some(SAVE_MEMORY.to_owned()),
        ("plans_dir", Mode::Plan { dir }) => Some(sanitize::one_line(dir.as_str()).into_owned()),
        ("skills", _) => Some(skill_lines(options.roster.skills)),
        ("activated", _) => Some(options.roster.activated.join("\n\n")),
        _ => None,
    })
}

/// Whether a condition of the template holds: a word for the run, or the name of a tool that is there.
fn holds(condition: &str, options: &PromptOptions<'_>) -> bool {
    let Roster {
        tools,
        agents,
        skills,
        activated,
    } = &options.roster;
    let has_tool = |name: &str| tools.contains(&name);
    match condition {
        "present" => options.audience == Audience::Present,
        "absent" => options.audience == Audience::Absent,
        "usual" => options.mode == Mode::Usual,
        "plan" => options.mode != Mode::Usual,
        "direct" => options.writer == Writer::Direct && has_tool(SAVE_MEMORY),
        "manager" => {
            options.writer == Writer::Manager && agents.iter().any(|(name, _)| *name == SAVE_MEMORY)
        }
        "tools" => !tools.is_empty(),
        "skills" => !skills.is_empty(),
        "activated" => !activated.is_empty(),
        tool => has_tool(tool),
    }
}

/// Whether the user wants one of our sections. Gemini CLI writes their names without underscores.
fn is_on(around: &Surroundings, section: &str) -> bool {
    let name = section.to_ascii_uppercase();
    [name.replace('_', ""), name].iter().all(|name| {
        let said = around.var(&format!("GEMINI_PROMPT_{name}"));
        said.is_none_or(|said| !is_no(said.trim()))
    })
}

/// Whether a variable says no.
pub(super) fn is_no(said: &str) -> bool {
    said == "0" || said.eq_ignore_ascii_case("false")
}

/// A line of a user's own system prompt with what it asks for filled in.
pub(super) fn substituted(
    line: &str,
    around: &Surroundings,
    options: &PromptOptions<'_>,
) -> String {
    let Roster {
        tools,
        agents,
        skills: _,
        activated: _,
    } = &options.roster;
    let list = |lines: Vec<String>| Some(lines.join("\n"));
    fill(line, "${", |name| match name {
        "AgentSkills" => Some(skills_block(around, options)),
        "SubAgents" => list(
            agents
                .iter()
                .map(|(n, does)| format!("- {n}: {does}"))
                .collect(),
        ),
        "AvailableTools" => list(tools.iter().map(|tool| format!("- {tool}")).collect()),
        _ => {
            let asked = name.strip_suffix("_ToolName")?;
            let known = tools.iter().find(|&&tool| tool == asked);
            known.map(|&tool| tool.to_owned())
        }
    })
}

const SKILLS: &str = "agent_skills";
const ACTIVATED: &str = "activated_skills";
/// What the description of one skill may cost.
const DESCRIPTION_TOKENS: usize = 300;

/// The section on skills, where it is wanted and there are any.
fn skills_block(around: &Surroundings, options: &PromptOptions<'_>) -> String {
    if options.roster.skills.is_empty() || !is_on(around, SKILLS) {
        return String::new();
    }
    let mut parts = template::parts(TEMPLATE);
    let part = parts.find(|part| part.name == SKILLS);
    part.map_or_else(String::new, |part| section(&part, options))
}

fn skill_lines(skills: &[SkillLine]) -> String {
    let line = |skill: &SkillLine| {
        let description = truncate::head(&skill.description, DESCRIPTION_TOKENS);
        // Where there are very many, some are only named.
        let description = match description.is_empty() {
            true => String::new(),
            false => format!("<description>{}</description>\n", escaped(description)),
        };
        format!(
            "<skill>\n<name>{}</name>\n{description}<location>{}</location>\n</skill>",
            escaped(&skill.name),
            escaped(&skill.location)
        )
    };
    let lines: Vec<_> = skills.iter().map(line).collect();
    lines.join("\n")
}

/// `text` inside a tag: on one line, and unable to end it.
fn escaped(text: &str) -> String {
    let line: Cow<'_, str> = sanitize::one_line(text);
    line.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
