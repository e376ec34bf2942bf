//! The verbs as values: two spellings of one question, and whole use cases on a world in memory.

mod denied;

use std::fmt::{Debug, Write};

use analects_testkit::{FakeDesk, surroundings};
use analects_world::Surroundings;
use expect_test::{Expect, expect};
use serde_json::json;

use super::*;

/// The minimal command line and the minimal JSON of a verb mean the same.
fn same<V: Verb + PartialEq + Debug>(line: &[&str], json: serde_json::Value) -> &'static str {
    let command = V::augment_args(clap::Command::new("verb").no_binary_name(true));
    let matches = command.try_get_matches_from(line).unwrap();
    let from_line = V::from_arg_matches(&matches).unwrap();
    let from_json: V = serde_json::from_value(json).unwrap();
    assert_eq!(from_line, from_json, "{}", V::NAME);
    V::NAME
}

#[test]
fn command_line_and_json_mean_the_same_for_every_verb() {
    let checked = [
        same::<memory::Show>(&[], json!({})),
        same::<memory::List>(&[], json!({})),
        same::<memory::Cost>(&[], json!({})),
        same::<memory::Reload>(&[], json!({})),
        same::<memory::Add>(&["x"], json!({ "fact": "x" })),
        same::<memory::Forget>(&["x"], json!({ "entry": "x" })),
        same::<memory::Edit>(&["x"], json!({ "entry": "x" })),
        same::<memory::Move>(
            &["x", "--to", "global"],
            json!({ "entry": "x", "to": "global" }),
        ),
        same::<memory::Log>(&[], json!({})),
        same::<memory::Undo>(&[], json!({})),
        same::<memory::Search>(&["x"], json!({ "query": "x" })),
        same::<memory::Tidy>(&[], json!({})),
        same::<memory::inbox::List>(&[], json!({})),
        same::<memory::inbox::Show>(&["x"], json!({ "item": "x" })),
        same::<memory::inbox::Accept>(&["x"], json!({ "items": ["x"] })),
        same::<memory::inbox::Edit>(&["x"], json!({ "item": "x" })),
        same::<memory::inbox::Dismiss>(&["x"], json!({ "items": ["x"] })),
        same::<check::Check>(&[], json!({})),
        same::<context::Context>(&["src"], json!({ "paths": ["src"] })),
        same::<prompt::Prompt>(&[], json!({})),
        same::<session::List>(&[], json!({})),
        same::<session::Show>(&[], json!({})),
        same::<session::Search>(&["x"], json!({ "query": ["x"] })),
        same::<session::Delete>(&["x"], json!({ "ids": ["x"] })),
        same::<session::Import>(&["x"], json!({ "session": "x" })),
        same::<session::Summarize>(&[], json!({})),
        same::<session::Compress>(&["x"], json!({ "session": "x" })),
        same::<session::Rewind>(&["x"], json!({ "session": "x" })),
        same::<session::Pin>(&["x", "y"], json!({ "session": "x", "text": ["y"] })),
        same::<skill::List>(&[], json!({})),
        same::<skill::Show>(&["x"], json!({ "name": "x" })),
        same::<skill::Check>(&[], json!({})),
        same::<skill::Enable>(&["x"], json!({ "name": "x" })),
        same::<skill::Disable>(&["x"], json!({ "name": "x" })),
        same::<skill::Extract>(&[], json!({})),
        same::<skill::Install>(&["x"], json!({ "source": "x" })),
        same::<skill::Link>(&["x"], json!({ "path": "x" })),
        same::<skill::Uninstall>(&["x"], json!({ "name": "x" })),
        same::<config::Show>(&[], json!({})),
        same::<trust::Show>(&[], json!({})),
        same::<trust::Add>(&[], json!({})),
        same::<trust::Deny>(&[], json!({})),
        same::<trust::Remove>(&[], json!({})),
        same::<doctor::Doctor>(&[], json!({})),
        same::<setup::Setup>(&["gemini"], json!({ "host": "gemini" })),
    ];
    same::<setup::Setup>(
        &["codex", "--scope", "project", "--uninstall"],
        json!({ "host": "codex", "scope": "project", "uninstall": true }),
    );
    same::<trust::Add>(
        &["--parent", "/w"],
        json!({ "folder": "/w", "parent": true }),
    );
    same::<skill::Disable>(
        &["x", "--scope", "workspace"],
        json!({ "name": "x", "scope": "project" }),
    );
    same::<session::List>(
        &["-a", "--agent", "codex", "--subagents", "-n", "3"],
        json!({ "all": true, "agent": "codex", "subagents": true, "limit": 3 }),
    );
    same::<session::Show>(
        &["3f1c", "--history"],
        json!({ "session": "3f1c", "history": true }),
    );
    same::<session::Search>(
        &["two", "words", "--here", "--role", "user", "--since", "7d"],
        json!({ "query": ["two", "words"], "here": true, "role": "user", "since": "7d" }),
    );
    same::<session::Pin>(&["x", "--list"], json!({ "session": "x", "list": true }));
    same::<session::Pin>(
        &["x", "--remove", "2"],
        json!({ "session": "x", "remove": 2 }),
    );
    same::<session::Delete>(&["--expired"], json!({ "expired": true }));
    same::<doctor::Doctor>(
        &["--usage", "--model", "pro"],
        json!({ "usage": true, "model": "pro" }),
    );
    same::<check::Check>(&["--fix"], json!({ "fix": true }));
    same::<memory::Show>(&["--tagged"], json!({ "tagged": true }));
    same::<memory::Tidy>(
        &["--only", "stale", "--only", "layers", "src"],
        json!({ "only": ["stale", "layers"], "paths": ["src"] }),
    );
    same::<memory::inbox::Accept>(
        &["--all", "--to", "project"],
        json!({ "all": true, "to": "project" }),
    );
    same::<memory::inbox::Edit>(
        &["x", "--text", "---\nname: x"],
        json!({ "item": "x", "text": "---\nname: x" }),
    );
    same::<prompt::Prompt>(
        &["--sources", "--headless"],
        json!({ "sources": true, "headless": true }),
    );
    let all: Vec<_> = catalogue().iter().map(|verb| verb.name).collect();
    assert_eq!(all, checked, "every verb of the catalogue is checked here");
}

