//! `search_memory` and `get_memory`: the verbs `memory search` and `memory list`, and a layer's text.

use analects_engine::verbs::answer::{LayerName, Problem};
use analects_engine::verbs::memory::{EntryAnswer, List, ListedLayer, Search};
use analects_engine::verbs::{Failure, SCHEMA_VERSION, Verb};
use analects_memory::layer::Layer;
use analects_memory::render::harmless;
use analects_text::truncate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Call, Told};
use crate::resources;

pub(super) use analects_engine::verbs::memory::Search as SearchArguments;
pub(super) use analects_engine::verbs::memory::SearchAnswer;

/// No answer holds more entries than this.
const MAX_ENTRIES: usize = 200;

/// A longer text is cut; files are there to be read.
const MAX_TOKENS: usize = 10_000;

pub(super) fn search(call: &Call<'_>) -> Result<Told, Failure> {
    let wanted: Search = call.arguments()?;
    let capped = Search {
        limit: wanted.limit.min(MAX_ENTRIES),
        ..wanted
    };
    let mut answer = capped.run(call.world, call.flags)?;
    answer.entries.iter_mut().for_each(disarm);
    let text = match answer.entries.is_empty() {
        true => "Nothing is remembered about that.".to_owned(),
        false => lines(&answer.entries, answer.left_out),
    };
    let unread = (!answer.trusted).then(|| unread(call));
    Ok(Told::new(with(text, unread), &answer))
}

/// Says that there may be more, and who can let it be read.
fn unread(call: &Call<'_>) -> String {
    let folder = &call.world.around.cwd;
    format!(
        "The project's own memory was not read: {folder} is not trusted. The user can trust it with \
         `analects trust add` there."
    )
}

fn with(text: String, note: Option<String>) -> String {
    match note {
        Some(note) => format!("{text}\n{note}"),
        None => text,
    }
}

/// What to read. Without anything: all entries of all layers.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetArguments {
    /// One entry: its id, or the beginning of its id.
    #[serde(default)]
    entry: Option<String>,
    /// One layer, with its whole text.
    #[serde(default)]
    layer: Option<LayerArgument>,
}

/// The layers as resources call them.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum LayerArgument {
    /// What the user wants in every project.
    Global,
    /// The user's own notes on this project.
    #[serde(alias = "user_project")]
    Private,
    /// What extensions bring along.
    Extension,
    /// What the project says.
    Project,
}

impl From<LayerArgument> for Layer {
    fn from(layer: LayerArgument) -> Self {
        match layer {
            LayerArgument::Global => Self::Global,
            LayerArgument::Private => Self::Private,
            LayerArgument::Extension => Self::Extension,
            LayerArgument::Project => Self::Project,
        }
    }
}

/// What is remembered.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GetAnswer {
    /// The version of this answer.
    schema_version: u32,
    /// Whether the project's own memory was read.
    trusted: bool,
    /// The entries asked for.
    entries: Vec<EntryAnswer>,
    /// How many more there are.
    left_out: usize,
    /// The layers asked for, with their files.
    layers: Vec<LayerAnswer>,
    /// The text of the layer asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// What went wrong.
    problems: Vec<Problem>,
}

/// One layer.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct LayerAnswer {
    /// Which one.
    layer: LayerName,
    /// Its files.
    files: Vec<String>,
    /// What it costs.
    tokens: usize,
}

impl From<ListedLayer> for LayerAnswer {
    fn from(listed: ListedLayer) -> Self {
        Self {
            layer: listed.layer,
            files: listed.files.into_iter().map(|file| file.path).collect(),
            tokens: listed.tokens,
        }
    }
}

pub(super) fn get(call: &Call<'_>) -> Result<Told, Failure> {
    let wanted: GetArguments = call.arguments()?;
    let listed = List { entries: true }.run(call.world, call.flags)?;
    let layer = wanted.layer.map(Layer::from);
    let is_wanted = |name: LayerName| layer.is_none_or(|layer| LayerName::from(layer) == name);
    let mut entries = listed.entries.unwrap_or_default();
    entries.retain(|entry| is_wanted(entry.layer));
    let mut layers = listed.layers;
    layers.retain(|layer| is_wanted(layer.layer) && !layer.files.is_empty());
    if let Some(id) = &wanted.entry {
        entries.retain(|entry| entry.id.starts_with(&id.to_lowercase()));
        layers.clear();
        if id.is_empty() || entries.is_empty() {
            return Err(Failure::bad_input(format!("there is no entry `{id}` here"))
                .hint("`search_memory` finds entries by their words"));
        }
    }
    let left_out = entries.len().saturating_sub(MAX_ENTRIES);
    entries.truncate(MAX_ENTRIES);
    entries.iter_mut().for_each(disarm);
    let text = match (layer, &wanted.entry) {
        (Some(layer), None) => Some(page(call, layer)?),
        _ => None,
    };
    let answer = GetAnswer {
        schema_version: SCHEMA_VERSION,
        trusted: listed.trusted,
        layers: layers.into_iter().map(LayerAnswer::from).collect(),
        problems: listed.problems,
        entries,
        left_out,
        text,
    };
    let may_say_more = layer.is_none_or(|layer| layer == Layer::Project) && wanted.entry.is_none();
    let unread = (!answer.trusted && may_say_more).then(|| unread(call));
    Ok(Told::new(with(words(&answer), unread), &answer))
}

/// A layer's text, cut if it is long.
fn page(call: &Call<'_>, wanted: Layer) -> Result<String, Failure> {
    let pages = resources::pages(call.world, call.flags)?;
    let page = pages.into_iter().find(|page| page.layer == wanted);
    let text = page.map(|page| page.text).unwrap_or_default();
    let head = truncate::head(&text, MAX_TOKENS);
    Ok(match head.len() < text.len() {
        true => format!(
            "{head}\n[cut off: {} more bytes, see the files]",
            text.len() - head.len()
        ),
        false => text,
    })
}

fn words(answer: &GetAnswer) -> String {
    match &answer.text {
        Some(text) if !text.is_empty() => text.clone(),
        _ if !answer.entries.is_empty() => lines(&answer.entries, answer.left_out),
        _ if !answer.layers.is_empty() => {
            let files = answer.layers.iter().flat_map(|layer| &layer.files);
            let files: Vec<_> = files.map(String::as_str).collect();
            format!(
                "There are no single entries, only text in: {}",
                files.join(", ")
            )
        }
        _ => "Nothing is remembered here.".to_owned(),
    }
}

fn lines(entries: &[EntryAnswer], left_out: usize) -> String {
    let line = |entry: &EntryAnswer| {
        let layer = match entry.layer {
            LayerName::Global => "global",
            LayerName::UserProject => "private",
            LayerName::Extension => "extension",
            LayerName::Project => "project",
        };
        format!("- {} ({layer}): {}", entry.id, entry.text)
    };
    let mut lines: Vec<_> = entries.iter().map(line).collect();
    if left_out > 0 {
        lines.push(format!("[{left_out} more are left out]"));
    }
    lines.join("\n")
}

/// Entries come from files as they are.
fn disarm(entry: &mut EntryAnswer) {
    entry.text = harmless(&entry.text).into_owned();
}
