//! What each host is given, and how it gets its files back.

use analects_world::AbsPath;
use analects_world::desk::Guard;
use expect_test::expect;

use super::*;

fn states(changed: &Changed) -> Vec<(&str, FileState)> {
    let files = changed.files.iter();
    files.map(|file| (file.path.as_str(), file.state)).collect()
}

#[test]
fn gemini_gets_a_server_and_five_hooks_beside_what_is_there() {
    let before = r#"{
  // my servers
  "mcpServers": {
    "github": { "command": "gh-mcp" } // work
  },
  "hooks": {
    "SessionStart": [
      {
        "hooks": [
          { "type": "command", "command": "date" }
        ]
      }
    ]
  },
  "ui": { "theme": "Default" }
}
"#;
    let path = "/h/.gemini/settings.json";
    let bench = Bench::with(path, before);
    let changed = bench.install(Agent::Gemini);
    assert_eq!(states(&changed), [(path, FileState::Changed)]);
    assert!(changed.written);
    expect![[r#"
        {
          // my servers
          "mcpServers": {
            "github": { "command": "gh-mcp" }, // work
            "analects": {
              "command": "/opt/bin/analects",
              "args": ["mcp"]
            }
          },
          "hooks": {
            "SessionStart": [
              {
                "hooks": [
                  { "type": "command", "command": "date" }
                ]
              },
              {
                "hooks": [
                  {
                    "name": "analects",
                    "type": "command",
                    "command": "/opt/bin/analects hook gemini SessionStart",
                    "timeout": 10000
                  }
                ]
              }
            ],
            "BeforeAgent": [
              {
                "hooks": [
                  {
                    "name": "analects",
                    "type": "command",
                    "command": "/opt/bin/analects hook gemini BeforeAgent",
                    "timeout": 10000
                  }
                ]
              }
            ],
            "AfterTool": [
              {
                "matcher": "^(read_file|read_many_files|write_file|replace|list_directory|glob|grep_search|search_file_content|run_shell_command)$",
                "hooks": [
                  {
                    "name": "analects",
                    "type": "command",
                    "command": "/opt/bin/analects hook gemini AfterTool",
                    "timeout": 10000
                  }
                ]
              }
            ],
            "PreCompress": [
              {
                "hooks": [
                  {
                    "name": "analects",
                    "type": "command",
                    "command": "/opt/bin/analects hook gemini PreCompress",
                    "timeout": 10000
                  }
                ]
              }
            ],
            "SessionEnd": [
              {
                "hooks": [
                  {
                    "name": "analects",
                    "type": "command",
                    "command": "/opt/bin/analects hook gemini SessionEnd",
                    "timeout": 10000
                  }
                ]
              }
            ]
          },
          "ui": { "theme": "Default" }
        }
    "#]]
    .assert_eq(&bench.text(path));
    let again = bench.install(Agent::Gemini);
    assert_eq!(states(&again), [(path, FileState::Unchanged)]);
    assert!(!again.written);
    bench.uninstall(Agent::Gemini);
    assert_eq!(bench.text(path), before);
    assert_eq!(bench.desk.text(RECORD), None, "nothing is left to remember");
}

#[test]
fn files_that_were_not_there_go_again() {
    for (host, files) in [
        (Agent::Gemini, vec!["/h/.gemini/settings.json"]),
        (
            Agent::Claude,
            vec!["/h/.claude.json", "/h/.claude/settings.json"],
        ),
        (
            Agent::Codex,
            vec!["/h/.codex/config.toml", "/h/.codex/hooks.json"],
        ),
    ] {
        let bench = Bench::new("");
        let created: Vec<_> = files
            .iter()
            .map(|file| (*file, FileState::Created))
            .collect();
        assert_eq!(states(&bench.install(host)), created);
        assert_eq!(bench.desk.commits().len(), 1, "all files in one commit");
        assert!(files.iter().all(|file| bench.text(file).ends_with('\n')));
        let removed: Vec<_> = files
            .iter()
            .map(|file| (*file, FileState::Removed))
            .collect();
        assert_eq!(states(&bench.uninstall(host)), removed);
        assert!(files.iter().all(|file| bench.desk.text(file).is_none()));
        for dir in ["/h/.claude", "/h/.codex"] {
            let dir = AbsPath::new(dir).unwrap();
            assert!(bench.desk.world(&bench.around).files.real(&dir).is_err());
        }
        assert!(!bench.uninstall(host).written, "twice is fine");
    }
}

#[test]
fn claude_keeps_the_state_it_writes_itself() {
    let path = "/h/.claude.json";
    let bench = Bench::with(path, "{\"numStartups\": 4, \"mcpServers\": {}}");
    bench.install(Agent::Claude);
    let (_, guards) = bench.desk.commits().pop().unwrap();
    assert_eq!(guards, [Guard(AbsPath::new(path).unwrap())]);
    expect![[r#"
        {"numStartups": 4, "mcpServers": {
          "analects": {
            "type": "stdio",
            "command": "/opt/bin/analects",
            "args": ["mcp"]
          }
        }}"#]]
    .assert_eq(&bench.text(path));
    let hooks = bench.text("/h/.claude/settings.json");
    let (head, _) = hooks.split_once("    \"UserPromptSubmit\"").unwrap();
    expect![[r#"
        {
          "hooks": {
            "SessionStart": [
              {
                "hooks": [
                  {
                    "type": "command",
                    "command": "/opt/bin/analects hook claude SessionStart",
                    "timeout": 10
                  }
                ]
              }
            ],"#]]
    .assert_eq(head.trim_end());
    // The host starts, and writes its file anew.
    bench.desk.edit(path, "{\n  \"numStartups\": 5,\n  \"mcpServers\": {\n    \"analects\": {\n      \"type\": \"stdio\",\n      \"command\": \"/opt/bin/analects\",\n      \"args\": [\n        \"mcp\"\n      ],\n      \"env\": {}\n    }\n  }\n}\n");
    assert!(!bench.install(Agent::Claude).written);
    bench.uninstall(Agent::Claude);
    assert_eq!(
        bench.text(path),
        "{\n  \"numStartups\": 5,\n  \"mcpServers\": {}\n}\n"
    );
}

#[test]
fn claude_may_keep_its_files_elsewhere() {
    let mut bench = Bench::new("//- /x/.config.json\n{}\n//- /h/.claude.json\n{}\n");
    let dir = ("CLAUDE_CONFIG_DIR".to_owned(), "/x".to_owned());
    bench.around.vars.insert(dir.0, dir.1);
    let changed = bench.install(Agent::Claude);
    assert_eq!(
        states(&changed),
        [
            ("/x/.config.json", FileState::Changed),
            ("/x/settings.json", FileState::Created)
        ]
    );
    let mut bench = Bench::new("");
    let vars = [
        ("GEMINI_CLI_HOME", "/h"),
        ("HOME", "/real"),
        ("CODEX_HOME", "/c"),
    ];
    let vars = vars.map(|(name, value)| (name.to_owned(), value.to_owned()));
    bench.around.vars.extend(vars);
    let changed = bench.install(Agent::Claude);
    assert_eq!(changed.files[0].path.as_str(), "/real/.claude.json");
    let changed = bench.install(Agent::Codex);
    assert_eq!(changed.files[0].path.as_str(), "/c/config.toml");
}

#[test]
fn codex_gets_a_table_and_a_file_of_hooks() {
    let path = "/h/.codex/config.toml";
    let before = "model = \"m\" # mine\r\n\r\n[mcp_servers.other]\r\ncommand = 'x'\r\n";
    let bench = Bench::with(path, before);
    bench.install(Agent::Codex);
    let after = format!(
        "{before}\r\n[mcp_servers.analects]\r\ncommand = \"/opt/bin/analects\"\r\nargs = [\"mcp\"]\r\n"
    );
    assert_eq!(bench.text(path), after);
    let hooks = bench.text("/h/.codex/hooks.json");
    assert!(
        hooks.contains("\"/opt/bin/analects hook codex SessionEnd\",\n            \"timeout\": 3")
    );
    // A tool was allowed for ever, and the hooks were looked at: Codex notes it in our table and its own.
    let noted = "\r\n[mcp_servers.analects.tools.save_memory]\r\napproval_mode = \"approve\"\r\n\r\n[hooks.state.\"/h/.codex/hooks.json:session_start:0:0\"]\r\ntrusted_hash = \"x\"\r\n";
    bench.desk.edit(path, &format!("{after}{noted}"));
    assert!(!bench.install(Agent::Codex).written);
    bench.uninstall(Agent::Codex);
    let rest =
        "\r\n[hooks.state.\"/h/.codex/hooks.json:session_start:0:0\"]\r\ntrusted_hash = \"x\"\r\n";
    assert_eq!(bench.text(path), format!("{before}{rest}"));
}

#[test]
fn codex_gets_hooks_where_others_have_theirs() {
    let path = "/h/.codex/config.toml";
    let before = "[[hooks.PreCompact]]\n[[hooks.PreCompact.hooks]]\ntype = \"command\"\ncommand = \"date\"\n";
    let bench = Bench::with(path, before);
    let changed = bench.install(Agent::Codex);
    assert_eq!(
        states(&changed),
        [
            (path, FileState::Changed),
            ("/h/.codex/hooks.json", FileState::Unchanged)
        ]
    );
    let text = bench.text(path);
    assert!(text.starts_with(before), "{text}");
    assert!(text.ends_with("\n[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ntype = \"command\"\ncommand = \"/opt/bin/analects hook codex SessionEnd\"\ntimeout = 3\n"), "{text}");
    assert!(!bench.install(Agent::Codex).written);
    // Once the others have moved, ours move too.
    bench.desk.edit(
        "/h/.codex/hooks.json",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"date\"}]}]}}",
    );
    bench.install(Agent::Codex);
    assert!(!bench.text(path).contains("hook codex"));
    assert!(bench.text("/h/.codex/hooks.json").contains("hook codex"));
    bench.uninstall(Agent::Codex);
    assert_eq!(bench.text(path), before);
    assert!(!bench.text("/h/.codex/hooks.json").contains("hook codex"));
}

#[test]
fn an_older_entry_is_replaced_where_it_stands() {
    let path = "/h/.gemini/settings.json";
    let before = r#"{
  "mcpServers": {
    "analects": { "command": "/old/analects", "args": ["mcp", "-v"], "trust": true }, // ours
    "z": {}
  },
  "hooks": {
    "AfterTool": [
      { "matcher": "old", "hooks": [{ "type": "command", "command": "/old/analects hook gemini AfterTool" }] },
      { "hooks": [{ "command": "'/old/analects' hook gemini AfterTool" }, { "command": "date" }] }
    ],
    "AfterAgent": [{ "hooks": [{ "type": "command", "command": "/old/analects hook gemini AfterAgent" }] }]
  }
}"#;
    let bench = Bench::with(path, before);
    bench.install(Agent::Gemini);
    let text = bench.text(path);
    let (head, _) = text.split_once("    \"SessionStart\"").unwrap();
    expect![[r#"
        {
          "mcpServers": {
            "analects": { "command": "/opt/bin/analects", "args": ["mcp"], "trust": true }, // ours
            "z": {}
          },
          "hooks": {
            "AfterTool": [
              { "matcher": "^(read_file|read_many_files|write_file|replace|list_directory|glob|grep_search|search_file_content|run_shell_command)$", "hooks": [{ "type": "command", "command": "/opt/bin/analects hook gemini AfterTool", "name": "analects", "timeout": 10000 }] },
              { "hooks": [{ "command": "date" }] }
            ],
            "AfterAgent": [],
    "#]]
    .assert_eq(head);
    assert!(!bench.install(Agent::Gemini).written);
    let again = bench.uninstall(Agent::Gemini);
    assert_eq!(bench.text(path), before, "it was there before us");
    assert!(again.notes[0].contains("once more"), "{:?}", again.notes);
    bench.uninstall(Agent::Gemini);
    assert_eq!(
        bench.text(path),
        "{\n  \"mcpServers\": {\n    // ours\n    \"z\": {}\n  },\n  \"hooks\": {\n    \"AfterTool\": [\n      { \"hooks\": [{ \"command\": \"date\" }] }\n    ],\n    \"AfterAgent\": []\n  }\n}",
        "nothing of ours is left, however old"
    );
}

#[test]
fn a_new_version_knows_the_way_back_too() {
    let path = "/h/.codex/config.toml";
    let before = "# mine\nmodel = \"m\"";
    let mut bench = Bench::with(path, before);
    bench.install(Agent::Codex);
    bench.around.binary = Some(AbsPath::new("/my bin/analects").unwrap());
    bench.install(Agent::Codex);
    assert!(
        bench
            .text(path)
            .contains("command = \"/my bin/analects\"\n")
    );
    let hooks = bench.text("/h/.codex/hooks.json");
    assert!(hooks.contains("\"'/my bin/analects' hook codex PreCompact\""));
    assert!(!hooks.contains("/opt/bin"));
    bench.uninstall(Agent::Codex);
    assert_eq!(bench.text(path), before);
    assert_eq!(bench.desk.text("/h/.codex/hooks.json"), None);
}

#[test]
fn a_project_has_files_of_its_own() {
    for (host, files) in [
        (Agent::Gemini, vec!["/w/app/.gemini/settings.json"]),
        (
            Agent::Claude,
            vec!["/w/app/.mcp.json", "/w/app/.claude/settings.json"],
        ),
        (
            Agent::Codex,
            vec!["/w/app/.codex/config.toml", "/w/app/.codex/hooks.json"],
        ),
    ] {
        let bench = Bench::new("");
        let changed = bench
            .change(host, Scope::Project, Direction::Install)
            .unwrap();
        let created: Vec<_> = files
            .iter()
            .map(|file| (*file, FileState::Created))
            .collect();
        assert_eq!(states(&changed), created);
        assert!(
            !bench.uninstall(host).written,
            "the user's scope is another"
        );
        let twice = bench.install(host).notes.pop().unwrap();
        assert!(twice.ends_with(" is wired for the project too; one of them is enough"));
        bench.uninstall(host);
        bench
            .change(host, Scope::Project, Direction::Uninstall)
            .unwrap();
        assert_eq!(bench.desk.text(files[0]), None);
    }
}

#[test]
fn a_server_that_is_reached_otherwise_is_replaced_as_a_whole() {
    let path = "/h/.codex/config.toml";
    let bench = Bench::with(
        path,
        "[mcp_servers.analects]\nurl = \"http://127.0.0.1:1\"\n\n[x]\n",
    );
    bench.install(Agent::Codex);
    assert_eq!(
        bench.text(path),
        "\n[x]\n\n[mcp_servers.analects]\ncommand = \"/opt/bin/analects\"\nargs = [\"mcp\"]\n"
    );
    let path = "/h/.gemini/settings.json";
    let bench = Bench::with(
        path,
        "{\"mcpServers\": {\"analects\": {\"httpUrl\": \"x\"}}}",
    );
    bench.install(Agent::Gemini);
    assert!(!bench.text(path).contains("httpUrl"));
}
