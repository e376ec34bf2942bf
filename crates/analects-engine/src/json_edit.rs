//! Changes one member of a JSON file and nothing else: comments, order and layout stay.
//!
//! A file that Gemini CLI wrote comes out as Gemini CLI would have written it: two spaces, no newline at
//! the end.

use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};

use crate::jsonc::{self, Bad};

/// `text` with the member at `path` set to a text, or removed. Missing objects on the way are made.
pub(crate) fn set(text: &str, path: &[&str], value: Option<&str>) -> Result<String, Bad> {
    let value = value.map(|value| CstInputValue::String(value.to_owned()));
    edit(text, path, value)
}

/// `text` with the member `name` set to an object of texts.
pub(crate) fn set_object<'a>(
    text: &str,
    name: &str,
    members: impl Iterator<Item = (&'a String, &'a String)>,
) -> Result<String, Bad> {
    let member =
        |(name, value): (&String, &String)| (name.clone(), CstInputValue::String(value.clone()));
    let value = CstInputValue::Object(members.map(member).collect());
    edit(text, &[name], Some(value))
}

fn edit(text: &str, path: &[&str], value: Option<CstInputValue>) -> Result<String, Bad> {
    if let Some(text) = text.strip_prefix('\u{FEFF}') {
        return Ok(format!("\u{FEFF}{}", edit(text, path, value)?));
    }
    jsonc::parse_object(text)?;
    let bad = |message: String| Bad {
        message,
        line: None,
    };
    let text = if text.trim().is_empty() { "{}" } else { text };
    let root =
        CstRootNode::parse(text, &jsonc::options()).map_err(|error| bad(error.to_string()))?;
    let Some((name, parents)) = path.split_last() else {
        return Ok(text.to_owned());
    };
    let mut object = root.object_value_or_set();
    for parent in parents {
        object = object
            .object_value_or_create(parent)
            .ok_or_else(|| bad(format!("`{parent}` is not an object")))?;
    }
    set_member(&object, name, value);
    Ok(root.to_string())
}

fn set_member(object: &CstObject, name: &str, value: Option<CstInputValue>) {
    match (object.get(name), value) {
        (Some(member), Some(value)) => member.set_value(value),
        (Some(member), None) => member.remove(),
        (None, Some(value)) => {
            object.ensure_multiline();
            object.append(name, value);
        }
        (None, None) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, path: &[&str], value: Option<&str>, expected: &str) {
        assert_eq!(set(text, path, value).unwrap(), expected);
    }

    #[test]
    fn a_new_file_looks_like_the_original_writes_it() {
        check("", &["/a"], Some("X"), "{\n  \"/a\": \"X\"\n}");
        check("{}", &["/a"], Some("X"), "{\n  \"/a\": \"X\"\n}");
        check(
            "{\n  \"/a\": \"X\"\n}",
            &["/b"],
            Some("Y"),
            "{\n  \"/a\": \"X\",\n  \"/b\": \"Y\"\n}",
        );
        check(
            "{\n  \"projects\": {}\n}",
            &["projects", "/a"],
            Some("a"),
            "{\n  \"projects\": {\n    \"/a\": \"a\"\n  }\n}",
        );
    }

    #[test]
    fn comments_order_and_layout_stay() {
        let text = "{\n\t// mine\n\t\"/a\": \"X\", // why\n\t\"/b\": \"Y\"\n}\n";
        check(
            text,
            &["/a"],
            Some("Z"),
            "{\n\t// mine\n\t\"/a\": \"Z\", // why\n\t\"/b\": \"Y\"\n}\n",
        );
        check(
            text,
            &["/b"],
            None,
            "{\n\t// mine\n\t\"/a\": \"X\" // why\n}\n",
        );
        check(text, &["/none"], None, text);
    }

    #[test]
    fn what_is_no_object_is_not_touched() {
        for text in ["[]", "{\"a\"", "3"] {
            assert!(set(text, &["a"], Some("b")).is_err());
        }
    }

    #[test]
    fn odd_names_are_escaped() {
        check(
            "",
            &["/q\"\\\n文"],
            Some("X"),
            "{\n  \"/q\\\"\\\\\\n文\": \"X\"\n}",
        );
    }
}
