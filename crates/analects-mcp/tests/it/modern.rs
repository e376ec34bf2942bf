//! The protocol of 2026-07-28: no handshake, no requests from the server; it asks in rounds instead.

use std::time::Duration;

use rmcp::model::ElicitationAction::{Accept, Decline};
use rmcp::model::{ReadResourceRequestParams, ServerNotification, SubscriptionFilter};
use serde_json::json;

use crate::scene::{Person, Scene, TRUSTED, structured, text};

/// A change is told within this, if it was noticed.
const A_WHILE: Duration = Duration::from_secs(1);

const GLOBAL: &str = "home/.gemini/GEMINI.md";

#[tokio::test]
async fn consent_is_asked_for_in_a_round_of_its_own() {
    let scene = Scene::new();
    let client = scene.modern_client(Person::there(), TRUSTED).await;
    client.will_say(Decline, json!({}));
    let declined = client
        .call("save_memory", json!({ "fact": "Likes tea" }))
        .await;
    assert_eq!(text(&declined), "It was declined; nothing was remembered.");
    client.will_say(Accept, json!({}));
    let saved = client
        .call("save_memory", json!({ "fact": "Likes tea" }))
        .await;
    assert_eq!(structured(&saved)["success"], true);
    assert!(scene.read(GLOBAL).ends_with("- Likes tea\n"));
    assert!(client.asked()[1].contains("+- Likes tea"));
    let plain = scene.modern_client(Person::default(), TRUSTED).await;
    let saved = plain
        .call("save_memory", json!({ "fact": "Plays the piano" }))
        .await;
    assert_eq!(structured(&saved)["success"], true);
}

#[tokio::test]
async fn roots_are_asked_for_in_a_round_of_their_own() {
    let scene = Scene::new();
    scene
        .write("other/.git/HEAD", "")
        .write("other/GEMINI.md", "- Of the root\n")
        .trust(&["other"]);
    let uri = format!("file://{}", scene.path("other").display());
    let mut person = Person::working_in(&[uri]);
    person.can.elicitation = Person::there().can.elicitation;
    let client = scene.modern_client(person, TRUSTED).await;
    let read = client
        .running
        .read_resource(ReadResourceRequestParams::new("memory://project"))
        .await;
    let contents = serde_json::to_string(&read.unwrap().contents).unwrap();
    assert!(contents.contains("Of the root"), "{contents}");
    client.will_say(Accept, json!({}));
    let changed = json!({ "entry": "of the root", "text": "Changed" });
    client.call("update_memory", changed).await;
    assert_eq!(scene.read("other/GEMINI.md"), "- Changed\n");
}

#[tokio::test]
async fn a_listener_hears_of_changes() {
    let scene = Scene::new();
    scene.write(GLOBAL, "- Likes tea\n");
    let client = scene.modern_client(Person::default(), TRUSTED).await;
    let wanted = SubscriptionFilter::builder()
        .resources_list_changed()
        .resource_subscriptions(["memory://global", "memory://nowhere"])
        .build();
    let mut listening = client.running.listen(wanted).await.unwrap();
    let accepted = listening.acknowledged().resource_subscriptions.clone();
    assert_eq!(accepted, Some(vec!["memory://global".to_owned()]));
    // The watch begins after the acknowledgement: a change right behind that may be missed.
    let mut n = 0;
    let told = loop {
        n += 1;
        scene.write(GLOBAL, &format!("- Likes {n} teas\n"));
        if let Ok(told) = tokio::time::timeout(A_WHILE, listening.next()).await {
            break told.unwrap().unwrap();
        }
        assert!(n < 30, "the server tells of a change");
    };
    let ServerNotification::ResourceUpdatedNotification(told) = told else {
        panic!("{told:?}")
    };
    assert_eq!(told.params.uri, "memory://global");
}
