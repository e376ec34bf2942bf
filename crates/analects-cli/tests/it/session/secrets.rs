//! Secrets of sessions are neither shown nor indexed, and what is deleted is gone from the index.

use super::*;

/// The files in the directory of the index that hold this text.
fn index_files_holding(sandbox: &Sandbox, text: &str) -> Vec<std::path::PathBuf> {
    let dir = sandbox.path(INDEX).parent().unwrap().to_owned();
    let files = std::fs::read_dir(dir)
        .unwrap()
        .map(|file| file.unwrap().path());
    let is_index = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.starts_with("index.sqlite")
    };
    let holds = |path: &std::path::PathBuf| {
        let bytes = std::fs::read(path).unwrap();
        bytes
            .windows(text.len())
            .any(|window| window == text.as_bytes())
    };
    files.filter(is_index).filter(holds).collect()
}

#[test]
fn a_deleted_session_leaves_no_word_in_the_index() {
    let sandbox = sandbox();
    let found = sandbox.json(&["session", "search", "ducks"]);
    assert!(!found["hits"].as_array().unwrap().is_empty());
    // Words that begin alike are stored without what they have in common.
    assert!(!index_files_holding(&sandbox, "3f1c0000-0000").is_empty());
    assert!(!index_files_holding(&sandbox, "ucks").is_empty());
    assert_eq!(sandbox.run(&["session", "delete", ONE, "--yes"]).code, 0);
    for word in ["3f1c0000-0000", "ucks"] {
        let holding = index_files_holding(&sandbox, word);
        assert!(holding.is_empty(), "{word}: {holding:?}");
    }
    let found = sandbox.json(&["session", "search", "ducks"]);
    assert!(found["hits"].as_array().unwrap().is_empty());
}

#[test]
fn no_secret_of_a_session_is_shown_or_indexed_unless_it_is_asked_for() {
    let secret = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    let sandbox = sandbox();
    let line = serde_json::json!({
        "id": "u9", "timestamp": "2026-03-01T10:02:00.000Z", "type": "user",
        "content": [{ "text": format!("The pelican key is _{secret}_") }],
    });
    sandbox.write(RECORD, format!("{}{line}\n", record(ONE)));
    let found = sandbox.run(&["session", "search", "pelican"]);
    assert!(
        found.out.contains("[redacted: aws-access-key-id]"),
        "{}",
        found.out
    );
    let shown = sandbox.run(&["session", "show", ONE]);
    assert!(
        shown.out.contains("_[redacted: aws-access-key-id]_"),
        "{}",
        shown.out
    );
    for arguments in [
        &["session", "show", ONE, "--json"][..],
        &["session", "show", ONE, "--history", "--json"],
        &["session", "search", &secret, "--json"],
        &["session", "list", "--json"],
    ] {
        let ran = sandbox.run(arguments);
        assert!(!ran.out.contains(&secret), "{arguments:?}: {}", ran.out);
    }
    let asked_for = sandbox.run(&["session", "show", ONE, "--secrets"]);
    assert!(asked_for.out.contains(&secret), "{}", asked_for.out);
    let lower = secret.to_lowercase();
    for part in [&secret, &lower, "7ptr4wxn", "7PTR4WXN"] {
        assert!(index_files_holding(&sandbox, part).is_empty(), "{part}");
    }
}
