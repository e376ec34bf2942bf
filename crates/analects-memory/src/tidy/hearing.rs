//! The audience of an entry, and whether another entry reaches all of it.
//!
//! Global memory is heard by one person in all projects, a project's memory by everybody who works there,
//! private notes by one person in one project. So none of the three can take the place of every other, and
//! files of different names in one place are there for different agents.

use analects_world::AbsPath;

use super::TidyOptions;
use super::item::Item;
use crate::check::sheet::Sheet;
use crate::layer::Layer;
use crate::page::Page;

/// Whether everybody who hears `gone`, as far as it should be heard, hears `kept`, too.
pub(super) fn reaches(
    sheets: &[Sheet<'_>],
    kept: &Item,
    gone: &Item,
    options: &TidyOptions,
) -> bool {
    let (page, other) = (sheets[kept.page].page, sheets[gone.page].page);
    let root = &options.labels.root;
    let is_same_page = kept.page == gone.page;
    match (layer(page, kept), layer(other, gone)) {
        (Layer::Global, Layer::Global) => is_same_page || page.dir() == other.dir(),
        (Layer::Global, Layer::Private) => true,
        (Layer::Private, Layer::Private) => kept.moves || is_same_page || is_index(page, options),
        (Layer::Project, Layer::Project) => is_same_page || is_above(page, other, root),
        (Layer::Project, Layer::Private) => speaks_for(page, root),
        _ => false,
    }
}

/// How many hear it: what is heard by most is kept. What is about to move is judged where it will stand.
pub(super) fn rank(sheets: &[Sheet<'_>], item: &Item, options: &TidyOptions) -> u8 {
    let page = sheets[item.page].page;
    match layer(page, item) {
        Layer::Global => 0,
        Layer::Project if speaks_for(page, &options.labels.root) => 1,
        Layer::Project => 2,
        Layer::Private if item.moves => 4,
        Layer::Private if is_index(page, options) => 3,
        Layer::Private => 5,
        Layer::Extension => u8::MAX,
    }
}

fn layer(page: &Page, item: &Item) -> Layer {
    match item.moves {
        true => Layer::Private,
        false => page.layer,
    }
}

/// Whether this is the file of private notes that is always heard; others are only looked up.
fn is_index(page: &Page, options: &TidyOptions) -> bool {
    let shelf = options.private.as_ref();
    shelf.is_some_and(|shelf| shelf.path == page.path)
}

/// Whether a page speaks for the whole project.
fn speaks_for(page: &Page, root: &AbsPath) -> bool {
    page.path.is_within(root) && root.is_within(&page.scope)
}

/// Whether a page of the project is heard wherever another one is, and by the same agents.
fn is_above(page: &Page, other: &Page, root: &AbsPath) -> bool {
    let is_ours = page.path.is_within(root) && other.path.is_within(root);
    is_ours && page.path.file_name() == other.path.file_name() && other.scope.is_within(&page.scope)
}
