//! The loaded files, laid on one another: layers, blocks, costs.

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
        LayerText {
            layer,
            blocks: blocks(&files, layer_limit_tokens, &mut problems),
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
        join(&self.blocks)
    }

    /// What the layer costs.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.blocks.iter().map(|block| block.tokens).sum()
    }
}

/// Blocks as one text, a blank line between them.
#[must_use]
pub fn join(blocks: &[Block]) -> String {
    blocks
        .iter()
        .map(|block| block.text.as_str())
        .collect::<Vec<_>>()
        .join("\n\n")
}

/// Files as blocks that together cost at most `limit_tokens`.
pub(crate) fn blocks(
    files: &[&Loaded],
    limit_tokens: usize,
    problems: &mut Vec<Problem>,
) -> Vec<Block> {
    let costs: Vec<_> = files
        .iter()
        .map(|file| tokens::estimate(trim(&file.text)))
        .collect();
    let fair = fair_share(&costs, limit_tokens);
    let mut blocks = Vec::with_capacity(files.len());
    for (file, cost) in files.iter().zip(costs) {
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
        let label = &file.label;
        let text =
            format!("--- Context from: {label} ---\n{said}\n--- End of Context from: {label} ---");
        let tokens = tokens::estimate(&text);
        blocks.push(Block {
            path: file.path.clone(),
            text,
            tokens,
            cut_tokens,
        });
    }
    blocks
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
            memory.flatten(crate::Profile::Analects),
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
        let stack = stack(&files, 100);
        let blocks = &stack.layers[3].blocks;
        assert!(blocks[0].cut_tokens > 1000 && blocks[0].text.contains("[cut off: about"));
        assert!(blocks[1].text.contains("keep me whole") && blocks[1].cut_tokens == 0);
        assert_eq!(stack.problems.len(), 1);
        assert_eq!(stack.problems[0].path.as_deref(), Some("/a"));
    }

    proptest! {
        #[test]
        fn shares_never_exceed_the_limit(costs in prop::collection::vec(0_usize..500, 0..20), limit in 0_usize..2000) {
            let share = fair_share(&costs, limit);
            let spent: usize = costs.iter().map(|&cost| cost.min(share)).sum();
            prop_assert!(spent <= limit || costs.iter().sum::<usize>() <= limit);
        }
    }
}
