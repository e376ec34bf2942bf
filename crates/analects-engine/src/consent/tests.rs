//! What a person says to a change, and what happens while they think.

use std::sync::Arc;

use analects_testkit::{FakeDesk, surroundings};
use analects_world::ask::{Choice, Pick, Question, Reply};
use analects_world::{Ask, Surroundings};
use expect_test::expect;

use super::*;

const FILE: &str = "/h/a.md";

/// Proposes to append a line to a file.
fn append(desk: &FakeDesk, line: &str, flags: &Flags) -> Result<Decided, Failure> {
    append_for(desk, &desk.person, line, flags)
}

/// The same, with this person to ask.
fn append_for(
    desk: &FakeDesk,
    person: &dyn Ask,
    line: &str,
    flags: &Flags,
) -> Result<Decided, Failure> {
    let around: Surroundings = surroundings("/h", "/h", &[]);
    let world = World {
        person,
        ..desk.world(&around)
    };
    let path = AbsPath::new(FILE).unwrap();
    let mut plan = |files: &dyn Files| {
        let old = write::bytes_of(files, &path)?;
        let new = [old.as_deref().unwrap_or_default(), line.as_bytes()].concat();
        let change = Change::new(&path, old.as_deref(), Some(new));
        Ok(Proposed {
            title: "Append".to_owned(),
            doubts: Vec::new(),
            is_unwanted: false,
            changes: Changes::new("test", "to see", vec![change]),
        })
    };
    let guarded = Guarded { allowed: &[] };
    let ready = &mut || Ok(());
    propose(&world, flags, Consent::Ask, &guarded, &mut plan, ready)
}

fn ask(desk: &FakeDesk, line: &str) -> Result<Decided, Failure> {
    append(desk, line, &Flags::default())
}

fn desk() -> FakeDesk {
    FakeDesk::parse("//- /h/a.md\none\n//- /h/link.md -> a.md\n")
}

#[test]
fn the_change_is_shown_before_it_is_made() {
    let desk = desk();
    desk.person.will_say(Answer::Yes);
    assert!(ask(&desk, "two\n").unwrap().is_written());
    expect![[r#"
        Append
        --- /h/a.md	Current
        +++ /h/a.md	Proposed
        @@ -1 +1,2 @@
         one
        +two
    "#]]
    .assert_eq(&desk.person.asked()[0]);
    assert_eq!(desk.text(FILE).as_deref(), Some("one\ntwo\n"));
}

#[test]
fn no_means_that_nothing_happens() {
    let desk = desk();
    desk.person.will_say(Answer::No);
    let decided = ask(&desk, "two\n").unwrap();
    assert!(decided.is_declined && !decided.is_written());
    assert_eq!(desk.text(FILE).as_deref(), Some("one\n"));
}

#[test]
fn always_holds_for_this_file_only() {
    let desk = desk();
    desk.person.will_say(Answer::Always);
    assert!(ask(&desk, "two\n").unwrap().is_written());
    assert!(ask(&desk, "three\n").unwrap().is_written());
    assert_eq!(desk.person.asked().len(), 1);
}

#[test]
fn without_anybody_to_ask_nothing_is_written_and_a_way_is_shown() {
    let desk = desk();
    let failure = ask(&desk, "two\n").unwrap_err();
    assert!(failure.hints.iter().any(|hint| hint.contains("--yes")));
    let yes = Flags {
        yes: true,
        ..Flags::default()
    };
    assert!(append(&desk, "two\n", &yes).unwrap().is_written());
    assert_eq!(desk.person.asked().len(), 1, "`--yes` asks nobody");
}

/// An agent that has agreed to a call, or to none, while somebody else writes.
struct Host<'a> {
    desk: &'a FakeDesk,
    answer: Answer,
}

impl Ask for Host<'_> {
    fn consent(&self, _: &Proposal<'_>) -> Answer {
        let now = self.desk.text(FILE).unwrap_or_default();
        self.desk.edit(FILE, &format!("{now}more\n"));
        self.answer
    }

    fn edit(&self, _: &Draft<'_>) -> Result<String, String> {
        Err("nobody is there".to_owned())
    }

    fn question(&self, _: &Question<'_>) -> Reply {
        Reply::Nobody
    }

    fn pick(&self, _: &str, _: &[Choice]) -> Option<Vec<Pick>> {
        None
    }

    fn reach(&self) -> Reach {
        Reach::Approved
    }
}

#[test]
fn what_a_host_approved_of_is_written_whatever_others_write_meanwhile() {
    let desk = desk();
    let answer = Answer::Yes;
    let host = Host {
        desk: &desk,
        answer,
    };
    let decided = append_for(&desk, &host, "two\n", &Flags::default()).unwrap();
    assert!(decided.is_written());
    assert_eq!(desk.text(FILE).as_deref(), Some("one\nmore\ntwo\n"));
}

