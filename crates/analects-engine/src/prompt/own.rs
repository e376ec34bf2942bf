//! The sections that are our own words, and what a user's own system prompt may ask of us.

use std::borrow::Cow;

use analects_text::{sanitize, truncate};
use analects_world::Surroundings;

use super::fill::fill;
use super::{Audience, PromptOptions, Roster, SAVE_MEMORY, SkillLine, Writer};

/// Our own sections in order; `GEMINI_PROMPT_<NAME>=0` leaves one out.
pub const OWN_SECTIONS: [&str; 6] = [
    "preamble",
    "core_mandates",
    "primary_workflows",
    "operational_guidelines",
    "remembering",
    "agent_skills",
];

/// The sections that are wanted, filled in.
pub(super) fn sections(
    around: &Surroundings,
    options: &PromptOptions<'_>,
) -> Vec<(&'static str, String)> {
    let wanted = OWN_SECTIONS.into_iter().filter(|name| is_on(around, name));
    wanted.map(|name| (name, section(name, options))).collect()
}

fn section(name: &str, options: &PromptOptions<'_>) -> String {
    let template = match (name, options.writer) {
        ("preamble", _) => include_str!("../../prompts/preamble.md"),
        ("core_mandates", _) => include_str!("../../prompts/core-mandates.md"),
        ("primary_workflows", _) => include_str!("../../prompts/primary-workflows.md"),
        ("operational_guidelines", _) => include_str!("../../prompts/operational-guidelines.md"),
        ("remembering", Writer::Direct) => include_str!("../../prompts/remember-direct.md"),
        ("remembering", Writer::Manager) => include_str!("../../prompts/remember-manager.md"),
        _ => return skills(options.roster.skills),
    };
    fill(template, "{", |name| {
        let text = match (name, options.audience) {
            ("tool", _) => SAVE_MEMORY,
            ("setting", Audience::Present) => {
                "The user is at hand: ask where the answer would change what you do."
            }
            ("setting", Audience::Absent) => {
                "Nobody can answer questions during this run: take the most careful reading of the task, \
                 and say in your result what you assumed."
            }
            ("consent", Audience::Present) => "say what you intend and wait for a yes",
            ("consent", Audience::Absent) => {
                "stop and report it instead, unless the task asks for exactly that step"
            }
            ("stuck", Audience::Present) => "ask",
            ("stuck", Audience::Absent) => "report what you know",
            ("if_unsure", Audience::Present) => {
                "If you are not sure whether something is worth keeping, or where, ask the user first."
            }
            ("if_unsure", Audience::Absent) => {
                "Nobody can be asked in this run: if you are not sure whether something is worth keeping, \
                 or where, do not store it, and mention it in your result instead."
            }
            _ => return None,
        };
        Some(text.to_owned())
    })
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
        skills: offered,
    } = &options.roster;
    let list = |lines: Vec<String>| Some(lines.join("\n"));
    fill(line, "${", |name| match name {
        "AgentSkills" if is_on(around, "agent_skills") => {
            Some(skills(offered).trim_end().to_owned())
        }
        "AgentSkills" => Some(String::new()),
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

/// What the description of one skill may cost.
const DESCRIPTION_TOKENS: usize = 300;

/// The skills block; nothing if there are none.
fn skills(skills: &[SkillLine]) -> String {
    if skills.is_empty() {
        return String::new();
    }
    let line = |skill: &SkillLine| {
        let description = truncate::head(&skill.description, DESCRIPTION_TOKENS);
        format!(
            "<skill>\n<name>{}</name>\n<description>{}</description>\n<location>{}</location>\n</skill>",
            escaped(&skill.name),
            escaped(description),
            escaped(&skill.location)
        )
    };
    let lines: Vec<_> = skills.iter().map(line).collect();
    let template = include_str!("../../prompts/skills.md");
    fill(template, "{", |name| {
        (name == "skills").then(|| lines.join("\n"))
    })
}

/// `text` inside of a tag: on one line, and unable to end it.
fn escaped(text: &str) -> String {
    let line: Cow<'_, str> = sanitize::one_line(text);
    line.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
