//! Wiring other agents on a real disk.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use expect_test::expect;

use crate::sandbox::Sandbox;

/// Every file and directory of the home and the project, our own state aside.
fn tree(sandbox: &Sandbox) -> BTreeMap<PathBuf, Option<(u32, Vec<u8>)>> {
    fn visit(dir: &Path, tree: &mut BTreeMap<PathBuf, Option<(u32, Vec<u8>)>>) {
        for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.ends_with(".gemini/analects") {
                continue;
            }
            let meta = fs::metadata(&path).unwrap();
            if meta.is_dir() {
                visit(&path, tree);
                tree.insert(path, None);
            } else {
                let file = (meta.permissions().mode(), fs::read(&path).unwrap());
                tree.insert(path, Some(file));
            }
        }
    }
    let mut found = BTreeMap::new();
    visit(&sandbox.path(""), &mut found);
    found
}

fn furnished() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write(
            "home/.gemini/settings.json",
            "{\r\n\t// mine\r\n\t\"mcpServers\": {\"x\": {}},\r\n}",
        )
        .write("dotfiles/claude.json", "{\"mcpServers\":{},\"n\":1}")
        .link("home/.claude.json", "../dotfiles/claude.json")
        .write(
            "home/.codex/config.toml",
            "a.b = 1\nc = 2 # c\na.d = 3\n[mcp_servers]\nx = { command = 'x' }",
        );
    let secret = fs::Permissions::from_mode(0o600);
    fs::set_permissions(sandbox.path("dotfiles/claude.json"), secret).unwrap();
    sandbox
}

#[test]
fn every_host_gets_its_files_back_to_the_byte() {
    for sandbox in [Sandbox::new(), furnished()] {
        for scope in ["user", "project"] {
            for host in ["gemini", "claude", "codex"] {
                let before = tree(&sandbox);
                let args = ["setup", host, "--scope", scope, "--trust"];
                let wired = sandbox.json(&args);
                assert_eq!(wired["written"], true, "{wired:#}");
                let during = tree(&sandbox);
                assert_ne!(during, before);
                let again = sandbox.json(&args);
                assert_eq!(again["written"], false, "{again:#}");
                assert_eq!(tree(&sandbox), during);
                let undone = sandbox.json(&[&args[..], &["--uninstall"]].concat());
                assert_eq!(undone["written"], true);
                assert_eq!(tree(&sandbox), before, "{host} {scope}");
            }
        }
        assert!(!sandbox.path("home/.gemini/analects/setup.json").exists());
    }
}

#[test]
fn status_asks_the_program_whether_it_answers() {
    let sandbox = Sandbox::new();
    sandbox.json(&["setup", "codex"]);
    sandbox.json(&["setup", "claude", "--scope", "project", "--trust"]);
    sandbox.write(
        "home/.gemini/settings.json",
        "{\"mcpServers\": {\"analects\": {\"command\": \"/gone/analects\", \"args\": [\"mcp\"]}}}",
    );
    let ran = sandbox.run(&["setup", "status", "--trust"]);
    expect![[r#"
        gemini  user     server stale, 5 hooks absent, does not answer
          `/gone/analects` does not answer: no /gone/analects here
          `analects setup gemini` brings it up to date
        gemini  project  not wired
        claude  user     not wired
        claude  project  server wired, 5 hooks wired, answers
        codex   user     server wired, 5 hooks wired, answers
        codex   project  not wired
    "#]]
    .assert_eq(&ran.out);
    let answer = sandbox.json(&["setup", "status"]);
    let hosts = answer["hosts"].as_array().unwrap();
    assert_eq!(hosts[0]["answers"], false);
    assert_eq!(hosts[1]["answers"], serde_json::Value::Null);
    assert_eq!(hosts[3]["mcp"], "wired");
    assert_eq!(hosts[3]["answers"], serde_json::Value::Null, "not trusted");
    assert_eq!(hosts[4]["answers"], true);
    assert_eq!(hosts[4]["hooks"][0]["event"], "SessionStart");
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let sandbox = furnished();
    let before = tree(&sandbox);
    let ran = sandbox.run(&["setup", "codex", "--dry-run"]);
    let (head, _) = ran.out.split_once("+[mcp_servers.analects]").unwrap();
    expect![[r#"
        --- /T/home/.codex/config.toml
        +++ /T/home/.codex/config.toml
        @@ -2,4 +2,8 @@
         c = 2 # c
         a.d = 3
         [mcp_servers]
        -x = { command = 'x' }
        \ No newline at end of file
        +x = { command = 'x' }
        +
    "#]]
    .assert_eq(head);
    assert!(
        ran.out
            .contains("Nothing was written: this was a dry run.\n")
    );
    assert_eq!(tree(&sandbox), before);
}

#[test]
fn a_mistake_in_one_file_leaves_all_as_they_are() {
    let sandbox = Sandbox::new();
    sandbox.write("home/.claude/settings.json", "{\n  \"hooks\": [,]\n}\n");
    let before = tree(&sandbox);
    for args in [
        &["setup", "claude"][..],
        &["setup", "claude", "--uninstall"],
    ] {
        let ran = sandbox.run(args);
        assert_eq!(ran.code, 1);
        expect![[r#"
            error: cannot change `/T/home/.claude/settings.json`, line 2: not valid JSON: unexpected comma
            hint: repair the file first; nothing was changed
        "#]]
        .assert_eq(&ran.err);
        assert_eq!(tree(&sandbox), before);
    }
}

#[test]
fn a_home_that_is_read_only_is_a_clear_failure() {
    let sandbox = furnished();
    for path in ["", "home", "repo"] {
        fs::set_permissions(sandbox.path(path), fs::Permissions::from_mode(0o555)).unwrap();
    }
    fs::set_permissions(
        sandbox.path("dotfiles/claude.json"),
        fs::Permissions::from_mode(0o444),
    )
    .unwrap();
    let before = tree(&sandbox);
    let sandboxed = |args: &[&str]| {
        fs::set_permissions(sandbox.path(""), fs::Permissions::from_mode(0o755)).unwrap();
        sandbox.run_as_nobody(args)
    };
    for host in ["gemini", "claude", "codex"] {
        let ran = sandboxed(&["setup", host]);
        assert_eq!(ran.code, 1, "{}", ran.out);
        assert!(
            ran.err.starts_with("error: cannot write `/T/home/"),
            "{}",
            ran.err
        );
        assert!(
            ran.err
                .ends_with("permission denied\nhint: nothing has been changed\n")
        );
        let ran = sandboxed(&["setup", host, "--dry-run"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    }
    fs::remove_file(sandbox.path("analects")).unwrap();
    assert_eq!(tree(&sandbox), before);
}

#[test]
fn a_folder_that_is_not_trusted_is_not_wired() {
    let ran = Sandbox::new().run(&["setup", "gemini", "--scope", "project"]);
    assert_eq!(ran.code, 1);
    expect![[r#"
        error: will not change files in `/T/repo`: it is not trusted
        hint: `analects trust add` trusts it from now on, `--trust` for this run
    "#]]
    .assert_eq(&ran.err);
    let ran = Sandbox::new().run(&["setup", "status", "--uninstall"]);
    assert_eq!(ran.code, 42);
}
