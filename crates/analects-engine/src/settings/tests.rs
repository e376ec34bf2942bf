//! Settings from several scopes, on a world in memory.

use std::fmt::Write;

use analects_testkit::{FakeDesk, show_problems, surroundings};
use analects_world::{SessionScope, Surroundings};
use expect_test::{Expect, expect};

use super::*;

fn settings(tree: &str, vars: &[(&str, &str)]) -> (Settings, String) {
    let files = FakeDesk::parse(tree);
    let around = surroundings("/w", "/h", vars);
    let world = files.world(&around);
    let (files, mut problems) = read(&world, Workspace::Counts);
    let (settings, found) = resolve(&world, &files);
    problems.extend(found);
    (settings, show_problems(&problems))
}

/// Checks the settings that are not at their default.
fn check(tree: &str, vars: &[(&str, &str)], expected: Expect) {
    let (settings, problems) = settings(tree, vars);
    let mut shown = String::new();
    for in_force in settings
        .all()
        .iter()
        .filter(|s| s.origin.scope != Scope::Default)
    {
        let Origin {
            scope,
            source,
            line,
        } = &in_force.origin;
        let place = format!("{}:{}", source.as_deref().unwrap_or(""), line.unwrap_or(0));
        let value = format!("{:?}", in_force.value);
        writeln!(
            shown,
            "{} = {value} ({} {place})",
            in_force.key.name,
            scope.as_str()
        )
        .unwrap();
    }
    expected.assert_eq(&(shown + &problems));
}

