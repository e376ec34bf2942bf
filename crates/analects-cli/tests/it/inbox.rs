//! What waits for a yes: one case a verb, on a real disk.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::sandbox::Sandbox;

const MEMORY: &str = "home/.gemini/tmp/repo/memory";
const SKILL: &str =
    "---\nname: deploy\ndescription: Deploys it. Use it on Thursdays.\n---\nDo it.\n";

/// A project with a private folder, in which a new skill and a change of memory wait.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    fill(&sandbox);
    sandbox
}

/// Puts a new skill and a change of memory where they wait.
pub(crate) fn fill(sandbox: &Sandbox) {
    sandbox.json(&["memory", "add", "Old note", "--to", "private", "--yes"]);
    sandbox.write(&format!("{MEMORY}/skills/deploy/SKILL.md"), SKILL);
    sandbox.write(&format!("{MEMORY}/skills/deploy/scripts/run.sh"), "echo\n");
    let index = fs::canonicalize(sandbox.path(&format!("{MEMORY}/MEMORY.md"))).unwrap();
    let index = index.to_str().unwrap();
    let patch =
        format!("--- {index}\n+++ {index}\n@@ -1 +1,2 @@\n - Old note\n+- The port is 8443\n");
    sandbox.write(&format!("{MEMORY}/.inbox/private/extraction.patch"), patch);
}

fn read(sandbox: &Sandbox, path: &str) -> Option<String> {
    fs::read_to_string(sandbox.path(path)).ok()
}

