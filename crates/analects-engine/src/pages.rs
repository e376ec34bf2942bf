//! The files behind a load, as they are on disk.

use std::collections::HashSet;

use analects_memory::import::ImportNode;
use analects_memory::layer::Layer;
use analects_memory::load::{Loaded, Stands};
use analects_memory::page::Page;
use analects_text::decode::{Cut, Repair, decode};
use analects_world::AbsPath;
use analects_world::files::{Files, Kind, Pick, Want, Within};

use crate::load_memory::Started;

/// The texts behind a load.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    /// Every file that takes part in it, imports included, each once, in reading order; then the notes that
    /// lie beside a private index.
    pub all: Vec<Page>,
    /// Those that may be written to: whole, plain text, and not an extension's.
    pub editable: Vec<AbsPath>,
}

impl Pages {
    /// The pages that may be written to.
    #[must_use]
    pub(crate) fn into_editable(self) -> Vec<Page> {
        let editable: HashSet<_> = self.editable.into_iter().collect();
        let mut pages = self.all;
        pages.retain(|page| editable.contains(&page.path));
        pages
    }
}

/// Reads the files behind a load once more, at most this much of each.
#[must_use]
pub(crate) fn read(files: &dyn Files, started: &Started<'_>, limit_bytes: usize) -> Pages {
    let mut sources = sources(&started.loaded);
    sources.extend(touched(started));
    sources.extend(notes(files, started));
    read_all(files, sources, limit_bytes)
}

/// Reads these files and what they import once more, at most this much of each.
pub(crate) fn read_loaded<'a>(
    files: &dyn Files,
    loaded: impl IntoIterator<Item = &'a Loaded>,
    limit_bytes: usize,
) -> Pages {
    read_all(files, sources(loaded), limit_bytes)
}

fn read_all(files: &dyn Files, mut sources: Vec<Source>, limit_bytes: usize) -> Pages {
    let mut seen = HashSet::new();
    sources.retain(|source| seen.insert(source.path.clone()));
    // The load has judged where these files lie.
    let wants: Vec<_> = sources
        .iter()
        .map(|source| Want {
            path: &source.path,
            within: Within::Anywhere,
            limit_bytes,
        })
        .collect();
    let blobs = files.read(&wants);
    let mut pages = Pages::default();
    for (source, blob) in sources.iter().zip(blobs) {
        // Gone since it was loaded.
        let Ok(blob) = blob else { continue };
        let cut = if blob.is_cut() { Cut::Cut } else { Cut::Whole };
        let decoded = decode(&blob.bytes, cut);
        // What an extension says is its author's business.
        let is_ours = source.layer != Layer::Extension;
        if is_ours && decoded.repair == Repair::None && cut == Cut::Whole {
            pages.editable.push(source.path.clone());
        }
        let text = decoded.text.into_owned();
        let page = Page::new(source.path.clone(), source.layer, &source.top, text);
        pages.all.push(page);
    }
    pages
}

/// A file that takes part in a load.
struct Source {
    path: AbsPath,
    layer: Layer,
    /// The memory file that brought it in.
    top: AbsPath,
}

/// Loaded files and what they import.
fn sources<'a>(loaded: impl IntoIterator<Item = &'a Loaded>) -> Vec<Source> {
    let mut sources = Vec::new();
    for file in loaded {
        let source = |path: &AbsPath| Source {
            path: path.clone(),
            layer: file.layer,
            top: file.path.clone(),
        };
        sources.push(source(&file.path));
        let mut nodes: Vec<&ImportNode> = file.imports.iter().rev().collect();
        while let Some(node) = nodes.pop() {
            sources.push(source(&node.path));
            nodes.extend(node.imports.iter().rev());
        }
    }
    sources
}

/// What touched paths brought in.
fn touched(started: &Started<'_>) -> Vec<Source> {
    let rows = started.loader.tracked().into_iter();
    let here = rows.filter(|row| matches!(row.stands, Stands::Here(_)));
    here.map(|row| Source {
        path: row.path,
        layer: Layer::Project,
        top: row.block,
    })
    .collect()
}

/// At most this many notes of one folder are looked at.
const MAX_NOTES: usize = 256;

/// The notes that lie beside a private index. No load brings them in: the index only tells of them, and they
/// are found when they are asked for.
fn notes(files: &dyn Files, started: &Started<'_>) -> Vec<Source> {
    let mut sources = Vec::new();
    for dir in started.private_folders() {
        let Ok(listing) = files.list_one(dir, &Pick::ending(".md")) else {
            continue;
        };
        let mut notes = listing.found;
        notes.retain(|note| {
            matches!(note.kind, Kind::File | Kind::Link) && !note.name.starts_with('.')
        });
        notes.sort();
        sources.extend(notes.into_iter().take(MAX_NOTES).map(|note| {
            let path = dir.join(&note.name);
            Source {
                layer: Layer::Private,
                top: path.clone(),
                path,
            }
        }));
    }
    sources
}
