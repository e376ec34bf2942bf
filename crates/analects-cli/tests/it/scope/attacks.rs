//! Each way out that somebody thought of, with every tool.

use serde_json::json;

use super::*;

/// Paths that must not be reached; `/T` is the directory of the test.
const PATHS: [&str; 52] = [
    ".gemini/settings.json",
    "./.gemini/settings.json",
    ".gemini/../.gemini/settings.json",
    ".gemini/settings.json/",
    ".gemini//settings.json",
    "/T/repo/.gemini/settings.json",
    "/T/home/.gemini/settings.json",
    "/T/home/.gemini/oauth_creds.json",
    ".gemini/.env",
    ".gemini/agents/a.md",
    ".gemini/agents/GEMINI.md",
    ".gemini/policies/p.toml",
    ".gemini/link.md",
    ".gemini/../.ssh/x.md",
    "/T/home/.gemini/../.ssh/x.md",
    "../home/.ssh/x.md",
    "/T/home/.ssh/x.md",
    "/T/home/.ssh/id_rsa",
    "~/.ssh/id_rsa",
    "~/.gemini/GEMINI.md/../../.ssh/x.md",
    "$HOME/.ssh/id_rsa",
    "out/x.md",
    "out/id_rsa",
    "far/.gemini/x.md",
    "linked/GEMINI.md",
    "dangling/GEMINI.md",
    "loop/GEMINI.md",
    "up/secret.md",
    "up/repo/secret.md",
    "up/home/.ssh/x.md",
    "root/etc/passwd",
    "/etc/passwd",
    "../../../../../../../../etc/passwd",
    "/proc/self/environ",
    "/proc/self/root/etc/passwd",
    "/dev/null",
    "README.md",
    "secret.md",
    "src/main.rs",
    "in/main.rs",
    "gemini.md",
    "GEMINI.md.bak",
    ".GEMINI/x.md",
    ".git/config",
    ".git/GEMINI.md",
    "node_modules/x/GEMINI.md",
    "target/GEMINI.md",
    "../repository/GEMINI.md",
    "../outside/GEMINI.md",
    "/T/home/dotfiles/GEMINI.md",
    "/T/home/.gemini/tmp/app/memory/GEMINI.md",
    "GEMINI.md\0.txt",
];

