//! Leaves out a file whose text another file already said, and reports it.

use std::collections::HashMap;

use analects_text::tokens;
use analects_world::AbsPath;

use super::Loaded;
use crate::label::Labels;
use crate::layer::Layer;
use crate::stack::{self, Block};

/// A file that was left out because another one says the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// The file left out.
    pub path: AbsPath,
    /// The layer it would have belonged to.
    pub layer: Layer,
    /// The file that is loaded in its place.
    pub same_as: AbsPath,
}

impl Duplicate {
    /// Whether the text has another scope or rank here than where it is loaded.
    #[must_use]
    pub fn counts_elsewhere(&self, kept_layer: Layer) -> bool {
        self.layer != kept_layer || scope(&self.path) != scope(&self.same_as)
    }
}

/// A file that one load left out.
#[derive(Debug)]
pub(crate) struct LeftOut {
    pub(super) duplicate: Duplicate,
    /// Whether the conversation holds an earlier text of it.
    pub(super) is_changed: bool,
}

/// The first line of a block that replaces an earlier one.
pub(super) const CHANGED: &str = "[changed since it was loaded]";

/// The directory that a memory file speaks for.
pub(crate) fn scope(path: &AbsPath) -> AbsPath {
    let dir = path.parent().unwrap_or_else(AbsPath::root);
    // `<dir>/.gemini/X` speaks for `<dir>`.
    match dir.file_name() {
        ".gemini" => dir.parent().unwrap_or(dir),
        _ => dir,
    }
}

/// Notes at each text where else it stands, if it has another scope or rank there.
pub(super) fn note_elsewhere(loaded: &mut [Loaded], left_out: &[LeftOut], labels: &Labels) {
    let index: HashMap<_, _> = loaded
        .iter()
        .enumerate()
        .map(|(at, file)| (file.path.clone(), at))
        .collect();
    for LeftOut { duplicate, .. } in left_out {
        let kept = index
            .get(&duplicate.same_as)
            .and_then(|&at| loaded.get_mut(at));
        if let Some(kept) = kept.filter(|kept| duplicate.counts_elsewhere(kept.layer)) {
            kept.also.push(labels.label(&duplicate.path));
        }
    }
}

/// A block for each file that was left out although it speaks for another place than its twin, or had a
/// text of its own before: the comment that stands for a second occurrence, under the file's own name.
pub(super) fn echoes(left_out: &[LeftOut], labels: &Labels) -> Vec<Block> {
    let is_told =
        |left: &&LeftOut| left.is_changed || left.duplicate.counts_elsewhere(Layer::Project);
    let block = |left: &LeftOut| {
        let Duplicate { path, same_as, .. } = &left.duplicate;
        let twin = format!("<!-- File already processed: {} -->", labels.label(same_as));
        let said = told(twin, left.is_changed);
        let text = stack::marked(&labels.label(path), &said);
        Block {
            path: path.clone(),
            tokens: tokens::estimate(&text),
            text,
            cut_tokens: 0,
        }
    };
    left_out.iter().filter(is_told).map(block).collect()
}

/// `text`, and that it replaces an earlier one if it does.
pub(super) fn told(text: String, is_changed: bool) -> String {
    if is_changed {
        format!("{CHANGED}\n{text}")
    } else {
        text
    }
}
