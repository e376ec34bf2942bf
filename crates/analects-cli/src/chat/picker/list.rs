//! The items, which of them a search shows, which one is selected and which are marked.
//!
//! Knows neither keys nor the screen, except for how many lines of it there were last.

use std::collections::{BTreeSet, HashSet};

use super::{Item, text};

/// Items in the order they were given.
#[derive(Debug, Default)]
pub(super) struct List {
    rows: Vec<Row>,
    query: String,
    /// The rows that match the query, in order.
    shown: Vec<usize>,
    /// The selected one among `shown`; 0 if there are none.
    at: usize,
    /// The first of `shown` on the screen.
    top: usize,
    /// How many items the screen held last: a page.
    page: usize,
    marked: BTreeSet<usize>,
    n_marked_unseen: usize,
}

/// An item as it is shown.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) title: String,
    /// Its note and its tags.
    pub(super) detail: String,
    pub(super) is_bulk: bool,
    /// What a search looks at, in lower case.
    found_by: String,
}

impl Row {
    pub(super) fn new(item: Item) -> Self {
        let title = text::one_line(&item.title);
        let mut detail = text::one_line(&item.note);
        for tag in &item.tags {
            if !detail.is_empty() {
                detail.push_str(" · ");
            }
            detail.push_str(&text::one_line(tag));
        }
        let found_by = format!("{title}\n{detail}\n{}", item.id).to_lowercase();
        Self {
            id: item.id,
            title,
            detail,
            is_bulk: item.is_bulk,
            found_by,
        }
    }

    /// Whether all words stand in it; they are in lower case.
    pub(super) fn has(&self, words: &[&str]) -> bool {
        words.iter().all(|word| self.found_by.contains(word))
    }
}

/// How a selection moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
}

impl Move {
    /// Where one gets from `at`, if `last` is the last place.
    pub(super) fn from(self, at: usize, page: usize, last: usize) -> usize {
        let to = match self {
            Self::Up => at.saturating_sub(1),
            Self::Down => at.saturating_add(1),
            Self::PageUp => at.saturating_sub(page.max(1)),
            Self::PageDown => at.saturating_add(page.max(1)),
            Self::First => 0,
            Self::Last => last,
        };
        to.min(last)
    }
}

impl List {
    pub(super) fn new(items: Vec<Item>) -> Self {
        let mut list = Self::default();
        list.renew(items);
        list
    }

    pub(super) fn n_all(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn n_shown(&self) -> usize {
        self.shown.len()
    }

    pub(super) fn n_marked(&self) -> usize {
        self.marked.len()
    }

    /// How many of the marked ones the search does not show.
    pub(super) fn n_marked_unseen(&self) -> usize {
        self.n_marked_unseen
    }

    pub(super) fn query(&self) -> &str {
        &self.query
    }

    pub(super) fn selected(&self) -> Option<&Row> {
        self.row(self.at).map(|(row, _)| row)
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The row at a place of what is shown, and whether it is marked.
    fn row(&self, place: usize) -> Option<(&Row, bool)> {
        let index = *self.shown.get(place)?;
        Some((self.rows.get(index)?, self.marked.contains(&index)))
    }

    /// What stands on a screen for `n_items`, with its place and whether it is marked; the selected one is among it.
    pub(super) fn visible(&mut self, n_items: usize) -> impl Iterator<Item = (usize, &Row, bool)> {
        self.page = n_items;
        let last_top = self.shown.len().saturating_sub(n_items);
        let lowest = (self.at + 1).saturating_sub(n_items);
        self.top = self.top.min(last_top).clamp(lowest, self.at.max(lowest));
        let places = self.top..self.top.saturating_add(n_items).min(self.shown.len());
        let list = &*self;
        places.filter_map(move |place| list.row(place).map(|(row, is)| (place, row, is)))
    }

    pub(super) fn go(&mut self, to: Move) {
        let last = self.shown.len().saturating_sub(1);
        self.at = to.from(self.at, self.page, last);
    }

    /// Shows only what has every word of `query` in it. The selected item stays selected if it can.
    pub(super) fn search(&mut self, query: String) {
        let selected = self.shown.get(self.at).copied();
        let lower = query.to_lowercase();
        let words: Vec<_> = lower.split_whitespace().collect();
        self.shown = (0..)
            .zip(&self.rows)
            .filter_map(|(index, row)| row.has(&words).then_some(index))
            .collect();
        self.query = query;
        let place = selected.and_then(|index| self.shown.binary_search(&index).ok());
        self.at = place.unwrap_or(0);
        let is_shown = |index: &&usize| self.shown.binary_search(index).is_ok();
        self.n_marked_unseen = self.marked.len() - self.marked.iter().filter(is_shown).count();
    }

    /// Marks the selected item, or unmarks it, and goes on to the next; `false` if it may not be one of many.
    pub(super) fn mark(&mut self) -> bool {
        let Some(&index) = self.shown.get(self.at) else {
            return true;
        };
        if !self.rows.get(index).is_some_and(|row| row.is_bulk) {
            return false;
        }
        if !self.marked.remove(&index) {
            self.marked.insert(index);
        }
        self.go(Move::Down);
        true
    }

    /// Marks all that are shown and may be one of many; unmarks them, if all of them are marked.
    pub(super) fn mark_all(&mut self) {
        let is_bulk = |index: &usize| self.rows.get(*index).is_some_and(|row| row.is_bulk);
        let those: Vec<_> = self.shown.iter().copied().filter(is_bulk).collect();
        if those.iter().all(|index| self.marked.contains(index)) {
            // In order, as all that is shown is.
            self.marked
                .retain(|index| those.binary_search(index).is_err());
        } else {
            self.marked.extend(those);
        }
    }

    /// The ids of what is marked, or else of what is selected.
    pub(super) fn chosen(&self) -> Vec<String> {
        if self.marked.is_empty() {
            return self
                .selected()
                .map(|row| row.id.clone())
                .into_iter()
                .collect();
        }
        let id = |index: &usize| self.rows.get(*index).map(|row| row.id.clone());
        self.marked.iter().filter_map(id).collect()
    }

    /// Takes items away. The selection stays where it was, on what is there now.
    pub(super) fn remove(&mut self, ids: &[String]) {
        let gone: HashSet<_> = ids.iter().map(String::as_str).collect();
        let marked = self.marked_ids();
        self.rows.retain(|row| !gone.contains(row.id.as_str()));
        self.settle(&marked);
    }

    /// Other items in place of all; the search stays, and so do the marks of what is still there.
    pub(super) fn renew(&mut self, items: Vec<Item>) {
        let marked = self.marked_ids();
        self.rows = items.into_iter().map(Row::new).collect();
        self.settle(&marked);
    }

    fn marked_ids(&self) -> HashSet<String> {
        let id = |index: &usize| self.rows.get(*index).map(|row| row.id.clone());
        self.marked.iter().filter_map(id).collect()
    }

    /// Finds all places anew, after rows moved.
    fn settle(&mut self, marked: &HashSet<String>) {
        let place = self.at;
        let is_marked = |row: &Row| row.is_bulk && marked.contains(&row.id);
        self.marked = (0..)
            .zip(&self.rows)
            .filter_map(|(index, row)| is_marked(row).then_some(index))
            .collect();
        let query = std::mem::take(&mut self.query);
        self.search(query);
        self.at = place.min(self.shown.len().saturating_sub(1));
    }
}
