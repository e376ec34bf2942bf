//! Every verb once, to prove the wiring.

use std::io::Read;
use std::process::Stdio;

use expect_test::expect;

use crate::sandbox::Sandbox;

/// A project, and a home, with memory in every layer.
pub(crate) fn four_layers() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox
        .write("home/.gemini/GEMINI.md", "Be brief.\n")
        .write(
            "home/.gemini/tmp/repo/.project_root",
            sandbox.path("repo").to_str().unwrap(),
        )
        .write(
            "home/.gemini/tmp/repo/memory/MEMORY.md",
            "My port is 8081.\n",
        )
        .write(
            "home/.gemini/extensions/deploy/gemini-extension.json",
            r#"{"name": "deploy"}"#,
        )
        .write(
            "home/.gemini/extensions/deploy/GEMINI.md",
            "Deploy with care.\n",
        )
        .write("repo/GEMINI.md", "Use tabs.\n@./docs/style.md\n")
        .write("repo/docs/style.md", "Wrap at 100.\n")
        .write("repo/AGENTS.md", "Write tests first.\n")
        .write("repo/api/GEMINI.md", "Version the API.\n")
        .write("repo/api/v2/GEMINI.md", "Nothing is deprecated here yet.\n")
        .link("repo/CLAUDE.md", "AGENTS.md");
    sandbox
}

