//! Filters and bounds a server's messages before `rmcp` parses them.
//!
//! Only what we have a use for gets through: answers, questions to us as long as they are few, and how far a call is.
//! Answers get through whatever they look like: what is wrong inside is seen where it is read, and one bad tool does not
//! cost all others. A server that says too much of what nobody has a use for is not heard any more.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use serde_json::{Map, Value, json};

use crate::http_models::crowd;

/// A longer message is not read.
pub(super) const MAX_MESSAGE_BYTES: usize = 16 << 20;
/// How much may be said that answers nothing, until something is answered.
const MAX_STRAY_BYTES: usize = 64 << 20;
/// How much of it may be no message at all: there are servers that print where they should not.
const MAX_GARBAGE_BYTES: usize = 1 << 20;
/// How many questions of a server wait for our answer; more are not heard.
const MAX_THEIRS: usize = 16;
/// The member under which an answer gets through as it is.
const AS_IT_IS: &str = "analects/result";

/// The sieve of one server.
#[derive(Default)]
pub(super) struct Sieve(Mutex<State>);

#[derive(Default)]
struct State {
    /// What we asked and was not answered.
    n_awaited: usize,
    /// What we were asked and did not answer.
    n_theirs: usize,
    stray_bytes: usize,
    garbage_bytes: usize,
    /// Why it is not heard any more.
    ended: Option<String>,
}

/// What gets through.
pub(super) enum Sifted {
    Message(Box<ServerJsonRpcMessage>),
    Nothing,
    /// Nothing from here on.
    Enough,
}

impl Sieve {
    /// Notes what we say.
    pub(super) fn sent(&self, message: &ClientJsonRpcMessage) {
        let mut state = self.state();
        match message {
            ClientJsonRpcMessage::Request(_) => state.n_awaited += 1,
            ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_) => {
                state.n_theirs = state.n_theirs.saturating_sub(1);
            }
            ClientJsonRpcMessage::Notification(_) => {}
        }
    }

    /// What gets through of a message.
    pub(super) fn sift(&self, message: &[u8]) -> Sifted {
        let mut state = self.state();
        if state.ended.is_some() {
            return Sifted::Enough;
        }
        if message.trim_ascii().is_empty() {
            return state.strayed(message.len().max(1));
        }
        // Half of a character is no reason to lose the rest.
        let text = String::from_utf8_lossy(message);
        if crowd::look(&text).is_err() {
            return state.end("its JSON has more values than anybody can keep");
        }
        let said = match serde_json::from_str(&text) {
            Ok(Value::Object(said)) => said,
            // It may be the answer that is waited for, and nobody can tell: waiting on would be in vain.
            Err(error) if text.trim_start().starts_with('{') && is_too_deep(&error) => {
                return state.end("its JSON is nested deeper than anybody reads");
            }
            Ok(_) | Err(_) => {
                state.garbage_bytes += message.len();
                if state.garbage_bytes > MAX_GARBAGE_BYTES {
                    return state.end("what it says is no MCP");
                }
                return state.strayed(message.len());
            }
        };
        let is_named = said.contains_key("method");
        let has_id = said.get("id").is_some_and(|id| !id.is_null());
        match (is_named, has_id) {
            (false, _) => state.answer(said, message.len()),
            (true, true) => state.question(said, message.len()),
            (true, false) => state.news(said, message.len()),
        }
    }

    /// It said something that is longer than anybody reads.
    pub(super) fn too_long(&self) {
        let mib = MAX_MESSAGE_BYTES >> 20;
        self.state()
            .end(&format!("it says more than {mib} MiB at once"));
    }

    /// Why it is not heard any more, if that is so.
    pub(super) fn ended(&self) -> Option<String> {
        self.state().ended.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether brackets nest too deep; there is no other way to ask an error for it.
fn is_too_deep(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("recursion limit exceeded")
}

/// The answer that got through as it is.
pub(super) fn as_it_is(result: Value) -> Option<Value> {
    match result {
        Value::Object(mut members) => members.remove(AS_IT_IS),
        _ => None,
    }
}

impl State {
    fn end(&mut self, why: &str) -> Sifted {
        self.ended.get_or_insert_with(|| why.to_owned());
        Sifted::Enough
    }

    fn strayed(&mut self, n_bytes: usize) -> Sifted {
        self.stray_bytes = self.stray_bytes.saturating_add(n_bytes);
        match self.stray_bytes > MAX_STRAY_BYTES {
            true => self.end("it does not stop talking"),
            false => Sifted::Nothing,
        }
    }

    fn answer(&mut self, mut said: Map<String, Value>, n_bytes: usize) -> Sifted {
        let is_awaited = self.n_awaited > 0;
        let id = said.remove("id").unwrap_or_default();
        let (kind, said) = match (said.remove("result"), said.remove("error")) {
            (Some(result), _) => ("result", mended(result)),
            (None, Some(error)) => ("error", excuse(&error)),
            (None, None) => return self.strayed(n_bytes),
        };
        let message = [("jsonrpc", "2.0".into()), ("id", id), (kind, said)];
        match serde_json::from_value(object(message)) {
            Ok(message) if is_awaited => {
                self.n_awaited -= 1;
                self.stray_bytes = 0;
                self.garbage_bytes = 0;
                Sifted::Message(Box::new(message))
            }
            Ok(_) | Err(_) => self.strayed(n_bytes),
        }
    }

    fn question(&mut self, said: Map<String, Value>, n_bytes: usize) -> Sifted {
        let strayed = self.strayed(n_bytes);
        if self.n_theirs >= MAX_THEIRS || matches!(strayed, Sifted::Enough) {
            return strayed;
        }
        match serde_json::from_value(Value::Object(said)) {
            Ok(message) => {
                self.n_theirs += 1;
                Sifted::Message(Box::new(message))
            }
            Err(_) => strayed,
        }
    }

    fn news(&mut self, said: Map<String, Value>, n_bytes: usize) -> Sifted {
        let strayed = self.strayed(n_bytes);
        let is_progress = said.get("method").and_then(Value::as_str) == Some(PROGRESS);
        if !is_progress || matches!(strayed, Sifted::Enough) {
            return strayed;
        }
        match serde_json::from_value(Value::Object(said)) {
            Ok(message) => Sifted::Message(Box::new(message)),
            Err(_) => strayed,
        }
    }
}

const PROGRESS: &str = "notifications/progress";

/// An answer in a form that is taken as it is; what a server says of itself, in the form that the protocol wants.
fn mended(result: Value) -> Value {
    let version = result.get("protocolVersion").and_then(Value::as_str);
    let Some(version) = version else {
        return object([(AS_IT_IS, result)]);
    };
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let has_tools = result
        .pointer("/capabilities/tools")
        .is_some_and(|tools| !tools.is_null() && *tools != Value::Bool(false));
    let name = text(result.pointer("/serverInfo/name"));
    let mut mended = json!({
        "protocolVersion": version,
        "capabilities": if has_tools { json!({ "tools": {} }) } else { json!({}) },
        "serverInfo": { "name": name.unwrap_or_default(), "version": "" },
    });
    if let (Some(words), Some(members)) = (text(result.get("instructions")), mended.as_object_mut())
    {
        members.insert("instructions".to_owned(), words.into());
    }
    mended
}

/// An object of these, which may be large and are not copied.
fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    let members = members.map(|(name, value)| (name.to_owned(), value));
    Value::Object(Map::from_iter(members))
}

