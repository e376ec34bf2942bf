//! How the files of hosts were before we wired them: `~/.gemini/analects/setup.json`.
//!
//! Of each file it keeps what stood where it was changed, and the fingerprints of before and after: if the
//! file is still as we left it, it can become what it was, to the byte.

use analects_world::AbsPath;
use analects_world::changes::{Change, ContentHash, Splice};
use analects_world::files::Files;

use super::rewire::Made;
use crate::World;
use crate::json_edit::{Draft, Json, Step};
use crate::jsonc::{Bad, Item, Value};
use crate::sequence::part;
use crate::verbs::Failure;
use crate::write;

/// The version of the file. Entries may get more members; what is there keeps its meaning.
const VERSION: u64 = 1;

/// The file, read and about to be written.
#[derive(Debug)]
pub(super) struct Record {
    path: AbsPath,
    old: Option<String>,
    draft: Draft,
}

/// What is known about one file of a host's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// What it held before us; nothing if there was no such file.
    before: Option<ContentHash>,
    /// What it held when we had written it.
    after: ContentHash,
    /// Where the two differ.
    at: usize,
    /// How many bytes of ours stand there.
    n_bytes: usize,
    /// What stood there before.
    was: String,
    /// What we made around our entries.
    pub(super) made: Made,
    /// The directories we made for the file, the innermost first.
    pub(super) dirs: Vec<AbsPath>,
}

impl Record {
    pub(super) fn path(world: &World<'_>) -> AbsPath {
        world.around.global_dir().join("analects/setup.json")
    }

    /// Reads the file. One that cannot be understood is not overwritten.
    pub(super) fn read(files: &dyn Files, path: &AbsPath) -> Result<Self, Failure> {
        let old = write::text_of(files, path)?;
        let draft = Draft::new(old.as_deref().unwrap_or("\n"));
        let record = Self {
            path: path.clone(),
            draft: draft.map_err(|bad| broken(path, &bad))?,
            old,
        };
        let root = record.draft.root().map_err(|bad| broken(path, &bad))?;
        match root.get("version") {
            Some(version) if !Json::Number(VERSION).is_said_by(version) => {
                let message = format!("`{path}` was written by a newer version of Analects");
                Err(Failure::failed(message).hint("update this one; nothing was changed"))
            }
            _ => Ok(record),
        }
    }

    pub(super) fn entry(&self, file: &AbsPath) -> Option<Entry> {
        let root = self.draft.root().ok()?;
        Entry::read(root.get("files")?.get(file.as_str())?)
    }

    /// Remembers a file, or forgets it.
    pub(super) fn set(&mut self, file: &AbsPath, entry: Option<&Entry>) -> Result<(), Failure> {
        let way = [Step::Key("files"), Step::Key(file.as_str())];
        let done = match entry {
            Some(entry) => self
                .draft
                .set(&[Step::Key("version")], &Json::Number(VERSION))
                .and_then(|()| self.draft.set(&way, &entry.write())),
            None => self.draft.remove(&way),
        };
        done.map_err(|bad| broken(&self.path, &bad))
    }

    /// The file as it should be now, if that is something else. With nothing to remember it goes.
    pub(super) fn into_change(self) -> Option<Change> {
        let root = self.draft.root().ok()?;
        let files = root.get("files").and_then(Item::object);
        let is_needed = files.is_some_and(|files| !files.is_empty());
        let new = is_needed.then(|| self.draft.into_text());
        let old = self.old.as_deref().map(str::as_bytes);
        (new.as_deref().map(str::as_bytes) != old)
            .then(|| Change::new(&self.path, old, new.map(String::into_bytes)).owner_only())
    }
}

impl Entry {
    /// What to remember about a file that said `before` and now says `after`.
    pub(super) fn between(before: Option<&str>, after: &str) -> Self {
        let was = before.unwrap_or_default();
        let splice = Splice::between(after.as_bytes(), was.as_bytes());
        // What is kept is text: a character that the two share only half of belongs to the difference.
        let is_whole = |at: usize| after.is_char_boundary(at);
        let at = (0..=splice.at).rev().find(|&at| is_whole(at));
        let at = at.unwrap_or_default();
        let end = splice.at + splice.old.len();
        let n_more = (0..4).find(|&n| is_whole(end + n)).unwrap_or_default();
        let end_was = splice.at + splice.new.len() + n_more;
        Self {
            before: before.map(|text| ContentHash::of(text.as_bytes())),
            after: ContentHash::of(after.as_bytes()),
            at,
            n_bytes: end + n_more - at,
            was: part(was, at..end_was).to_owned(),
            made: Made::new(),
            dirs: Vec::new(),
        }
    }

