//! The tool `activate_skill`: how a model takes up the instructions for a task.
//!
//! What a skill is, and where it lies, is known to whoever offers them; here they are names.

use analects_text::sanitize;
use analects_world::models::Tool;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Refusal, RefusalKind};

/// The name that models know it by.
pub const NAME: &str = "activate_skill";

const DESCRIPTION: &str = include_str!("../../prompts/activate_skill.md");
/// How many are named to a model that has named another one.
const MAX_NAMED: usize = 40;
/// How much is repeated of what it named.
const MAX_SHOWN_CHARS: usize = 80;

/// What a model wants.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Args {
    name: String,
}

/// The tool as a model is told of it; nothing where there are no skills.
#[must_use]
pub fn offered(names: &[&str]) -> Option<Tool> {
    if names.is_empty() {
        return None;
    }
    Some(Tool {
        name: NAME.to_owned(),
        description: DESCRIPTION.trim_end().to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {
                "name": {
                    "type": "string",
                    "description": "The skill to activate.",
                    "enum": names,
                },
            },
            "required": ["name"],
        }),
    })
}

/// Reads a call: the skill that it means. What is wrong with it is said so that the model can do better.
pub fn read<'a>(args: &Value, names: &[&'a str]) -> Result<&'a str, Refusal> {
    let bad = |message: String| Refusal::new(RefusalKind::BadArguments, message);
    let args = Args::deserialize(args).map_err(|error| {
        let error = sanitize::one_line(&error.to_string()).into_owned();
        bad(format!("The arguments of `{NAME}` make no sense: {error}."))
    })?;
    let wanted = args.name.trim().to_lowercase();
    let mut known = names.iter();
    let found = known.find(|name| name.to_lowercase() == wanted);
    found.copied().ok_or_else(|| {
        let shown: String = args.name.chars().take(MAX_SHOWN_CHARS).collect();
        let more = match names.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let known: Vec<_> = names.iter().take(MAX_NAMED).copied().collect();
        bad(format!(
            "There is no skill `{}`. Those that are there: {}{more}.",
            sanitize::one_line(&shown),
            known.join(", ")
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 2] = ["release", "Über"];

    #[test]
    fn nothing_is_offered_where_there_is_nothing() {
        assert_eq!(offered(&[]), None);
        let tool = offered(&NAMES).unwrap();
        assert_eq!(
            tool.parameters["properties"]["name"]["enum"],
            json!(["release", "Über"])
        );
    }

    #[test]
    fn a_skill_is_meant_whatever_its_case() {
        assert_eq!(read(&json!({"name": " Release "}), &NAMES), Ok("release"));
        assert_eq!(read(&json!({"name": "über"}), &NAMES), Ok("Über"));
    }

    #[test]
    fn another_name_is_told_which_there_are() {
        let refusal = read(&json!({"name": "../../x\u{1b}[2J"}), &NAMES).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::BadArguments);
        assert_eq!(
            refusal.message,
            "There is no skill `../../x\\u{1b}[2J`. Those that are there: release, Über."
        );
        for args in [json!({}), json!({"name": 7}), json!([]), Value::Null] {
            assert_eq!(
                read(&args, &NAMES).unwrap_err().kind,
                RefusalKind::BadArguments
            );
        }
        let many: Vec<_> = (0..1000).map(|n| format!("s{n}")).collect();
        let many: Vec<_> = many.iter().map(String::as_str).collect();
        let refusal = read(&json!({"name": "x".repeat(100_000)}), &many).unwrap_err();
        assert!(refusal.message.len() < 1_000);
        assert!(refusal.message.ends_with("s39 and 960 more."));
    }
}
