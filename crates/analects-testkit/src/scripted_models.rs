//! Models that say what a test wants them to say.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use analects_world::Cancel;
use analects_world::model::Content;
use analects_world::models::{
    Endpoint, Event, Fault, Kind, Listed, Models, Options, Request, Tool,
};

/// How long somebody may wait for a cancellation that never comes before the test fails.
const WAIT: Duration = Duration::from_secs(20);

/// Models that answer from a script, each request with the next answer in it, and remember what they were asked.
///
/// Nobody is there once the script is at its end.
#[derive(Debug, Default)]
pub struct ScriptedModels(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    answers: VecDeque<Scripted>,
    asked: Vec<Asked>,
    counts: VecDeque<Result<Option<u64>, Fault>>,
    counted: Vec<Asked>,
    /// What is to be had, by the base address of the server; elsewhere nobody answers.
    listed: Vec<(String, Vec<Listed>)>,
}

/// An answer in a script.
#[derive(Debug, Clone, PartialEq)]
pub struct Scripted {
    /// What is told.
    pub events: Vec<Event>,
    /// How it ends.
    pub end: End,
}

/// How an answer in a script ends.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// As it should; the last event is the finish.
    Well,
    /// With a fault.
    Badly(Fault),
    /// Not before somebody cancels.
    WhenCancelled,
}

/// What was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The address.
    pub base_url: String,
    /// Whether a key was given for it.
    pub has_key: bool,
    /// The model.
    pub model: String,
    /// The instruction.
    pub system: String,
    /// The history.
    pub history: Vec<Content>,
    /// The names of the tools.
    pub tools: Vec<String>,
    /// The tools with all they say.
    pub declared: Vec<Tool>,
    /// How it was to answer.
    pub options: Options,
    /// How long all of it might take.
    pub whole_ms: u64,
}

impl Asked {
    /// The words of the last turn: what the model was asked just now.
    #[must_use]
    pub fn last_words(&self) -> String {
        let last = self.history.last();
        last.map(|turn| turn.texts().collect()).unwrap_or_default()
    }
}

impl ScriptedModels {
    /// Adds an answer to the script.
    pub fn answer(&self, events: Vec<Event>) {
        let end = End::Well;
        self.push(Scripted { events, end });
    }

    /// Adds a fault to the script, after these events.
    pub fn fail(&self, events: Vec<Event>, fault: Fault) {
        let end = End::Badly(fault);
        self.push(Scripted { events, end });
    }

    /// Adds an answer that never ends by itself, after these events.
    pub fn wait(&self, events: Vec<Event>) {
        let end = End::WhenCancelled;
        self.push(Scripted { events, end });
    }

    /// Adds an answer of any kind to the script.
    pub fn push(&self, scripted: Scripted) {
        self.state().answers.push_back(scripted);
    }

    /// The next answer to whoever wants a request counted. Without one, nobody offers to count.
    pub fn count_as(&self, counted: Result<Option<u64>, Fault>) {
        self.state().counts.push_back(counted);
    }

    /// Lets a server tell what it has.
    pub fn serve(&self, base_url: &str, models: Vec<Listed>) {
        self.state().listed.push((base_url.to_owned(), models));
    }

