//! What is written, and what is not.

use analects_testkit::{Entry, FakeDesk, FakeFiles, Fixture};
use analects_world::desk::Desk;
use expect_test::{Expect, expect};

use super::*;
use crate::tools::stage::{Stage, path};

fn fixture() -> Fixture {
    let key = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    Fixture::parse(
        "\
//- /repo/a.txt
one
two
//- /repo/pipe (special)
//- /repo/out -> /etc
//- /etc/passwd
",
    )
    .file("/repo/crlf.txt", "one\r\ntwo\r\n")
    .file("/repo/marked.txt", "\u{FEFF}one\n")
    .file("/repo/utf16.txt", b"\xFF\xFEh\0i\0")
    .file("/repo/pic.png", b"\x89PNG\0")
    .file("/repo/.env", format!("KEY={key}\n"))
    .file("/repo/long.txt", "x\n".repeat(600_000))
    .with("/repo/dir", Entry::Dir)
}

fn args(file_path: &str, content: &str) -> Args {
    Args {
        file_path: file_path.to_owned(),
        content: content.to_owned(),
    }
}

fn planned(stage: &Stage, file_path: &str, content: &str) -> Result<Planned, Refusal> {
    let bench = stage.bench();
    plan(
        &args(file_path, content),
        bench.files,
        bench.workspace,
        &stage.seen,
    )
}

fn told(planned: Result<Planned, Refusal>) -> String {
    match planned {
        Ok(planned) => {
            let changes = planned.changes.files.iter();
            let changes: Vec<_> = changes
                .map(|change| {
                    let within = change.within.as_ref().unwrap();
                    format!("{} in {within}, {:?}", change.path, change.trace)
                })
                .collect();
            format!(
                "{}\n{changes:?}\n{}<{}>\n",
                planned.output.text, planned.diff, planned.output.shown
            )
        }
        Err(refusal) => format!("{}: {refusal}\n", refusal.kind.as_str()),
    }
}

fn check(files: &[(&str, &str)], expected: Expect) {
    let stage = Stage::new(&fixture());
    let all = files.iter();
    let all = all.map(|(name, content)| told(planned(&stage, name, content)));
    expected.assert_eq(&all.collect::<String>());
}

fn bytes_of(stage: &Stage, file_path: &str, content: &str) -> Vec<u8> {
    let planned = planned(stage, file_path, content).unwrap();
    planned.changes.files[0].text.clone().unwrap()
}

