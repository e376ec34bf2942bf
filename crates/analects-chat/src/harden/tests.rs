//! What each kind of broken history becomes.

use analects_world::model::Part;
use expect_test::{Expect, expect};
use serde_json::json;

use super::*;
use crate::faults::faults;
use crate::sketch::{history, show};

const PLAIN: HardenOptions = HardenOptions {
    thoughts: Thoughts::Kept,
    signatures: Signatures::Left,
    fields: Fields::All,
    open_calls: OpenCalls::Lost,
    end: End::AsItIs,
};

fn check(sketch: &str, expect: Expect) {
    let hardened = harden(history(sketch), &PLAIN);
    assert_eq!(faults(&hardened), []);
    assert_eq!(harden(hardened.clone(), &PLAIN), hardened);
    expect.assert_eq(&show(&hardened));
}

#[test]
fn neighbours_become_one_and_empty_turns_go() {
    check(
        "U a
         U
         U b
         M
         U c
         M d
         M e",
        expect![[r#"
            a U a | b | c
            f M d | e
        "#]],
    );
}

#[test]
fn a_call_without_a_response_is_answered_with_an_error() {
    check(
        "U a
         M ?1 ls | ?2 cat
         U !2 cat x | go on
         M ?3 ls",
        expect![[r#"
            a U a
            b M ?1 ls | ?2 cat
            c U !1 ls LOST | !2 cat x | go on
            d M ?3 ls
            * U !3 ls LOST
        "#]],
    );
}

#[test]
fn a_response_goes_where_its_call_is() {
    check(
        "U a | !1 ls early
         M ?1 ls
         U b
         M ?2 ls
         U c
         M so
         U !2 ls late
         M and ?",
        expect![[r#"
            a U a
            b M ?1 ls
            c U !1 ls early | b
            d M ?2 ls
            e U !2 ls late | c
            f M so | and ?
        "#]],
    );
}

#[test]
fn calls_do_not_become_one_turn_when_a_response_between_them_moves() {
    check(
        "U a
         M ?1 ls
         U !2 ls y
         M ?2 ls
         U !1 ls x",
        expect![[r#"
            a U a
            b M ?1 ls
            c U !1 ls x
            d M ?2 ls
            e U !2 ls y
        "#]],
    );
}

#[test]
fn an_orphan_gets_a_call_and_stays_what_a_tool_said() {
    check(
        "U b | !7 cat x
         M c
         U d | !8 ls y",
        expect![[r#"
            * U [Continuing from previous AI thoughts...]
            * M ?7 cat ()
            a U !7 cat x | b
            b M c | ?8 ls ()
            c U !8 ls y | d
        "#]],
    );
}

#[test]
fn responses_come_first_and_in_the_order_of_the_calls() {
    check(
        "U a
         M ?1 ls | ?2 ls | ?3 ls
         U then | !3 ls z | !1 ls x | +image/png | !2 ls y",
        expect![[r#"
            a U a
            b M ?1 ls | ?2 ls | ?3 ls
            c U !1 ls x | !2 ls y | !3 ls z | then | +image/png
        "#]],
    );
}

#[test]
fn no_id_is_there_twice() {
    check(
        "U a
         M ?1 ls | ?1 ls
         U !1 ls x | !1 ls y
         M ?1 ls
         U !1 ls z
         M ?1-2 ls
         U !1-2 ls own",
        expect![[r#"
            a U a
            b M ?1 ls | ?1-3 ls
            c U !1 ls x | !1-3 ls y
            d M ?1-4 ls
            e U !1-4 ls z
            f M ?1-2 ls
            g U !1-2 ls own
        "#]],
    );
}

#[test]
fn a_second_response_is_kept_if_it_says_something_else() {
    check(
        "U a
         M ?1 ls
         U !1 ls x | !1 ls x | !1 ls y",
        expect![[r#"
            a U a
            b M ?1 ls | ?1-2 ls ()
            c U !1 ls x | !1-2 ls y
        "#]],
    );
}

#[test]
fn without_an_id_the_name_and_then_the_order_decide() {
    check(
        "U a
         M ?- ls | ?- cat | ?- ls
         U !- cat x | !- ls y | !- ls z
         M ?4 ls
         U !- ls x
         M ?- ls
         U !5 ls x
         M ?6 ls | ?7 cat
         U !-",
        expect![[r#"
            a U a
            b M ?* ls | ?* cat | ?* ls
            c U !* ls y | !* cat x | !* ls z
            d M ?4 ls
            e U !4 ls x
            f M ?5 ls
            g U !5 ls x
            h M ?6 ls | ?7 cat
            i U !6 ls  | !7 cat LOST
        "#]],
    );
}

#[test]
fn the_name_of_a_response_is_that_of_its_call() {
    check(
        "U a
         M ?1 ls
         U !1 dir x
         M ?2
         U !2 cat y
         M ?3",
        expect![[r#"
            a U a
            b M ?1 ls
            c U !1 ls x
            d M ?2 cat
            e U !2 cat y
            f M ?3 unknown
            * U !3 unknown LOST
        "#]],
    );
}

#[test]
fn tools_are_called_by_the_model_and_answer_to_it() {
    check(
        "U a | ?1 ls | b
         M c | !1 ls x | d",
        expect![[r#"
            a U a
            * M ?1 ls
            * U !1 ls x | b
            b M c | d
        "#]],
    );
}

#[test]
fn a_history_of_nothing_but_calls_has_a_user_before_and_after() {
    check(
        "M ?1 ls
         M ?2 ls",
        expect![[r#"
            * U [Continuing from previous AI thoughts...]
            a M ?1 ls | ?2 ls
            * U !1 ls LOST | !2 ls LOST
        "#]],
    );
    check("", expect![""]);
    check("M\nU\nM", expect![""]);
}

#[test]
fn tools_that_run_leave_their_calls_open() {
    let running = HardenOptions {
        open_calls: OpenCalls::Running,
        end: End::User,
        ..PLAIN
    };
    let shown = |sketch| show(&harden(history(sketch), &running));
    let open = "a U a\nb M ?1 ls\nc U !1 ls LOST\nd M ?2 ls | ?3 ls\n";
    assert_eq!(
        shown("U a\nM ?1 ls\nU\nM\nU !9 x\nM ?2 ls | ?3 ls")
            .lines()
            .count(),
        4
    );
    assert_eq!(
        shown("U a\nM ?1 ls\nU b\nM ?2 ls | ?3 ls"),
        open.replace("LOST", "LOST | b")
    );
    let half = "a U a\nb M ?2 ls | ?3 ls\nc U !3 ls x\n";
    assert_eq!(shown("U a\nM ?2 ls | ?3 ls\nU !3 ls x"), half);
}

#[test]
fn the_user_has_the_last_word_on_request() {
    let options = HardenOptions {
        end: End::User,
        ..PLAIN
    };
    let shown = show(&harden(history("U a\nM b"), &options));
    assert_eq!(shown, "a U a\nb M b\n* U Please continue.\n");
}

#[test]
fn the_original_signs_drops_thoughts_and_scrubs() {
    let odd =
        json!({ "functionCall": { "id": "1", "name": "ls", "args": {}, "odd": 1 }, "odd": 2 });
    let mut talk = history("U a\nM ~hm\nU !1 ls x");
    talk[1].parts.push(Part::from_value(odd));
    let hardened = harden(talk, &HardenOptions::ORIGINAL);
    assert_eq!(show(&hardened), "a U a\nb M ^?1 ls ()\nc U !1 ls x\n");
    let call = json!({
        "functionCall": { "id": "1", "name": "ls", "args": {} },
        "thoughtSignature": "skip_thought_signature_validator",
    });
    assert_eq!(hardened[1].parts[0].to_value(), call);
}
