//! What is told of the files that are open in an editor.
//!
//! The first time everything is told, later what has changed. While a tool is awaited nothing is: whoever
//! sends decides when, and remembers what was told last.

use std::collections::HashSet;

use analects_text::units;
use serde_json::{Map, Value, json};

use crate::said::pretty;

/// More files are not told of.
pub const MAX_OPEN_FILES: usize = 10;
/// A longer selection is cut, in UTF-16 units.
pub const MAX_SELECTION_UNITS: usize = 16_384;

/// A file that is open in an editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenFile {
    /// Where it is.
    pub path: String,
    /// When somebody was last in it, in milliseconds.
    pub timestamp: u64,
    /// Whether somebody is in it now.
    pub is_active: bool,
    /// Where the cursor stands.
    pub cursor: Option<Cursor>,
    /// What is selected.
    pub selected_text: Option<String>,
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The line.
    pub line: u64,
    /// The character on it.
    pub character: u64,
}

/// The files as they are told of: the newest first, only the newest active and only if it says so itself, only
/// that one with a cursor and a selection, and not too many.
#[must_use]
pub fn settled(mut files: Vec<OpenFile>, selection_units: usize) -> Vec<OpenFile> {
    files.sort_by_key(|file| std::cmp::Reverse(file.timestamp));
    files.truncate(MAX_OPEN_FILES);
    for (idx, file) in files.iter_mut().enumerate() {
        if idx > 0 || !file.is_active {
            file.is_active = false;
            file.cursor = None;
            file.selected_text = None;
        }
        let selected = file.selected_text.take();
        file.selected_text = selected.map(|text| cut_selection(text, selection_units));
    }
    files
}

/// All that is told of the files; `None` if there is nothing to tell.
#[must_use]
pub fn full(files: &[OpenFile]) -> Option<Value> {
    let mut told = Map::new();
    if let Some(file) = active(files) {
        told.insert("activeFile".to_owned(), whole(file));
    }
    let others = files.iter().filter(|file| !file.is_active);
    let others: Vec<_> = others.map(|file| &*file.path).collect();
    if !others.is_empty() {
        told.insert("otherOpenFiles".to_owned(), json!(others));
    }
    Some(Value::Object(told)).filter(|_| active(files).is_some() || !others.is_empty())
}

/// What has changed since the files were last told of; `None` if nothing has.
#[must_use]
pub fn changes(before: &[OpenFile], now: &[OpenFile]) -> Option<Value> {
    let mut changes = Map::new();
    for (name, files, others) in [("filesOpened", now, before), ("filesClosed", before, now)] {
        let paths = only_in(files, others);
        if !paths.is_empty() {
            changes.insert(name.to_owned(), json!(paths));
        }
    }
    match (active(before), active(now)) {
        (Some(was), Some(is)) if was.path == is.path => changes.extend(inside(was, is)),
        (_, Some(is)) => {
            changes.insert("activeFileChanged".to_owned(), whole(is));
        }
        (Some(was), None) => {
            let left = json!({ "path": null, "previousPath": was.path });
            changes.insert("activeFileChanged".to_owned(), left);
        }
        (None, None) => {}
    }
    match changes.is_empty() {
        true => None,
        false => Some(json!({ "changes": changes })),
    }
}

/// The words in which the model hears of it.
#[must_use]
pub fn told(context: &Value) -> String {
    let what = match context.get("changes") {
        None => "What is open in the user's editor",
        Some(_) => "What has changed in the user's editor",
    };
    format!(
        "{what}, for information only:\n```json\n{}\n```",
        pretty(context)
    )
}

fn cut_selection(text: String, limit_units: usize) -> String {
    let cut = units::head(&text, limit_units);
    match cut.len() < text.len() {
        true => format!("{cut}... [TRUNCATED]"),
        false => text,
    }
}

fn active(files: &[OpenFile]) -> Option<&OpenFile> {
    files.iter().find(|file| file.is_active)
}

