//! One run of a sub-agent, as a state machine. It is told the time and never asks for it.
//!
//! A [`Dialogue`] says what is to be done; this counts its requests and its time. `complete_task` is answered here and
//! goes no further. Whoever has no turns or no time left, or stops without completing the task, gets one last turn of
//! a minute, in which nothing else can be called. So there are never more requests than [`Limits::max_turns`] and one.

mod grace;
mod outcome;
mod round;

use analects_chat::loops::asking::SecondModel;
use analects_world::model::{Call, Content, Part};
use analects_world::provenance::Author;

use super::Output;
use crate::turn::{Dialogue, End, Event, Next, Note, Step};

use grace::{Grace, last_words};
pub use outcome::{Finished, Limits, Offers, Reason};
pub use round::Answered;
use round::{Refused, Round};

/// One run of a sub-agent.
#[derive(Debug)]
pub struct Errand {
    dialogue: Dialogue,
    limits: Limits,
    output: Output,
    began_ms: u64,
    phase: Phase,
    /// What it was sent with.
    task: Option<Task>,
    n_asked: usize,
    /// The calls of the answer that was heard last, while their tools run.
    round: Option<Round>,
    answered: Vec<Answered>,
    finished: Option<Finished>,
}

#[derive(Debug)]
enum Phase {
    Working,
    Grace(Grace),
}

#[derive(Debug)]
struct Task {
    id: String,
    /// The task itself, until the model has said something about it: a request that is cut short takes it along.
    unheard: Option<Content>,
}

impl Errand {
    /// A run that begins now, on a dialogue that has not begun. What the dialogue was told about turns no longer
    /// holds: they are counted here.
    #[must_use]
    pub fn new(mut dialogue: Dialogue, limits: Limits, output: Output, now_ms: u64) -> Self {
        dialogue.leave_limits();
        Self {
            dialogue,
            limits,
            output,
            began_ms: now_ms,
            phase: Phase::Working,
            task: None,
            n_asked: 0,
            round: None,
            answered: Vec::new(),
            finished: None,
        }
    }

    /// Takes what happened, and says what is to be done now. Once that is [`Next::End`], there is something
    /// [`Errand::finished`].
    ///
    /// [`Event::Cancelled`] at or after [`Errand::deadline_ms`] means that its time was over. [`Next::Run`] may come
    /// with no calls at all: all of them were answered here, and the next step puts that into the history. It is
    /// answered by [`Event::Ran`] like any other.
    pub fn step(&mut self, event: Event, now_ms: u64) -> Step {
        self.answered.clear();
        if self.finished.is_some() {
            return only(Next::End(End::OutOfStep));
        }
        match (self.round.take(), event) {
            (Some(round), Event::Ran(parts)) => self.ran(round, parts, now_ms),
            (Some(round), Event::Cancelled) => self.stopped(round, now_ms),
            (None, Event::Cancelled) => self.cancelled(now_ms),
            (None, event) if self.is_late(now_ms) && is_on_the_way(&event) => {
                drop(event);
                self.cancelled(now_ms)
            }
            (_, event) => {
                if let Event::Prompt(task) = &event {
                    let (id, unheard) = (task.id.clone(), Some(task.clone()));
                    self.task = Some(Task { id, unheard });
                }
                let step = self.dialogue.step(event);
                self.follow(step, now_ms)
            }
        }
    }

    /// How long a person took, which does not count.
    pub fn waited(&mut self, ms: u64) {
        self.began_ms = self.began_ms.saturating_add(ms);
        if let Phase::Grace(grace) = &mut self.phase {
            grace.until_ms = grace.until_ms.saturating_add(ms);
        }
    }

    /// When whatever goes on now has to be cut short.
    #[must_use]
    pub fn deadline_ms(&self) -> u64 {
        match self.phase {
            Phase::Working => self.began_ms.saturating_add(self.limits.max_ms),
            Phase::Grace(grace) => grace.until_ms,
        }
    }

