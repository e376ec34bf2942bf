//! A list with a preview that fills the screen, to choose from.
//!
//! [`Picker`] is a value: keys go in, a [`Step`] comes out, and it can draw itself on any frame. [`run`] performs it on
//! a real terminal; where none can be drawn on, [`ask_by_number`] offers the same by lines. What the items are, and what
//! an action does with them, is the caller's business. Texts are made safe on the way in: nothing in here ever
//! holds one that could drive a terminal.

mod by_number;
mod draw;
mod keys;
mod list;
mod perform;
mod terminal;
mod text;

#[cfg(test)]
mod tests;

pub(crate) use by_number::{Lines, ask_by_number};
pub(crate) use terminal::run;

use list::List;
use text::Sheet;

/// Something to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    /// What it is called towards the caller; never shown, but found by a search.
    pub(crate) id: String,
    pub(crate) title: String,
    /// A few words beside the title, such as "2 h ago · 14 messages".
    pub(crate) note: String,
    pub(crate) tags: Vec<String>,
    /// Whether it may be one of many; else it wants to be looked at and chosen on its own.
    pub(crate) is_bulk: bool,
}

/// Something that can be done with what is chosen. Callers compare it with the constants that they gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Action {
    pub(crate) key: Key,
    /// Said beside the key: "resume", "accept for this project".
    pub(crate) word: &'static str,
    pub(crate) takes: Takes,
    pub(crate) after: After,
}

/// The key of an action. It wins over what the picker itself does with a letter (`j`, `k`, `q`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Enter,
    Letter(char),
}

/// How many items an action can be done with at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// The one that is selected.
    One,
    /// All that are marked; the one that is selected, if none is.
    Many,
}

/// What becomes of the picker when an action was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// It goes on.
    Stays,
    /// It goes on, but gives the terminal away for that long: an editor wants it.
    StepsAside,
    /// It ends, and the caller does it.
    Ends,
}

/// What a key came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Stay,
    Leave,
    /// Never without an item, never with many for an action that takes one.
    Do {
        action: Action,
        items: Vec<String>,
    },
}

/// What came of an action that did not end the picker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// These are no longer there (none, if it failed); `said` is shown. Previews are read anew.
    Gone { ids: Vec<String>, said: String },
    /// The list is another one now.
    Renewed { items: Vec<Item>, said: String },
    /// There is nothing more to choose here.
    Leave,
}

/// How a picker ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Picked {
    /// By an action that ends it.
    Chose { action: Action, items: Vec<String> },
    /// Somebody left, or an action said so.
    Left,
    /// The terminal went away, or somebody wants everything to stop.
    Gone,
}

/// A list, what is typed to find something in it, and the preview of what is selected.
#[derive(Debug)]
pub(crate) struct Picker {
    title: String,
    actions: Vec<Action>,
    has_color: bool,
    list: List,
    mode: Mode,
    focus: Focus,
    /// The preview of the item with this id.
    preview: Option<(String, Sheet)>,
    help: Sheet,
    /// What an action said, or why a key did nothing; until the next key.
    said: String,
}

/// Who gets the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Choosing,
    Searching,
    Help,
}

/// Which half moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Focus {
    List,
    Preview,
}

impl Picker {
    /// A picker of `items`, the first one selected.
    pub(crate) fn new(title: &str, items: Vec<Item>, actions: &[Action]) -> Self {
        Self {
            title: text::one_line(title),
            actions: actions.to_vec(),
            has_color: false,
            list: List::new(items),
            mode: Mode::Choosing,
            focus: Focus::List,
            preview: None,
            help: Sheet::new(&keys::help(actions)),
            said: String::new(),
        }
    }

    /// The same with colour, if there is any. Nothing can be told by colour alone.
    pub(crate) fn in_color(mut self, has_color: bool) -> Self {
        self.has_color = has_color;
        self
    }

    /// The item whose preview is to be shown and was not given yet.
    pub(crate) fn wants_preview(&self) -> Option<&str> {
        let id = self.list.selected()?.id.as_str();
        let is_there = self
            .preview
            .as_ref()
            .is_some_and(|(shown_id, _)| shown_id == id);
        (!is_there).then_some(id)
    }

    /// Takes the preview of an item; only the last one is kept.
    pub(crate) fn give_preview(&mut self, id: String, text: &str) {
        self.preview = Some((id, Sheet::new(text)));
    }

    /// Shows what came of an action; `false` if nothing is to be shown any more.
    pub(crate) fn heed(&mut self, outcome: Outcome) -> bool {
        let said = match outcome {
            Outcome::Gone { ids, said } => {
                self.list.remove(&ids);
                said
            }
            Outcome::Renewed { items, said } => {
                self.list.renew(items);
                said
            }
            Outcome::Leave => return false,
        };
        self.said = text::one_line(&said);
        // An edit changes what the preview of the same item says.
        self.preview = None;
        if self.list.selected().is_none() {
            self.focus = Focus::List;
        }
        true
    }

    fn takes_many(&self) -> bool {
        self.actions
            .iter()
            .any(|action| action.takes == Takes::Many)
    }

    /// The preview of what is selected, if it was given.
    fn sheet(&mut self) -> Option<&mut Sheet> {
        let id = self.list.selected()?.id.as_str();
        let (shown_id, sheet) = self.preview.as_mut()?;
        (shown_id == id).then_some(sheet)
    }
}
