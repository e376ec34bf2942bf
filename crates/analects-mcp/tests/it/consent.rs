//! Consent: asked through the client where it can ask, given by the host where it cannot.

use expect_test::expect;
use rmcp::model::ElicitationAction::{Accept, Cancel, Decline};
use serde_json::json;

use crate::scene::{Person, Scene, TRUSTED, structured, text};

const GLOBAL: &str = "home/.gemini/GEMINI.md";

#[tokio::test]
async fn the_person_sees_the_change_and_decides() {
    let scene = Scene::new();
    let client = scene.client_with(Person::there(), TRUSTED).await;
    client.will_say(Decline, json!({}));
    client.will_say(Cancel, json!({}));
    for (said, is_error) in [("It was declined", false), ("nobody gave it", true)] {
        let refused = client
            .call("save_memory", json!({ "fact": "Likes tea" }))
            .await;
        assert!(text(&refused).contains(said), "{}", text(&refused));
        assert!(!text(&refused).contains("--yes"), "that is for people");
        assert_eq!(refused.is_error, Some(is_error));
    }
    assert_eq!(scene.read(GLOBAL), "");
    client.will_say(Accept, json!({}));
    let saved = client
        .call("save_memory", json!({ "fact": "Likes tea" }))
        .await;
    assert_eq!(structured(&saved)["success"], true);
    assert!(scene.read(GLOBAL).ends_with("- Likes tea\n"));
    client.will_say(Decline, json!({}));
    let kept = client
        .call("forget_memory", json!({ "entry": "tea" }))
        .await;
    assert_eq!(text(&kept), "It was declined; nothing was changed.");
    assert_eq!(structured(&kept)["message"], text(&kept));
    let asked = client.asked();
    assert_eq!(asked.len(), 4);
    expect![[r#"
        Remember in /T/home/.gemini/GEMINI.md

        --- /dev/null	Current
        +++ /T/home/.gemini/GEMINI.md	Proposed
        @@ -0,0 +1,2 @@
        +## Gemini Added Memories
        +- Likes tea"#]]
    .assert_eq(&scene.shown(&asked[0]));
}

#[tokio::test]
async fn always_holds_for_the_file_and_not_against_a_doubt() {
    let scene = Scene::new();
    let client = scene.client_with(Person::there(), TRUSTED).await;
    client.will_say(Accept, json!({ "always": true }));
    for fact in ["Likes tea", "Plays the piano"] {
        let saved = client.call("save_memory", json!({ "fact": fact })).await;
        assert_eq!(structured(&saved)["success"], true);
    }
    assert_eq!(client.asked().len(), 1);
    client.will_say(Decline, json!({}));
    client
        .call(
            "save_memory",
            json!({ "fact": "Builds the repo with make" }),
        )
        .await;
    assert!(client.asked()[1].contains("Warning: it goes to the memory of all projects"));
}

#[tokio::test]
async fn a_client_that_cannot_ask_has_asked_already() {
    let scene = Scene::new();
    let client = scene.client().await;
    let saved = client
        .call("save_memory", json!({ "fact": "Likes tea" }))
        .await;
    assert_eq!(structured(&saved)["success"], true);
    let near = client
        .call("save_memory", json!({ "fact": "Likes her tea" }))
        .await;
    assert!(
        text(&near).ends_with("; but nearly the same is remembered: \"Likes tea\""),
        "{}",
        text(&near)
    );
}

#[tokio::test]
async fn what_was_forgotten_on_purpose_is_for_the_person_alone_to_bring_back() {
    let scene = Scene::new();
    let tea = json!({ "fact": "Likes tea" });
    let host = scene.client().await;
    host.call("save_memory", tea.clone()).await;
    host.call("forget_memory", json!({ "entry": "tea" })).await;
    let auto = "{\"memory\": {\"consent\": \"auto\"}}";
    for settings in ["{}", auto] {
        scene.write("home/.gemini/analects.json", settings);
        let refused = host.call("save_memory", tea.clone()).await;
        assert_eq!(refused.is_error, Some(true));
        let why = "this was forgotten on purpose";
        assert!(text(&refused).contains(why), "{}", text(&refused));
    }
    assert!(!scene.read(GLOBAL).contains("tea"));
    let client = scene.client_with(Person::there(), TRUSTED).await;
    client.will_say(Accept, json!({}));
    let saved = client.call("save_memory", tea).await;
    assert_eq!(structured(&saved)["success"], true);
}

#[tokio::test]
async fn a_setting_can_shut_models_out_or_let_them_in() {
    let scene = Scene::new();
    scene.write(GLOBAL, "- Likes tea\n");
    let setting = |consent: &str| format!("{{\"memory\": {{\"consent\": \"{consent}\"}}}}");
    scene.write("home/.gemini/analects.json", &setting("off"));
    let client = scene.client().await;
    for (tool, arguments) in [
        ("save_memory", json!({ "fact": "Likes coffee" })),
        (
            "update_memory",
            json!({ "entry": "tea", "text": "Likes coffee" }),
        ),
        ("forget_memory", json!({ "entry": "tea" })),
    ] {
        let refused = client.call(tool, arguments).await;
        assert_eq!(refused.is_error, Some(true), "{tool}");
        assert!(
            text(&refused).contains("not written by models"),
            "{}",
            text(&refused)
        );
    }
    assert_eq!(scene.read(GLOBAL), "- Likes tea\n");
    scene.write("home/.gemini/analects.json", &setting("auto"));
    let client = scene.client_with(Person::there(), TRUSTED).await;
    client
        .call("forget_memory", json!({ "entry": "tea" }))
        .await;
    assert_eq!((scene.read(GLOBAL).as_str(), client.asked().len()), ("", 0));
}

#[tokio::test]
async fn a_client_that_cannot_do_what_it_said_is_no_consent() {
    let scene = Scene::new();
    let client = scene.client_with(Person::there(), TRUSTED).await;
    let refused = client
        .call("save_memory", json!({ "fact": "Likes tea" }))
        .await;
    assert_eq!(refused.is_error, Some(true));
    assert!(
        text(&refused).contains("nobody gave it"),
        "{}",
        text(&refused)
    );
    assert_eq!(scene.read(GLOBAL), "");
}

#[tokio::test]
async fn where_a_fact_should_hold_is_asked_through_the_client() {
    let scene = Scene::new();
    let manager = r#"{"memory": {"writer": "manager"}}"#;
    scene.write("home/.gemini/analects.json", manager);
    let client = scene.client_with(Person::there(), TRUSTED).await;
    client.will_say(Accept, json!({ "answer": "all projects" }));
    client.will_say(Accept, json!({}));
    let call = json!({ "fact": "Use conventional commits" });
    let saved = client.call("save_memory", call).await;
    assert_eq!(structured(&saved)["success"], true, "{}", text(&saved));
    assert!(scene.read(GLOBAL).ends_with("- Use conventional commits\n"));
    let asked = client.asked();
    assert_eq!(asked.len(), 2);
    expect![[r#"
        Where should this hold? "Use conventional commits"
        - this project: /T/repo/GEMINI.md, shared with everybody who works on it
        - all projects: /T/home/.gemini/GEMINI.md, your own"#]]
    .assert_eq(&scene.shown(&asked[0]));
    client.will_say(Decline, json!({}));
    let call = json!({ "fact": "Never squash commits" });
    let declined = client.call("save_memory", call).await;
    assert!(
        text(&declined).contains("It was declined"),
        "{}",
        text(&declined)
    );
    assert_eq!(client.asked().len(), 3);
}
