//! What lines mean.

use super::*;

fn verb_of(line: &str) -> String {
    match read(line) {
        Ok(Slash::Verb(words)) => words.join("|"),
        other => format!("{other:?}"),
    }
}

#[test]
fn verbs_are_those_of_the_shell() {
    let cases = [
        ("memory", "memory|show"),
        ("memory show", "memory|show"),
        ("memory list --entries", "memory|list|--entries"),
        (
            "memory add I like tea, don't I",
            "memory|add|--|I like tea, don't I",
        ),
        (
            "memory add --to project use tabs",
            "memory|add|--to|project|--|use tabs",
        ),
        ("remember  that's it ", "memory|add|--|that's it"),
        ("forget tea", "memory|forget|--|tea"),
        ("dream", "memory|tidy"),
        ("context src \"a b\"", "context|src|a b"),
        ("trust", "trust|show"),
        ("trust add", "trust|add"),
        ("sessions", "session|list"),
        ("session search the bug", "session|search|the|bug"),
        ("config", "config|show"),
    ];
    for (line, words) in cases {
        assert_eq!(verb_of(line), words, "{line}");
    }
}

#[test]
fn a_path_a_comment_and_what_follows_a_blank_are_no_commands() {
    for line in [
        "/home/me/app.py:12: TypeError",
        "/etc/",
        "// what does this say?",
        "/* a block */",
        "/**",
        " /help",
        "\t/help",
        "help",
    ] {
        assert_eq!(after_slash(line), None, "{line}");
    }
    for (line, command) in [
        ("/help", "help"),
        ("/context src/lib", "context src/lib"),
        (
            "/remember that\n/a is a path",
            "remember that\n/a is a path",
        ),
        ("/?", "?"),
        ("/", ""),
    ] {
        assert_eq!(after_slash(line), Some(command), "{line}");
    }
}

#[test]
fn what_only_a_chat_can_do_has_names_of_other_agents_too() {
    let cases = [
        ("compress", Slash::Compress { focus: None }),
        (
            "compact the parser",
            Slash::Compress {
                focus: Some("the parser".to_owned()),
            },
        ),
        ("summarize", Slash::Compress { focus: None }),
        ("compress undo", Slash::Uncompress),
        ("pin never push", Slash::Pin("never push".to_owned())),
        ("pin", Slash::Pins),
        ("context", Slash::Window),
        ("memory inbox", Slash::Inbox),
        ("resume 3", Slash::Resume(Some("3".to_owned()))),
        ("rewind 2", Slash::Rewind(2)),
        ("?", Slash::Help),
        ("exit", Slash::Quit),
        ("new", Slash::Clear),
    ];
    for (line, does) in cases {
        assert_eq!(read(line), Ok(does), "{line}");
    }
}

#[test]
fn a_beginning_is_enough_if_only_one_is_meant() {
    assert_eq!(verb_of("mem li"), "memory|list");
    assert_eq!(verb_of("mem refr"), "memory|refresh");
    assert_eq!(read("q"), Ok(Slash::Quit));
    assert_eq!(
        read("comp"),
        Err(Unknown {
            message: "there is no command /comp".to_owned(),
            hint: Some("did you mean /compress, /compact?".to_owned()),
        })
    );
    assert_eq!(
        read("memroy").unwrap_err().hint.unwrap(),
        "did you mean /memory?"
    );
    assert_eq!(
        read("memory lsit").unwrap_err().hint.unwrap(),
        "did you mean /memory list?"
    );
    assert_eq!(
        read("xyzzy").unwrap_err().hint.unwrap(),
        "/help lists them all"
    );
    assert!(read("rewind soon").is_err());
}

#[test]
fn skills_are_looked_at_by_the_verbs_of_the_shell() {
    for (line, words) in [
        ("skills", "skill|list"),
        ("skill list --all", "skill|list|--all"),
        ("skills list all", "skill|list|--all"),
        ("skills reload", "skill|list"),
        ("skills dis mill", "skill|disable|--|mill"),
        ("skills enable mill", "skill|enable|--|mill"),
    ] {
        assert_eq!(verb_of(line), words, "{line}");
    }
    assert!(verbs_of("skills").contains(&"disable".to_owned()));
}

#[test]
fn a_skill_is_followed_by_its_name_unless_that_is_a_commands() {
    let known = |name: &str| (name == "mill" || name == "memory").then(|| name.to_owned());
    let mill = |said: &str| Slash::Skill {
        name: "mill".to_owned(),
        said: said.to_owned(),
    };
    assert_eq!(skill("mill", known), Some(mill("")));
    assert_eq!(
        skill("mill  grind it, @corn.txt", known),
        Some(mill("grind it, @corn.txt"))
    );
    assert_eq!(skill("memory", known), None);
    assert_eq!(skill("mil", known), None);
    assert_eq!(skill("", known), None);
}

#[test]
fn every_verb_there_is_can_be_read() {
    for told in COMMANDS {
        if let Does::Words(words) | Does::Noun(words, _) = told.does {
            assert!(command_at(words).is_some(), "{words:?}");
        }
        for name in told.names {
            assert_eq!(
                COMMANDS.iter().filter(|it| it.names.contains(name)).count(),
                1,
                "{name}"
            );
        }
    }
}
