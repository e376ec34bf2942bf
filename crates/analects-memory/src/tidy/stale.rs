//! Items that name what is gone: marked, and unmarked when it is there again.
//!
//! Each item is judged by its own words alone, without its mark: neither what stands around it nor the mark
//! itself keeps a mark alive.

use std::ops::Range;

use analects_text::outline::{EntryKind, Outline};
use analects_world::AbsPath;

use super::{Deed, Edit, Ground, Kind, Place, Shelf, Step, TidyOptions, mark, short};
use crate::check::references::References;
use crate::check::sheet::Sheet;
use crate::entry;
use crate::layer::Layer;
use crate::page::Page;

/// The steps that set marks right.
pub(super) fn steps(
    sheets: &[Sheet<'_>],
    ground: Ground<'_>,
    options: &TidyOptions,
) -> Vec<(Place, Step)> {
    // Of a project that is too large to be looked through, nothing is known to be missing, or to be there.
    if ground.survey.is_cut {
        return Vec::new();
    }
    let mut references = References::new(ground.files, ground.survey);
    let mut steps = Vec::new();
    for (index, sheet) in sheets.iter().enumerate() {
        if options.editable.contains(&sheet.page.path) {
            let on_page = on_page(sheet, &mut references, options);
            steps.extend(on_page.into_iter().map(|(at, step)| ((index, at), step)));
        }
    }
    steps
}

/// The marks that these facts would get in the private notes.
pub(super) fn marks_of(
    facts: &[&str],
    shelf: &Shelf,
    ground: Option<Ground<'_>>,
    options: &TidyOptions,
) -> Vec<String> {
    let Some(ground) = ground.filter(|ground| !ground.survey.is_cut) else {
        return facts.iter().map(|_| String::new()).collect();
    };
    let mut references = References::new(ground.files, ground.survey);
    let items: Vec<_> = facts.iter().map(|fact| format!("- {fact}")).collect();
    let page = Page::new(
        shelf.path.clone(),
        Layer::Private,
        &shelf.path,
        String::new(),
    );
    let judged = judged(&items, &page, &mut references, options);
    judged.iter().map(|names| mark::of(names)).collect()
}

fn on_page(
    sheet: &Sheet<'_>,
    references: &mut References<'_>,
    options: &TidyOptions,
) -> Vec<(usize, Step)> {
    let text = &sheet.page.text;
    let marked = marked(text, &sheet.outline);
    let own = |item: &Marked| {
        let words = text.get(item.at.start..item.mark.start).unwrap_or_default();
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let items: Vec<_> = marked.iter().map(own).collect();
    let judged = judged(&items, sheet.page, references, options);
    let mut steps = Vec::new();
    for ((item, said), names) in marked.iter().zip(&items).zip(&judged) {
        let is = text.get(item.mark.clone()).unwrap_or_default();
        let wanted = mark::of(names);
        // Memory for all projects may name what another one has.
        let is_judged = sheet.page.layer != Layer::Global || !names.is_empty() || is.contains("./");
        if is_judged && wanted != is {
            steps.push((item.at.start, step(sheet, item, said, (names, wanted))));
        }
    }
    steps
}

fn step(sheet: &Sheet<'_>, item: &Marked, said: &str, (names, mark): (&[String], String)) -> Step {
    let bullet = said.trim_start_matches(|c: char| c.is_ascii_digit());
    let subject = bullet.get(1..).unwrap_or(said).trim().to_owned();
    let (place, said) = (sheet.place(item.at.start), short(&subject));
    let reason = match names {
        [] => format!("unmark \"{said}\" in {place}: nothing that it names is gone"),
        [name] => format!("mark \"{said}\" in {place}: {name} is gone"),
        [name, rest @ ..] => {
            let n_more = rest.len();
            format!("mark \"{said}\" in {place}: {name} and {n_more} more are gone")
        }
    };
    Step {
        kind: Kind::Stale,
        subject,
        reason,
        edits: vec![Edit {
            path: AbsPath::clone(&sheet.page.path),
            deed: Deed::Replace(item.mark.clone(), mark),
        }],
    }
}

/// What each of these items names and nobody has, as far as it can stand in a mark. They are looked at as if
/// they stood on this page, each by itself.
fn judged(
    items: &[String],
    page: &Page,
    references: &mut References<'_>,
    options: &TidyOptions,
) -> Vec<Vec<String>> {
    let mut text = String::new();
    let mut starts = Vec::with_capacity(items.len());
    for item in items {
        starts.push(text.len());
        text.push_str(item);
        text.push_str("\n\n");
    }
    let page = Page {
        text,
        ..page.clone()
    };
    let sheet = Sheet::new(&page, &options.labels);
    let mut judged = vec![Vec::new(); items.len()];
    for missing in references.missing(&sheet) {
        let name = missing.name.trim();
        let after = starts.partition_point(|&start| start <= missing.at);
        let names = after.checked_sub(1).and_then(|item| judged.get_mut(item));
        if let Some(names) = names.filter(|_| mark::can_hold(name))
            && names.iter().all(|known| known != name)
        {
            names.push(name.to_owned());
        }
    }
    judged
}

/// An item, and where its mark stands or would stand.
struct Marked {
    at: Range<usize>,
    mark: Range<usize>,
}

/// The items of a text that are entries or nested in one, with their marks.
fn marked(text: &str, outline: &Outline) -> Vec<Marked> {
    let entries = entry::entries(text);
    let is_entry = |at: usize| {
        let after = entries.partition_point(|entry| entry.range.start <= at);
        let before = after.checked_sub(1).and_then(|index| entries.get(index));
        before.is_some_and(|entry| entry.range.contains(&at))
    };
    let items = outline.entries.iter();
    let items = items.filter(|item| item.kind != EntryKind::Paragraph && is_entry(item.at.start));
    let marked = items.filter_map(|item| {
        let (line, _) = item.lines.last()?;
        // A line that only goes on because no blank line stands before it may well be meant as prose.
        if item.lines.len() > 1 && text.get(..*line)?.ends_with('\n') {
            return None;
        }
        let rest = text.get(*line..)?;
        let words = rest.get(..rest.find(['\n', '\r']).unwrap_or(rest.len()))?;
        let end = line + words.trim_end().len();
        let mark = mark::at_end(words).map_or(end..end, |mark| line + mark.start..line + mark.end);
        Some(Marked {
            at: item.at.clone(),
            mark,
        })
    });
    marked.collect()
}
