//! Files of other agents that we change: JSON with comments, and TOML.

use analects_engine::setup::{Direction, Scope, change};
use analects_engine::verbs::Flags;
use analects_testkit::{FakeDesk, FakeFiles, Fixture, surroundings};
use analects_world::Agent;

/// What is wired is wired once, and what is unwired is as it was, to the byte; what cannot be read is left alone.
pub fn setup(data: &[u8]) {
    for (host, path) in [
        (Agent::Gemini, "/h/.gemini/settings.json"),
        (Agent::Claude, "/h/.claude/settings.json"),
        (Agent::Codex, "/h/.codex/config.toml"),
    ] {
        wired(host, path, data);
    }
}

fn wired(host: Agent, path: &str, data: &[u8]) {
    let fixture = Fixture::parse("//- /w/app/.git/\n").file(path, data);
    let desk = FakeDesk::new(FakeFiles::new(&fixture));
    let around = surroundings("/w/app", "/h", &[]);
    let flags = Flags {
        trust: true,
        ..Flags::default()
    };
    let change = |to| change(&desk.world(&around), &flags, host, Scope::User, to);
    let Ok(text) = std::str::from_utf8(data) else {
        let _ = change(Direction::Install);
        return;
    };
    let is_ours = text.contains("analects");
    let Ok(installed) = change(Direction::Install) else {
        assert_eq!(
            desk.text(path).as_deref(),
            Some(text),
            "a refusal changes nothing"
        );
        assert_eq!(desk.commits().len(), 0);
        return;
    };
    let changed = desk.text(path).unwrap();
    assert!(installed.written || is_ours, "{text}");
    // A file of nothing but blanks is begun anew.
    assert!(changed.len() >= text.trim().len() || is_ours);
    let again = change(Direction::Install).unwrap();
    assert!(!again.written, "twice is once:\n{changed}");
    let removed = change(Direction::Uninstall);
    if !is_ours {
        assert!(removed.is_ok_and(|removed| removed.written));
        assert_eq!(desk.text(path).as_deref(), Some(text), "{changed}");
    }
}
