//! The loaded files stacked into layers, with their costs and cuts.

use analects_text::problem::Problem;
use analects_text::tokens;
use analects_text::trim::trim;
use analects_text::truncate;
use analects_world::AbsPath;

use crate::codes;
use crate::layer::{HierarchicalMemory, Layer};
use crate::load::Loaded;

/// All layers of a load, in reading order, ready to be shown or sent.
#[derive(Debug, Clone)]
pub struct MemoryStack {
    /// The four layers; one without memory has no blocks.
    pub layers: Vec<LayerText>,
    /// Which layers were over their budget.
    pub problems: Vec<Problem>,
}

/// One layer.
#[derive(Debug, Clone)]
pub struct LayerText {
    /// Which one.
    pub layer: Layer,
    /// Its files in order; blank ones are left out.
    pub blocks: Vec<Block>,
    /// Which files had no room at all, if any.
    pub note: Option<String>,
}

/// One file between its markers.
#[derive(Debug, Clone)]
pub struct Block {
    /// The file this text comes from.
    pub path: AbsPath,
    /// The text with its markers.
    pub text: String,
    /// What it costs.
    pub tokens: usize,
    /// How much of the file was left out to keep the layer in budget.
    pub cut_tokens: usize,
}

/// What a layer may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerLimits {
    /// The tokens of one layer, for files that are the user's own or an extension's.
    pub own: usize,
    /// The tokens of one layer for files of the project, and never more than the others leave.
    pub project: usize,
}

/// Lays files on one another. A layer may cost `layer_limit_tokens`; what is over that is cut from its
/// longest files, and said.
#[must_use]
pub fn stack(loaded: &[Loaded], layer_limit_tokens: usize) -> MemoryStack {
    let limits = LayerLimits {
        own: layer_limit_tokens,
        project: layer_limit_tokens,
    };
    stack_within(loaded, limits)
}

/// Like `stack`, with limits of their own for what the project brings: it takes no room from the user's own files.
#[must_use]
pub fn stack_within(loaded: &[Loaded], limits: LayerLimits) -> MemoryStack {
    let mut problems = Vec::new();
    let layers = Layer::READING_ORDER.map(|layer| {
        let files = loaded
            .iter()
            .filter(|file| file.layer == layer && !trim(&file.text).is_empty());
        let (projects, own): (Vec<_>, Vec<_>) = files.partition(|file| file.is_of_project);
        let own = blocks(&own, limits.own, &mut problems);
        let left = limits.own.saturating_sub(own.tokens());
        let (left, least) = if own.blocks.is_empty() {
            (limits.project, 1)
        } else {
            (left.min(limits.project), MIN_LEFT_TOKENS)
        };
        let projects = if left < least {
            Blocks::left_out(&projects, &mut problems)
        } else {
            blocks(&projects, left, &mut problems)
        };
        let notes: Vec<_> = own.note.into_iter().chain(projects.note).collect();
        LayerText {
            layer,
            blocks: own.blocks.into_iter().chain(projects.blocks).collect(),
            note: (!notes.is_empty()).then(|| notes.join("; ")),
        }
    });
    MemoryStack {
        layers: layers.into(),
        problems,
    }
}

impl MemoryStack {
    /// The text of each layer.
    #[must_use]
    pub fn memory(&self) -> HierarchicalMemory {
        let mut memory = HierarchicalMemory::default();
        for layer in &self.layers {
            memory.set(layer.layer, layer.text());
        }
        memory
    }

    /// What all layers cost together.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.layers.iter().map(LayerText::tokens).sum()
    }
}

impl LayerText {
    /// The blocks, a blank line between them.
    #[must_use]
    pub fn text(&self) -> String {
        join(&self.blocks, self.note.as_deref())
    }

    /// What the layer costs.
    #[must_use]
    pub fn tokens(&self) -> usize {
        let note = self.note.as_deref().map_or(0, tokens::estimate);
        self.blocks.iter().map(|block| block.tokens).sum::<usize>() + note
    }
}

