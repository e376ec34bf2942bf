//! The tool `complete_task`: how a sub-agent says that it is done, and what came of it.
//!
//! It has one argument, named and described by the [`Output`] of the sub-agent.

use analects_world::models::Tool;
use serde_json::{Map, Value, json};

use super::{Output, schema};
use crate::tools::{Refusal, RefusalKind};

/// The name that models know it by.
pub const NAME: &str = "complete_task";

const DESCRIPTION: &str = include_str!("../../prompts/complete_task.md");

/// The tool as a sub-agent is told of it.
#[must_use]
pub fn offered(output: &Output) -> Tool {
    let mut schema = output.schema.clone();
    if let Some(fields) = schema.as_object_mut()
        && !output.description.is_empty()
    {
        fields.insert("description".to_owned(), output.description.clone().into());
    }
    let mut properties = Map::new();
    properties.insert(output.name.clone(), schema);
    Tool {
        name: NAME.to_owned(),
        description: DESCRIPTION.trim_end().to_owned(),
        parameters: json!({
            "type": "object",
            "properties": properties,
            "required": [output.name],
        }),
    }
}

/// What a call hands in; or what is wrong with it, so that the model can do better.
pub(super) fn read(args: &Value, output: &Output) -> Result<Value, Refusal> {
    let name = &output.name;
    let nothing = Map::new();
    let fields = match args {
        Value::Object(fields) => fields,
        Value::Null => &nothing,
        _ => {
            return Err(bad(&format!(
                "its arguments must be an object with `{name}`"
            )));
        }
    };
    let Some(result) = fields.get(name) else {
        return Err(bad(&format!("the argument `{name}` is missing")));
    };
    if let Some(other) = fields.keys().find(|field| *field != name) {
        let other = schema::shown(other);
        return Err(bad(&format!(
            "it takes nothing but `{name}`, so `{other}` has to go"
        )));
    }
    schema::check(result, &output.schema, name).map_err(|why| bad(&why))?;
    match result {
        Value::String(text) if text.trim().is_empty() => {
            Err(bad(&format!("`{name}` must not be blank")))
        }
        result => Ok(result.clone()),
    }
}

fn bad(why: &str) -> Refusal {
    let message = format!("The task is not complete: {why}. Call `{NAME}` again.");
    Refusal::new(RefusalKind::BadArguments, message)
}

/// A result as text: words as they are, everything else as JSON.
pub(super) fn text(result: &Value) -> String {
    match result {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
