//! Sessions from the command line: one case a verb, and disks and files that are not as they should be.

mod secrets;

use std::fs::{self, File, FileTimes, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};
use std::time::{Duration, SystemTime};

use expect_test::expect;
use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};
use analects_testkit::SmallModel;

const ONE: &str = "3f1c0000-0000-4000-8000-000000000001";
const CHATS: &str = "home/.gemini/tmp/repo/chats";
const RECORD: &str = "home/.gemini/tmp/repo/chats/session-2026-03-01T10-00-3f1c0000.jsonl";
const CLAUDE: &str = "home/.claude/projects/-r/c1a0d000-0000-4000-8000-000000000003.jsonl";
const INDEX: &str = "home/.gemini/analects/index.sqlite";

/// A session of Gemini CLI and one of Claude Code in the project, both long over.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let root = fs::canonicalize(sandbox.path("repo")).unwrap();
    let root = root.to_str().unwrap();
    let claude = format!(
        r#"{{"type":"user","uuid":"u1","cwd":"{root}","timestamp":"2026-03-02T10:00:00.000Z","message":{{"content":"Count the geese."}}}}
{{"type":"assistant","uuid":"a1","timestamp":"2026-03-02T10:00:01.000Z","message":{{"id":"m1","content":[{{"type":"text","text":"No geese."}}]}}}}
"#
    );
    let folder = root.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let claude_path = CLAUDE.replace("/-r/", &format!("/{folder}/"));
    sandbox
        .write("home/.gemini/tmp/repo/.project_root", root)
        .write(RECORD, record(ONE))
        .write(&claude_path, claude);
    age(&sandbox, RECORD);
    age(&sandbox, &claude_path);
    sandbox
}

fn record(id: &str) -> String {
    format!(
        r#"{{"sessionId":"{id}","projectHash":"aa","startTime":"2026-03-01T10:00:00.000Z","lastUpdated":"2026-03-01T10:05:00.000Z","kind":"main"}}
{{"id":"u0","timestamp":"2026-03-01T10:00:00.000Z","type":"user","content":[{{"text":"Please count the ducks."}}]}}
{{"id":"m0","timestamp":"2026-03-01T10:00:01.000Z","type":"gemini","content":"Seven ducks.","model":"gemini-3-pro"}}
{{"id":"u1","timestamp":"2026-03-01T10:00:02.000Z","type":"user","content":[{{"text":"Count them again."}}]}}
"#
    )
}

/// Nobody has written there for an hour.
fn age(sandbox: &Sandbox, path: &str) {
    age_by(sandbox, path, 1);
}

fn age_by(sandbox: &Sandbox, path: &str, hours: u64) {
    let file = File::options()
        .write(true)
        .open(sandbox.path(path))
        .unwrap();
    let then = SystemTime::now() - Duration::from_secs(hours * 60 * 60);
    file.set_times(FileTimes::new().set_modified(then)).unwrap();
}

fn shown(ran: &Ran) -> String {
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out.clone()
}