#[test]
fn memory_list_names_every_file_with_its_cost() {
    let ran = four_layers().run(&["memory", "list", "--trust"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    expect![[r#"
        Global
          ~/.gemini/GEMINI.md                    25 tokens  10 B
        Private
          ~/.gemini/tmp/repo/memory/MEMORY.md    34 tokens  17 B
        Extension
          ~/.gemini/extensions/deploy/GEMINI.md  36 tokens  18 B
        Project
          GEMINI.md                              44 tokens  27 B
            @ docs/style.md                       3 tokens  13 B
          AGENTS.md                              22 tokens  19 B
          api/GEMINI.md                          23 tokens  17 B
        CLAUDE.md says the same as AGENTS.md
        184 tokens from 6 files
    "#]]
    .assert_eq(&ran.out);
}

#[test]
fn memory_list_keeps_its_contract_in_json() {
    let answer = four_layers().json(&["memory", "list", "--trust"]);
    assert_eq!(answer["schemaVersion"], 1);
    assert_eq!(answer["trusted"], true);
    let layers: Vec<_> = answer["layers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| &l["layer"])
        .collect();
    assert_eq!(layers, ["global", "user_project", "extension", "project"]);
    let root = &answer["layers"][3]["files"][0];
    assert!(root["path"].as_str().unwrap().ends_with("/repo/GEMINI.md"));
    assert_eq!(
        (&root["via"], &root["imports"][0]["via"]),
        (&"start".into(), &"import".into())
    );
    assert_eq!(root["bytes"], 27);
    assert!(answer["totalTokens"].as_u64().unwrap() > 0);
    assert!(answer["problems"].as_array().unwrap().is_empty());
}

#[test]
fn memory_show_prints_the_flattened_text() {
    let sandbox = four_layers();
    let ran = sandbox.run(&["memory", "show", "--trust"]);
    assert!(
        ran.out
            .starts_with("--- Global ---\n--- Context from: ~/.gemini/GEMINI.md ---\nBe brief.\n")
    );
    assert_eq!(
        sandbox.json(&["memory", "show", "--trust"])["text"],
        ran.out.trim_end()
    );
    let tagged = sandbox.run(&["memory", "show", "--trust", "--tagged"]).out;
    assert!(tagged.contains("<project_context>\n--- Context from: GEMINI.md ---\nUse tabs.\n"));
}

#[test]
fn memory_cost_adds_up() {
    let sandbox = four_layers();
    let ran = sandbox.run(&["memory", "cost", "--trust"]);
    expect![[r#"
        184 tokens from 6 files, 0.0% of a window of 1,048,576

        Global (0.0% of its budget)              25  13.5%
          ~/.gemini/GEMINI.md                    25  13.5%
        Private (0.0% of its budget)             34  18.4%
          ~/.gemini/tmp/repo/memory/MEMORY.md    34  18.4%
        Extension (0.0% of its budget)           36  19.5%
          ~/.gemini/extensions/deploy/GEMINI.md  36  19.5%
        Project (0.0% of its budget)             89  48.3%
          GEMINI.md                              44  23.9%
          AGENTS.md                              22  11.9%
          api/GEMINI.md                          23  12.5%
    "#]]
    .assert_eq(&ran.out);
    let answer = sandbox.json(&["memory", "cost", "--trust"]);
    assert_eq!(answer["windowTokens"], 1_048_576);
    assert_eq!(answer["layerLimitTokens"], 104_857);
}

#[test]
fn context_shows_what_a_path_brings_in() {
    let sandbox = four_layers();
    let ran = sandbox.run(&["context", "api/v2/new.rs", "--trust"]);
    expect![[r#"
        --- Newly Discovered Project Context ---
        --- Context from: api/v2/GEMINI.md ---
        Nothing is deprecated here yet.
        --- End of Context from: api/v2/GEMINI.md ---
        --- End Project Context ---
    "#]]
    .assert_eq(&ran.out);
    let answer = sandbox.json(&["context", "api/v2/new.rs", "--trust"]);
    assert_eq!(answer["fragments"][0]["layer"], "project");
    assert_eq!(answer["text"], ran.out.trim_end());
    let nothing = sandbox.run(&["context", "docs", "--trust"]);
    assert_eq!(nothing.out, "Nothing beyond what is loaded at start.\n");
}

#[test]
fn prompt_prints_the_text_or_the_map() {
    let sandbox = four_layers();
    let ran = sandbox.run(&["prompt", "--trust"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("You are a coding agent"), "{}", ran.out);
    assert!(ran.out.contains("\n\n---\n\n<loaded_context>\n"));
    let answer = sandbox.json(&["prompt", "--trust"]);
    assert_eq!(answer["system"], ran.out.trim_end());
    assert_eq!(answer["sections"][0]["source"], "analects");
    assert_eq!(answer["sections"][0]["startLine"], 1);
    let map = sandbox.run(&["prompt", "--trust", "--sources"]).out;
    let (map, rest) = map.split_once("112-116 ").unwrap();
    assert!(
        rest.contains("  closing                 analects\n"),
        "{rest}"
    );
    assert!(rest.ends_with(" tokens in all\n"), "{rest}");
    // The first line keeps the indentation of the others.
    expect![[r#"
        map:
          lines  tokens  section                 source
              1      73  preamble                analects
           3-13     387  core_mandates           analects
          15-23     217  primary_workflows       analects
          25-36     446  tool_use                analects
          38-40      47  operational_guidelines  analects
          42-48     353  memory_rules            analects
          50-59     290  remembering             analects
          61-71     239  agent_skills            analects
          77-79      25  global_context          ~/.gemini/GEMINI.md:1
          83-85      34  user_project_memory     ~/.gemini/tmp/repo/memory/MEMORY.md:1
          89-91      36  extension_context       ~/.gemini/extensions/deploy/GEMINI.md:1
         94-100      44  project_context         GEMINI.md
          95-96                                    GEMINI.md:1-2
             97                                    docs/style.md:1
             99                                    GEMINI.md:2
        102-104      22  project_context         AGENTS.md:1
        106-108      23  project_context         api/GEMINI.md:1
    "#]]
    .assert_eq(&format!("map:\n{map}"));
}

#[test]
fn a_system_prompt_that_is_missing_fails() {
    let sandbox = four_layers();
    let mut command = sandbox.command(&["prompt", "--trust"]);
    let ran = sandbox.ran(command.env("GEMINI_SYSTEM_MD", "1").output().unwrap());
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    expect![[r#"
        error: missing system prompt file '/T/repo/.gemini/system.md'
        hint: name another file with `GEMINI_SYSTEM_MD`, or unset it
    "#]]
    .assert_eq(&ran.err);
}

#[test]
fn config_show_tells_who_set_what() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "home/.gemini/settings.json",
        "{\n // mine\n \"context\": {\"discoveryMaxDirs\": 9}\n}",
    );
    let ran = sandbox.run(&["config", "show", "--trust"]);
    assert!(
        ran.out
            .contains("context.discoveryMaxDirs = 9  (user, ~/.gemini/settings.json:3)\n"),
        "{}",
        ran.out
    );
    let answer = sandbox.json(&["config", "show"]);
    let entry = answer["settings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|e| e["key"] == "context.discoveryMaxDirs");
    assert_eq!(entry.unwrap()["origin"]["scope"], "user");
}

#[test]
fn an_undecided_folder_says_so_and_succeeds() {
    let ran = four_layers().run(&["memory", "list"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.out.contains("~/.gemini/GEMINI.md") && !ran.out.contains("Project\n"),
        "{}",
        ran.out
    );
    expect![[r#"
        note: this folder's own memory is not loaded, for it is not trusted
        note: why: nobody has decided yet
        hint: `analects trust add` trusts it from now on, `--trust` for this run
    "#]]
    .assert_eq(&ran.err);
    assert_eq!(four_layers().run(&["memory", "list", "--quiet"]).err, "");
}

#[test]
fn a_denied_folder_names_the_rule() {
    let sandbox = four_layers();
    let rules = format!(
        "{{{:?}: \"DO_NOT_TRUST\"}}",
        sandbox.path("repo").to_str().unwrap()
    );
    sandbox.write("home/.gemini/trustedFolders.json", rules);
    let ran = sandbox.run(&["memory", "list"]);
    assert!(
        ran.err.contains("a rule about `/T/repo` says DO_NOT_TRUST"),
        "{}",
        ran.err
    );
}

#[test]
fn home_and_cwd_can_be_named() {
    let sandbox = four_layers();
    let (home, repo) = (sandbox.path("home"), sandbox.path("repo/api"));
    let args = [
        "memory",
        "list",
        "--trust",
        "--home",
        home.to_str().unwrap(),
        "--cwd",
        repo.to_str().unwrap(),
    ];
    let mut command = sandbox.command(&args);
    let named = sandbox.ran(
        command
            .current_dir("/")
            .env("HOME", "/nowhere")
            .output()
            .unwrap(),
    );
    assert!(
        named.out.contains("~/.gemini/GEMINI.md") && named.out.contains("api/v2/GEMINI.md"),
        "{}",
        named.out
    );
    let mut command = sandbox.command(&["memory", "list"]);
    let by_variable = command
        .env("GEMINI_CLI_HOME", home)
        .env("HOME", "/nowhere")
        .output()
        .unwrap();
    assert!(sandbox.ran(by_variable).out.contains("~/.gemini/GEMINI.md"));
}

#[test]
fn colour_only_where_it_is_wanted() {
    let sandbox = four_layers();
    assert!(
        !sandbox
            .run(&["memory", "list", "--trust"])
            .out
            .contains('\u{1b}')
    );
    assert!(
        sandbox
            .run(&["memory", "list", "--trust", "--color", "always"])
            .out
            .contains("\u{1b}[1m")
    );
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/GEMINI.md", "rule\n".repeat(50_000));
    let mut command = sandbox.command(&["memory", "show", "--trust"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 1];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let ran = sandbox.ran(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn what_was_found_is_told_by_the_exit_code_though_nobody_reads_it() {
    let sandbox = Sandbox::new();
    sandbox
        .write("repo/Makefile", "all:\n")
        .write("repo/GEMINI.md", "- run `make nosuch` now\n");
    let check = ["memory", "check", "--trust"];
    assert_eq!(sandbox.run(&check).code, 3);
    let mut command = sandbox.command(&check);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let child = command.stdout(writer).stderr(Stdio::piped()).spawn();
    let ran = sandbox.ran(child.unwrap().wait_with_output().unwrap());
    assert_eq!(ran.code, 3, "{}", ran.err);
}

#[test]
fn words_of_a_search_need_no_quotes_and_a_wrong_flag_is_what_is_complained_about() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/GEMINI.md", "- the port is 5433\n");
    let found = sandbox.run(&["memory", "search", "the", "port", "-n", "1", "--trust"]);
    assert!(found.out.contains("the port is 5433"), "{}", found.out);
    let both = [
        "memory", "add", "I", "like", "milk", "--scope", "global", "--to", "project",
    ];
    let refused = sandbox.run(&both);
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("cannot be used with"),
        "{}",
        refused.err
    );
}

#[test]
fn completions_and_manual_pages_are_made_from_the_same_commands() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(sandbox.run(&["completions", shell]).out.contains("memory"));
    }
    assert!(sandbox.run(&["man"]).out.contains(".TH analects 1"));
    assert!(
        sandbox
            .run(&["man", "memory", "show"])
            .out
            .contains("\\-\\-tagged")
    );
    let unknown = sandbox.run(&["man", "memory", "dance"]);
    assert_eq!(unknown.code, 42);
    assert!(
        unknown.err.contains("hint: known here: show, list, cost"),
        "{}",
        unknown.err
    );
}

#[test]
fn trust_is_given_denied_and_taken_back() {
    let sandbox = four_layers();
    let dry = sandbox.run(&["trust", "add", "--dry-run"]);
    assert!(
        dry.out.contains("+  \"/T/repo\": \"TRUST_FOLDER\""),
        "{}",
        dry.out
    );
    assert!(!sandbox.path("home/.gemini/trustedFolders.json").exists());
    let added = sandbox.json(&["trust", "add"]);
    assert_eq!(
        (&added["written"], &added["level"]),
        (&true.into(), &"TRUST_FOLDER".into())
    );
    assert_eq!(sandbox.json(&["memory", "list"])["trusted"], true);
    let denied = sandbox.run(&["trust", "deny", "."]);
    assert!(
        denied.out.ends_with("/T/repo: DO_NOT_TRUST\n"),
        "{}",
        denied.out
    );
    assert_eq!(sandbox.json(&["memory", "list"])["trusted"], false);
    let shown = sandbox.run(&["trust", "show"]);
    expect![[r#"
        /T/repo is not trusted: by the rule about /T/repo
          DO_NOT_TRUST  /T/repo
    "#]]
    .assert_eq(&shown.out);
    assert_eq!(sandbox.run(&["trust", "remove"]).code, 0);
    let again = sandbox.run(&["trust", "remove"]);
    assert_eq!(again.code, 42);
    let mode = std::fs::metadata(sandbox.path("home/.gemini/trustedFolders.json")).unwrap();
    assert_eq!(std::os::unix::fs::MetadataExt::mode(&mode) & 0o777, 0o600);
}

#[test]
fn what_a_crashed_writer_left_is_repaired_aloud() {
    let sandbox = Sandbox::new();
    let path = |name: &str| sandbox.path(name).to_str().unwrap().to_owned();
    let hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"; // of "hello"
    let (target, staged) = (path("repo/x.md"), path("repo/.analects-q-0"));
    let record = format!(
        "{{\"v\":1,\"id\":\"q\",\"at\":1,\"files\":[{{\"path\":\"{target}\",\"target\":\"{target}\",\
         \"staged\":\"{staged}\",\"before\":null,\"after\":\"{hash}\",\"undo\":\"remove\"}}]}}\n"
    );
    sandbox.write("home/.gemini/analects/journal.jsonl", record);
    sandbox.write("repo/.analects-q-0", "hello");
    let findings = sandbox.json(&["doctor"])["findings"].to_string();
    assert!(findings.contains("commit q is unfinished"), "{findings}");
    let ran = sandbox.run(&["trust", "add"]);
    assert!(
        ran.err.contains("unfinished commit q was finished"),
        "{}",
        ran.err
    );
    assert_eq!(
        std::fs::read_to_string(sandbox.path("repo/x.md")).unwrap(),
        "hello"
    );
    assert_eq!(sandbox.run(&["trust", "deny"]).err, "", "told once");
}
