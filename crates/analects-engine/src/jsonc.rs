//! JSON with comments, as people write it, with the line of every value.

use analects_text::decode::{Cut, decode};
use analects_text::lines::LineIndex;
use analects_world::AbsPath;
use analects_world::files::{Files, Trouble, Want, Within};
use jsonc_parser::ast;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) value: Value,
    /// Counted from one.
    pub(crate) line: usize,
}

/// A JSON value.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Null,
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Item>),
    Object(Vec<(String, Item)>),
}

impl Item {
    /// The members of an object.
    pub(crate) fn object(&self) -> Option<&[(String, Self)]> {
        if let Value::Object(members) = &self.value {
            Some(members)
        } else {
            None
        }
    }

    /// A member of an object; the last one counts if a key stands twice, as in JavaScript.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        self.object()?
            .iter()
            .rev()
            .find(|(name, _)| name == key)
            .map(|(_, item)| item)
    }

    pub(crate) fn text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value {
            Some(text)
        } else {
            None
        }
    }

    pub(crate) fn list(&self) -> Option<&[Self]> {
        if let Value::List(items) = &self.value {
            Some(items)
        } else {
            None
        }
    }

    /// The same without lines. As deep as the parser lets a file be, which is bounded.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Flag(flag) => (*flag).into(),
            Value::Number(number) => (*number).into(),
            Value::Text(text) => text.as_str().into(),
            Value::List(items) => items.iter().map(Self::to_json).collect(),
            Value::Object(members) => {
                let members = members.iter();
                let members = members.map(|(name, item)| (name.clone(), item.to_json()));
                serde_json::Value::Object(members.collect())
            }
        }
    }
}

/// Why a file gave no object.
#[derive(Debug)]
pub(crate) struct Bad {
    pub(crate) message: String,
    pub(crate) line: Option<usize>,
}

/// Configuration is small; more than this is a mistake or an attack.
const LIMIT_BYTES: usize = 4 * 1024 * 1024;

/// Reads a file that should hold one object. `None` if there is no such file.
pub(crate) fn read_object(files: &dyn Files, path: &AbsPath) -> Option<Result<Item, Bad>> {
    let bad = |message: String| Bad {
        message,
        line: None,
    };
    let blob = match files.read_one(Want {
        path,
        within: Within::Anywhere,
        limit_bytes: LIMIT_BYTES,
    }) {
        Ok(blob) => blob,
        Err(Trouble::Missing | Trouble::NotDir) => return None,
        Err(trouble) => return Some(Err(bad(trouble.to_string()))),
    };
    if blob.is_cut() {
        return Some(Err(bad(format!("larger than {LIMIT_BYTES} bytes"))));
    }
    Some(parse_object(&decode(&blob.bytes, Cut::Whole).text))
}

/// Parses a text that should hold one object; a blank one is an empty object.
pub(crate) fn parse_object(text: &str) -> Result<Item, Bad> {
    let lines = LineIndex::new(text);
    let parsed =
        parse_to_ast(text, &CollectOptions::default(), &options()).map_err(|error| Bad {
            message: format!(
                "not valid JSON: {}",
                error.kind().to_string().to_lowercase()
            ),
            // The parser's own count takes a carriage return for the end of a line.
            line: Some(lines.line(error.range().start)),
        })?;
    let root = match parsed.value {
        None => Item {
            value: Value::Object(Vec::new()),
            line: 1,
        },
        Some(value) => item(&value, &lines),
    };
    if root.object().is_none() {
        return Err(Bad {
            message: "not a JSON object".to_owned(),
            line: Some(root.line),
        });
    }
    Ok(root)
}

/// JSON as Gemini CLI reads it, plus the comma that people leave behind.
pub(crate) fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// Whether a text holds no comma too many, and no comment unless `comments` are allowed.
pub(crate) fn is_plain(text: &str, comments: bool) -> bool {
    let options = ParseOptions {
        allow_comments: comments,
        allow_trailing_commas: false,
        ..options()
    };
    parse_to_ast(text, &CollectOptions::default(), &options).is_ok()
}

// The parser refuses more than 512 levels, so this recursion ends.
fn item(value: &ast::Value<'_>, lines: &LineIndex) -> Item {
    let (value, at) = match value {
        ast::Value::NullKeyword(null) => (Value::Null, null.range.start),
        ast::Value::BooleanLit(flag) => (Value::Flag(flag.value), flag.range.start),
        ast::Value::NumberLit(number) => (
            Value::Number(number.value.parse().unwrap_or(f64::NAN)),
            number.range.start,
        ),
        ast::Value::StringLit(text) => (Value::Text(text.value.to_string()), text.range.start),
        ast::Value::Array(array) => {
            let items = array
                .elements
                .iter()
                .map(|element| item(element, lines))
                .collect();
            (Value::List(items), array.range.start)
        }
        ast::Value::Object(object) => {
            let members = object.properties.iter();
            let members = members.map(|p| (p.name.as_str().to_owned(), item(&p.value, lines)));
            (Value::Object(members.collect()), object.range.start)
        }
    };
    Item {
        value,
        line: lines.line(at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_line_is_counted_as_the_file_has_it() {
        let bad = parse_object("{\n \"a\rb\": 1,\n x\n}").unwrap_err();
        assert_eq!(bad.line, Some(3), "{}", bad.message);
    }

    #[test]
    fn comments_and_trailing_commas_are_fine() {
        let root = parse_object("{ // why\n \"a\": [1,],\n /* b */ \"b\": \"x\" }").unwrap();
        assert_eq!(root.get("b").and_then(Item::text), Some("x"));
        assert_eq!(root.get("b").map(|item| item.line), Some(3));
        assert_eq!(
            root.get("a").and_then(Item::list).map(<[Item]>::len),
            Some(1)
        );
    }

    #[test]
    fn anything_else_is_bad_and_says_where() {
        for (text, message, line) in [
            ("[]", "not a JSON object", Some(1)),
            ("\n\n3", "not a JSON object", Some(3)),
            ("{\n\"a\": \"\\ud800\"}", "not valid JSON: ", Some(2)),
            ("{'a': 1}", "not valid JSON: ", Some(1)),
            ("{\"a\"", "not valid JSON: ", Some(1)),
        ] {
            let bad = parse_object(text).unwrap_err();
            assert!(bad.message.starts_with(message), "{text}: {}", bad.message);
            assert_eq!(bad.line, line, "{text}");
        }
        assert!(parse_object(&"{\"a\":".repeat(100_000)).is_err());
        assert!(parse_object("").unwrap().object().unwrap().is_empty());
    }
}
