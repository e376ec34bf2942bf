//! Whose hooks run, and with what.

use expect_test::expect;

use super::*;

const PROJECT: &str = "/w/app/.gemini/settings.json";
const NOTED: &str = "/h/.gemini/trusted_hooks.json";

fn settings(commands: &[(&str, &str)]) -> String {
    let hooks: Vec<_> = commands
        .iter()
        .map(|(name, command)| json!({"type": "command", "command": command, "name": name}))
        .collect();
    json!({"hooks": {"BeforeAgent": [{"hooks": hooks}]}}).to_string()
}

fn quiet(stage: &Stage, commands: &[&str]) {
    for command in commands {
        stage.shell.answers(command, |_| fed(0, "", ""));
    }
}

#[test]
fn hooks_of_all_scopes_run_the_projects_first() {
    let stage = Stage::new([seven()]).hook("BeforeAgent", "user", |_| fed(0, "", ""));
    quiet(
        &stage,
        &[
            "project",
            "system",
            "ours",
            "${GEMINI_EXTENSION_DIR}/x \"${GEMINI_CWD}\"",
        ],
    );
    stage.desk.edit(PROJECT, &settings(&[("", "project")]));
    stage.desk.edit(
        "/etc/gemini-cli/settings.json",
        &settings(&[("", "system")]),
    );
    stage
        .desk
        .edit("/h/.gemini/analects.json", &settings(&[("", "ours")]));
    stage.desk.edit(
        "/h/.gemini/extensions/e/gemini-extension.json",
        r#"{"name": "e"}"#,
    );
    stage.desk.edit(
        "/h/.gemini/extensions/e/hooks/hooks.json",
        &settings(&[("", "${extensionPath}${/}x \"${workspacePath}\"")]),
    );
    let ended = stage.talk();
    // They run at the same time, so who was first is not to be seen; that all ran is.
    let mut lines = stage.shell.lines();
    lines.sort();
    assert_eq!(
        lines,
        [
            "${GEMINI_EXTENSION_DIR}/x \"${GEMINI_CWD}\"",
            "ours",
            "project",
            "system",
            "user"
        ]
    );
    let ran = stage
        .shell
        .ran()
        .into_iter()
        .find(|ran| ran.line.starts_with('$'))
        .unwrap();
    assert_eq!(ran.vars["GEMINI_EXTENSION_DIR"], "/h/.gemini/extensions/e");
    assert_eq!(
        problems(&ended),
        ["new-hooks: this project runs programs of its own, as hooks: `project`"]
    );
}

#[test]
fn in_a_folder_that_is_not_trusted_only_the_projects_own_do_not_run() {
    let mut stage = Stage::new([seven()]).hook("BeforeAgent", "user", |_| fed(0, "", ""));
    (stage.flags.trust, stage.wish.mode) = (false, None);
    stage.desk.edit(PROJECT, &settings(&[("", "project")]));
    let ended = stage.talk();
    assert_eq!(stage.shell.lines(), ["user"]);
    assert_eq!(problems(&ended), Vec::<String>::new());
    assert_eq!(stage.desk.text(NOTED), None);
}

