//! Puts what was chosen into its sections.

use super::super::snapshot::{Section, Snapshot};
use super::deeds::Touch;
use super::item::{Class, Item, OF_MODEL, looks_labelled};

/// Between two paths of one line.
pub(super) const COMMA: &str = ", ";

/// The snapshot that holds these items. They come in the order of the history.
pub(super) fn write(items: Vec<Item>) -> Snapshot {
    let mut snapshot = Snapshot::default();
    for section in Section::ALL {
        let of_section = items.iter().filter(|item| item.section == section);
        match section {
            Section::Files => {
                for line in files(of_section) {
                    snapshot.push(section, line);
                }
            }
            _ => {
                for item in joined(of_section) {
                    snapshot.push(section, item);
                }
            }
        }
    }
    snapshot
}

/// Sentences of one speaker in one turn stand together.
fn joined<'a>(items: impl Iterator<Item = &'a Item>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut last: Option<&Item> = None;
    for item in items {
        let goes_on = last.is_some_and(|last| {
            let is_talk = matches!(item.class, Class::User | Class::Prose);
            is_talk && last.class == item.class && last.at.0 == item.at.0
        });
        match lines.last_mut().filter(|_| goes_on) {
            Some(line) => {
                line.push(' ');
                line.push_str(&item.text);
            }
            None => lines.push(format!("{}{}", label(item), item.text)),
        }
        last = Some(item);
    }
    lines
}

fn label(item: &Item) -> &'static str {
    match item.class {
        Class::Prose if looks_labelled(&item.text) => OF_MODEL,
        class => class.label(),
    }
}

/// One line for each thing that can become of a file.
fn files<'a>(items: impl Iterator<Item = &'a Item>) -> Vec<String> {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for item in items {
        let (touch, path) = item.text.split_once(": ").unwrap_or(("", &item.text));
        match lines.iter_mut().find(|(known, _)| *known == touch) {
            Some((_, line)) => {
                line.push_str(COMMA);
                line.push_str(path);
            }
            None => lines.push((touch, item.text.clone())),
        }
    }
    let rank = |touch: &str| Touch::ALL.iter().position(|it| it.as_str() == touch);
    lines.sort_by_key(|(touch, _)| rank(touch).unwrap_or(Touch::ALL.len()));
    lines.into_iter().map(|(_, line)| line).collect()
}
