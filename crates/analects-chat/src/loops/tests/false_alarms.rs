//! Work that looks uniform is no loop; going in circles is one, however it is laid out.

use analects_world::Profile;
use serde_json::json;

use super::{call, counted, detector, first, first_call, response};
use crate::loops::Event;

/// Whether we see a loop in a text, told in chunks of seven characters.
fn is_loop(text: &str) -> bool {
    let chars: Vec<_> = text.chars().collect();
    let chunks: Vec<String> = (chars.chunks(7))
        .map(|chunk| chunk.iter().collect())
        .collect();
    first(Profile::Analects, chunks.iter().map(|chunk| &**chunk)).is_some()
}

fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(|idx| line(idx) + "\n").collect()
}

#[test]
fn work_on_many_files_is_no_loop() {
    let rename = |n| {
        call(
            "rename",
            json!({ "from": format!("src/{n}.js"), "to": format!("src/{n}.ts") }),
        )
    };
    let calls: Vec<_> = (0..30).map(rename).collect();
    assert_eq!(first_call(Profile::Analects, &calls), None);
    let moved = |n: usize| match n % 3 {
        0 => call("grep", json!({ "pattern": format!("Button{}", n / 3) })),
        1 => call(
            "shell",
            json!({ "command": format!("git mv a{0} b{0}", n / 3) }),
        ),
        _ => call("shell", json!({ "command": "npm test" })),
    };
    let calls: Vec<_> = (0..60).map(moved).collect();
    assert_eq!(first_call(Profile::Analects, &calls), None);
}

#[test]
fn long_lists_and_tables_are_no_chants() {
    let same = "the component was moved and every import of it was updated";
    assert!(!is_loop(&lines(60, |n| format!(
        "- `Button{n}.tsx`: {same}"
    ))));
    assert!(!is_loop(&lines(60, |n| format!("{n}. {same}"))));
    assert!(!is_loop(&lines(60, |n| format!(
        "  * [x] {same}, number {n}"
    ))));
    assert!(!is_loop(&lines(60, |n| format!(
        "| src/{n}.rs | {same} | yes | yes | yes |"
    ))));
    assert!(!is_loop(&lines(60, |n| format!("> {same} ({n})"))));
    assert!(!is_loop(&lines(20, |n| format!("## Step {n}\n\n{same}."))));
    assert!(!is_loop(&lines(60, |n| format!("{same} in src/{n}.rs"))));
    assert!(!is_loop(&"| 0 ".repeat(40)));
    assert!(!is_loop(&lines(15, |_| "|   |   |   |   |   |".to_owned())));
}

#[test]
fn dividers_are_no_chants() {
    for sign in ["-", "=", "*", "- ", "─", "~", "#", "·", "|---", "+-----"] {
        let wide = lines(3, |n| format!("Part {n}\n{}", sign.repeat(80)));
        assert!(!is_loop(&wide), "{sign}");
    }
}

#[test]
fn code_is_no_chant() {
    let zeros = lines(60, |_| {
        "    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,".to_owned()
    });
    assert!(!is_loop(&format!(
        "Here it is:\n\n```rust\n{zeros}```\nDone.\n"
    )));
    assert!(!is_loop(&format!(
        "1. Like this:\n   ~~~~\n{zeros}   ~~~\n{zeros}   ~~~~\n"
    )));
    assert!(!is_loop(&format!("> ```c\n{zeros}> ```\n")));
}

#[test]
fn the_same_thing_in_any_layout_is_a_chant() {
    assert!(is_loop(&lines(11, |_| "- fix the failing test".to_owned())));
    assert!(is_loop(&lines(11, |_| {
        "- fix the test\n\n- run the test\n".to_owned()
    })));
    assert!(is_loop(&lines(11, |_| "| a.rs | failed |".to_owned())));
    assert!(is_loop(
        &lines(20, |_| "I'll do it.\nI'll execute.".to_owned())
    ));
    assert!(is_loop(
        &lines(11, |_| "I run it:\n```sh\nls\n```".to_owned())
    ));
    assert!(is_loop(&format!("- {}", "and then ".repeat(40))));
    assert!(is_loop(&format!("# {}", "and then ".repeat(40))));
    for endless in [
        "\n", " ", ".", "!", "=", "| ", "- ", "#", "`", "1", "🦀", "---\n", "```\n",
    ] {
        assert!(is_loop(&endless.repeat(6_000)), "{endless:?}");
    }
}

#[test]
fn code_that_never_ends_is_a_chant_in_the_end() {
    assert!(is_loop(&format!(
        "```\n{}",
        "    0x00, 0x00, 0x00, 0x00,\n".repeat(300)
    )));
}

#[test]
fn open_code_ends_with_its_message() {
    let unit = counted(50);
    for event in [
        Event::Prompt,
        Event::Turn,
        Event::Call(&call("ls", json!({}))),
    ] {
        let mut detector = detector(Profile::Analects);
        assert_eq!(detector.observe(Event::Text("```rust\nfn main() {")), None);
        assert_eq!(detector.observe(event), None);
        let seen = (0..10).find_map(|_| detector.observe(Event::Text(&unit)));
        assert!(seen.is_some(), "{event:?}");
    }
}

#[test]
fn turns_without_a_word_are_no_chant() {
    let mut detector = detector(Profile::Analects);
    assert!((0..200).all(|_| detector.observe(Event::Turn).is_none()));
}

#[test]
fn the_same_message_turn_after_turn_is_a_chant() {
    let mut detector = detector(Profile::Analects);
    let seen = (1..=20).find(|_| {
        let said = detector.observe(Event::Text("I am ready to go on."));
        said.or_else(|| detector.observe(Event::Turn)).is_some()
    });
    assert_eq!(seen, Some(10));
}

/// The call at which we see a loop if a tool answers this.
fn answered(answer: impl Fn(usize) -> &'static str) -> Option<usize> {
    let mut detector = detector(Profile::Analects);
    let asked = call("shell", json!({ "command": "make" }));
    (1..=40).find(|&n| {
        let seen = detector.observe(Event::Call(&asked)).is_some();
        let answer = response("shell", json!({ "output": answer(n) }));
        seen || detector.observe(Event::Answer(&answer)).is_some()
    })
}

#[test]
fn a_call_whose_answers_differ_is_waited_for() {
    assert_eq!(answered(|_| "running"), Some(5));
    assert_eq!(
        answered(|n| ["10 %", "20 %", "30 %", "40 %"][n % 4]),
        Some(15)
    );
    // It moved at first and is stuck since.
    assert_eq!(
        answered(|n| if n < 4 { "building" } else { "running" }),
        Some(8)
    );
}

#[test]
fn answers_find_their_calls_by_id() {
    let mut detector = detector(Profile::Analects);
    let asked = |id: usize| analects_world::model::Call {
        id: Some(format!("id{id}")),
        ..call("shell", json!({}))
    };
    let answer = |id: usize, said: usize| analects_world::model::Response {
        id: Some(format!("id{id}")),
        ..response("shell", json!(said))
    };
    // Two calls at once, answered the other way round: each round says something new.
    let seen = (0..10).find(|round| {
        let (one, other) = (2 * round, 2 * round + 1);
        let seen = [one, other].map(|id| detector.observe(Event::Call(&asked(id))).is_some());
        detector.observe(Event::Answer(&answer(other, other)));
        detector.observe(Event::Answer(&answer(one, one)));
        seen.contains(&true)
    });
    assert_eq!(seen, Some(7), "the fifteenth call");
}
