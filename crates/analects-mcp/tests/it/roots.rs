//! Roots: the client says which project is meant.
#![expect(
    deprecated,
    reason = "subscriptions are what the newest protocol calls old"
)]

use analects_engine::verbs::Flags;
use rmcp::model::SubscribeRequestParams;
use serde_json::json;

use crate::scene::{Person, Scene, TRUSTED, text};

#[tokio::test]
async fn the_first_root_that_exists_is_the_project_and_may_change() {
    let scene = Scene::new();
    scene
        .write("repo/GEMINI.md", "- Of the server's directory\n")
        .write("a b/.git/HEAD", "")
        .write("a b/GEMINI.md", "- Of the first root\n")
        .write("other/.git/HEAD", "")
        .write("other/GEMINI.md", "- Of another root\n");
    let uri = |path: &str| {
        format!(
            "file://{}",
            scene.path(path).to_str().unwrap().replace(' ', "%20")
        )
    };
    scene.trust(&["a b", "other"]);
    let there = ["https://example.com/x".to_owned(), uri("gone"), uri("a b")];
    let person = Person::working_in(&there);
    let roots = std::sync::Arc::clone(&person.roots);
    let mut client = scene.client_with(person, TRUSTED).await;
    let read = client.call("get_memory", json!({})).await;
    assert!(text(&read).contains("Of the first root"), "{}", text(&read));
    let wanted = SubscribeRequestParams::new("memory://project");
    client.running.subscribe(wanted).await.unwrap();
    *roots.lock().unwrap() = vec![uri("other")];
    client.running.notify_roots_list_changed().await.unwrap();
    let both = [client.next().await, client.next().await];
    assert!(both.contains(&"memory://project".to_owned()), "{both:?}");
    let read = client.call("get_memory", json!({})).await;
    assert!(text(&read).contains("Of another root"), "{}", text(&read));
}

#[tokio::test]
async fn the_flag_is_about_the_servers_directory_and_not_about_what_a_client_names() {
    let scene = Scene::new();
    scene
        .write("repo/sub/GEMINI.md", "- Below the server's directory\n")
        .write("other/.git/HEAD", "")
        .write(
            "other/GEMINI.md",
            "- Of a root that only the client names\n",
        )
        .write("repo/vendor/GEMINI.md", "- Denied\n");
    let denied = json!({ scene.path("repo/vendor").to_str().unwrap(): "DO_NOT_TRUST" });
    scene.write("home/.gemini/trustedFolders.json", &denied.to_string());
    let memory_in = async |path: &str| {
        let uri = format!("file://{}", scene.path(path).display());
        let client = scene.client_with(Person::working_in(&[uri]), TRUSTED).await;
        let read = client.call("get_memory", json!({})).await;
        let context = client.call("get_context", json!({ "paths": ["x"] })).await;
        format!("{}\n{}", text(&read), text(&context))
    };
    assert!(
        memory_in("repo/sub")
            .await
            .contains("Below the server's directory")
    );
    for path in ["other", "repo/vendor"] {
        let told = memory_in(path).await;
        assert!(told.contains("not trusted"), "{path}: {told}");
        assert!(
            !told.contains("only the client") && !told.contains("Denied"),
            "{told}"
        );
    }
}

#[tokio::test]
async fn without_a_usable_root_the_servers_directory_counts() {
    let scene = Scene::new();
    scene.write("repo/GEMINI.md", "- Of the server's directory\n");
    let person = Person::working_in(&["file:///no/such/directory".to_owned()]);
    let client = scene.client_with(person, TRUSTED).await;
    let read = client.call("get_memory", json!({})).await;
    assert!(text(&read).contains("Of the server's directory"));
}

#[tokio::test]
async fn a_folder_that_is_not_trusted_says_so() {
    let scene = Scene::new();
    scene.write("repo/GEMINI.md", "- Use tabs\n");
    let client = scene.client_with(Person::default(), Flags::default()).await;
    for (tool, arguments) in [
        ("get_memory", json!({ "layer": "project" })),
        ("get_memory", json!({})),
        ("search_memory", json!({ "query": "tabs" })),
    ] {
        let told = text(&client.call(tool, arguments).await);
        assert!(!told.contains("Use tabs"), "{told}");
        for words in ["is not trusted", "analects trust add"] {
            assert!(told.contains(words), "{tool}: {told}");
        }
    }
    let global = client
        .call("get_memory", json!({ "layer": "global" }))
        .await;
    assert!(!text(&global).contains("trusted"), "{}", text(&global));
}
