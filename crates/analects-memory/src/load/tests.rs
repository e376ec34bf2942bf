//! What is read of a list of candidates: repaired, limited, and nothing twice.

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
            shown += &format!("{layer} {label} ({bytes} bytes): {:?}\n", file.text);
        }
        for duplicate in loader.duplicates() {
            shown += &format!(
                "= {} says what {} says\n",
                duplicate.path, duplicate.same_as
            );
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
fn a_byte_order_mark_is_dropped_and_line_ends_stay() {
    check_bytes(
        b"\xEF\xBB\xBFone\r\ntwo\r\n",
        expect![[r#"
        project GEMINI.md (13 bytes): "one\r\ntwo\r\n"
    "#]],
    );
}

#[test]
fn utf16_is_read_and_noted() {
    check_bytes(
        b"\xFF\xFEh\0i\0\n\0",
        expect![[r#"
        project GEMINI.md (8 bytes): "hi\n"
        ! utf16: /p/GEMINI.md:1: UTF-16, converted
    "#]],
    );
    check_bytes(
        b"\xFE\xFF\0h\0i",
        expect![[r#"
        project GEMINI.md (6 bytes): "hi"
        ! utf16: /p/GEMINI.md:1: UTF-16, converted
    "#]],
    );
}

#[test]
fn bytes_that_are_no_text_are_replaced_and_located() {
    check_bytes(
        b"one\ntwo \xFF\n",
        expect![[r#"
        project GEMINI.md (10 bytes): "one\ntwo �\n"
        ! not-utf8: /p/GEMINI.md:2: holds bytes that are not UTF-8
    "#]],
    );
    check_bytes(
        b"one\n\ntwo \0\n",
        expect![[r#"
        project GEMINI.md (11 bytes): "one\n\ntwo �\n"
        ! nul-bytes: /p/GEMINI.md:3: holds NUL characters
    "#]],
    );
}

#[test]
fn a_character_torn_by_the_limit_is_no_problem_of_the_file() {
    for (name, bytes) in [
        ("utf-8", "规则".repeat(10).into_bytes()),
        ("utf-16", utf16("🦀".repeat(10))),
    ] {
        for limit in 20..24 {
            let fixture = Fixture::default().file("/p/GEMINI.md", &bytes);
            let load = Load::of(&["/p/GEMINI.md"], &fixture).limits(limit, 1000);
            let mut loader = Loader::new(&load.disk, &load.options);
            let (loaded, problems) = loader.load(&load.candidates, Format::Tree);
            assert!(
                !loaded[0].text.contains('\u{FFFD}'),
                "{name} {limit}: {}",
                loaded[0].text
            );
            assert!(
                !problems
                    .iter()
                    .any(|problem| problem.code == &codes::NOT_UTF8)
            );
        }
    }
}

fn utf16(text: String) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16().collect::<Vec<_>>());
    units.flat_map(u16::to_le_bytes).collect()
}

#[test]
fn empty_and_blank_files_load_and_are_no_duplicates() {
    check(
        &["/p/GEMINI.md", "/p/a/GEMINI.md", "/p/b/GEMINI.md"],
        "//- /p/GEMINI.md\n//- /p/a/GEMINI.md\n\n//- /p/b/GEMINI.md\n",
        expect![[r#"
            project GEMINI.md (0 bytes): ""
            project a/GEMINI.md (1 bytes): "\n"
            project b/GEMINI.md (0 bytes): ""
        "#]],
    );
}

#[test]
fn the_same_file_under_two_names_is_loaded_once() {
    check(
        &[
            "/home/u/.gemini/GEMINI.md",
            "/p/GEMINI.md",
            "/p/AGENTS.md",
            "/p/CLAUDE.md",
        ],
        "
//- /home/u/.gemini/GEMINI.md -> /p/CLAUDE.md
//- /p/GEMINI.md
rule
//- /p/AGENTS.md -> GEMINI.md
//- /p/CLAUDE.md
other
",
        expect![[r#"
            global ~/.gemini/GEMINI.md (6 bytes): "other\n"
            project GEMINI.md (5 bytes): "rule\n"
            = /p/AGENTS.md says what /p/GEMINI.md says
            = /p/CLAUDE.md says what /home/u/.gemini/GEMINI.md says
        "#]],
    );
}

#[test]
fn the_same_text_in_two_layers_is_loaded_once() {
    check(
        &["/home/u/.gemini/GEMINI.md", "/p/GEMINI.md", "/p/AGENTS.md"],
        "
//- /home/u/.gemini/GEMINI.md
Be brief.
//- /p/GEMINI.md

  Be brief.

//- /p/AGENTS.md
Be brief!
",
        expect![[r#"
            global ~/.gemini/GEMINI.md (10 bytes): "Be brief.\n"
            project AGENTS.md (10 bytes): "Be brief!\n"
            = /p/GEMINI.md says what /home/u/.gemini/GEMINI.md says
        "#]],
    );
}

#[test]
fn what_was_imported_is_not_loaded_again_and_what_was_loaded_is_not_imported_again() {
    check(
        &["/p/GEMINI.md", "/p/AGENTS.md", "/p/sub/GEMINI.md"],
        "
//- /p/GEMINI.md
@AGENTS.md
//- /p/AGENTS.md
rule
//- /p/sub/GEMINI.md
@../GEMINI.md @../AGENTS.md
",
        expect![[r#"
            project GEMINI.md (11 bytes): "<!-- Imported from: AGENTS.md -->\nrule\n\n<!-- End of import from: AGENTS.md -->\n"
            project sub/GEMINI.md (28 bytes): "<!-- File already processed: ../GEMINI.md --> <!-- File already processed: ../AGENTS.md -->\n"
        "#]],
    );
}

#[test]
fn two_files_that_import_by_the_same_words_are_both_loaded() {
    check(
        &["/p/a/CLAUDE.md", "/p/b/CLAUDE.md"],
        "
//- /p/a/CLAUDE.md
@rules.md
//- /p/a/rules.md
A
//- /p/b/CLAUDE.md
@rules.md
//- /p/b/rules.md
B
",
        expect![[r#"
            project a/CLAUDE.md (10 bytes): "<!-- Imported from: rules.md -->\nA\n\n<!-- End of import from: rules.md -->\n"
            project b/CLAUDE.md (10 bytes): "<!-- Imported from: rules.md -->\nB\n\n<!-- End of import from: rules.md -->\n"
        "#]],
    );
}

#[test]
fn copies_do_not_use_up_the_limit() {
    let fixture = ["a", "b", "c", "d"]
        .iter()
        .fold(Fixture::default(), |tree, dir| {
            tree.file(&format!("/p/{dir}/GEMINI.md"), "0123456789")
        });
    Load::of(
        &[
            "/p/a/GEMINI.md",
            "/p/b/GEMINI.md",
            "/p/c/GEMINI.md",
            "/p/d/GEMINI.md",
            "/p/GEMINI.md",
        ],
        &fixture.file("/p/GEMINI.md", "abcdefghij"),
    )
    .limits(100, 20)
    .check(expect![[r#"
        project a/GEMINI.md (10 bytes): "0123456789"
        project GEMINI.md (10 bytes): "abcdefghij"
        = /p/b/GEMINI.md says what /p/a/GEMINI.md says
        = /p/c/GEMINI.md says what /p/a/GEMINI.md says
        = /p/d/GEMINI.md says what /p/a/GEMINI.md says
    "#]]);
}

#[test]
fn two_texts_that_were_cut_alike_are_not_the_same() {
    let fixture = Fixture::default()
        .file("/p/GEMINI.md", "same start, A")
        .file("/p/a/GEMINI.md", "same start, B");
    Load::of(&["/p/GEMINI.md", "/p/a/GEMINI.md"], &fixture)
        .limits(10, 1000)
        .check(expect![[r#"
        project GEMINI.md (13 bytes): "same start\n[cut off: 10 of 13 bytes loaded]\n"
        project a/GEMINI.md (13 bytes): "same start\n[cut off: 10 of 13 bytes loaded]\n"
        ! file-cut: /p/GEMINI.md: cut off: 10 of 13 bytes loaded
        ! file-cut: /p/a/GEMINI.md: cut off: 10 of 13 bytes loaded
    "#]]);
}

#[test]
fn a_full_load_leaves_files_out_by_name() {
    Load::of(
        &["/p/GEMINI.md", "/p/a/GEMINI.md", "/p/b/GEMINI.md"],
        &Fixture::parse(
            "//- /p/GEMINI.md\nfirst\nsecond\n//- /p/a/GEMINI.md\nthird\n//- /p/b/GEMINI.md\n",
        ),
    )
    .limits(100, 8)
    .check(expect![[r#"
        project GEMINI.md (13 bytes): "first\n[cut off: 6 of 13 bytes loaded]\n"
        project b/GEMINI.md (0 bytes): ""
        ! load-cut: /p/GEMINI.md: cut off: 6 of 13 bytes loaded
        ! load-cut: /p/a/GEMINI.md: left out: the limit for all memory together is used up
    "#]]);
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
