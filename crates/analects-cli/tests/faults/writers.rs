//! Who writes: commands of several kinds, each with what it finds.

use std::process::Command;

use analects_testkit::corpus::corpus;
use serde_json::json;

use crate::place::{Place, Ran, run};

/// How much of a command happens at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Commits {
    /// All of it or nothing.
    One,
    /// One thing after the other, each of them all or nothing.
    Several,
}

/// What may make a command do less than ever, though nothing by halves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Minds {
    /// What it cannot read is left out of its plan.
    Unreadable,
    /// What is from the future may still go on, and is left alone until it is over.
    Clock,
}

/// A command that writes.
pub(crate) struct Writer {
    pub(crate) name: &'static str,
    args: &'static [&'static str],
    furnish: fn(&Place),
    pub(crate) commits: Commits,
    /// Whether one `memory undo` takes all of it back.
    pub(crate) is_taken_back: bool,
    /// What is only done beside the work: it may fail, but not unheard.
    pub(crate) extras: &'static [&'static str],
    pub(crate) minds: &'static [Minds],
}

pub(crate) const SESSION: &str = "3f1c0000-0000-4000-8000-000000000001";
pub(crate) const RECORD: &str =
    "home/.gemini/tmp/repo/chats/session-2026-03-01T10-00-3f1c0000.jsonl";
const MEMORY: &str = "home/.gemini/tmp/repo/memory";
const GLOBAL: &str = "home/.gemini/GEMINI.md";

/// All of them.
pub(crate) static WRITERS: [Writer; 13] = [
    Writer {
        name: "memory add",
        args: &["memory", "add", "I like tea", "--scope", "global", "--yes"],
        furnish: home,
        commits: Commits::One,
        is_taken_back: true,
        extras: &[],
        minds: &[],
    },
    Writer {
        name: "memory add, first of all",
        args: &["memory", "add", "I like tea", "--to", "private", "--yes"],
        furnish: |_| (),
        commits: Commits::Several,
        is_taken_back: true,
        extras: &[],
        minds: &[],
    },
    Writer {
        name: "memory tidy",
        args: &[
            "--cwd",
            "../acme-shop",
            "memory",
            "tidy",
            "--trust",
            "--yes",
        ],
        furnish: untidy,
        commits: Commits::One,
        is_taken_back: true,
        extras: &[],
        minds: &[Minds::Unreadable],
    },
    Writer {
        name: "memory inbox accept",
        args: &["memory", "inbox", "accept", "deploy", "--yes"],
        furnish: inbox,
        commits: Commits::One,
        is_taken_back: true,
        extras: &[],
        minds: &[],
    },
    Writer {
        name: "memory undo",
        args: &["memory", "undo", "--yes"],
        furnish: |place| {
            untidy(place);
            let args = [
                "--cwd",
                "../acme-shop",
                "memory",
                "tidy",
                "--trust",
                "--yes",
            ];
            assert_eq!(place.run(&args).code, Some(0));
        },
        commits: Commits::One,
        is_taken_back: false,
        extras: &[],
        minds: &[],
    },
    Writer {
        name: "trust add",
        args: &["trust", "add", "."],
        furnish: |place| {
            home(place);
            place
                .write(TRUSTED, "{\"/elsewhere\":\"DO_NOT_TRUST\"}")
                .mode(TRUSTED, 0o600);
        },
        commits: Commits::One,
        is_taken_back: false,
        extras: &[],
        minds: &[],
    },
    Writer {
        name: "setup gemini",
        args: &["setup", "gemini", "--scope", "user"],
        furnish: hosts,
        commits: Commits::One,
        is_taken_back: false,
        extras: &[],
        minds: &[],
    },
    Writer {
        name: "setup claude",
        args: &["setup", "claude", "--scope", "user"],
        furnish: hosts,
        commits: Commits::One,
        is_taken_back: false,
        extras: &[],
        minds: &[],
    },
    Writer {
        name: "skill install",
        args: &["skill", "install", "../src", "--yes"],
        furnish: |place| {
            home(place);
            place.write("src/skills/deploy/SKILL.md", SKILL);
            place.write("src/skills/deploy/scripts/run.sh", "#!/bin/sh\necho hi\n");
            place.mode("src/skills/deploy/scripts/run.sh", 0o755);
        },
        commits: Commits::One,
        is_taken_back: true,
        extras: &[],
        minds: &[],
    },
    Writer {
        name: "skill extract",
        args: &["--trust", "skill", "extract"],
        furnish: past,
        commits: Commits::Several,
        is_taken_back: false,
        extras: &[],
        minds: &[Minds::Unreadable, Minds::Clock],
    },
    Writer {
        name: "session import",
        args: &["session", "import", "c1a0d000"],
        furnish: sessions,
        commits: Commits::Several,
        is_taken_back: false,
        extras: &[],
        minds: &[],
    },
    Writer {
        name: "session compress",
        args: &["session", "compress", SESSION],
        furnish: sessions,
        commits: Commits::Several,
        is_taken_back: false,
        extras: &[
            "home/.gemini/projects.json",
            "home/.gemini/tmp/repo/memory",
            "home/.gemini/history",
        ],
        minds: &[],
    },
    Writer {
        name: "session delete",
        args: &["session", "delete", SESSION, "--yes"],
        furnish: sessions,
        commits: Commits::Several,
        is_taken_back: false,
        extras: &[],
        minds: &[Minds::Clock],
    },
];

