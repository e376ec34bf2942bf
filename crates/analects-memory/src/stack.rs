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

/// Lays files on one another. A layer may cost `layer_limit_tokens`; what is over that is cut from its
/// longest files, and said.
#[must_use]
pub fn stack(loaded: &[Loaded], layer_limit_tokens: usize) -> MemoryStack {
    let mut problems = Vec::new();
    let layers = Layer::READING_ORDER.map(|layer| {
        let files: Vec<_> = loaded
            .iter()
            .filter(|file| file.layer == layer && !trim(&file.text).is_empty())
            .collect();
        let Blocks { blocks, note } = blocks(&files, layer_limit_tokens, &mut problems);
        LayerText {
            layer,
            blocks,
            note,
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
    /// Which files had no room at all.
    pub(crate) note: Option<String>,
}

/// Files as blocks that together cost at most `limit_tokens`, markers and notes included.
pub(crate) fn blocks(
    files: &[&Loaded],
    limit_tokens: usize,
    problems: &mut Vec<Problem>,
) -> Blocks {
    let (kept, left_out, room) = fit_frames(files, limit_tokens);
    let cost = |file: &&Loaded| tokens::estimate(trim(&file.text));
    let costs: Vec<_> = kept.iter().map(cost).collect();
    let fair = fair_share(&costs, room);
    let blocks = kept
        .iter()
        .zip(costs)
        .map(|(file, cost)| block(file, cost, fair, problems))
        .collect();
    let note = left_out_note(left_out);
    problems.extend(
        note.clone()
            .map(|note| Problem::new(&codes::LAYER_CUT, note)),
    );
    Blocks { blocks, note }
}

/// What the note of a cut file and the blank line behind its block cost at most.
const CUT_NOTE_TOKENS: usize = 24;

/// What the note that names left-out files costs at most: a few paths of ordinary length.
const LEFT_OUT_NOTE_TOKENS: usize = 128;

/// The files whose frames leave at least half of the budget to their texts, the others, and what is
/// left for the texts. Only thousands of tiny files ever get near this.
fn fit_frames<'a, 'b>(
    files: &'a [&'b Loaded],
    limit_tokens: usize,
) -> (&'a [&'b Loaded], &'a [&'b Loaded], usize) {
    // Two more: frame and text are each rounded down, and a blank line follows.
    let frame = |file: &&Loaded| tokens::estimate(&framed(file, "")) + 2;
    let whole: usize = files
        .iter()
        .map(|file| frame(file) + tokens::estimate(trim(&file.text)))
        .sum();
    if whole <= limit_tokens {
        return (files, &[], usize::MAX);
    }
    let mut spent = LEFT_OUT_NOTE_TOKENS.min(limit_tokens / 4);
    for (at, file) in files.iter().enumerate() {
        let frame = frame(file) + CUT_NOTE_TOKENS;
        // One file always has its chance, however small the budget.
        if at > 0 && spent + frame > limit_tokens / 2 {
            let (kept, left_out) = files.split_at(at);
            return (kept, left_out, limit_tokens.saturating_sub(spent));
        }
        spent += frame;
    }
    (files, &[], limit_tokens.saturating_sub(spent))
}

fn block(file: &Loaded, cost: usize, fair: usize, problems: &mut Vec<Problem>) -> Block {
    let mut said = trim(&file.text).to_owned();
    let mut cut_tokens = 0;
    if cost > fair {
        let kept = truncate::head(&said, fair).len();
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

/// The largest share such that files cut to it stay within `limit` together: short files stay whole,
/// so one giant cannot push out the rest.
fn fair_share(costs: &[usize], limit: usize) -> usize {
    let mut sorted = costs.to_vec();
    sorted.sort_unstable();
    let mut left = limit;
    for (index, &cost) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - index);
        if cost > share {
            return share;
        }
        left -= cost;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn loaded(path: &str, layer: Layer, text: &str) -> Loaded {
        Loaded {
            path: AbsPath::new(path).unwrap(),
            layer,
            label: path.trim_start_matches('/').to_owned(),
            bytes: text.len() as u64,
            text: text.to_owned(),
            imports: Vec::new(),
            also: Vec::new(),
        }
    }

    #[test]
    fn layers_stand_in_reading_order_whatever_the_load_order() {
        let files = [
            loaded("/p", Layer::Project, "p"),
            loaded("/u", Layer::Private, "u"),
            loaded("/blank", Layer::Global, " \n"),
            loaded("/g", Layer::Global, "g\n"),
        ];
        let memory = stack(&files, 1000).memory();
        assert_eq!(
            memory.flatten(analects_world::Profile::Analects),
            "--- Global ---\n--- Context from: g ---\ng\n--- End of Context from: g ---\n\n\
             --- User Project Memory ---\n--- Context from: u ---\nu\n--- End of Context from: u ---\n\n\
             --- Project ---\n--- Context from: p ---\np\n--- End of Context from: p ---"
        );
    }

    #[test]
    fn a_giant_is_cut_and_its_neighbours_stay_whole() {
        let giant = "rule\n".repeat(1000);
        let files = [
            loaded("/a", Layer::Project, &giant),
            loaded("/b", Layer::Project, "keep me whole"),
        ];
        let stack = stack(&files, 400);
        let blocks = &stack.layers[3].blocks;
        assert!(blocks[0].cut_tokens > 1000 && blocks[0].text.contains("[cut off: about"));
        assert!(blocks[1].text.contains("keep me whole") && blocks[1].cut_tokens == 0);
        assert_eq!(stack.problems.len(), 1);
        assert_eq!(stack.problems[0].path.as_deref(), Some("/a"));
    }

    #[test]
    fn thousands_of_tiny_files_stay_in_budget_and_the_rest_is_counted() {
        let files: Vec<_> = (0..2000)
            .map(|i| loaded(&format!("/d{i}/GEMINI.md"), Layer::Project, "x"))
            .collect();
        let stack = stack(&files, 3_200);
        let text = stack.layers[3].text();
        assert!(tokens::estimate(&text) <= 3_200);
        assert!(
            text.contains(" files left out, their layer is over budget: d"),
            "{text}"
        );
        assert_eq!(stack.problems.len(), 1);
    }

    #[test]
    fn a_text_names_the_other_places_where_it_counts() {
        let mut file = loaded("/a", Layer::Global, "rule");
        file.also = vec!["b".to_owned(), "c".to_owned()];
        let text = stack(&[file], 1000).layers[0].text();
        assert!(text.contains("rule\n[same text in: b, c]\n---"), "{text}");
    }

    proptest! {
        #[test]
        fn a_layer_never_costs_more_than_its_limit(
            sizes in prop::collection::vec(1_usize..400, 1..30),
            limit in 300_usize..4000,
        ) {
            let files: Vec<_> = sizes
                .iter()
                .enumerate()
                .map(|(i, size)| loaded(&format!("/d{i}/G.md"), Layer::Project, &"rule ".repeat(*size)))
                .collect();
            let stack = stack(&files, limit);
            prop_assert!(tokens::estimate(&stack.layers[3].text()) <= limit);
            prop_assert!(stack.tokens() <= limit);
        }

        #[test]
        fn shares_never_exceed_the_limit(costs in prop::collection::vec(0_usize..500, 0..20), limit in 0_usize..2000) {
            let share = fair_share(&costs, limit);
            let spent: usize = costs.iter().map(|&cost| cost.min(share)).sum();
            prop_assert!(spent <= limit || costs.iter().sum::<usize>() <= limit);
        }
    }
}