fn whole(file: &OpenFile) -> Value {
    let mut told = Map::from_iter([("path".to_owned(), json!(file.path))]);
    if let Some(cursor) = file.cursor {
        told.insert("cursor".to_owned(), place(cursor));
    }
    if let Some(text) = file
        .selected_text
        .as_deref()
        .filter(|text| !text.is_empty())
    {
        told.insert("selectedText".to_owned(), json!(text));
    }
    Value::Object(told)
}

fn place(cursor: Cursor) -> Value {
    json!({ "line": cursor.line, "character": cursor.character })
}

/// What has changed inside a file.
fn inside(was: &OpenFile, is: &OpenFile) -> Map<String, Value> {
    let mut changes = Map::new();
    if let Some(cursor) = is.cursor.filter(|cursor| was.cursor != Some(*cursor)) {
        let moved = json!({ "path": is.path, "cursor": place(cursor) });
        changes.insert("cursorMoved".to_owned(), moved);
    }
    let [before, now] = [was, is].map(|file| file.selected_text.as_deref().unwrap_or_default());
    if before != now {
        let changed = json!({ "path": is.path, "selectedText": now });
        changes.insert("selectionChanged".to_owned(), changed);
    }
    changes
}

fn only_in<'a>(files: &'a [OpenFile], others: &[OpenFile]) -> Vec<&'a str> {
    let others = others.iter().map(|file| &*file.path);
    let mut seen: HashSet<&str> = others.collect();
    let paths = files.iter().map(|file| &*file.path);
    paths.filter(|path| seen.insert(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(files: Vec<OpenFile>) -> Vec<OpenFile> {
        super::settled(files, MAX_SELECTION_UNITS)
    }
    use expect_test::expect;

    fn file(path: &str, timestamp: u64, is_active: bool, selected_text: &str) -> OpenFile {
        OpenFile {
            path: path.to_owned(),
            timestamp,
            is_active,
            cursor: Some(Cursor {
                line: timestamp,
                character: 1,
            }),
            selected_text: Some(selected_text.to_owned()),
        }
    }

    #[test]
    fn only_the_newest_can_be_active() {
        let files = settled(vec![file("a", 1, true, "x"), file("b", 2, true, "y")]);
        let shown: Vec<_> = files
            .iter()
            .map(|f| (&*f.path, f.is_active, f.cursor.is_some()))
            .collect();
        assert_eq!(shown, [("b", true, true), ("a", false, false)]);
        let files = settled(vec![file("a", 1, true, "x"), file("b", 2, false, "y")]);
        assert!(
            files
                .iter()
                .all(|file| !file.is_active && file.selected_text.is_none())
        );
        assert_eq!(
            settled((0..12).map(|n| file("f", n, false, "")).collect()).len(),
            10
        );
    }

    #[test]
    fn a_selection_is_cut_between_characters() {
        let files = settled(vec![file(
            "a",
            1,
            true,
            &format!("x{}", "🦀".repeat(9_000)),
        )]);
        let text = files
            .first()
            .and_then(|file| file.selected_text.as_deref())
            .unwrap();
        assert_eq!(units::count(text), 16_383 + "... [TRUNCATED]".len());
    }

    #[test]
    fn everything_is_told_first_and_then_what_changed() {
        let before = settled(vec![file("a", 2, true, "x"), file("b", 1, false, "")]);
        expect![[r#"
            What is open in the user's editor, for information only:
            ```json
            {
              "activeFile": {
                "path": "a",
                "cursor": {
                  "line": 2,
                  "character": 1
                },
                "selectedText": "x"
              },
              "otherOpenFiles": [
                "b"
              ]
            }
            ```"#]]
        .assert_eq(&told(&full(&before).unwrap()));
        assert_eq!(changes(&before, &before), None);
        let now = settled(vec![file("c", 3, false, ""), file("a", 2, true, "x")]);
        expect![[r#"
            What has changed in the user's editor, for information only:
            ```json
            {
              "changes": {
                "filesOpened": [
                  "c"
                ],
                "filesClosed": [
                  "b"
                ],
                "activeFileChanged": {
                  "path": null,
                  "previousPath": "a"
                }
              }
            }
            ```"#]]
        .assert_eq(&told(&changes(&before, &now).unwrap()));
        assert_eq!(full(&[]), None);
    }
}
