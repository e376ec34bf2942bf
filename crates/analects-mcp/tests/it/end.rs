//! The end of a connection, however it comes.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::ElicitationAction::Decline;
use rmcp::model::{CallToolRequestParams, ClientRequest, PingRequest};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::Semaphore;

use crate::scene::{Person, Scene, TRUSTED};

/// Waiting for anybody who is gone would take seconds.
const AT_ONCE: Duration = Duration::from_secs(4);

#[tokio::test]
async fn a_client_that_hangs_up_is_not_waited_for() {
    let scene = Scene::new();
    let client = scene.client_with(Person::there(), TRUSTED).await;
    let server = client.server;
    client.running.cancel().await.unwrap();
    tokio::time::timeout(AT_ONCE, server)
        .await
        .expect("the server ends")
        .unwrap();
}

#[tokio::test]
async fn neither_is_one_that_is_asked_and_hangs_up() {
    let scene = Scene::new();
    let (mut ours, server) = scene.pipe(TRUSTED);
    let call = |id: u32, method: &str, params: serde_json::Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string() + "\n"
    };
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": { "elicitation": {} }, "clientInfo": { "name": "c", "version": "1" } });
    let save = json!({ "name": "save_memory", "arguments": { "fact": "Likes tea" } });
    ours.write_all(call(1, "initialize", hello).as_bytes())
        .await
        .unwrap();
    ours.write_all(call(2, "tools/call", save).as_bytes())
        .await
        .unwrap();
    let mut said = String::new();
    while !said.contains("elicitation/create") {
        let mut part = [0; 1024];
        let n = ours.read(&mut part).await.unwrap();
        said.push_str(std::str::from_utf8(&part[..n]).unwrap());
    }
    drop(ours);
    tokio::time::timeout(AT_ONCE, server)
        .await
        .expect("the server ends")
        .unwrap();
    assert_eq!(scene.read("home/.gemini/GEMINI.md"), "");
}

#[tokio::test]
async fn pings_and_answers_are_heard_while_many_people_think() {
    let scene = Scene::new();
    let thinks = Arc::new(Semaphore::new(0));
    let mut person = Person::there();
    person.thinks = Some(Arc::clone(&thinks));
    let client = scene.client_with(person, TRUSTED).await;
    // More than may be worked on at once.
    let calls = (0..40).map(|n| {
        client.will_say(Decline, json!({}));
        let peer = client.running.peer().clone();
        let arguments = serde_json::from_value(json!({ "fact": format!("Fact {n}") })).unwrap();
        let call = CallToolRequestParams::new("save_memory").with_arguments(arguments);
        tokio::spawn(async move { peer.call_tool_once(call).await.unwrap() })
    });
    let calls: Vec<_> = calls.collect();
    let ping = ClientRequest::PingRequest(PingRequest::default());
    client.running.send_request(ping).await.unwrap();
    thinks.add_permits(calls.len());
    for call in calls {
        call.await.unwrap();
    }
    assert_eq!(client.asked().len(), 40);
    assert_eq!(scene.read("home/.gemini/GEMINI.md"), "");
}
