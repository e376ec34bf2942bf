//! Checks a value against a JSON schema.
//!
//! Knows what models are asked for: `type`, `enum`, `properties`, `required`, `additionalProperties` and `items`.
//! Whatever else a schema says is advice to the model and not checked. Goes no deeper than the schema does.

use analects_text::{sanitize, truncate};
use serde_json::{Map, Value};

/// How much of somebody's word is repeated.
const MAX_SHOWN_BYTES: usize = 100;
/// How many choices are listed.
const MAX_CHOICES: usize = 20;

/// Whether it is; if not, what is wrong with it, in a sentence about `place`.
pub(super) fn check(value: &Value, schema: &Value, place: &str) -> Result<(), String> {
    find(value, schema).map_err(|wrong| {
        let below: String = wrong.place.into_iter().rev().collect();
        format!("`{place}{below}` {}", wrong.what)
    })
}

/// What is wrong, and where: the innermost step first, since places are named on the way out only.
struct Wrong {
    place: Vec<String>,
    what: String,
}

impl Wrong {
    fn new(what: impl Into<String>) -> Self {
        let (place, what) = (Vec::new(), what.into());
        Self { place, what }
    }

    fn below(mut self, step: String) -> Self {
        self.place.push(step);
        self
    }
}

fn find(value: &Value, schema: &Value) -> Result<(), Wrong> {
    let Value::Object(wants) = schema else {
        return match schema {
            Value::Bool(false) => Err(Wrong::new("must not be there")),
            _ => Ok(()),
        };
    };
    check_type(value, wants)?;
    check_choice(value, wants)?;
    match value {
        Value::Object(fields) => check_fields(fields, wants),
        Value::Array(items) => {
            let Some(schema) = wants.get("items") else {
                return Ok(());
            };
            let mut items = items.iter().enumerate();
            items.try_for_each(|(at, item)| {
                find(item, schema).map_err(|wrong| wrong.below(format!("[{at}]")))
            })
        }
        _ => Ok(()),
    }
}

/// Words of a model, short and on one line.
pub(super) fn shown(text: &str) -> String {
    let head = truncate::head_bytes(text, MAX_SHOWN_BYTES);
    let mut line = sanitize::one_line(head).replace('`', "'");
    if head.len() < text.len() {
        line.push('…');
    }
    line
}

fn check_type(value: &Value, wants: &Map<String, Value>) -> Result<(), Wrong> {
    let types: Vec<_> = match wants.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => return Ok(()),
    };
    if types.is_empty() || types.iter().any(|name| is_of(value, name)) {
        return Ok(());
    }
    Err(Wrong::new(format!(
        "must be of the type {}, not {}",
        types.join(" or "),
        type_of(value)
    )))
}

/// Types that nobody knows are no reason to refuse anything. Gemini writes them in capitals.
fn is_of(value: &Value, name: &str) -> bool {
    match name.to_ascii_lowercase().as_str() {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64() || is_whole(value),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "null" => value.is_null(),
        _ => true,
    }
}

fn is_whole(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number.fract() == 0.0)
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn check_choice(value: &Value, wants: &Map<String, Value>) -> Result<(), Wrong> {
    let Some(Value::Array(choices)) = wants.get("enum") else {
        return Ok(());
    };
    if choices.contains(value) {
        return Ok(());
    }
    let listed = choices.iter().take(MAX_CHOICES).map(Value::to_string);
    let listed = listed.collect::<Vec<_>>().join(", ");
    Err(Wrong::new(format!("must be one of {listed}")))
}

fn check_fields(fields: &Map<String, Value>, wants: &Map<String, Value>) -> Result<(), Wrong> {
    let required = wants.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    if let Some(missing) = required
        .into_iter()
        .find(|name| !fields.contains_key(*name))
    {
        return Err(Wrong::new("is missing").below(format!(".{missing}")));
    }
    let known = wants.get("properties").and_then(Value::as_object);
    let others = wants.get("additionalProperties");
    for (name, field) in fields {
        let schema = known.and_then(|known| known.get(name)).or(others);
        if let Some(schema) = schema {
            find(field, schema).map_err(|wrong| wrong.below(format!(".{}", shown(name))))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wrong(value: &Value, schema: &Value) -> String {
        check(value, schema, "report").unwrap_err()
    }

    #[test]
    fn a_value_that_fits_is_let_through() {
        let schema = json!({
            "type": "object",
            "properties": {
                "done": { "type": "boolean" },
                "files": { "type": "array", "items": { "type": "string" } },
                "size": { "type": ["integer", "null"] },
                "mood": { "enum": ["good", "bad"] },
                "odd": { "type": "whatever", "pattern": "(" },
            },
            "required": ["done"],
            "additionalProperties": { "type": "number" },
        });
        let value = json!({
            "done": true, "files": ["a"], "size": 2.0, "mood": "bad", "odd": 1, "extra": 1.5,
        });
        assert_eq!(check(&value, &schema, "report"), Ok(()));
        assert_eq!(check(&json!([1, "x"]), &json!({}), "report"), Ok(()));
        assert_eq!(
            check(&json!("x"), &json!({"type": "STRING"}), "report"),
            Ok(())
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let list = json!({ "properties": { "files": { "items": { "type": "string" } } } });
        assert_eq!(
            wrong(&json!({ "files": ["a", 7] }), &list),
            "`report.files[1]` must be of the type string, not number"
        );
        assert_eq!(
            wrong(&json!({}), &json!({ "required": ["done"] })),
            "`report.done` is missing"
        );
        assert_eq!(
            wrong(&json!(1.5), &json!({ "type": ["integer", "null"] })),
            "`report` must be of the type integer or null, not number"
        );
        assert_eq!(
            wrong(&json!("ugly"), &json!({ "enum": ["good", "bad"] })),
            "`report` must be one of \"good\", \"bad\""
        );
        assert_eq!(
            wrong(
                &json!({ "x": 1 }),
                &json!({ "additionalProperties": false })
            ),
            "`report.x` must not be there"
        );
    }

    #[test]
    fn the_words_of_a_model_are_short_and_harmless_when_they_are_repeated() {
        let name = format!("\u{1b}[2J`{}", "é".repeat(1_000));
        let said = wrong(
            &json!({ name: 1 }),
            &json!({ "additionalProperties": false }),
        );
        assert!(said.len() < 200, "{said}");
        assert!(!said.contains('\u{1b}'), "{said}");
    }
}
