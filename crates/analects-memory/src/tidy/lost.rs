//! Which entries a change would lose: said before, and by none of the files after it.

use std::collections::{BTreeMap, HashMap, HashSet};

use analects_text::likeness::{Gist, twins};
use analects_world::AbsPath;

use super::mark;
use super::same::says_all_of;
use crate::check::said::normal;
use crate::entry;
use crate::page::Page;

/// An entry that nobody would say any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// The file it stands in.
    pub path: AbsPath,
    /// Its line, counted from one.
    pub line: usize,
    /// What it says.
    pub text: String,
}

/// The entries of `pages` that are lost if files get these `texts`: neither said word for word by any page
/// then, nor in nearly the same words by one that says all of it.
#[must_use]
pub fn lost(pages: &[Page], texts: &BTreeMap<AbsPath, String>) -> Vec<Lost> {
    let unchanged = pages.iter().filter(|page| !texts.contains_key(&page.path));
    let after = unchanged
        .map(|page| page.text.as_str())
        .chain(texts.values().map(String::as_str));
    let said: Vec<_> = after
        .flat_map(entry::entries)
        .map(|entry| mark::without(&entry.text))
        .collect();
    let words: HashSet<_> = said.iter().map(|text| normal(text)).collect();
    let changed = pages.iter().filter(|page| texts.contains_key(&page.path));
    let mut missing: Vec<Lost> = Vec::new();
    for page in changed {
        for entry in entry::entries(&page.text) {
            let text = mark::without(&entry.text);
            if !words.contains(&normal(&text)) {
                missing.push(Lost {
                    path: page.path.clone(),
                    line: entry.line,
                    text,
                });
            }
        }
    }
    if missing.is_empty() {
        return missing;
    }
    let texts: Vec<_> = said
        .iter()
        .chain(missing.iter().map(|lost| &lost.text))
        .collect();
    let gists: Vec<_> = texts.iter().map(|text| Gist::of(text)).collect();
    let mut near: HashMap<usize, Vec<usize>> = HashMap::new();
    for (a, b) in twins(&gists) {
        if a < said.len() && b >= said.len() {
            near.entry(b - said.len()).or_default().push(a);
        }
    }
    let mut index = 0;
    missing.retain(|lost| {
        let said_by = near.get(&index).into_iter().flatten();
        index += 1;
        let mut said_by = said_by.filter_map(|&at| said.get(at));
        !said_by.any(|said| says_all_of(said, &lost.text))
    });
    missing
}
