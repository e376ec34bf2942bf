//! Lint: imports that lead back to where they started.
//!
//! A load leaves the closing import out with a comment, as it does with every second mention of a file;
//! only here it is told that nobody can have meant that one.

use std::collections::HashMap;

use analects_world::AbsPath;
use analects_world::Profile;
use analects_world::files::Files;

use super::sheet::Sheet;
use super::{Finding, codes};
use crate::import;

/// The files of a circle that a message names.
const MAX_NAMED: usize = 6;

pub(super) fn check(files: &dyn Files, sheets: &[Sheet<'_>], profile: Profile) -> Vec<Finding> {
    let real: Vec<_> = sheets
        .iter()
        .map(|sheet| files.real_or_same(&sheet.page.path))
        .collect();
    let by_path: HashMap<_, _> = real.iter().zip(0..).collect();
    let edges: Vec<_> = sheets
        .iter()
        .map(|sheet| edges(files, sheet, &by_path, profile))
        .collect();
    let mut walk = Walk {
        edges: &edges,
        state: vec![State::New; sheets.len()],
        closing: Vec::new(),
    };
    for start in 0..sheets.len() {
        walk.from(start);
    }
    let told = |closing: &Closing| {
        let from = &sheets[*closing.chain.last()?];
        let named = closing.chain.iter().take(MAX_NAMED);
        let names: Vec<_> = named.map(|&at| sheets[at].label()).collect();
        let more = if closing.chain.len() > MAX_NAMED {
            " → …"
        } else {
            ""
        };
        let first = names.first()?;
        let message = format!("imports in a circle: {}{more} → {first}", names.join(" → "));
        Some(
            from.problem(&codes::IMPORT_CYCLE, closing.at, message)
                .into(),
        )
    };
    walk.closing.iter().filter_map(told).collect()
}

/// The pages that a page imports, with the places of the tokens.
fn edges(
    files: &dyn Files,
    sheet: &Sheet<'_>,
    by_path: &HashMap<&AbsPath, usize>,
    profile: Profile,
) -> Vec<(usize, usize)> {
    let wanted = import::wanted(&sheet.page.text, &sheet.page.dir(), profile);
    let known = |(at, path): (usize, AbsPath)| {
        let target = by_path.get(&path).copied();
        let target = target.or_else(|| by_path.get(&files.real(&path).ok()?).copied());
        Some((at, target?))
    };
    wanted.into_iter().filter_map(known).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// On the way from the start to the current place.
    OnTheWay,
    Done,
}

/// An import that closes a circle.
struct Closing {
    /// The pages of the circle; the last one holds the import, the first one is imported.
    chain: Vec<usize>,
    /// Where the token stands.
    at: usize,
}

/// A walk along imports, depth first, with a stack of its own: chains can be long.
struct Walk<'a> {
    edges: &'a [Vec<(usize, usize)>],
    state: Vec<State>,
    closing: Vec<Closing>,
}

impl Walk<'_> {
    fn from(&mut self, start: usize) {
        if self.state[start] != State::New {
            return;
        }
        self.state[start] = State::OnTheWay;
        // The way to the current page; of each page on it, the next import to follow.
        let mut way = vec![(start, 0)];
        while let Some((page, next)) = way.last_mut() {
            let page = *page;
            let Some(&(at, target)) = self.edges[page].get(*next) else {
                self.state[page] = State::Done;
                way.pop();
                continue;
            };
            *next += 1;
            match self.state[target] {
                State::Done => {}
                State::New => {
                    self.state[target] = State::OnTheWay;
                    way.push((target, 0));
                }
                State::OnTheWay => {
                    let chain = way.iter().map(|(page, _)| *page);
                    let chain = chain.skip_while(|&page| page != target).collect();
                    self.closing.push(Closing { chain, at });
                }
            }
        }
    }
}
