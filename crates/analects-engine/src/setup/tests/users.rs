//! What the user had there or changed there stays, or comes back.

use analects_world::AbsPath;

use super::*;
use crate::json_edit::Draft;

#[test]
fn an_entry_of_the_users_own_comes_back() {
    let path = "/h/.claude.json";
    for own in [
        r#"{"command": "analects", "args": ["mcp"], "env": {"A": "b"}}"#,
        r#"{"command": "/opt/other", "args": ["x"], "env": {"A": "b"}}"#,
        r#"{"url": "http://127.0.0.1:1", "headers": {"X": "y"}}"#,
    ] {
        let before = format!("{{\"n\": 1, \"mcpServers\": {{\"analects\": {own}}}}}");
        let bench = Bench::with(path, &before);
        bench.install(Agent::Claude);
        assert!(bench.text(path).contains("/opt/bin/analects"));
        bench.uninstall(Agent::Claude);
        assert_eq!(bench.text(path), before);
        // The host writes its file anew between the two.
        bench.install(Agent::Claude);
        bench.desk.edit(path, &bench.text(path).replace("1,", "2,"));
        bench.uninstall(Agent::Claude);
        let said = |text: &str| said(&Draft::new(text).unwrap().root().unwrap());
        let sorted = |text: &str| {
            let mut letters: Vec<_> = said(text).chars().collect();
            letters.sort_unstable();
            letters
        };
        let rest = bench.text(path);
        assert_eq!(sorted(&rest), sorted(&before.replace("1,", "2,")), "{rest}");
    }
}

#[test]
fn what_only_looks_like_ours_is_left_alone() {
    let path = "/h/.claude/settings.json";
    for command in [
        "cd /x && analects hook claude SessionStart; notify-send hi",
        "/opt/analects-guard.sh hook claude SessionStart",
        "A=1 analects hook claude SessionStart",
    ] {
        let handler = json_text(&[("type", "command"), ("command", command)]);
        let before = format!("{{\"hooks\":{{\"SessionStart\":[{{\"hooks\":[{handler}]}}]}}}}");
        let bench = Bench::with(path, &before);
        assert!(!bench.uninstall(Agent::Claude).written, "{command}");
        bench.install(Agent::Claude);
        assert!(bench.text(path).contains(&handler), "{}", bench.text(path));
        bench.uninstall(Agent::Claude);
        assert_eq!(bench.text(path), before);
    }
    let path = "/h/.claude.json";
    let bench = Bench::with(
        path,
        r#"{"mcpServers": {"analects": {"command": "/opt/other"}}}"#,
    );
    assert!(!bench.uninstall(Agent::Claude).written);
}

fn json_text(members: &[(&str, &str)]) -> String {
    let members = members.iter();
    let members: Vec<_> = members
        .map(|(name, value)| format!("{name:?}:{value:?}"))
        .collect();
    format!("{{{}}}", members.join(","))
}

#[test]
fn flags_and_times_of_the_users_stay() {
    let path = "/h/.claude/settings.json";
    let mut bench = Bench::new("");
    bench.install(Agent::Claude);
    let text = bench.text(path);
    let text = text.replace("claude SessionStart\"", "claude SessionStart --room 4000\"");
    bench
        .desk
        .edit(path, &text.replace("\"timeout\": 10", "\"timeout\": 30"));
    let seen = status(&bench.desk.world(&bench.around), &bench.flags).unwrap();
    let mut claude = seen.iter().filter(|seen| seen.host == Agent::Claude);
    let hooks = &claude.next().unwrap().hooks;
    assert!(
        hooks.iter().all(|(_, state)| *state == State::Wired),
        "{hooks:?}"
    );
    assert!(!bench.install(Agent::Claude).written);
    bench.around.binary = AbsPath::new("/new/analects").ok();
    bench.install(Agent::Claude);
    let text = bench.text(path);
    assert!(
        text.contains("\"/new/analects hook claude SessionStart --room 4000\""),
        "{text}"
    );
    assert_eq!(text.matches("\"timeout\": 30").count(), 5, "{text}");
}

#[test]
fn a_directory_that_is_made_for_a_link_is_remembered() {
    let bench = Bench::new("//- /h/.codex/config.toml -> /h/dots/codex/config.toml\n");
    bench.install(Agent::Codex);
    let record = bench.text(RECORD);
    let dirs = "\"dirs\": [\"/h/dots/codex\", \"/h/dots\"]";
    assert!(record.contains(dirs), "{record}");
}
