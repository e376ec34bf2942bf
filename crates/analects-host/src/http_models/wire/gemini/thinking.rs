//! How a Gemini model is told how much to think.
//!
//! Each generation is told in another way and refuses what it does not know, so a model that is not known
//! here is told nothing.

use analects_world::models::Thinking;
use serde_json::{Value, json};

/// The `thinkingConfig` of a request; `None` where the model is to do as it likes.
pub(super) fn config(model: &str, thinking: Thinking) -> Option<Value> {
    let way = Way::of(model)?;
    match (way, thinking) {
        (_, Thinking::Usual) => None,
        (Way::Tokens { off, .. }, Thinking::Off) => Some(json!({ "thinkingBudget": off })),
        (Way::Tokens { min, max, .. }, Thinking::Tokens(tokens)) => Some(json!({
            "thinkingBudget": tokens.clamp(min, max),
            "includeThoughts": true,
        })),
        (Way::Levels, Thinking::Off) => Some(json!({ "thinkingLevel": "LOW" })),
        (Way::Levels, Thinking::Tokens(tokens)) => Some(json!({
            "thinkingLevel": if tokens < MUCH_TOKENS { "LOW" } else { "HIGH" },
            "includeThoughts": true,
        })),
    }
}

/// A model that only knows levels is on the high one from here on.
const MUCH_TOKENS: u32 = 4_096;

/// How a model is told.
enum Way {
    /// By a number of tokens, within bounds.
    Tokens { off: u32, min: u32, max: u32 },
    /// By a level.
    Levels,
}

impl Way {
    fn of(model: &str) -> Option<Self> {
        let name = model.rsplit('/').next().unwrap_or(model);
        let version = name.strip_prefix("gemini-")?;
        let (off, min, max) = match version {
            v if v.starts_with("2.5-flash-lite") => (0, 512, 24_576),
            v if v.starts_with("2.5-flash") => (0, 0, 24_576),
            // It cannot stop thinking altogether.
            v if v.starts_with("2.5-pro") => (128, 128, 32_768),
            v if v.starts_with(|c: char| ('3'..='9').contains(&c)) => return Some(Self::Levels),
            _ => return None,
        };
        Some(Self::Tokens { off, min, max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_generation_is_told_in_its_own_way() {
        let off = |model| config(model, Thinking::Off);
        assert_eq!(
            off("gemini-2.5-flash"),
            Some(json!({ "thinkingBudget": 0 }))
        );
        assert_eq!(
            off("models/gemini-2.5-pro"),
            Some(json!({ "thinkingBudget": 128 }))
        );
        assert_eq!(
            off("gemini-3-pro-preview"),
            Some(json!({ "thinkingLevel": "LOW" }))
        );
        for unknown in [
            "gemini-2.0-flash",
            "gemini-flash-latest",
            "gemma-4",
            "",
            "/",
        ] {
            assert_eq!(off(unknown), None);
            assert_eq!(config(unknown, Thinking::Tokens(5)), None);
        }
        assert_eq!(config("gemini-2.5-pro", Thinking::Usual), None);
    }

    #[test]
    fn a_budget_stays_within_the_bounds_of_the_model() {
        let budget = |model, tokens| {
            let config = config(model, Thinking::Tokens(tokens)).unwrap();
            assert_eq!(config["includeThoughts"], true);
            config["thinkingBudget"].as_u64()
        };
        assert_eq!(budget("gemini-2.5-pro", 1), Some(128));
        assert_eq!(budget("gemini-2.5-flash-lite", 100), Some(512));
        assert_eq!(budget("gemini-2.5-flash", 100), Some(100));
        assert_eq!(budget("gemini-2.5-flash", u32::MAX), Some(24_576));
        assert_eq!(budget("gemini-3-flash", 100), None, "it knows levels only");
    }
}
