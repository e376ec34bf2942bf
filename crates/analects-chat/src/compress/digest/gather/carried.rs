//! What an earlier snapshot kept: it goes on as what it was.

use super::super::item::{Class, Item, OF_MODEL};
use super::super::sentences::sentences;
use super::super::write::COMMA;
use super::done::said_in;
use super::{Reading, Section, Snapshot};

/// What was worth keeping once is worth a little more than what is seen for the first time.
const CARRIED: f32 = 1.1;

/// How many goals stay goals.
const GOALS: usize = 3;

pub(super) fn carried(
    reading: &Reading<'_>,
    turn: usize,
    earlier: &Snapshot,
    items: &mut Vec<Item>,
) {
    let mut nth = 0;
    for section in Section::ALL {
        for (place, text) in earlier.items(section).iter().enumerate() {
            for (class, piece) in pieces(section, text) {
                nth += 1;
                // What came after the first request was the goal of its day.
                let (section, class) = match section {
                    Section::Goal if place >= GOALS => (Section::Knowledge, Class::User),
                    section => (section, class),
                };
                items.push(Item {
                    section,
                    class,
                    value: CARRIED * worth(reading, class, &piece),
                    text: piece,
                    at: (turn, nth),
                });
            }
        }
    }
}

/// What an item of an earlier snapshot is made of.
fn pieces(section: Section, text: &str) -> Vec<(Class, String)> {
    let labelled = [Class::User, Class::Trouble, Class::Output];
    let found = labelled.into_iter().find_map(|class| {
        let rest = text.strip_prefix(class.label())?;
        Some((class, rest))
    });
    let of_model = text.strip_prefix(OF_MODEL);
    let of_model = of_model.filter(|_| !matches!(section, Section::Goal | Section::Files));
    if let Some(said) = of_model {
        let all = sentences(said);
        return all.map(|it| (Class::Prose, it.to_owned())).collect();
    }
    match (section, found) {
        (Section::Goal, _) => vec![(Class::Goal, text.to_owned())],
        (Section::Files, _) => {
            let (touch, paths) = text.split_once(": ").unwrap_or(("READ", text));
            let paths = paths.split(COMMA);
            paths
                .map(|path| (Class::File, format!("{touch}: {path}")))
                .collect()
        }
        (_, Some((Class::User, said))) => {
            let all = sentences(said);
            all.map(|sentence| (Class::User, sentence.to_owned()))
                .collect()
        }
        (_, Some((class, rest))) => vec![(class, rest.to_owned())],
        (Section::Artifacts, None) => vec![(Class::File, text.to_owned())],
        (Section::Actions, None) => vec![(Class::Command, text.to_owned())],
        (Section::Plan, None) => vec![(Class::Plan, text.to_owned())],
        (Section::Constraints, None) => vec![(Class::User, text.to_owned())],
        (Section::Knowledge, None) => {
            let all = sentences(text);
            all.map(|sentence| (Class::Prose, sentence.to_owned()))
                .collect()
        }
    }
}

fn worth(reading: &Reading<'_>, class: Class, text: &str) -> f32 {
    let (news, _) = reading.worth(text);
    match class {
        Class::Goal => 7.0,
        Class::User => news,
        Class::Plan => 1.5 + 0.5 * news,
        Class::File => 1.2 + 0.5 * news,
        Class::Trouble => (1.5 + news) * reading.among_alike(text, 0.6),
        Class::Command => 1.0 + said_in(text) * news,
        Class::Prose => news,
        Class::Output => news * reading.among_alike(text, 0.75),
    }
}
