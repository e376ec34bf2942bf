//! JSON schemas within the bounds of servers that take only some of it.

use serde_json::{Map, Value};

/// Words that OpenAI takes in a schema that it enforces. There are more; what is not among these is sent as a
/// wish, which every model accepts.
const ENFORCED: [&str; 10] = [
    "additionalProperties",
    "anyOf",
    "const",
    "description",
    "enum",
    "items",
    "properties",
    "required",
    "title",
    "type",
];

/// Words that Anthropic refuses in a schema that it enforces.
const REFUSED: [&str; 14] = [
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "patternProperties",
    "uniqueItems",
];

/// Whether OpenAI can enforce a schema: all of its objects are closed, and all of their fields are required.
pub(super) fn is_strict(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "object") && is_strict_within(schema)
}

fn is_strict_within(schema: &Value) -> bool {
    let Some(fields) = schema.as_object() else {
        return false;
    };
    let is_known = fields.keys().all(|word| ENFORCED.contains(&&**word));
    is_known && is_closed(fields) && children(fields).all(is_strict_within)
}

fn is_closed(fields: &Map<String, Value>) -> bool {
    let is_object = fields.contains_key("properties")
        || fields.get("type").is_some_and(|kind| kind == "object");
    if !is_object {
        return true;
    }
    let is_required = |name: &String| match fields.get("required") {
        Some(Value::Array(required)) => required.iter().any(|r| r == name),
        _ => false,
    };
    let properties = fields.get("properties").and_then(Value::as_object);
    fields.get("additionalProperties") == Some(&Value::Bool(false))
        && properties.is_some_and(|properties| properties.keys().all(is_required))
}

/// The schemas inside one.
fn children(fields: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let properties = fields.get("properties").and_then(Value::as_object);
    let any = fields.get("anyOf").and_then(Value::as_array);
    let items = fields.get("items");
    let properties = properties.into_iter().flat_map(Map::values);
    properties.chain(any.into_iter().flatten()).chain(items)
}

/// The schema as Anthropic enforces it: objects are closed, and bounds of numbers and lengths go, which whoever
/// reads the answer checks anyway.
pub(super) fn tame(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => tame_object(fields),
        Value::Array(all) => all.iter().map(tame).collect(),
        other => other.clone(),
    }
}

fn tame_object(fields: &Map<String, Value>) -> Value {
    let mut tamed = Map::new();
    for (word, value) in fields {
        let value = match (&**word, value) {
            (word, _) if REFUSED.contains(&word) => continue,
            // What is named here is a field of the answer, whatever it is called.
            ("properties" | "$defs" | "definitions", Value::Object(named)) => {
                let named = named
                    .iter()
                    .map(|(name, schema)| (name.clone(), tame(schema)));
                Value::Object(named.collect())
            }
            ("enum" | "const" | "required" | "default" | "examples", value) => value.clone(),
            (_, value) => tame(value),
        };
        tamed.insert(word.clone(), value);
    }
    if tamed.get("type").is_some_and(|kind| kind == "object") {
        tamed.insert("additionalProperties".to_owned(), false.into());
    }
    Value::Object(tamed)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_is_enforced_only_if_all_of_it_can_be() {
        let closed = json!({
            "type": "object",
            "properties": {
                "a": { "type": "string", "enum": ["x", "y"] },
                "b": { "type": "array", "items": { "type": "integer" } },
                "required": { "anyOf": [{ "type": "null" }, { "type": "number" }] },
            },
            "required": ["a", "b", "required"],
            "additionalProperties": false,
        });
        assert!(is_strict(&closed));
        let change = |pointer: &str, value: Value| {
            let mut schema = closed.clone();
            *schema.pointer_mut(pointer).unwrap() = value;
            schema
        };
        assert!(!is_strict(&change("/required", json!(["a", "b"]))));
        assert!(!is_strict(&change("/additionalProperties", json!(true))));
        assert!(!is_strict(&change(
            "/properties/a",
            json!({ "type": "string", "maxLength": 3 })
        )));
        assert!(!is_strict(&change(
            "/properties/b/items",
            json!({ "type": "object" })
        )));
        assert!(!is_strict(
            &json!({ "type": "array", "items": { "type": "string" } })
        ));
        assert!(!is_strict(&json!(true)));
    }

    #[test]
    fn a_tamed_schema_keeps_its_fields_and_loses_its_bounds() {
        let schema = json!({
            "type": "object",
            "properties": {
                "minimum": { "type": "integer", "minimum": 1, "maximum": 100 },
                "list": { "type": "array", "maxItems": 3, "items": { "type": "object", "properties": {} } },
            },
            "required": ["minimum"],
        });
        let tamed = json!({
            "type": "object",
            "properties": {
                "minimum": { "type": "integer" },
                "list": {
                    "type": "array",
                    "items": { "type": "object", "properties": {}, "additionalProperties": false },
                },
            },
            "required": ["minimum"],
            "additionalProperties": false,
        });
        assert_eq!(tame(&schema), tamed);
    }
}
