//! Prompts, filled in.

use expect_test::expect;
use rmcp::model::{GetPromptRequestParams, JsonObject};
use serde_json::{Value, json};

use crate::scene::{Client, Scene};

async fn prompt(client: &Client, name: &str, arguments: Value) -> Result<String, String> {
    let arguments: JsonObject = serde_json::from_value(arguments).unwrap();
    let wanted = GetPromptRequestParams::new(name).with_arguments(arguments);
    let got = client
        .running
        .get_prompt(wanted)
        .await
        .map_err(|error| error.to_string())?;
    Ok(got.messages[0].content.as_text().unwrap().text.clone())
}

#[tokio::test]
async fn remember_asks_for_the_tool_with_the_fact() {
    let client = Scene::new().client().await;
    let names: Vec<_> = client.running.list_all_prompts().await.unwrap();
    let names: Vec<_> = names.iter().map(|prompt| prompt.name.as_str()).collect();
    assert_eq!(names, ["remember", "recall", "handoff"]);
    let filled = prompt(&client, "remember", json!({ "fact": "I like {scope} tea" })).await;
    expect![[r#"
        Remember this for me:

        I like {scope} tea

        Call `save_memory` with it as one self-contained sentence, in scope `global`. If you are told that nearly the same is
        remembered, look at that entry with `search_memory` and change it with `update_memory` instead of saving a second one.
        Then tell me in one line what is remembered now."#]]
    .assert_eq(&filled.unwrap());
    let nothing = prompt(&client, "remember", json!({})).await.unwrap_err();
    assert!(nothing.contains("`fact` is missing"), "{nothing}");
    let scope = json!({ "fact": "x", "scope": "team" });
    assert!(prompt(&client, "remember", scope).await.is_err());
    assert!(prompt(&client, "forget", json!({})).await.is_err());
}

#[tokio::test]
async fn recall_brings_what_memory_says() {
    let scene = Scene::new();
    scene.write(
        "home/.gemini/GEMINI.md",
        "- Likes tea {found}\n- Likes coffee\n",
    );
    let client = scene.client().await;
    let filled = prompt(&client, "recall", json!({ "topic": "tea" }))
        .await
        .unwrap();
    expect![[r#"
        What do you remember about tea?

        This is what memory says; it may be out of date, so check it before you rely on it:

        - Likes tea {found} [a058135a]

        Answer from it. If it does not say enough, call `search_memory` with other words before you say that you do not know."#]]
    .assert_eq(&filled);
    let all = prompt(&client, "recall", json!({})).await.unwrap();
    assert!(all.contains("Likes coffee") && all.contains("me and this project"));
    let none = prompt(&client, "recall", json!({ "topic": "water" }))
        .await
        .unwrap();
    assert!(none.contains("(nothing)"));
}
