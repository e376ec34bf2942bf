//! One conversation with the server, and what was heard of it.

use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use analects_host::HttpModels;
use analects_world::Cancel;
use analects_world::model::{Body, Call, Content, Part, Role};
use analects_world::models::{
    Endpoint, Event, Fault, Finish, Models, Options, Request, Tool, Usage, Wire,
};
use serde_json::json;

pub(crate) const WIRES: [Wire; 3] = [Wire::Gemini, Wire::OpenAi, Wire::Anthropic];

/// Whatever happens, nobody waits longer.
const BOUND: Duration = Duration::from_secs(90);

/// What is asked, with everything that it needs.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) model: String,
    pub(crate) system: String,
    pub(crate) history: Vec<Content>,
    pub(crate) tools: Vec<Tool>,
    pub(crate) options: Options,
}

impl Question {
    /// A greeting, and a tool to look with.
    pub(crate) fn plain() -> Self {
        Self {
            model: "m".to_owned(),
            system: "Be brief.".to_owned(),
            history: vec![Content::text("1", Role::User, "Hello?")],
            tools: vec![tool("look")],
            options: Options::USUAL,
        }
    }

    /// The same with another history.
    pub(crate) fn with_history(history: Vec<Content>) -> Self {
        Self {
            history,
            ..Self::plain()
        }
    }

    pub(crate) fn request(&self) -> Request<'_> {
        Request {
            model: &self.model,
            system: &self.system,
            history: &self.history,
            tools: &self.tools,
            options: &self.options,
        }
    }
}

pub(crate) fn tool(name: &str) -> Tool {
    Tool {
        name: name.to_owned(),
        description: "Looks at a file.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"path": {"type": "string"}},
            "required": ["path"],
        }),
    }
}

/// What was told, and how it ended.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) events: Vec<Event>,
    pub(crate) end: Result<(), Fault>,
}

impl Heard {
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.events.iter().filter_map(|event| match event {
            Event::Part(part) => Some(part),
            _ => None,
        })
    }

    /// All that was said in words.
    pub(crate) fn words(&self) -> String {
        self.texts(false)
    }

    /// All that was thought.
    pub(crate) fn thoughts(&self) -> String {
        self.texts(true)
    }

    fn texts(&self, is_thought: bool) -> String {
        let parts = self.parts().filter(|part| part.is_thought == is_thought);
        let texts = parts.filter_map(|part| match &part.body {
            Body::Text(text) => Some(&**text),
            _ => None,
        });
        texts.collect()
    }

    pub(crate) fn calls(&self) -> Vec<&Call> {
        let calls = self.parts().filter_map(|part| match &part.body {
            Body::Call(call) => Some(call),
            _ => None,
        });
        calls.collect()
    }

    /// The usage that counts: the last.
    pub(crate) fn usage(&self) -> Option<Usage> {
        let mut events = self.events.iter().rev();
        events.find_map(|event| match event {
            Event::Usage(usage) => Some(*usage),
            _ => None,
        })
    }

    pub(crate) fn finishes(&self) -> Vec<&Finish> {
        let finishes = self.events.iter().filter_map(|event| match event {
            Event::Finish(finish) => Some(finish),
            _ => None,
        });
        finishes.collect()
    }

    /// What the door promises of every answer.
    pub(crate) fn check(&self) {
        let finishes = self.finishes();
        match &self.end {
            Ok(()) => {
                assert_eq!(finishes.len(), 1, "{self:?}");
                let is_last = matches!(self.events.last(), Some(Event::Finish(_)));
                assert!(is_last, "{self:?}");
            }
            Err(fault) => {
                assert!(finishes.is_empty(), "{self:?}");
                assert!(!fault.message.is_empty() && fault.message.chars().count() < 600);
                assert!(!fault.message.contains(char::is_control), "{fault:?}");
                assert!(!fault.message.ends_with('.') || fault.message.contains(": "));
            }
        }
    }
}

/// Asks, and hears all of it.
pub(crate) fn ask(models: &Arc<HttpModels>, at: &Endpoint, question: &Question) -> Heard {
    let heard = ask_until(models, at, question, &Cancel::new(), |_| {});
    heard.check();
    heard
}

/// Asks until somebody cancels; `while_hearing` is told how many events there are.
pub(crate) fn ask_until(
    models: &Arc<HttpModels>,
    at: &Endpoint,
    question: &Question,
    cancel: &Cancel,
    while_hearing: impl Fn(usize) + Send + 'static,
) -> Heard {
    let (tell, told) = mpsc::channel();
    let (models, at, question) = (Arc::clone(models), at.clone(), question.clone());
    let cancel = cancel.clone();
    thread::spawn(move || {
        let mut events = Vec::new();
        let end = models.ask(&at, &question.request(), &cancel, &mut |event| {
            events.push(event);
            while_hearing(events.len());
        });
        // Whoever waited may have given up.
        let _ = tell.send(Heard { events, end });
    });
    told.recv_timeout(BOUND).expect("it should end by itself")
}

/// The door, as everybody opens it.
pub(crate) fn models() -> Arc<HttpModels> {
    Arc::new(HttpModels::default())
}
