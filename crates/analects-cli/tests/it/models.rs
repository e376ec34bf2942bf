//! `doctor` on models: which one would be asked, and what was spent.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::sandbox::Sandbox;

#[test]
fn the_model_that_would_be_asked_is_named_and_no_key_is_shown() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "home/.gemini/.env",
        "export ANTHROPIC_API_KEY='hush-file'\n",
    );
    sandbox.write("repo/.env", "GEMINI_API_KEY=hush-project\n");
    sandbox.write("repo/.gemini/.env", "GEMINI_API_KEY=hush-project\n");
    let env = sandbox.path("home/.gemini/.env");
    fs::set_permissions(&env, fs::Permissions::from_mode(0o644)).unwrap();
    let run = |args: &[&str]| {
        let mut command = sandbox.command(args);
        sandbox.ran(command.env("OPENAI_API_KEY", "hush-env").output().unwrap())
    };
    let ran = run(&["doctor", "--trust", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["model"]["provider"], "anthropic", "{}", ran.out);
    assert_eq!(
        answer["model"]["why"],
        "ANTHROPIC_API_KEY is set (~/.gemini/.env)"
    );
    let keys = json!([
        { "name": "ANTHROPIC_API_KEY", "source": "~/.gemini/.env" },
        { "name": "OPENAI_API_KEY", "source": "environment" },
    ]);
    assert_eq!(answer["keys"], keys);
    let shown = run(&["doctor", "--trust", "--model", "openai:flash"]);
    assert!(
        shown.out.contains("of openai would be asked"),
        "{}",
        shown.out
    );
    assert!(shown.out.contains("chmod 600"), "{}", shown.out);
    for text in [&ran.out, &ran.err, &shown.out, &shown.err] {
        assert!(!text.contains("hush"), "{text}");
    }
    fs::set_permissions(&env, fs::Permissions::from_mode(0o600)).unwrap();
    assert!(!run(&["doctor"]).out.contains("chmod 600"));
}

#[test]
fn servers_that_never_answer_do_not_keep_anybody_waiting() {
    let sandbox = Sandbox::new();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", silent.local_addr().unwrap());
    let settings = json!({ "model": { "localServers": vec![url; 16] } });
    sandbox.write("home/.gemini/analects.json", settings.to_string());
    let start = Instant::now();
    let shown = sandbox.run(&["doctor"]).out;
    // One after the other they would take eleven seconds.
    assert!(start.elapsed() < Duration::from_secs(8));
    assert!(
        shown.contains("no model is set up: set GEMINI_API_KEY"),
        "{shown}"
    );
}

#[test]
fn what_models_cost_is_a_table_that_fits() {
    let sandbox = Sandbox::new();
    let line = |purpose: &str, prompt: u64| {
        json!({ "v": 1, "at": 1_700_000_000_000_u64, "purpose": purpose, "provider": "gemini", "model": "m",
            "estimated": 1, "prompt": prompt, "cached": 12_345, "answer": 99_999, "ms": 123_456, "attempts": 1,
            "outcome": "answered" })
        .to_string()
    };
    let log = [
        line("loop-check", 7),
        line("chat", 123_456_789_012),
        "?".to_owned(),
    ];
    sandbox.write("home/.gemini/analects/models.jsonl", log.join("\n"));
    let shown = sandbox.run(&["doctor", "--usage"]).out;
    let (_, table) = shown.split_once("Models, since").unwrap();
    expect_test::expect![[r#"
         2023-11-14
        day         purpose       calls   failed     read   cached  written     time
        in all      chat              1        0 123,456M   12,345   99,999    2 min
        in all      loop-check        1        0        7   12,345   99,999    2 min
        in the background today: 0 of 500,000 tokens
        1 lines of the log make no sense
    "#]]
    .assert_eq(table);
    assert!(table.lines().all(|line| line.chars().count() <= 80));
    let usage = &sandbox.json(&["doctor", "--usage"])["usage"]["models"];
    assert_eq!(usage["totals"][0]["purpose"], "chat");
    assert_eq!(usage["totals"][0]["promptTokens"], 123_456_789_012_u64);
    assert_eq!(usage["days"], json!([]));
}
