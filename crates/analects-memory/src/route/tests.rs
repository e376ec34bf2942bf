//! Labelled facts, and the reasons given for them.

use super::*;

fn names() -> Vec<String> {
    [
        "Cargo.toml",
        "README.md",
        "Makefile",
        "src/main.rs",
        "src/lib.rs",
        "crates/analects-memory/src/route.rs",
        "docs/guide.md",
        "scripts/x.sh",
        "tests/it/main.rs",
        "billing/invoice.py",
        "billing",
        "auth",
        "web/LoginForm.tsx",
        "session_store",
        "analects_memory::route",
    ]
    .map(str::to_owned)
    .to_vec()
}

fn in_repository(fact: &str) -> Route {
    let names = names();
    route(
        fact,
        &Project {
            name: "analects",
            is_repository: true,
            names: &names,
        },
    )
}

#[test]
fn facts_go_where_they_belong() {
    let facts = include_str!("tests/facts.txt").lines();
    let (mut wrong, mut n_facts) = (Vec::new(), 0);
    for line in facts.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (label, rest) = line.split_once(' ').unwrap();
        let (reason, fact) = match rest
            .strip_prefix('"')
            .and_then(|rest| rest.split_once("\" "))
        {
            Some((word, fact)) => (format!("\"{word}\" "), fact),
            None => {
                let (word, fact) = rest.split_once(' ').unwrap();
                (format!("{word} "), fact)
            }
        };
        let route = in_repository(fact);
        let place = if label == "g" {
            Place::Global
        } else {
            Place::Private
        };
        if route.place != place || !route.because.starts_with(&reason) {
            wrong.push(format!("{fact}: {:?}, {}", route.place, route.because));
        }
        n_facts += 1;
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(n_facts >= 60, "{n_facts}");
}

#[test]
fn outside_a_repository_what_is_unclear_is_global() {
    let outside = Project {
        name: "downloads",
        is_repository: false,
        names: &[],
    };
    assert_eq!(
        route("Deploys happen on Fridays", &outside).place,
        Place::Global
    );
    assert_eq!(route("I prefer tabs", &outside).place, Place::Global);
    assert_eq!(
        route("This project uses pnpm", &outside).place,
        Place::Private
    );
    // Without the project's names a path that starts here still leads into it.
    assert_eq!(route("I always run ./x.sh", &outside).place, Place::Private);
}

#[test]
fn reasons_can_be_shown_as_they_are() {
    let because = |fact| in_repository(fact).because;
    assert_eq!(
        because("I always rebase"),
        "\"i always\" tells of you, not of a project"
    );
    assert_eq!(
        because("Tidy src/lib.rs"),
        "\"src/lib.rs\" is a path in this project"
    );
    assert_eq!(
        because("Use tabs"),
        "nothing in it tells of you, and this is a repository"
    );
    assert_eq!(
        because("Every project uses tabs"),
        "\"every project\" reaches beyond this project"
    );
}

#[test]
fn a_project_named_by_a_common_word_is_not_found_everywhere() {
    let check = |name: &str, fact: &str, expected: Option<&str>| {
        let project = Project {
            name,
            is_repository: true,
            names: &[
                "src/main.rs".to_owned(),
                "rust".to_owned(),
                "notes".to_owned(),
            ],
        };
        assert_eq!(
            names_project(fact, &project).as_deref(),
            expected,
            "{name}: {fact}"
        );
    };
    check("rust", "My favourite language is Rust", None);
    check("notes", "I like short notes", None);
    check("app", "I never use an app for that", None);
    check("app", "The app project needs Node 20", Some("app"));
    check("my-app", "Deploy my_app with care", Some("my_app"));
    check("我的笔记", "我喜欢我的笔记", Some("我的笔记"));
    check("analects", "Read src first, then docs, then tests", None);
    check("analects", "Read ./docs first", Some("./docs"));
    check("analects", "Analectsy is another word", None);
    check(
        "analects",
        "~/code/analects is on the fast disk",
        Some("~/code/analects"),
    );
    check("src", "I like src", None);
}

#[test]
fn what_names_the_project_is_told_as_written() {
    let names = names();
    let project = Project {
        name: "analects",
        is_repository: true,
        names: &names,
    };
    let found = |fact| names_project(fact, &project);
    assert_eq!(
        found("I always check web/LoginForm.tsx").as_deref(),
        Some("web/LoginForm.tsx")
    );
    assert_eq!(
        found("`session_store`, again").as_deref(),
        Some("session_store")
    );
    // A weak mention does not hold against a person; alone it does.
    assert_eq!(found("I always read README.md first"), None);
    assert_eq!(found("Start with README.md").as_deref(), Some("README.md"));
    assert_eq!(found("I like billing"), None);
    assert_eq!(found("Deploys happen on Fridays"), None);
    assert_eq!(found(""), None);
}

proptest::proptest! {
    #[test]
    fn any_text_has_a_place(fact in ".{0,80}", name in ".{0,8}") {
        let names = names();
        let project = Project { name: &name, is_repository: true, names: &names };
        let route = route(&fact, &project);
        proptest::prop_assert!(!route.because.is_empty());
        if names_project(&fact, &project).is_some() {
            proptest::prop_assert_eq!(route.place, Place::Private);
        }
    }
}
