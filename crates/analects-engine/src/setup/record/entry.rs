//! What is remembered about one file of a host's.

use analects_text::hunks::{Hunk, hunks};
use analects_world::AbsPath;
use analects_world::changes::ContentHash;

use crate::json_edit::Json;
use crate::jsonc::{Item, Value};
use crate::sequence::part;
use crate::setup::rewire::{Former, Made};

/// The way back to what a file held before us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::setup) struct Entry {
    /// What it held before us; nothing if there was no such file.
    before: Option<ContentHash>,
    /// What it held when we had written it.
    after: ContentHash,
    /// Where the two differ, in order.
    changes: Vec<Changed>,
    /// What we made around our entries.
    pub(in crate::setup) made: Made,
    /// The directories we made for the file, the innermost first.
    pub(in crate::setup) dirs: Vec<AbsPath>,
    /// What a server of our name said before us, where we changed it; nothing if there was none.
    pub(in crate::setup) former: Option<Former>,
}

/// A place at which we changed a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Changed {
    at: usize,
    /// How many bytes stand there now.
    n_bytes: usize,
    /// What stood there before.
    was: String,
}

impl Entry {
    /// What to remember about a file that said `before` and now says `after`.
    pub(in crate::setup) fn between(before: Option<&str>, after: &str) -> Self {
        let changed = |was: &str, hunk: Hunk| Changed {
            at: hunk.old.start,
            n_bytes: hunk.old.len(),
            was: part(was, hunk.new).to_owned(),
        };
        let changes = before.map(|was| {
            let hunks = hunks(after, was).into_iter();
            hunks.map(|hunk| changed(was, hunk)).collect()
        });
        Self {
            before: before.map(|text| ContentHash::of(text.as_bytes())),
            after: ContentHash::of(after.as_bytes()),
            changes: changes.unwrap_or_default(),
            made: Made::new(),
            dirs: Vec::new(),
            former: None,
        }
    }

    /// What the file held before us: `Some(None)` if there was none. `None` if it was changed since.
    pub(in crate::setup) fn undo(&self, text: &str) -> Option<Option<String>> {
        if ContentHash::of(text.as_bytes()) != self.after {
            return None;
        }
        let Some(before) = self.before else {
            return Some(None);
        };
        let mut was = String::with_capacity(text.len());
        let mut end = 0;
        for change in &self.changes {
            was.push_str(text.get(end..change.at)?);
            was.push_str(&change.was);
            end = change.at.checked_add(change.n_bytes)?;
        }
        was.push_str(text.get(end..)?);
        (ContentHash::of(was.as_bytes()) == before).then_some(Some(was))
    }

    /// Whether there was no such file before us.
    pub(in crate::setup) fn is_new_file(&self) -> bool {
        self.before.is_none()
    }

    pub(super) fn read(item: &Item) -> Option<Self> {
        let hash = |name: &str| ContentHash::parse(item.get(name)?.text()?);
        let list = |name: &str| item.get(name).and_then(Item::list).unwrap_or_default();
        let way = |item: &Item| {
            let names = item.list().unwrap_or_default().iter();
            names
                .filter_map(|name| Some(name.text()?.to_owned()))
                .collect()
        };
        let dirs = list("dirs").iter();
        Some(Self {
            before: hash("before"),
            after: hash("after")?,
            changes: list("changes").iter().filter_map(Changed::read).collect(),
            made: list("made").iter().map(way).collect(),
            dirs: dirs
                .filter_map(|dir| AbsPath::new(dir.text()?).ok())
                .collect(),
            former: item.get("former").and_then(Json::of).and_then(members),
        })
    }

    pub(super) fn write(&self) -> Json {
        let way = |way: &Vec<String>| Json::List(way.iter().map(|name| text(name)).collect());
        let dirs = self.dirs.iter().map(|dir| text(dir.as_str()));
        let before = self.before.map(|hash| ("before", text(&hash.to_string())));
        let changes = self.changes.iter().map(Changed::write);
        let rest = [
            ("after", text(&self.after.to_string())),
            ("changes", Json::List(changes.collect())),
            ("made", Json::List(self.made.iter().map(way).collect())),
            ("dirs", Json::List(dirs.collect())),
        ];
        let former = self
            .former
            .clone()
            .map(|former| ("former", Json::Object(former)));
        object(before.into_iter().chain(rest).chain(former))
    }
}

