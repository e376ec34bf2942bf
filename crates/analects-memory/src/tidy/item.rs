//! The entries that can be compared, taken away and moved: plain items of one paragraph.
//!
//! What holds more than its own words (nested items, code, comments, imports) is left alone, and so is what
//! only leads to something else.

use std::ops::Range;

use analects_text::markdown::{self, Heading};
use analects_text::outline::{EntryKind, Outline};

use super::{TidyOptions, mark};
use crate::check::said::{self, Mood, Said};
use crate::check::sheet::Sheet;
use crate::entry::{self, Entry};
use crate::import;
use crate::layer::Layer;
use crate::note::SECTION;

/// An entry that can be compared with others.
#[derive(Debug)]
pub(super) struct Item {
    /// Which page it stands on.
    pub(super) page: usize,
    pub(super) entry: Entry,
    /// What it says as it is written, without a mark.
    pub(super) written: String,
    /// The same without Markdown's signs.
    pub(super) told: String,
    pub(super) mood: Mood,
    /// The heading above it; empty where that says nothing about it.
    pub(super) context: String,
    /// Whether it is about to go to the private notes.
    pub(super) moves: bool,
}

/// All such entries, in order.
pub(super) fn all(sheets: &[Sheet<'_>], options: &TidyOptions) -> Vec<Item> {
    let said = said::all(sheets);
    let mut items = Vec::new();
    for (page, sheet) in sheets.iter().enumerate() {
        // What an extension says is its author's business.
        if sheet.page.layer == Layer::Extension {
            continue;
        }
        let text = &sheet.page.text;
        let from = said.partition_point(|said| said.sheet < page);
        let to = said.partition_point(|said| said.sheet <= page);
        let said = said.get(from..to).unwrap_or_default();
        let headings = markdown::skeleton(text).headings;
        for entry in entry::entries(text) {
            let Some(said) = plain(sheet, &entry, said, options) else {
                continue;
            };
            items.push(Item {
                page,
                written: mark::without(&entry.text),
                told: mark::without(said.text),
                mood: said.mood,
                context: context(&headings, entry.range.start),
                moves: false,
                entry,
            });
        }
    }
    items
}

/// The heading above a place, where that says something about what stands there.
pub(super) fn context(headings: &[Heading], at: usize) -> String {
    let above = headings.partition_point(|heading| heading.range.start < at);
    let heading = above.checked_sub(1).and_then(|above| headings.get(above));
    // The title of a file, and the heading over facts of all kinds, say nothing about one of them.
    let heading = heading.filter(|it| it.level > 1 && it.text.trim() != SECTION);
    heading.map_or_else(String::new, |heading| said::normal(&heading.text))
}

/// What a plain item of one paragraph says; `None` if it is anything else.
fn plain<'a>(
    sheet: &Sheet<'_>,
    entry: &Entry,
    said: &[Said<'a>],
    options: &TidyOptions,
) -> Option<Said<'a>> {
    let source = sheet.page.text.get(entry.range.clone())?;
    let is_one = inside(&sheet.outline, &entry.range) == 1;
    let blocks = &sheet.outline.blocks;
    let next = blocks.partition_point(|block| block.at.start < entry.range.start);
    let has_code = blocks
        .get(next)
        .is_some_and(|block| entry.range.contains(&block.at.start));
    let has_blank = source.trim().lines().any(|line| line.trim().is_empty());
    let has_comment = source.contains("<!--");
    let imports = import::may_import(source, options.profile);
    // A line that only goes on because no blank line stands before it may well be meant as prose.
    let is_lazy = !source
        .lines()
        .skip(1)
        .all(|line| line.starts_with([' ', '\t']));
    let is_more = !is_one || has_code || has_blank || has_comment || imports || is_lazy;
    if is_more || !is_all_of(source, entry) {
        return None;
    }
    let said = in_range(said, &entry.range).first().copied()?;
    let is_plain = said.kind == EntryKind::Bullet && !said.is_nested && said.mood != Mood::Doubtful;
    is_plain.then_some(said)
}

/// What is said inside an entry.
pub(super) fn in_range<'s, 'a>(said: &'s [Said<'a>], range: &Range<usize>) -> &'s [Said<'a>] {
    let from = said.partition_point(|said| said.at < range.start);
    let to = said.partition_point(|said| said.at < range.end);
    said.get(from..to.max(from)).unwrap_or_default()
}

/// How many items and paragraphs begin inside an entry, itself included.
fn inside(outline: &Outline, range: &Range<usize>) -> usize {
    let entries = &outline.entries;
    let from = entries.partition_point(|entry| entry.at.start < range.start);
    let to = entries.partition_point(|entry| entry.at.start < range.end);
    to.saturating_sub(from)
}

/// Whether the lines of an entry hold a bullet and its words, and nothing that stands before them.
fn is_all_of(source: &str, entry: &Entry) -> bool {
    let bare = source.trim_start().strip_prefix(['-', '*', '+']);
    bare.is_some_and(|bare| bare.split_whitespace().eq(entry.text.split(' ')))
}