/// An error in the form that the protocol wants.
fn excuse(error: &Value) -> Value {
    let code = error.get("code").and_then(Value::as_i64);
    let code = code.and_then(|code| i32::try_from(code).ok());
    let message = error.get("message").and_then(Value::as_str);
    let message = message.or(error.as_str()).unwrap_or("it does not say why");
    json!({ "code": code.unwrap_or(-32603), "message": message })
}

#[cfg(test)]
mod tests {
    use rmcp::model::{ErrorData, NumberOrString, ServerResult};

    use super::*;

    fn asked(sieve: &Sieve) {
        let ping = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#;
        sieve.sent(&serde_json::from_str(ping).unwrap());
    }

    fn heard(sieve: &Sieve, said: &str) -> Option<ServerJsonRpcMessage> {
        match sieve.sift(said.as_bytes()) {
            Sifted::Message(message) => Some(*message),
            Sifted::Nothing | Sifted::Enough => None,
        }
    }

    #[test]
    fn an_answer_gets_through_as_it_is_once_it_was_asked_for() {
        let sieve = Sieve::default();
        let said = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":7,"inputSchema":"no"}]}}"#;
        assert!(heard(&sieve, said).is_none());
        asked(&sieve);
        let Some(ServerJsonRpcMessage::Response(response)) = heard(&sieve, said) else {
            panic!("it is no answer");
        };
        let ServerResult::CustomResult(result) = response.result else {
            panic!("somebody took it apart");
        };
        let tools = json!({"tools": [{"name": 7, "inputSchema": "no"}]});
        assert_eq!(as_it_is(result.0), Some(tools));
        assert!(heard(&sieve, said).is_none(), "it was answered once");
    }