/// A tool, and what it is asked.
type Try = (&'static str, Value);

/// The calls that try to get at a path: those that have to be refused, and those that may answer nothing of it.
fn calls(path: &str) -> (Vec<Try>, Vec<Try>) {
    let refused = vec![
        ("read_file", json!({"file_path": path})),
        (
            "read_file",
            json!({"file_path": path, "start_line": 1, "limit": 1, "offset": 0}),
        ),
        ("write_file", json!({"file_path": path, "content": "x"})),
        // What is written mentions a path that may be, and so do arguments that nobody asked for.
        (
            "write_file",
            json!({"file_path": path, "content": "see .gemini/x.md", "path": ".gemini/x.md"}),
        ),
        (
            "write_file",
            json!({"content": "/T/repo/.gemini/x.md", "file_path": path, "z": "/.gemini/x.md\""}),
        ),
        (
            "replace",
            json!({"file_path": path, "old_string": "Use tabs.", "new_string": ".gemini/x.md"}),
        ),
        (
            "replace",
            json!({"file_path": path, "old_string": "Use tabs.", "new_string": "x", "instruction": "edit .gemini/x.md"}),
        ),
        (
            "replace",
            json!({"file_path": path, "old_string": "", "new_string": "GEMINI.md"}),
        ),
        (
            "run_shell_command",
            json!({"command": format!("cat {path} .gemini/x.md")}),
        ),
        (
            "run_shell_command",
            json!({"command": "cat GEMINI.md", "dir_path": ".gemini"}),
        ),
        ("list_directory", json!({"dir_path": path})),
    ];
    let silent = vec![
        ("read_many_files", json!({"include": [path, "GEMINI.md"]})),
        (
            "read_many_files",
            json!({"include": [format!("{path}*")], "useDefaultExcludes": false}),
        ),
        ("glob", json!({"pattern": path})),
        ("glob", json!({"pattern": "**/*", "dir_path": path})),
        ("grep_search", json!({"pattern": "Use", "dir_path": path})),
        (
            "grep_search",
            json!({"pattern": "canary|root:", "include_pattern": path, "no_ignore": true}),
        ),
        (MENTION, json!(format!("look at @{path} and @\"{path}\""))),
    ];
    (refused, silent)
}

#[test]
fn every_way_out_is_shut_for_every_tool() {
    let ground = Ground::new();
    let top = ground.top();
    let before = ground.rest();
    assert_eq!(
        before.values().filter(|text| text.contains(CANARY)).count(),
        NOT_GIVEN.len()
    );
    let mut n_calls = 0;
    for path in PATHS {
        let path = path.replace("/T", top.as_str());
        let (refused, silent) = calls(&path);
        for (tool, args) in &refused {
            let said = ground.call(tool, args);
            assert!(said.is_err(), "{tool} {args}: {said:?}");
            check_words(&said, tool, args);
        }
        for (tool, args) in &silent {
            check_words(&ground.call(tool, args), tool, args);
        }
        n_calls += refused.len() + silent.len();
    }
    assert_eq!(n_calls, PATHS.len() * 18);
    assert_eq!(ground.rest(), before);
}

#[test]
fn the_same_ways_are_shut_when_writes_wait() {
    let ground = Ground::new();
    let top = ground.top();
    let before = ground.rest();
    let staged = Staged::new(&Disk, &DiskSearch, Vec::new());
    for path in PATHS {
        let path = path.replace("/T", top.as_str());
        let (refused, silent) = calls(&path);
        for (tool, args) in refused.iter().chain(&silent) {
            check_words(&ground.call_staged(&staged, tool, args), tool, args);
        }
        for (tool, args) in refused {
            assert!(
                ground.call_staged(&staged, tool, &args).is_err(),
                "{tool} {args}"
            );
        }
    }
    assert!(staged.is_empty());
    assert_eq!(ground.rest(), before);
}

#[test]
fn what_is_no_file_is_not_written() {
    let ground = Ground::new();
    for path in ["dir/GEMINI.md", "pipe/GEMINI.md", "GEMINI.md/GEMINI.md"] {
        for (tool, args) in [
            ("read_file", json!({"file_path": path})),
            ("write_file", json!({"file_path": path, "content": "x"})),
            (
                "replace",
                json!({"file_path": path, "old_string": "a", "new_string": "b"}),
            ),
        ] {
            assert!(ground.call(tool, &args).is_err(), "{tool} {args}");
        }
    }
}

#[test]
fn what_was_given_can_be_read_found_and_written() {
    let ground = Ground::new();
    let before = ground.rest();
    let top = ground.top();
    for path in GIVEN {
        let path = top.join(path);
        let read = ground
            .call("read_file", &json!({"file_path": path.as_str()}))
            .unwrap();
        assert!(read.text.contains("a fact of"), "{}", read.text);
        let edit =
            json!({"file_path": path.as_str(), "old_string": "a fact", "new_string": "another"});
        ground.call("replace", &edit).unwrap();
    }
    for path in ["in/GEMINI.md", "src/../new/GEMINI.md", "up/repo/GEMINI.md"] {
        ground
            .call(
                "write_file",
                &json!({"file_path": path, "content": "- x\n"}),
            )
            .unwrap();
    }
    let own = top.join("home/.gemini/AGENTS.md");
    ground
        .call(
            "write_file",
            &json!({"file_path": own.as_str(), "content": "- y\n"}),
        )
        .unwrap();
    let dotfile = fs::read_to_string(top.join("home/dotfiles/AGENTS.md").as_str()).unwrap();
    assert_eq!(dotfile, "- y\n");
    assert!(fs::symlink_metadata(own.as_str()).unwrap().is_symlink());
    let found = ground
        .call(
            "glob",
            &json!({"pattern": "**/*", "respect_git_ignore": false}),
        )
        .unwrap();
    let mut found: Vec<_> = found
        .text
        .lines()
        .skip(1)
        .map(|line| line.replace(top.as_str(), "/T"))
        .collect();
    found.sort();
    assert_eq!(
        found,
        [
            ".gemini/GEMINI.md",
            ".gemini/notes.md",
            "/T/home/.gemini/GEMINI.md",
            "/T/home/.gemini/notes.md",
            "/T/home/dotfiles/AGENTS.md",
            "GEMINI.md",
            "hard/GEMINI.md",
            "new/GEMINI.md",
            "src/GEMINI.md",
            "src/deep/AGENTS.md",
        ]
    );
    let listed = ground
        .call("list_directory", &json!({"dir_path": "."}))
        .unwrap();
    let listed: Vec<_> = listed.text.lines().skip(1).collect();
    let dirs = [
        ".GEMINI", ".gemini", "dangling", "dir", "empty", "far", "hard", "linked", "loop", "new",
        "pipe", "src",
    ];
    let mut expected: Vec<_> = dirs.map(|dir| format!("[DIR] {dir}")).into();
    expected.push("GEMINI.md (4 bytes)".to_owned());
    assert_eq!(listed, expected);
    assert_eq!(ground.rest(), before);
}

#[test]
fn a_hard_link_to_a_file_outside_is_not_written() {
    let ground = Ground::new();
    let before = ground.rest();
    let edit =
        json!({"file_path": "hard/GEMINI.md", "old_string": "two names", "new_string": "one name"});
    let refused = ground.call("replace", &edit).unwrap_err();
    assert!(refused.message.contains("2 hard links"), "{refused:?}");
    let path = |path: &str| ground.top().join(path).to_string();
    for name in ["repo/hard/GEMINI.md", "outside/hard.txt"] {
        let text = fs::read_to_string(path(name)).unwrap();
        assert_eq!(text, "one text under two names\n");
    }
    assert_eq!(ground.rest(), before);
}

#[test]
fn what_waits_is_written_together_or_not_at_all() {
    let ground = Ground::new();
    let before = ground.rest();
    let write = |staged: &Staged<'_>| {
        for (path, text) in [("GEMINI.md", "- one\n"), ("a/b/GEMINI.md", "- two\n")] {
            let args = json!({"file_path": path, "content": text});
            ground.call_staged(staged, "write_file", &args).unwrap();
        }
    };
    let path = |path: &str| ground.top().join(path).to_string();
    let staged = Staged::new(&Disk, &DiskSearch, Vec::new());
    write(&staged);
    // Somebody puts a link where a directory will be made.
    symlink(path("home/.ssh"), path("repo/a")).unwrap();
    let failure = ground.propose(&staged).unwrap_err();
    assert!(failure.message.contains("repo/a/b/GEMINI.md"), "{failure}");
    assert!(
        fs::read_to_string(path("repo/GEMINI.md"))
            .unwrap()
            .contains("a fact")
    );
    fs::remove_file(path("repo/a")).unwrap();
    ground.propose(&staged).unwrap();
    assert_eq!(
        fs::read_to_string(path("repo/GEMINI.md")).unwrap(),
        "- one\n"
    );
    assert_eq!(
        fs::read_to_string(path("repo/a/b/GEMINI.md")).unwrap(),
        "- two\n"
    );
    assert_eq!(ground.rest(), before);
}

fn check_words(said: &Result<Output, Refusal>, tool: &str, args: &Value) {
    let told = match said {
        Ok(output) => format!("{} {} {:?}", output.text, output.shown, output.media),
        Err(refusal) => refusal.message.clone(),
    };
    for word in [CANARY, "Use tabs", "root:x:0"] {
        assert!(!told.contains(word), "{tool} {args}: {told}");
    }
}