fn members(json: Json) -> Option<Former> {
    match json {
        Json::Object(members) => Some(members),
        _ => None,
    }
}

impl Changed {
    fn read(item: &Item) -> Option<Self> {
        // A number that makes no sense makes no sense of the text either: `undo` checks the outcome.
        let number = |name: &str| match item.get(name)?.value {
            Value::Number(number) => Some(number as usize),
            _ => None,
        };
        Some(Self {
            at: number("at")?,
            n_bytes: number("bytes")?,
            was: item.get("was")?.text()?.to_owned(),
        })
    }

    fn write(&self) -> Json {
        object([
            ("at", Json::Number(self.at as u64)),
            ("bytes", Json::Number(self.n_bytes as u64)),
            ("was", text(&self.was)),
        ])
    }
}

fn text(text: &str) -> Json {
    Json::Text(text.to_owned())
}

fn object(members: impl IntoIterator<Item = (&'static str, Json)>) -> Json {
    let members = members.into_iter();
    Json::Object(
        members
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_edit::{Draft, Step};

    fn check(before: Option<&str>, after: &str) {
        let entry = Entry {
            made: vec![vec!["hooks".to_owned()]],
            dirs: vec![AbsPath::new("/h/x").unwrap()],
            former: Some(vec![("command".to_owned(), text("x"))]),
            ..Entry::between(before, after)
        };
        assert_eq!(entry.undo(after), Some(before.map(str::to_owned)));
        assert_eq!(entry.undo("else"), None);
        let mut draft = Draft::new("").unwrap();
        draft.set(&[Step::Key("e")], &entry.write()).unwrap();
        let read = Entry::read(draft.root().unwrap().get("e").unwrap());
        assert_eq!(read, Some(entry), "an entry survives being written down");
    }

    #[test]
    fn what_was_comes_back_whole() {
        check(None, "{}");
        check(Some(""), "{}");
        check(Some("a é b"), "a è b");
        check(Some("文"), "斈");
        check(Some("é文é\nb\nc"), "é斈é斈é\nb\nd");
        check(Some("{\r\n}"), "{\r\n \"a\u{7F}\": \"\\u0000\"\r\n}");
    }

    #[test]
    fn what_stands_between_two_changes_is_not_kept() {
        let entry = Entry::between(
            Some("a\nkey = 'secret'\nb\n"),
            "a\n1\nkey = 'secret'\n2\nb\n",
        );
        assert!(!format!("{entry:?}").contains("secret"));
    }

    #[test]
    fn the_first_version_is_read_for_ever() {
        let text = r#"{"before": "WAS", "after": "IS", "changes": [{"at": 1, "bytes": 2, "was": "é"}], "made": [["hooks"]], "dirs": ["/h/x"]}"#;
        let hash = |text: &str| ContentHash::of(text.as_bytes()).to_string();
        let text = text
            .replace("WAS", &hash("aéd"))
            .replace("IS", &hash("abcd"));
        let entry = Entry::read(&Draft::new(&text).unwrap().root().unwrap()).unwrap();
        assert_eq!(entry.undo("abcd"), Some(Some("aéd".to_owned())));
        assert_eq!(entry.made, [["hooks"]]);
        assert_eq!(entry.dirs[0].as_str(), "/h/x");
        assert_eq!(entry.former, None);
    }

    #[test]
    fn an_entry_that_makes_no_sense_undoes_nothing() {
        let mut entry = Entry::between(Some("ab"), "axb");
        entry.changes[0].at = 9;
        assert_eq!(entry.undo("axb"), None);
        entry.changes[0].n_bytes = usize::MAX;
        assert_eq!(entry.undo("axb"), None);
    }
}
