//! What `doctor` says of models, on a world in memory.

use analects_chat::weigh::Counts;
use std::fmt::Write;

use analects_testkit::{FakeDesk, surroundings};
use analects_world::log::Logged;
use analects_world::models::{Kind, Listed, Usage as Cost};
use expect_test::{Expect, expect};

use super::*;
use crate::models::ledger::{self, ANSWERED, Entry, Purpose};

fn run(desk: &FakeDesk, vars: &[(&str, &str)], doctor: &Doctor) -> Examined {
    let around = surroundings("/w", "/h", vars);
    doctor.run(&desk.world(&around), &Flags::default()).unwrap()
}

fn check(desk: &FakeDesk, vars: &[(&str, &str)], wanted: Option<&str>, expected: Expect) {
    let doctor = Doctor {
        model: wanted.map(str::to_owned),
        ..Doctor::default()
    };
    let examined = run(desk, vars, &doctor);
    let mut shown = String::new();
    let topic = |finding: &&Finding| finding.topic == "providers";
    for finding in examined.findings.iter().filter(topic) {
        writeln!(shown, "{}: {}", finding.severity, finding.message).unwrap();
        if let Some(hint) = &finding.hint {
            writeln!(shown, "  hint: {hint}").unwrap();
        }
    }
    let whole = format!("{examined:?}");
    assert!(!whole.contains("hush"), "{whole}");
    expected.assert_eq(&shown);
}

const PLACE: &str = "//- /w/.git/\n//- /h/.gemini/";

#[test]
fn what_makes_every_write_fail_is_an_error() {
    for (tree, path) in [
        (
            "//- /w/.git/\n//- /h/.gemini/analects/entries.json\n{\"v\": 99}\n",
            "/h/.gemini/analects/entries.json",
        ),
        ("//- /w/.git/\n//- /h/.gemini\na file\n", "/h/.gemini"),
    ] {
        let examined = run(&FakeDesk::parse(tree), &[], &Doctor::default());
        let told = examined.findings.iter();
        let mut told = told.filter(|it| it.severity == "error" && it.message.contains(path));
        assert!(told.next().is_some_and(|it| it.hint.is_some()), "{path}");
    }
}

#[test]
fn damaged_notes_on_entries_are_a_warning_that_says_what_happens_next() {
    let tree = "//- /w/.git/\n//- /h/.gemini/analects/entries.json\n{broken\n";
    let examined = run(&FakeDesk::parse(tree), &[], &Doctor::default());
    let mut told = examined.findings.iter();
    let finding = told.find(|it| it.message.contains("entries.json")).unwrap();
    assert_eq!(finding.severity, "warning");
    assert!(
        finding
            .hint
            .as_ref()
            .unwrap()
            .contains("keeps the damaged file")
    );
}

#[test]
fn damaged_lines_of_the_journal_are_reported() {
    let desk = FakeDesk::parse(&format!("{PLACE}\n"));
    let commits = |desk: &FakeDesk| {
        let examined = run(desk, &[], &Doctor::default());
        let mut findings = examined.findings.into_iter();
        findings.find(|it| it.topic == "commits" && it.severity == "warning")
    };
    assert_eq!(commits(&desk), None);
    desk.alter_log(|log| log.extend((0..7).map(|_| Logged::unreadable())));
    let finding = commits(&desk).unwrap();
    let named = "journal.jsonl: 1, 2, 3, 4, 5 and 2 more";
    assert!(finding.message.ends_with(named), "{finding:?}");
}

