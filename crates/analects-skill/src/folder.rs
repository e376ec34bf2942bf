//! All files of one skill, read within bounds.
//!
//! What is no plain text file of a sensible size is told, not followed: links, pipes, binaries, heaps.

use analects_text::decode::without_mark;
use analects_text::hidden;
use analects_text::lines::LineIndex;
use analects_world::AbsPath;
use analects_world::files::{Files, Kind, Pick, Subdirs, Trouble, Want, Within};

use crate::skill;

/// A skill has at most this many files.
pub const MAX_FILES: usize = 64;
/// A file of a skill has at most this many bytes.
pub const MAX_FILE_BYTES: usize = 256 * 1024;
/// All files of a skill have at most this many bytes.
pub const MAX_BYTES: usize = 1024 * 1024;
/// Directories inside a skill are nested at most so deep.
pub(crate) const MAX_DEPTH: usize = 6;

/// How a refusal of what is no text ends.
pub(crate) const NO_TEXT: &str = "is no text";

/// The files of a skill.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folder {
    /// What can be taken, by name; `SKILL.md` first.
    pub files: Vec<File>,
    /// Its directories and itself, links resolved, the innermost first.
    pub dirs: Vec<AbsPath>,
    /// What speaks against taking it, a lowercase fragment each.
    pub refusals: Vec<String>,
}

/// A file of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its path inside the skill.
    pub name: String,
    /// Its path, links resolved.
    pub path: AbsPath,
    /// What it holds.
    pub text: String,
}

/// Reads a folder. What is refused is left out, and said.
#[must_use]
pub fn read(files: &dyn Files, dir: &AbsPath) -> Folder {
    read_without(files, dir, &[])
}

/// The same without directories of these names.
pub(crate) fn read_without(files: &dyn Files, dir: &AbsPath, left_out: &[&str]) -> Folder {
    let Some((paths, mut folder)) = plain_without(files, dir, left_out) else {
        let why = format!("`{}` is a link, or not a directory", dir.file_name());
        return Folder {
            refusals: vec![why],
            ..Folder::default()
        };
    };
    let top = folder.dirs.last().cloned().unwrap_or_else(|| dir.clone());
    let mut n_bytes = 0;
    for path in paths {
        let name = path.relative_to(&top).unwrap_or_default().to_owned();
        match text_of(files, &path) {
            Ok(text) => {
                n_bytes += text.len();
                folder.files.push(File { name, path, text });
            }
            Err(why) => folder.refusals.push(format!("`{name}` {why}")),
        }
        if n_bytes > MAX_BYTES {
            let why = format!("its files have more than {MAX_BYTES} bytes together");
            folder.refusals.push(why);
            break;
        }
    }
    folder
}

/// The plain files of a folder, `SKILL.md` first, and the rest of what is known of it; nothing is opened. `None` if
/// it is a link, or no directory.
pub(crate) fn plain(files: &dyn Files, dir: &AbsPath) -> Option<(Vec<AbsPath>, Folder)> {
    plain_without(files, dir, &[])
}

fn plain_without(
    files: &dyn Files,
    dir: &AbsPath,
    left_out: &[&str],
) -> Option<(Vec<AbsPath>, Folder)> {
    let mut folder = Folder::default();
    let paths = folder.walk(files, &itself(files, dir)?, left_out);
    Some((paths, folder))
}

/// The directory with links above it resolved; `None` if it is a link itself, or none.
fn itself(files: &dyn Files, dir: &AbsPath) -> Option<AbsPath> {
    let real = files.real(dir).ok()?;
    let parent = files.real(&dir.parent()?).ok()?;
    (real == parent.join(dir.file_name()) && files.require_dir(&real).is_ok()).then_some(real)
}

impl Folder {
    /// The plain files below a directory, in the order of their names.
    fn walk(&mut self, files: &dyn Files, top: &AbsPath, left_out: &[&str]) -> Vec<AbsPath> {
        let everything = Pick {
            subdirs: Subdirs::Report,
            ..Pick::ending("")
        };
        let mut plain = Vec::new();
        let mut dirs = vec![top.clone()];
        let mut at = 0;
        while let Some(dir) = dirs.get(at).cloned() {
            at += 1;
            let called = |name: &str| {
                let path = dir.join(name);
                path.relative_to(top).unwrap_or_default().to_owned()
            };
            let listing = match files.list_one(&dir, &everything) {
                Ok(listing) => listing,
                Err(trouble) => {
                    self.refusals.push(format!("`{}`: {trouble}", called("")));
                    continue;
                }
            };
            for found in &listing.found {
                match found.kind {
                    Kind::File => plain.push(dir.join(&found.name)),
                    Kind::Link => self
                        .refusals
                        .push(format!("`{}` is a link", called(&found.name))),
                    Kind::Special => self
                        .refusals
                        .push(format!("`{}` is not a regular file", called(&found.name))),
                    Kind::Dir => {}
                }
            }
            for name in &listing.unspeakable {
                self.refusals.push(format!("`{name}` is not UTF-8"));
            }
            let depth = dir.depth() - top.depth();
            if depth >= MAX_DEPTH && !listing.subdirs.is_empty() {
                let why = format!("directories in it are nested more than {MAX_DEPTH} deep");
                self.refusals.push(why);
                continue;
            }
            let subdirs = listing.subdirs.iter();
            let subdirs = subdirs.filter(|name| !left_out.contains(&name.as_str()));
            dirs.extend(subdirs.map(|name| dir.join(name)));
            if plain.len() > MAX_FILES || dirs.len() > MAX_FILES {
                let why = format!("there are more than {MAX_FILES} files or directories in it");
                self.refusals.push(why);
                break;
            }
        }
        self.dirs = dirs.into_iter().rev().collect();
        // `SKILL.md` is looked at first, so that a heap beside it does not hide it.
        let is_other = |path: &AbsPath| path.relative_to(top) != Some(skill::FILE);
        plain.sort_by(|a, b| (is_other(a), a).cmp(&(is_other(b), b)));
        plain.truncate(MAX_FILES);
        plain
    }
}

