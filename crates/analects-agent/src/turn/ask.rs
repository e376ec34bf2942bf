//! Asking the model, hearing it, and running what it wants.

use analects_chat::answer::Heard;
use analects_chat::harden::CONTINUE;
use analects_chat::limits::Limits;
use analects_chat::loops::asking::{Next as Judgement, SecondModel};
use analects_chat::loops::{self, Loop, Verdict};
use analects_chat::question::Question;
use analects_world::model::{Body, Call, Content, Part, Role};
use analects_world::models::{Event as Piece, Usage};
use analects_world::provenance::Author;

use super::{Dialogue, End, Heed, Next, Note, Round, Stage, Step, Unanswered, Want, name, speaker};

impl Dialogue {
    /// Everything fits: is the model going in circles?
    pub(super) fn ready(&mut self) -> Step {
        if let Some(found) = self.loops.observe(loops::Event::Turn) {
            return self.strike(found);
        }
        match self.loops.question(&self.history, &self.request) {
            Some(question) => self.judge(question, Round::First),
            None => self.route(),
        }
    }

    fn judge(&mut self, question: Question, round: Round) -> Step {
        self.stage = Stage::Judging(question.clone(), round);
        Step::only(Next::Judge(question, round))
    }

    pub(super) fn judged(
        &mut self,
        question: Question,
        round: Round,
        answer: Option<&str>,
        second: SecondModel,
    ) -> Step {
        let found = match round {
            Round::First => match self.loops.answered(answer, second) {
                Judgement::GoOn => None,
                Judgement::AskSecond => return self.judge(question, Round::Second),
                Judgement::Found(found) => Some(found),
            },
            Round::Second => self.loops.answered_second(answer),
        };
        match found {
            Some(found) => self.strike(found),
            None => self.route(),
        }
    }

    fn route(&mut self) -> Step {
        if self.is_routed {
            return self.ask();
        }
        self.stage = Stage::Routing;
        Step::only(Next::Route)
    }

    /// One model answers a whole prompt: tools that it wanted are answered to itself.
    pub(super) fn routed(&mut self, limits: Limits) -> Step {
        self.is_routed = true;
        let is_narrower = limits.window_tokens < self.limits.window_tokens;
        self.limits = limits;
        match is_narrower {
            true => self.reduce(),
            false => self.ask(),
        }
    }

    fn ask(&mut self) -> Step {
        let is_new = !self.pending.is_empty();
        if is_new {
            self.sent_from = Some(self.history.len());
            self.history.append(&mut self.pending);
        }
        self.before_answer = Some(self.loops.clone());
        self.stage = Stage::Asking;
        let step = Step::only(Next::Ask);
        match is_new {
            true => step.with(Note::Asked),
            false => step,
        }
    }

    /// Looks for loops in a piece of an answer.
    pub(super) fn watch(&mut self, piece: &Piece) -> Heed {
        let Piece::Part(part) = piece else {
            return Heed::GoOn;
        };
        let seen = match &part.body {
            Body::Text(text) if !part.is_thought => self.loops.observe(loops::Event::Text(text)),
            Body::Call(call) => self.loops.observe(loops::Event::Call(call)),
            _ => None,
        };
        match seen {
            Some(found) => {
                self.found = Some(found);
                Heed::Stop
            }
            None => Heed::GoOn,
        }
    }

    pub(super) fn heard(&mut self, heard: Heard) -> Step {
        if let Some(found) = self.found.take() {
            return self.strike(found);
        }
        self.sent_from = None;
        let usage = heard.usage;
        let mut answer = heard.into_content(self.name("answer"));
        name::calls(&mut answer, &mut self.taken);
        let calls: Vec<_> = answer.calls().cloned().collect();
        self.history.push(answer);
        self.measure(usage);
        self.backoff.answered();
        if calls.is_empty() {
            return self.stopped().with(Note::Said);
        }
        self.stage = Stage::Running(calls.clone());
        Step::only(Next::Run(calls)).with(Note::Said)
    }

    /// The model has stopped; whoever wants to know asks whether it is done.
    fn stopped(&mut self) -> Step {
        if self.options.next_speaker == Want::No {
            return Step::only(Next::End(End::Answered));
        }
        self.stage = Stage::Listening;
        let question = speaker::question(&self.history, self.limits.profile);
        Step::only(Next::Listen(question))
    }

    /// It goes on if that is what another model says, as often as there are turns left.
    pub(super) fn spoke(&mut self, answer: Option<&str>) -> Step {
        let has_turns = self.n_turns < self.options.max_turns;
        if !speaker::goes_on(answer) || !has_turns {
            return Step::only(Next::End(End::Answered));
        }
        let id = self.name("continue");
        self.history
            .push(Content::written_by(id, Author::System, CONTINUE));
        self.turn()
    }

    /// What the server counted is believed, as far as it counted anything.
    fn measure(&mut self, usage: Option<Usage>) {
        let Some(usage) = usage else { return };
        let Some(prompt) = usage.prompt.filter(|prompt| *prompt > 0) else {
            return;
        };
        let count =
            |tokens: Option<u64>| usize::try_from(tokens.unwrap_or(0)).unwrap_or(usize::MAX);
        let answer = count(usage.answer).saturating_add(count(usage.thoughts));
        let profile = self.limits.profile;
        // What could be learned stands in the ledger, from where the next session learns it.
        let _ = self
            .gauge
            .answered(count(Some(prompt)), answer, &self.history, profile);
    }

    pub(super) fn unanswered(&mut self, why: Unanswered) -> Step {
        if let Some(found) = self.found.take() {
            return self.strike(found);
        }
        if why == Unanswered::TooLarge && !self.was_too_large {
            // Our estimate was wrong. What it was does not matter: less is sent.
            self.was_too_large = true;
            self.n_reductions = 0;
            return self.compress();
        }
        self.give_up(End::Unanswered)
    }

    pub(super) fn ran(&mut self, calls: &[Call], parts: Vec<Part>) -> Step {
        for part in &parts {
            if let Body::Response(response) = &part.body {
                self.loops.observe(loops::Event::Answer(response));
            }
        }
        debug_assert!(parts.len() >= calls.len(), "every call has its response");
        let said_by = self.history.last().map_or("", |said| &said.id);
        self.history.push(Content {
            id: format!("{said_by}_response"),
            role: Role::User,
            parts,
        });
        self.turn().with(Note::Ran)
    }

    /// Tells the model that it goes in circles; the second time it has to stop.
    fn strike(&mut self, found: Loop) -> Step {
        let verdict = found.verdict.clone();
        let note = Note::Loop(found);
        match verdict {
            Verdict::Stop => self.give_up(End::Loop).with(note),
            Verdict::Nudge(text) => {
                self.loops.resume();
                if self.sent_from.is_none() && !self.pending.is_empty() {
                    self.sent_from = Some(self.history.len());
                }
                self.history.append(&mut self.pending);
                let id = self.name("nudge");
                self.history
                    .push(Content::written_by(id, Author::System, text));
                self.turn().with(note)
            }
        }
    }
}
