//! What the model may call, and what it must.

use std::collections::BTreeSet;

use analects_world::models::{Choice, Form, Request, Tool};
use serde_json::{Value, json};

use crate::http_models::wire::anthropic::kin::Kin;
use crate::http_models::wire::anthropic::{ANSWER, ANSWER_VALUE, VALUE};
use crate::http_models::wire::lay::{Said, Turn};
use crate::http_models::wire::name;

/// What a request offers.
pub(super) struct Offer {
    /// The tools.
    pub(super) tools: Vec<Value>,
    /// Whether they must be called; nothing if the model may do as it likes.
    pub(super) choice: Option<Value>,
    /// Whether the model is made to call one. It cannot think at the same time.
    pub(super) is_forced: bool,
}

impl Offer {
    pub(super) fn new(request: &Request<'_>, kin: Kin, turns: &[Turn<'_>]) -> Self {
        let mut tools: Vec<Value> = request.tools.iter().map(tool).collect();
        if let (Form::Json { schema, .. }, true) = (&request.options.form, kin.can_be_made()) {
            let (name, answer) = answer(schema);
            tools.push(answer);
            let choice = Some(json!({ "type": "tool", "name": name }));
            return Self::forced(tools, choice);
        }
        if tools.is_empty() {
            tools = stubs(turns);
            let choice = (!tools.is_empty()).then(|| json!({ "type": "none" }));
            return Self::free(tools, choice);
        }
        match &request.options.choice {
            Choice::None => Self::free(tools, Some(json!({ "type": "none" }))),
            Choice::Any if kin.can_be_made() => Self::forced(tools, Some(json!({ "type": "any" }))),
            Choice::Only(only) if kin.can_be_made() => {
                let is_there = request.tools.iter().any(|tool| tool.name == *only);
                let choice = json!({ "type": "tool", "name": name::tool(only) });
                Self::forced(tools, is_there.then_some(choice))
            }
            Choice::Auto | Choice::Any | Choice::Only(_) => Self::free(tools, None),
        }
    }

    fn forced(tools: Vec<Value>, choice: Option<Value>) -> Self {
        let is_forced = choice.is_some();
        Self {
            tools,
            choice,
            is_forced,
        }
    }

    fn free(tools: Vec<Value>, choice: Option<Value>) -> Self {
        let is_forced = false;
        Self {
            tools,
            choice,
            is_forced,
        }
    }
}

fn tool(tool: &Tool) -> Value {
    json!({
        "name": name::tool(&tool.name),
        "description": tool.description,
        "input_schema": object(&tool.parameters),
    })
}

/// The schema of a tool is that of an object, and says so.
fn object(schema: &Value) -> Value {
    match schema.get("type") {
        Some(kind) if kind == "object" => schema.clone(),
        _ => json!({ "type": "object" }),
    }
}

/// The tool that is called with the answer.
fn answer(schema: &Value) -> (&'static str, Value) {
    let description = "Takes your answer. Nobody reads anything else.";
    let is_object = schema.get("type").is_some_and(|kind| kind == "object");
    let (name, schema) = if is_object {
        (ANSWER, schema.clone())
    } else {
        let properties = json!({ VALUE: schema });
        let schema = json!({ "type": "object", "properties": properties, "required": [VALUE] });
        (ANSWER_VALUE, schema)
    };
    let tool = json!({ "name": name, "description": description, "input_schema": schema });
    (name, tool)
}

/// A conversation with calls is refused where no tools are declared; those that were called then are, and
/// nobody may call them now.
fn stubs(turns: &[Turn<'_>]) -> Vec<Value> {
    let said = turns.iter().filter_map(|turn| match turn {
        Turn::Model(said) => Some(said),
        Turn::User { .. } => None,
    });
    let names = said.flatten().filter_map(|piece| match piece {
        Said::Call { name, .. } => Some(name::tool(name)),
        _ => None,
    });
    let names: BTreeSet<_> = names.collect();
    let stub = |name| json!({ "name": name, "input_schema": { "type": "object" } });
    names.into_iter().map(stub).collect()
}