/// Blocks, and a note on what had no room, as one text with blank lines between them.
#[must_use]
pub fn join(blocks: &[Block], note: Option<&str>) -> String {
    let note = note.map(|note| format!("[{note}]"));
    let blocks = blocks.iter().map(|block| block.text.as_str());
    blocks
        .chain(note.as_deref())
        .collect::<Vec<_>>()
        .join("\n\n")
}

/// What fits of some files.
pub(crate) struct Blocks {
    pub(crate) blocks: Vec<Block>,
    /// How many of the files had no room at all: the first ones.
    pub(crate) n_left_out: usize,
    /// Which these are.
    pub(crate) note: Option<String>,
}

/// With less than this left of a layer's budget, no file of the project is added to it.
const MIN_LEFT_TOKENS: usize = 256;

impl Blocks {
    /// No room for any of these files.
    fn left_out(files: &[&Loaded], problems: &mut Vec<Problem>) -> Self {
        let note = left_out_note(files);
        let told = note.clone();
        problems.extend(told.map(|note| Problem::new(&codes::LAYER_CUT, note)));
        Self {
            blocks: Vec::new(),
            n_left_out: files.len(),
            note,
        }
    }

    fn tokens(&self) -> usize {
        let note = self.note.as_deref().map_or(0, tokens::estimate);
        self.blocks.iter().map(|block| block.tokens).sum::<usize>() + note
    }
}

/// Files as blocks that together cost at most `limit_tokens`, markers and notes included.
pub(crate) fn blocks(
    files: &[&Loaded],
    limit_tokens: usize,
    problems: &mut Vec<Problem>,
) -> Blocks {
    let costs: Vec<_> = files.iter().map(|file| Cost::of(file)).collect();
    let (n_left_out, share) = fit(&costs, limit_tokens);
    let (left_out, kept) = files.split_at(n_left_out);
    let blocks = kept
        .iter()
        .zip(&costs[n_left_out..])
        .map(|(file, cost)| block(file, cost.said, share, problems))
        .collect();
    let note = left_out_note(left_out);
    problems.extend(
        note.clone()
            .map(|note| Problem::new(&codes::LAYER_CUT, note)),
    );
    Blocks {
        blocks,
        n_left_out,
        note,
    }
}

/// What the note of a cut file costs at most.
const CUT_NOTE_TOKENS: usize = 24;

/// What must be left of a file that is cut: with less it says nothing.
const MIN_SAID_TOKENS: usize = 16;

/// What the note that names left-out files costs at most: a few paths of ordinary length.
const LEFT_OUT_NOTE_TOKENS: usize = 128;

/// What a file costs.
struct Cost {
    /// Its markers.
    frame: usize,
    /// Its text.
    said: usize,
}

impl Cost {
    fn of(file: &Loaded) -> Self {
        Self {
            // Two more: frame and text are each rounded down, and a blank line follows.
            frame: tokens::estimate(&framed(file, "")) + 2,
            said: tokens::estimate(trim(&file.text)),
        }
    }
}

/// How much of a text stays.
#[derive(Clone, Copy)]
struct Share {
    /// A text that costs no more stays whole.
    whole: usize,
    /// The others are cut to this.
    cut: usize,
}

