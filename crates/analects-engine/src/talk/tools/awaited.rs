//! Asks the person on behalf of a call, and measures how long they took.
//!
//! The time that a person takes is theirs: it does not count against a sub-agent that waits for it.

use std::sync::atomic::{AtomicU64, Ordering};

use analects_agent::tools::{Output, Refusal, ask_user};
use analects_world::ask::{Answer, Choice, Draft, Pick, Proposal, Question, Reply};
use analects_world::{Ask, Cancel, Clock};

use crate::World;

/// The person, whose time is taken.
pub(super) struct Awaited<'a> {
    person: &'a dyn Ask,
    clock: &'a dyn Clock,
    ms: AtomicU64,
}

impl<'a> Awaited<'a> {
    pub(super) fn new(world: &World<'a>) -> Self {
        Self {
            person: world.person,
            clock: world.clock,
            ms: AtomicU64::new(0),
        }
    }

    /// How long the person took.
    pub(super) fn ms(&self) -> u64 {
        self.ms.load(Ordering::Relaxed)
    }

    fn timed<T>(&self, ask: impl FnOnce(&dyn Ask) -> T) -> T {
        let began_ms = self.clock.now_ms();
        let said = ask(self.person);
        let ms = self.clock.now_ms().saturating_sub(began_ms);
        self.ms.fetch_add(ms, Ordering::Relaxed);
        said
    }
}

impl Ask for Awaited<'_> {
    fn consent(&self, proposal: &Proposal<'_>) -> Answer {
        self.timed(|person| person.consent(proposal))
    }

    fn edit(&self, draft: &Draft<'_>) -> Result<String, String> {
        self.timed(|person| person.edit(draft))
    }

    fn question(&self, question: &Question<'_>) -> Reply {
        self.timed(|person| person.question(question))
    }

    fn pick(&self, title: &str, choices: &[Choice]) -> Option<Vec<Pick>> {
        self.timed(|person| person.pick(title, choices))
    }
}

/// Asks the person what a model wants to know, one question after the other, until they are gone.
pub(super) fn ask(
    world: &World<'_>,
    cancel: &Cancel,
    args: &ask_user::Args,
) -> Result<Output, Refusal> {
    let asked = ask_user::questions(args)?;
    let mut replies = Vec::with_capacity(asked.len());
    for question in &asked {
        if cancel.is_cancelled() {
            return Err(super::perform::cancelled());
        }
        let reply = world.person.question(&Question {
            text: &question.text,
            options: &question.options,
        });
        let is_gone = reply == Reply::Nobody;
        replies.push(reply);
        if is_gone {
            break;
        }
    }
    ask_user::told(&asked, &replies)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use analects_testkit::{FakeDesk, MovedClock, surroundings};
    use serde_json::json;

    use super::*;

    fn args() -> ask_user::Args {
        serde_json::from_value(json!({ "questions": [
            { "question": "Where to?", "options": [{ "label": "here" }, { "label": "there" }] },
            { "question": "Why?" },
        ] }))
        .unwrap()
    }

    #[test]
    fn each_question_is_put_and_the_time_is_taken() {
        let desk = FakeDesk::parse("//- /w/\n");
        let around = surroundings("/w", "/h", &[]);
        let clock = Arc::new(MovedClock::default());
        let world = World {
            clock: &*clock,
            ..desk.world(&around)
        };
        let person = Awaited::new(&world);
        let asked = World {
            person: &person,
            ..world
        };
        for (reply, ms) in [
            (Reply::Chose(1), 40_000),
            (Reply::Said("because".to_owned()), 2_000),
        ] {
            let clock = Arc::clone(&clock);
            desk.person.will_reply_while(reply, move || {
                clock.move_on(ms);
            });
        }
        let told = ask(&asked, &Cancel::default(), &args()).unwrap();
        assert_eq!(told.text, r#"{"answers":{"0":"there","1":"because"}}"#);
        assert_eq!(person.ms(), 42_000);
        assert_eq!(desk.person.asked().len(), 2);
    }

    #[test]
    fn whoever_is_gone_is_not_asked_on() {
        let desk = FakeDesk::parse("//- /w/\n");
        let around = surroundings("/w", "/h", &[]);
        let world = desk.world(&around);
        let refused = ask(&world, &Cancel::default(), &args()).unwrap_err();
        assert_eq!(refused, ask_user::nobody());
        assert_eq!(desk.person.asked().len(), 1);
        desk.person.will_reply(Reply::Declined);
        let told = ask(&world, &Cancel::default(), &args()).unwrap();
        assert!(told.text.contains("gone") && told.text.contains("\"declined\":[0]"));
    }

    #[test]
    fn a_run_that_was_stopped_asks_nothing_more() {
        let desk = FakeDesk::parse("//- /w/\n");
        let around = surroundings("/w", "/h", &[]);
        let cancel = Cancel::default();
        let stop = cancel.clone();
        let said = Reply::Said("x".to_owned());
        desk.person
            .will_reply_while(Reply::Chose(0), move || stop.cancel());
        desk.person.will_reply(said);
        assert!(ask(&desk.world(&around), &cancel, &args()).is_err());
        assert_eq!(desk.person.asked().len(), 1);
    }
}
