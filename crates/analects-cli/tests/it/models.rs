//! `doctor` on models: which one would be asked, and what was spent.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use analects_testkit::model_server::{KEY, Reply, Script};
use analects_testkit::{ModelServer, SmallModel, say};
use analects_world::models::Wire;
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
    fs::set_permissions(&env, fs::Permissions::from_mode(0o600)).unwrap();
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
    for text in [&ran.out, &ran.err, &shown.out, &shown.err] {
        assert!(!text.contains("hush"), "{text}");
    }
    assert!(!run(&["doctor"]).out.contains("chmod 600"));
    // What others may read or change does not count.
    for mode in [0o644, 0o620] {
        fs::set_permissions(&env, fs::Permissions::from_mode(mode)).unwrap();
        let open = run(&["doctor"]).out;
        assert!(
            open.contains("chmod 600") && open.contains("of openai would be asked"),
            "{open}"
        );
    }
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
            "counts": [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "prompt": prompt, "cached": 12_345, "answer": 99_999, "ms": 123_456, "attempts": 1,
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

/// The variables that set a wire up, with the key of the server.
pub(crate) fn variables(server: &ModelServer, wire: Wire) -> [(&'static str, String); 2] {
    let (key, address) = match wire {
        Wire::Gemini => ("GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"),
        Wire::OpenAi => ("OPENAI_API_KEY", "OPENAI_BASE_URL"),
        Wire::Anthropic => ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
    };
    [(key, KEY.to_owned()), (address, server.base_url(wire))]
}

#[test]
fn a_probe_asks_one_question_on_every_wire() {
    for (name, wire) in Wire::NAMES {
        let said = [
            say::text("rea"),
            say::text("dy"),
            say::usage(7, 1),
            say::done(),
        ];
        let server = ModelServer::start(Reply::say(said));
        let sandbox = Sandbox::new();
        let mut command = sandbox.command(&["doctor", "--probe", "--json", "--model", "a-model"]);
        command.envs(variables(&server, wire));
        let ran = sandbox.ran(command.output().unwrap());
        assert_eq!(ran.code, 0, "{name}: {} {}", ran.out, ran.err);
        let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let probe = &answer["probe"];
        assert_eq!(
            (&probe["isAnswered"], &probe["text"]),
            (&json!(true), &json!("ready"))
        );
        assert_eq!(
            (&probe["promptTokens"], &probe["answerTokens"]),
            (&json!(7), &json!(1))
        );
        let received = server.received();
        assert_eq!(
            received.iter().filter_map(|it| it.refused.clone()).next(),
            None
        );
        assert_eq!(received.last().unwrap().model(), "a-model");
        let ledger = sandbox.path("home/.gemini/analects/models.jsonl");
        assert_eq!(
            fs::metadata(&ledger).unwrap().permissions().mode() & 0o777,
            0o600
        );
        let ledger = fs::read_to_string(ledger).unwrap();
        assert!(ledger.contains(r#""purpose":"probe""#), "{ledger}");
        for text in [&ran.out, &ran.err, &ledger] {
            assert!(!text.contains(KEY), "{text}");
        }
    }
}

#[test]
fn a_probe_that_fails_says_what_to_do() {
    for (_, wire) in Wire::NAMES {
        let server = ModelServer::start(Script::new());
        let sandbox = Sandbox::new();
        let mut command = sandbox.command(&["doctor", "--probe", "--model", "a-model"]);
        command.envs(
            variables(&server, wire).map(|(name, value)| (name, value.replace(KEY, "wrong-key"))),
        );
        let ran = sandbox.ran(command.output().unwrap());
        assert_eq!(ran.code, 3, "{} {}", ran.out, ran.err);
        assert!(
            ran.out.contains("the server does not take the key (40"),
            "{}",
            ran.out
        );
        assert!(
            !ran.out.contains("wrong-key") && !ran.err.contains("wrong-key"),
            "{}",
            ran.out
        );
    }
    let none = Sandbox::new().run(&["doctor", "--probe"]);
    assert_eq!(none.code, 3);
    assert!(none.out.contains("no model is set up"), "{}", none.out);
}

#[test]
fn who_is_busy_is_asked_again() {
    let busy = Reply::trouble(429, "slow down").with_header("retry-after", "0");
    let fine = Reply::say([say::text("ready"), say::done()]);
    let server = ModelServer::start([busy, fine]);
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["doctor", "--probe", "--json", "--model", "a-model"]);
    command.envs(variables(&server, Wire::Anthropic));
    let ran = sandbox.ran(command.output().unwrap());
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["probe"]["attempts"], 2, "{}", ran.out);
}

#[test]
fn small_model_answers_a_probe_through_the_binary() {
    let Some(model) = SmallModel::find() else {
        return;
    };
    let sandbox = Sandbox::new();
    for (key, address, path) in [
        ("OPENAI_API_KEY", "OPENAI_BASE_URL", "/v1"),
        ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", ""),
    ] {
        let mut command = sandbox.command(&["doctor", "--probe", "--json", "-m", SmallModel::NAME]);
        command.env(key, &model.key);
        command.env(address, format!("{}{path}", model.address));
        let ran = sandbox.ran(command.output().unwrap());
        assert_eq!(ran.code, 0, "{} {}", ran.out, ran.err);
        let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(answer["probe"]["isAnswered"], true);
        assert!(
            answer["probe"]["promptTokens"].as_u64().unwrap() > 5,
            "{}",
            ran.out
        );
    }
    // Without a key, and on a port that is looked at: found, and named. This server wants its key.
    let settings = json!({ "model": { "localServers": [format!("{}/v1", model.address)] } });
    sandbox.write("home/.gemini/analects.json", settings.to_string());
    let shown = sandbox.run(&["doctor"]).out;
    assert!(shown.contains("providers"), "{shown}");
}