#[test]
fn unknown_arguments_are_refused_in_json_too() {
    assert!(serde_json::from_value::<memory::List>(json!({ "lst": 1 })).is_err());
    assert!(serde_json::from_value::<context::Context>(json!({})).is_err());
}

const TREE: &str = r#"
//- /home/u/.gemini/GEMINI.md
Be brief.
//- /home/u/.gemini/projects.json
{"projects": {"/w/app": "app"}}
//- /home/u/.gemini/tmp/app/memory/MEMORY.md
My port is 8081.
//- /home/u/.gemini/extensions/deploy/gemini-extension.json
{"name": "deploy"}
//- /home/u/.gemini/extensions/deploy/GEMINI.md
Deploy with care.
//- /w/app/.git/
//- /w/app/GEMINI.md
Use tabs.
@./docs/style.md
@./docs/missing.md
//- /w/app/docs/style.md
Wrap at 100.
//- /w/app/AGENTS.md
Use tabs in Go.
//- /w/app/CLAUDE.md -> AGENTS.md
//- /w/app/api/GEMINI.md
Version the API.
//- /w/app/api/v2/GEMINI.md
Nothing is deprecated here yet.
//- /w/app/.gemini/memory/notes.md
Ask Kim about the schema.
"#;

struct Desk {
    files: FakeDesk,
    around: Surroundings,
}

impl Desk {
    fn new(tree: &str, cwd: &str) -> Self {
        let around = surroundings(cwd, "/home/u", &[]);
        Self {
            files: FakeDesk::parse(tree),
            around,
        }
    }

    fn ask<V: Verb>(&self, verb: &V, trust: bool) -> V::Answer {
        let world = self.files.world(&self.around);
        verb.run(
            &world,
            &Flags {
                trust,
                ..Flags::default()
            },
        )
        .unwrap()
    }
}

