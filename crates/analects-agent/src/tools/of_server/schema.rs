//! The schema of a tool's arguments, in a form that every model takes.
//!
//! What is known stays; what is not, or lies, goes: a looser schema only makes a model guess more, and the server looks
//! at the arguments anyway. References are put in place, as long as they lead somewhere and come to an end.

use serde_json::{Map, Value, json};

use super::words;

/// Deeper is any value.
const MAX_DEPTH: usize = 16;
/// How many schemas one may contain, with all that references bring in.
const MAX_NODES: usize = 1_000;
/// How many values, or ways, or names stand side by side.
const MAX_WIDTH: usize = 128;
/// How much is told of an argument.
const MAX_WORDS: usize = 512;
/// One that is still longer is not told at all.
const MAX_BYTES: usize = 32 << 10;

const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];
const NUMBERS: [&str; 10] = [
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
];
const WAYS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// The schema, whatever a server calls one.
pub(super) fn clean(schema: &Value) -> Value {
    let mut cleaning = Cleaning {
        root: schema,
        n_left: MAX_NODES,
    };
    let mut cleaned = cleaning.schema(schema, 0);
    // Arguments are an object, and some models take nothing else at the top.
    for way in WAYS.iter().chain(&["enum", "const", "items", "default"]) {
        cleaned.remove(*way);
    }
    cleaned.insert("type".to_owned(), "object".into());
    if !cleaned.contains_key("properties") {
        cleaned.insert("properties".to_owned(), json!({}));
    }
    let cleaned = Value::Object(cleaned);
    match cleaned.to_string().len() > MAX_BYTES {
        true => json!({ "type": "object", "properties": {} }),
        false => cleaned,
    }
}

struct Cleaning<'a> {
    root: &'a Value,
    n_left: usize,
}

impl<'a> Cleaning<'a> {
    /// What stays of a schema; one that allows everything, if nothing does.
    fn schema(&mut self, schema: &'a Value, depth: usize) -> Map<String, Value> {
        let Value::Object(said) = schema else {
            return Map::new();
        };
        if depth > MAX_DEPTH || self.n_left == 0 {
            return Map::new();
        }
        self.n_left -= 1;
        // What is referred to comes first: what stands beside the reference says it better.
        let mut cleaned = match said.get("$ref").and_then(Value::as_str) {
            Some(reference) => match self.found(reference) {
                Some(found) => self.schema(found, depth + 1),
                None => Map::new(),
            },
            None => Map::new(),
        };
        for (word, value) in said {
            if let Some(value) = self.member(word, value, depth) {
                cleaned.insert(word.clone(), value);
            }
        }
        require_only_what_is_there(&mut cleaned);
        cleaned
    }

    fn found(&self, reference: &str) -> Option<&'a Value> {
        self.root.pointer(reference.strip_prefix('#')?)
    }

    fn member(&mut self, word: &str, value: &'a Value, depth: usize) -> Option<Value> {
        match (word, value) {
            ("type", value) => kind(value),
            ("title" | "description", Value::String(text)) => Some(words(text, MAX_WORDS).into()),
            ("format", Value::String(text)) if text.len() <= 32 => Some(words(text, 32).into()),
            ("enum", Value::Array(values)) => {
                let values = values.iter().take(MAX_WIDTH).filter_map(plain);
                let values: Vec<_> = values.collect();
                (!values.is_empty()).then(|| values.into())
            }
            ("const" | "default", value) => plain(value),
            ("uniqueItems" | "additionalProperties", Value::Bool(_)) => Some(value.clone()),
            ("items" | "additionalProperties", Value::Object(_)) => {
                Some(self.schema(value, depth + 1).into())
            }
            ("properties", Value::Object(all)) => {
                let mut properties = Map::new();
                for (name, value) in all.iter().take(MAX_WIDTH) {
                    if is_name(name) {
                        properties.insert(name.clone(), self.schema(value, depth + 1).into());
                    }
                }
                Some(properties.into())
            }
            ("required", Value::Array(_)) => Some(value.clone()),
            (word, Value::Array(all)) if WAYS.contains(&word) => {
                let mut ways: Vec<Value> = Vec::new();
                for way in all.iter().take(MAX_WIDTH) {
                    ways.push(self.schema(way, depth + 1).into());
                }
                (!ways.is_empty()).then(|| ways.into())
            }
            (word, Value::Number(_)) if NUMBERS.contains(&word) => Some(value.clone()),
            _ => None,
        }
    }
}

/// Names of arguments that every model takes.
fn is_name(name: &str) -> bool {
    let is_taken = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    (1..=64).contains(&name.len()) && name.bytes().all(is_taken)
}