#[test]
fn a_folder_that_is_no_longer_trusted_runs_its_hooks_no_longer() {
    let mut stage = Stage::new([read_pond(), seven()]);
    (stage.flags.trust, stage.wish.mode) = (false, None);
    let trusted = "/h/.gemini/trustedFolders.json";
    stage.desk.edit(trusted, r#"{"/w/app": "TRUST_FOLDER"}"#);
    let hook = json!([{"hooks": [{"type": "command", "command": "project"}]}]);
    let hooks = json!({"hooks": {"BeforeModel": hook, "SessionEnd": hook}});
    stage.desk.edit(PROJECT, &hooks.to_string());
    // Somebody takes the trust away while the first of them runs.
    let desk = Arc::clone(&stage.desk);
    stage.shell.answers("project", move |_| {
        desk.edit(trusted, "{}");
        fed(0, "", "")
    });
    let ended = stage.talk();
    assert_eq!(stage.shell.lines(), ["project"]);
    let told = problems(&ended);
    assert!(told[1].starts_with("hooks-off: "), "{told:?}");
    assert_eq!(told.len(), 2, "{told:?}");
}

#[test]
fn hooks_of_a_project_are_told_of_once_and_noted_as_gemini_cli_does() {
    let mut stage = Stage::new([seven(), seven(), seven()]);
    quiet(&stage, &["./a.sh", "./b.sh"]);
    stage
        .desk
        .edit(NOTED, "{\n  \"/other\": [\n    \"x:y\"\n  ]\n}");
    stage.desk.edit(PROJECT, &settings(&[("lint", "./a.sh")]));
    assert_eq!(
        problems(&stage.talk()),
        ["new-hooks: this project runs programs of its own, as hooks: `lint` (`./a.sh`)"]
    );
    stage.wish.new_session = "5e551012-0000-4000-8000-000000000001".to_owned();
    assert_eq!(problems(&stage.talk()), Vec::<String>::new());
    stage.wish.new_session = "5e551013-0000-4000-8000-000000000001".to_owned();
    stage
        .desk
        .edit(PROJECT, &settings(&[("lint", "./a.sh"), ("", "./b.sh")]));
    assert_eq!(
        problems(&stage.talk()),
        ["new-hooks: this project runs programs of its own, as hooks: `./b.sh`"]
    );
    expect![[r#"
        {
          "/other": [
            "x:y"
          ],
          "/w/app": [":./b.sh", "lint:./a.sh"]
        }"#]]
    .assert_eq(&stage.desk.text(NOTED).unwrap());
}

#[test]
fn a_note_that_cannot_be_read_is_not_overwritten() {
    let stage = Stage::new([seven()]);
    quiet(&stage, &["./a.sh"]);
    stage.desk.edit(NOTED, "{broken");
    stage.desk.edit(PROJECT, &settings(&[("", "./a.sh")]));
    let told = problems(&stage.talk());
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(stage.desk.text(NOTED).as_deref(), Some("{broken"));
}

#[test]
fn a_project_can_switch_off_its_own_hooks_and_no_others() {
    let stage = Stage::new([seven()]).hook("BeforeAgent", "user", |_| fed(0, "", ""));
    let mut project: Value = serde_json::from_str(&settings(&[("", "project")])).unwrap();
    project["hooksConfig"] =
        json!({"enabled": false, "disabled": ["user", "project"], "exitCodes": "original"});
    stage.desk.edit(PROJECT, &project.to_string());
    stage.talk();
    assert_eq!(stage.shell.lines(), ["user"]);
}

#[test]
fn the_user_can_switch_them_off_one_by_one_or_all() {
    for (config, expected) in [
        (json!({"disabled": ["a"]}), vec!["b"]),
        (json!({"enabled": false}), vec![]),
    ] {
        let stage = Stage::new([seven()])
            .hook("BeforeAgent", "a", |_| fed(0, "", ""))
            .hook("BeforeAgent", "b", |_| fed(0, "", ""));
        stage.desk.edit(
            "/h/.gemini/analects.json",
            &json!({"hooksConfig": config}).to_string(),
        );
        stage.talk();
        assert_eq!(stage.shell.lines(), expected);
    }
}

#[test]
fn nothing_runs_in_a_dry_run() {
    let mut stage = Stage::new([seven()]).hook("BeforeAgent", "a", |_| fed(0, "", ""));
    stage.flags.dry_run = true;
    let ended = stage.talk();
    assert_eq!(stage.shell.lines(), Vec::<String>::new());
    assert_eq!(
        problems(&ended),
        ["hooks-off: hooks do not run in a dry run"]
    );
}

#[test]
fn a_hook_finds_its_places_in_its_environment_and_no_secrets() {
    let mut stage = Stage::new([seven()]);
    stage
        .shell
        .answers("\"$GEMINI_PROJECT_DIR\"/x.sh", |_| fed(0, "", ""));
    stage.hooks.insert(
        "BeforeAgent".to_owned(),
        vec![json!({"hooks": [{
            "type": "command", "command": "$GEMINI_PROJECT_DIR/x.sh", "timeout": 1234,
            "env": {"MINE": "$NPM_TOKEN", "PLAIN": "${PATH}"},
        }]})],
    );
    stage.talk();
    let ran = stage.shell.ran().remove(0);
    let vars: Vec<_> = ran
        .vars
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    expect![[r#"
        CLAUDE_PROJECT_DIR=/w/app
        GEMINI_CLI=1
        GEMINI_CWD=/w/app
        GEMINI_PLANS_DIR=/h/.gemini/tmp/app/plans
        GEMINI_PROJECT_DIR=/w/app
        GEMINI_SESSION_ID=5e551011-0000-4000-8000-000000000001
        GIT_EDITOR=true
        GIT_PAGER=cat
        GIT_TERMINAL_PROMPT=0
        MINE=t
        NO_COLOR=1
        PAGER=cat
        PATH=/bin
        PLAIN=/bin
        TERM=dumb"#]]
    .assert_eq(&vars.join("\n"));
    assert_eq!(
        (ran.dir.as_str(), ran.whole_ms, ran.idle_ms),
        ("/w/app", Some(1234), None)
    );
}

#[test]
fn a_project_is_told_no_secret_even_if_it_asks() {
    let stage = Stage::new([seven()]);
    quiet(&stage, &["project"]);
    let hook = json!({"type": "command", "command": "project", "env": {"MINE": "$NPM_TOKEN $GEMINI_API_KEY"}});
    stage.desk.edit(
        PROJECT,
        &json!({"hooks": {"BeforeAgent": [{"hooks": [hook]}]}}).to_string(),
    );
    stage.talk();
    assert_eq!(
        stage.shell.ran()[0].vars["MINE"],
        "$NPM_TOKEN $GEMINI_API_KEY"
    );
}

#[test]
fn what_is_wrong_with_hooks_is_told_with_its_file() {
    let stage = Stage::new([seven()]);
    stage
        .desk
        .edit(PROJECT, r#"{"hooks": {"BeforeLunch": [], "AfterTool": 5}}"#);
    let ended = stage.talk();
    let told: Vec<_> = ended.problems.iter().map(ToString::to_string).collect();
    expect![[r#"
        /w/app/.gemini/settings.json: `hooks.BeforeLunch` there is no such event
        /w/app/.gemini/settings.json: `hooks.AfterTool` is no list"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn hooks_of_a_project_see_the_common_variables_and_those_the_user_named_for_it() {
    let grants = json!({"security": {"projectVariables": {"/w/app": "SHOP_DB"}}}).to_string();
    for (user, db) in [("{}", "$SHOP_DB"), (&*grants, "v-db")] {
        let mut stage = Stage::new([seven()]).hook("BeforeAgent", "user", |_| fed(0, "", ""));
        quiet(&stage, &["project"]);
        stage
            .vars
            .extend([("SHOP_DB", "v-db"), ("EDITOR", "v-editor"), ("HOME", "/h")]);
        let hook = json!({"type": "command", "command": "project",
            "env": {"A": "$SHOP_DB", "B": "${EDITOR:-none}", "C": "$HOME $NPM_TOKEN"}});
        let project = json!({
            "hooks": {"BeforeAgent": [{"hooks": [hook]}]},
            "security": {"projectVariables": {"*": "EDITOR"}},
        });
        stage.desk.edit(PROJECT, &project.to_string());
        stage.desk.edit("/h/.gemini/analects.json", user);
        stage.talk();
        let ran = stage.shell.ran();
        let of = |line: &str| &ran.iter().find(|ran| ran.line == line).unwrap().vars;
        let theirs = of("project");
        assert_eq!(theirs["A"], db);
        assert_eq!((&*theirs["B"], &*theirs["C"]), ("none", "/h $NPM_TOKEN"));
        assert_eq!(theirs.get("SHOP_DB").is_some(), db == "v-db");
        assert!(!theirs.contains_key("EDITOR") && !theirs.contains_key("NPM_TOKEN"));
        assert_eq!(theirs["PATH"], "/bin");
        // The user's own hooks keep theirs.
        assert_eq!(of("user")["EDITOR"], "v-editor");
    }
}
