//! `memory check` as CI runs it.

use std::fs;
use std::path::Path;

use expect_test::expect;
use serde_json::Value;

use crate::sandbox::Sandbox;

fn broken() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("home/.gemini/GEMINI.md", "- Use tabs everywhere.\n")
        .write("repo/package.json", r#"{"scripts": {"build": "tsc"}}"#)
        .write(
            "repo/GEMINI.md",
            "Run `npm run build` and `npm run lint`.\n@./docs/style.md\n@./docs/gone.md\n",
        )
        .write(
            "repo/docs/style.md",
            "- Use tabs everywhere.\n- Ask\u{200B}first.\n",
        )
        .write("repo/agents.md", "Lower case.\n")
        .write("repo/a/b/c/AGENTS.md", "See `src/none.rs`.\n")
        .write("repo/a/b/c/src/lib.rs", "");
    sandbox
}

#[test]
fn findings_stand_on_a_line_each_and_end_with_code_three() {
    let ran = broken().run(&["memory", "check", "--trust"]);
    assert_eq!((ran.code, ran.err.as_str()), (3, ""));
    expect![[r#"
        GEMINI.md:1: warning: package.json has no script `lint` [missing-command]
        GEMINI.md:3: warning: `@./docs/gone.md` did not load: not found [import-failed]
        a/b/c/AGENTS.md:1: warning: `src/none.rs` does not exist [missing-file]
        agents.md: warning: not loaded: its name is not `AGENTS.md` [unreached-memory]
        docs/style.md:1: warning: says the same as ~/.gemini/GEMINI.md:1 [repeated-line]
        docs/style.md:2: error: a hidden character: U+200B zero width space [hidden-character]
        4 memory files checked: 6 findings; `--fix` mends 1
    "#]]
    .assert_eq(&ran.out);
}

#[test]
fn colour_adds_nothing_but_colour() {
    let sandbox = broken();
    let plain = sandbox.run(&["memory", "check", "--trust"]).out;
    let painted = sandbox
        .run(&["memory", "check", "--trust", "--color", "always"])
        .out;
    assert_ne!(plain, painted);
    assert_eq!(
        painted.replace("\u{1b}[1m", "").replace("\u{1b}[0m", ""),
        plain
    );
}

#[test]
fn json_ends_with_code_three_too() {
    let ran = broken().run(&["memory", "check", "--trust", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (3, ""));
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["schemaVersion"], 1);
    assert_eq!(answer["filesChecked"], 4);
    let hidden = answer["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|finding| finding["code"] == "hidden-character")
        .unwrap();
    assert_eq!(hidden["fixable"], true);
    assert_eq!(
        (&hidden["severity"], &hidden["line"]),
        (&"error".into(), &2.into())
    );
    assert!(
        hidden["path"]
            .as_str()
            .unwrap()
            .ends_with("/repo/docs/style.md")
    );
    assert!(answer.get("diff").is_none());
}

#[test]
fn mending_writes_what_is_safe_and_a_dry_run_nothing() {
    let sandbox = broken();
    let style = || fs::read_to_string(sandbox.path("repo/docs/style.md")).unwrap();
    let before = style();
    let dry = sandbox.run(&["memory", "check", "--trust", "--fix", "--dry-run"]);
    assert_eq!(dry.code, 3);
    assert!(dry.out.contains("+- Askfirst.\n"), "{}", dry.out);
    assert!(dry.out.contains("this was a dry run"), "{}", dry.out);
    assert_eq!(style(), before);
    let ran = sandbox.run(&["memory", "check", "--trust", "--fix"]);
    assert_eq!(ran.code, 3, "the rest is left");
    assert!(
        ran.out
            .contains("docs/style.md: removed 1 hidden character"),
        "{}",
        ran.out
    );
    assert_eq!(style(), "- Use tabs everywhere.\n- Askfirst.\n");
}

#[test]
fn sound_memory_ends_with_code_zero() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/GEMINI.md", "Be brief.\n");
    let ran = sandbox.run(&["memory", "check", "--trust"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, "1 memory file checked: nothing wrong\n");
    let untrusted = sandbox.run(&["memory", "check"]);
    assert_eq!(untrusted.code, 0);
    assert!(
        untrusted.err.contains("it is not trusted"),
        "{}",
        untrusted.err
    );
    assert_eq!(untrusted.out, "0 memory files checked: nothing wrong\n");
}

/// What the house says about itself must hold.
#[test]
fn the_memory_of_this_very_repository_is_sound() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = fs::canonicalize(root).unwrap();
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&[
        "memory",
        "check",
        "--trust",
        "--cwd",
        root.to_str().unwrap(),
    ]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.ends_with("checked: nothing wrong\n"), "{}", ran.out);
    assert!(!ran.out.starts_with('0'), "{}", ran.out);
}
