//! Servers that offer and answer what a test wants.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use analects_world::Cancel;
use analects_world::servers::{
    Answer, Connection, Offer, Offered, Piece, Server, Servers, Trouble,
};
use serde_json::{Map, Value, json};

/// How long somebody may wait for a cancellation that never comes before the test fails.
const WAIT: Duration = Duration::from_secs(20);

/// Servers by their names. Of all others it says that they cannot be reached.
#[derive(Default)]
pub struct FakeServers(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    known: BTreeMap<String, Result<Offer, Trouble>>,
    answers: BTreeMap<(String, String), Does>,
    met: Vec<Server>,
    called: Vec<Called>,
    n_left: usize,
}

/// What a tool does.
#[derive(Debug, Clone)]
enum Does {
    Answers(Result<Answer, Trouble>),
    Never,
}

/// A tool that was used.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    /// Whose it is.
    pub server: String,
    /// The tool, as the server calls it.
    pub tool: String,
    /// What it was asked.
    pub args: Map<String, Value>,
    /// How long it might take.
    pub whole_ms: Option<u64>,
}

impl FakeServers {
    /// A server that offers something.
    pub fn offers(&self, server: &str, offer: Offer) {
        self.state().known.insert(server.to_owned(), Ok(offer));
    }

    /// A server that offers tools of these names, with the same plain arguments.
    pub fn has(&self, server: &str, tools: &[&str]) {
        let offer = Offer {
            tools: tools.iter().map(|name| offered(name)).collect(),
            ..Offer::default()
        };
        self.offers(server, offer);
    }

    /// A server that cannot be met.
    pub fn fails(&self, server: &str, trouble: Trouble) {
        self.state().known.insert(server.to_owned(), Err(trouble));
    }

    /// A tool that says something.
    pub fn says(&self, server: &str, tool: &str, words: &str) {
        let answer = Answer {
            pieces: vec![Piece::Text(words.to_owned())],
            ..Answer::default()
        };
        self.answers(server, tool, Ok(answer));
    }

    /// A tool that answers like this, every time.
    pub fn answers(&self, server: &str, tool: &str, answer: Result<Answer, Trouble>) {
        self.does(server, tool, Does::Answers(answer));
    }

    /// A tool that does not answer before somebody cancels, or its time is over. No time passes: a limit is reached at
    /// once.
    pub fn never_answers(&self, server: &str, tool: &str) {
        self.does(server, tool, Does::Never);
    }

    /// The servers that somebody tried to meet, by their names.
    #[must_use]
    pub fn met(&self) -> Vec<Server> {
        let mut met = self.state().met.clone();
        // They are met at once, in no order.
        met.sort_by(|a, b| a.name.cmp(&b.name));
        met
    }

    /// The tools that were used, in their order.
    #[must_use]
    pub fn called(&self) -> Vec<Called> {
        self.state().called.clone()
    }

    /// How many connections were left.
    #[must_use]
    pub fn n_left(&self) -> usize {
        self.state().n_left
    }

    fn does(&self, server: &str, tool: &str, does: Does) {
        let name = (server.to_owned(), tool.to_owned());
        self.state().answers.insert(name, does);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.0)
    }
}

/// A tool with an argument.
#[must_use]
pub fn offered(name: &str) -> Offered {
    Offered {
        name: name.to_owned(),
        description: format!("Does {name}."),
        schema: json!({ "type": "object", "properties": { "word": { "type": "string" } } }),
        annotations: Map::new(),
    }
}

impl Servers for FakeServers {
    fn connect(&self, server: &Server, cancel: &Cancel) -> Result<Box<dyn Connection>, Trouble> {
        if cancel.is_cancelled() {
            return Err(Trouble::Cancelled);
        }
        let mut state = self.state();
        state.met.push(server.clone());
        let offer = match state.known.get(&server.name) {
            Some(offer) => offer.clone()?,
            None => {
                return Err(Trouble::Unreachable(format!(
                    "there is no `{}`",
                    server.name
                )));
            }
        };
        Ok(Box::new(Line {
            server: server.name.clone(),
            offer,
            state: Arc::clone(&self.0),
        }))
    }
}

/// A connection to one of them.
struct Line {
    server: String,
    offer: Offer,
    state: Arc<Mutex<State>>,
}

impl Connection for Line {
    fn offer(&self) -> &Offer {
        &self.offer
    }

    fn call(
        &self,
        tool: &str,
        args: &Map<String, Value>,
        whole_ms: Option<u64>,
        cancel: &Cancel,
        hear: &mut dyn FnMut(&str),
    ) -> Result<Answer, Trouble> {
        let does = {
            let mut state = locked(&self.state);
            state.called.push(Called {
                server: self.server.clone(),
                tool: tool.to_owned(),
                args: args.clone(),
                whole_ms,
            });
            let name = (self.server.clone(), tool.to_owned());
            state.answers.get(&name).cloned()
        };
        hear("under way");
        match (does, whole_ms) {
            (Some(Does::Answers(answer)), _) => answer,
            (Some(Does::Never), Some(whole_ms)) => Err(Trouble::TimedOut(whole_ms)),
            (Some(Does::Never), None) => {
                let (tell, told) = mpsc::channel();
                let _listening = cancel.listen(move || {
                    let _ = tell.send(());
                });
                told.recv_timeout(WAIT).expect("somebody cancels");
                Err(Trouble::Cancelled)
            }
            (None, _) => Err(Trouble::Refused(format!("there is no tool `{tool}`"))),
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        locked(&self.state).n_left += 1;
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
