//! What the model reads of many files.

use analects_testkit::Fixture;
use expect_test::{Expect, expect};

use super::*;
use crate::tools::stage::{Stage, show};

fn fixture() -> Fixture {
    Fixture::parse(
        "\
//- /repo/README.md
# Hello
//- /repo/src/main.rs
fn main() {}
//- /repo/src/deep/a.rs
mod a;
--- End of content ---
//- /repo/.gitignore
ignored*
//- /repo/src/deep/ignored.rs
//- /repo/node_modules/x.js
never
//- /repo/app/[id].tsx
page
//- /repo/pipe (special)
//- /repo/out -> /etc
//- /etc/passwd
root
",
    )
    .file("/repo/src/pic.png", b"\x89PNG\0")
    .file("/repo/src/tool.bin", b"\0\x01")
}

fn args(include: &[&str]) -> Args {
    Args {
        include: include.iter().map(|&text| text.to_owned()).collect(),
        ..Args::default()
    }
}

fn check(args: &Args, expected: Expect) {
    let stage = Stage::new(&fixture());
    expected.assert_eq(&show(&run(args, &stage.bench(), &stage.seen, &|_| None)));
}

#[test]
fn files_stand_one_after_the_other() {
    check(
        &args(&["README.md", "src/**/*.rs", "src/main.rs"]),
        expect![[r#"
            --- README.md ---
            # Hello
            --- src/deep/a.rs ---
            mod a;
            \-\-\- End of content ---
            --- src/main.rs ---
            fn main() {}
            --- End of content ---
            Left out by ignore files: 1.

            <Read 3 files>
        "#]],
    );
}

#[test]
fn a_directory_means_what_is_in_it_and_the_rest_is_told() {
    check(
        &args(&["src"]),
        expect![[r#"
        --- src/deep/a.rs ---
        mod a;
        \-\-\- End of content ---
        --- src/main.rs ---
        fn main() {}
        --- End of content ---
        Left out:
        - `src/pic.png`: it is no text, and was not asked for by name or ending
        - `src/tool.bin` is binary: there is nothing to read in it.
        Left out by ignore files: 1.

        <Read 2 files, 2 left out>
    "#]],
    );
    let flat = Args {
        recursive: Some(false),
        ..args(&["src"])
    };
    check(
        &flat,
        expect![[r#"
        --- src/main.rs ---
        fn main() {}
        --- End of content ---
        Left out:
        - `src/pic.png`: it is no text, and was not asked for by name or ending
        - `src/tool.bin` is binary: there is nothing to read in it.

        <Read 1 file, 2 left out>
    "#]],
    );
}

#[test]
fn what_is_not_wanted_is_left_out() {
    let some = Args {
        exclude: Some(vec!["src/deep/**".to_owned(), "**/*.tsx".to_owned()]),
        ..args(&["**/*.rs", "app/**", "node_modules/**"])
    };
    check(
        &some,
        expect![[r#"
        --- src/main.rs ---
        fn main() {}
        --- node_modules/x.js ---
        never
        --- End of content ---
        Left out:
        - `app/**`: No file matches `app/**`.
        Left out by ignore files: 1.

        <Read 2 files, 1 left out>
    "#]],
    );
    let all = Args {
        use_default_excludes: Some(false),
        file_filtering_options: Some(Filtering {
            respect_git_ignore: Some(false),
            respect_gemini_ignore: None,
        }),
        ..args(&["node_modules/**", "**/ignored*"])
    };
    check(
        &all,
        expect![[r#"
        --- node_modules/x.js ---
        never
        --- src/deep/ignored.rs ---
        --- End of content ---

        <Read 2 files>
    "#]],
    );
}

#[test]
fn media_come_if_they_were_meant() {
    check(
        &args(&["src/*.png"]),
        expect![[r#"
        --- src/pic.png ---
        (image comes with this.)
        --- End of content ---

        <Read 1 file +1 media>
    "#]],
    );
}

#[test]
fn what_cannot_be_read_does_not_stop_the_rest() {
    check(
        &args(&[
            "pipe",
            "out/passwd",
            "../x",
            "gone.rs",
            "none/*.rs",
            "app/[id].tsx",
        ]),
        expect![[r#"
            --- app/[id].tsx ---
            page
            --- End of content ---
            Left out:
            - `pipe` is a pipe, a socket or a device: it is not opened.
            - `gone.rs` does not exist. `glob` and `list_directory` tell what is there.
            - `out/passwd` (it leads to `/etc/passwd`) is outside of the workspace. Files can be read below `/repo`, `/out` only; give a path in there.
            - `../x` is outside of the workspace. Files can be read below `/repo`, `/out` only; give a path in there.
            - `none/*.rs` cannot be looked through: not found.

            <Read 1 file, 5 left out>
        "#]],
    );
    check(
        &args(&["gone.rs"]),
        expect![[r#"
        Left out:
        - `gone.rs` does not exist. `glob` and `list_directory` tell what is there.

        <Read 0 files, 1 left out>
    "#]],
    );
    check(
        &args(&["**/[z-a]"]),
        expect![[r#"
        invalid_pattern: `**/[z-a]` is no pattern: invalid range; 'z' > 'a'.
    "#]],
    );
    check(
        &args(&[]),
        expect![[r#"
        invalid_tool_params: `include` is empty. Give paths or patterns.
    "#]],
    );
}

#[test]
fn the_answer_has_its_size() {
    let line = format!("{}\n", "x".repeat(99));
    let mut fixture = Fixture::default();
    for n in 0..40 {
        fixture = fixture.file(&format!("/repo/{n:02}.txt"), line.repeat(1_000));
    }
    let stage = Stage::new(&fixture);
    let output = run(&args(&["*.txt"]), &stage.bench(), &stage.seen, &|_| None).unwrap();
    assert!(output.text.len() < 600 * 1024, "{}", output.text.len());
    assert_eq!(output.shown, "Read 6 files, 34 left out");
    let told = output.text.rsplit("--- End of content ---").next().unwrap();
    assert!(told.contains("- `06.txt`: there is no room left"), "{told}");
    assert!(told.ends_with("- and 14 more\n"), "{told}");
}

#[test]
fn what_somebody_keeps_back_is_left_out_whatever_pattern_finds_it() {
    let stage = Stage::new(&Fixture::parse(
        "//- /repo/.env\nKEY\n//- /repo/.end\nthe end\n//- /repo/a.txt\na\n",
    ));
    let keeps_back = |path: &AbsPath| (path.file_name() == ".env").then(|| "a rule.".to_owned());
    for include in [".e*", ".env", "**/.en?"] {
        let output = run(&args(&[include]), &stage.bench(), &stage.seen, &keeps_back).unwrap();
        assert!(!output.text.contains("KEY"), "{include}: {}", output.text);
        assert!(
            output.text.contains("- `.env`: a rule."),
            "{include}: {}",
            output.text
        );
        assert!(!output.touched.iter().any(|path| path.file_name() == ".env"));
    }
}
