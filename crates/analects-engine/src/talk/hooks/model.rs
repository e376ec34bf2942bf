//! Hooks around a model.

use analects_agent::hook::model::{answer, edited, offered, request, response, reworded, wishes};
use analects_agent::hook::{Event as At, Occasion, Output, codes};
use analects_agent::subagent::COMPLETE_TASK;
use analects_agent::turn::{self, Event, Unanswered};
use analects_chat::answer::Heard;
use analects_text::problem::Problem;
use analects_world::model::Content;
use analects_world::models::{Options, Tool};
use serde_json::{Map, Value};

use super::shown;
use crate::models::choose::{Chosen, choose};
use crate::talk::run::Run;
use crate::talk::{How, Tell};

/// What is about to be sent.
pub(in crate::talk) struct Outgoing {
    /// What was said so far, as the model's wire wants it.
    pub(in crate::talk) history: Vec<Content>,
    pub(in crate::talk) options: Options,
    pub(in crate::talk) tools: Vec<Tool>,
    pub(in crate::talk) first: Chosen,
    pub(in crate::talk) other: Option<Chosen>,
}

/// What hooks let happen.
pub(in crate::talk) enum Before {
    /// The model is asked.
    Ask,
    /// It is not: this happened instead.
    Instead(Event),
}

impl Run<'_, '_> {
    /// What hooks make of a request.
    pub(in crate::talk) fn before_model(&mut self, outgoing: &mut Outgoing) -> Before {
        self.hooks.offered = None;
        if self.hooks.has(At::BeforeModel) {
            let seen = seen(outgoing);
            let output = self.fire(&Occasion::BeforeModel(&seen));
            if self.is_late() {
                return Before::Instead(Event::Cancelled);
            }
            if let Some(output) = output
                && let Some(event) = self.heed_before_model(outgoing, &seen, &output)
            {
                return Before::Instead(event);
            }
        }
        if self.hooks.has(At::BeforeToolSelection) {
            let seen = seen(outgoing);
            let output = self.fire(&Occasion::BeforeToolSelection(&seen));
            if self.is_late() {
                return Before::Instead(Event::Cancelled);
            }
            if let Some(config) = output.as_ref().and_then(|it| it.specific.get("toolConfig")) {
                let completes = |tool: &&Tool| tool.name == COMPLETE_TASK;
                let completing = outgoing.tools.iter().find(completes).cloned();
                (outgoing.tools, outgoing.options.choice) = offered(&outgoing.tools, config);
                // Whoever was sent can always come back.
                if !outgoing.tools.iter().any(|tool| completes(&tool)) {
                    outgoing.tools.extend(completing);
                }
                let names = outgoing.tools.iter().map(|tool| tool.name.clone());
                self.hooks.offered = Some(names.collect());
            }
        }
        Before::Ask
    }

    fn heed_before_model(
        &mut self,
        outgoing: &mut Outgoing,
        seen: &Value,
        output: &Output,
    ) -> Option<Event> {
        if let Some(why) = output.stops() {
            return Some(
                self.stopped_at_model(&format!("a hook stopped the agent: {}", shown(why))),
            );
        }
        if let Some(given) = output.specific.get("llm_response") {
            match answer(given) {
                Ok(heard) => return Some(self.answered_instead(outgoing, heard)),
                Err(why) => self.odd(At::BeforeModel, &why),
            }
        }
        if let Some(why) = output.blocks() {
            return Some(
                self.stopped_at_model(&format!("a hook blocked the request: {}", shown(why))),
            );
        }
        let now = output
            .specific
            .get("llm_request")
            .and_then(Value::as_object);
        if let Some(now) = now {
            self.change(outgoing, seen, now);
        }
        None
    }

    /// Changes a request as hooks want it. What makes no sense in it changes nothing.
    fn change(&mut self, outgoing: &mut Outgoing, seen: &Value, now: &Map<String, Value>) {
        let wishes = wishes(seen, now);
        if let Some(model) = &wishes.model {
            match choose(&self.world, &self.prepared.settings, Some(model)) {
                Ok(chosen) => {
                    let wire = chosen.endpoint.wire;
                    if wire != outgoing.first.endpoint.wire {
                        outgoing.history = self.course.dialogue().request(wire);
                    }
                    (outgoing.first, outgoing.other) = (chosen, None);
                }
                Err(failure) => self.odd(At::BeforeModel, &failure.to_string()),
            }
        }
        let options = &mut outgoing.options;
        options.temperature = wishes.temperature.or(options.temperature);
        options.max_output_tokens = wishes.max_output_tokens.or(options.max_output_tokens);
        match edited(outgoing.history.clone(), now) {
            Ok(history) if history == outgoing.history => {}
            Ok(history) => {
                let wire = outgoing.first.endpoint.wire;
                outgoing.history = turn::valid(history, wire);
            }
            Err(why) => self.odd(At::BeforeModel, &why),
        }
    }

    /// What hooks make of an answer. Whoever may change it does so before anybody else hears of it.
    pub(in crate::talk) fn after_model(&mut self, outgoing: &Outgoing, mut heard: Heard) -> Event {
        if !self.hooks.has(At::AfterModel) {
            return Event::Heard(heard);
        }
        let (asked, said) = (seen(outgoing), response(&heard));
        let output = self.fire(&Occasion::AfterModel(&asked, &said));
        // Who had no time to decide has not agreed, and what comes too late is given up.
        if self.is_late() {
            return Event::Cancelled;
        }
        if let Some(output) = output {
            if let Some(why) = output.stops() {
                return self.stopped_at_model(&format!("a hook stopped the agent: {}", shown(why)));
            }
            if let Some(why) = output.blocks() {
                return self
                    .stopped_at_model(&format!("a hook blocked the answer: {}", shown(why)));
            }
            if let Some(words) = output
                .specific
                .get("llm_response")
                .filter(|it| **it != said)
            {
                match reworded(heard.parts.clone(), words) {
                    Ok(parts) => heard.parts = parts,
                    Err(why) => self.odd(At::AfterModel, &why),
                }
            }
        }
        self.tell_pieces(&heard);
        Event::Heard(heard)
    }

    fn answered_instead(&mut self, outgoing: &Outgoing, heard: Heard) -> Event {
        self.answered = Some((outgoing.first.model.clone(), None));
        self.tell_pieces(&heard);
        Event::Heard(heard)
    }

    fn tell_pieces(&mut self, heard: &Heard) {
        for part in &heard.parts {
            (self.tell)(Tell::Piece(part));
        }
    }

    fn stopped_at_model(&mut self, why: &str) -> Event {
        self.hooks.stop(why.to_owned());
        self.no_answer = Some(How::Stopped(why.to_owned()));
        Event::Unanswered(Unanswered::Failed)
    }

    fn odd(&mut self, at: At, why: &str) {
        let why = analects_text::sanitize::one_line(why);
        let message = format!(
            "what a hook for {} wants makes no sense: {why}",
            at.as_str()
        );
        self.tell_new(vec![Problem::new(&codes::HOOK_FAILED, message)]);
    }
}

/// A request as hooks see it.
fn seen(outgoing: &Outgoing) -> Value {
    request(&outgoing.first.model, &outgoing.history, &outgoing.options)
}