#[test]
fn without_a_model_one_sentence_says_what_to_set() {
    check(
        &FakeDesk::parse(&format!("{PLACE}\n")),
        &[],
        None,
        expect![[r#"
            note: no model is set up: set GEMINI_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY, or start a local server
              hint: keys stand in the environment, or as a line in `~/.gemini/.env` (`chmod 600`); looked for servers at 127.0.0.1:11434, 127.0.0.1:8080, 127.0.0.1:8000, 127.0.0.1:1234
        "#]],
    );
    // A key that cannot be read is part of the answer.
    let desk = FakeDesk::parse(&format!("{PLACE}.env (denied)\n"));
    check(
        &desk,
        &[],
        None,
        expect![[r#"
            note: no model is set up: set GEMINI_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY, or start a local server
              hint: keys stand in the environment, or as a line in `~/.gemini/.env` (`chmod 600`); looked for servers at 127.0.0.1:11434, 127.0.0.1:8080, 127.0.0.1:8000, 127.0.0.1:1234
            warning: /h/.gemini/.env: no key is read from it: permission denied
              hint: `~/.gemini/.env` is no regular file, may not be read, or is far too large; none of its keys count.
        "#]],
    );
}

#[test]
fn keys_that_others_may_read_do_not_count_and_that_is_told() {
    let desk = FakeDesk::parse(&format!("{PLACE}.env\nOPENAI_API_KEY=hush\n"));
    desk.publish("/h/.gemini/.env");
    check(
        &desk,
        &[("GEMINI_API_KEY", "hush"), ("GEMINI_MODEL", "pro")],
        None,
        expect![[r#"
            ok: gemini-3.1-pro-preview (`pro`) of gemini would be asked: GEMINI_API_KEY is set (environment)
            ok: it takes 1048576 tokens at once; if it cannot answer, gemini-3.8-flash is asked
            warning: /h/.gemini/.env: others on this machine may read or change it, so nothing in it counts: `chmod 600` mends that
              hint: Other users of this machine may read or change `~/.gemini/.env`, so neither keys nor addresses in it count: `chmod 600 ~/.gemini/.env`.
            ok: set: GEMINI_API_KEY (environment)
        "#]],
    );
}

#[test]
fn the_model_is_told_with_its_reason_and_keys_with_their_source() {
    let desk = FakeDesk::parse(&format!("{PLACE}.env\nOPENAI_API_KEY=hush\n"));
    let vars = &[("GEMINI_API_KEY", "hush"), ("GEMINI_MODEL", "pro")];
    check(
        &desk,
        vars,
        None,
        expect![[r#"
            ok: gemini-3.1-pro-preview (`pro`) of gemini would be asked: GEMINI_API_KEY is set (environment)
            ok: it takes 1048576 tokens at once; if it cannot answer, gemini-3.8-flash is asked
            ok: set: GEMINI_API_KEY (environment), OPENAI_API_KEY (~/.gemini/.env)
        "#]],
    );
    check(
        &desk,
        vars,
        Some("openai:gpt-4o"),
        expect![[r#"
            ok: gpt-4o of openai would be asked: `openai:gpt-4o` is a model of openai, and OPENAI_API_KEY is set (~/.gemini/.env)
            ok: it takes 128000 tokens at once; if it cannot answer, nobody else is asked
            ok: set: GEMINI_API_KEY (environment), OPENAI_API_KEY (~/.gemini/.env)
        "#]],
    );
    check(
        &desk,
        vars,
        Some("claude-opus-5-5"),
        expect![[r#"
            warning: `claude-opus-5-5` is a model of anthropic, which is not set up: set ANTHROPIC_API_KEY
              hint: in the environment, or as a line in `~/.gemini/.env` (`chmod 600`)
            ok: set: GEMINI_API_KEY (environment), OPENAI_API_KEY (~/.gemini/.env)
        "#]],
    );
}

#[test]
fn a_server_on_this_machine_is_named() {
    let desk = FakeDesk::parse(&format!("{PLACE}\n"));
    let listed = Listed {
        name: "qwen3:8b".to_owned(),
        window_tokens: Some(40_960),
    };
    desk.models.serve("http://127.0.0.1:8080/v1", vec![listed]);
    check(
        &desk,
        &[],
        None,
        expect![[r#"
        ok: qwen3:8b (`auto`) of llama.cpp at 127.0.0.1:8080 would be asked: no key is set, and it answers at 127.0.0.1:8080
        ok: it takes 40960 tokens at once; if it cannot answer, nobody else is asked
    "#]],
    );
}

#[test]
fn what_models_cost_is_told_by_day_and_purpose() {
    let desk = FakeDesk::parse(&format!("{PLACE}\n"));
    let around = surroundings("/w", "/h", &[]);
    let call = Entry {
        at_ms: 5,
        purpose: Purpose::Chat,
        provider: "gemini".to_owned(),
        model: "m".to_owned(),
        counts: Counts {
            told: 90,
            ..Counts::default()
        },
        usage: Cost {
            prompt: Some(100),
            cached: Some(40),
            answer: Some(5),
            thoughts: None,
        },
        ms: 12,
        n_attempts: 1,
        outcome: ANSWERED.into(),
        session: None,
    };
    let learn = Entry {
        purpose: Purpose::Learn,
        outcome: Kind::TimedOut.as_str().into(),
        usage: Cost::default(),
        ..call.clone()
    };
    for entry in [call, learn] {
        assert_eq!(ledger::note(&desk.world(&around), &entry), None);
    }
    let usage = Doctor {
        usage: true,
        ..Doctor::default()
    };
    let told = run(&desk, &[], &usage).usage.unwrap().models;
    expect![[r#"
        {
          "since": "1970-01-01T00:00:00.005Z",
          "days": [
            {
              "date": "1970-01-01",
              "purpose": "chat",
              "calls": 1,
              "failures": 0,
              "promptTokens": 100,
              "cachedTokens": 40,
              "answerTokens": 5,
              "ms": 12
            },
            {
              "date": "1970-01-01",
              "purpose": "learn",
              "calls": 1,
              "failures": 1,
              "promptTokens": 90,
              "cachedTokens": 0,
              "answerTokens": 0,
              "ms": 12
            }
          ],
          "totals": [
            {
              "purpose": "chat",
              "calls": 1,
              "failures": 0,
              "promptTokens": 100,
              "cachedTokens": 40,
              "answerTokens": 5,
              "ms": 12
            },
            {
              "purpose": "learn",
              "calls": 1,
              "failures": 1,
              "promptTokens": 90,
              "cachedTokens": 0,
              "answerTokens": 0,
              "ms": 12
            }
          ],
          "backgroundTokensToday": 90,
          "backgroundDailyTokens": 500000,
          "unreadable": 0
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&told).unwrap());
}
