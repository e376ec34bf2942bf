//! What came in, and what it wants.

use analects_world::models::Wire;
use serde_json::Value;

/// A request, as the server understood it.
#[derive(Debug, Clone, PartialEq)]
pub struct Received {
    /// `GET`, `POST`.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// What follows the question mark; empty if nothing does.
    pub query: String,
    /// The headers in their order, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as it came.
    pub body: Vec<u8>,
    /// The body as JSON; null if it is none.
    pub json: Value,
    /// Why the real service would not have it, if it would not.
    pub refused: Option<String>,
}

/// What a request wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// An answer.
    Ask,
    /// The number of its tokens.
    Count,
    /// The models that are to be had.
    List,
}

impl Received {
    /// The first header of a name, given in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find_map(|(known, value)| (known == name).then_some(&**value))
    }

    /// The wire it came by, and what it wants; `None` for an address nobody knows.
    #[must_use]
    pub fn wants(&self) -> Option<(Wire, Verb)> {
        let wants = match (&*self.method, &*self.path) {
            ("GET", "/v1beta/models") => (Wire::Gemini, Verb::List),
            // The address is the same, so what stands at the head decides.
            ("GET", "/v1/models") if self.header("anthropic-version").is_some() => {
                (Wire::Anthropic, Verb::List)
            }
            ("GET", "/v1/models") => (Wire::OpenAi, Verb::List),
            ("POST", "/v1/chat/completions") => (Wire::OpenAi, Verb::Ask),
            ("POST", "/v1/messages") => (Wire::Anthropic, Verb::Ask),
            ("POST", "/v1/messages/count_tokens") => (Wire::Anthropic, Verb::Count),
            ("POST", path) => match path.strip_prefix("/v1beta/models/")?.split_once(':')?.1 {
                "generateContent" | "streamGenerateContent" => (Wire::Gemini, Verb::Ask),
                "countTokens" => (Wire::Gemini, Verb::Count),
                _ => return None,
            },
            _ => return None,
        };
        Some(wants)
    }

    /// The model it is for; empty if it names none.
    #[must_use]
    pub fn model(&self) -> &str {
        if let Some(path) = self.path.strip_prefix("/v1beta/models/") {
            return path.split_once(':').map_or(path, |(model, _)| model);
        }
        self.json.get("model").and_then(Value::as_str).unwrap_or("")
    }

    /// The key it brought, wherever this wire keeps it.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        let bearer = |value: &'static str| {
            let header = self.header("authorization")?;
            header.strip_prefix(value)
        };
        let named = |name| self.header(name);
        named("x-goog-api-key")
            .or_else(|| named("x-api-key"))
            .or_else(|| bearer("Bearer "))
    }

    /// Whether the answer is to come piece by piece.
    #[must_use]
    pub fn wants_stream(&self) -> bool {
        self.path.ends_with(":streamGenerateContent") || self.json["stream"] == true
    }

    /// Whether the pieces are to be server-sent events. Gemini sends a JSON array unless asked otherwise.
    pub(super) fn wants_events(&self) -> bool {
        let is_gemini = self.path.starts_with("/v1beta/");
        self.wants_stream() && (!is_gemini || self.query.split('&').any(|pair| pair == "alt=sse"))
    }
}