fn text_of(files: &dyn Files, path: &AbsPath) -> Result<String, String> {
    let want = Want {
        path,
        within: Within::Itself,
        limit_bytes: MAX_FILE_BYTES,
    };
    let blob = files.read_one(want).map_err(|trouble| match trouble {
        Trouble::Outside => "is a link".to_owned(),
        other => format!("cannot be read: {other}"),
    })?;
    if blob.is_cut() {
        return Err(format!("has more than {MAX_FILE_BYTES} bytes"));
    }
    text_of_bytes(blob.bytes)
}

/// The text that a file of a skill holds, if a person can see all of it; else why not.
pub(crate) fn text_of_bytes(bytes: Vec<u8>) -> Result<String, String> {
    let text = match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => text,
        _ => return Err(NO_TEXT.to_owned()),
    };
    // Whoever looks at it before they agree must see all of it.
    let seen = without_mark(&text);
    match hidden::find(seen).first() {
        None => Ok(text),
        Some(first) => {
            let line = LineIndex::new(seen).line(first.at);
            Err(format!("has hidden characters in line {line}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use analects_testkit::{Entry, FakeFiles, Fixture};

    use super::*;

    fn look(fixture: Fixture) -> Folder {
        let fixture = fixture.file("/s/a/SKILL.md", "---\n");
        read(&FakeFiles::new(&fixture), &AbsPath::new("/s/a").unwrap())
    }

    #[test]
    fn files_are_read_with_skill_md_first_and_directories_innermost_first() {
        let fixture = Fixture::default()
            .file("/s/a/.hidden", "x")
            .file("/s/a/scripts/run.sh", "echo\n");
        let folder = look(fixture);
        let names: Vec<_> = folder.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["SKILL.md", ".hidden", "scripts/run.sh"]);
        let dirs: Vec<_> = folder.dirs.iter().map(AbsPath::as_str).collect();
        assert_eq!(dirs, ["/s/a/scripts", "/s/a"]);
        assert_eq!(folder.refusals, Vec::<String>::new());
    }

    #[test]
    fn links_pipes_binaries_and_heaps_are_told_and_left_out() {
        let fixture = Fixture::default()
            .with("/s/a/key", Entry::Link("/etc/passwd".to_owned()))
            .with("/s/a/dir", Entry::Link("/etc".to_owned()))
            .with("/s/a/pipe", Entry::Special)
            .file("/s/a/tool", b"\x7fELF\0\xFF")
            .file("/s/a/unseen.md", "a\nb\u{200B}c\n")
            .file("/s/a/huge.md", "x".repeat(MAX_FILE_BYTES + 1))
            .file("/s/a/d/d/d/d/d/d/d/deep", "x");
        let mut refusals = look(fixture).refusals;
        refusals.sort();
        assert_eq!(
            refusals,
            [
                "`dir` is a link",
                "`huge.md` has more than 262144 bytes",
                "`key` is a link",
                "`pipe` is not a regular file",
                "`tool` is no text",
                "`unseen.md` has hidden characters in line 2",
                "directories in it are nested more than 6 deep",
            ]
        );
        let many = (0..100).fold(Fixture::default(), |fixture, n| {
            fixture.file(&format!("/s/a/{n}"), "x")
        });
        let folder = look(many);
        assert_eq!(folder.files.len(), MAX_FILES);
        assert_eq!(folder.files[0].name, "SKILL.md");
        assert_eq!(folder.refusals.len(), 1);
        let large = (0..10).fold(Fixture::default(), |fixture, n| {
            fixture.file(&format!("/s/a/{n}"), "x".repeat(200_000))
        });
        assert_eq!(
            look(large).refusals,
            ["its files have more than 1048576 bytes together"]
        );
    }

    #[test]
    fn a_link_is_no_folder() {
        let fixture = Fixture::default().with("/s/b", Entry::Link("a".to_owned()));
        let files = FakeFiles::new(&fixture.file("/s/a/SKILL.md", ""));
        let folder = read(&files, &AbsPath::new("/s/b").unwrap());
        assert_eq!(folder.refusals, ["`b` is a link, or not a directory"]);
        assert_eq!(folder.files, []);
    }
}
