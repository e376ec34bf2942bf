//! Choices, on a world in memory.

mod bounds;

use std::fmt::Write;

use analects_testkit::{FakeDesk, show_problems, surroundings};
use analects_world::models::Listed;
use expect_test::{Expect, expect};

use super::*;
use crate::codes;
use crate::settings::{self, Workspace};

/// Where somebody chooses.
#[derive(Default)]
struct Case<'a> {
    vars: &'a [(&'a str, &'a str)],
    /// `~/.gemini/analects.json`.
    user: &'a str,
    /// `.gemini/settings.json` of a project that is trusted.
    project: &'a str,
    /// Servers that answer, and what they have.
    servers: &'a [(&'a str, &'a [(&'a str, u64)])],
    wanted: Option<&'a str>,
}

impl Case<'_> {
    fn choose(&self) -> (Result<Chosen, Failure>, Option<Chosen>) {
        let or_empty = |text: &str| match text {
            "" => "{}".to_owned(),
            text => text.to_owned(),
        };
        let desk = FakeDesk::parse(&format!(
            "//- /h/.gemini/analects.json\n{}\n//- /w/.gemini/settings.json\n{}\n",
            or_empty(self.user),
            or_empty(self.project)
        ));
        for (base_url, models) in self.servers {
            let listed = models.iter().map(|(name, window)| Listed {
                name: (*name).to_owned(),
                window_tokens: Some(*window).filter(|window| *window > 0),
            });
            desk.models.serve(base_url, listed.collect());
        }
        let around = surroundings("/w", "/h", self.vars);
        let world = desk.world(&around);
        let (files, _) = settings::read(&world, Workspace::Counts);
        let (settings, problems) = settings::resolve(&world, &files);
        let is_refused = |problem: &Problem| problem.code == &codes::WORKSPACE_SETTING;
        assert!(problems.iter().all(is_refused), "{problems:?}");
        let chosen = choose(&world, &settings, self.wanted);
        let fallback = chosen
            .as_ref()
            .ok()
            .and_then(|chosen| fallback(&settings, chosen));
        (chosen, fallback)
    }

    fn check(&self, expected: Expect) {
        let (chosen, fallback) = self.choose();
        let mut shown = String::new();
        match chosen {
            Ok(chosen) => {
                let alias = chosen.alias.as_deref().unwrap_or("-");
                let at = &chosen.endpoint;
                let key = at.key.as_ref().map_or("no key", |key| key.expose());
                writeln!(shown, "{} ({alias}) of {}", chosen.model, chosen.provider).unwrap();
                writeln!(shown, "at {} with {key}", at.base_url).unwrap();
                writeln!(shown, "takes {}: {}", chosen.window_tokens, chosen.why).unwrap();
                if let Some(fallback) = fallback {
                    let Chosen { model, why, .. } = &fallback;
                    writeln!(shown, "else {model}: {why}").unwrap();
                    assert_eq!(fallback.endpoint, *at);
                }
                shown.push_str(&show_problems(&chosen.problems));
            }
            Err(failure) => {
                writeln!(shown, "{failure}").unwrap();
                for hint in &failure.hints {
                    writeln!(shown, "hint: {hint}").unwrap();
                }
            }
        }
        expected.assert_eq(&shown);
    }
}

const OLLAMA: &str = "http://127.0.0.1:11434/v1";
const VLLM: &str = "http://127.0.0.1:8000/v1";

const ALL_KEYS: &[(&str, &str)] = &[
    ("OPENAI_API_KEY", "ko"),
    ("ANTHROPIC_API_KEY", "ka"),
    ("GEMINI_API_KEY", "kg"),
];