#[test]
fn an_agent_is_not_told_how_to_get_around_the_user() {
    let desk = desk();
    let answer = Answer::Nobody;
    let host = Host {
        desk: &desk,
        answer,
    };
    let failure = append_for(&desk, &host, "two\n", &Flags::default()).unwrap_err();
    let told = format!("{failure} {}", failure.hints.join(" "));
    assert!(told.contains("only the user can agree"), "{told}");
    assert!(!told.contains("--yes") && !told.contains("auto"), "{told}");
}

#[test]
fn a_dry_run_only_shows() {
    let desk = desk();
    let look = Flags {
        dry_run: true,
        ..Flags::default()
    };
    let decided = append(&desk, "two\n", &look).unwrap();
    assert!(decided.diff.contains("+two") && !decided.is_written());
    assert!(desk.commits().is_empty() && desk.person.asked().is_empty());
}

#[test]
fn what_an_editor_saves_meanwhile_is_kept_and_the_change_shown_again() {
    let desk = Arc::new(desk());
    let editor = Arc::clone(&desk);
    desk.person
        .will_say_while(Answer::Yes, move || editor.edit(FILE, "one\nedited\n"));
    desk.person.will_say(Answer::Yes);
    assert!(ask(&desk, "two\n").unwrap().is_written());
    assert_eq!(desk.text(FILE).as_deref(), Some("one\nedited\ntwo\n"));
    let asked = desk.person.asked();
    assert_eq!(asked.len(), 2);
    assert!(asked[1].starts_with("Append (anew)"), "{}", asked[1]);
    assert!(asked[1].contains(" edited\n+two"), "{}", asked[1]);
}

#[test]
fn a_person_may_change_the_text_and_sees_it_once_more() {
    let desk = desk();
    desk.person.will_say(Answer::Edit);
    desk.person.will_edit("ONE\ntwo, as I say it\n");
    desk.person.will_say(Answer::Yes);
    let decided = ask(&desk, "two\n").unwrap();
    assert!(decided.is_edited && decided.is_written());
    assert_eq!(desk.text(FILE).as_deref(), Some("ONE\ntwo, as I say it\n"));
    assert!(desk.person.asked()[1].contains("+two, as I say it"));
}

#[test]
fn an_edit_survives_what_others_write_meanwhile() {
    let tree = format!("//- /h/a.md\none\n{}last\n", "same\n".repeat(8));
    let desk = Arc::new(FakeDesk::parse(&tree));
    let before = desk.text(FILE).unwrap();
    desk.person.will_say(Answer::Edit);
    desk.person
        .will_edit(&format!("{}mine\n", before.replace("one", "ONE")));
    let editor = Arc::clone(&desk);
    let theirs = before.replacen("same\nsame\n", "same\nTHEIRS\n", 1);
    desk.person
        .will_say_while(Answer::Yes, move || editor.edit(FILE, &theirs));
    desk.person.will_say(Answer::Yes);
    assert!(ask(&desk, "two\n").unwrap().is_written());
    let text = desk.text(FILE).unwrap();
    for kept in ["ONE", "THEIRS", "mine"] {
        assert!(text.contains(kept), "{kept} is lost: {text}");
    }
}

#[test]
fn an_edit_of_what_others_changed_too_is_put_before_the_person_again() {
    let desk = Arc::new(desk());
    desk.person.will_say(Answer::Edit);
    desk.person.will_edit("ONE\n");
    let editor = Arc::clone(&desk);
    desk.person
        .will_say_while(Answer::Yes, move || editor.edit(FILE, "eins\n"));
    desk.person.will_edit("ONE, eins\n");
    desk.person.will_say(Answer::Yes);
    assert!(ask(&desk, "two\n").unwrap().is_written());
    assert_eq!(desk.text(FILE).as_deref(), Some("ONE, eins\n"));
}

#[test]
fn secrets_are_stopped_whoever_writes_them() {
    let desk = desk();
    let secret = ["AKIA", "QZ7PTR4WXN3LKJ5H"].concat();
    let yes = Flags {
        yes: true,
        ..Flags::default()
    };
    let line = format!("key {secret}\n");
    let refused = append(&desk, &line, &yes).unwrap_err();
    assert!(!format!("{refused:?}").contains(&secret));
    desk.person.will_say(Answer::Edit);
    desk.person.will_edit(&format!("one\n{line}"));
    assert!(ask(&desk, "two\n").is_err());
    assert_eq!(desk.text(FILE).as_deref(), Some("one\n"));
}