#[test]
fn the_inbox_is_listed_and_each_thing_shown() {
    let sandbox = sandbox();
    let listed = sandbox.json(&["memory", "inbox", "list"]);
    let items = listed["items"].as_array().unwrap();
    let ids: Vec<_> = items.iter().map(|item| &item["id"]).collect();
    assert_eq!(ids, ["skills/deploy", "private/extraction.patch"]);
    assert_eq!(items[0]["kind"], "skill");
    assert_eq!(items[1]["kind"], "memory-update");
    assert_eq!(items[0]["isTainted"], false);
    assert_eq!(items[0]["problems"].as_array().map(Vec::len), Some(0));
    let ran = sandbox.run(&["memory", "inbox", "list"]);
    assert!(
        ran.out.contains("New skills\n  skills/deploy"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("Deploys it. Use it on Thursdays."),
        "{}",
        ran.out
    );
    let shown = sandbox.run(&["memory", "inbox", "show", "deploy"]);
    assert!(
        shown.out.contains("Do it.\n\nscripts/run.sh\necho\n"),
        "{}",
        shown.out
    );
    let shown = sandbox.json(&["memory", "inbox", "show", "extraction.patch"]);
    assert!(
        shown["preview"]
            .as_str()
            .unwrap()
            .contains("+- The port is 8443")
    );
    let empty = Sandbox::new().run(&["memory", "inbox", "list"]);
    assert_eq!(empty.out, "Nothing waits in the inbox.\n");
}

#[test]
fn what_is_accepted_is_one_commit_and_comes_back_by_undo() {
    let sandbox = sandbox();
    let ran = sandbox.run(&["memory", "inbox", "accept", "deploy"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("--yes"), "{}", ran.err);
    let dry = sandbox.run(&["memory", "inbox", "accept", "deploy", "--dry-run"]);
    assert!(
        dry.out.contains("+Do it.") && dry.out.contains("Nothing was written."),
        "{}",
        dry.out
    );
    let settled = sandbox.json(&["memory", "inbox", "accept", "--all", "--yes"]);
    let outcomes = settled["items"].as_array().unwrap().iter();
    assert!(
        outcomes.clone().all(|item| item["outcome"] == "written"),
        "{settled}"
    );
    let installed = "home/.gemini/skills/deploy/scripts/run.sh";
    assert_eq!(read(&sandbox, installed).as_deref(), Some("echo\n"));
    assert!(!sandbox.path(&format!("{MEMORY}/skills/deploy")).exists());
    let notes = read(&sandbox, &format!("{MEMORY}/MEMORY.md")).unwrap();
    assert_eq!(notes, "- Old note\n- The port is 8443\n");
    assert_eq!(sandbox.json(&["memory", "undo", "--yes"])["written"], true);
    assert_eq!(sandbox.json(&["memory", "undo", "--yes"])["written"], true);
    assert!(!sandbox.path("home/.gemini/skills/deploy").exists());
    let items = sandbox.json(&["memory", "inbox", "list"]);
    assert_eq!(items["items"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_skill_of_the_project_needs_its_trust() {
    let sandbox = sandbox();
    let args = [
        "memory", "inbox", "accept", "deploy", "--to", "project", "--yes",
    ];
    let ran = sandbox.run(&args);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("not trusted"), "{}", ran.err);
    let trusted: Vec<_> = args.iter().copied().chain(["--trust"]).collect();
    sandbox.json(&trusted);
    assert!(sandbox.path("repo/.gemini/skills/deploy/SKILL.md").exists());
}

#[test]
fn a_draft_is_edited_in_an_editor() {
    let sandbox = sandbox();
    let editor = sandbox.path("editor");
    fs::write(&editor, "#!/bin/sh\nsed -i s/8443/9443/ \"$1\"\n").unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command =
        sandbox.command(&["memory", "inbox", "edit", "extraction.patch", "--dry-run"]);
    command.env("EDITOR", &editor).env("PATH", "/usr/bin:/bin");
    let ran = sandbox.ran(command.output().unwrap());
    assert!(
        ran.out.contains("++- The port is 9443"),
        "{} {}",
        ran.out,
        ran.err
    );
    let text = SKILL.replace("Do it.", "Do it well.");
    sandbox.json(&[
        "memory", "inbox", "edit", "deploy", "--text", &text, "--yes",
    ]);
    let skill = format!("{MEMORY}/skills/deploy/SKILL.md");
    assert_eq!(read(&sandbox, &skill), Some(text));
}

#[test]
fn what_is_dismissed_is_gone_and_remembered_as_such() {
    let sandbox = sandbox();
    sandbox.link(&format!("{MEMORY}/skills/deploy/key"), "/etc/passwd");
    let refused = sandbox.run(&["memory", "inbox", "accept", "deploy", "--yes"]);
    assert!(refused.err.contains("`key` is a link"), "{}", refused.err);
    let args = [
        "memory",
        "inbox",
        "dismiss",
        "deploy",
        "extraction.patch",
        "--yes",
    ];
    let settled = sandbox.json(&args);
    assert_eq!(settled["items"][1]["outcome"], "written");
    assert_eq!(
        sandbox.json(&["memory", "inbox", "list"])["items"]
            .as_array()
            .map(Vec::len),
        Some(0)
    );
    sandbox.write(&format!("{MEMORY}/skills/deploy/SKILL.md"), SKILL);
    let again = sandbox.json(&["memory", "inbox", "list"]);
    assert_eq!(again["items"][0]["wasDismissed"], true);
}

#[test]
fn forged_names_and_targets_are_refused() {
    let sandbox = sandbox();
    for name in ["..", "", "../../settings.json", "skills\\deploy"] {
        let ran = sandbox.run(&["memory", "inbox", "dismiss", name, "--yes"]);
        assert_eq!(ran.code, 42, "{name}: {}", ran.err);
    }
    let settings = sandbox.path("home/.gemini/settings.json");
    sandbox.write("home/.gemini/settings.json", "{}\n");
    let settings = settings.to_str().unwrap();
    let patch = format!("--- {settings}\n+++ {settings}\n@@ -1 +1 @@\n-{{}}\n+[]\n");
    sandbox.write(&format!("{MEMORY}/.inbox/global/evil.patch"), patch);
    let ran = sandbox.run(&["memory", "inbox", "accept", "evil.patch", "--yes"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("only your own global memory"),
        "{}",
        ran.err
    );
    assert_eq!(
        read(&sandbox, "home/.gemini/settings.json").as_deref(),
        Some("{}\n")
    );
}
