//! Whole histories through the audit.

use std::fmt::Write;

use analects_world::model::Part;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn turn(role: Role, parts: Vec<Part>) -> Content {
    Content {
        id: String::new(),
        role,
        parts,
    }
}

fn work(command: Value, output: &str) -> [Content; 2] {
    [
        turn(
            Role::Model,
            vec![Part::call("1", "shell", json!({ "command": command }))],
        ),
        turn(
            Role::User,
            vec![Part::response("1", "shell", json!({ "output": output }))],
        ),
    ]
}

#[test]
fn a_history_in_which_everything_is_there_loses_nothing() {
    let mut history = vec![Content::text(
        "0",
        Role::User,
        "不要改 `src/a.rs`。Use `Vec<u8>`!",
    )];
    history.extend(work(
        json!(["bash", "-lc", "cargo test"]),
        "error: no\nExit Code: 1",
    ));
    history.extend(work(
        json!(["git", "log"]),
        "thread 'a' panicked at src/b.rs:1:2",
    ));
    let audit = audit(&history, &history);
    assert_eq!(audit.paths.survived, ["src/a.rs"]);
    assert_eq!(audit.commands.survived, ["cargo test", "git log"]);
    assert_eq!(
        audit.errors.survived,
        [
            "error: no",
            "exit code 1",
            "thread 'a' panicked at src/b.rs:1:2"
        ]
    );
    assert_eq!(
        audit.imperatives.survived,
        ["不要改 `src/a.rs`", "Use `Vec<u8>`"]
    );
    assert_eq!(lost(&audit), 0);
}

#[test]
fn a_snapshot_may_set_a_text_otherwise_and_say_an_exit_code_shortly() {
    let mut history = vec![Content::text(
        "0",
        Role::User,
        "Use `Vec<u8>`,\nalways keep src/a.rs",
    )];
    history.extend(work(
        json!("make  all\n"),
        "make: *** error 2\nExit Code: 2",
    ));
    let snapshot = "<state_snapshot>- Use Vec&lt;u8&gt;\n- always keep `src/a.rs`\n\
        - make all (exit 2): make: *** error\n 2</state_snapshot>";
    let audit = audit(&history, &[Content::text("", Role::User, snapshot)]);
    assert_eq!(lost(&audit), 0, "{audit:?}");
}

#[test]
fn only_whole_words_that_are_not_thoughts_count() {
    let history = [Content::text("0", Role::User, "Fix a.rs and b/c.rs")];
    let mut thought = Content::text("1", Role::Model, "b/c.rs");
    thought.parts[0].is_thought = true;
    let audit = audit(
        &history,
        &[Content::text("1", Role::Model, "data.rs a.rs2"), thought],
    );
    assert_eq!(audit.paths.lost, ["a.rs", "b/c.rs"]);
    assert!(audit.paths.share() < f64::EPSILON);
    assert!((audit.commands.share() - 1.0).abs() < f64::EPSILON);
}

#[test]
fn a_long_fact_may_be_cut_unless_another_begins_alike() {
    let long = |end: &str| format!("echo {} {end}", "word ".repeat(40));
    let left = |text: String| [Content::text("", Role::User, text)];
    let one = work(json!(long("a")), "");
    let cut: String = long("a").chars().take(150).collect();
    let cut = cut.rsplit_once(' ').unwrap().0.to_owned();
    assert_eq!(audit(&one, &left(cut)).commands.survived.len(), 1);
    let two = [work(json!(long("a")), ""), work(json!(long("b")), "")].concat();
    let found = audit(&two, &left(long("b"))).commands;
    assert_eq!((found.survived.len(), found.lost.len()), (1, 1));
}

#[test]
fn what_is_told_has_its_bounds() {
    let mut text = String::new();
    for n in 0..12_000 {
        let _ = writeln!(text, "Never touch {n} {}", "x".repeat(n % 500));
    }
    let history = [Content::text("0", Role::User, text)];
    let found = audit(&history, &history).imperatives;
    assert_eq!(found.survived.len(), 10_000);
    assert_eq!(found.n_unchecked, 2_000);
    assert_eq!(found.survived[0], "Never touch 2000");
    assert!(
        found
            .survived
            .iter()
            .all(|text| text.chars().count() <= 300)
    );
}

#[test]
fn a_word_of_a_megabyte_is_no_trouble() {
    let word = "x".repeat(1 << 20);
    let history = work(
        json!(format!("echo {word} {word}")),
        &format!("error {word}"),
    );
    assert_eq!(lost(&audit(&history, &history)), 0);
    let history = work(json!(word), "");
    assert_eq!(lost(&audit(&history, &history)), 0);
}

fn lost(audit: &Audit) -> usize {
    tallies(audit).iter().map(|tally| tally.lost.len()).sum()
}

fn tallies(audit: &Audit) -> [&Tally; 4] {
    [
        &audit.paths,
        &audit.commands,
        &audit.errors,
        &audit.imperatives,
    ]
}

/// Texts made of what the rules look at.
fn soup() -> impl Strategy<Value = String> {
    let bits = prop_oneof![
        Just("error: ".to_owned()),
        Just("must".to_owned()),
        Just("src/a.rs".to_owned()),
        Just("Exit Code: 3".to_owned()),
        Just("别".to_owned()),
        Just("请".to_owned()),
        Just("\u{1b}[31m".to_owned()),
        Just("&lt;".to_owned()),
        Just("\n".to_owned()),
        Just(". ".to_owned()),
        Just("。".to_owned()),
        Just("```".to_owned()),
        Just("x".repeat(90)),
        "[ a-z.;&/\\-`é记\u{1b}\\[\u{301}0-9]{0,12}",
        ".{0,6}",
    ];
    proptest::collection::vec(bits, 0..24).prop_map(|bits| bits.concat())
}

fn any_turn() -> impl Strategy<Value = Content> {
    (0..5, soup(), soup()).prop_map(|(kind, a, b)| match kind {
        0 => Content::text("", Role::User, a),
        1 => Content::text("", Role::Model, a),
        2 => turn(
            Role::Model,
            vec![Part::call(
                "",
                "Bash",
                json!({ "command": a, "file_path": b }),
            )],
        ),
        3 => turn(
            Role::Model,
            vec![Part::call(
                "",
                "shell",
                json!({ "command": [a, b], "input": "*** Begin Patch\n*** Add File: é/x.rs" }),
            )],
        ),
        _ => turn(
            Role::User,
            vec![Part::response(
                "",
                "Bash",
                json!({ "output": a, "exit_code": b.len() }),
            )],
        ),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn nothing_is_lost_where_nothing_was_taken(
        history in proptest::collection::vec(any_turn(), 0..8),
    ) {
        let audit = audit(&history, &history);
        prop_assert_eq!(lost(&audit), 0, "{:?}", audit);
    }

    #[test]
    fn nothing_survives_where_nothing_is_left(
        history in proptest::collection::vec(any_turn(), 0..8),
    ) {
        let audit = audit(&history, &[]);
        prop_assert!(tallies(&audit).iter().all(|tally| tally.survived.is_empty()));
    }
}
