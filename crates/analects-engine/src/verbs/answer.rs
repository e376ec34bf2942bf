//! Pieces that several answers share.

use analects_memory::discover::Trust;
use analects_memory::import::ImportNode;
use analects_memory::layer::Layer;
use analects_memory::load::Loaded;
use analects_memory::stack::Block;
use analects_text::problem;
use schemars::JsonSchema;
use serde::Serialize;

use crate::trust::{Decision, Reason};

/// Something that went wrong on the way to an answer.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// `note`, `warning` or `error`.
    pub severity: String,
    /// Stable name of this kind of problem.
    pub code: String,
    /// The file it was found in.
    pub path: Option<String>,
    /// The line in that file, counted from one.
    pub line: Option<usize>,
    /// What happened.
    pub message: String,
}

/// Why a folder is trusted or not.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct TrustAnswer {
    /// `flag`, `environment`, `feature-off`, `rule`, `undecided` or `bad-file`.
    pub reason: String,
    /// The directory the deciding rule is about.
    pub rule: Option<String>,
}

/// How a file came into the context.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Via {
    /// Found at start.
    Start,
    /// Brought in by a path that was touched.
    Jit,
    /// Imported by another file.
    Import,
}

/// The four layers.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum LayerName {
    /// The user's own, for every project.
    Global,
    /// The user's own notes on this project.
    UserProject,
    /// What extensions bring along.
    Extension,
    /// What the project says.
    Project,
}

/// A memory file in use.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct File {
    /// Its absolute path.
    pub path: String,
    /// What it is called in the prompt; an import is called as it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its length on disk.
    pub bytes: u64,
    /// What it costs in the context, imports included.
    pub tokens: usize,
    /// How much of it was left out to keep its layer in budget.
    #[serde(skip_serializing_if = "is_zero")]
    pub cut_tokens: usize,
    /// How it came in.
    pub via: Via,
    /// What it imported.
    pub imports: Vec<Self>,
    /// Its text with imports in place, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

/// A file that was left out because another one says the same.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Duplicate {
    /// The file left out.
    pub path: String,
    /// The file that stands for it.
    pub same_as: String,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature serde asks for"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl From<&problem::Problem> for Problem {
    fn from(problem: &problem::Problem) -> Self {
        Self {
            severity: problem.code.severity.as_str().to_owned(),
            code: problem.code.name.to_owned(),
            path: problem.path.clone(),
            line: problem.line,
            message: problem.message.clone(),
        }
    }
}

impl From<Layer> for LayerName {
    fn from(layer: Layer) -> Self {
        match layer {
            Layer::Global => Self::Global,
            Layer::Private => Self::UserProject,
            Layer::Extension => Self::Extension,
            Layer::Project => Self::Project,
        }
    }
}

impl From<&Decision> for TrustAnswer {
    fn from(decision: &Decision) -> Self {
        let (reason, rule) = match &decision.reason {
            Reason::Flag => ("flag", None),
            Reason::Environment => ("environment", None),
            Reason::FeatureOff => ("feature-off", None),
            Reason::Rule(about) => ("rule", Some(about.to_string())),
            Reason::Undecided => ("undecided", None),
            Reason::BadFile => ("bad-file", None),
            Reason::OtherRepository(about) => ("other-repository", Some(about.to_string())),
            Reason::ForeignOwner(dir) => ("foreign-owner", Some(dir.to_string())),
        };
        Self {
            reason: reason.to_owned(),
            rule,
        }
    }
}

impl File {
    /// A file found at start, as its block enters the context; a blank file has none.
    pub(super) fn start(loaded: &Loaded, block: Option<&Block>) -> Self {
        Self {
            path: loaded.path.to_string(),
            label: Some(loaded.label.clone()),
            bytes: loaded.bytes,
            tokens: block.map_or(0, |block| block.tokens),
            cut_tokens: block.map_or(0, |block| block.cut_tokens),
            via: Via::Start,
            imports: loaded.imports.iter().map(Self::import).collect(),
            content: None,
        }
    }

    fn import(node: &ImportNode) -> Self {
        let imports: Vec<_> = node.imports.iter().map(Self::import).collect();
        Self {
            path: node.path.to_string(),
            label: None,
            bytes: node.bytes,
            tokens: node.tokens + imports.iter().map(|import| import.tokens).sum::<usize>(),
            cut_tokens: 0,
            via: Via::Import,
            imports,
            content: None,
        }
    }
}

/// Problems as answers show them.
pub(super) fn problems(problems: &[problem::Problem]) -> Vec<Problem> {
    problems.iter().map(Problem::from).collect()
}

/// Whether a decision trusts.
pub(super) fn is_trusted(decision: &Decision) -> bool {
    decision.trust == Trust::Trusted
}
