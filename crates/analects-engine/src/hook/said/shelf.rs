//! Which records are kept: those of the last sessions, in the order of their first word.
//!
//! We are not told the time, so a list says which record is the oldest. Where the list is lost, records
//! that it does not know count as older than all others.

use analects_world::AbsPath;
use analects_world::changes::Change;
use analects_world::files::{Files, Pick};

use crate::verbs::Failure;
use crate::write;

/// The records of that many sessions are kept.
const MAX_KEPT: usize = 128;

/// The list.
const LIST: &str = "sessions.txt";

/// The changes that enter a new record into the list and remove those that are too old for it.
pub(super) fn make_room(files: &dyn Files, record: &AbsPath) -> Result<Vec<Change>, Failure> {
    let dir = record.parent().unwrap_or_else(AbsPath::root);
    let list = dir.join(LIST);
    let old = write::bytes_of(files, &list)?;
    let names = in_order(files, &dir, old.as_deref().unwrap_or_default());
    let names = names.iter().filter(|name| *name != record.file_name());
    let names: Vec<_> = names
        .map(String::as_str)
        .chain([record.file_name()])
        .collect();
    let (gone, kept) = names.split_at(names.len().saturating_sub(MAX_KEPT));
    let mut text = kept.join("\n");
    text.push('\n');
    let mut changes = vec![Change::new(&list, old.as_deref(), Some(text.into_bytes()))];
    for name in gone {
        let path = dir.join(name);
        if let Some(old) = write::bytes_of(files, &path)? {
            changes.push(Change::new(&path, Some(&old), None));
        }
    }
    Ok(changes)
}

/// All records there are, the oldest first.
fn in_order(files: &dyn Files, dir: &AbsPath, list: &[u8]) -> Vec<String> {
    let list = String::from_utf8_lossy(list);
    let listed: Vec<_> = list.lines().collect();
    let found = files.list_one(dir, &Pick::ending(".json"));
    let found = found.map_or_else(|_| Vec::new(), |listing| listing.found);
    let mut names: Vec<_> = found.into_iter().map(|found| found.name).collect();
    names.sort_by_key(|name| {
        (
            listed.iter().rposition(|listed| listed == name),
            name.clone(),
        )
    });
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use analects_testkit::{FakeFiles, Fixture};
    use std::fmt::Write;

    fn changed(tree: &str, record: &str) -> Vec<String> {
        let files = FakeFiles::new(&Fixture::parse(tree));
        let record = AbsPath::new(record).unwrap();
        let changes = make_room(&files, &record).unwrap();
        let shown = |change: Change| {
            let text = change.text.map(|text| String::from_utf8(text).unwrap());
            format!("{} {text:?}", change.path)
        };
        changes.into_iter().map(shown).collect()
    }

    #[test]
    fn a_new_record_is_the_youngest() {
        let tree = "//- /h/claude-1.json\n//- /h/codex-2.json\n//- /h/sessions.txt\ncodex-2.json\ngone.json\n";
        assert_eq!(
            changed(tree, "/h/gemini-3.json"),
            [r#"/h/sessions.txt Some("claude-1.json\ncodex-2.json\ngemini-3.json\n")"#]
        );
        assert_eq!(
            changed("", "/h/a.json"),
            [r#"/h/sessions.txt Some("a.json\n")"#]
        );
    }

    #[test]
    fn the_oldest_go() {
        let mut tree = "//- /h/sessions.txt\n".to_owned();
        let names: Vec<_> = (0..=MAX_KEPT)
            .map(|at| format!("claude-{at}.json"))
            .collect();
        tree.push_str(&names.join("\n"));
        for name in &names {
            write!(tree, "\n//- /h/{name}\n{{}}").unwrap();
        }
        let changes = changed(&tree, "/h/new.json");
        assert_eq!(
            changes[1..],
            ["/h/claude-0.json None", "/h/claude-1.json None"]
        );
        assert!(
            changes[0].contains(r#"Some("claude-2.json\n"#),
            "{}",
            changes[0]
        );
    }
}
