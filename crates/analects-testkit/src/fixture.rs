//! Trees of files, written as one text.
//!
//! ```text
//! //- /repo/GEMINI.md
//! text of the file
//! //- /repo/link.md -> ../other.md
//! //- /repo/empty/
//! //- /repo/pipe (special)
//! //- /repo/secret.md (denied)
//! text
//! ```

/// A tree to build on a fake or a real disk.
#[derive(Debug, Clone, Default)]
pub struct Fixture {
    /// Paths and what stands there, in the order given. Parent directories are implied.
    pub entries: Vec<(String, Entry)>,
}

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A regular file.
    File(Vec<u8>),
    /// A regular file that may not be read.
    Denied(Vec<u8>),
    /// A directory.
    Dir,
    /// A symbolic link to this target.
    Link(String),
    /// A pipe.
    Special,
}

impl Fixture {
    /// Reads the notation above. Text before the first `//-` is ignored.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut fixture = Self::default();
        for line in text.split_inclusive('\n') {
            if let Some(head) = line.strip_prefix("//- ") {
                fixture.entries.push(entry(head.trim_end_matches('\n')));
            } else if let Some((_, Entry::File(bytes) | Entry::Denied(bytes))) =
                fixture.entries.last_mut()
            {
                bytes.extend_from_slice(line.as_bytes());
            }
        }
        fixture
    }

    /// The same tree with one more entry.
    #[must_use]
    pub fn with(mut self, path: &str, entry: Entry) -> Self {
        self.entries.push((path.to_owned(), entry));
        self
    }

    /// The same tree with one more file.
    #[must_use]
    pub fn file(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.with(path, Entry::File(bytes.as_ref().to_vec()))
    }
}

fn entry(head: &str) -> (String, Entry) {
    if let Some((path, target)) = head.split_once(" -> ") {
        return (path.to_owned(), Entry::Link(target.to_owned()));
    }
    if let Some(path) = head.strip_suffix(" (special)") {
        return (path.to_owned(), Entry::Special);
    }
    if let Some(path) = head.strip_suffix(" (denied)") {
        return (path.to_owned(), Entry::Denied(Vec::new()));
    }
    match head.strip_suffix('/') {
        Some(path) => (path.to_owned(), Entry::Dir),
        None => (head.to_owned(), Entry::File(Vec::new())),
    }
}