#[test]
fn list_tells_of_the_sessions_of_this_project() {
    let sandbox = sandbox();
    expect![[r#"
        /T/repo
             c1a0d000  claude  2026-03-02    Count the geese
          1  3f1c0000  gemini  2026-03-01    count the ducks
    "#]]
    .assert_eq(&shown(&sandbox.run(&["session", "list", "--all"])));
    let here = shown(&sandbox.run(&["session", "list"]));
    assert_eq!(here.lines().count(), 2, "{here}");
    let listed = sandbox.json(&["session", "list", "--agent", "gemini"]);
    let session = &listed["sessions"][0];
    assert_eq!(session["id"], ONE);
    assert_eq!(session["resume"], format!("gemini --resume {ONE}"));
    assert_eq!(
        (&session["isLive"], &listed["more"]),
        (&false.into(), &0.into())
    );
    let empty = Sandbox::new().run(&["session", "list"]);
    expect![[r#"
        There is no session of this project; `analects session list --all` shows those of all projects.
    "#]].assert_eq(&empty.out);
}

#[test]
fn pin_keeps_texts_and_takes_them_away() {
    let sandbox = sandbox();
    let pinned = sandbox.run(&["session", "pin", "3f1c0000", "never", "touch", "main"]);
    expect![[r#"
        Pinned to 3f1c0000 count the ducks
            1  never touch main
    "#]]
    .assert_eq(&shown(&pinned));
    let again = shown(&sandbox.run(&["session", "pin", "latest", "never touch main"]));
    assert!(
        again.starts_with("Pinned to c1a0d000 Count the geese\n"),
        "{again}"
    );
    let listed = sandbox.json(&["session", "pin", ONE, "--list"]);
    assert_eq!(listed["pins"][0]["text"], "never touch main");
    assert_eq!(listed["change"], Value::Null);
    let key = format!("AKIA{}", "Z7Q3M5K2X4W6P8RT");
    let secret = sandbox.run(&["session", "pin", ONE, &format!("key {key}")]);
    assert_eq!(secret.code, 42, "{}", secret.err);
    assert!(secret.err.contains("looks like a secret"), "{}", secret.err);
    let dry = shown(&sandbox.run(&["session", "pin", ONE, "--remove", "1", "--dry-run"]));
    assert!(dry.ends_with("Nothing was written.\n"), "{dry}");
    let gone = shown(&sandbox.run(&["session", "pin", ONE, "--remove", "1"]));
    expect![[r#"
        No longer pinned to 3f1c0000 count the ducks
    "#]]
    .assert_eq(&gone);
    let none = sandbox.run(&["session", "pin", ONE, "--remove", "1"]);
    assert_eq!(none.code, 42, "{}", none.err);
    assert_eq!(sandbox.run(&["session", "pin", ONE]).code, 2);
}

/// A conversation that is worth compressing.
fn long_record(id: &str) -> String {
    let mut lines = record(id);
    for n in 2..80 {
        let said = format!("Pond number {n} holds water, reeds and many ducks. ").repeat(12);
        let at = "2026-03-01T10:01:00.000Z";
        for line in [
            json!({"id": format!("m{n}"), "timestamp": at, "type": "gemini", "content": said}),
            json!({"id": format!("u{n}"), "timestamp": at, "type": "user", "content": format!("Never drain pond-{n}k.")}),
        ] {
            lines += &line.to_string();
            lines.push('\n');
        }
    }
    lines
}

#[test]
fn compress_makes_a_session_short_and_undo_long_again() {
    let sandbox = sandbox();
    sandbox.write(RECORD, long_record(ONE));
    age(&sandbox, RECORD);
    let history = || sandbox.run(&["session", "show", ONE, "--history"]).out;
    let before = history();
    let dry = shown(&sandbox.run(&["session", "compress", "3f1c0000", "--dry-run"]));
    assert!(dry.starts_with("3f1c0000 would be compressed: "), "{dry}");
    assert_eq!(history(), before);
    let answer = sandbox.json(&["session", "compress", "3f1c0000"]);
    assert_eq!(answer["status"], "COMPRESSED");
    let (long, short) = (&answer["tokensBefore"], &answer["tokensAfter"]);
    assert!(short.as_u64() < long.as_u64(), "{short} {long}");
    assert!(
        answer["snapshot"]
            .as_str()
            .unwrap()
            .contains("Never drain pond-41k.")
    );
    assert!(
        answer["kept"]
            .as_array()
            .is_some_and(|kept| !kept.is_empty())
    );
    assert!(answer["survived"]["imperatives"].is_array() && answer["lost"].is_array());
    assert_ne!(history(), before);
    let saved = || sandbox.json(&["doctor", "--usage"])["usage"]["tokensSaved"].as_u64();
    assert!(saved() > Some(0));
    let undone = shown(&sandbox.run(&["session", "compress", ONE, "--undo"]));
    assert!(undone.starts_with("3f1c0000 restored: "), "{undone}");
    assert_eq!((history(), saved()), (before, Some(0)));
    let again = sandbox.run(&["session", "compress", ONE, "--undo"]);
    assert_eq!(again.code, 42);
    assert!(again.err.contains("was not compressed"), "{}", again.err);
    assert_eq!(
        sandbox.run(&["session", "compress", "nobody-knows"]).code,
        42
    );
    assert_eq!(sandbox.run(&["session", "compress"]).code, 2);
}

#[test]
fn small_model_writes_a_snapshot_or_the_digest_stands() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    let sandbox = sandbox();
    sandbox.write(RECORD, long_record(ONE));
    age(&sandbox, RECORD);
    // A small part of its window is enough, and read in a moment.
    let settings = r#"{"context": {"windowTokens": 1500}, "model": {"maxAttempts": 1}}"#;
    sandbox.write("home/.gemini/analects.json", settings);
    let args = ["session", "compress", ONE, "--json", "-m", SmallModel::NAME];
    let mut command = sandbox.command(&args);
    command.env("OPENAI_API_KEY", &model.key);
    command.env("OPENAI_BASE_URL", format!("{}/v1", model.address));
    let ran = sandbox.ran(command.output().unwrap());
    assert_eq!(ran.code, 0, "{} {}", ran.out, ran.err);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["status"], "COMPRESSED");
    let snapshot = answer["snapshot"].as_str().unwrap();
    assert!(snapshot.contains("Never drain pond-"), "{snapshot}");
    // It was asked and it answered, whatever that was worth.
    let ledger = fs::read_to_string(sandbox.path("home/.gemini/analects/models.jsonl")).unwrap();
    let line: serde_json::Value = serde_json::from_str(ledger.lines().next().unwrap()).unwrap();
    assert_eq!(line["purpose"], "compress");
    assert!(
        line["prompt"].as_u64().is_some_and(|tokens| tokens > 500),
        "{ledger}"
    );
    assert!(!ledger.contains("pond"), "{ledger}");
}

#[test]
fn show_prints_markdown_and_history_json() {
    let sandbox = sandbox();
    let ran = sandbox.run(&["session", "show", "3f1c0000"]);
    expect![[r#"
        # count the ducks

        - Session: 3f1c0000-0000-4000-8000-000000000001
        - Agent: gemini
        - Project: /T/repo
        - Began: 2026-03-01T10:00:00.000Z

        ## user (2026-03-01T10:00:00.000Z)

        Please count the ducks.

        ## model (2026-03-01T10:00:01.000Z)

        Seven ducks.

        ## user (2026-03-01T10:00:02.000Z)

        Count them again.

        Go on with `analects --resume 3f1c0000-0000-4000-8000-000000000001`, or with `gemini --resume 3f1c0000-0000-4000-8000-000000000001`
    "#]]
    .assert_eq(&shown(&ran));
    let history = sandbox.run(&["session", "show", ONE, "--history"]);
    let history: Value = serde_json::from_str(&history.out).unwrap();
    assert_eq!(history[1]["parts"][0]["text"], "Seven ducks.");
    let latest = sandbox.json(&["session", "show"]);
    assert!(
        latest["turns"]
            .as_array()
            .is_some_and(|turns| !turns.is_empty())
    );
    let ran = sandbox.run(&["session", "show", "feed0000"]);
    assert_eq!(ran.code, 42);
    expect![[r#"
        error: there is no session `feed0000`
        hint: `analects session list --all` shows them, with their ids
    "#]]
    .assert_eq(&ran.err);
}

#[test]
fn search_finds_what_was_said_to_whom() {
    let sandbox = sandbox();
    expect![[r#"
        gemini  2026-03-01  count the ducks
          gemini --resume 3f1c0000-0000-4000-8000-000000000001
          user: Please count the ducks.
          model: Seven ducks.
    "#]]
    .assert_eq(&shown(&sandbox.run(&["session", "search", "ducks"])));
    let found = sandbox.json(&["session", "search", "count", "--agent", "claude"]);
    assert_eq!(found["hits"][0]["snippet"], "Count the geese.");
    assert_eq!(found["hits"][0]["marks"], serde_json::json!([[0, 5]]));
    assert_eq!(found["records"], 2);
    assert!(sandbox.path(INDEX).exists());
    let none = sandbox.run(&["session", "search", "flamingo"]);
    assert_eq!((none.code, none.out.as_str()), (0, "Nobody said that.\n"));
    let ran = sandbox.run(&["session", "search", "--json", "--", "count", "-geese"]);
    let without: Value = serde_json::from_str(&ran.out).unwrap();
    let hits = without["hits"].as_array().unwrap();
    assert!(!hits.is_empty() && hits.iter().all(|hit| hit["agent"] == "gemini"));
    let ran = sandbox.run(&["session", "search", "ducks", "--since", "yesterday"]);
    assert_eq!(ran.code, 42);
    assert!(ran.err.contains("hint: name a day as"), "{}", ran.err);
}

#[test]
fn delete_needs_a_yes_and_the_whole_id() {
    let sandbox = sandbox();
    let ran = sandbox.run(&["session", "delete", ONE]);
    assert_eq!(ran.code, 1);
    expect![[r#"
        error: nothing was deleted: it needs your consent, and nobody gave it
        hint: consent with `--yes`, or look at what would go with `--dry-run`
    "#]]
    .assert_eq(&ran.err);
    let ran = sandbox.run(&["session", "delete", "3f1c0000", "--yes"]);
    assert_eq!(ran.code, 42);
    let ran = sandbox.run(&["session", "delete", "--yes"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    let planned = sandbox.json(&["session", "delete", ONE, "--dry-run"]);
    assert_eq!(planned["deleted"], false);
    assert!(sandbox.path(RECORD).exists());
    expect![[r#"
        Deleted: 3f1c0000-0000-4000-8000-000000000001 count the ducks
          ~/.gemini/tmp/repo/chats/session-2026-03-01T10-00-3f1c0000.jsonl
    "#]]
    .assert_eq(&shown(&sandbox.run(&["session", "delete", ONE, "--yes"])));
    assert!(!sandbox.path(RECORD).exists());
    let listed = sandbox.json(&["session", "list"]);
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn delete_leaves_what_was_just_written() {
    let sandbox = sandbox();
    sandbox.write(RECORD, record(ONE));
    let ran = sandbox.run(&["session", "delete", ONE, "--yes"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("may still be running"), "{}", ran.err);
    assert!(sandbox.path(RECORD).exists());
}

#[test]
fn delete_does_not_follow_links() {
    let sandbox = sandbox();
    sandbox.write("precious/a.txt", "mine");
    for (link, target) in [
        (
            format!("home/.gemini/tmp/repo/tool-outputs/session-{ONE}"),
            "precious",
        ),
        (
            format!("home/.gemini/tmp/repo/logs/session-{ONE}.jsonl"),
            "precious/a.txt",
        ),
        (format!("{CHATS}/{ONE}/below"), "precious"),
    ] {
        fs::create_dir_all(sandbox.path(&link).parent().unwrap()).unwrap();
        sandbox.link(&link, sandbox.path(target));
    }
    let deleted = sandbox.json(&["session", "delete", ONE, "--yes"]);
    assert_eq!(deleted["sessions"][0]["files"].as_array().unwrap().len(), 1);
    assert_eq!(
        fs::read_to_string(sandbox.path("precious/a.txt")).unwrap(),
        "mine"
    );
}

#[test]
fn expired_sessions_are_shown_before_they_go() {
    let sandbox = sandbox();
    sandbox.write(
        "home/.gemini/settings.json",
        r#"{"general":{"sessionRetention":{"maxAge":"1w"}}}"#,
    );
    let planned = sandbox.json(&["session", "delete", "--expired", "--dry-run"]);
    assert_eq!(planned["sessions"], serde_json::json!([]), "just written");
    age_by(&sandbox, RECORD, 8 * 24);
    let planned = sandbox.json(&["session", "delete", "--expired", "--dry-run"]);
    assert_eq!(planned["sessions"][0]["id"], ONE);
    sandbox.write(
        "home/.gemini/settings.json",
        r#"{"general":{"sessionRetention":{"maxAge":"soon"}}}"#,
    );
    let ran = sandbox.run(&["session", "delete", "--expired", "--yes"]);
    assert_eq!(ran.code, 42, "{}", ran.err);
    assert!(sandbox.path(RECORD).exists());
}

#[test]
fn import_makes_a_session_of_another_agents() {
    let sandbox = sandbox();
    let first = sandbox.json(&["session", "import", "c1a0d000"]);
    assert_eq!(first["written"], true);
    let again = sandbox.run(&["session", "import", "c1a0d000"]);
    expect![[r#"
        It is here already: 6c887f1a-5979-8a45-81d4-99e5ad7448e3 Count the geese
          ~/.gemini/tmp/repo/chats/session-2026-03-02T10-00-6c887f1a.jsonl
    "#]]
    .assert_eq(&shown(&again));
    let path = first["path"].as_str().unwrap().trim_start_matches("/T/");
    let path = sandbox.path(path);
    assert_eq!(
        fs::metadata(path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let id = first["id"].as_str().unwrap();
    let shown = sandbox.run(&["session", "show", id]);
    assert!(shown.out.contains("Count the geese.") && shown.out.contains("No geese."));
}

#[test]
fn summarize_writes_down_what_it_was_about_once() {
    let sandbox = sandbox();
    let ran = sandbox.run(&["session", "summarize"]);
    expect![[r#"
        3f1c0000  count the ducks
    "#]]
    .assert_eq(&shown(&ran));
    let after = fs::read_to_string(sandbox.path(RECORD)).unwrap();
    assert!(after.starts_with(&record(ONE)) && after.contains("\"summary\""));
    age(&sandbox, RECORD);
    let again = sandbox.run(&["session", "summarize"]);
    assert_eq!(again.out, "Every session of this project is summed up.\n");
    assert_eq!(fs::read_to_string(sandbox.path(RECORD)).unwrap(), after);
}

#[test]
fn a_record_torn_by_a_crash_is_shown_as_far_as_it_goes() {
    let sandbox = sandbox();
    sandbox.write(RECORD, record(ONE) + "{\"id\":\"m1\",\"type\":\"gem\u{1F9}");
    let ran = sandbox.run(&["session", "show", ONE]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("Seven ducks."));
    expect![[r#"
        1 note not shown; -v shows them
    "#]]
    .assert_eq(&ran.err);
    let found = sandbox.json(&["session", "search", "ducks"]);
    assert_eq!(found["hits"].as_array().unwrap().len(), 2);
}

#[test]
fn files_that_are_no_records_do_no_harm() {
    let sandbox = sandbox();
    let long = format!(
        "{{\"sessionId\":\"big\",\"x\":\"{}\"}}",
        "x".repeat(30 << 20)
    );
    sandbox
        .write(
            &format!("{CHATS}/session-2026-03-01T09-00-b1b1b1b1.jsonl"),
            &long,
        )
        .write(
            &format!("{CHATS}/session-2026-03-01T09-00-b2b2b2b2.jsonl"),
            "[".repeat(1 << 20),
        )
        .write(
            &format!("{CHATS}/session-2026-03-01T09-00-b3b3b3b3.jsonl"),
            [0xFF; 4096],
        )
        .write(
            &format!("{CHATS}/session-2026-03-01T09-00-b4b4b4b4.jsonl"),
            "",
        )
        .write(
            &format!("{CHATS}/session-2026-03-01T09-00-b5b5b5b5.jsonl/file"),
            "",
        );
    sandbox.link(
        &format!("{CHATS}/session-2026-03-01T09-00-b6b6b6b6.jsonl"),
        "/nowhere",
    );
    sandbox.link(
        &format!("{CHATS}/session-2026-03-01T09-00-b7b7b7b7.jsonl"),
        "/dev/zero",
    );
    let listed = sandbox.json(&["session", "list"]);
    let ids: Vec<_> = listed["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| &s["id"])
        .collect();
    assert_eq!(ids.len(), 2, "{ids:?}");
    let found = sandbox.json(&["session", "search", "ducks"]);
    assert_eq!(found["hits"].as_array().unwrap().len(), 2);
}

#[test]
fn a_broken_index_is_made_anew() {
    for garbage in [
        &b"garbage"[..],
        b"",
        &[0xFF; 100_000],
        b"SQLite format 3\0 and then nothing",
    ] {
        let sandbox = sandbox();
        sandbox.write(INDEX, garbage);
        let found = sandbox.json(&["session", "search", "ducks"]);
        assert_eq!(found["hits"].as_array().unwrap().len(), 2);
        let again = sandbox.json(&["session", "search", "ducks"]);
        assert_eq!(again["problems"], serde_json::json!([]), "it is well again");
    }
}

#[test]
fn a_home_that_cannot_be_written_is_searched_all_the_same() {
    for is_indexed in [false, true] {
        let sandbox = sandbox();
        if is_indexed {
            sandbox.json(&["session", "search", "ducks"]);
        }
        open_to_all(&sandbox.path(""));
        fs::set_permissions(sandbox.path("home/.gemini"), Permissions::from_mode(0o555)).unwrap();
        let ran = sandbox.run_as_nobody(&["session", "search", "ducks", "--json"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let found: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(
            found["hits"].as_array().unwrap().len(),
            2,
            "indexed: {is_indexed}"
        );
        assert_eq!(found["problems"][0]["code"], "index");
        fs::set_permissions(sandbox.path("home/.gemini"), Permissions::from_mode(0o755)).unwrap();
    }
}

/// Everybody may read, nobody else may write.
fn open_to_all(path: &std::path::Path) {
    let is_dir = fs::symlink_metadata(path).unwrap().is_dir();
    let mode = if is_dir { 0o755 } else { 0o644 };
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    if is_dir {
        for entry in fs::read_dir(path).unwrap() {
            open_to_all(&entry.unwrap().path());
        }
    }
}

#[test]
fn several_may_search_at_once() {
    let sandbox = sandbox();
    let search = || -> Child {
        let mut command = sandbox.command(&["session", "search", "ducks", "--json"]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let searches: Vec<_> = (0..4).map(|_| search()).collect();
    for search in searches {
        let ran = sandbox.ran(search.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let found: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(found["hits"].as_array().unwrap().len(), 2, "{}", ran.out);
    }
}

#[test]
fn what_a_session_is_called_does_not_reach_the_terminal_as_a_command() {
    let sandbox = sandbox();
    let evil =
        record("e1e1e1e1-\\u001b[2J").replace("count the ducks", "\\u001b]0;owned\\u0007 ducks");
    let path = format!("{CHATS}/session-2026-03-01T10-00-e1e1e1e1.jsonl");
    sandbox.write(&path, evil);
    for args in [
        &["session", "list"][..],
        &["session", "search", "ducks"],
        &["session", "show", sandbox.path(&path).to_str().unwrap()],
    ] {
        let ran = sandbox.run(args);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(
            !ran.out.contains('\u{1b}') && !ran.out.contains('\u{7}'),
            "{:?}",
            ran.out
        );
    }
}