fn kind(value: &Value) -> Option<Value> {
    let is_known = |kind: &Value| kind.as_str().is_some_and(|kind| TYPES.contains(&kind));
    match value {
        Value::String(_) => is_known(value).then(|| value.clone()),
        Value::Array(kinds) => {
            let mut known: Vec<Value> = Vec::new();
            for kind in kinds.iter().take(TYPES.len()).filter(|kind| is_known(kind)) {
                if !known.contains(kind) {
                    known.push(kind.clone());
                }
            }
            (!known.is_empty()).then(|| known.into())
        }
        _ => None,
    }
}

fn plain(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(_) | Value::Number(_) | Value::Null => Some(value.clone()),
        // A value that had to be changed would be another one.
        Value::String(text) => (words(text, MAX_WORDS) == *text).then(|| value.clone()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn require_only_what_is_there(schema: &mut Map<String, Value>) {
    let Some(Value::Array(required)) = schema.remove("required") else {
        return;
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut names: Vec<Value> = Vec::new();
    for name in required.into_iter().take(MAX_WIDTH) {
        let is_there = name
            .as_str()
            .is_some_and(|name| properties.is_some_and(|all| all.contains_key(name)));
        if is_there && !names.contains(&name) {
            names.push(name);
        }
    }
    if !names.is_empty() {
        schema.insert("required".to_owned(), names.into());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_known_stays() {
        let schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Where.", "minLength": 1, "pattern": "^/"},
                "kind": {"type": ["string", "null"], "enum": ["a", "b"], "default": "a"},
                "many": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]}},
            },
            "required": ["path", "path", "gone", 7],
            "additionalProperties": false,
        });
        let cleaned = json!({
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Where.", "minLength": 1},
                "kind": {"type": ["string", "null"], "enum": ["a", "b"], "default": "a"},
                "many": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]}},
            },
            "additionalProperties": false,
            "required": ["path"],
        });
        assert_eq!(clean(&schema), cleaned);
    }

    #[test]
    fn whatever_is_no_schema_is_an_object() {
        let none = json!({"type": "object", "properties": {}});
        for schema in [
            json!(null),
            json!("string"),
            json!([1]),
            json!({}),
            json!({"type": "string", "enum": ["x"]}),
            json!({"type": 7, "properties": [], "required": {}}),
            json!({"oneOf": [{"type": "object"}], "properties": {"bad name!": {}, "": {}}}),
        ] {
            assert_eq!(clean(&schema), none, "{schema}");
        }
    }

    #[test]
    fn references_are_put_in_place_and_come_to_an_end() {
        let schema = json!({
            "type": "object",
            "properties": {
                "a": {"$ref": "#/$defs/word", "description": "Mine."},
                "tree": {"$ref": "#/$defs/tree"},
                "far": {"$ref": "https://evil.example/schema"},
                "lost": {"$ref": "#/nowhere"},
            },
            "$defs": {
                "word": {"type": "string", "description": "Theirs."},
                "tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}}},
            },
        });
        let cleaned = clean(&schema);
        let a = json!({"type": "string", "description": "Mine."});
        assert_eq!(cleaned["properties"]["a"], a);
        assert_eq!(cleaned["properties"]["far"], json!({}));
        assert_eq!(cleaned["properties"]["lost"], json!({}));
        assert!(cleaned.get("$defs").is_none());
        assert!(!cleaned.to_string().contains("$ref"));
    }

    #[test]
    fn a_schema_that_grows_by_its_references_does_not_grow_for_ever() {
        let pair = |of: &str| json!({"properties": {"a": {"$ref": of}, "b": {"$ref": of}}});
        let mut defs = Map::new();
        for n in 0..40 {
            defs.insert(format!("d{n}"), pair(&format!("#/$defs/d{}", n + 1)));
        }
        let schema = json!({"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": defs});
        assert!(clean(&schema).to_string().len() <= MAX_BYTES);
        let wide: Map<_, _> = (0..5_000)
            .map(|n| (format!("p{n}"), json!({"description": "x".repeat(400)})))
            .collect();
        let none = json!({"type": "object", "properties": {}});
        assert_eq!(clean(&json!({"properties": wide})), none);
    }

    proptest! {
        #[test]
        fn any_value_becomes_a_schema(text in "[a-z\"{}:,\\[\\]$#/]{0,80}", name in "[ -~]{0,10}") {
            let value: Value = serde_json::from_str(&text).unwrap_or(Value::String(text));
            let schema = json!({"type": value, "properties": {name: value}, "required": [value], "anyOf": value});
            let cleaned = clean(&schema);
            prop_assert_eq!(&cleaned["type"], "object");
            prop_assert!(cleaned["properties"].is_object());
            prop_assert_eq!(&clean(&cleaned), &cleaned);
        }
    }
}