    /// What the model may call now.
    #[must_use]
    pub fn offers(&self) -> Offers {
        match self.phase {
            Phase::Working => Offers::Everything,
            Phase::Grace(_) => Offers::OnlyCompletion,
        }
    }

    /// What it says.
    #[must_use]
    pub fn dialogue(&self) -> &Dialogue {
        &self.dialogue
    }

    /// The same, to be told of pieces of an answer.
    pub fn dialogue_mut(&mut self) -> &mut Dialogue {
        &mut self.dialogue
    }

    /// The calls that were answered here and got into the history with the last step: nobody else has recorded them.
    /// There are some only if it noted [`Note::Ran`].
    #[must_use]
    pub fn answered(&self) -> &[Answered] {
        &self.answered
    }

    /// What came of it, once it is over.
    #[must_use]
    pub fn finished(&self) -> Option<&Finished> {
        self.finished.as_ref()
    }

    /// What it answers with.
    #[must_use]
    pub fn output(&self) -> &Output {
        &self.output
    }

    fn is_late(&self, now_ms: u64) -> bool {
        now_ms >= self.deadline_ms()
    }

    fn has_turns(&self) -> bool {
        self.n_asked < self.limits.max_turns
    }

    /// Does what is to be done here, and hands on the rest.
    fn follow(&mut self, step: Step, now_ms: u64) -> Step {
        let Step { notes, next } = step;
        if let Some(task) = &mut self.task
            && notes.iter().any(|note| matches!(note, Note::Said))
        {
            task.unheard = None;
        }
        let next = match next {
            Next::Run(calls) => self.run(calls, now_ms),
            Next::End(end) => return self.ended(notes, end, now_ms),
            next => match self.phase {
                Phase::Working if !self.has_turns() => {
                    self.dialogue.step(Event::Cancelled);
                    return self.last_turn(notes, Reason::MaxTurns, now_ms);
                }
                // It has had its last turn. Whatever would be asked now is not.
                Phase::Grace(Grace { is_asked: true, .. }) => {
                    let end = self.dialogue.step(Event::Cancelled).next;
                    return self.finish_late(notes, end, now_ms);
                }
                _ => next,
            },
        };
        match (next, &mut self.phase) {
            (Next::Ask, phase) => {
                self.n_asked += 1;
                if let Phase::Grace(grace) = phase {
                    grace.is_asked = true;
                }
                let next = Next::Ask;
                Step { notes, next }
            }
            // What another model thinks about progress no longer matters, and takes time.
            (Next::Judge(..), Phase::Grace(_)) => {
                let event = Event::Judged(None, SecondModel::Missing);
                let step = after(notes, self.dialogue.step(event));
                self.follow(step, now_ms)
            }
            (next, _) => Step { notes, next },
        }
    }

    /// Answers what is answered here; the rest is run.
    fn run(&mut self, calls: Vec<Call>, now_ms: u64) -> Next {
        let refused = match self.phase {
            Phase::Grace(_) => Some(Refused::LastTurn),
            Phase::Working if self.is_late(now_ms) => Some(Refused::NoTime),
            Phase::Working => None,
        };
        let round = Round::new(calls, &self.output, refused);
        let open = round.open();
        self.round = Some(round);
        Next::Run(open)
    }

    /// The tools have run.
    fn ran(&mut self, round: Round, parts: Vec<Part>, now_ms: u64) -> Step {
        let why = match self.phase {
            _ if round.has_result() => Some(Reason::Goal),
            Phase::Grace(grace) => Some(grace.why),
            Phase::Working if !self.has_turns() => Some(Reason::MaxTurns),
            Phase::Working if self.is_late(now_ms) => Some(Reason::Timeout),
            Phase::Working => None,
        };
        self.close(round, parts, why, now_ms)
    }

    /// The tools were stopped before they could answer. A task that was completed beside them is complete.
    fn stopped(&mut self, round: Round, now_ms: u64) -> Step {
        let why = match self.phase {
            _ if round.has_result() => Reason::Goal,
            Phase::Working if self.is_late(now_ms) => Reason::Timeout,
            Phase::Grace(grace) if self.is_late(now_ms) => grace.why,
            Phase::Working | Phase::Grace(_) => Reason::Aborted,
        };
        self.close(round, Vec::new(), Some(why), now_ms)
    }

