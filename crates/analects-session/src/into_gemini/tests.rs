//! What comes out is a record, and says what went in.

use analects_world::Agent;
use proptest::prelude::*;

use super::*;
use crate::from_gemini;
use crate::history::history;
use crate::record::By;
use crate::replay::{Standing, replay};
use crate::transcript::{Head, Kind};

fn start() -> Start<'static> {
    Start {
        session_id: "3f1c0000-1",
        project_hash: "aa",
        at: Stamp::from_ms(0).unwrap(),
        by: By::Person,
    }
}

fn talk(turns: Vec<Turn>) -> Transcript {
    let head = Head {
        agent: Agent::Claude,
        id: "c1a0".to_owned(),
        title: None,
        cwd: None,
        branch: None,
        started: None,
        updated: None,
        kind: Kind::Main,
    };
    Transcript { head, turns }
}

fn turn(role: Role, text: &str, tools: Vec<ToolUse>) -> Turn {
    Turn {
        // All the same, as ids of others may be.
        id: "1".to_owned(),
        at: None,
        role,
        text: text.to_owned(),
        attached: Vec::new(),
        tools,
        span: 0..0,
    }
}

fn tool(input: &str, output: &str, outcome: Outcome) -> ToolUse {
    ToolUse {
        name: "Bash".to_owned(),
        input: input.to_owned(),
        output: output.to_owned(),
        outcome,
        paths: Vec::new(),
    }
}

/// What a conversation says after it was written and read again, without the note at its end.
fn again(transcript: &Transcript) -> Vec<Turn> {
    let lines = record(transcript, "A pond", start(), start().at, &str::to_owned);
    let replayed = replay(lines.into_bytes());
    assert_eq!(replayed.standing(), Standing::Loadable);
    assert_eq!(replayed.problems(), []);
    assert_eq!(replayed.about().summary.as_deref(), Some("A pond"));
    let mut turns = from_gemini::transcript(&replayed).turns;
    turns.pop();
    turns
}

#[test]
fn a_conversation_without_a_word_is_a_record_with_a_note() {
    assert_eq!(again(&talk(Vec::new())), []);
}

#[test]
fn tools_keep_what_they_were_asked_what_they_answered_and_how_they_ended() {
    let tools = vec![
        tool("cat \"pond.txt\"", "seven\nducks", Outcome::Succeeded),
        tool("{\"a\":[1]}", "no such pond", Outcome::Failed),
        tool("[1, 2]", "", Outcome::Unknown),
        ToolUse {
            name: "apply_patch".to_owned(),
            ..tool("*** Begin Patch", "rejected", Outcome::Failed)
        },
    ];
    let turns = again(&talk(vec![turn(Role::Model, "", tools)]));
    let kept: Vec<_> = turns[0]
        .tools
        .iter()
        .map(|tool| (tool.input.as_str(), tool.output.as_str(), tool.outcome))
        .collect();
    assert_eq!(
        kept,
        [
            (
                "{\"command\":\"cat \\\"pond.txt\\\"\"}",
                "seven\nducks",
                Outcome::Succeeded
            ),
            ("{\"a\":[1]}", "no such pond", Outcome::Failed),
            ("{\"command\":\"[1, 2]\"}", "", Outcome::Succeeded),
            (
                "{\"input\":\"*** Begin Patch\"}",
                "rejected",
                Outcome::Failed
            ),
        ]
    );
}

#[test]
fn calls_that_follow_one_another_are_each_written_once() {
    let n_bytes = |n_calls: usize| {
        let used = || vec![tool("cat pond.txt", "seven ducks", Outcome::Succeeded)];
        let turns = (0..n_calls).map(|_| turn(Role::Model, "", used()));
        let talk = talk(turns.collect());
        assert_eq!(again(&talk).len(), n_calls);
        let lines = record(&talk, "A pond", start(), start().at, &str::to_owned);
        lines.as_str().len()
    };
    let (few, many) = (n_bytes(10), n_bytes(100));
    assert!(many < 11 * few, "{few} bytes, then {many}");
}

