//! Whose folder, whose words: trust, ownership and identity together, on a world in memory.

mod hostile_settings;

use std::fmt::Write as _;

use analects_memory::discover::Trust;
use analects_testkit::{FakeDesk, show_problems, surroundings};
use analects_world::AbsPath;

use super::*;
use crate::trust::Level;

/// A repository with everything in it that gives instructions, and a directory of it.
const TREE: &str = r#"
//- /h/.gemini/GEMINI.md
Mine.
//- /srv/repo/.git/HEAD
x
//- /srv/repo/.git/config
[remote "origin"]
url = https://example.com/team/repo.git
//- /srv/repo/GEMINI.md
Of the root.
//- /srv/repo/.gemini/policies/all.toml
[[rule]]
toolName = "*"
decision = "allow"
priority = 999
//- /srv/repo/.gemini/skills/root/SKILL.md
---
name: root
description: Of the root.
---
Root.
//- /srv/repo/.gemini/agents/root.md
---
name: root
description: Of the root.
---
Root.
//- /srv/repo/.gemini/memory/note.md
A note of the root.
//- /srv/repo/docs/GEMINI.md
Of the docs.
//- /srv/repo/docs/.gemini/settings.json
{"context": {"startupDepth": 0}, "hooks": {}}
//- /srv/repo/docs/deep/GEMINI.md
Deep.
"#;

fn desk(rules: &str) -> FakeDesk {
    FakeDesk::parse(&format!(
        "{TREE}//- /h/.gemini/trustedFolders.json\n{rules}\n"
    ))
}

/// A layer as it enters the context.
fn layer_text(layer: &analects_memory::stack::LayerText) -> String {
    layer.text()
}

/// What is loaded in a directory: its root, the text, the skills, where rules are from, and the problems.
struct Look {
    root: String,
    trust: Trust,
    text: String,
    rules: Vec<String>,
    problems: String,
}

fn look_with(desk: &FakeDesk, cwd: &str, vars: &[(&str, &str)]) -> Look {
    let around = surroundings(cwd, "/h", vars);
    let world = desk.world(&around);
    let prepared = prepare(&world, &Flags::default()).unwrap();
    let started = prepared.start(world);
    let plans = AbsPath::new("/h/plans").unwrap();
    let (policy, more) = crate::policies::gather(&world, &prepared, &plans);
    let skills = crate::skills::find(&world, &prepared);
    let skills = skills.catalog.skills.iter().map(|skill| &skill.name);
    let mut text = started.stack.memory().flatten(Profile::Analects);
    text.extend(skills.map(|name| format!("\nskill {name}")));
    let mut problems = started.problems.clone();
    problems.extend(more);
    Look {
        root: prepared.root.to_string(),
        trust: prepared.decision.trust,
        text,
        rules: policy
            .rules()
            .iter()
            .map(|it| it.source().file.clone())
            .collect(),
        problems: show_problems(&problems),
    }
}

fn look(desk: &FakeDesk, cwd: &str) -> Look {
    look_with(desk, cwd, &[])
}