    /// What the file held before us: `Some(None)` if there was none. `None` if it was changed since.
    pub(super) fn undo(&self, text: &str) -> Option<Option<String>> {
        if ContentHash::of(text.as_bytes()) != self.after {
            return None;
        }
        let Some(before) = self.before else {
            return Some(None);
        };
        let head = text.get(..self.at)?;
        let tail = text.get(self.at + self.n_bytes..)?;
        let was = format!("{head}{}{tail}", self.was);
        (ContentHash::of(was.as_bytes()) == before).then_some(Some(was))
    }

    /// Whether there was no such file before us.
    pub(super) fn is_new_file(&self) -> bool {
        self.before.is_none()
    }

    fn read(item: &Item) -> Option<Self> {
        let hash = |name: &str| ContentHash::parse(item.get(name)?.text()?);
        let number = |name: &str| match item.get(name)?.value {
            Value::Number(number) => Some(number as usize),
            _ => None,
        };
        let way = |item: &Item| {
            let names = item.list().unwrap_or_default().iter();
            names
                .filter_map(|name| Some(name.text()?.to_owned()))
                .collect()
        };
        let made = item.get("made").and_then(Item::list);
        let dirs = item.get("dirs").and_then(Item::list).unwrap_or_default();
        let dirs = dirs.iter().filter_map(|dir| AbsPath::new(dir.text()?).ok());
        Some(Self {
            before: hash("before"),
            after: hash("after")?,
            at: number("at")?,
            n_bytes: number("bytes")?,
            was: item.get("was")?.text()?.to_owned(),
            made: made.unwrap_or_default().iter().map(way).collect(),
            dirs: dirs.collect(),
        })
    }

    fn write(&self) -> Json {
        let text = |text: &str| Json::Text(text.to_owned());
        let way = |way: &Vec<String>| Json::List(way.iter().map(|name| text(name)).collect());
        let dirs = self.dirs.iter().map(|dir| text(dir.as_str()));
        let before = self.before.map(|hash| ("before", text(&hash.to_string())));
        let rest = [
            ("after", text(&self.after.to_string())),
            ("at", Json::Number(self.at as u64)),
            ("bytes", Json::Number(self.n_bytes as u64)),
            ("was", text(&self.was)),
            ("made", Json::List(self.made.iter().map(way).collect())),
            ("dirs", Json::List(dirs.collect())),
        ];
        let members = before.into_iter().chain(rest);
        Json::Object(members.map(|(name, v)| (name.to_owned(), v)).collect())
    }
}

fn broken(path: &AbsPath, bad: &Bad) -> Failure {
    Failure::failed(format!("cannot read `{path}`: {}", bad.message))
        .hint("repair it, or move it away: entries are then removed one by one")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: Option<&str>, after: &str) {
        let entry = Entry {
            made: vec![vec!["hooks".to_owned()]],
            dirs: vec![AbsPath::new("/h/x").unwrap()],
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
        check(Some("é文é"), "é斈é斈é");
        check(Some("{\r\n}"), "{\r\n \"a\u{7F}\": \"\\u0000\"\r\n}");
    }

    #[test]
    fn the_first_version_is_read_for_ever() {
        let text = r#"{"version": 1, "files": {"/h/x": {"after": "HASH", "at": 0, "bytes": 2, "was": "", "made": [["hooks"]]}}}"#;
        let hash = ContentHash::of(b"{}").to_string();
        let draft = Draft::new(&text.replace("HASH", &hash)).unwrap();
        let root = draft.root().unwrap();
        let entry = root.get("files").and_then(|files| files.get("/h/x"));
        let entry = Entry::read(entry.unwrap()).unwrap();
        assert_eq!(entry.undo("{}"), Some(None));
        assert_eq!(entry.made, [["hooks"]]);
    }
}