const TRUSTED: &str = "home/.gemini/trustedFolders.json";

impl Writer {
    pub(crate) fn furnish(&self, place: &Place) {
        (self.furnish)(place);
    }

    pub(crate) fn command(&self, place: &Place) -> Command {
        place.command(self.args)
    }

    pub(crate) fn run(&self, place: &Place) -> Ran {
        run(self.command(place))
    }
}

/// Somebody's memory, as an editor on another system left it.
pub(crate) fn home(place: &Place) {
    place.write(
        GLOBAL,
        "# Mine\r\n\r\n\u{fe0f}Kept — as it is.\r\n\r\nno end",
    );
    place.mode(GLOBAL, 0o640);
}

fn untidy(place: &Place) {
    place.write("acme-shop/.git/HEAD", "");
    let args = [
        "--cwd",
        "../acme-shop",
        "--trust",
        "memory",
        "add",
        "Old note",
    ];
    let args = [&args[..], &["--to", "private", "--yes"]].concat();
    assert_eq!(place.run(&args).code, Some(0));
    let text = "# Me\n- I like tea\n- i like tea.\n- acme-shop needs Docker\n";
    place.write(GLOBAL, text).mode(GLOBAL, 0o600);
    let text = "- Start in `src/old.rs`\n- Use tabs\n";
    place.write("acme-shop/GEMINI.md", text);
    place.write("acme-shop/src/main.rs", "");
}

const SKILL: &str = "---\nname: deploy\ndescription: Deploys it on Thursdays.\n---\nDo it.\n";

fn inbox(place: &Place) {
    let args = ["memory", "add", "Old note", "--to", "private", "--yes"];
    assert_eq!(place.run(&args).code, Some(0));
    // As whoever drafts makes them; undo gives them back like that, whatever they were.
    for (name, text) in [("SKILL.md", SKILL), ("scripts/run.sh", "echo\n")] {
        let path = format!("{MEMORY}/skills/deploy/{name}");
        place.write(&path, text).mode(&path, 0o600);
    }
}

fn hosts(place: &Place) {
    home(place);
    let settings = "{\r\n\t// mine\r\n\t\"mcpServers\": {\"x\": {}},\r\n}";
    place.write("home/.gemini/settings.json", settings);
    place.write("dotfiles/claude.json", "{\"mcpServers\":{},\"n\":1}");
    place.mode("dotfiles/claude.json", 0o600);
    let link = place.path("home/.claude.json");
    std::os::unix::fs::symlink("../dotfiles/claude.json", link).unwrap();
    place.write("home/.claude/settings.json", "{\"theme\": \"dark\"}\n");
}

/// The sessions of a made-up project, as if they had been held here.
fn past(place: &Place) {
    let corpus = corpus(7);
    let project = corpus
        .projects
        .iter()
        .max_by_key(|it| it.planted.len())
        .unwrap();
    let root = place.path("repo").to_str().unwrap().to_owned();
    let registry = json!({ "projects": { root.as_str(): "repo" } });
    place.write("home/.gemini/projects.json", registry.to_string());
    place.write("home/.gemini/tmp/repo/.project_root", &root);
    for session in &project.sessions {
        let text = String::from_utf8_lossy(&session.bytes).replace(&project.root, &root);
        place.write(
            &format!("home/.gemini/tmp/repo/chats/{}", session.file),
            text,
        );
    }
}

/// A long session of Gemini CLI and a short one of Claude Code, both long over.
pub(crate) fn sessions(place: &Place) {
    home(place);
    let root = place.path("repo").to_str().unwrap().to_owned();
    place.write("home/.gemini/tmp/repo/.project_root", &root);
    place
        .write(RECORD, record(80))
        .mode(RECORD, 0o600)
        .age(RECORD, 3600);
    let folder = root.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let claude =
        format!("home/.claude/projects/{folder}/c1a0d000-0000-4000-8000-000000000003.jsonl");
    let at = "2026-03-02T10:00:00.000Z";
    let lines = [
        json!({"type": "user", "uuid": "u1", "cwd": root, "timestamp": at, "message": {"content": "Count the geese."}}),
        json!({"type": "assistant", "uuid": "a1", "timestamp": at, "message": {"id": "m1", "content": [{"type": "text", "text": "No geese."}]}}),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    place.write(&claude, text).age(&claude, 3600);
}

/// A record of that many turns.
pub(crate) fn record(n_turns: usize) -> String {
    let at = "2026-03-01T10:00:00.000Z";
    let mut text = format!(
        "{}\n",
        json!({"sessionId": SESSION, "projectHash": "aa", "startTime": at, "lastUpdated": at, "kind": "main"})
    );
    for n in 0..n_turns {
        let said = format!("Pond number {n} holds water, reeds and many ducks. ").repeat(12);
        for line in [
            json!({"id": format!("u{n}"), "timestamp": at, "type": "user", "content": [{"text": format!("Never drain pond-{n}k.")}]}),
            json!({"id": format!("m{n}"), "timestamp": at, "type": "gemini", "content": said, "model": "gemini-3-pro"}),
        ] {
            text += &line.to_string();
            text.push('\n');
        }
    }
    text
}
