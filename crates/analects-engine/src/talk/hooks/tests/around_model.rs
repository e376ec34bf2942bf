//! Hooks around a model, and around a compression.

use analects_world::models::Choice;
use expect_test::expect;

use super::*;
use crate::talk::How;

fn specific(value: Value) -> Value {
    json!({"hookSpecificOutput": value})
}

#[test]
fn a_request_can_be_changed_and_what_hooks_cannot_see_stays() {
    let stage = Stage::new([read_pond(), seven()]).hook("BeforeModel", "edits", |told| {
        let mut messages = told["llm_request"]["messages"].clone();
        for message in messages.as_array_mut().unwrap() {
            let text = message["content"].as_str().unwrap().replace("ducks", "geese");
            message["content"] = text.into();
        }
        let request = json!({"messages": messages, "model": "gemini-2.5-pro", "config": {"temperature": 0.25, "maxOutputTokens": 99}});
        fed(0, &specific(json!({"llm_request": request})).to_string(), "")
    });
    stage.talk();
    let asked = stage.desk.models.asked();
    assert_eq!(asked[1].model, "gemini-2.5-pro");
    assert_eq!(asked[1].options.temperature, Some(0.25));
    assert_eq!(asked[1].options.max_output_tokens, Some(99));
    let said: Vec<_> = asked[1]
        .history
        .iter()
        .map(|turn| last(std::slice::from_ref(turn)))
        .collect();
    assert_eq!(said[1..], ["?", "output: seven ducks\n"]);
    assert!(
        said[0].ends_with("</session_context>Count the geese."),
        "{said:?}"
    );
    // Only what is sent: the next request is made from what was said.
    assert!(
        stage.told("edits")[1]["llm_request"]["messages"]
            .to_string()
            .contains("Count the ducks.")
    );
}

#[test]
fn what_makes_no_sense_in_a_request_changes_nothing() {
    let odd = specific(
        json!({"llm_request": {"messages": "all of them", "model": "no such model", "config": []}}),
    );
    let stage = Stage::new([seven()]).says("BeforeModel", "odd", odd);
    let ended = stage.talk();
    assert_eq!(
        (&*ended.response, stage.read(0)),
        ("Seven.", "Count the ducks.".to_owned())
    );
    assert_eq!(problems(&ended).len(), 2, "{:?}", problems(&ended));
}

#[test]
fn a_hook_can_answer_in_the_models_place() {
    let given = specific(
        json!({"llm_response": {"candidates": [{"content": {"role": "model", "parts": ["From ", "memory."]}}]}}),
    );
    let stage = Stage::new([]).says("BeforeModel", "cache", given);
    assert_eq!(stage.talk().response, "From memory.");
    assert_eq!(stage.desk.models.asked().len(), 0);
}

#[test]
fn an_answer_can_be_changed_before_anybody_hears_it() {
    let stage = Stage::new([vec![say::text("The code is "), say::text("1234.")]]).hook("AfterModel", "redacts", |told| {
        let text = told["llm_response"]["text"].as_str().unwrap().replace("1234", "****");
        let response = json!({"candidates": [{"content": {"role": "model", "parts": [text]}, "finishReason": "STOP"}]});
        fed(0, &specific(json!({"llm_response": response})).to_string(), "")
    });
    let settings = json!({"hooks": stage.hooks}).to_string();
    stage.desk.edit("/h/.gemini/settings.json", &settings);
    let mut heard = String::new();
    let around = surroundings("/w/app", "/h", &stage.vars);
    let world = stage.desk.world(&around);
    let hands = Hands {
        shell: &stage.shell,
        servers: &stage.servers,
    };
    let ended = talk(
        &world,
        hands,
        &stage.flags,
        &stage.wish,
        &Cancel::new(),
        &mut |tell| {
            if let crate::talk::Tell::Piece(part) = tell
                && let Body::Text(text) = &part.body
            {
                heard.push_str(text);
            }
        },
    );
    assert_eq!(
        (&*ended.unwrap().response, &*heard),
        ("The code is ****.", "The code is ****.")
    );
    assert_eq!(stage.told("redacts").len(), 1, "once for a whole answer");
}