    #[test]
    fn an_error_gets_through_whatever_it_looks_like() {
        for (error, message) in [
            (json!({"code": 1e300, "message": "no"}), "no"),
            (json!("no"), "no"),
            (json!([1]), "it does not say why"),
        ] {
            let sieve = Sieve::default();
            asked(&sieve);
            let said = json!({"jsonrpc": "2.0", "id": "1", "error": error}).to_string();
            let Some(ServerJsonRpcMessage::Error(error)) = heard(&sieve, &said) else {
                panic!("it is no error");
            };
            assert_eq!(error.id, Some(NumberOrString::String("1".into())));
            let expected = ErrorData::internal_error(message, None);
            assert_eq!(error.error.message, expected.message);
        }
    }

    #[test]
    fn what_a_server_says_of_itself_may_be_wrong_in_many_ways() {
        let sieve = Sieve::default();
        asked(&sieve);
        let said = json!({"id": 1, "result": {
            "protocolVersion": "2024-11-05", "capabilities": {"tools": "yes", "logging": 3},
            "serverInfo": null, "instructions": "Be kind.",
        }});
        let Some(ServerJsonRpcMessage::Response(response)) = heard(&sieve, &said.to_string())
        else {
            panic!("it is no answer");
        };
        let ServerResult::InitializeResult(told) = response.result else {
            panic!("it says nothing of itself");
        };
        assert!(told.capabilities.tools.is_some());
        assert_eq!(told.instructions.as_deref(), Some("Be kind."));
    }

    #[test]
    fn few_questions_are_heard_at_once_and_more_after_an_answer() {
        let sieve = Sieve::default();
        let ask = |id: usize| json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string();
        let n_heard = (0..100).filter(|&id| heard(&sieve, &ask(id)).is_some());
        assert_eq!(n_heard.count(), MAX_THEIRS);
        let answer = r#"{"jsonrpc": "2.0", "id": 1, "result": {}}"#;
        sieve.sent(&serde_json::from_str(answer).unwrap());
        assert!(heard(&sieve, &ask(200)).is_some());
        assert!(heard(&sieve, &ask(201)).is_none());
    }

    #[test]
    fn an_answer_that_nests_too_deep_is_not_waited_for() {
        let sieve = Sieve::default();
        asked(&sieve);
        assert!(matches!(sieve.sift(b"{\"jsonrpc\": oops"), Sifted::Nothing));
        let (open, close) = ("[".repeat(200), "]".repeat(200));
        let deep = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{open}{close}}}"#);
        assert!(matches!(sieve.sift(deep.as_bytes()), Sifted::Enough));
        let why = "its JSON is nested deeper than anybody reads";
        assert_eq!(sieve.ended().as_deref(), Some(why));
    }

    #[test]
    fn whoever_only_makes_noise_is_not_heard_any_more() {
        let noise = "x".repeat(1 << 10);
        let sieve = Sieve::default();
        asked(&sieve);
        let n_lines = (0..5_000).take_while(|_| heard(&sieve, &noise).is_none());
        assert_eq!(n_lines.count(), 5_000);
        assert_eq!(sieve.ended().as_deref(), Some("what it says is no MCP"));
        let answer = r#"{"id": 1, "result": {}}"#;
        assert!(heard(&sieve, answer).is_none());

        let sieve = Sieve::default();
        let log = json!({"method": "notifications/message", "params": noise.repeat(512)});
        for _ in 0..200 {
            assert!(heard(&sieve, &log.to_string()).is_none());
        }
        assert_eq!(sieve.ended().as_deref(), Some("it does not stop talking"));
    }

    #[test]
    fn a_crowd_of_values_is_not_even_read() {
        let sieve = Sieve::default();
        asked(&sieve);
        let said = format!("{{\"id\": 1, \"result\": [{}0]}}", "{},".repeat(1 << 20));
        assert!(heard(&sieve, &said).is_none());
        assert!(sieve.ended().unwrap().contains("more values"));
    }

    #[test]
    fn what_is_no_message_is_passed_over() {
        let sieve = Sieve::default();
        asked(&sieve);
        let deep = "[".repeat(10_000);
        for noise in [
            "",
            "  ",
            "starting up…",
            "[]",
            "{}",
            "null",
            "{\"id\": 1}",
            &deep,
        ] {
            assert!(heard(&sieve, noise).is_none());
        }
        assert!(heard(&sieve, r#"{"id": 1, "result": {}}"#).is_some());
    }
}
