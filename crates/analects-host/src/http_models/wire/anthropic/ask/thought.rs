//! How much the model thinks before it answers, in the words that it knows.

use analects_world::models::{Request, Thinking};
use serde_json::{Value, json};

use super::tools::Offer;
use crate::http_models::wire::anthropic::kin::Kin;

/// The least that a model can be given to think.
const MIN_BUDGET: u32 = 1024;

/// What a request says about thinking, and what follows from it.
pub(super) struct Thought {
    /// How long the answer may be, with what is thought.
    pub(super) max_tokens: u32,
    /// Whether and how to think; nothing leaves it to the model.
    pub(super) thinking: Option<Value>,
    /// How hard.
    pub(super) effort: Option<&'static str>,
    is_bound: bool,
}

impl Thought {
    pub(super) fn new(request: &Request<'_>, kin: Kin, offer: &Offer, messages: &[Value]) -> Self {
        let given = request.options.max_output_tokens;
        let mut thought = Self {
            max_tokens: given.unwrap_or(kin.max_tokens()).max(1),
            thinking: None,
            effort: None,
            is_bound: false,
        };
        let wish = match request.options.thinking {
            Thinking::Tokens(0) => Thinking::Off,
            wish => wish,
        };
        match (kin, wish) {
            (Kin::Usually, Thinking::Off) => thought.disable(),
            (Kin::Usually, _) if offer.is_forced => thought.disable(),
            (Kin::Always { .. }, Thinking::Off) => thought.effort = Some("low"),
            (_, Thinking::Usual | Thinking::Off) => {}
            _ if offer.is_forced => {}
            (Kin::Budget, Thinking::Tokens(n)) => thought.budget(n, given, messages),
            (Kin::Adaptive | Kin::Adaptive47, Thinking::Tokens(n)) => {
                thought.thinking = Some(json!({ "type": "adaptive" }));
                thought.effort = Some(effort(n));
            }
            (Kin::Usually | Kin::Always { .. }, Thinking::Tokens(n)) => {
                thought.effort = Some(effort(n));
            }
        }
        if kin == (Kin::Always { are_bound: true }) && messages.iter().any(has_thoughts) {
            thought.bind();
        }
        thought
    }

    /// What stands at the head of the letter for it.
    pub(super) fn header(&self) -> Option<(&'static str, String)> {
        let beta = "thinking-binding-controls-2026-08-01";
        self.is_bound.then(|| ("anthropic-beta", beta.to_owned()))
    }

    fn disable(&mut self) {
        self.thinking = Some(json!({ "type": "disabled" }));
    }

    /// A model that thinks while its tools run must have thought before it called them; the server refuses a
    /// conversation in which another model did that part.
    fn budget(&mut self, n: u32, given: Option<u32>, messages: &[Value]) {
        let n = n.max(MIN_BUDGET);
        let max = given.unwrap_or(self.max_tokens.saturating_add(n));
        let n = n.min(max.saturating_sub(1));
        if n >= MIN_BUDGET && may_think(messages) {
            self.max_tokens = max;
            self.thinking = Some(json!({ "type": "enabled", "budget_tokens": n }));
        }
    }

    /// Thoughts go back only behind exactly what they came from, and we shorten what is old: a thought that has
    /// lost its place is to be dropped, and not all of the request.
    fn bind(&mut self) {
        self.is_bound = true;
        self.thinking = Some(json!({
            "type": "adaptive",
            "block_binding": { "prefix_mismatch_behavior": "drop_block" },
        }));
    }
}

fn effort(n_tokens: u32) -> &'static str {
    match n_tokens {
        0..=2048 => "low",
        2049..=8192 => "medium",
        _ => "high",
    }
}

fn may_think(messages: &[Value]) -> bool {
    let [.., assistant, user] = messages else {
        return true;
    };
    let kind = |message: &Value| message.pointer("/content/0/type").cloned();
    kind(user) != Some("tool_result".into()) || kind(assistant).is_some_and(|k| is_thought(&k))
}

fn has_thoughts(message: &Value) -> bool {
    let content = message.get("content").and_then(Value::as_array);
    let kinds = content
        .into_iter()
        .flatten()
        .filter_map(|block| block.get("type"));
    kinds.into_iter().any(is_thought)
}

fn is_thought(kind: &Value) -> bool {
    matches!(kind.as_str(), Some("thinking" | "redacted_thinking"))
}
