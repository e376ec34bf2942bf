//! From a conversation to a hit, through a real index.

use analects_host::index::SqliteIndex;
use analects_world::files::Measure;
use analects_world::index::{Filter, Index};
use analects_world::{AbsPath, Agent};

use super::*;
use crate::stamp::Stamp;
use crate::transcript::{Head, Kind, Outcome, Role, ToolUse, Transcript, Turn};

const DAY_MS: u64 = 86_400_000;

/// A conversation of lines, said by the user and the model in turn.
fn talk(id: &str, day: u64, lines: &[&str]) -> Transcript {
    let at = Stamp::from_ms(day * DAY_MS);
    let turns = lines.iter().enumerate().map(|(n, line)| Turn {
        id: format!("{id}-{n}"),
        at,
        role: if n % 2 == 0 { Role::User } else { Role::Model },
        text: (*line).to_owned(),
        attached: Vec::new(),
        tools: Vec::new(),
        span: 0..0,
    });
    Transcript {
        head: Head {
            agent: Agent::Gemini,
            id: id.to_owned(),
            title: None,
            cwd: Some("/repo".to_owned()),
            branch: None,
            started: at,
            updated: at,
            kind: Kind::Main,
        },
        turns: turns.collect(),
    }
}

fn index(talks: &[Transcript]) -> SqliteIndex {
    let index = SqliteIndex::in_memory();
    for talk in talks {
        let path = AbsPath::root().join(&talk.head.id);
        let entry = document::entry(&path, Measure::default(), talk);
        index.put(&entry).unwrap();
    }
    index
}

fn check(index: &SqliteIndex, question: &str, expected: &[&str]) {
    let options = Options {
        filter: Filter::default(),
        limit: 10,
        limit_per_session: 3,
        now: Stamp::from_ms(20_000 * DAY_MS),
    };
    let hits = find(index, &Query::parse(question), &options).unwrap();
    let names: Vec<_> = hits.iter().map(|hit| hit.document.name.as_str()).collect();
    assert_eq!(names, expected, "{question}");
}

#[test]
fn other_words_identifiers_and_chinese_find_what_was_meant() {
    let index = index(&[
        talk(
            "a",
            19_000,
            &[
                "the worker panics on startup",
                "fixed: the config was empty",
            ],
        ),
        talk(
            "b",
            19_000,
            &["登录之后会话过期太快", "把 sessionTimeout 调大了"],
        ),
        talk(
            "c",
            19_000,
            &["rename getUserName please", "renamed in src/user_store.rs"],
        ),
    ]);
    check(&index, "crash while starting", &["a-0"]);
    check(&index, "session_timeout", &["b-1", "b-0"]);
    check(&index, "sign in expires", &["b-0", "b-1"]);
    check(&index, "会话", &["b-0", "b-1"]);
    check(&index, "UserStore.rs", &["c-1", "c-0"]);
    check(&index, "\"user name\"", &["c-0"]);
    check(&index, "rename -please", &["c-1"]);
    check(&index, "zebra", &[]);
}

#[test]
fn the_turns_beside_it_and_its_age_decide_between_equals() {
    let index = index(&[
        talk("old", 10_000, &["deadlock in the pool", "done"]),
        talk("new", 19_999, &["deadlock in the pool", "done"]),
        talk(
            "both",
            10_000,
            &["deadlock in the pool", "the scheduler takes the lock twice"],
        ),
    ]);
    check(
        &index,
        "deadlock pool",
        &["new-0", "both-0", "old-0", "both-1"],
    );
    check(
        &index,
        "deadlock scheduler",
        &["both-1", "both-0", "new-0", "old-0"],
    );
}

#[test]
fn what_tools_did_is_found_and_shown() {
    let mut talk = talk("t", 19_000, &["why red?", "let me see"]);
    talk.turns[1].tools.push(ToolUse {
        name: "run_shell_command".to_owned(),
        input: "cargo test -p parser".to_owned(),
        output: format!(
            "{}error[E0502]: cannot borrow `lexer`",
            "ok\n".repeat(4_000)
        ),
        outcome: Outcome::Failed,
        paths: vec!["/repo/src/lexer.rs".to_owned()],
    });
    let index = index(std::slice::from_ref(&talk));
    check(&index, "E0502", &["t-1"]);
    let query = Query::parse("borrow lexer E0502");
    let shown = snippet_of(&talk.turns[1], &query);
    assert!(
        shown.text.ends_with("error[E0502]: cannot borrow `lexer`"),
        "{shown:?}"
    );
    assert_eq!(shown.marks.len(), 3);
}