fn check_listing(tree: &str, cwd: &str, trust: bool, expected: Expect) {
    let listed = Desk::new(tree, cwd).ask(&memory::List::default(), trust);
    let mut shown = String::new();
    for layer in &listed.layers {
        for file in &layer.files {
            writeln!(shown, "{:?} {} {}", layer.layer, file.path, file.tokens).unwrap();
            for import in &file.imports {
                writeln!(shown, "    imports {} {}", import.path, import.tokens).unwrap();
            }
        }
    }
    for duplicate in &listed.duplicates {
        writeln!(shown, "{} = {}", duplicate.path, duplicate.same_as).unwrap();
    }
    for problem in &listed.problems {
        let place = (
            problem.path.as_deref().unwrap_or(""),
            problem.line.unwrap_or(0),
        );
        writeln!(
            shown,
            "! {} {}:{} {}",
            problem.code, place.0, place.1, problem.message
        )
        .unwrap();
    }
    expected.assert_eq(&shown);
    let layers: usize = listed.layers.iter().map(|layer| layer.tokens).sum();
    let files: usize = listed
        .layers
        .iter()
        .flat_map(|layer| &layer.files)
        .map(|file| file.tokens)
        .sum();
    assert_eq!(
        (layers, files),
        (listed.total_tokens, listed.total_tokens),
        "the sums agree"
    );
}

