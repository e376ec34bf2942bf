//! A tool that was used, as the record has it.

use serde_json::{Map, Value};

use super::{take, take_stamp, take_text};
use crate::stamp::Stamp;

/// How far a tool has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Its arguments are being checked.
    Validating,
    /// It will run.
    Scheduled,
    /// Somebody must say yes.
    AwaitingApproval,
    /// It runs.
    Executing,
    /// It ended well.
    Success,
    /// It ended badly.
    Error,
    /// It was stopped.
    Cancelled,
}

impl Status {
    const ALL: [(Self, &'static str); 7] = [
        (Self::Validating, "validating"),
        (Self::Scheduled, "scheduled"),
        (Self::AwaitingApproval, "awaiting_approval"),
        (Self::Executing, "executing"),
        (Self::Success, "success"),
        (Self::Error, "error"),
        (Self::Cancelled, "cancelled"),
    ];

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        let found = Self::ALL.iter().find(|(status, _)| *status == self);
        found.map_or("", |(_, word)| *word)
    }

    /// The status that a word means.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, known)| *known == word);
        found.map(|(status, _)| *status)
    }
}

/// A tool that was used.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// Its name in this conversation, by which its answer finds it. Old records have none.
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// What it was asked.
    pub args: Value,
    /// What it answered: parts, or a text.
    pub result: Option<Value>,
    /// How far it came.
    pub status: Option<Status>,
    /// When.
    pub at: Option<Stamp>,
    /// The sub-agent that it was; its own record lies beside this one.
    pub agent_id: Option<String>,
    /// All other fields: how it was shown.
    pub rest: Map<String, Value>,
}

impl ToolCall {
    /// A call of a tool, before anything came of it.
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>, args: Value, at: Stamp) -> Self {
        Self {
            id: Some(id.into()),
            name: name.into(),
            args,
            result: None,
            status: None,
            at: Some(at),
            agent_id: None,
            rest: Map::new(),
        }
    }

    pub(super) fn from_value(value: &Value) -> Option<Self> {
        let mut rest = value.as_object()?.clone();
        Some(Self {
            id: take_text(&mut rest, "id"),
            name: take_text(&mut rest, "name").unwrap_or_default(),
            args: rest.shift_remove("args").unwrap_or_default(),
            result: rest
                .shift_remove("result")
                .filter(|result| !result.is_null()),
            status: take(&mut rest, "status", |word| Status::named(word.as_str()?)),
            at: take_stamp(&mut rest, "timestamp"),
            agent_id: take_text(&mut rest, "agentId"),
            rest,
        })
    }

    pub(super) fn to_value(&self) -> Value {
        let mut fields = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            fields.extend(value.map(|value| (name.to_owned(), value)));
        };
        put("id", self.id.as_deref().map(Value::from));
        put("name", Some(Value::from(&*self.name)));
        put(
            "args",
            Some(self.args.clone()).filter(|args| !args.is_null()),
        );
        put("result", self.result.clone());
        put("status", self.status.map(|status| status.as_str().into()));
        put("timestamp", self.at.map(|at| at.to_string().into()));
        put("agentId", self.agent_id.as_deref().map(Value::from));
        for (name, value) in &self.rest {
            fields.entry(name).or_insert_with(|| value.clone());
        }
        Value::Object(fields)
    }

    /// Takes over what `later` says about the same call; what it does not say stays.
    pub(crate) fn merge(&mut self, later: Self) {
        self.name = later.name;
        if !later.args.is_null() {
            self.args = later.args;
        }
        self.result = later.result.or(self.result.take());
        self.status = later.status.or(self.status);
        self.at = later.at.or(self.at);
        self.agent_id = later.agent_id.or(self.agent_id.take());
        self.rest.extend(later.rest);
    }
}