    /// Everything that was asked so far.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.state().asked.clone()
    }

    /// Everything that was to be counted so far.
    #[must_use]
    pub fn counted(&self) -> Vec<Asked> {
        self.state().counted.clone()
    }

    /// How many answers nobody has asked for yet.
    #[must_use]
    pub fn n_left(&self) -> usize {
        self.state().answers.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Models for ScriptedModels {
    fn ask(
        &self,
        at: &Endpoint,
        request: &Request<'_>,
        cancel: &Cancel,
        hear: &mut dyn FnMut(Event),
    ) -> Result<(), Fault> {
        let next = {
            let mut state = self.state();
            state.asked.push(asked(at, request));
            state.answers.pop_front()
        };
        let Some(Scripted { events, end }) = next else {
            return Err(Fault::new(Kind::Unreachable, "nobody is there"));
        };
        for event in events {
            if cancel.is_cancelled() {
                return Err(Fault::cancelled());
            }
            hear(event);
        }
        match end {
            End::Well => Ok(()),
            End::Badly(fault) => Err(fault),
            End::WhenCancelled => {
                until_cancelled(cancel);
                Err(Fault::cancelled())
            }
        }
    }

    fn count(
        &self,
        at: &Endpoint,
        request: &Request<'_>,
        _: &Cancel,
    ) -> Result<Option<u64>, Fault> {
        let mut state = self.state();
        state.counted.push(asked(at, request));
        state.counts.pop_front().unwrap_or(Ok(None))
    }

    fn list(&self, at: &Endpoint, _: &Cancel) -> Result<Vec<Listed>, Fault> {
        let state = self.state();
        let mut listed = state.listed.iter();
        let there = listed.find(|(base_url, _)| *base_url == at.base_url);
        there
            .map(|(_, models)| models.clone())
            .ok_or_else(|| Fault::new(Kind::Unreachable, "nobody is there"))
    }
}

fn asked(at: &Endpoint, request: &Request<'_>) -> Asked {
    Asked {
        base_url: at.base_url.clone(),
        has_key: at.key.is_some(),
        model: request.model.to_owned(),
        system: request.system.to_owned(),
        history: request.history.to_vec(),
        tools: request.tools.iter().map(|tool| tool.name.clone()).collect(),
        declared: request.tools.to_vec(),
        options: request.options.clone(),
        whole_ms: at.patience.whole_ms,
    }
}

fn until_cancelled(cancel: &Cancel) {
    let (tell, told) = mpsc::channel();
    let _listening = cancel.listen(move || {
        // Whoever waited may be gone.
        let _ = tell.send(());
    });
    told.recv_timeout(WAIT).expect("somebody should cancel");
}

#[cfg(test)]
mod tests {
    use analects_world::model::Role;
    use analects_world::models::{Choice, Form, Patience, Secret, Thinking, Wire};
    use serde_json::json;

    use super::*;
    use crate::say;

    fn endpoint() -> Endpoint {
        Endpoint {
            wire: Wire::Gemini,
            base_url: "http://127.0.0.1:1".to_owned(),
            key: Some(Secret::new("k")),
            proxy: None,
            patience: Patience::KNOCK,
        }
    }

    fn ask(models: &ScriptedModels, options: &Options, cancel: &Cancel) -> Told {
        let history = [Content::text("1", Role::User, "Hello?")];
        let tools = [Tool {
            name: "look".to_owned(),
            description: String::new(),
            parameters: json!({"type": "object"}),
        }];
        let request = Request {
            model: "m",
            system: "Be brief.",
            history: &history,
            tools: &tools,
            options,
        };
        let mut heard = Vec::new();
        let end = models.ask(&endpoint(), &request, cancel, &mut |event| {
            heard.push(event);
            if heard.len() == 2 {
                cancel.cancel();
            }
        });
        (heard, end)
    }

    type Told = (Vec<Event>, Result<(), Fault>);

    #[test]
    fn what_was_asked_is_remembered_with_its_options() {
        let models = ScriptedModels::default();
        models.answer(vec![say::done()]);
        let options = Options {
            max_output_tokens: Some(7),
            temperature: Some(0.5),
            thinking: Thinking::Off,
            form: Form::Free,
            choice: Choice::Any,
        };
        assert_eq!(models.n_left(), 1);
        let (heard, end) = ask(&models, &options, &Cancel::new());
        assert_eq!((heard, end), (vec![say::done()], Ok(())));
        assert_eq!(models.n_left(), 0);
        let [asked] = &models.asked()[..] else {
            panic!("once");
        };
        assert_eq!(asked.options, options);
        assert_eq!(asked.last_words(), "Hello?");
        assert_eq!(asked.tools, ["look"]);
        assert!(asked.has_key);
    }

    #[test]
    fn an_answer_that_waits_ends_when_somebody_cancels() {
        let models = ScriptedModels::default();
        models.wait(vec![say::text("a"), say::text("b")]);
        let (heard, end) = ask(&models, &Options::USUAL, &Cancel::new());
        assert_eq!(heard.len(), 2);
        assert_eq!(end.unwrap_err().kind, Kind::Cancelled);
        let (_, end) = ask(&models, &Options::USUAL, &Cancel::new());
        assert_eq!(end.unwrap_err().kind, Kind::Unreachable);
    }

    #[test]
    fn counts_come_in_their_order_and_then_nobody_counts() {
        let models = ScriptedModels::default();
        models.count_as(Ok(Some(12)));
        let request = Request {
            model: "m",
            system: "",
            history: &[],
            tools: &[],
            options: &Options::USUAL,
        };
        let count = || models.count(&endpoint(), &request, &Cancel::new());
        assert_eq!((count(), count()), (Ok(Some(12)), Ok(None)));
        assert_eq!(models.counted().len(), 2);
        assert!(models.asked().is_empty());
    }
}
