//! The choice by lines.

use analects_world::AbsPath;
use expect_test::expect;

use super::*;
use crate::ui::Screen;

/// What came of what was typed, what was done, and what was written.
fn asked(items: Vec<Item>, actions: &[Action], typed: &str) -> (Picked, Vec<String>, String) {
    let screen = Screen {
        is_terminal: true,
        has_color: false,
        asks_first: false,
        width: 80,
        home: AbsPath::root(),
    };
    let (mut said, mut acted) = (Vec::new(), Vec::new());
    let lines = Lines {
        screen: &screen,
        hear: &mut typed.as_bytes(),
        say: &mut said,
    };
    let mut act = |action: Action, ids: &[String]| {
        acted.push(format!("{} {}", action.word, ids.join(", ")));
        Outcome::Gone {
            ids: ids.to_vec(),
            said: "done\u{1b}[2J".to_owned(),
        }
    };
    let picked = ask_by_number(lines, "Inbox\n", items, actions, &mut preview, &mut act).unwrap();
    let said = String::from_utf8(said).unwrap();
    assert!(!said.contains('\u{1b}'));
    (picked, acted, said)
}

fn session_items() -> Vec<Item> {
    let items = (1..).zip(SESSIONS);
    let items = items.map(|(n, (title, note))| item(&format!("s{n}"), title, note));
    items.collect()
}

#[test]
fn a_number_resumes_a_session() {
    let chose = |id: &str| Picked::Chose {
        action: RESUME,
        items: vec![id.to_owned()],
    };
    for (typed, expected) in [
        ("2\n", chose("s2")),
        (" 3 ", chose("s3")),
        ("resume 4\n", chose("s4")),
        ("?1\n/crlf\n2\n", chose("s2")),
        ("q\n", Picked::Left),
        ("", Picked::Gone),
        ("/crlf\n", Picked::Gone),
        ("0\n9\nx\n1\n", Picked::Left),
        ("0\n9\n1\n", chose("s1")),
        ("1 2\n1-2\n18446744073709551616\n", Picked::Left),
    ] {
        assert_eq!(
            asked(session_items(), &[RESUME], typed).0,
            expected,
            "{typed:?}"
        );
    }
}

#[test]
fn letters_act_on_one_or_many_and_numbers_stay_what_they_were() {
    for (typed, expected) in [
        (
            "a 1\nd4\nq\n",
            &["accept for me release-a-crate", "dismiss run-the-lab"][..],
        ),
        (
            "A 1,2\n",
            &["accept for me release-a-crate, style.md.patch"],
        ),
        (
            "d 1 1-2 4\n",
            &["dismiss release-a-crate, style.md.patch, run-the-lab"],
        ),
        (
            "d 1\nd 1\nd 2\n",
            &["dismiss release-a-crate", "dismiss style.md.patch"],
        ),
        // The third is decided on its own.
        ("a 1-4\n", &[]),
        ("a 3\n", &["accept for me from-the-web"]),
        ("d 2\na 1-2\n", &["dismiss style.md.patch"]),
        ("e 1 2\n", &[]),
        ("a\na x\na -\n", &[]),
        (
            "Accept for this project 2\n",
            &["accept for this project style.md.patch"],
        ),
    ] {
        assert_eq!(asked(proposals(), &INBOX, typed).1, expected, "{typed:?}");
    }
}

#[test]
fn it_reads_like_this() {
    let mut items = proposals();
    items[0].title = "evil\u{1b}[2J\ntitle".to_owned();
    let (_, _, said) = asked(items, &INBOX, "?\n2\na 1-4\nd 2\n/seen\nq\n");
    expect![[r#"
        Inbox: 4
          1. evil\u{1b}[2J\u{a}title  seen in 4 sessions · new skill
          2. style.md.patch  1 line added, 1 removed · memory
          3. from-the-web  rests on foreign text · quarantine
          4. run-the-lab  seen in 2 sessions
        Your choice (number, ? for help, q to leave): a 1 3-5    accept for me
        p 1 3-5    accept for this project
        e 3        edit
        d 1 3-5    dismiss
        3          show it
        +          list more
        /word      list what has this word in it; / alone lists all
        q          leave
        Your choice (number, ? for help, q to leave): 2. style.md.patch
        A rule that you corrected twice:

        - tabs are no longer used

        --- style.md
        +++ style.md
        @@ -1,3 +1,3 @@
         # Style
        -- Indent with tabs.
        +- Indent with four blanks, and never with tabs: \u{1b}[31mred\u{1b}[0m is not red here, and this line is so long that it is folded.
         - Name things well.

        - after the diff
        Your choice (number, ? for help, q to leave): 3 is decided on its own, not among many
        Your choice (number, ? for help, q to leave): done\u{1b}[2J
        Your choice (number, ? for help, q to leave):   1. evil\u{1b}[2J\u{a}title  seen in 4 sessions · new skill
          4. run-the-lab  seen in 2 sessions
        Your choice (number, ? for help, q to leave): "#]].assert_eq(&said);
}

#[test]
fn a_long_list_comes_in_parts() {
    let items: Vec<_> = (1..=45)
        .map(|n| item("x", &format!("title {n}"), ""))
        .collect();
    let (_, _, said) = asked(items, &[RESUME], "+\n+\n+\nq\n");
    let more: Vec<_> = said.lines().filter(|line| line.contains("more")).collect();
    expect![[r#"
        25 more: type + to see them
        5 more: type + to see them
        Your choice (number, ? for help, q to leave): nothing more"#]]
    .assert_eq(&more.join("\n"));
    assert_eq!(said.matches(". title ").count(), 45);
}

#[test]
fn the_rest_of_an_endless_line_is_not_a_line() {
    let typed = format!("{}\n1\n", "x 1 ".repeat(100_000));
    let (picked, _, said) = asked(session_items(), &[RESUME], &typed);
    assert!(matches!(picked, Picked::Chose { .. }));
    assert_eq!(said.matches("Your choice").count(), 2);
}
