//! Finds the server, and asks it one question at a time.

use std::io::Write;

use analects_host::HttpModels;
use analects_world::Cancel;
use analects_world::model::{Body, Call, Content, Part, Role};
use analects_world::models::{
    Endpoint, Event, Fault, Finish, Models, Options, Patience, Request, Secret, Tool, Usage, Wire,
};

/// What the server calls its model.
pub(crate) const MODEL: &str = analects_testkit::SmallModel::NAME;
/// Both wires that it speaks.
pub(crate) const WIRES: [Wire; 2] = [Wire::OpenAi, Wire::Anthropic];
/// Enough for every answer here on a busy machine; without an end nothing of this would be a test.
pub(crate) const PATIENCE: Patience = Patience {
    connect_ms: 5_000,
    first_ms: 60_000,
    idle_ms: 20_000,
    whole_ms: 90_000,
};

/// A server with a small model, which nobody else asks meanwhile.
pub(crate) struct SmallModel(analects_testkit::SmallModel);

/// A question of one text, to begin with.
pub(crate) struct Question {
    pub(crate) system: &'static str,
    pub(crate) history: Vec<Content>,
    pub(crate) tools: Vec<Tool>,
    pub(crate) options: Options,
}

/// All of an answer.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) pieces: Vec<String>,
    pub(crate) calls: Vec<Call>,
    pub(crate) usage: Usage,
    pub(crate) finish: Option<Finish>,
}

impl SmallModel {
    /// The server, or nothing where it may be missing.
    pub(crate) fn find() -> Option<Self> {
        analects_testkit::SmallModel::find().map(Self)
    }

    pub(crate) fn at(&self, wire: Wire) -> Endpoint {
        Endpoint {
            wire,
            base_url: match wire {
                Wire::OpenAi => format!("{}/v1", self.0.address),
                Wire::Gemini | Wire::Anthropic => self.0.address.clone(),
            },
            key: Some(Secret::new(&*self.0.key)),
            proxy: None,
            patience: PATIENCE,
        }
    }

    /// Asks, and hears all of the answer.
    pub(crate) fn ask(&self, wire: Wire, question: &Question) -> Result<Answer, Fault> {
        let mut answer = Answer::default();
        ask(&self.at(wire), question, &Cancel::new(), &mut |event| {
            answer.hear(event);
        })?;
        assert!(answer.finish.is_some(), "an answer without an end");
        Ok(answer)
    }
}

/// Asks whoever is there.
pub(crate) fn ask(
    at: &Endpoint,
    question: &Question,
    cancel: &Cancel,
    hear: &mut dyn FnMut(Event),
) -> Result<(), Fault> {
    HttpModels::default().ask(at, &question.request(), cancel, hear)
}

impl Question {
    /// One text, to be answered in this many tokens, always the same.
    pub(crate) fn new(text: &str, max_output_tokens: u32) -> Self {
        Self {
            system: "",
            history: vec![Content::text("1", Role::User, text)],
            tools: Vec::new(),
            options: Options {
                max_output_tokens: Some(max_output_tokens),
                temperature: Some(0.0),
                ..Options::USUAL
            },
        }
    }

    pub(crate) fn request(&self) -> Request<'_> {
        Request {
            model: MODEL,
            system: self.system,
            history: &self.history,
            tools: &self.tools,
            options: &self.options,
        }
    }
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        self.pieces.concat()
    }

    fn hear(&mut self, event: Event) {
        assert_eq!(self.finish, None, "{event:?} after the end");
        match event {
            Event::Part(Part { body, .. }) => match body {
                Body::Text(text) => self.pieces.push(text),
                Body::Call(call) => self.calls.push(call),
                other => panic!("{other:?}"),
            },
            Event::Usage(usage) => self.usage = usage,
            Event::Finish(finish) => self.finish = Some(finish),
        }
    }
}

/// Says a line that is seen even when all is well.
pub(crate) fn say(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("somebody listens");
}