#[test]
fn what_failed_says_so_to_a_model() {
    for (outcome, said) in [
        (Outcome::Failed, r#"{"error":"quack"}"#),
        (Outcome::Succeeded, r#"{"output":"quack"}"#),
        (Outcome::Unknown, r#"{"output":"quack"}"#),
    ] {
        let turns = vec![turn(Role::Model, "", vec![tool("make", "quack", outcome)])];
        let lines = record(&talk(turns), "A pond", start(), start().at, &str::to_owned);
        let turns = history(&replay(lines.into_bytes()));
        let responses = turns.iter().flat_map(|turn| turn.responses());
        let heard: Vec<_> = responses.map(|it| it.response.to_string()).collect();
        assert_eq!(heard, [said]);
    }
}

fn copy_of(transcript: &Transcript) -> Lines {
    record(transcript, "A pond", start(), start().at, &str::to_owned)
}

fn said_in(text: &str) -> Vec<String> {
    let turns = from_gemini::transcript(&replay(text.into())).turns;
    turns.into_iter().map(|turn| turn.text).collect()
}

#[test]
fn a_copy_that_nobody_touched_follows_what_goes_on() {
    let ask = turn(Role::User, "Count the ducks.", Vec::new());
    let answer = |text: &str| turn(Role::Model, text, Vec::new());
    let before = talk(vec![ask.clone(), answer("Seven")]);
    let after = talk(vec![ask.clone(), answer("Seven, I think."), ask.clone()]);
    let shorter = talk(vec![ask]);
    let mut text = copy_of(&before).as_str().to_owned();
    for (source, said) in [
        (
            &after,
            &["Count the ducks.", "Seven, I think.", "Count the ducks."][..],
        ),
        (&shorter, &["Count the ducks."]),
        (&before, &["Count the ducks.", "Seven"]),
    ] {
        let fresh = replay(copy_of(source).into_bytes());
        let renewal = renew(&replay(text.clone().into()), &fresh, source, start().at);
        let Renewal::Behind(lines) = renewal else {
            panic!("{renewal:?}");
        };
        text.push_str(lines.as_str());
        let mut expected = said.to_vec();
        expected.push("Imported from claude: session c1a0");
        assert_eq!(said_in(&text), expected);
        let copy = replay(text.clone().into());
        assert_eq!(renew(&copy, &fresh, source, start().at), Renewal::Current);
    }
}

#[test]
fn a_copy_that_went_on_itself_is_left_alone() {
    let source = |n| talk(vec![turn(Role::User, "Count the ducks.", Vec::new()); n]);
    let mut text = copy_of(&source(1)).as_str().to_owned();
    text.push_str("{\"id\":\"x\",\"type\":\"user\",\"content\":\"And the geese.\"}\n");
    let copy = replay(text.into());
    for (n, renewal) in [(1, Renewal::Current), (2, Renewal::Apart)] {
        let fresh = replay(copy_of(&source(n)).into_bytes());
        assert_eq!(renew(&copy, &fresh, &source(n), start().at), renewal);
    }
}

#[test]
fn every_text_is_seen_on_its_way() {
    let turns = vec![
        turn(Role::User, "secret", Vec::new()),
        turn(Role::Program, "secret", Vec::new()),
        turn(
            Role::Model,
            "secret",
            vec![tool("secret", "secret", Outcome::Failed)],
        ),
    ];
    let hide = |text: &str| text.replace("secret", "***");
    let lines = record(&talk(turns), "secret", start(), start().at, &hide);
    assert!(!lines.as_str().contains("secret"), "{}", lines.as_str());
}

proptest! {
    #[test]
    fn whatever_was_said_is_said_again(said in prop::collection::vec((0..2_u8, "\\PC{1,40}"), 0..12)) {
        let role = |n: u8| if n == 0 { Role::User } else { Role::Model };
        // What is blank says nothing, and what begins like this is the program's.
        let said: Vec<_> = said.into_iter().filter(|(_, text)| !text.trim().is_empty() && !text.starts_with(['<', '/', '?'])).collect();
        let turns = said.iter().map(|(n, text)| turn(role(*n), text, Vec::new())).collect();
        let again: Vec<_> = again(&talk(turns)).into_iter().map(|turn| (turn.role, turn.text)).collect();
        let said: Vec<_> = said.into_iter().map(|(n, text)| (role(n), text)).collect();
        prop_assert_eq!(again, said);
    }
}
