//! What a model gets to read: the nudges.

use analects_world::Profile;
use expect_test::{Expect, expect};
use serde_json::json;

use super::{call, detector};
use crate::loops::nudge;
use crate::loops::{Detector, Event, Verdict};

fn check(tell: impl Fn(&mut Detector) -> Option<crate::loops::Loop>, expected: &Expect) {
    let mut detector = detector(Profile::Analects);
    let seen = (0..60).find_map(|_| tell(&mut detector)).unwrap();
    let Verdict::Nudge(text) = seen.verdict else {
        panic!("the first time is a nudge");
    };
    assert_eq!(text, nudge::nudge(&seen.detail));
    assert_eq!(seen.detail.lines().count(), 1);
    expected.assert_eq(&seen.detail);
}

#[test]
fn the_whole_nudge() {
    let text = nudge::nudge("`ls` was called 5 times in a row with the same arguments: {}");
    expect![[r#"
        This is a note from the program you run in, not from the user. You seem to be going in circles.

        What was noticed: `ls` was called 5 times in a row with the same arguments: {}

        Stop and compare your last steps with what was asked. If they changed nothing, the next one like them will not either:

        - Do not make the same call or say the same thing again. Name what keeps failing, and try another way: other arguments, another tool, a smaller step.
        - If you work through a list, say how far you are and go on with the next entry.
        - If the task is done, or you cannot go on without help, say so and end your turn."#]]
    .assert_eq(&text);
}

#[test]
fn what_was_noticed() {
    let ls = call("ls", json!({ "path": "a\nb", "deep": true }));
    check(
        |detector| detector.observe(Event::Call(&ls)),
        &expect![[
            r#"`ls` was called 5 times in a row with the same arguments: {"path":"a\nb","deep":true}"#
        ]],
    );
    let bare = call("ls", json!(null));
    check(
        |detector| {
            detector.observe(Event::Call(&bare));
            detector.observe(Event::Call(&ls))
        },
        &expect![[
            r#"the same 2 tool calls were made 5 times in the same order; the last of them is `ls` with the arguments: {"path":"a\nb","deep":true}"#
        ]],
    );
    check(
        |detector| detector.observe(Event::Text("Say \"yes\".\n\n- `one`\n- two\n")),
        &expect![[r#"the same text was said 10 times: "Say \"yes\".\n\n- `one`\n- two""#]],
    );
    check(
        |detector| detector.observe(Event::Text("I look at it again, to be quite sure; ")),
        &expect![[r#"the same text was said 10 times: "I look at it again, to be quite sure;""#]],
    );
}

#[test]
fn long_arguments_are_shown_in_part() {
    let write = call(
        "write",
        json!({ "content": "x".repeat(100_000), "path": "a\u{202E}" }),
    );
    check(
        |detector| detector.observe(Event::Call(&write)),
        &expect![[
            r#"`write` was called 5 times in a row with the same arguments: {"content":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx […99726 characters left out…] xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx","path":"a\u{202e}"}"#
        ]],
    );
}
