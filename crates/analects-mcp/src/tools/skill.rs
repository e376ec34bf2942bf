//! `activate_skill`: instructions for one kind of task, or which there are.

use analects_engine::skills;
use analects_engine::verbs::Failure;
use analects_memory::render::harmless;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Call, Told};

/// Which skill.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    /// The skill's name; without it, all skills are listed with what they are for.
    name: Option<String>,
}

/// A skill, or those that there are.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer {
    /// The skill that was activated.
    name: Option<String>,
    /// Its instructions.
    instructions: Option<String>,
    /// What lies in its directory, as a tree.
    resources: Option<String>,
    /// All skills, if none was named.
    skills: Vec<Skill>,
}

/// A skill that can be activated.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skill {
    /// What it is called.
    name: String,
    /// What it does and when to use it.
    description: String,
    /// Its `SKILL.md`, or where else it comes from.
    location: String,
}

pub(super) fn activate(call: &Call<'_>) -> Result<Told, Failure> {
    let arguments: Arguments = call.arguments()?;
    let Some(name) = arguments.name.filter(|name| !name.trim().is_empty()) else {
        return list(call);
    };
    let opened = skills::activate(call.world, call.flags, &name)?;
    let text = opened.told();
    let answer = Answer {
        name: Some(opened.name),
        instructions: Some(harmless(&opened.body).into_owned()),
        resources: Some(harmless(&opened.resources).into_owned()),
        skills: Vec::new(),
    };
    Ok(Told::new(text, &answer))
}

fn list(call: &Call<'_>) -> Result<Told, Failure> {
    let found = skills::usable(call.world, call.flags)?;
    let all: Vec<_> = found
        .offered()
        .into_iter()
        .map(|skill| Skill {
            location: skill.location(),
            description: harmless(&skill.description).into_owned(),
            name: skill.name,
        })
        .collect();
    let lines: Vec<_> = all
        .iter()
        .map(|skill| format!("- {}: {}", skill.name, one_line(&skill.description)))
        .collect();
    let text = match lines.is_empty() {
        true => "There are no skills here.".to_owned(),
        false => lines.join("\n"),
    };
    let answer = Answer {
        name: None,
        instructions: None,
        resources: None,
        skills: all,
    };
    Ok(Told::new(text, &answer))
}

fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    analects_text::sanitize::one_line(&words.join(" ")).into_owned()
}
