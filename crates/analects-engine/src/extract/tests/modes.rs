//! Who learns, by what is set where.

use super::*;

/// The mode that these settings make: the user's `analects.json` and `settings.json`, and the project's.
fn check(user: &str, gemini: &str, project: &str, vars: &[(&str, &str)]) -> &'static str {
    let more = format!(
        "//- /h/.gemini/analects.json\n{user}\n//- /h/.gemini/settings.json\n{gemini}\n//- /w/app/.gemini/analects.json\n{project}\n"
    );
    let scene = Scene::with(&more, vars);
    let world = scene.desk.world(&scene.around);
    let prepared = prepare(&world, &scene.flags).unwrap();
    mode(&world, &prepared).as_str()
}

#[test]
fn nothing_is_spent_unless_somebody_says_so() {
    let learn = |word: &str| format!(r#"{{"memory": {{"learn": "{word}"}}}}"#);
    let auto = r#"{"experimental": {"autoMemory": true}}"#;
    let manager = r#"{"experimental": {"memoryManager": true}}"#;
    let neither = r#"{"experimental": {"autoMemory": false, "memoryManager": false}}"#;
    assert_eq!(check("{}", "{}", "{}", &[]), "local");
    assert_eq!(check("{}", auto, "{}", &[]), "model");
    assert_eq!(check("{}", manager, "{}", &[]), "model");
    assert_eq!(check("{}", neither, "{}", &[]), "local");
    for word in ["off", "local", "model"] {
        assert_eq!(check(&learn(word), "{}", "{}", &[]), word);
        assert_eq!(check(&learn(word), auto, "{}", &[]), word);
        let killed = [(KILL_SWITCH, "1")];
        assert_eq!(check(&learn(word), "{}", "{}", &killed), "off");
        assert_eq!(check(&learn(word), "{}", "{}", &[(KILL_SWITCH, "0")]), word);
    }
}

#[test]
fn a_project_may_ask_for_less_and_never_for_more() {
    let learn = |word: &str| format!(r#"{{"memory": {{"learn": "{word}"}}}}"#);
    let auto = r#"{"experimental": {"autoMemory": true}}"#;
    for (user, project, expected) in [
        ("local", "model", "local"),
        ("off", "model", "off"),
        ("off", "local", "off"),
        ("model", "off", "off"),
        ("model", "local", "local"),
    ] {
        let (user, project) = (learn(user), learn(project));
        assert_eq!(check(&user, "{}", &project, &[]), expected);
        assert_eq!(check(&user, auto, &project, &[]), expected);
    }
    assert_eq!(check("{}", "{}", &learn("model"), &[]), "local");
    assert_eq!(check("{}", "{}", auto, &[]), "local");
    let manager = r#"{"experimental": {"memoryManager": true}}"#;
    assert_eq!(check("{}", "{}", manager, &[]), "local");
}

#[test]
fn who_wants_no_memory_wants_no_learning() {
    let mut scene = Scene::new(1);
    scene.flags.no_memory = true;
    let wish = Wish {
        model: true,
        ..ASKED
    };
    let report = scene.learn(&wish, &|_| panic!("nobody learns")).unwrap();
    assert_eq!(report.outcome, Outcome::Off);
    assert!(scene.desk.commits().is_empty());
}
