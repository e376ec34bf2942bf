//! Resources: what is listed, what is read, and what is told when a file changes.
#![expect(
    deprecated,
    reason = "subscriptions are what the newest protocol calls old"
)]

use expect_test::expect;
use rmcp::model::{ReadResourceRequestParams, SubscribeRequestParams, UnsubscribeRequestParams};
use serde_json::json;

use crate::scene::{Client, Scene};

async fn listed(client: &Client) -> Vec<String> {
    let listed = client.running.list_all_resources().await.unwrap();
    listed
        .into_iter()
        .map(|resource| resource.uri.clone())
        .collect()
}

async fn read(client: &Client, uri: &str) -> Result<String, String> {
    let read = client
        .running
        .read_resource(ReadResourceRequestParams::new(uri))
        .await;
    let read = read.map_err(|error| error.to_string())?;
    let contents = serde_json::to_value(&read.contents[0]).unwrap();
    assert_eq!(contents["mimeType"], "text/markdown");
    Ok(contents["text"].as_str().unwrap().to_owned())
}

async fn subscribe(client: &Client, uri: &str) {
    let wanted = SubscribeRequestParams::new(uri);
    client.running.subscribe(wanted).await.unwrap();
}

#[tokio::test]
async fn layers_that_say_something_are_listed_and_every_layer_is_read() {
    let scene = Scene::new();
    scene
        .write("home/.gemini/GEMINI.md", "- Likes tea\n")
        .write("repo/GEMINI.md", "- Use tabs\n");
    let client = scene.client().await;
    assert_eq!(
        listed(&client).await,
        ["memory://global", "memory://project"]
    );
    expect![[r#"
        --- Context from: ~/.gemini/GEMINI.md ---
        - Likes tea
        --- End of Context from: ~/.gemini/GEMINI.md ---"#]]
    .assert_eq(&read(&client, "memory://global").await.unwrap());
    assert_eq!(read(&client, "memory://private").await.unwrap(), "");
    let unknown = read(&client, "memory://team").await.unwrap_err();
    assert!(unknown.contains("memory://extension"), "{unknown}");
}

#[tokio::test]
async fn every_skill_is_a_resource() {
    let scene = Scene::new();
    let text = "---\nname: mill\ndescription: Grinds.\n---\nOpen the sluice.\n";
    scene.write("repo/.gemini/skills/mill/SKILL.md", text);
    let client = scene.client().await;
    assert_eq!(listed(&client).await, ["memory://skills/mill"]);
    for (name, words) in [
        ("mill", "Open the sluice."),
        ("skill-creator", "# Writing a skill"),
    ] {
        let read = read(&client, &format!("memory://skills/{name}"))
            .await
            .unwrap();
        assert!(read.contains(words), "{read}");
    }
    for name in ["fly", "..%2Fx", "a/b"] {
        assert!(
            read(&client, &format!("memory://skills/{name}"))
                .await
                .is_err()
        );
    }
}

#[tokio::test]
async fn a_changed_file_is_told_to_those_who_asked() {
    let scene = Scene::new();
    scene
        .write("home/.gemini/GEMINI.md", "- Likes tea\n")
        .write("repo/GEMINI.md", "@docs/style.md\n")
        .write("repo/docs/style.md", "Wrap at 100.\n");
    let mut client = scene.client().await;
    subscribe(&client, "memory://project").await;
    // Nobody asked for this one; what is told next must be the other.
    scene.write("home/.gemini/GEMINI.md", "- Likes coffee\n");
    scene.write("repo/docs/style.md", "Wrap at 80.\n");
    assert_eq!(client.next().await, "memory://project");
    scene.write("repo/AGENTS.md", "Be brief.\n");
    let both = [client.next().await, client.next().await];
    assert!(both.contains(&"memory://project".to_owned()) && both.contains(&"list".to_owned()));
    std::fs::remove_file(scene.path("repo/AGENTS.md")).unwrap();
    let both = [client.next().await, client.next().await];
    assert!(both.contains(&"list".to_owned()));
    let over = UnsubscribeRequestParams::new("memory://project");
    client.running.unsubscribe(over).await.unwrap();
    subscribe(&client, "memory://global").await;
    scene.write("repo/docs/style.md", "Wrap at 60.\n");
    scene.write("home/.gemini/GEMINI.md", "- Likes water\n");
    assert_eq!(client.next().await, "memory://global");
}

#[tokio::test]
async fn memory_in_a_folder_that_is_made_only_now_is_told_too() {
    let scene = Scene::new();
    let mut client = scene.client().await;
    subscribe(&client, "memory://private").await;
    client
        .call(
            "save_memory",
            json!({ "fact": "Builds with make", "scope": "project" }),
        )
        .await;
    let both = [client.next().await, client.next().await];
    assert!(both.contains(&"memory://private".to_owned()) && both.contains(&"list".to_owned()));
    assert_eq!(listed(&client).await, ["memory://private"]);
}

#[tokio::test]
async fn a_skill_that_comes_or_changes_is_told_too() {
    let scene = Scene::new();
    let mut client = scene.client().await;
    let skill = "home/.gemini/skills/mill/SKILL.md";
    let text = |body: &str| format!("---\nname: mill\ndescription: Grinds.\n---\n{body}\n");
    subscribe(&client, "memory://skills/mill").await;
    scene.write(skill, &text("Open the sluice."));
    let both = [client.next().await, client.next().await];
    assert!(both.contains(&"memory://skills/mill".to_owned()) && both.contains(&"list".to_owned()));
    scene.write(skill, &text("Close it."));
    assert_eq!(client.next().await, "memory://skills/mill");
}
