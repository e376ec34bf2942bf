//! `memory tidy` as scripts run it.

use std::fs;

use expect_test::expect;

use crate::sandbox::Sandbox;

const GLOBAL: &str = "home/.gemini/GEMINI.md";

fn untidy() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write(
            GLOBAL,
            "# Me\n- I like tea\n- i like tea.\n- acme-shop needs Docker\n",
        )
        .write(
            "acme-shop/GEMINI.md",
            "- Start in `src/old.rs`\n- Use tabs\n",
        )
        .write("acme-shop/src/main.rs", "")
        .write("acme-shop/.git/HEAD", "");
    sandbox
}

fn read(sandbox: &Sandbox, path: &str) -> String {
    fs::read_to_string(sandbox.path(path)).unwrap()
}

#[test]
fn without_a_terminal_everything_is_shown_and_nothing_is_written() {
    let sandbox = untidy();
    let before = read(&sandbox, GLOBAL);
    let ran = sandbox.run(&["--cwd", "../acme-shop", "memory", "tidy", "--trust"]);
    assert_eq!(ran.code, 1);
    expect![[r#"
        remove "i like tea." from ~/.gemini/GEMINI.md:3: line 2 says the same
        --- /T/home/.gemini/GEMINI.md	Current
        +++ /T/home/.gemini/GEMINI.md	Proposed
        @@ -1,4 +1,3 @@
         # Me
         - I like tea
        -- i like tea.
         - acme-shop needs Docker

        move "acme-shop needs Docker" from ~/.gemini/GEMINI.md:4 to ~/.gemini/tmp/acme-shop/memory/MEMORY.md: it is about this project, and all of them hear it there
        --- /T/home/.gemini/GEMINI.md	Current
        +++ /T/home/.gemini/GEMINI.md	Proposed
        @@ -1,4 +1,3 @@
         # Me
         - I like tea
         - i like tea.
        -- acme-shop needs Docker
        --- /dev/null	Current
        +++ /T/home/.gemini/tmp/acme-shop/memory/MEMORY.md	Proposed
        @@ -0,0 +1 @@
        +- acme-shop needs Docker

        mark "Start in `src/old.rs`" in GEMINI.md:1: src/old.rs is gone
        --- /T/acme-shop/GEMINI.md	Current
        +++ /T/acme-shop/GEMINI.md	Proposed
        @@ -1,2 +1,2 @@
        -- Start in `src/old.rs`
        +- Start in `src/old.rs` (stale: src/old.rs is gone)
         - Use tabs

        2 memory files checked: 3 steps to tidy them
        Nothing was written: nobody was there to choose. `--yes` takes all steps, `--only` one kind of them.
    "#]].assert_eq(&ran.out);
    assert_eq!(read(&sandbox, GLOBAL), before);
    let dry = sandbox.run(&[
        "--cwd",
        "../acme-shop",
        "memory",
        "tidy",
        "--trust",
        "--dry-run",
    ]);
    assert_eq!(dry.code, 0);
    assert!(dry.out.ends_with("Nothing was written.\n"), "{}", dry.out);
    assert_eq!(read(&sandbox, GLOBAL), before);
    let json = sandbox.run(&[
        "--cwd",
        "../acme-shop",
        "memory",
        "tidy",
        "--trust",
        "--json",
    ]);
    assert_eq!(json.code, 1);
    let answer: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(
        (&answer["undecided"], &answer["written"]),
        (&true.into(), &false.into())
    );
}

#[test]
fn consent_takes_all_steps_and_one_undo_takes_them_back() {
    let sandbox = untidy();
    let before = (
        read(&sandbox, GLOBAL),
        read(&sandbox, "acme-shop/GEMINI.md"),
    );
    let tidied = sandbox.json(&[
        "--cwd",
        "../acme-shop",
        "memory",
        "tidy",
        "--trust",
        "--yes",
    ]);
    assert_eq!(tidied["written"], true);
    let steps = tidied["steps"].as_array().unwrap();
    let kinds: Vec<_> = steps
        .iter()
        .map(|step| step["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["duplicates", "layers", "stale"]);
    assert!(
        steps
            .iter()
            .all(|step| step["taken"] == true && step["diff"] != "")
    );
    assert_eq!(read(&sandbox, GLOBAL), "# Me\n- I like tea\n");
    let private = "home/.gemini/tmp/acme-shop/memory/MEMORY.md";
    assert_eq!(read(&sandbox, private), "- acme-shop needs Docker\n");
    let project = "- Start in `src/old.rs` (stale: src/old.rs is gone)\n- Use tabs\n";
    assert_eq!(read(&sandbox, "acme-shop/GEMINI.md"), project);
    let again = sandbox.run(&["--cwd", "../acme-shop", "memory", "tidy", "--trust"]);
    assert_eq!(
        (again.code, again.out.as_str()),
        (0, "3 memory files checked: nothing to tidy\n")
    );
    sandbox.write("acme-shop/src/old.rs", "");
    let back = sandbox.json(&[
        "--cwd",
        "../acme-shop",
        "memory",
        "tidy",
        "--trust",
        "--yes",
        "--only",
        "stale",
    ]);
    assert_eq!(back["steps"].as_array().unwrap().len(), 1);
    assert_eq!(read(&sandbox, "acme-shop/GEMINI.md"), before.1);
    for _ in 0..2 {
        assert_eq!(
            sandbox.json(&["--cwd", "../acme-shop", "memory", "undo", "--yes"])["written"],
            true
        );
    }
    assert_eq!(
        (
            read(&sandbox, GLOBAL),
            read(&sandbox, "acme-shop/GEMINI.md")
        ),
        before
    );
    assert!(!sandbox.path(private).exists());
}

#[test]
fn only_what_is_asked_for_is_done() {
    let sandbox = untidy();
    let only = |args: &[&str]| {
        let args: Vec<_> = [
            "--cwd",
            "../acme-shop",
            "memory",
            "tidy",
            "--trust",
            "--dry-run",
        ]
        .iter()
        .chain(args)
        .copied()
        .collect();
        let answer = sandbox.json(&args);
        answer["steps"].as_array().unwrap().len()
    };
    assert_eq!(only(&["--only", "duplicates"]), 1);
    assert_eq!(only(&["--only", "layers", "--only", "stale"]), 2);
    assert_eq!(only(&["."]), 1);
    assert_eq!(only(&["GEMINI.md", "--only", "duplicates"]), 0);
    let ran = sandbox.run(&[
        "--cwd",
        "../acme-shop",
        "memory",
        "tidy",
        "--only",
        "everything",
    ]);
    assert_eq!(ran.code, 2);
    // A folder that nobody trusts is left alone, and that is said.
    let ran = sandbox.run(&["--cwd", "../acme-shop", "memory", "tidy", "--dry-run"]);
    assert!(
        !ran.out.contains("src/old.rs") && ran.err.contains("trust"),
        "{}{}",
        ran.out,
        ran.err
    );
}
