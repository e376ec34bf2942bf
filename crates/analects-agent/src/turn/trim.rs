//! Calls whose arguments are too long to be sent again.
//!
//! What a model wrote into a file stands in its call, word for word, in every request that follows. Where nothing
//! else helps, the long texts among the arguments give way: their tools have run, and the record has them whole.

use analects_text::units;
use analects_world::model::{Body, Content};
use serde_json::Value;

/// Texts of that many UTF-16 units stay as they are.
const SHORT_UNITS: usize = 2_000;
/// How much of a longer one is left, from either end.
const END_UNITS: usize = 500;
/// Arguments nested deeper than this are left alone.
const MAX_DEPTH: usize = 32;

/// Shortens the long texts in all calls; how many there were.
pub(super) fn calls(history: &mut [Content]) -> usize {
    let parts = history.iter_mut().flat_map(|turn| &mut turn.parts);
    let mut n_cut = 0;
    for part in parts {
        if let Body::Call(call) = &mut part.body {
            trim(&mut call.args, 0, &mut n_cut);
        }
    }
    n_cut
}

fn trim(value: &mut Value, depth: usize, n_cut: &mut usize) {
    match value {
        Value::String(text) if units::count(text) > SHORT_UNITS => {
            *text = shortened(text);
            *n_cut += 1;
        }
        Value::Array(values) if depth < MAX_DEPTH => {
            values
                .iter_mut()
                .for_each(|value| trim(value, depth + 1, n_cut));
        }
        Value::Object(fields) if depth < MAX_DEPTH => {
            fields
                .values_mut()
                .for_each(|value| trim(value, depth + 1, n_cut));
        }
        _ => {}
    }
}

fn shortened(text: &str) -> String {
    let (head, tail) = (units::head(text, END_UNITS), units::tail(text, END_UNITS));
    let n_left_out = units::count(text) - units::count(head) - units::count(tail);
    format!(
        "{head}\n[{n_left_out} characters of this argument are left out here; the tool had all of it]\n{tail}"
    )
}

#[cfg(test)]
mod tests {
    use analects_world::model::{Part, Role};
    use serde_json::json;

    use super::*;

    #[test]
    fn long_texts_in_calls_give_way_and_nothing_else_does() {
        let long = "é".repeat(100_000);
        let mut history = vec![
            Content::text("u", Role::User, &*long),
            Content {
                id: "m".to_owned(),
                role: Role::Model,
                parts: vec![Part::call(
                    "1",
                    "write_file",
                    json!({ "file_path": "a", "content": long, "list": [long] }),
                )],
            },
        ];
        assert_eq!(calls(&mut history), 2);
        assert_eq!(calls(&mut history), 0, "what is short stays");
        let call = history[1].calls().next().unwrap();
        assert_eq!(call.args["file_path"], "a");
        let content = call.args["content"].as_str().unwrap();
        assert!(
            content.contains("[99000 characters of this argument are left out"),
            "{content}"
        );
        assert!(history[0].texts().eq([&*long]));
    }
}
