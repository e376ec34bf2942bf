//! What `complete_task` takes, and what a model is told that gets it wrong.

use expect_test::{Expect, expect};

use super::*;

fn report() -> Output {
    Output {
        name: "report".to_owned(),
        description: "What was found.".to_owned(),
        schema: json!({
            "type": "object",
            "properties": { "response": { "type": "string" } },
            "required": ["response"],
        }),
    }
}

fn check(output: &Output, args: Value, expect: Expect) {
    let said = match read(&args, output) {
        Ok(result) => text(&result),
        Err(refusal) => format!("refused: {refusal}"),
    };
    expect.assert_eq(&said);
}

#[test]
fn what_a_model_is_offered() {
    let offered = offered(&report());
    let shown = format!(
        "{}: {}\n{}",
        offered.name,
        offered.description,
        text(&offered.parameters)
    );
    expect![[r#"
        complete_task: Hands in the result and ends your task. It is the only way to finish: what you merely say reaches nobody. Call it once, alone, when everything is done that can be done, and put into it all that whoever sent you has to know; they see nothing else of your work.
        {
          "type": "object",
          "properties": {
            "report": {
              "type": "object",
              "properties": {
                "response": {
                  "type": "string"
                }
              },
              "required": [
                "response"
              ],
              "description": "What was found."
            }
          },
          "required": [
            "report"
          ]
        }"#]].assert_eq(&shown);
}

#[test]
fn words_stay_and_everything_else_becomes_json() {
    check(
        &Output::usual(),
        json!({ "result": "Done.\n" }),
        expect![[r#"
            Done.
        "#]],
    );
    check(
        &report(),
        json!({ "report": { "response": "Done.", "more": [1] } }),
        expect![[r#"
            {
              "response": "Done.",
              "more": [
                1
              ]
            }"#]],
    );
}

#[test]
fn what_is_wrong_is_said() {
    let usual = Output::usual();
    check(
        &usual,
        Value::Null,
        expect![
            "refused: The task is not complete: the argument `result` is missing. Call `complete_task` again."
        ],
    );
    check(
        &usual,
        json!("Done."),
        expect![
            "refused: The task is not complete: its arguments must be an object with `result`. Call `complete_task` again."
        ],
    );
    check(
        &usual,
        json!({ "result": " \n" }),
        expect![
            "refused: The task is not complete: `result` must not be blank. Call `complete_task` again."
        ],
    );
    check(
        &usual,
        json!({ "result": 7 }),
        expect![
            "refused: The task is not complete: `result` must be of the type string, not number. Call `complete_task` again."
        ],
    );
    check(
        &usual,
        json!({ "result": "x", "notes": "y" }),
        expect![
            "refused: The task is not complete: it takes nothing but `result`, so `notes` has to go. Call `complete_task` again."
        ],
    );
    check(
        &report(),
        json!({ "result": "x" }),
        expect![
            "refused: The task is not complete: the argument `report` is missing. Call `complete_task` again."
        ],
    );
    check(
        &report(),
        json!({ "report": {} }),
        expect![
            "refused: The task is not complete: `report.response` is missing. Call `complete_task` again."
        ],
    );
}
