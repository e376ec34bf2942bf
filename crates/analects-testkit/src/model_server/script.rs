//! Who gets which answer.

use std::fmt;

use analects_world::models::{Listed, Wire};

use super::received::{Received, Verb};
use super::reply::{Reply, Trouble};

/// The key that opens the server, unless the script says otherwise.
pub const KEY: &str = "test-key-0123456789abcdef";

/// A conversation as the server will have it: each request takes the first turn that is meant for it and that
/// nobody took yet.
pub struct Script {
    turns: Vec<Turn>,
    rest: Option<Rest>,
    models: Option<Vec<Listed>>,
    count: u64,
    pub(super) key: Option<&'static str>,
}

struct Turn {
    when: Option<When>,
    reply: Reply,
}

type When = Box<dyn Fn(&Received) -> bool + Send>;
type Rest = Box<dyn Fn(&Received) -> Reply + Send>;

impl Script {
    /// Nothing is said yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            turns: Vec::new(),
            rest: None,
            models: None,
            count: 42,
            key: Some(KEY),
        }
    }

    /// The next answer to whoever asks for one.
    #[must_use]
    pub fn turn(mut self, reply: Reply) -> Self {
        self.turns.push(Turn { when: None, reply });
        self
    }

    /// An answer for one request of this kind, whichever it is; also for one that counts or lists.
    #[must_use]
    pub fn turn_when(
        mut self,
        when: impl Fn(&Received) -> bool + Send + 'static,
        reply: Reply,
    ) -> Self {
        let when: Option<When> = Some(Box::new(when));
        self.turns.push(Turn { when, reply });
        self
    }

    /// The answer to whatever no turn is meant for, be it as it may. The function must not wait for anything.
    #[must_use]
    pub fn otherwise(mut self, reply: impl Fn(&Received) -> Reply + Send + 'static) -> Self {
        self.rest = Some(Box::new(reply));
        self
    }

    /// The models that are to be had; whoever asks for another is told that there is none.
    #[must_use]
    pub fn with_models(mut self, models: Vec<Listed>) -> Self {
        self.models = Some(models);
        self
    }

    /// What every request counts.
    #[must_use]
    pub fn counting(mut self, tokens: u64) -> Self {
        self.count = tokens;
        self
    }

    /// Opens the server to everybody, as a server on one's own machine is.
    #[must_use]
    pub fn without_key(mut self) -> Self {
        self.key = None;
        self
    }

    /// The answer to a request, which is taken out of the script.
    pub(super) fn take(&mut self, request: &Received) -> Reply {
        let wants = request.wants();
        if let Some(reply) = self.missing(wants, request) {
            return reply;
        }
        let is_ask = matches!(wants, Some((_, Verb::Ask)));
        let is_meant = |turn: &Turn| turn.when.as_ref().map_or(is_ask, |when| when(request));
        if let Some(found) = self.turns.iter().position(is_meant) {
            return self.turns.remove(found).reply;
        }
        if let Some(rest) = &self.rest {
            return rest(request);
        }
        match wants {
            Some((_, Verb::List)) => Reply::models(self.models.clone().unwrap_or_default()),
            Some((_, Verb::Count)) => Reply::counted(self.count),
            Some((_, Verb::Ask)) => Reply::trouble(400, "the script is at its end"),
            None => Reply::trouble(404, "there is nothing at this address"),
        }
    }

    fn missing(&self, wants: Option<(Wire, Verb)>, request: &Received) -> Option<Reply> {
        let (wire, Verb::Ask | Verb::Count) = wants? else {
            return None;
        };
        let model = request.model();
        let models = self.models.as_ref()?;
        if models.iter().any(|listed| listed.name == model) {
            return None;
        }
        let message = match wire {
            Wire::Gemini => format!("models/{model} is not found for API version v1beta"),
            Wire::OpenAi => format!("The model `{model}` does not exist"),
            Wire::Anthropic => format!("model: {model}"),
        };
        Some(Reply::troubled(Trouble::new(404, &message)))
    }
}

impl Default for Script {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Reply> for Script {
    fn from(reply: Reply) -> Self {
        Self::new().turn(reply)
    }
}

impl<const N: usize> From<[Reply; N]> for Script {
    fn from(replies: [Reply; N]) -> Self {
        replies.into_iter().collect()
    }
}

impl FromIterator<Reply> for Script {
    fn from_iter<I: IntoIterator<Item = Reply>>(replies: I) -> Self {
        replies.into_iter().fold(Self::new(), Self::turn)
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script")
            .field("n_turns", &self.turns.len())
            .finish_non_exhaustive()
    }
}
