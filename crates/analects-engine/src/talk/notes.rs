//! Records, counts and reports what happened to a history.

use analects_agent::activity::Happening;
use analects_agent::turn::{Compressed, Note, Swapped, Why};
use analects_chat::compress;
use analects_chat::loops::Loop;
use analects_session::message::{MessageKind, Status};
use analects_text::problem::Problem;
use analects_world::model::stable_id;

use super::Tell;
use super::ide::Telling;
use super::record::Used;
use super::run::Run;
use crate::events::{self, Weights, What};
use crate::{codes, inbox};

impl Run<'_, '_> {
    /// Writes down what happened to the history.
    pub(super) fn note(&mut self, note: Note) {
        let world = self.world;
        if matches!(note, Note::Asked | Note::Said | Note::Ran) {
            self.noticed(Happening::MessageAdded);
        }
        let problem = match note {
            Note::Asked => {
                let turn = self.course.dialogue().history().last().cloned();
                let (record, prepared) = (&mut self.record, self.prepared);
                turn.and_then(|turn| record.asked(&world, prepared, &turn))
            }
            Note::Said => self.said(),
            // What tools answered was recorded when they had; what an errand answers itself was not.
            Note::Ran => self.answered_here(),
            Note::Swapped(swapped) => {
                self.memory
                    .forget_what_left(self.course.dialogue().history());
                self.swapped(swapped)
            }
            Note::Compressed(compressed) => {
                self.memory
                    .forget_what_left(self.course.dialogue().history());
                self.compressed(compressed)
            }
            Note::Loop(found) => self.looped(&found),
        };
        self.tell_new(problem.into_iter().collect());
    }

    fn said(&mut self) -> Option<Problem> {
        let turn = self.course.dialogue().history().last()?.clone();
        let (model, usage) = self.answered.clone()?;
        let text: Vec<_> = turn.texts().collect();
        let text = text.concat();
        if !text.trim().is_empty() {
            (self.tell)(Tell::Said { text: &text });
            self.response = text;
        }
        if let Some(why) = self.cut_short.take() {
            self.tell_each(Problem::new(&codes::ANSWER_CUT, why));
        }
        self.record.said(&self.world, &turn, &model, usage)
    }

    fn answered_here(&mut self) -> Option<Problem> {
        let answered = self.course.answered();
        if answered.is_empty() {
            return None;
        }
        let used = answered.iter().map(|it| Used {
            id: it.call.id.clone().unwrap_or_default(),
            name: it.call.name.clone(),
            args: it.call.args.clone(),
            parts: vec![it.part.clone()],
            status: match it.result {
                Ok(_) => Status::Success,
                Err(_) => Status::Error,
            },
            shown: String::new(),
            agent_id: None,
        });
        let used = used.collect();
        let model = self.answered.as_ref().map(|(model, _)| model.clone());
        self.record
            .used(&self.world, &model.unwrap_or_default(), used)
    }

    fn swapped(&mut self, swapped: Swapped) -> Option<Problem> {
        let tokens = Weights {
            before: swapped.before_tokens as u64,
            after: swapped.after_tokens as u64,
        };
        let count = swapped.count as u64;
        self.count(match swapped.why {
            Why::Old => What::Masked { count, tokens },
            Why::Budget => What::Shortened { count, tokens },
        })
    }

    fn compressed(&mut self, compressed: Compressed) -> Option<Problem> {
        let trigger = events::Trigger::Auto;
        let Compressed {
            status,
            before_tokens,
            after_tokens,
            ..
        } = compressed;
        if status != compress::Status::Compressed {
            let status = events::Word::from(status.as_str());
            return self.count(What::CompressionFailed {
                status,
                trigger,
                ms: self.written_ms,
            });
        }
        self.telling = Telling::Whole;
        self.toolbox.seen.forget();
        let message = format!(
            "the conversation was compressed from about {before_tokens} to {after_tokens} tokens"
        );
        self.tell_new(vec![Problem::new(&codes::COMPRESSED, message)]);
        let history = self.course.dialogue().history();
        let recorded = self.record.compressed(
            &self.world,
            history,
            &compressed.snapshot_id,
            [before_tokens, after_tokens],
        );
        let tokens = Weights {
            before: before_tokens as u64,
            after: after_tokens as u64,
        };
        let counted = self.count(What::Compressed {
            tokens,
            trigger,
            ms: self.written_ms,
        });
        self.tell_new(recorded.into_iter().chain(counted).collect());
        self.after_compress(before_tokens, after_tokens);
        self.propose(&compressed.constraints)
    }

    /// The user's constraints may belong in memory: they are proposed.
    fn propose(&mut self, constraints: &[String]) -> Option<Problem> {
        if constraints.is_empty() {
            return None;
        }
        let proposed = inbox::propose(&self.world, &self.flags, self.prepared, constraints, "talk");
        let failure = proposed.err()?;
        Some(Problem::new(&codes::NOT_PROPOSED, failure.to_string()))
    }

    fn looped(&mut self, found: &Loop) -> Option<Problem> {
        let message = format!("the model goes in circles: {}", found.detail);
        self.tell_new(vec![Problem::new(&codes::LOOP, message.clone())]);
        let id = stable_id(&[&self.session_id, "loop", &found.strike.to_string()]);
        let noted = self
            .record
            .notice(&self.world, MessageKind::Warning, &id, &message);
        let counted = self.count(What::Loop {
            kind: events::Word::from(found.kind.as_str()),
        });
        noted.or(counted)
    }

    /// Counts something that was done about the context.
    pub(super) fn count(&mut self, what: What) -> Option<Problem> {
        self.stats.reduced(&what);
        let event = events::Event {
            at_ms: self.world.clock.now_ms(),
            session: Some(self.session.clone()),
            what,
        };
        events::is_on(&self.prepared.settings).then(|| events::note(&self.world, &event))?
    }

    /// Tells something each time it happens, not only the first.
    pub(super) fn tell_each(&mut self, problem: Problem) {
        (self.tell)(Tell::Notice(&problem));
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Tells what was not told before.
    pub(super) fn tell_new(&mut self, problems: Vec<Problem>) {
        for problem in problems {
            if !self.problems.contains(&problem) {
                (self.tell)(Tell::Notice(&problem));
                self.problems.push(problem);
            }
        }
    }
}
