//! The definition of a sub-agent.

mod read;
mod tools;

use serde_json::{Map, Value, json};

use super::template::{self, TemplateError};

pub use read::{LIMIT_BYTES, Reading, read};
pub use tools::Toolset;

/// A sub-agent, as it is written down in code or in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// Its name: small letters, digits, `-` and `_`.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// What it is for, as the main model is told.
    pub description: String,
    /// Its system text; `${word}` stands for an input of that name.
    pub prompt: String,
    /// Its first message; `${word}` stands for an input of that name.
    pub query: String,
    /// The schema of its inputs: an object.
    pub input: Value,
    /// What it answers.
    pub output: Output,
    /// Which tools it has.
    pub tools: Toolset,
    /// Its model, by name or alias; that of the main agent if nothing is said.
    pub model: Option<String>,
    /// How freely it speaks.
    pub temperature: Option<f64>,
    /// How long it may take.
    pub limits: super::Limits,
}

/// What a sub-agent answers with.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The argument of `complete_task` that holds it.
    pub name: String,
    /// What it is, for the model.
    pub description: String,
    /// Its schema.
    pub schema: Value,
}

/// What every text of a sub-agent can name besides its inputs.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// `${cliVersion}`: our version.
    pub cli_version: &'a str,
    /// `${activeModel}`: the model that it runs on.
    pub active_model: &'a str,
    /// `${today}`: the date.
    pub today: &'a str,
}

/// Words that every text of a sub-agent can name.
pub(super) const SURROUNDINGS: [&str; 3] = ["cliVersion", "activeModel", "today"];

/// The first message of whoever is sent without one.
const GET_STARTED: &str = "Get Started!";

const RULES: &str = include_str!("../../prompts/rules.md");

impl Definition {
    /// Its system text: its own, then what is said about where it works, then what holds for every sub-agent.
    ///
    /// `sections` stand in the middle in their order, as they are: memory, the environment, skills. Whoever makes them
    /// has to see to it that they are harmless.
    pub fn system(
        &self,
        inputs: &Map<String, Value>,
        around: &Surroundings<'_>,
        sections: &[&str],
    ) -> Result<String, TemplateError> {
        let own = template::fill(&self.prompt, &all(inputs, around))?;
        let sections = sections.iter().map(|section| section.trim());
        let parts = std::iter::once(own.trim())
            .chain(sections)
            .chain(std::iter::once(RULES.trim()));
        let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
        Ok(parts.join("\n\n"))
    }

    /// Its first message.
    pub fn first_message(
        &self,
        inputs: &Map<String, Value>,
        around: &Surroundings<'_>,
    ) -> Result<String, TemplateError> {
        let text = template::fill(&self.query, &all(inputs, around))?;
        Ok(match text.trim().is_empty() {
            true => GET_STARTED.to_owned(),
            false => text,
        })
    }

    /// The input that takes what somebody says in words: the only one that is text and has to be there, or else the
    /// only one that is text.
    #[must_use]
    pub fn main_input(&self) -> Option<&str> {
        let required = self.input["required"].as_array();
        let is_required =
            |name: &str| required.is_some_and(|names| names.iter().any(|n| n == name));
        let properties = self.input["properties"].as_object()?;
        let texts = properties
            .iter()
            .filter(|(_, schema)| schema["type"] == "string")
            .map(|(name, _)| name.as_str());
        only(texts.clone().filter(|name| is_required(name))).or_else(|| only(texts))
    }
}

impl Output {
    /// Words, in the argument `result`.
    #[must_use]
    pub fn usual() -> Self {
        Self {
            name: "result".to_owned(),
            description: "What came of it, whole and in words that stand on their own.".to_owned(),
            schema: json!({ "type": "string" }),
        }
    }
}

/// Inputs with what surrounds them. Nobody gives an input a name of ours.
fn all(inputs: &Map<String, Value>, around: &Surroundings<'_>) -> Map<String, Value> {
    let mut all = inputs.clone();
    let values = [around.cli_version, around.active_model, around.today];
    let words = SURROUNDINGS.iter().zip(values);
    all.extend(words.map(|(word, value)| ((*word).to_owned(), value.into())));
    all
}

fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests;
