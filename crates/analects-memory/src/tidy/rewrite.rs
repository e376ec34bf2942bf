//! Turns proposed texts into steps.
//!
//! Each place that changes is a step. Where a line goes at one place and comes at another, in whichever file,
//! both are one step: half of a move would say it twice, or not at all.

use std::collections::HashMap;

use analects_text::hunks::Hunk;
use analects_text::lines::LineIndex;
use analects_text::parts::parts;
use analects_world::AbsPath;

use super::{Deed, Edit, Kind, Step, short};
use crate::check::said::{n_words, normal};
use crate::label::Labels;

/// A proposed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// The file; it need not exist.
    pub path: AbsPath,
    /// What it says; empty if it does not exist.
    pub old: String,
    /// What it should say.
    pub new: String,
}

/// The steps from the old texts to the new ones, in order.
#[must_use]
pub fn rewrite(rewrites: &[Rewrite], labels: &Labels) -> Vec<Step> {
    let mut places = Vec::new();
    for (file, rewrite) in rewrites.iter().enumerate() {
        let parts = parts(&rewrite.old, &rewrite.new).into_iter();
        places.extend(parts.map(|part| (file, part)));
    }
    let sides: Vec<_> = places
        .iter()
        .filter_map(|(file, part)| Some(Side::of(rewrites.get(*file)?, part)))
        .collect();
    let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
    for (place, group) in grouped(&sides).into_iter().enumerate() {
        groups.entry(group).or_default().push(place);
    }
    let mut groups: Vec<_> = groups.into_values().collect();
    groups.sort_unstable();
    let lines: Vec<_> = rewrites
        .iter()
        .map(|rewrite| LineIndex::new(&rewrite.old))
        .collect();
    let step = |group: &Vec<usize>| {
        let inside = group.iter().map(|&place| (&places[place], &sides[place]));
        let edits = inside.clone().map(|((file, part), _)| Edit {
            path: rewrites[*file].path.clone(),
            deed: Deed::Replace(
                part.old.clone(),
                rewrites[*file]
                    .new
                    .get(part.new.clone())
                    .unwrap_or_default()
                    .to_owned(),
            ),
        });
        let named = inside.clone().map(|((file, part), _)| {
            let line = lines[*file].line(part.old.start);
            format!("{}:{line}", labels.label(&rewrites[*file].path))
        });
        let named: Vec<_> = named.collect();
        let said: Vec<_> = inside.map(|(_, side)| side).collect();
        Step {
            kind: Kind::Proposed,
            subject: gone(&said),
            reason: reason(&said, &named),
            edits: edits.collect(),
        }
    };
    groups.iter().map(step).collect()
}

/// What goes and what comes at a place, line by line.
struct Side<'a> {
    gone: Vec<&'a str>,
    come: Vec<&'a str>,
}

impl<'a> Side<'a> {
    fn of(rewrite: &'a Rewrite, part: &Hunk) -> Self {
        let lines = |text: &'a str, range: &std::ops::Range<usize>| -> Vec<&'a str> {
            let lines = text.get(range.clone()).unwrap_or_default().lines();
            lines
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .collect()
        };
        Self {
            gone: lines(&rewrite.old, &part.old),
            come: lines(&rewrite.new, &part.new),
        }
    }
}

/// The group of each place: those between which a line moves are in one.
fn grouped(sides: &[Side<'_>]) -> Vec<usize> {
    let mut came: HashMap<String, usize> = HashMap::new();
    for (place, side) in sides.iter().enumerate() {
        for line in side.come.iter().filter(tells) {
            came.entry(key(line)).or_insert(place);
        }
    }
    let mut groups: Vec<_> = (0..sides.len()).collect();
    for (place, side) in sides.iter().enumerate() {
        for line in side.gone.iter().filter(tells) {
            if let Some(&there) = came.get(&key(line)) {
                let (a, b) = (first(&groups, place), first(&groups, there));
                groups[a.max(b)] = a.min(b);
            }
        }
    }
    (0..sides.len())
        .map(|place| first(&groups, place))
        .collect()
}

fn first(groups: &[usize], mut place: usize) -> usize {
    while groups[place] != place {
        place = groups[place];
    }
    place
}

/// Whether a line says something by itself.
fn tells(line: &&&str) -> bool {
    line.starts_with(BULLETS) || n_words(line) >= 3
}

const BULLETS: [char; 3] = ['-', '*', '+'];

fn key(line: &str) -> String {
    normal(line.trim_start_matches(BULLETS))
}

/// What goes, so that two places that become the same are still told apart.
fn gone(sides: &[&Side<'_>]) -> String {
    let gone: Vec<_> = sides.iter().map(|side| side.gone.join("\n")).collect();
    gone.join("\n\n")
}

fn reason(sides: &[&Side<'_>], places: &[String]) -> String {
    let line = |lines: &[&str]| {
        let told = lines.iter().find(tells).or(lines.first());
        told.map(|line| short(line.trim_start_matches(BULLETS).trim()))
    };
    let mut named = places.to_vec();
    named.dedup();
    let place = named.join(" and ");
    let gone = sides.iter().find_map(|side| line(&side.gone));
    let come = sides.iter().find_map(|side| line(&side.come));
    match (gone, come) {
        (Some(gone), Some(come)) if key(&gone) == key(&come) && sides.len() > 1 => {
            format!("move \"{gone}\": {place}")
        }
        (Some(gone), Some(come)) if gone == come => {
            format!("write \"{gone}\" otherwise: {place}")
        }
        (Some(gone), Some(come)) => format!("change \"{gone}\" to \"{come}\": {place}"),
        (Some(gone), None) => format!("remove \"{gone}\": {place}"),
        (None, Some(come)) => format!("add \"{come}\": {place}"),
        (None, None) => format!("change blank lines: {place}"),
    }
}
