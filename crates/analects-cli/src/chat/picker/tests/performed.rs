//! The picker performed on a stage that is a script.

use std::collections::VecDeque;
use std::io;

use crossterm::event::Event;

use super::super::perform::{Doing, Stage, perform};
use super::*;

/// What happens while nobody draws, one batch after another.
struct Script {
    batches: VecDeque<VecDeque<Event>>,
    log: Vec<String>,
}

impl Stage for Script {
    fn draw(&mut self, picker: &mut Picker) -> io::Result<()> {
        assert_eq!(picker.wants_preview(), None);
        let screen = rows(&drawn(picker, (60, 16)));
        let marked = screen.lines().find(|row| row.starts_with('>'));
        self.log
            .push(format!("draw {}", marked.unwrap_or_default()));
        Ok(())
    }

    fn forget(&mut self) -> io::Result<()> {
        self.log.push("forget".to_owned());
        Ok(())
    }

    fn wait(&mut self) -> io::Result<Option<Event>> {
        while self.batches.front().is_some_and(VecDeque::is_empty) {
            self.batches.pop_front();
        }
        self.ready()
    }

    fn ready(&mut self) -> io::Result<Option<Event>> {
        Ok(self.batches.front_mut().and_then(VecDeque::pop_front))
    }

    fn step_aside(&mut self, work: &mut dyn FnMut()) -> io::Result<()> {
        self.log.push("aside".to_owned());
        work();
        self.log.push("back".to_owned());
        Ok(())
    }
}

/// What came of it, and everything that happened on the way.
fn performed(mut picker: Picker, batches: &[&str]) -> (Picked, Vec<String>) {
    let batch = |script: &&str| keys(script).into_iter().map(Event::Key).collect();
    let mut stage = Script {
        batches: batches.iter().map(batch).collect(),
        log: Vec::new(),
    };
    let mut acted = Vec::new();
    let mut previewed = Vec::new();
    let doing = Doing {
        preview: &mut |id| {
            previewed.push(format!("read {id}"));
            preview(id)
        },
        act: &mut |action, ids| {
            acted.push(format!("{} {}", action.word, ids.join(", ")));
            Outcome::Gone {
                ids: if action == EDIT {
                    Vec::new()
                } else {
                    ids.to_vec()
                },
                said: "done".to_owned(),
            }
        },
    };
    let picked = perform(&mut stage, &mut picker, doing).unwrap();
    let log = [stage.log, previewed, acted].concat();
    (picked, log)
}

#[test]
fn everything_typed_meanwhile_is_drawn_once() {
    let (picked, log) = performed(sessions(), &["jjj", "k", "<enter>"]);
    let items = vec!["s3".to_owned()];
    assert_eq!(
        picked,
        Picked::Chose {
            action: RESUME,
            items
        }
    );
    let draws = log.iter().filter(|line| line.starts_with("draw")).count();
    assert_eq!(draws, 3);
    let read: Vec<_> = log.iter().filter(|line| line.starts_with("read")).collect();
    assert_eq!(read, ["read s1", "read s4", "read s3"]);
}

#[test]
fn what_was_typed_before_the_result_was_seen_does_not_act() {
    let (picked, log) = performed(inbox(), &["addd", "e", "q"]);
    assert_eq!(picked, Picked::Left);
    expect_test::expect![[r#"
        draw > [ ] release-a-crate            seen in 4 sessions · new s…
        draw > [ ] style.md.patch             1 line added, 1 removed · …
        aside
        back
        draw > [ ] style.md.patch             1 line added, 1 removed · …
        read release-a-crate
        read style.md.patch
        read style.md.patch
        accept for me release-a-crate
        edit style.md.patch"#]]
    .assert_eq(&log.join("\n"));
}

#[test]
fn a_terminal_that_is_gone_ends_it() {
    assert_eq!(performed(sessions(), &[]).0, Picked::Gone);
    assert_eq!(performed(sessions(), &["/x"]).0, Picked::Gone);
}

#[test]
fn the_screen_is_drawn_anew_when_somebody_asks() {
    let (_, log) = performed(sessions(), &["<ctrl-l>"]);
    assert!(log.contains(&"forget".to_owned()));
}
