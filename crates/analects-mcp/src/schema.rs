//! Schemas of tools, in the plain words that every client and model understands.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The schema of what a tool takes: nothing is nullable, what is optional may be left out.
pub(crate) fn input<T: JsonSchema>() -> JsonObject {
    let mut schema = whole::<T>(SchemaSettings::draft2020_12());
    simplify(&mut schema, Nulls::LeftOut);
    let mut schema = object(schema);
    // The tool says better what it is for.
    schema.remove("description");
    schema
}

/// The schema of what a tool answers, as it is written: what may be left out there is not required.
pub(crate) fn output<T: JsonSchema>() -> JsonObject {
    let mut schema = whole::<T>(SchemaSettings::draft2020_12().for_serialize());
    simplify(&mut schema, Nulls::Kept);
    object(schema)
}

fn whole<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let settings = settings.with(|settings| {
        settings.meta_schema = None;
        // Few clients follow references.
        settings.inline_subschemas = true;
    });
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

fn object(schema: Value) -> JsonObject {
    match schema {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

/// What becomes of `null`.
#[derive(Clone, Copy)]
enum Nulls {
    Kept,
    LeftOut,
}

fn simplify(schema: &mut Value, nulls: Nulls) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| simplify(item, nulls)),
        Value::Object(object) => {
            // The names of our types mean nothing to others, nor do the widths of our numbers. A property
            // may be called so, too: then it is no text.
            for key in ["title", "format"] {
                if object.get(key).is_some_and(Value::is_string) {
                    object.remove(key);
                }
            }
            if let Some(Value::String(about)) = object.get_mut("description") {
                // Our lines end where our editors are full.
                *about = about.replace('\n', " ");
            }
            match nulls {
                Nulls::LeftOut => without_null(object),
                Nulls::Kept => one_type_each(object),
            }
            words(object);
            object.values_mut().for_each(|value| simplify(value, nulls));
        }
        _ => {}
    }
}

/// A type or `null` becomes the type.
fn without_null(object: &mut JsonObject) {
    let is_null = |schema: &Value| *schema == json!("null") || *schema == json!({ "type": "null" });
    if object.get("default") == Some(&Value::Null) {
        object.remove("default");
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|one| !is_null(one));
        if let [one] = types.as_slice() {
            let one = one.clone();
            object.insert("type".to_owned(), one);
        }
    }
    if let Some(Value::Array(variants)) = object.get_mut("anyOf") {
        variants.retain(|one| !is_null(one));
        if let [Value::Object(one)] = variants.as_slice() {
            let one = one.clone();
            object.remove("anyOf");
            for (key, value) in one {
                // What is said where the type is used is more to the point.
                object.entry(key).or_insert(value);
            }
        }
    }
}

/// Several types become several schemas: not every client reads a list of types.
fn one_type_each(object: &mut JsonObject) {
    if let Some(Value::Array(types)) = object.get("type") {
        let each: Vec<_> = types.iter().map(|one| json!({ "type": one })).collect();
        object.remove("type");
        object.insert("anyOf".to_owned(), Value::Array(each));
    }
}

/// A choice between constants becomes a list of words.
fn words(object: &mut JsonObject) {
    let Some(Value::Array(variants)) = object.get("oneOf") else {
        return;
    };
    let words: Option<Vec<_>> = variants
        .iter()
        .map(|one| one.get("const").cloned())
        .collect();
    if let Some(words) = words {
        object.remove("oneOf");
        object.insert("type".to_owned(), json!("string"));
        object.insert("enum".to_owned(), Value::Array(words));
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// Said of the whole.
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Taken {
        /// Said of a word, on
        /// two lines.
        word: Option<Word>,
        /// Said of a count.
        title: Option<usize>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Word {
        /// Said of one.
        One,
        /// Said of two.
        Two,
    }

    #[test]
    fn what_is_taken_is_never_null_and_words_are_a_list() {
        let properties = json!({
            "word": { "description": "Said of a word, on two lines.", "type": "string", "enum": ["one", "two"] },
            "title": { "description": "Said of a count.", "type": "integer", "minimum": 0 },
        });
        let schema = json!({ "type": "object", "properties": properties });
        assert_eq!(Value::Object(input::<Taken>()), schema);
    }

    #[test]
    fn what_is_answered_may_be_null_and_has_one_type_each() {
        let schema = Value::Object(output::<Taken>());
        let either = json!([{ "type": "integer" }, { "type": "null" }]);
        assert_eq!(schema["properties"]["title"]["anyOf"], either);
        assert_eq!(schema["description"], "Said of the whole.");
    }
}