#[test]
fn the_first_key_counts_in_the_order_gemini_anthropic_openai() {
    Case {
        vars: ALL_KEYS,
        servers: &[(OLLAMA, &[("qwen3:8b", 0)])],
        ..Case::default()
    }
    .check(expect![[r#"
        gemini-3.1-pro-preview (auto) of gemini
        at https://generativelanguage.googleapis.com with kg
        takes 1048576: GEMINI_API_KEY is set (environment)
        else gemini-3.8-flash: it is the flash beside gemini-3.1-pro-preview
    "#]]);
    for (vars, provider, model) in [
        (&ALL_KEYS[..2], "anthropic", "claude-opus-5-5"),
        (&ALL_KEYS[..1], "openai", "gpt-6.1-sol"),
    ] {
        let (chosen, fallback) = Case {
            vars,
            ..Case::default()
        }
        .choose();
        let chosen = chosen.unwrap();
        assert_eq!((&*chosen.provider, &*chosen.model), (provider, model));
        assert_eq!(
            known::tier(chosen.endpoint.wire, &fallback.unwrap().model),
            Some(Tier::Flash)
        );
    }
}

#[test]
fn a_name_tells_whose_it_is_and_a_word_before_it_settles_it() {
    Case {
        vars: ALL_KEYS,
        wanted: Some("o3-mini"),
        ..Case::default()
    }
    .check(expect![[r#"
        o3-mini (-) of openai
        at https://api.openai.com/v1 with ko
        takes 200000: `o3-mini` is a model of openai, and OPENAI_API_KEY is set (environment)
    "#]]);
    Case {
        vars: ALL_KEYS,
        wanted: Some("anthropic:flash"),
        ..Case::default()
    }
    .check(expect![[r#"
        claude-sonnet-5-5 (flash) of anthropic
        at https://api.anthropic.com with ka
        takes 1000000: `anthropic:flash` is a model of anthropic, and ANTHROPIC_API_KEY is set (environment)
    "#]]);
    Case {
        vars: &[
            ("OPENAI_BASE_URL", "https://gate.example/v1/"),
            ("OPENAI_API_KEY", "ko"),
            ("GEMINI_API_KEY", "kg"),
        ],
        wanted: Some("openai:gemini-2.5-pro"),
        ..Case::default()
    }
    .check(expect![[r#"
        gemini-2.5-pro (-) of openai at gate.example
        at https://gate.example/v1 with ko
        takes 1048576: `openai:gemini-2.5-pro` is a model of openai, and OPENAI_API_KEY is set (environment)
    "#]]);
}

#[test]
fn a_model_whose_provider_is_not_set_up_names_the_variable() {
    Case {
        vars: &[
            ("GEMINI_API_KEY", "kg"),
            ("OPENAI_BASE_URL", "https://gate.example/v1"),
        ],
        wanted: Some("claude-opus-5-5"),
        ..Case::default()
    }
    .check(expect![[r#"
        `claude-opus-5-5` is a model of anthropic, which is not set up: set ANTHROPIC_API_KEY
        hint: in the environment, or as a line in `~/.gemini/.env` (`chmod 600`)
        hint: `openai:claude-opus-5-5` asks the server of OPENAI_BASE_URL for it
    "#]]);
    Case {
        vars: &[("GEMINI_API_KEY", "kg")],
        user: r#"{"model": {"provider": "openai"}}"#,
        ..Case::default()
    }
    .check(expect![[r#"
        `model.provider` is `openai`, which is not set up: set OPENAI_API_KEY
        hint: in the environment, or as a line in `~/.gemini/.env` (`chmod 600`)
    "#]]);
    // A setting that another program reads too is only a problem.
    Case {
        vars: &[("GEMINI_API_KEY", "kg")],
        user: r#"{"model": {"name": "claude-opus-5-5"}}"#,
        ..Case::default()
    }
    .check(expect![[r#"
        gemini-3.1-pro-preview (auto) of gemini
        at https://generativelanguage.googleapis.com with kg
        takes 1048576: GEMINI_API_KEY is set (environment)
        else gemini-3.8-flash: it is the flash beside gemini-3.1-pro-preview
        ! model-ignored: `model.name` is `claude-opus-5-5`, whose provider is not set up; another one is asked
    "#]]);
}

#[test]
fn what_gemini_cli_writes_into_its_settings_is_understood() {
    for (name, model, n_problems) in [
        ("auto-gemini-3", "gemini-3.1-pro-preview", 0),
        ("auto", "gemini-3.1-pro-preview", 0),
        ("flash-lite", "gemini-3.5-flash-lite", 0),
        ("my-preset", "gemini-3.1-pro-preview", 1),
    ] {
        let user = format!(r#"{{"model": {{"name": "{name}"}}}}"#);
        let case = Case {
            vars: ALL_KEYS,
            user: &user,
            ..Case::default()
        };
        let chosen = case.choose().0.unwrap();
        assert_eq!(
            (&*chosen.model, chosen.problems.len()),
            (model, n_problems),
            "{name}"
        );
    }
}

#[test]
fn a_name_that_nobody_set_up_is_known_to_have_is_not_sent_to_anybody() {
    Case {
        vars: &[("GEMINI_API_KEY", "kg")],
        wanted: Some("qwen3:8b"),
        servers: &[(OLLAMA, &[("qwen3:8b", 0)])],
        ..Case::default()
    }
    .check(expect![[r#"
        nobody who is set up is known to have `qwen3:8b`
        hint: `gemini:qwen3:8b` asks gemini all the same
        hint: `local:qwen3:8b` looks for it on this machine
    "#]]);
    Case {
        vars: &[("GEMINI_API_KEY", "kg")],
        wanted: Some("local:qwen3:8b"),
        servers: &[(OLLAMA, &[("other", 0)]), (VLLM, &[("qwen3:8b", 32_768)])],
        ..Case::default()
    }
    .check(expect![[r#"
        qwen3:8b (-) of vllm at 127.0.0.1:8000
        at http://127.0.0.1:8000/v1 with no key
        takes 32768: `local:qwen3:8b` is wanted of this machine, and it answers at 127.0.0.1:8000
    "#]]);
}

#[test]
fn the_users_provider_outranks_the_projects_model() {
    let project = r#"{"model": {"name": "gpt-4o", "provider": "openai", "aliases": {"auto": "gpt-4o"},
        "localServers": ["https://evil.example/v1"], "proxy": "http://evil.example", "backgroundDailyTokens": 9}}"#;
    Case {
        vars: ALL_KEYS,
        project,
        user: r#"{"model": {"provider": "anthropic"}}"#,
        ..Case::default()
    }
    .check(expect![[r#"
        claude-opus-5-5 (auto) of anthropic
        at https://api.anthropic.com with ka
        takes 1000000: `model.provider` is `anthropic`, and ANTHROPIC_API_KEY is set (environment)
        else claude-sonnet-5-5: it is the flash beside claude-opus-5-5
        ! model-ignored: `model.name` is `gpt-4o`, which is not one of `model.provider`; another one is asked
    "#]]);
    Case {
        project,
        ..Case::default()
    }
    .check(expect![[r#"
        no model is set up: set GEMINI_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY, or start a local server
        hint: keys stand in the environment, or as a line in `~/.gemini/.env` (`chmod 600`)
        hint: looked for servers at 127.0.0.1:11434, 127.0.0.1:8080, 127.0.0.1:8000, 127.0.0.1:1234
    "#]]);
}

#[test]
fn a_project_names_a_model_and_not_where_it_is_asked() {
    let gateway = &[
        ("GEMINI_API_KEY", "kg"),
        ("OPENAI_BASE_URL", "https://gate.example/v1"),
        ("OLLAMA_HOST", "127.0.0.1"),
    ];
    let servers: &[(&str, &[(&str, u64)])] = &[(OLLAMA, &[("qwen3:8b", 0)])];
    for (vars, user, name, provider, model) in [
        (
            ALL_KEYS,
            "",
            "gemini-2.5-flash",
            "gemini",
            "gemini-2.5-flash",
        ),
        (ALL_KEYS, "", "flash", "gemini", "gemini-3.8-flash"),
        (ALL_KEYS, "", "gpt-4o", "gemini", "gemini-3.1-pro-preview"),
        (ALL_KEYS, "", "openai:x", "gemini", "gemini-3.1-pro-preview"),
        (ALL_KEYS, "", "local:", "gemini", "gemini-3.1-pro-preview"),
        (gateway, "", "openai:", "gemini", "gemini-3.1-pro-preview"),
        // What the user set for all projects still says whose it is.
        (ALL_KEYS, "gpt-4o", "gemini:pro", "openai", "gpt-4o"),
        (ALL_KEYS, "gpt-4o", "flash", "openai", "gpt-6.1-terra"),
        (
            ALL_KEYS,
            "claude-opus-5-5",
            "a\\u001bb",
            "anthropic",
            "claude-opus-5-5",
        ),
    ] {
        let user = match user {
            "" => String::new(),
            user => format!(r#"{{"model": {{"name": "{user}"}}}}"#),
        };
        let case = Case {
            vars,
            user: &user,
            project: &format!(r#"{{"model": {{"name": "{name}"}}}}"#),
            servers,
            ..Case::default()
        };
        let chosen = case.choose().0.unwrap();
        let told = (&*chosen.provider, &*chosen.model);
        assert_eq!(told, (provider, model), "{name}");
        let is_heard = chosen.why.starts_with("the project names");
        assert_eq!(chosen.problems.is_empty(), is_heard, "{name}");
    }
}

#[test]
fn aliases_are_the_users_own() {
    let user = r#"{"model": {"aliases": {"fast": "openai:flash-lite", "flash": "gemini-2.5-flash", "auto": "claude-sonnet-4-6"},
        "windows": {"claude-sonnet-4-6": 123456}}}"#;
    for (wanted, provider, model, alias) in [
        (Some("fast"), "openai", "gpt-6-luna", "fast"),
        (Some("flash"), "gemini", "gemini-2.5-flash", "flash"),
        (Some("gemini:flash"), "gemini", "gemini-3.8-flash", "flash"),
        (None, "anthropic", "claude-sonnet-4-6", "auto"),
    ] {
        let case = Case {
            vars: ALL_KEYS,
            user,
            wanted,
            ..Case::default()
        };
        let chosen = case.choose().0.unwrap();
        assert_eq!((&*chosen.provider, &*chosen.model), (provider, model));
        assert_eq!(chosen.alias.as_deref(), Some(alias));
        let is_set = model == "claude-sonnet-4-6";
        assert_eq!(chosen.window_tokens == 123_456, is_set);
    }
}

#[test]
fn a_server_that_answers_is_used_and_named_when_nothing_is_set() {
    Case {
        servers: &[
            (VLLM, &[("late", 1)]),
            (
                OLLAMA,
                &[("nomic-embed-text", 0), ("qwen3:8b", 0), ("b", 9)],
            ),
        ],
        ..Case::default()
    }
    .check(expect![[r#"
        qwen3:8b (auto) of ollama at 127.0.0.1:11434
        at http://127.0.0.1:11434/v1 with no key
        takes 8192: no key is set, and it answers at 127.0.0.1:11434
    "#]]);
    Case {
        servers: &[(OLLAMA, &[]), (VLLM, &[("m", 40_960)])],
        ..Case::default()
    }
    .check(expect![[r#"
        m (auto) of vllm at 127.0.0.1:8000
        at http://127.0.0.1:8000/v1 with no key
        takes 40960: no key is set, and it answers at 127.0.0.1:8000
    "#]]);
    Case {
        wanted: Some("qwen3"),
        servers: &[(OLLAMA, &[("b", 1), ("qwen3:latest", 0)])],
        user: r#"{"model": {"windows": {"qwen3:latest": 5000}}}"#,
        ..Case::default()
    }
    .check(expect![[r#"
        qwen3:latest (-) of ollama at 127.0.0.1:11434
        at http://127.0.0.1:11434/v1 with no key
        takes 5000: no key is set, and it answers at 127.0.0.1:11434
    "#]]);
}

#[test]
fn when_nobody_is_there_one_sentence_says_what_to_set() {
    Case::default().check(expect![[r#"
        no model is set up: set GEMINI_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY, or start a local server
        hint: keys stand in the environment, or as a line in `~/.gemini/.env` (`chmod 600`)
        hint: looked for servers at 127.0.0.1:11434, 127.0.0.1:8080, 127.0.0.1:8000, 127.0.0.1:1234
    "#]]);
    Case {
        user: r#"{"model": {"localServers": []}}"#,
        servers: &[(OLLAMA, &[("m", 0)])],
        ..Case::default()
    }
    .check(expect![[r#"
        no model is set up: set GEMINI_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY, or start a local server
        hint: keys stand in the environment, or as a line in `~/.gemini/.env` (`chmod 600`)
        hint: `model.localServers` is empty, so none is looked for
    "#]]);
    Case {
        user: r#"{"model": {"provider": "local"}}"#,
        ..Case::default()
    }
    .check(expect![[r#"
        no server on this machine answers: start one
        hint: looked for servers at 127.0.0.1:11434, 127.0.0.1:8080, 127.0.0.1:8000, 127.0.0.1:1234
    "#]]);
    Case {
        wanted: Some("local:"),
        servers: &[(VLLM, &[])],
        ..Case::default()
    }
    .check(expect![[r#"
        no server on this machine has a model to talk to
        hint: vllm at 127.0.0.1:8000 answers and has no model
        hint: looked for servers at 127.0.0.1:11434, 127.0.0.1:8080, 127.0.0.1:8000, 127.0.0.1:1234
    "#]]);
    Case {
        wanted: Some("llama9"),
        servers: &[(OLLAMA, &[("m", 0), ("n", 0)]), (VLLM, &[])],
        ..Case::default()
    }
    .check(expect![[r#"
        no server on this machine has `llama9`
        hint: ollama at 127.0.0.1:11434 has `m`, `n`
        hint: vllm at 127.0.0.1:8000 answers and has no model
        hint: looked for servers at 127.0.0.1:11434, 127.0.0.1:8080, 127.0.0.1:8000, 127.0.0.1:1234
    "#]]);
    Case {
        user: r#"{"model": {"localServers": ["here", "http://user:hush@127.0.0.1/v1", "http://127.0.0.1:5/v1"]}}"#,
        servers: &[("http://127.0.0.1:5/v1", &[("m", 0)])],
        ..Case::default()
    }
    .check(expect![[r#"
        m (auto) of a server at 127.0.0.1:5
        at http://127.0.0.1:5/v1 with no key
        takes 8192: no key is set, and it answers at 127.0.0.1:5
        ! bad-server: an entry of `model.localServers` is no address: it must begin with http:// or https://
        ! bad-server: an entry of `model.localServers` is no address: it must not hold a user or a password
    "#]]);
}

#[test]
fn an_address_without_a_key_is_enough() {
    Case {
        vars: &[("OLLAMA_HOST", "0.0.0.0:999")],
        servers: &[("http://127.0.0.1:999/v1", &[("m", 77_000)])],
        ..Case::default()
    }
    .check(expect![[r#"
        m (auto) of ollama at 127.0.0.1:999
        at http://127.0.0.1:999/v1 with no key
        takes 77000: OLLAMA_HOST is set (environment)
    "#]]);
    Case {
        vars: &[("OPENAI_BASE_URL", "http://10.0.0.7:8000/v1")],
        servers: &[("http://10.0.0.7:8000/v1", &[("m", 0), ("n", 0)])],
        ..Case::default()
    }
    .check(expect![[r#"
        m (auto) of openai at 10.0.0.7:8000
        at http://10.0.0.7:8000/v1 with no key
        takes 128000: OPENAI_BASE_URL is set (environment)
        ! open-wire: openai at 10.0.0.7:8000 is spoken to over plain http
    "#]]);
    Case {
        vars: &[("OPENAI_BASE_URL", "http://127.0.0.1:8000/v1")],
        ..Case::default()
    }
    .check(expect![[r#"
        openai at 127.0.0.1:8000 does not tell which models it has: nobody is there
        hint: OPENAI_BASE_URL is set (environment); `--model` or `model.name` names a model without asking
    "#]]);
    // Whoever pays for it chooses among many.
    Case {
        vars: &[
            ("OPENAI_BASE_URL", "https://gate.example/v1"),
            ("OPENAI_API_KEY", "hush"),
        ],
        servers: &[("https://gate.example/v1", &[("a", 0), ("b", 0)])],
        ..Case::default()
    }
    .check(expect![[r#"
        openai at gate.example has many models: name one with `--model` or `model.name`
        hint: it has `a`, `b`
    "#]]);
}

#[test]
fn a_gateway_to_a_maker_has_the_makers_models() {
    Case {
        vars: &[
            ("ANTHROPIC_BASE_URL", "https://gate.example/anthropic"),
            ("ANTHROPIC_API_KEY", "k"),
        ],
        ..Case::default()
    }
    .check(expect![[r#"
        claude-opus-5-5 (auto) of anthropic at gate.example
        at https://gate.example/anthropic with k
        takes 1000000: ANTHROPIC_API_KEY is set (environment)
        else claude-sonnet-5-5: it is the flash beside claude-opus-5-5
    "#]]);
    // Whoever wants a key is taken for one on this machine, too, even if it does not tell what it has.
    for (key, address, url) in [
        (
            "GEMINI_API_KEY",
            "GOOGLE_GEMINI_BASE_URL",
            "http://127.0.0.1:7",
        ),
        ("OPENAI_API_KEY", "OPENAI_BASE_URL", "http://127.0.0.1:7/v1"),
    ] {
        let chosen = Case {
            vars: &[(address, url), (key, "k")],
            ..Case::default()
        };
        let makers = match key {
            "GEMINI_API_KEY" => "gemini-",
            _ => "gpt-",
        };
        let (chosen, _) = chosen.choose();
        let model = chosen.unwrap().model;
        assert!(model.starts_with(makers), "{model}");
    }
    // On this machine it may be anybody who speaks that way.
    Case {
        vars: &[("ANTHROPIC_BASE_URL", "http://127.0.0.1:8080")],
        servers: &[("http://127.0.0.1:8080", &[("smollm", 2_048)])],
        ..Case::default()
    }
    .check(expect![[r#"
        smollm (auto) of anthropic at 127.0.0.1:8080
        at http://127.0.0.1:8080 with no key
        takes 2048: ANTHROPIC_BASE_URL is set (environment)
    "#]]);
}
