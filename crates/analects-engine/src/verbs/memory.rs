//! `memory show`, `memory list`, `memory cost`: what is remembered here, from where, at what cost.

mod history;
pub mod inbox;
mod search;
mod tidy;
mod write;

use std::collections::HashMap;

use analects_memory::load::Loaded;
use analects_memory::render;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::{self, Duplicate, File, LayerName, Problem, TrustAnswer};
use super::{Failure, Flags, SCHEMA_VERSION, Verb};
use crate::World;
use crate::find_entries;
use crate::load_memory::{self, Prepared, Started};
use crate::reload;
use crate::settings::keys;

pub use history::{Log, LogAnswer, LoggedChange, LoggedFileChange, Undo, UndoAnswer};
pub use search::{EntryAnswer, Search, SearchAnswer};
pub use tidy::{Tidy, TidyAnswer, TidyKind, TidyStep};
pub use write::{Add, Added, ChangedEntry, Edit, Forget, Move, Scope};

/// Show the memory that applies here, as one text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Show {
    /// Show it the way it stands in the system prompt, with tags and closing sentences.
    #[arg(long)]
    pub tagged: bool,
}

/// List the memory files that apply here, layer by layer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct List {
    /// List the entries of the files too, each with its id.
    #[arg(long)]
    pub entries: bool,
}

/// Show what each layer and file costs in tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Cost {}

/// Load memory anew, and show what changed since the last time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Reload {}

/// The memory files in use.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// The version of this answer.
    pub schema_version: u32,
    /// Whether the project's own memory was read.
    pub trusted: bool,
    /// Why.
    pub trust: TrustAnswer,
    /// The project's root.
    pub root: String,
    /// All four layers, in reading order.
    pub layers: Vec<ListedLayer>,
    /// The entries of these files, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<EntryAnswer>>,
    /// Files left out because another one says the same.
    pub duplicates: Vec<Duplicate>,
    /// What went wrong.
    pub problems: Vec<Problem>,
    /// What all layers cost together.
    pub total_tokens: usize,
}

/// One layer and its files.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct ListedLayer {
    /// Which one.
    pub layer: LayerName,
    /// Its files in reading order.
    pub files: Vec<File>,
    /// What it costs.
    pub tokens: usize,
}

/// The memory files in use, with their text.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// The files, each with its content.
    #[serde(flatten)]
    pub listed: Listed,
    /// All layers as one text.
    pub text: String,
    /// The parts of the text with their sources, if it was asked for with tags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
}

/// One part of a prompt.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    /// What it is.
    pub name: String,
    /// The file it came from.
    pub source: Option<String>,
    /// What it costs.
    pub tokens: usize,
}

/// What memory costs.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Costs {
    /// The files behind the costs.
    #[serde(flatten)]
    pub listed: Listed,
    /// The size of the context window.
    pub window_tokens: usize,
    /// What one layer may cost.
    pub layer_limit_tokens: usize,
}

/// What was loaded, and how it differs from the last time.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Reloaded {
    /// The files in use.
    #[serde(flatten)]
    pub listed: Listed,
    /// The length of the flattened text, in UTF-16 units as Gemini CLI counts it.
    pub characters: usize,
    /// Whether there was an earlier load to compare with.
    pub is_first: bool,
    /// Files that are new.
    pub added: Vec<String>,
    /// Files whose text is another.
    pub changed: Vec<String>,
    /// Files that are gone.
    pub removed: Vec<String>,
}

impl Verb for Reload {
    const NAME: &'static str = "memory reload";
    type Answer = Reloaded;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Reloaded, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let started = prepared.start(*world);
        let difference = reload::compare(world, flags, &prepared.root, &started)?;
        let text = started.stack.memory().flatten(prepared.settings.profile);
        Ok(Reloaded {
            listed: listed(&prepared, &started),
            characters: text.encode_utf16().count(),
            is_first: difference.is_first,
            added: difference.added,
            changed: difference.changed,
            removed: difference.removed,
        })
    }
}

impl Verb for Show {
    const NAME: &'static str = "memory show";
    type Answer = Shown;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Shown, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let started = prepared.start(*world);
        let mut listed = listed(&prepared, &started);
        let texts: HashMap<_, _> = started
            .loaded
            .iter()
            .map(|loaded| (loaded.path.as_str(), &loaded.text))
            .collect();
        for file in listed.layers.iter_mut().flat_map(|layer| &mut layer.files) {
            file.content = texts.get(file.path.as_str()).map(|&text| text.clone());
        }
        let profile = prepared.settings.profile;
        if !self.tagged {
            let text = started.stack.memory().flatten(profile);
            return Ok(Shown {
                listed,
                text,
                sections: Vec::new(),
            });
        }
        let rendered = render::render(&started.stack, profile);
        let section = |section: render::Section| Section {
            name: section.name,
            source: section.source,
            tokens: section.tokens,
        };
        let sections = rendered.sections.into_iter().map(section).collect();
        Ok(Shown {
            listed,
            text: rendered.text,
            sections,
        })
    }
}

impl Verb for List {
    const NAME: &'static str = "memory list";
    type Answer = Listed;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Listed, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let started = prepared.start(*world);
        let mut listed = listed(&prepared, &started);
        if self.entries {
            let all = find_entries::of(world, &started)?;
            listed.entries = Some(all.iter().map(EntryAnswer::from).collect());
        }
        Ok(listed)
    }
}

impl Verb for Cost {
    const NAME: &'static str = "memory cost";
    type Answer = Costs;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<Costs, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        Ok(Costs {
            listed: listed(&prepared, &prepared.start(*world)),
            window_tokens: prepared.settings.count(&keys::WINDOW_TOKENS).unwrap_or(0),
            layer_limit_tokens: prepared.layer_limit_tokens,
        })
    }
}

fn listed(prepared: &Prepared, started: &Started<'_>) -> Listed {
    let layers = started.stack.layers.iter().map(|layer| {
        let loaded = started
            .loaded
            .iter()
            .filter(|loaded| loaded.layer == layer.layer);
        // Blocks stand in the order of the files; a blank file has none.
        let mut blocks = layer.blocks.iter().peekable();
        let file = |loaded: &Loaded| {
            let block = blocks.next_if(|block| block.path == loaded.path);
            File::start(loaded, block)
        };
        let files = loaded.map(file).collect();
        ListedLayer {
            layer: layer.layer.into(),
            files,
            tokens: layer.tokens(),
        }
    });
    let duplicates = started.duplicates().iter().map(|duplicate| Duplicate {
        path: duplicate.path.to_string(),
        same_as: duplicate.same_as.to_string(),
    });
    Listed {
        schema_version: SCHEMA_VERSION,
        trusted: answer::is_trusted(&prepared.decision),
        trust: (&prepared.decision).into(),
        root: prepared.root.to_string(),
        layers: layers.collect(),
        entries: None,
        duplicates: duplicates.collect(),
        problems: answer::problems(&started.problems),
        total_tokens: started.stack.tokens(),
    }
}