#[test]
fn a_request_or_an_answer_can_be_stopped() {
    for (event, answer, expected) in [
        (
            "BeforeModel",
            json!({"continue": false, "stopReason": "a"}),
            "a hook stopped the agent: a",
        ),
        (
            "BeforeModel",
            json!({"decision": "deny", "reason": "b"}),
            "a hook blocked the request: b",
        ),
        (
            "AfterModel",
            json!({"continue": false}),
            "a hook stopped the agent: No reason provided",
        ),
        (
            "AfterModel",
            json!({"decision": "block", "reason": "d"}),
            "a hook blocked the answer: d",
        ),
    ] {
        let stage =
            Stage::new([seven()])
                .says(event, "guard", answer)
                .hook("SessionEnd", "end", |_| fed(0, "", ""));
        let ended = stage.talk();
        assert!(
            matches!(&ended.how, How::Stopped(why) if why == expected),
            "{:?}",
            ended.how
        );
        assert_eq!((&*ended.response, stage.told("end").len()), ("", 1));
    }
}

#[test]
fn hooks_choose_the_tools_and_others_cannot_be_called() {
    let config = specific(
        json!({"toolConfig": {"mode": "ANY", "allowedFunctionNames": ["glob", "read_file"]}}),
    );
    let stage = Stage::new([write("a.txt"), seven()]).says("BeforeToolSelection", "few", config);
    stage.talk();
    let asked = stage.desk.models.asked();
    assert_eq!(asked[0].tools, ["read_file", "glob"]);
    assert_eq!(asked[0].options.choice, Choice::Any);
    assert!(
        stage.read(1).contains("was not offered in this turn"),
        "{}",
        stage.read(1)
    );
    assert_eq!(stage.desk.text("/w/app/a.txt"), None);
}

#[test]
fn what_a_hook_says_before_a_compression_is_in_the_short_history_word_for_word() {
    let long = "The pond lies behind the mill and has no outlet.\n".repeat(300);
    let mut answers: Vec<_> = (0..12)
        .map(|n| {
            vec![say::call(
                &format!("c{n}"),
                "read_file",
                json!({"file_path": format!("n{n}.txt")}),
            )]
        })
        .collect();
    answers.extend((0..9).map(|_| seven()));
    let pin = "Ticket <4711>: never touch vendor/.";
    let stage = Stage::new(answers)
        .says(
            "PreCompress",
            "before",
            specific(json!({"additionalContext": pin})),
        )
        .hook("PostCompress", "after", |_| fed(0, "", ""));
    for n in 0..12 {
        stage
            .desk
            .edit(&format!("/w/app/n{n}.txt"), &format!("{n}: {long}"));
    }
    stage.desk.edit(
        "/h/.gemini/analects.json",
        r#"{"context": {"windowTokens": 16000}}"#,
    );
    let ended = stage.talk();
    let n_compressed = problems(&ended)
        .iter()
        .filter(|it| it.starts_with("compressed"))
        .count();
    assert!(n_compressed >= 1, "{:?}", problems(&ended));
    let (before, after) = (stage.told("before"), stage.told("after"));
    assert_eq!(before.len(), after.len(), "only when there was one");
    assert_eq!(
        (&before[0]["trigger"], &after[0]["trigger"]),
        (&json!("auto"), &json!("auto"))
    );
    assert!(after[0]["tokens_before"].as_u64() > after[0]["tokens_after"].as_u64());
    let asked = stage.desk.models.asked();
    let pinned = asked
        .iter()
        .flat_map(|asked| &asked.history)
        .flat_map(Content::texts)
        .find(|text| text.contains("4711"));
    expect![[r#"
        <hook_context>
        Ticket <4711>: never touch vendor/.
        </hook_context>"#]]
    .assert_eq(pinned.unwrap());
}