/// How many files have to go, from the first on, and what the others may say. The first ones lie outermost, so they are
/// outranked by those that stay; the last one always has its chance, however small the budget.
fn fit(costs: &[Cost], limit_tokens: usize) -> (usize, Share) {
    let room = |n_left_out: usize| {
        let note = match n_left_out {
            0 => 0,
            _ => LEFT_OUT_NOTE_TOKENS.min(limit_tokens / 4),
        };
        let kept = costs.iter().skip(n_left_out);
        limit_tokens.checked_sub(note + kept.map(|cost| cost.frame).sum::<usize>())
    };
    let share = |n_left_out: usize| {
        let said = costs.iter().skip(n_left_out).map(|cost| cost.said);
        fair_share(said.collect(), room(n_left_out)?)
    };
    if let Some(share) = share(0) {
        return (0, share);
    }
    // The more go, the more room the others have.
    let most = costs.len() - 1;
    let (mut too_few, mut n_left_out) = (0, most);
    while n_left_out - too_few > 1 {
        let middle = usize::midpoint(too_few, n_left_out);
        match share(middle) {
            Some(_) => n_left_out = middle,
            None => too_few = middle,
        }
    }
    let share = share(n_left_out).unwrap_or_else(|| {
        let room = room(n_left_out).unwrap_or(0);
        let cut = room.saturating_sub(CUT_NOTE_TOKENS);
        Share { whole: cut, cut }
    });
    (n_left_out, share)
}

fn block(file: &Loaded, cost: usize, share: Share, problems: &mut Vec<Problem>) -> Block {
    let mut said = trim(&file.text).to_owned();
    let mut cut_tokens = 0;
    if cost > share.whole {
        let kept = truncate::head(&said, share.cut).len();
        said.truncate(kept);
        cut_tokens = cost - tokens::estimate(&said);
        let message = format!(
            "cut off: about {cut_tokens} of {cost} tokens left out, its layer is over budget"
        );
        said = format!("{said}\n[{message}]");
        problems.push(Problem::new(&codes::LAYER_CUT, message).in_file(&file.path));
    }
    let text = framed(file, &said);
    let tokens = tokens::estimate(&text);
    Block {
        path: file.path.clone(),
        text,
        tokens,
        cut_tokens,
    }
}

/// What a file says, between its markers, with the other places where it counts.
fn framed(file: &Loaded, said: &str) -> String {
    let note = named(&file.also).map(|places| format!("\n[same text in: {places}]"));
    marked(&file.label, &format!("{said}{}", note.unwrap_or_default()))
}

/// `said` between the markers of a file.
pub(crate) fn marked(label: &str, said: &str) -> String {
    format!("--- Context from: {label} ---\n{said}\n--- End of Context from: {label} ---")
}

/// What the name of a left-out file may cost in a note.
const LABEL_TOKENS: usize = 20;

fn left_out_note(files: &[&Loaded]) -> Option<String> {
    let short = |file: &&Loaded| truncate::head(&file.label, LABEL_TOKENS).to_owned();
    let labels: Vec<_> = files.iter().map(short).collect();
    let places = named(&labels)?;
    let n_files = files.len();
    Some(format!(
        "cut off: {n_files} files left out, their layer is over budget: {places}"
    ))
}

/// A few names, and how many more there are.
fn named(labels: &[String]) -> Option<String> {
    const MAX_NAMED: usize = 5;
    let shown = labels.get(..MAX_NAMED).unwrap_or(labels).join(", ");
    match labels.len() {
        0 => None,
        n if n > MAX_NAMED => Some(format!("{shown} and {} more", n - MAX_NAMED)),
        _ => Some(shown),
    }
}

/// The largest share such that texts cut to it, each with a note that says so, stay within `limit` together: short ones
/// stay whole, so one giant cannot push out the rest. `None` if those that are cut would say nothing.
fn fair_share(mut costs: Vec<usize>, limit: usize) -> Option<Share> {
    costs.sort_unstable();
    let mut left = limit;
    for (index, &cost) in costs.iter().enumerate() {
        let whole = left / (costs.len() - index);
        if cost > whole {
            let cut = whole.checked_sub(CUT_NOTE_TOKENS)?;
            return (cut >= MIN_SAID_TOKENS).then_some(Share { whole, cut });
        }
        left -= cost;
    }
    let whole = usize::MAX;
    Some(Share { whole, cut: whole })
}

#[cfg(test)]
mod tests;
