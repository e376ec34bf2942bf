//! Models that say what a test wants them to say.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use analects_world::Cancel;
use analects_world::model::Content;
use analects_world::models::{Endpoint, Event, Fault, Kind, Listed, Models, Request};

/// Models that answer from a script, each request with the next answer in it, and remember what they were asked.
///
/// Nobody is there once the script is at its end.
#[derive(Debug, Default)]
pub struct ScriptedModels {
    answers: Mutex<VecDeque<Scripted>>,
    asked: Mutex<Vec<Asked>>,
    /// What is to be had, by the base address of the server; elsewhere nobody answers.
    listed: Mutex<Vec<(String, Vec<Listed>)>>,
}

/// An answer in a script.
#[derive(Debug, Clone, PartialEq)]
pub struct Scripted {
    /// What is told.
    pub events: Vec<Event>,
    /// How it ends.
    pub end: Result<(), Fault>,
}

/// What was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The address.
    pub base_url: String,
    /// The model.
    pub model: String,
    /// The instruction.
    pub system: String,
    /// The history.
    pub history: Vec<Content>,
    /// The names of the tools.
    pub tools: Vec<String>,
}

impl ScriptedModels {
    /// Adds an answer to the script.
    pub fn answer(&self, events: Vec<Event>) {
        self.push(Scripted {
            events,
            end: Ok(()),
        });
    }

    /// Adds a fault to the script, after these events.
    pub fn fail(&self, events: Vec<Event>, fault: Fault) {
        self.push(Scripted {
            events,
            end: Err(fault),
        });
    }

    /// Lets a server tell what it has.
    pub fn serve(&self, base_url: &str, models: Vec<Listed>) {
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        listed.push((base_url.to_owned(), models));
    }

    /// Everything that was asked so far.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn push(&self, scripted: Scripted) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.push_back(scripted);
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
        let asked = Asked {
            base_url: at.base_url.clone(),
            model: request.model.to_owned(),
            system: request.system.to_owned(),
            history: request.history.to_vec(),
            tools: request.tools.iter().map(|tool| tool.name.clone()).collect(),
        };
        self.asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(asked);
        let next = self
            .answers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front();
        let Some(Scripted { events, end }) = next else {
            return Err(Fault::new(Kind::Unreachable, "nobody is there"));
        };
        for event in events {
            if cancel.is_cancelled() {
                return Err(Fault::new(Kind::Cancelled, "cancelled"));
            }
            hear(event);
        }
        end
    }

    fn count(&self, _: &Endpoint, _: &Request<'_>, _: &Cancel) -> Result<Option<u64>, Fault> {
        Ok(None)
    }

    fn list(&self, at: &Endpoint, _: &Cancel) -> Result<Vec<Listed>, Fault> {
        let listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let there = listed.iter().find(|(base_url, _)| *base_url == at.base_url);
        there
            .map(|(_, models)| models.clone())
            .ok_or_else(|| Fault::new(Kind::Unreachable, "nobody is there"))
    }
}
