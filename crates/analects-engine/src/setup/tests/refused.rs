//! What is not touched, and how that is said.

use analects_world::AbsPath;

use super::*;
use crate::verbs::FailureKind;

fn refused(path: &str, text: &str, host: Agent) -> String {
    let bench = Bench::with(path, text);
    let mut said = Vec::new();
    for direction in [Direction::Install, Direction::Uninstall] {
        let failure = bench.change(host, Scope::User, direction).unwrap_err();
        assert!(
            failure
                .hints
                .iter()
                .any(|hint| hint.contains("nothing was changed"))
        );
        said.push(failure.message);
        assert_eq!(bench.text(path), text);
        assert!(
            bench.desk.commits().is_empty(),
            "no other file is touched either"
        );
    }
    assert_eq!(said[0], said[1]);
    said.remove(0)
}

#[test]
fn a_file_with_a_mistake_is_refused_with_its_line() {
    for (path, text, host, said) in [
        (
            "/h/.gemini/settings.json",
            "{\n  \"a\": 1\n  \"b\": 2\n}",
            Agent::Gemini,
            ", line 2: not valid JSON: expected comma",
        ),
        (
            "/h/.gemini/settings.json",
            "[]",
            Agent::Gemini,
            ", line 1: not a JSON object",
        ),
        (
            "/h/.claude/settings.json",
            "{",
            Agent::Claude,
            ", line 1: not valid JSON: unterminated object",
        ),
        (
            "/h/.codex/config.toml",
            "a = 1\n[b\n",
            Agent::Codex,
            ", line 2: not valid TOML: unclosed table",
        ),
        (
            "/h/.codex/config.toml",
            "a = 1\na = 2\n",
            Agent::Codex,
            ", line 2: not valid TOML: duplicate key",
        ),
        (
            "/h/.codex/hooks.json",
            "nope",
            Agent::Codex,
            ", line 1: not valid JSON: ",
        ),
    ] {
        let message = refused(path, text, host);
        let start = format!("cannot change `{path}`{said}");
        assert!(message.starts_with(&start), "{message}");
    }
}

#[test]
fn a_file_of_another_shape_is_not_forced_into_ours() {
    for (text, said) in [
        ("{\"mcpServers\": []}", "`mcpServers` is not an object"),
        ("{\"hooks\": 1}", "`hooks` is not an object"),
        (
            "{\"hooks\": {\"SessionStart\": {}}}",
            "`hooks.SessionStart` is not a list",
        ),
        ("{\"hooks\": {}, \"hooks\": {}}", "`hooks` stands twice"),
    ] {
        let bench = Bench::with("/h/.gemini/settings.json", text);
        let failure = bench.change(Agent::Gemini, Scope::User, Direction::Install);
        let failure = failure.unwrap_err();
        assert!(failure.message.ends_with(said), "{failure}");
        assert_eq!(bench.text("/h/.gemini/settings.json"), text);
        assert!(
            !bench.uninstall(Agent::Gemini).written,
            "nothing of ours is in it"
        );
    }
}

#[test]
fn a_project_must_be_trusted_and_home_is_none() {
    let mut bench = Bench::new("");
    bench.flags.trust = false;
    for direction in [Direction::Install, Direction::Uninstall] {
        let failure = bench.change(Agent::Claude, Scope::Project, direction);
        let failure = failure.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Failed);
        assert_eq!(
            failure.message,
            "will not change files in `/w/app`: it is not trusted"
        );
    }
    assert!(
        bench.install(Agent::Claude).written,
        "the user's own files need no trust"
    );
    bench.flags.trust = true;
    bench.around.cwd = AbsPath::new("/h").unwrap();
    let failure = bench.change(Agent::Claude, Scope::Project, Direction::Install);
    assert_eq!(failure.unwrap_err().kind, FailureKind::BadInput);
}

#[test]
fn a_record_that_cannot_be_understood_is_not_overwritten() {
    for (text, said) in [
        (
            "[]",
            "cannot read `/h/.gemini/analects/setup.json`: not a JSON object",
        ),
        (
            "{\"version\": 2}",
            "`/h/.gemini/analects/setup.json` was written by a newer version of Analects",
        ),
    ] {
        let bench = Bench::with(RECORD, text);
        let failure = bench.change(Agent::Gemini, Scope::User, Direction::Install);
        assert_eq!(failure.unwrap_err().message, said);
        assert!(bench.desk.commits().is_empty());
    }
}

#[test]
fn a_dry_run_shows_everything_and_writes_nothing() {
    let mut bench = Bench::new("//- /h/.codex/config.toml\nmodel = \"m\"\n");
    bench.flags.dry_run = true;
    let changed = bench.install(Agent::Codex);
    assert!(!changed.written && bench.desk.commits().is_empty());
    assert!(changed.files[0].diff.contains("+[mcp_servers.analects]\n"));
    assert!(
        changed.files[1]
            .diff
            .starts_with("--- /dev/null\n+++ /h/.codex/hooks.json\n")
    );
}

#[test]
fn a_system_that_does_not_tell_where_we_are_is_a_clear_failure() {
    let mut bench = Bench::new("");
    bench.around.binary = None;
    assert!(
        bench
            .change(Agent::Gemini, Scope::User, Direction::Install)
            .is_err()
    );
}