#[test]
fn a_trusted_project_shows_all_four_layers() {
    check_listing(
        TREE,
        "/w/app",
        true,
        expect![[r#"
            Global /home/u/.gemini/GEMINI.md 25
            UserProject /home/u/.gemini/tmp/app/memory/MEMORY.md 34
            UserProject /w/app/.gemini/memory/notes.md 31
            Extension /home/u/.gemini/extensions/deploy/GEMINI.md 36
            Project /w/app/GEMINI.md 58
                imports /w/app/docs/style.md 3
            Project /w/app/AGENTS.md 21
            Project /w/app/api/GEMINI.md 23
            /w/app/CLAUDE.md = /w/app/AGENTS.md
            ! import-failed /w/app/GEMINI.md:3 `@./docs/missing.md` did not load: not found
        "#]],
    );
}

#[test]
fn an_untrusted_project_shows_only_what_is_the_users_own() {
    check_listing(
        TREE,
        "/w/app",
        false,
        expect![[r#"
            Global /home/u/.gemini/GEMINI.md 25
            UserProject /home/u/.gemini/tmp/app/memory/MEMORY.md 34
        "#]],
    );
}

#[test]
fn private_memory_of_the_project_is_found_from_a_subdirectory() {
    check_listing(
        TREE,
        "/w/app/api/v2",
        true,
        expect![[r#"
            Global /home/u/.gemini/GEMINI.md 25
            UserProject /home/u/.gemini/tmp/app/memory/MEMORY.md 34
            UserProject /w/app/.gemini/memory/notes.md 31
            Extension /home/u/.gemini/extensions/deploy/GEMINI.md 36
            Project /w/app/GEMINI.md 58
                imports /w/app/docs/style.md 3
            Project /w/app/AGENTS.md 21
            Project /w/app/api/GEMINI.md 23
            Project /w/app/api/v2/GEMINI.md 29
            /w/app/CLAUDE.md = /w/app/AGENTS.md
            ! import-failed /w/app/GEMINI.md:3 `@./docs/missing.md` did not load: not found
        "#]],
    );
}

#[test]
fn the_flattened_text_has_every_source_marked() {
    let shown = Desk::new(TREE, "/w/app").ask(&memory::Show::default(), true);
    expect![[r#"
        --- Global ---
        --- Context from: ~/.gemini/GEMINI.md ---
        Be brief.
        --- End of Context from: ~/.gemini/GEMINI.md ---

        --- User Project Memory ---
        --- Context from: ~/.gemini/tmp/app/memory/MEMORY.md ---
        My port is 8081.
        --- End of Context from: ~/.gemini/tmp/app/memory/MEMORY.md ---

        --- Context from: .gemini/memory/notes.md ---
        Ask Kim about the schema.
        --- End of Context from: .gemini/memory/notes.md ---

        --- Extension ---
        --- Context from: ~/.gemini/extensions/deploy/GEMINI.md ---
        Deploy with care.
        --- End of Context from: ~/.gemini/extensions/deploy/GEMINI.md ---

        --- Project ---
        --- Context from: GEMINI.md ---
        Use tabs.
        <!-- Imported from: ./docs/style.md -->
        Wrap at 100.

        <!-- End of import from: ./docs/style.md -->
        <!-- Import failed: ./docs/missing.md - not found -->
        --- End of Context from: GEMINI.md ---

        --- Context from: AGENTS.md ---
        Use tabs in Go.
        --- End of Context from: AGENTS.md ---

        --- Context from: api/GEMINI.md ---
        Version the API.
        --- End of Context from: api/GEMINI.md ---"#]]
    .assert_eq(&shown.text);
    let contents: Vec<_> = shown
        .listed
        .layers
        .iter()
        .flat_map(|layer| &layer.files)
        .collect();
    assert!(contents.iter().all(|file| file.content.is_some()));
}

#[test]
fn a_touched_path_brings_in_only_what_is_new_and_only_once() {
    let desk = Desk::new(TREE, "/w/app");
    let paths = ["api/v2/users.rs", "api/v2", "docs"]
        .map(str::to_owned)
        .into();
    let brought = desk.ask(&context::Context { paths }, true);
    expect![[r#"
        --- Newly Discovered Project Context ---
        --- Context from: api/v2/GEMINI.md ---
        Nothing is deprecated here yet.
        --- End of Context from: api/v2/GEMINI.md ---
        --- End Project Context ---"#]]
    .assert_eq(&brought.text);
    let fragments: Vec<_> = brought
        .fragments
        .iter()
        .map(|f| (f.path.as_str(), f.touched.as_str()))
        .collect();
    assert_eq!(fragments, [("/w/app/api/v2/GEMINI.md", "api/v2/users.rs")]);
    assert!(
        desk.ask(
            &context::Context {
                paths: vec!["api/v2".to_owned()]
            },
            false
        )
        .text
        .is_empty()
    );
}

#[test]
fn without_memory_nothing_is_read() {
    let desk = Desk::new(TREE, "/w/app");
    let world = desk.files.world(&desk.around);
    let flags = Flags {
        trust: true,
        no_memory: true,
        ..Flags::default()
    };
    let listed = memory::List::default().run(&world, &flags).unwrap();
    assert_eq!(listed.total_tokens, 0);
    assert!(listed.layers.iter().all(|layer| layer.files.is_empty()));
}

#[test]
fn a_missing_working_directory_is_bad_input() {
    let desk = Desk::new(TREE, "/w/gone");
    let world = desk.files.world(&desk.around);
    let failure = memory::List::default()
        .run(&world, &Flags::default())
        .unwrap_err();
    assert_eq!(failure.kind, FailureKind::BadInput);
    assert!(!failure.hints.is_empty());
}

#[test]
fn include_directories_must_be_trusted_on_their_own() {
    let tree = r#"
//- /home/u/.gemini/settings.json
{"context": {"includeDirectories": ["/shared", "/strange"], "loadMemoryFromIncludeDirectories": true}}
//- /home/u/.gemini/trustedFolders.json
{"/w/app": "TRUST_FOLDER", "/shared": "TRUST_FOLDER"}
//- /w/app/GEMINI.md
App.
//- /shared/GEMINI.md
Shared.
//- /strange/GEMINI.md
Strange.
"#;
    check_listing(
        tree,
        "/w/app",
        false,
        expect![[r#"
            Project /shared/GEMINI.md 23
            Project /w/app/GEMINI.md 18
            ! include-untrusted /strange:0 include directory is not trusted, its memory is not loaded
        "#]],
    );
}

#[test]
fn an_untrusted_workspace_cannot_change_the_settings_it_is_read_with() {
    let tree = r#"
//- /w/app/.gemini/settings.json
{"security": {"folderTrust": {"enabled": false}}, "context": {"fileName": "EVIL.md"}}
//- /w/app/EVIL.md
Evil.
"#;
    let desk = Desk::new(tree, "/w/app");
    assert!(!desk.ask(&memory::List::default(), false).trusted);
    let shown = desk.ask(&config::Show {}, false);
    assert!(
        shown
            .settings
            .iter()
            .all(|entry| entry.origin.scope == "default")
    );
    // Even where it is trusted, it has no say in whether trust is asked for.
    let shown = desk.ask(&config::Show {}, true);
    let trust = shown
        .settings
        .iter()
        .find(|e| e.key == "security.folderTrust.enabled")
        .unwrap();
    assert_eq!(trust.origin.scope, "default");
}

#[test]
fn a_project_calls_its_own_files_as_it_likes_and_not_those_of_the_user() {
    let tree = r#"
//- /home/u/.gemini/GEMINI.md
Mine.
//- /home/u/.gemini/RULES.md
Mine, and no memory.
//- /w/app/.git/
//- /w/app/.gemini/settings.json
{"context": {"fileName": "RULES.md"}}
//- /w/app/GEMINI.md
Not memory here.
//- /w/app/RULES.md
Theirs.
"#;
    check_listing(
        tree,
        "/w/app",
        true,
        expect![[r#"
        Global /home/u/.gemini/GEMINI.md 24
        Project /w/app/RULES.md 19
    "#]],
    );
    let desk = Desk::new(tree, "/w/app");
    let add = json!({ "fact": "I drink tea.", "to": "global" });
    let add: memory::Add = serde_json::from_value(add).unwrap();
    let world = desk.files.world(&desk.around);
    let flags = Flags {
        trust: true,
        dry_run: true,
        ..Flags::default()
    };
    let added = add.run(&world, &flags).unwrap();
    assert_eq!(added.path, "/home/u/.gemini/GEMINI.md");
}

#[test]
fn the_same_text_is_loaded_once_and_says_where_else_it_counts() {
    let tree = r#"
//- /home/u/.gemini/GEMINI.md
Use tabs.
//- /w/app/.git/
//- /w/app/.gemini/memory/mine.md
Use tabs.
//- /w/app/GEMINI.md
Use spaces.
//- /w/app/AGENTS.md
Use spaces.
//- /w/app/a/GEMINI.md
Sort imports.
//- /w/app/a/b/c/GEMINI.md
Sort imports.
"#;
    let desk = Desk::new(tree, "/w/app");
    let shown = desk.ask(&memory::Show::default(), true);
    expect![[r#"
        --- Global ---
        --- Context from: ~/.gemini/GEMINI.md ---
        Use tabs.
        [same text in: .gemini/memory/mine.md]
        --- End of Context from: ~/.gemini/GEMINI.md ---

        --- Project ---
        --- Context from: GEMINI.md ---
        Use spaces.
        --- End of Context from: GEMINI.md ---

        --- Context from: a/GEMINI.md ---
        Sort imports.
        --- End of Context from: a/GEMINI.md ---"#]]
    .assert_eq(&shown.text);
    let duplicates: Vec<_> = shown
        .listed
        .duplicates
        .iter()
        .map(|d| d.path.as_str())
        .collect();
    assert_eq!(
        duplicates,
        ["/w/app/.gemini/memory/mine.md", "/w/app/AGENTS.md"]
    );
    let touch = || context::Context {
        paths: ["a/b/c/x.rs", "a/b/c/y.rs"].map(str::to_owned).into(),
    };
    let brought = desk.ask(&touch(), true);
    expect![[r#"
        --- Newly Discovered Project Context ---
        --- Context from: a/b/c/GEMINI.md ---
        <!-- File already processed: a/GEMINI.md -->
        --- End of Context from: a/b/c/GEMINI.md ---
        --- End Project Context ---"#]]
    .assert_eq(&brought.text);
}

#[test]
fn a_reload_tells_what_changed_since_the_last_one() {
    let desk = Desk::new(TREE, "/w/app");
    let first = desk.ask(&memory::Reload {}, true);
    assert!(first.is_first && first.added.is_empty());
    assert!(first.characters > 100);
    desk.files.edit("/w/app/docs/style.md", "Wrap at 80.\n");
    desk.files.edit("/w/app/web/GEMINI.md", "Use CSS.\n");
    let second = desk.ask(&memory::Reload {}, true);
    assert_eq!(
        second.changed,
        ["/w/app/GEMINI.md"],
        "an import is part of its file"
    );
    assert_eq!(
        (second.added, second.is_first),
        (vec!["/w/app/web/GEMINI.md".to_owned()], false)
    );
    let third = desk.ask(&memory::Reload {}, false);
    assert!(
        third.removed.contains(&"/w/app/GEMINI.md".to_owned()),
        "untrusted, it is gone"
    );
}
