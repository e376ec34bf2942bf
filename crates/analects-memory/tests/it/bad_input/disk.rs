//! Disks that loop, lead astray, refuse, and change while they are read.

use analects_testkit::{FakeFiles, Fixture, show_problems};
use expect_test::{Expect, expect};

use super::{MOUTH, abs};

#[track_caller]
fn check(disk: &FakeFiles, expected: Expect) {
    let swallowed = MOUTH.swallow(disk);
    let texts: Vec<_> = swallowed
        .loaded
        .iter()
        .map(|file| format!("{}: {:?}\n", file.label, file.text))
        .collect();
    expected.assert_eq(&(texts.concat() + &show_problems(&swallowed.problems)));
}

#[test]
fn links_that_loop_lead_out_or_nowhere_are_passed_over() {
    check(
        &FakeFiles::new(&Fixture::parse(
            "
//- /repo/.git/
//- /repo/GEMINI.md -> GEMINI.md
//- /repo/AGENTS.md -> /etc/secret
//- /repo/a/GEMINI.md -> ../b/GEMINI.md
//- /repo/b/GEMINI.md -> ../a/GEMINI.md
//- /repo/c/GEMINI.md -> nowhere
//- /repo/c/AGENTS.md -> ../d
//- /repo/d/GEMINI.md
@../a/GEMINI.md @../up/secret.md @../c/GEMINI.md
//- /repo/up -> ..
//- /repo/around -> .
//- /secret.md
secret
//- /etc/secret
secret
",
        )),
        expect![[r#"
            d/GEMINI.md: "<!-- Import failed: ../a/GEMINI.md - a loop of links --> <!-- Import failed: ../up/secret.md - outside the allowed directory --> <!-- Import failed: ../c/GEMINI.md - not found -->\n"
            ! link-to-other: /repo/c/AGENTS.md: a link to a file that is not called like a text
            ! unreadable: /repo/GEMINI.md: a loop of links
            ! link-outside: /repo/AGENTS.md: a link that leads outside
            ! unreadable: /repo/a/GEMINI.md: a loop of links
            ! unreadable: /repo/b/GEMINI.md: a loop of links
            ! import-failed: /repo/d/GEMINI.md:1: `@../a/GEMINI.md` did not load: a loop of links
            ! import-failed: /repo/d/GEMINI.md:1: `@../up/secret.md` did not load: outside the allowed directory
            ! import-failed: /repo/d/GEMINI.md:1: `@../c/GEMINI.md` did not load: not found
        "#]],
    );
}

#[test]
fn what_may_not_be_read_is_named() {
    check(
        &FakeFiles::new(&Fixture::parse(
            "
//- /home/u/.gemini/GEMINI.md (denied)
//- /home/u/.gemini/tmp/repo/memory/MEMORY.md (denied)
//- /repo/GEMINI.md
@private.md
//- /repo/private.md (denied)
//- /repo/a/GEMINI.md (denied)
//- /repo/.gemini/memory/n.md (denied)
",
        )),
        expect![[r#"
            GEMINI.md: "<!-- Import failed: private.md - permission denied -->\n"
            ! unreadable: /home/u/.gemini/GEMINI.md: permission denied
            ! unreadable: /home/u/.gemini/tmp/repo/memory/MEMORY.md: permission denied
            ! unreadable: /repo/.gemini/memory/n.md: permission denied
            ! import-failed: /repo/GEMINI.md:1: `@private.md` did not load: permission denied
            ! unreadable: /repo/a/GEMINI.md: permission denied
        "#]],
    );
}

#[test]
fn files_that_vanish_after_they_were_listed_are_no_failure() {
    let mut disk = FakeFiles::new(&Fixture::parse(
        "
//- /repo/.git/
//- /repo/.geminiignore
a/
//- /repo/GEMINI.md
root
//- /repo/a/GEMINI.md
gone
//- /repo/b/GEMINI.md
@../c.md
//- /repo/c.md
gone
",
    ));
    for path in ["/repo/.geminiignore", "/repo/a/GEMINI.md", "/repo/c.md"] {
        disk.vanish(&abs(path));
    }
    check(
        &disk,
        expect![[r#"
        GEMINI.md: "root\n"
        b/GEMINI.md: "<!-- Import failed: ../c.md - not found -->\n"
        ! import-failed: /repo/b/GEMINI.md:1: `@../c.md` did not load: not found
    "#]],
    );
}

#[test]
fn a_tree_of_directories_named_like_memory_is_scanned_like_any_other() {
    check(
        &FakeFiles::new(&Fixture::parse(
            "//- /repo/GEMINI.md/AGENTS.md/GEMINI.md\ndeep\n//- /repo/AGENTS.md (special)\n",
        )),
        expect![[r#"
            GEMINI.md/AGENTS.md/GEMINI.md: "deep\n"
            ! not-a-file: /repo/GEMINI.md: a directory
            ! not-a-file: /repo/AGENTS.md: not a regular file
            ! not-a-file: /repo/GEMINI.md/AGENTS.md: a directory
        "#]],
    );
}
