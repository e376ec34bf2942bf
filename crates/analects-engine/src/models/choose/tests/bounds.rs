//! What no choice may do: show or send a key where it does not belong, follow a senseless name, go elsewhere.

use super::*;

#[test]
fn a_key_does_not_travel_in_the_open() {
    let vars = &[
        ("OPENAI_BASE_URL", "http://box.example/v1"),
        ("OPENAI_API_KEY", "hush"),
    ];
    Case {
        vars,
        wanted: Some("openai:m"),
        ..Case::default()
    }
    .check(expect![[r#"
        `OPENAI_BASE_URL` is plain http to another machine, and everybody on the way could read OPENAI_API_KEY
        hint: use https, or a tunnel that ends on this machine
        hint: `model.allowInsecure` sends it all the same
    "#]]);
    // A project cannot allow it.
    let project = r#"{"model": {"allowInsecure": true}}"#;
    let refused = Case {
        vars,
        project,
        ..Case::default()
    }
    .choose()
    .0;
    assert!(refused.unwrap_err().message.contains("plain http"));
    Case {
        vars,
        user: r#"{"model": {"allowInsecure": true}}"#,
        wanted: Some("openai:m"),
        ..Case::default()
    }
    .check(expect![[r#"
        m (-) of openai at box.example
        at http://box.example/v1 with hush
        takes 128000: `openai:m` is a model of openai, and OPENAI_API_KEY is set (environment)
        ! open-wire: openai at box.example is spoken to over plain http
    "#]]);
    let here = &[
        ("OPENAI_BASE_URL", "http://localhost:1/v1"),
        ("OPENAI_API_KEY", "k"),
    ];
    let chosen = Case {
        vars: here,
        wanted: Some("openai:m"),
        ..Case::default()
    }
    .choose()
    .0;
    assert_eq!(chosen.unwrap().problems, []);
}

#[test]
fn what_makes_no_sense_is_told_without_its_value() {
    for (name, value) in [
        ("OPENAI_BASE_URL", "https://user:hush@box.example/v1"),
        ("GOOGLE_GEMINI_BASE_URL", "hush"),
        ("OLLAMA_HOST", "http://hush@x"),
    ] {
        let failure = Case {
            vars: &[(name, value)],
            ..Case::default()
        }
        .choose()
        .0
        .unwrap_err();
        let shown = format!("{failure:?}");
        assert!(shown.contains(name) && !shown.contains("hush"), "{shown}");
    }
    for wanted in [
        "",
        " ",
        "a\nb",
        "a\u{202e}b",
        "gemini:../../x",
        "gemini:a?key=b",
        "gemini:a b",
    ] {
        let failure = Case {
            vars: ALL_KEYS,
            wanted: Some(wanted),
            ..Case::default()
        }
        .choose()
        .0;
        assert!(failure.is_err(), "{wanted:?}");
    }
    let project = r#"{"model": {"name": "a\u001bb"}}"#;
    let chosen = Case {
        vars: ALL_KEYS,
        project,
        ..Case::default()
    }
    .choose()
    .0
    .unwrap();
    assert_eq!(
        show_problems(&chosen.problems),
        "! model-ignored: this is no name of a model\n"
    );
}

#[test]
fn proxies_and_patience_are_set_for_those_who_are_elsewhere() {
    let user = r#"{"model": {"proxy": "http://proxy.example:3128/", "timeoutSecs": 60}}"#;
    let chosen = Case {
        vars: ALL_KEYS,
        user,
        ..Case::default()
    }
    .choose()
    .0
    .unwrap();
    assert_eq!(
        chosen.endpoint.proxy.as_deref(),
        Some("http://proxy.example:3128")
    );
    let patience = chosen.endpoint.patience;
    assert_eq!(
        (patience.connect_ms, patience.first_ms, patience.whole_ms),
        (10_000, 60_000, 60_000)
    );
    let servers: &[(&str, &[(&str, u64)])] = &[(OLLAMA, &[("m", 0)])];
    let chosen = Case {
        user,
        servers,
        ..Case::default()
    }
    .choose()
    .0
    .unwrap();
    assert_eq!(chosen.endpoint.proxy, None);
    let user = r#"{"model": {"proxy": "http://me:hush@proxy.example"}}"#;
    let failure = Case {
        vars: ALL_KEYS,
        user,
        ..Case::default()
    }
    .choose()
    .0
    .unwrap_err();
    assert_eq!(
        failure.message,
        "`model.proxy` is no address of a proxy: it must not hold a user or a password"
    );
}

#[test]
fn a_fallback_stays_where_it_is() {
    let model = |user: &str, wanted: &str| {
        let case = Case {
            vars: ALL_KEYS,
            user,
            wanted: Some(wanted),
            ..Case::default()
        };
        case.choose().1.map(|fallback| fallback.model)
    };
    assert_eq!(
        model("{}", "gemini-2.5-pro").as_deref(),
        Some("gemini-3.8-flash")
    );
    assert_eq!(model("{}", "gemini:flash"), None);
    assert_eq!(model("{}", "o3"), None);
    let set = |name: &str| format!(r#"{{"model": {{"fallback": "{name}"}}}}"#);
    assert_eq!(model(&set("off"), "gemini:pro"), None);
    assert_eq!(
        model(&set("flash-lite"), "gemini:pro").as_deref(),
        Some("gemini-3.5-flash-lite")
    );
    assert_eq!(model(&set("claude-haiku-4-5"), "gemini:pro"), None);
    assert_eq!(model(&set("gemini-3.1-pro-preview"), "gemini:pro"), None);
}

#[test]
fn the_environment_may_name_the_model_as_it_does_for_gemini_cli() {
    let vars = &[
        ("GEMINI_API_KEY", "k"),
        ("GEMINI_MODEL", "gemini-2.5-flash"),
    ];
    let user = r#"{"model": {"name": "pro"}}"#;
    let chosen = Case {
        vars,
        user,
        ..Case::default()
    }
    .choose()
    .0
    .unwrap();
    assert_eq!(chosen.model, "gemini-2.5-flash");
}
