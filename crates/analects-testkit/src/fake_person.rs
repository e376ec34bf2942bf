//! A person whose answers are known beforehand.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use analects_world::Ask;
use analects_world::ask::{Answer, Draft, Proposal};

/// Says what it was told to say, in that order; after that there is nobody.
#[derive(Default)]
pub struct FakePerson(Mutex<Script>);

#[derive(Default)]
struct Script {
    answers: VecDeque<(Answer, Meanwhile)>,
    edits: VecDeque<String>,
    asked: Vec<String>,
}

/// What happens while the person thinks.
type Meanwhile = Box<dyn FnOnce() + Send>;

impl FakePerson {
    /// The next answer.
    pub fn will_say(&self, answer: Answer) {
        self.will_say_while(answer, || ());
    }

    /// The next answer, and what happens elsewhere before it is given.
    pub fn will_say_while(&self, answer: Answer, meanwhile: impl FnOnce() + Send + 'static) {
        self.script()
            .answers
            .push_back((answer, Box::new(meanwhile)));
    }

    /// What the person makes of the next draft.
    pub fn will_edit(&self, text: &str) {
        self.script().edits.push_back(text.to_owned());
    }

    /// Everything the person was asked: title, doubts and diff.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        self.script().asked.clone()
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ask for FakePerson {
    fn consent(&self, proposal: &Proposal<'_>) -> Answer {
        let mut script = self.script();
        let doubts: String = proposal
            .doubts
            .iter()
            .map(|doubt| format!("! {doubt}\n"))
            .collect();
        let again = if proposal.is_anew { " (anew)" } else { "" };
        let Proposal { title, diff, .. } = proposal;
        script.asked.push(format!("{title}{again}\n{doubts}{diff}"));
        let next = script.answers.pop_front();
        drop(script);
        let Some((answer, meanwhile)) = next else {
            return Answer::Nobody;
        };
        meanwhile();
        answer
    }

    fn edit(&self, _: &Draft<'_>) -> Result<String, String> {
        let text = self.script().edits.pop_front();
        text.ok_or_else(|| "there is no editor".to_owned())
    }
}