#[test]
fn a_stronger_scope_wins_and_says_so() {
    check(
        r#"
//- /etc/gemini-cli/system-defaults.json
{"context": {"discoveryMaxDirs": 1, "importFormat": "flat"}}
//- /h/.gemini/settings.json
{"context": {"discoveryMaxDirs": 2, "fileName": "USER.md"}}
//- /w/.gemini/settings.json
{
  // the project knows best
  "context": {"discoveryMaxDirs": 3, "fileName": ["A.md", "B.md"],},
}
//- /etc/gemini-cli/settings.json
{"context": {"discoveryMaxDirs": 4}}
"#,
        &[],
        expect![[r#"
            context.fileName = List(["A.md", "B.md"]) (workspace /w/.gemini/settings.json:3)
            context.discoveryMaxDirs = Count(4) (system /etc/gemini-cli/settings.json:1)
            context.importFormat = Text("flat") (system-defaults /etc/gemini-cli/system-defaults.json:1)
            ! workspace-setting: /w/.gemini/settings.json:3: `context.discoveryMaxDirs`: a workspace may only set a smaller number than you do
        "#]],
    );
}

#[test]
fn our_own_file_overrules_its_neighbour() {
    check(
        r#"
//- /h/.gemini/settings.json
{"context": {"startupDepth": 0}}
//- /h/.gemini/analects.json
{"context": {"startupDepth": "all"}}
"#,
        &[],
        expect![[r#"
            context.startupDepth = Text("all") (user /h/.gemini/analects.json:1)
        "#]],
    );
}

#[test]
fn older_names_and_variables_are_understood() {
    check(
        r#"
//- /h/.gemini/settings.json
{"contextFileName": "${NAME:-X}.md", "memoryDiscoveryMaxDirs": 7, "includeDirectories": ["$ROOT/a"]}
//- /w/.gemini/settings.json
{"context": {"includeDirectories": ["/b", "/r/a"]}}
"#,
        &[("NAME", "TEAM"), ("ROOT", "/r")],
        expect![[r#"
            context.fileName = List(["TEAM.md"]) (user /h/.gemini/settings.json:1)
            context.discoveryMaxDirs = Count(7) (user /h/.gemini/settings.json:1)
            context.includeDirectories = List(["/r/a"]) (workspace /w/.gemini/settings.json:1)
            ! workspace-setting: /w/.gemini/settings.json:1: `context.includeDirectories`: `/b` is not a relative path inside the project
        "#]],
    );
}

#[test]
fn the_environment_is_strongest() {
    check(
        "//- /h/.gemini/settings.json\n{\"memoryFiles\": [\"A.md\"]}\n",
        &[("ANALECTS_CONTEXT_FILES", "X.md, Y.md")],
        expect![[r#"
            context.fileName = List(["X.md", "Y.md"]) (environment ANALECTS_CONTEXT_FILES:0)
        "#]],
    );
}

#[test]
fn bad_values_are_reported_and_the_weaker_value_counts() {
    check(
        r#"
//- /h/.gemini/settings.json
{"context": {"discoveryMaxDirs": 9, "startupDepth": 2}}
//- /w/.gemini/settings.json
{"context": {"discoveryMaxDirs": -1, "startupDepth": "deep", "importFormat": 3, "fileName": [1]},
 "security": {"folderTrust": {"enabled": "no"}}}
"#,
        &[],
        expect![[r#"
            context.startupDepth = Count(2) (user /h/.gemini/settings.json:1)
            context.discoveryMaxDirs = Count(9) (user /h/.gemini/settings.json:1)
            ! bad-setting: /w/.gemini/settings.json:1: `context.fileName`: expected the name of a file, or a list of such names
            ! bad-setting: /w/.gemini/settings.json:1: `context.startupDepth`: expected a whole number or "all"
            ! bad-setting: /w/.gemini/settings.json:1: `context.discoveryMaxDirs`: expected a whole number from 1 to 10000000
            ! workspace-setting: /w/.gemini/settings.json:1: `context.importFormat`: only your own settings can set it
            ! workspace-setting: /w/.gemini/settings.json:2: `security.folderTrust.enabled`: only your own settings can set it
        "#]],
    );
}

#[test]
fn unknown_keys_are_reported_once() {
    check(
        r#"
//- /h/.gemini/settings.json
{"ui": {"anything": 1}, "theme": "x", "context": {"fileNam": "X", "fileFiltering": {"respectGit": true}}, "bogus": {}}
//- /h/.gemini/analects.json
{"ui": {}, "bogus": 1, "$schema": "x"}
//- /w/.gemini/settings.json
{"context": {"fileNam": "Y"}}
"#,
        &[],
        expect![[r#"
            ! unknown-setting: /h/.gemini/settings.json:1: unknown setting `context.fileNam`; did you mean `context.fileName`?
            ! unknown-setting: /h/.gemini/settings.json:1: unknown setting `context.fileFiltering.respectGit`; did you mean `context.fileFiltering.respectGitIgnore`?
            ! unknown-setting: /h/.gemini/settings.json:1: unknown setting `bogus`
            ! unknown-setting: /h/.gemini/analects.json:1: unknown setting `ui`
        "#]],
    );
}

#[test]
fn the_writer_of_memory_has_an_older_switch() {
    check(
        r#"
//- /h/.gemini/settings.json
{"experimental": {"memoryManager": true}, "memory": {"writr": "direct"}}
//- /w/.gemini/settings.json
{"memory": {"writer": "nobody"}}
"#,
        &[],
        expect![[r#"
            memory.writer = Text("manager") (user /h/.gemini/settings.json:1)
            experimental.memoryManager = Flag(true) (user /h/.gemini/settings.json:1)
            ! unknown-setting: /h/.gemini/settings.json:1: unknown setting `memory.writr`; did you mean `memory.writer`?
            ! workspace-setting: /w/.gemini/settings.json:1: `memory.writer`: only your own settings can set it
        "#]],
    );
}

#[test]
fn a_file_that_is_no_object_is_ignored_whole() {
    check(
        r#"
//- /h/.gemini/settings.json
["context"]
//- /w/.gemini/settings.json
{"context": {"fileName": "\ud800"}}
"#,
        &[],
        expect![[r#"
            ! bad-settings: /h/.gemini/settings.json:1: not a JSON object
            ! bad-settings: /w/.gemini/settings.json:1: not valid JSON: invalid unicode escape sequence. 'd800 (unpaired high surrogate)' is not a valid utf8 character
        "#]],
    );
}

#[test]
fn a_profile_brings_its_own_defaults() {
    let (settings, problems) = settings(
        "//- /h/.gemini/analects.json\n{\"context\": {\"profile\": \"head\"}}\n",
        &[],
    );
    assert_eq!(problems, "");
    assert_eq!(settings.count(&keys::STARTUP_DEPTH), Some(0));
    assert_eq!(settings.count(&keys::IMPORT_MAX_DEPTH), Some(5));
    assert_eq!(settings.list(&keys::FILE_NAME), ["GEMINI.md"]);
    assert!(settings.flag(&keys::RESPECT_GIT_IGNORE));
}

#[test]
fn system_files_can_be_elsewhere() {
    check(
        "//- /x/s.json\n{\"context\": {\"discoveryMaxDirs\": 5}}\n//- /x/analects.json\n{\"context\": {\"maxFileBytes\": 2048}}\n",
        &[("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "/x/s.json")],
        expect![[r#"
            context.discoveryMaxDirs = Count(5) (system /x/s.json:1)
            context.maxFileBytes = Count(2048) (system /x/analects.json:1)
        "#]],
    );
}

#[test]
fn in_the_home_directory_there_is_no_workspace() {
    let files =
        FakeDesk::parse("//- /h/.gemini/settings.json\n{\"context\": {\"discoveryMaxDirs\": 5}}\n");
    let home = AbsPath::new("/h").unwrap();
    let around = Surroundings {
        cwd: home.clone(),
        home,
        vars: Default::default(),
        binary: None,
        sessions: SessionScope::All,
    };
    let (files, _) = read(&files.world(&around), Workspace::Counts);
    let scopes: Vec<_> = files.iter().map(|file| file.scope).collect();
    assert_eq!(scopes, [Scope::User]);
}

#[test]
fn shares_limits_and_budgets_are_read_or_told() {
    check(
        r#"
//- /h/.gemini/settings.json
{
  "model": {
    "compressionThreshold": 0.25,
    "maxSessionTurns": 100,
    "summarizeToolOutput": {"run_shell_command": {"tokenBudget": 500}, "ls": {}}
  },
  "tools": {"truncateToolOutputThreshold": -1, "truncateToolOutputLines": 1.5},
  "context": {"window": 8192, "loopExemptTools": "poll"}
}
//- /w/.gemini/settings.json
{"model": {"maxSessionTurns": -1, "summarizeToolOutput": {"ls": {"tokenBudget": "many"}}}}
//- /w/.gemini/analects.json
{"context": {"preserveShare": 1.5, "loopExemptTools": ["wait"]}}
"#,
        &[],
        expect![[r#"
            context.windowTokens = Count(8192) (user /h/.gemini/settings.json:8)
            model.compressionThreshold = Share(0.25) (user /h/.gemini/settings.json:3)
            tools.truncateToolOutputThreshold = Unset (user /h/.gemini/settings.json:7)
            model.summarizeToolOutput = Budgets({"ls": 2000, "run_shell_command": 500}) (user /h/.gemini/settings.json:5)
            context.loopExemptTools = List(["poll"]) (user /h/.gemini/settings.json:8)
            model.maxSessionTurns = Count(100) (user /h/.gemini/settings.json:4)
            ! workspace-setting: /w/.gemini/analects.json:1: `context.preserveShare`: only your own settings can set it
            ! bad-setting: /h/.gemini/settings.json:7: `tools.truncateToolOutputLines`: expected a whole number up to 1000000000; 0 or -1 for no limit
            ! workspace-setting: /w/.gemini/settings.json:1: `model.summarizeToolOutput`: only your own settings can set it
            ! workspace-setting: /w/.gemini/analects.json:1: `context.loopExemptTools`: only your own settings can set it
            ! workspace-setting: /w/.gemini/settings.json:1: `model.maxSessionTurns`: a workspace may only set a smaller number than you do
        "#]],
    );
}

#[test]
fn names_of_files_are_at_least_one_and_lead_nowhere_else() {
    let user = |value: &str| format!("//- /h/.gemini/settings.json\n{{\"context\": {value}}}\n");
    let env = [("ANALECTS_CONTEXT_FILES", " , ")];
    check(
        &user(r#"{"fileName": []}"#),
        &env,
        expect![[r#"
        ! bad-setting: /h/.gemini/settings.json:1: `context.fileName`: expected the name of a file, or a list of such names
        ! bad-setting: ANALECTS_CONTEXT_FILES: expected the name of a file, or a list of such names
    "#]],
    );
    check(
        &user(r#"{"fileName": [" ", "./"]}"#),
        &[],
        expect![[r#"
        ! bad-setting: /h/.gemini/settings.json:1: `context.fileName`: expected the name of a file, or a list of such names
    "#]],
    );
    check(
        &user(r#"{"fileName": ["./A.md", "docs//B.md/", "/C.md"]}"#),
        &[],
        expect![[r#"
            context.fileName = List(["A.md", "docs/B.md", "/C.md"]) (user /h/.gemini/settings.json:1)
        "#]],
    );
}

#[test]
fn a_group_that_is_none_is_a_wrong_value() {
    check(
        "//- /h/.gemini/settings.json\n{\"context\": []}\n//- /w/.gemini/analects.json\n{\"context\": {\"fileFiltering\": null}, \"contxt\": 1}\n",
        &[],
        expect![[r#"
            ! bad-setting: /h/.gemini/settings.json:1: `context`: expected an object
            ! bad-setting: /w/.gemini/analects.json:1: `context.fileFiltering`: expected an object
            ! unknown-setting: /w/.gemini/analects.json:1: unknown setting `contxt`
        "#]],
    );
}

#[test]
fn a_project_expands_the_common_variables_only() {
    let text = r#"{"context": {"fileName": ["$SHOP.md", "${EDITOR:-none}.md", "$USER.md"]}}"#;
    let vars = [("SHOP", "s"), ("EDITOR", "vi"), ("USER", "u")];
    let names = |path: &str| {
        let (settings, _) = settings(&format!("//- {path}\n{text}\n"), &vars);
        settings.list(&keys::FILE_NAME).to_vec()
    };
    assert_eq!(
        names("/w/.gemini/settings.json"),
        ["$SHOP.md", "none.md", "u.md"]
    );
    assert_eq!(names("/h/.gemini/settings.json"), ["s.md", "vi.md", "u.md"]);
}