#[test]
fn trust_in_a_directory_does_not_reach_up_to_the_root_of_its_repository() {
    let trusted = desk(r#"{"/srv/repo/docs": "TRUST_FOLDER"}"#);
    for cwd in ["/srv/repo/docs", "/srv/repo/docs/deep"] {
        let here = look(&trusted, cwd);
        assert_eq!(
            (here.root.as_str(), here.trust),
            ("/srv/repo/docs", Trust::Trusted)
        );
        assert!(here.text.contains("Of the docs."), "{}", here.text);
        assert!(!here.text.contains("of the root") && !here.text.contains("Of the root"));
        assert!(!here.text.contains("skill root"), "{}", here.text);
        let is_roots = |file: &String| file.starts_with("/srv/repo/.gemini");
        assert!(!here.rules.iter().any(is_roots), "{:?}", here.rules);
    }
    // A rule about the root, or about its parent, is about all of it.
    for rules in [
        r#"{"/srv/repo": "TRUST_FOLDER", "/srv/repo/docs": "TRUST_FOLDER"}"#,
        r#"{"/srv/repo": "TRUST_PARENT"}"#,
    ] {
        let here = look(&desk(rules), "/srv/repo/docs");
        assert_eq!(here.root, "/srv/repo");
        assert!(here.text.contains("Of the root."), "{}", here.text);
        assert!(here.text.contains("skill root"), "{}", here.text);
    }
}

#[test]
fn what_another_user_plants_above_a_trusted_folder_is_no_part_of_it() {
    for planted in ["/srv/repo", "/srv/repo/.git", "/srv/repo/.gemini"] {
        let trusted = desk(r#"{"/srv/repo": "TRUST_FOLDER"}"#);
        trusted.give(planted, 1001, 0o755);
        let here = look(&trusted, "/srv/repo/docs");
        assert_eq!(here.root, "/srv/repo/docs", "{planted}");
        assert!(here.text.contains("Of the docs.") && !here.text.contains("Of the root."));
        assert!(
            here.problems.contains("foreign-folder"),
            "{}",
            here.problems
        );
    }
}

#[test]
fn a_folder_that_others_own_or_may_write_says_nothing_until_the_user_names_them() {
    let foreign = [(1001, 0o755), (1000, 0o777), (1000, 0o757), (0, 0o1777)];
    for (owner, mode) in foreign {
        let trusted = desk(r#"{"/srv/repo": "TRUST_FOLDER"}"#);
        trusted.give("/srv/repo/docs", owner, mode);
        let here = look(&trusted, "/srv/repo/docs");
        assert_eq!(here.trust, Trust::Untrusted, "{owner} {mode:o}");
        assert!(!here.text.contains("Of the docs."), "{}", here.text);
        assert!(
            here.problems.contains("security.trustedOwners"),
            "{}",
            here.problems
        );
        let all = r#"{"security": {"trustedOwners": ["*"]}}"#;
        trusted.edit("/srv/repo/docs/.gemini/settings.json", all);
        assert_eq!(look(&trusted, "/srv/repo/docs").trust, Trust::Untrusted);
        trusted.edit("/h/.gemini/analects.json", all);
        let here = look(&trusted, "/srv/repo/docs");
        assert_eq!(here.trust, Trust::Trusted, "{owner} {mode:o}");
        assert!(here.text.contains("Of the docs."), "{}", here.text);
    }
    let trusted = desk(r#"{"/srv/repo": "TRUST_FOLDER"}"#);
    trusted.give("/srv/repo/docs", 1001, 0o755);
    let named = r#"{"security": {"trustedOwners": ["1001", "group:7", "who"]}}"#;
    trusted.edit("/h/.gemini/analects.json", named);
    let here = look(&trusted, "/srv/repo/docs");
    assert_eq!(here.trust, Trust::Trusted);
    assert!(
        here.problems.contains("`who` is not the number"),
        "{}",
        here.problems
    );
}

#[test]
fn a_single_file_of_another_user_gives_no_instructions() {
    let files = [
        ("/srv/repo/GEMINI.md", "Of the root."),
        ("/srv/repo/.gemini/memory/note.md", "A note of the root."),
        ("/srv/repo/.gemini/skills/root/SKILL.md", "skill root"),
        ("/h/.gemini/GEMINI.md", "Mine."),
    ];
    for (file, says) in files {
        let trusted = desk(r#"{"/srv/repo": "TRUST_FOLDER"}"#);
        assert!(look(&trusted, "/srv/repo").text.contains(says), "{file}");
        trusted.give(file, 1001, 0o644);
        let here = look(&trusted, "/srv/repo");
        assert!(!here.text.contains(says), "{file}: {}", here.text);
    }
    // Rules that cannot be believed make things stricter.
    let trusted = desk(r#"{"/srv/repo": "TRUST_FOLDER"}"#);
    trusted.give("/srv/repo/.gemini/policies/all.toml", 1000, 0o666);
    let here = look(&trusted, "/srv/repo");
    assert!(
        here.problems.contains("security.trustedOwners"),
        "{}",
        here.problems
    );
    // Settings of somebody else are not read.
    let trusted = desk(r#"{"/srv/repo": "TRUST_FOLDER"}"#);
    let settings = "/srv/repo/docs/.gemini/settings.json";
    trusted.edit(settings, r#"{"context": {"fileName": "OTHER.md"}}"#);
    assert!(
        !look(&trusted, "/srv/repo/docs")
            .text
            .contains("Of the docs.")
    );
    trusted.give(settings, 1001, 0o644);
    assert!(
        look(&trusted, "/srv/repo/docs")
            .text
            .contains("Of the docs.")
    );
}

#[test]
fn another_repository_at_the_same_path_is_not_trusted_and_a_clone_of_the_same_is() {
    let trusted = desk(r#"{"/srv/repo": "TRUST_FOLDER"}"#);
    trusted.edit(
        "/h/.gemini/projects.json",
        r#"{"projects": {"/srv/repo": "repo"}}"#,
    );
    trusted.edit("/h/.gemini/tmp/repo/memory/MEMORY.md", "My private note.\n");
    // A rule that Gemini CLI wrote counts, and what it was about is recorded at first sight.
    let here = look(&trusted, "/srv/repo/docs");
    assert_eq!(here.trust, Trust::Trusted);
    assert!(here.text.contains("My private note."), "{}", here.text);
    let record = trusted.text("/h/.gemini/analects/trusted.json").unwrap();
    assert!(record.contains("example.com/team/repo"), "{record}");

    let reclone = |url: &str| {
        trusted.remove("/srv/repo/.git/config");
        trusted.remove("/srv/repo/.git/HEAD");
        trusted.remove("/srv/repo/.git");
        trusted.edit("/srv/repo/.git/HEAD", "x");
        trusted.edit(
            "/srv/repo/.git/config",
            &format!("[remote \"origin\"]\nurl = {url}\n"),
        );
    };
    reclone("git@example.com:team/repo");
    assert_eq!(look(&trusted, "/srv/repo").trust, Trust::Trusted);
    reclone("https://evil.example/team/repo");
    for cwd in ["/srv/repo", "/srv/repo/docs"] {
        let here = look(&trusted, cwd);
        assert_eq!(here.trust, Trust::Untrusted);
        assert!(!here.text.contains("Of the"), "{}", here.text);
        assert!(!here.text.contains("My private note."), "{}", here.text);
        assert!(
            here.problems.contains("other-repository"),
            "{}",
            here.problems
        );
    }
    // The user decides again.
    let around = surroundings("/srv/repo", "/h", &[]);
    let world = trusted.world(&around);
    let folder = AbsPath::new("/srv/repo").unwrap();
    let level = Some(Level::TrustFolder);
    crate::trust::set(&world, &Flags::default(), &folder, level, "test").unwrap();
    assert_eq!(look(&trusted, "/srv/repo").trust, Trust::Trusted);
}

#[test]
fn a_folder_without_git_keeps_its_trust_and_may_get_a_repository() {
    let trusted = FakeDesk::parse(
        "//- /srv/plain/GEMINI.md\nPlain.\n//- /h/.gemini/trustedFolders.json\n{\"/srv/plain\": \"TRUST_FOLDER\"}\n",
    );
    assert_eq!(look(&trusted, "/srv/plain").trust, Trust::Trusted);
    trusted.edit("/srv/plain/GEMINI.md", "Other.\n");
    assert_eq!(look(&trusted, "/srv/plain").trust, Trust::Trusted);
    trusted.edit("/srv/plain/.git/config", "[core]\n");
    assert_eq!(
        look(&trusted, "/srv/plain").trust,
        Trust::Trusted,
        "git init"
    );
}

#[test]
fn root_reads_what_the_user_who_called_it_owns() {
    let trusted = desk(r#"{"/srv/repo": "TRUST_FOLDER"}"#);
    trusted.become_user(0);
    assert_eq!(look(&trusted, "/srv/repo").trust, Trust::Untrusted);
    let by_sudo = look_with(&trusted, "/srv/repo", &[("SUDO_UID", "1000")]);
    assert_eq!(by_sudo.trust, Trust::Trusted);
    let other = look_with(&trusted, "/srv/repo", &[("SUDO_UID", "1001")]);
    assert_eq!(other.trust, Trust::Untrusted);
}

#[test]
fn a_project_starves_and_disables_nothing_of_the_users() {
    let mut tree = String::from(
        "//- /h/.gemini/trustedFolders.json\n{\"/srv/repo\": \"TRUST_FOLDER\"}\n\
         //- /h/.gemini/projects.json\n{\"projects\": {\"/srv/repo\": \"repo\"}}\n\
         //- /h/.gemini/analects.json\n{\"context\": {\"layerMaxTokens\": 2000}}\n\
         //- /h/.gemini/extensions/x/gemini-extension.json\n{\"name\": \"x\"}\n\
         //- /h/.gemini/extensions/x/GEMINI.md\nOf my extension.\n//- /srv/repo/.git/HEAD\nx\n",
    );
    let own = "A private note of mine. ".repeat(200);
    writeln!(tree, "//- /h/.gemini/tmp/repo/memory/MEMORY.md\n{own}").unwrap();
    let before = look(&FakeDesk::parse(&tree), "/srv/repo").text;
    assert!(before.contains(own.trim()) && before.contains("Of my extension."));
    let flood = "Theirs, and much of it. ".repeat(8_000);
    for at in 0..8 {
        writeln!(tree, "//- /srv/repo/.gemini/memory/{at}.md\n{at} {flood}").unwrap();
    }
    tree += "//- /srv/repo/.gemini/settings.json\n{\"extensions\": {\"disabled\": [\"x\"]}, \
             \"context\": {\"maxLoadBytes\": 1024, \"maxFileBytes\": 1024, \"layerMaxTokens\": 400, \
             \"windowTokens\": 1000, \"importMaxDepth\": 0}, \"hook\": {\"sessionTokens\": 0}}\n";
    let after = look(&FakeDesk::parse(&tree), "/srv/repo");
    assert!(after.text.contains(own.trim()), "{}", after.problems);
    assert!(
        after.text.contains("Of my extension."),
        "{}",
        after.problems
    );
}
