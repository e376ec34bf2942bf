//! `context PATH…`: what a tool that touches a path would bring in.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::{self, LayerName, Problem, TrustAnswer};
use super::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::World;
use crate::load_memory;

/// Show what a tool that touches these paths would bring in.
///
/// That is the memory beside and above each path that is not loaded at start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Context {
    /// Files or directories, seen from the working directory; they need not exist yet.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
}

/// What the paths bring in together.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Brought {
    /// The version of this answer.
    pub schema_version: u32,
    /// Whether the project's own memory was read.
    pub trusted: bool,
    /// Why.
    pub trust: TrustAnswer,
    /// The new files, in the order in which they come in.
    pub fragments: Vec<Brings>,
    /// All of them as one text, as it would stand behind the tools' output.
    pub text: String,
    /// What that text costs.
    pub tokens: usize,
    /// What went wrong.
    pub problems: Vec<Problem>,
}

/// One memory file that a path brings in.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Brings {
    /// The memory file.
    pub path: String,
    /// Its layer.
    pub layer: LayerName,
    /// The path that brought it in, as given.
    pub touched: String,
    /// Its text between its markers.
    pub text: String,
    /// What it costs.
    pub tokens: usize,
}

impl Verb for Context {
    const NAME: &'static str = "context";
    type Answer = Brought;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Brought, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let mut started = prepared.start(*world);
        let mut problems = started.problems.clone();
        let mut fragments = Vec::new();
        let mut texts = Vec::new();
        let mut tokens = 0;
        for touched in &self.paths {
            let nearby = started.touch(&world.around.resolve(touched));
            tokens += nearby.tokens();
            texts.extend(Some(nearby.text()).filter(|text| !text.is_empty()));
            let new = nearby.problems.into_iter();
            let new: Vec<_> = new.filter(|new| !problems.contains(new)).collect();
            problems.extend(new);
            fragments.extend(nearby.fragments.into_iter().map(|fragment| Brings {
                path: fragment.block.path.to_string(),
                layer: fragment.layer.into(),
                touched: touched.clone(),
                text: fragment.block.text,
                tokens: fragment.block.tokens,
            }));
        }
        Ok(Brought {
            schema_version: SCHEMA_VERSION,
            trusted: answer::is_trusted(&prepared.decision),
            trust: (&prepared.decision).into(),
            fragments,
            text: texts.join("\n"),
            tokens,
            problems: answer::problems(&problems),
        })
    }
}
