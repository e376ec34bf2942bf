//! Entries that stand in the wrong layer: what is about one project, in the memory of all.
//!
//! They go to the person's private notes on that project, never to a file that others read.

use analects_text::markdown;
use analects_text::problem::Problem;
use analects_world::AbsPath;

use super::item::{self, Item};
use super::stale;
use super::{Deed, Edit, Ground, Kind, Place, Shelf, Step, TidyOptions, short};
use crate::check::codes;
use crate::check::said::Mood;
use crate::check::scope;
use crate::check::sheet::Sheet;
use crate::layer::Layer;
use crate::note::{self, Fact, SECTION};

/// What stands in the wrong layer.
#[derive(Debug, Default)]
pub(super) struct Placed {
    /// The items that can be moved.
    pub(super) moves: Vec<usize>,
    pub(super) notes: Vec<Problem>,
}

/// At most this many notes are made.
const MAX_NOTES: usize = 20;

/// Finds what stands in the wrong layer, and says so on the items that can be moved.
pub(super) fn judge(sheets: &[Sheet<'_>], items: &mut [Item], options: &TidyOptions) -> Placed {
    let mut placed = Placed::default();
    let Some(name) = &options.project else {
        return placed;
    };
    let project = scope::project(name);
    let may_change = |path: &AbsPath| options.editable.contains(path);
    let is_open = |shelf: &Shelf| {
        let is_there = sheets.iter().any(|sheet| sheet.page.path == shelf.path);
        !is_there || may_change(&shelf.path)
    };
    let shelf = options.private.as_ref().filter(|shelf| is_open(shelf));
    let context = shelf.and_then(|shelf| context(sheets, shelf));
    for (index, item) in items.iter_mut().enumerate() {
        let sheet = &sheets[item.page];
        if sheet.page.layer != Layer::Global {
            continue;
        }
        let Some(mention) = scope::named(&item.told, &project) else {
            continue;
        };
        let context = context.as_ref();
        let place = context.filter(|_| may_change(&sheet.page.path) && stands_alone(item));
        if let Some(context) = place {
            item.moves = true;
            item.context.clone_from(context);
            placed.moves.push(index);
        } else if placed.notes.len() < MAX_NOTES {
            let message = format!(
                "`{mention}` is this project, and this is memory for all; it cannot be moved as it stands"
            );
            let at = item.entry.range.start;
            placed
                .notes
                .push(sheet.problem(&codes::WRONG_SCOPE, at, message));
        }
    }
    placed
}

/// The steps that move them.
pub(super) fn steps(
    sheets: &[Sheet<'_>],
    items: &[Item],
    moves: &[usize],
    ground: Option<Ground<'_>>,
    options: &TidyOptions,
) -> Vec<(Place, Step)> {
    let Some(shelf) = &options.private else {
        return Vec::new();
    };
    let moved: Vec<_> = moves.iter().map(|&item| &items[item]).collect();
    let texts: Vec<_> = moved.iter().map(|item| item.written.as_str()).collect();
    let marks = stale::marks_of(&texts, shelf, ground, options);
    let steps = moved.iter().zip(marks).map(|(item, mark)| {
        let sheet = &sheets[item.page];
        let (from, to) = (sheet.place(item.entry.range.start), options.labels.label(&shelf.path));
        let reason = format!(
            "move \"{}\" from {from} to {to}: it is about this project, and all of them hear it there",
            short(&item.written)
        );
        let edits = [
            (&sheet.page.path, Deed::Remove(item.entry.clone())),
            (&shelf.path, Deed::Note(format!("{}{mark}", item.written), shelf.style)),
        ];
        let edit = |(path, deed): (&AbsPath, Deed)| Edit {
            path: path.clone(),
            deed,
        };
        let step = Step {
            kind: Kind::Layer,
            subject: item.written.clone(),
            reason,
            edits: edits.map(edit).into(),
        };
        ((item.page, item.entry.range.start), step)
    });
    steps.collect()
}

/// The heading that facts stand under in the private notes; `None` if there is no place for them.
fn context(sheets: &[Sheet<'_>], shelf: &Shelf) -> Option<String> {
    let page = sheets.iter().find(|sheet| sheet.page.path == shelf.path);
    let text = page.map_or("", |sheet| sheet.page.text.as_str());
    let insertion = note::insert(text, "x", shelf.style)?;
    let is_under_ours = insertion.frame.lead.contains(SECTION);
    let headings = markdown::skeleton(text).headings;
    Some(match is_under_ours {
        true => String::new(),
        false => item::context(&headings, insertion.at),
    })
}

/// Whether an entry says the same anywhere else, word for word.
fn stands_alone(item: &Item) -> bool {
    let is_whole = Fact::clean(&item.written).is_ok_and(|fact| fact.as_str() == item.written);
    item.mood == Mood::Plain && is_whole
}
