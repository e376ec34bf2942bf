//! A person whose answers are known beforehand.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use analects_world::Ask;
use analects_world::ask::{Answer, Choice, Draft, Pick, Proposal, Question, Reply};

/// Says what it was told to say, in that order; after that there is nobody.
#[derive(Default)]
pub struct FakePerson(Mutex<Script>);

#[derive(Default)]
struct Script {
    answers: VecDeque<(Answer, Meanwhile)>,
    edits: VecDeque<String>,
    replies: VecDeque<(Reply, Meanwhile)>,
    picks: VecDeque<(Vec<Pick>, Meanwhile)>,
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

    /// What the person says to the next question.
    pub fn will_reply(&self, reply: Reply) {
        self.will_reply_while(reply, || ());
    }

    /// What the person says to the next question, and what happens elsewhere before that.
    pub fn will_reply_while(&self, reply: Reply, meanwhile: impl FnOnce() + Send + 'static) {
        let reply = (reply, Box::new(meanwhile) as Meanwhile);
        self.script().replies.push_back(reply);
    }

    /// Which of the next choices the person takes.
    pub fn will_pick(&self, picks: &[Pick]) {
        self.will_pick_while(picks, || ());
    }

    /// Which of the next choices the person takes, and what happens elsewhere before that.
    pub fn will_pick_while(&self, picks: &[Pick], meanwhile: impl FnOnce() + Send + 'static) {
        let picks = (picks.to_vec(), Box::new(meanwhile) as Meanwhile);
        self.script().picks.push_back(picks);
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

    fn question(&self, question: &Question<'_>) -> Reply {
        let mut script = self.script();
        let options = question.options.iter().enumerate();
        let options: String = options
            .map(|(at, option)| format!("{at}. {} {}\n", option.label, option.detail))
            .collect();
        script.asked.push(format!("{}\n{options}", question.text));
        let next = script.replies.pop_front();
        drop(script);
        let Some((reply, meanwhile)) = next else {
            return Reply::Nobody;
        };
        meanwhile();
        reply
    }

    fn pick(&self, title: &str, choices: &[Choice]) -> Option<Vec<Pick>> {
        let mut script = self.script();
        let told = |choice: &Choice| {
            let doubts = choice.doubts.iter().map(|doubt| format!("! {doubt}\n"));
            format!(
                "* {}\n{}{}",
                choice.title,
                doubts.collect::<String>(),
                choice.diff
            )
        };
        let choices: String = choices.iter().map(told).collect();
        script.asked.push(format!("{title}\n{choices}"));
        let next = script.picks.pop_front();
        drop(script);
        let (picks, meanwhile) = next?;
        meanwhile();
        Some(picks)
    }
}
