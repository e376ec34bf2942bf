//! Links, pipes, directories and directories that do not open.

use analects_world::files::{Blob, Identity, Listing, Measure, Want};
use expect_test::expect;

use super::*;

#[test]
fn only_files_and_links_are_memory() {
    check(
        "
//- /home/u/.gemini/GEMINI.md/
//- /home/u/.gemini/tmp/repo/memory/MEMORY.md (special)
//- /repo/.git/
//- /repo/GEMINI.md/
//- /repo/.gemini/GEMINI.md (special)
//- /repo/.gemini/memory/notes.md/
//- /repo/AGENTS.md -> CLAUDE.md
//- /repo/CLAUDE.md
//- /repo/src/GEMINI.md (special)
//- /repo/src/AGENTS.md -> ../gone.md
",
        expect![[r#"
            root /repo
            project /repo/AGENTS.md
            project /repo/CLAUDE.md
            project /repo/src/AGENTS.md
            ! not-a-file: /home/u/.gemini/GEMINI.md: a directory
            ! not-a-file: /home/u/.gemini/tmp/repo/memory/MEMORY.md: not a regular file
            ! not-a-file: /repo/.gemini/memory/notes.md: a directory
            ! not-a-file: /repo/GEMINI.md: a directory
            ! not-a-file: /repo/.gemini/GEMINI.md: not a regular file
            ! not-a-file: /repo/src/GEMINI.md: not a regular file
        "#]],
    );
}

#[test]
fn a_file_where_a_directory_is_looked_for_is_a_problem() {
    check(
        "
//- /home/u/.gemini
//- /repo/.gemini/memory
//- /repo/GEMINI.md
",
        expect![[r#"
            root /repo
            project /repo/GEMINI.md
            ! unlisted: /home/u/.gemini: cannot be listed: not a directory
            ! unlisted: /home/u/.gemini/tmp/repo/memory: cannot be listed: not a directory
            ! unlisted: /repo/.gemini/memory: cannot be listed: not a directory
        "#]],
    );
}

#[test]
fn a_gemini_directory_that_is_a_file_hides_nothing() {
    check(
        "//- /repo/.gemini\n//- /repo/GEMINI.md\n//- /repo/a/.gemini\n",
        expect![[r#"
        root /repo
        project /repo/GEMINI.md
        ! unlisted: /repo/.gemini/memory: cannot be listed: not a directory
    "#]],
    );
}

/// A disk on which some directories cannot be listed, and some have names that are not UTF-8.
struct Stubborn<'a>(&'a FakeFiles);

impl Files for Stubborn<'_> {
    fn list(&self, dirs: &[AbsPath], pick: &Pick) -> Vec<Result<Listing, Trouble>> {
        let mut answers = self.0.list(dirs, pick);
        for (dir, answer) in dirs.iter().zip(&mut answers) {
            match dir.file_name() {
                "closed" => *answer = Err(Trouble::Denied),
                "memory" if pick.suffix.is_some() => {
                    if let Ok(listing) = answer {
                        listing.unspeakable.push("caf\u{FFFD}.md".to_owned());
                    }
                }
                "strange" if pick.subdirs == analects_world::files::Subdirs::Report => {
                    answer
                        .as_mut()
                        .unwrap()
                        .unspeakable
                        .push("caf\u{FFFD}".to_owned());
                }
                _ => {}
            }
        }
        answers
    }

    fn read(&self, wants: &[Want<'_>]) -> Vec<Result<Blob, Trouble>> {
        self.0.read(wants)
    }

    fn real(&self, path: &AbsPath) -> Result<AbsPath, Trouble> {
        self.0.real(path)
    }

    fn identify(&self, path: &AbsPath) -> Result<Identity, Trouble> {
        self.0.identify(path)
    }

    fn ownership(
        &self,
        paths: &[AbsPath],
    ) -> Vec<Result<analects_world::ownership::Ownership, Trouble>> {
        self.0.ownership(paths)
    }

    fn measure(&self, paths: &[AbsPath]) -> Vec<Result<Measure, Trouble>> {
        self.0.measure(paths)
    }

    fn piece(&self, path: &AbsPath, start: u64, limit_bytes: usize) -> Result<Vec<u8>, Trouble> {
        self.0.piece(path, start, limit_bytes)
    }
}

#[track_caller]
fn check_stubborn(cwd: &str, fixture: &str, expected: Expect) {
    let look = Look::from(cwd, fixture).depth(Depth::All);
    expected.assert_eq(&shown(&discover(
        &Stubborn(&look.disk),
        &look.places,
        &look.options,
    )));
}

#[test]
fn directories_that_do_not_open_are_problems_and_the_rest_is_found() {
    check_stubborn(
        "/repo",
        "
//- /repo/.git/
//- /repo/closed/GEMINI.md
//- /repo/strange/GEMINI.md
//- /repo/x/GEMINI.md
",
        expect![[r#"
            root /repo
            project /repo/strange/GEMINI.md
            project /repo/x/GEMINI.md
            ! unlisted: /repo/closed: cannot be listed: permission denied
            ! unspeakable-name: /repo/strange: not entered: `caf�` is not UTF-8
        "#]],
    );
}

#[test]
fn a_note_whose_name_is_not_utf8_is_a_problem() {
    check_stubborn(
        "/repo",
        "//- /repo/.git/\n//- /repo/.gemini/memory/a.md\n",
        expect![[r#"
            root /repo
            user_project /repo/.gemini/memory/a.md
            ! unspeakable-name: /repo/.gemini/memory: not read: `caf�.md` is not UTF-8
        "#]],
    );
}

#[test]
fn a_closed_directory_on_the_way_up_does_not_end_the_search_for_the_root() {
    check_stubborn(
        "/repo/closed/src",
        "
//- /repo/.git/
//- /repo/GEMINI.md
//- /repo/closed/src/GEMINI.md
",
        expect![[r#"
            root /repo
            project /repo/GEMINI.md
            project /repo/closed/src/GEMINI.md
            ! unlisted: /repo/closed: cannot be listed: permission denied
        "#]],
    );
}

#[test]
fn a_working_directory_that_is_gone_is_one_problem() {
    Look::from("/gone", "//- /home/u/.gemini/GEMINI.md\n").check(expect![[r#"
        root /gone
        global /home/u/.gemini/GEMINI.md
        ! unlisted: /gone: cannot be listed: not found
    "#]]);
}