#[test]
fn a_file_is_made_or_written_anew() {
    check(
        &[
            ("new/deep/b.rs", "fn b() {}\n"),
            ("a.txt", "one\n2\n"),
            ("a.txt", "one\ntwo\n"),
            ("/plans/p.md", ""),
        ],
        expect![[r#"
            Wrote `new/deep/b.rs`, which is new: 1 line.
            ["/repo/new/deep/b.rs in /repo, Text"]
            --- /dev/null
            +++ new/deep/b.rs
            @@ -0,0 +1 @@
            +fn b() {}
            <new/deep/b.rs +1 -0>
            Wrote `a.txt` anew: 2 lines.
            ["/repo/a.txt in /repo, Text"]
            --- a.txt
            +++ a.txt
            @@ -1,2 +1,2 @@
             one
            -two
            +2
            <a.txt +1 -1>
            `a.txt` holds just that already.
            []
            <a.txt +0 -0>
            Wrote `/plans/p.md`, which is new: 0 lines.
            ["/plans/p.md in /, Text"]
            </plans/p.md +0 -0>
        "#]],
    );
}

#[test]
fn what_cannot_be_written_is_refused() {
    check(
        &[
            ("dir", "x"),
            ("pipe", "x"),
            ("out/passwd", "x"),
            ("../x", "x"),
            ("/out/x", "x"),
            ("a.txt/x", "x"),
            ("pic.png", "x"),
        ],
        expect![[r#"
            target_is_directory: `dir` is a directory. `list_directory` shows what is in it.
            path_is_not_a_file: `pipe` is a pipe, a socket or a device: it is not opened.
            path_not_in_workspace: `out/passwd` (it leads to `/etc/passwd`) is outside of the workspace. Files can be written below `/repo`, `/plans` only; give a path in there.
            path_not_in_workspace: `../x` is outside of the workspace. Files can be written below `/repo`, `/plans` only; give a path in there.
            path_not_in_workspace: `/out/x` is outside of the workspace. Files can be written below `/repo`, `/plans` only; give a path in there.
            path_is_not_a_directory: `a.txt/x` leads through a file.
            file_write_failure: `pic.png` is binary. A text is not written over it; if it may go, remove it with a command first.
        "#]],
    );
    let refused = planned(&Stage::new(&fixture()), "big", &"x".repeat(21 << 20));
    expect![[r#"
        file_too_large: `big` would have 22020096 bytes; no file of more than 20 MB is written.
    "#]]
    .assert_eq(&told(refused));
}

#[test]
fn encoding_and_line_ends_are_those_of_the_file() {
    let stage = Stage::new(&fixture());
    assert_eq!(bytes_of(&stage, "crlf.txt", "a\nb\n"), b"a\r\nb\r\n");
    assert_eq!(bytes_of(&stage, "crlf.txt", "a\r\nb\n"), b"a\r\nb\r\n");
    assert_eq!(bytes_of(&stage, "marked.txt", "a"), b"\xEF\xBB\xBFa");
    assert_eq!(bytes_of(&stage, "utf16.txt", "a"), b"\xFF\xFEa\0");
    assert_eq!(bytes_of(&stage, "new.txt", "a\r\n"), b"a\r\n");
}

#[test]
fn nothing_is_lost_that_the_model_never_saw() {
    check(
        &[(".env", "x"), ("long.txt", "x")],
        expect![[r#"
        file_write_failure: `.env` exists, and what it holds could not be brought back. Read it first.
        file_write_failure: `long.txt` exists, and what it holds could not be brought back. Read it first.
    "#]],
    );
    let stage = Stage::new(&fixture());
    let env = stage.bench().files;
    let place = path("/repo/.env");
    let held = FakeDesk::new(FakeFiles::new(&fixture()));
    let text = held.text("/repo/.env").unwrap();
    stage.seen.note(&place, ContentHash::of(text.as_bytes()));
    let known = plan(
        &args(".env", "x"),
        env,
        stage.bench().workspace,
        &stage.seen,
    );
    assert_eq!(
        known.unwrap().changes.files[0].trace,
        Trace::Fingerprint,
        "the secret is kept nowhere"
    );
}

#[test]
fn what_changed_since_it_was_seen_is_read_again_first() {
    let desk = FakeDesk::new(FakeFiles::new(&fixture()));
    let stage = Stage::new(&fixture());
    let workspace = stage.bench().workspace;
    let seen = &stage.seen;
    seen.note(&path("/repo/a.txt"), ContentHash::of(b"one\ntwo\n"));
    // An editor saves while the commit point makes its plan.
    let mut refused = None;
    let given_up = desk.commit(&[], &mut |files| {
        let planned = plan(&args("a.txt", "mine\n"), files, workspace, seen);
        desk.edit("/repo/a.txt", "theirs\n");
        planned
            .map_err(|refusal| refused = Some(refusal))
            .ok()
            .map(|planned| planned.changes)
    });
    assert!(given_up.is_err());
    assert_eq!(desk.text("/repo/a.txt").as_deref(), Some("theirs\n"));
    expect![[r#"
        file_write_failure: `a.txt` has changed since you last saw it. Read it again, then write it or `replace` in it.
    "#]].assert_eq(&told(Err(refused.unwrap())));
}

#[test]
fn what_was_written_is_known() {
    let stage = Stage::new(&fixture());
    let written = planned(&stage, "a.txt", "mine\n").unwrap();
    written.note(&stage.seen);
    assert_eq!(
        stage.seen.of(&path("/repo/a.txt")),
        Some(ContentHash::of(b"mine\n"))
    );
    assert_eq!(written.changes.who, "agent:write_file");
}
