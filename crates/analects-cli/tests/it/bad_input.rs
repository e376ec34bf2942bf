//! Bad input on a real disk: a result and problems, never a panic or a hang.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use crate::sandbox::Sandbox;

fn codes(answer: &serde_json::Value) -> Vec<&str> {
    let problems = answer["problems"].as_array().unwrap().iter();
    problems
        .map(|problem| problem["code"].as_str().unwrap())
        .collect()
}

#[test]
fn a_line_of_ten_megabytes_is_cut_and_said() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/GEMINI.md", "x".repeat(10 * 1024 * 1024));
    let answer = sandbox.json(&["memory", "show", "--trust"]);
    assert_eq!(codes(&answer), ["file-cut", "layer-cut"]);
    assert!(answer["text"].as_str().unwrap().len() < 600 * 1024);
}

#[test]
fn a_hundred_thousand_lines_are_cut_and_said() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/GEMINI.md", "a rule of ours\n".repeat(100_000));
    let answer = sandbox.json(&["memory", "list", "--trust"]);
    assert_eq!(codes(&answer), ["file-cut", "layer-cut"]);
}

#[test]
fn pipes_loops_and_directories_are_problems() {
    let sandbox = Sandbox::new();
    sandbox.pipe("repo/GEMINI.md");
    sandbox.link("repo/AGENTS.md", "AGENTS.md");
    sandbox.write("repo/CLAUDE.md/x", "");
    let answer = sandbox.json(&["memory", "list", "--trust"]);
    assert_eq!(codes(&answer), ["not-a-file", "not-a-file", "unreadable"]);
}

#[test]
fn a_link_out_of_the_project_is_not_followed() {
    let sandbox = Sandbox::new();
    sandbox
        .write("secret.md", "secret")
        .link("repo/GEMINI.md", "../secret.md");
    sandbox
        .write("repo/AGENTS.md", "@x%2Ey.md @ok.md\n")
        .link("repo/x%2Ey.md", "../secret.md");
    sandbox
        .write("repo/fine.md", "fine")
        .link("repo/ok.md", sandbox.path("repo/fine.md"));
    let answer = sandbox.json(&["memory", "show", "--trust"]);
    assert_eq!(codes(&answer), ["link-outside", "import-failed"]);
    let text = answer["text"].as_str().unwrap();
    assert!(
        !text.contains("secret\n") && text.contains("fine"),
        "{text}"
    );
}

#[test]
fn the_users_own_files_may_be_links_to_anywhere() {
    let sandbox = Sandbox::new();
    sandbox
        .write("dotfiles/memory.md", "mine")
        .link("home/.gemini/GEMINI.md", "../../dotfiles/memory.md");
    let answer = sandbox.json(&["memory", "show"]);
    assert!(answer["text"].as_str().unwrap().contains("mine"));
}

#[test]
fn what_may_not_be_read_is_a_problem() {
    let sandbox = Sandbox::new();
    sandbox
        .write("repo/GEMINI.md", "hidden")
        .write("repo/sub/GEMINI.md", "hidden too")
        .write("repo/AGENTS.md", "seen");
    let forbid = |path: &str| {
        fs::set_permissions(sandbox.path(path), fs::Permissions::from_mode(0o000)).unwrap();
    };
    fs::set_permissions(sandbox.path(""), fs::Permissions::from_mode(0o755)).unwrap();
    forbid("repo/GEMINI.md");
    forbid("repo/sub");
    let ran = sandbox.run_as_nobody(&["memory", "list", "--trust", "--json"]);
    fs::set_permissions(sandbox.path("repo/sub"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["layers"][3]["files"].as_array().unwrap().len(), 1);
    let mut codes = codes(&answer);
    codes.sort_unstable();
    assert_eq!(codes, ["unlisted", "unreadable"]);
}

#[test]
fn settings_that_are_no_settings_are_problems() {
    for text in [
        "[]",
        "nul",
        "{\"context\": ",
        "{\"a\": \"\\ud800\"}",
        "\u{0}",
        "\"x\"",
    ] {
        let sandbox = Sandbox::new();
        sandbox
            .write("home/.gemini/settings.json", text)
            .write("home/.gemini/GEMINI.md", "still here");
        let answer = sandbox.json(&["memory", "show"]);
        assert_eq!(codes(&answer), ["bad-settings"], "{text}");
        assert!(answer["text"].as_str().unwrap().contains("still here"));
    }
}

#[test]
fn escape_sequences_do_not_reach_a_terminal() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/GEMINI.md", "a\u{1b}]0;title\u{7}b\n@no\u{1b}[2J.md\n");
    let ran = sandbox.run(&["memory", "show", "--trust"]);
    assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'));
    assert!(ran.out.contains(r"a\u{1b}]0;title\u{7}b"), "{}", ran.out);
}

#[test]
fn a_working_directory_without_a_utf8_name_is_a_clear_error() {
    let sandbox = Sandbox::new();
    let odd = sandbox
        .path("repo")
        .join(std::ffi::OsStr::from_bytes(b"odd\xFF"));
    fs::create_dir(&odd).unwrap();
    let output = sandbox
        .command(&["memory", "list"])
        .current_dir(&odd)
        .output()
        .unwrap();
    let ran = sandbox.ran(output);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.starts_with("error: path is not UTF-8: "),
        "{}",
        ran.err
    );
}

#[test]
fn a_directory_that_is_not_there_is_a_clear_error() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&["memory", "list", "--cwd", "gone", "--json"]);
    assert_eq!(ran.code, 42);
    assert_eq!(
        ran.err,
        "error: cannot work in `/T/repo/gone`: not found\nhint: name an existing directory with `--cwd`\n"
    );
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        answer["error"]["message"],
        "cannot work in `/T/repo/gone`: not found"
    );
}