    /// Puts the responses into the history; then it goes on, has its last turn, or is over.
    fn close(&mut self, round: Round, parts: Vec<Part>, why: Option<Reason>, now_ms: u64) -> Step {
        let mut closed = round.close(parts);
        self.answered = closed.answered;
        let is_working = matches!(self.phase, Phase::Working);
        match why {
            None => {
                let step = self.dialogue.step(Event::Ran(closed.parts));
                self.follow(step, now_ms)
            }
            Some(why @ (Reason::MaxTurns | Reason::Timeout)) if is_working => {
                closed
                    .parts
                    .push(Part::written_by(Author::System, last_words(why)));
                self.give_grace(why, now_ms);
                let step = self.dialogue.step(Event::Ran(closed.parts));
                self.follow(step, now_ms)
            }
            Some(why) => {
                let notes = self.dialogue.step(Event::Ran(closed.parts)).notes;
                self.dialogue.step(Event::Cancelled);
                self.finish(why, closed.result, now_ms);
                let next = Next::End(why.end());
                Step { notes, next }
            }
        }
    }

    /// Somebody wants it to stop, or its time is over. What was being asked is given up.
    fn cancelled(&mut self, now_ms: u64) -> Step {
        let is_late = self.is_late(now_ms);
        let Step { notes, next } = self.dialogue.step(Event::Cancelled);
        match self.phase {
            Phase::Working if is_late && self.task.is_some() => {
                self.last_turn(notes, Reason::Timeout, now_ms)
            }
            Phase::Grace(_) if is_late => self.finish_late(notes, next, now_ms),
            Phase::Working | Phase::Grace(_) => {
                self.finish(Reason::Aborted, None, now_ms);
                Step { notes, next }
            }
        }
    }

    /// The dialogue is over; the errand may not be.
    fn ended(&mut self, notes: Vec<Note>, end: End, now_ms: u64) -> Step {
        let next = Next::End(end);
        let why = match (&self.phase, end) {
            (_, End::OutOfStep) => Reason::Error,
            (Phase::Grace(_), _) => return self.finish_late(notes, next, now_ms),
            (_, End::Answered) => {
                let why = match self.is_late(now_ms) {
                    true => Reason::Timeout,
                    false => Reason::NoCompletion,
                };
                return self.last_turn(notes, why, now_ms);
            }
            (_, End::TurnLimit) => Reason::MaxTurns,
            (_, End::Cancelled) => Reason::Aborted,
            (_, End::Overflow(_)) => Reason::Overflow,
            (_, End::Loop) => Reason::Loop,
            (_, End::Unanswered) => Reason::Error,
        };
        self.finish(why, None, now_ms);
        Step { notes, next }
    }

    fn finish(&mut self, reason: Reason, result: Option<serde_json::Value>, now_ms: u64) {
        self.finished = Some(Finished {
            reason,
            result,
            n_turns: self.n_asked,
            ms: now_ms.saturating_sub(self.began_ms),
        });
    }
}

/// Whether something was done that only leads to the next request. It is not worth going on with it without time.
fn is_on_the_way(event: &Event) -> bool {
    match event {
        Event::Prepared(_)
        | Event::Kept(_)
        | Event::Written(_)
        | Event::Judged(..)
        | Event::Routed(_)
        | Event::Spoke(_) => true,
        Event::Prompt(_)
        | Event::Heard(_)
        | Event::Unanswered(_)
        | Event::Ran(_)
        | Event::Cancelled => false,
    }
}

fn only(next: Next) -> Step {
    let notes = Vec::new();
    Step { notes, next }
}

fn after(mut notes: Vec<Note>, step: Step) -> Step {
    notes.extend(step.notes);
    let next = step.next;
    Step { notes, next }
}

#[cfg(test)]
mod tests;
