//! What the agent that keeps memory knows before it begins: the files as they lie on the disk.
//!
//! Their texts are shown unchanged, imports not expanded, so that an edit finds the words it looks for. Memory of
//! extensions is left out, because nobody may change it, and so are private notes, which are not its business.

use analects_memory::layer::Layer;
use analects_memory::page::Page;
use analects_text::neutralise::{Delimiters, neutralise};
use analects_text::sanitize::one_line;
use analects_text::truncate;

use crate::World;
use crate::load_memory::Prepared;
use crate::pages;

/// How much of one file is shown; the rest can be read.
const MAX_FILE_BYTES: usize = 32 * 1024;
/// How much is shown altogether.
const MAX_BYTES: usize = 128 * 1024;

/// What holds the files apart.
const OURS: Delimiters = Delimiters {
    tags: &["memory_file"],
    rulers: &[],
    comments: &[],
    notes: &[],
};

/// Global and project memory, to stand before a request; nothing if there is none.
pub(super) fn initial(world: &World<'_>, prepared: &Prepared) -> String {
    let started = prepared.start(*world);
    let pages = pages::read(world.files, &started, MAX_FILE_BYTES).all;
    let is_meant = |page: &&Page| matches!(page.layer, Layer::Global | Layer::Project);
    let mut shown = String::new();
    let mut n_left_out = 0;
    for page in pages.iter().filter(is_meant) {
        let file = file(page);
        match shown.len() + file.len() > MAX_BYTES {
            true => n_left_out += 1,
            false => shown.push_str(&file),
        }
    }
    if n_left_out > 0 {
        let more = format!("({n_left_out} more memory files are not shown; search for them.)\n\n");
        shown.push_str(&more);
    }
    match shown.is_empty() {
        true => String::new(),
        false => format!("# Initial Context\n\n{shown}# Request\n\n"),
    }
}

fn file(page: &Page) -> String {
    let path = one_line(page.path.as_str());
    let layer = page.layer.name();
    let text = truncate::head_bytes(&page.text, MAX_FILE_BYTES - 1);
    let cut = match text.len() < page.text.len() {
        true => "\n(There is more of it: read the file.)",
        false => "",
    };
    let text = neutralise(text.trim_end(), &OURS);
    format!("<memory_file path=\"{path}\" layer=\"{layer}\">\n{text}{cut}\n</memory_file>\n\n")
}
