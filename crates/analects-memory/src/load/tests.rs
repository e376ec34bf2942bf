//! What is read of a list of candidates: repaired, limited, and nothing twice.

mod hear;
mod limits;
mod once;
mod repairs;

use std::fmt::Write;

use analects_testkit::{FakeFiles, Fixture, show_problems};
use expect_test::{Expect, expect};

use super::*;
use crate::discover::Home;
use crate::import::Scope;

/// Files to load, in the order given: the global layer is `/home/u/.gemini`, everything else is `/p`.
struct Load {
    disk: FakeFiles,
    candidates: Vec<Candidate>,
    options: LoadOptions,
}

impl Load {
    fn of(paths: &[&str], fixture: &Fixture) -> Self {
        let profile = Profile::Analects;
        let options = LoadOptions {
            import: ImportOptions {
                profile,
                scope: Scope::Root,
                max_depth: 10,
            },
            file_limit_bytes: 512 * 1024,
            load_limit_bytes: 1024 * 1024,
            labels: Labels {
                profile,
                root: abs("/p"),
                cwd: abs("/p"),
                home: abs("/home/u"),
            },
            denied: Denied::default(),
            owners: analects_world::ownership::TrustedOwners::default(),
        };
        let candidates = paths.iter().map(|path| candidate(path)).collect();
        Self {
            disk: FakeFiles::new(fixture),
            candidates,
            options,
        }
    }

    fn limits(mut self, file_limit_bytes: usize, load_limit_bytes: usize) -> Self {
        self.options.file_limit_bytes = file_limit_bytes;
        self.options.load_limit_bytes = load_limit_bytes;
        self
    }

    #[track_caller]
    fn check(self, expected: Expect) {
        let mut loader = Loader::new(&self.disk, &self.options);
        let (loaded, problems) = loader.load(&self.candidates, Format::Tree);
        let mut shown = String::new();
        for file in &loaded {
            let (layer, label, bytes) = (file.layer.name(), &file.label, file.bytes);
            writeln!(shown, "{layer} {label} ({bytes} bytes): {:?}", file.text).unwrap();
        }
        for duplicate in loader.duplicates() {
            let Duplicate { path, same_as, .. } = duplicate;
            writeln!(shown, "= {path} says what {same_as} says").unwrap();
        }
        expected.assert_eq(&(shown + &show_problems(&problems)));
    }
}

/// Loads the paths of a fixture.
#[track_caller]
fn check(paths: &[&str], fixture: &str, expected: Expect) {
    Load::of(paths, &Fixture::parse(fixture)).check(expected);
}

/// Loads one file of these bytes.
#[track_caller]
fn check_bytes(bytes: &[u8], expected: Expect) {
    Load::of(
        &["/p/GEMINI.md"],
        &Fixture::default().file("/p/GEMINI.md", bytes),
    )
    .check(expected);
}

fn candidate(path: &str) -> Candidate {
    let (path, global) = (abs(path), abs("/home/u/.gemini"));
    if path.is_within(&global) {
        Candidate {
            path,
            layer: Layer::Global,
            home: Home::Anywhere,
            import_root: global,
        }
    } else {
        let root = abs("/p");
        Candidate {
            path,
            layer: Layer::Project,
            home: Home::Below(root.clone()),
            import_root: root,
        }
    }
}

fn abs(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}

#[test]
fn what_cannot_be_read_is_a_problem_and_what_is_gone_is_none() {
    check(
        &[
            "/p/GEMINI.md",
            "/p/out.md",
            "/p/dir.md",
            "/p/loop.md",
            "/p/gone.md",
            "/p/pipe.md",
            "/p/AGENTS.md",
        ],
        "
//- /p/GEMINI.md (denied)
//- /p/out.md -> /etc/secret
//- /p/dir.md -> dir
//- /p/dir/
//- /p/loop.md -> loop.md
//- /p/gone.md -> nowhere
//- /p/pipe.md (special)
//- /p/AGENTS.md
still here
//- /etc/secret
secret
",
        expect![[r#"
            project AGENTS.md (11 bytes): "still here\n"
            ! unreadable: /p/GEMINI.md: permission denied
            ! link-outside: /p/out.md: a link that leads outside
            ! not-a-file: /p/dir.md: a directory, not a file
            ! unreadable: /p/loop.md: a loop of links
            ! not-a-file: /p/pipe.md: not a regular file
        "#]],
    );
}

#[test]
fn the_users_own_file_may_be_a_link_and_imports_from_beside_its_name() {
    check(
        &["/home/u/.gemini/GEMINI.md"],
        "
//- /home/u/.gemini/GEMINI.md -> /home/u/dotfiles/gemini.md
//- /home/u/dotfiles/gemini.md
@style.md @/home/u/dotfiles/gemini.md
//- /home/u/.gemini/style.md
tabs
",
        expect![[r#"
            global ~/.gemini/GEMINI.md (38 bytes): "<!-- Imported from: style.md -->\ntabs\n\n<!-- End of import from: style.md --> <!-- Import failed: /home/u/dotfiles/gemini.md - outside the allowed directory -->\n"
            ! import-failed: /home/u/.gemini/GEMINI.md:1: `@/home/u/dotfiles/gemini.md` did not load: outside the allowed directory
        "#]],
    );
}

#[test]
fn a_later_load_has_a_fresh_limit_and_remembers_what_was_read() {
    let fixture = Fixture::parse("//- /p/GEMINI.md\n0123456789\n//- /p/a/GEMINI.md\nabcdefghij\n");
    let load = Load::of(&["/p/GEMINI.md", "/p/a/GEMINI.md"], &fixture).limits(100, 11);
    let mut loader = Loader::new(&load.disk, &load.options);
    let labels = |loaded: Vec<Loaded>| {
        loaded
            .into_iter()
            .map(|file| file.label)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        labels(loader.load(&load.candidates, Format::Tree).0),
        ["GEMINI.md"]
    );
    assert_eq!(
        labels(loader.load(&load.candidates, Format::Tree).0),
        ["a/GEMINI.md"]
    );
    assert_eq!(
        labels(loader.load(&load.candidates, Format::Tree).0),
        Vec::<String>::new()
    );
    assert!(loader.duplicates().is_empty());
}
