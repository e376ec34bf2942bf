//! What servers say about how their tools are to be used, as memory.
//!
//! It stands among what extensions say, under its budget: it outranks nothing that the project or the user says. It is
//! cut, shows all there is, and cannot end its own block.

use analects_memory::layer::Layer;
use analects_memory::load::Loaded;
use analects_memory::render;
use analects_text::{hidden, truncate};

use super::entry::{By, Entry};

/// How much of what a server says is told.
const MAX_BYTES: usize = 4 << 10;
/// How much of what all servers say is told.
const MAX_ALL_BYTES: usize = 16 << 10;

/// What servers say, in their order.
pub(super) fn memory<'a>(said: impl Iterator<Item = (&'a Entry, &'a str)>) -> Vec<Loaded> {
    let mut n_left = MAX_ALL_BYTES;
    let mut memory = Vec::new();
    // The project's servers come last, so that they take no room from the user's.
    let (projects, own): (Vec<_>, Vec<_>) = said.partition(|(entry, _)| entry.by == By::Project);
    for (entry, words) in own.into_iter().chain(projects) {
        let whole = hidden::without(words.trim());
        let kept = truncate::head_bytes(&whole, MAX_BYTES.min(n_left)).trim_end();
        if kept.is_empty() {
            continue;
        }
        n_left = n_left.saturating_sub(kept.len());
        let mut text = render::harmless(kept).into_owned();
        if kept.len() < whole.len() {
            text.push_str("\n[cut off: the server says more than that]");
        }
        let name = entry.shown();
        let label = format!("MCP server {}", render::harmless(&name));
        memory.push(Loaded {
            path: entry.file.clone(),
            layer: Layer::Extension,
            label,
            bytes: words.len() as u64,
            text,
            imports: Vec::new(),
            also: Vec::new(),
            is_of_project: entry.by == By::Project,
        });
    }
    memory
}
