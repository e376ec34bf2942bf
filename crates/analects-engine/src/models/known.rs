//! What is known of models: how much they take, whose they are, and which one an alias means.
//!
//! Models come and go faster than programs do, so nothing here is the last word: `model.windows` and `model.aliases`
//! overrule it, and a name that nobody knows is asked for all the same. As of November 2026.

use analects_world::models::Wire;

/// How much a model takes and gives, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    /// What a request may bring; not what request and answer share, where the two differ.
    pub(super) window: usize,
    /// How long an answer may be, where that is known.
    pub(super) output: Option<u32>,
}

/// The size of a model at the address of its maker: that of its own row, or of the row that its name begins with
/// (`claude-opus-4-1-20250805`, `gpt-4o-2024-08-06`), or what the makers' models usually have.
pub(super) fn size(wire: Wire, model: &str) -> Size {
    of(model).unwrap_or(Size {
        window: match wire {
            Wire::Gemini => 1_048_576,
            Wire::Anthropic => 200_000,
            Wire::OpenAi => 128_000,
        },
        output: None,
    })
}

/// The size of a model whose name is known.
pub(super) fn of(model: &str) -> Option<Size> {
    // Gateways say whose it is: `openai/gpt-4o`, `models/gemini-2.5-pro`.
    let name = model.rsplit('/').next().unwrap_or(model);
    let is_row = |row: &&Row| {
        name.strip_prefix(row.0)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '@', ':']))
    };
    let row = ROWS.iter().filter(is_row).max_by_key(|row| row.0.len());
    row.map(|&(_, window, output)| Size {
        window,
        output: Some(output).filter(|&output| output > 0),
    })
}

/// What a local server takes if it does not tell.
pub(super) const LOCAL_WINDOW: usize = 8_192;

/// Whose a model is, as far as its name tells. Weights that anybody may run are nobody's.
pub(super) fn maker(model: &str) -> Option<Wire> {
    let begins = |names: &[&str]| names.iter().any(|name| model.starts_with(name));
    let is_o = |model: &str| {
        let rest = model.strip_prefix('o').unwrap_or_default();
        rest.starts_with(|c: char| c.is_ascii_digit())
    };
    match () {
        () if begins(&["gemini-", "gemma-", "models/gemini-", "models/gemma-"]) => {
            Some(Wire::Gemini)
        }
        () if begins(&["claude-"]) => Some(Wire::Anthropic),
        () if begins(&["gpt-oss"]) => None,
        () if begins(&["gpt-", "chatgpt-", "codex-", "ft:gpt-"]) || is_o(model) => {
            Some(Wire::OpenAi)
        }
        () => None,
    }
}

/// How good, and how dear, a model is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tier {
    Pro,
    Flash,
    FlashLite,
}

/// The words that stand for a model at every provider.
pub(super) const ALIASES: [&str; 4] = ["auto", "pro", "flash", "flash-lite"];

/// Which model an alias means; `auto` is the best one, until somebody chooses by the question.
pub(super) fn alias(wire: Wire, alias: &str) -> Option<&'static str> {
    let tier = match alias {
        "auto" | "pro" => Tier::Pro,
        "flash" => Tier::Flash,
        "flash-lite" => Tier::FlashLite,
        _ => return None,
    };
    Some(best(wire, tier))
}

/// The newest model of a tier.
pub(super) fn best(wire: Wire, tier: Tier) -> &'static str {
    match (wire, tier) {
        (Wire::Gemini, Tier::Pro) => "gemini-3.1-pro-preview",
        (Wire::Gemini, Tier::Flash) => "gemini-3.8-flash",
        (Wire::Gemini, Tier::FlashLite) => "gemini-3.5-flash-lite",
        (Wire::Anthropic, Tier::Pro) => "claude-opus-5-5",
        (Wire::Anthropic, Tier::Flash) => "claude-sonnet-5-5",
        (Wire::Anthropic, Tier::FlashLite) => "claude-haiku-5-5",
        (Wire::OpenAi, Tier::Pro) => "gpt-6.1-sol",
        (Wire::OpenAi, Tier::Flash) => "gpt-6.1-terra",
        (Wire::OpenAi, Tier::FlashLite) => "gpt-6-luna",
    }
}

/// The tier of a model, as far as its name tells.
pub(super) fn tier(wire: Wire, model: &str) -> Option<Tier> {
    let has = |words: &[&str]| model.split('-').any(|part| words.contains(&part));
    let (lite, flash, pro): (&[_], &[_], &[_]) = match wire {
        Wire::Gemini => (&["lite"], &["flash"], &["pro"]),
        Wire::Anthropic => (&["haiku"], &["sonnet"], &["opus", "fable", "mythos"]),
        Wire::OpenAi => (
            &["nano", "luna"],
            &["mini", "terra"],
            &["sol", "astra", "pro"],
        ),
    };
    match () {
        () if has(lite) => Some(Tier::FlashLite),
        () if has(flash) => Some(Tier::Flash),
        () if has(pro) => Some(Tier::Pro),
        () => None,
    }
}

/// A name, what a request may bring, and how long an answer may be; 0 where nobody says.
type Row = (&'static str, usize, u32);

const ROWS: [Row; 50] = [
    ("gemini-1.5-pro", 2_097_152, 8_192),
    ("gemini-1.5-flash", 1_048_576, 8_192),
    ("gemini-2.0-flash", 1_048_576, 8_192),
    ("gemini-2.0-flash-preview-image-generation", 32_000, 8_192),
    ("gemini-2.5-pro", 1_048_576, 65_536),
    ("gemini-2.5-flash", 1_048_576, 65_536),
    ("gemini-3-pro", 1_048_576, 65_536),
    ("gemini-3-flash", 1_048_576, 65_536),
    ("gemini-3.1-pro", 1_048_576, 65_536),
    ("gemini-3.1-flash-lite", 1_048_576, 65_536),
    ("gemini-3.5-flash", 1_048_576, 65_536),
    ("gemini-3.6-flash", 1_048_576, 65_536),
    ("gemini-3.7-flash", 1_048_576, 65_536),
    ("gemini-3.8-flash", 1_048_576, 65_536),
    ("gemma-4-31b-it", 256_000, 0),
    ("gemma-4-26b-a4b-it", 256_000, 0),
    ("claude-3", 200_000, 4_096),
    ("claude-3-5", 200_000, 8_192),
    ("claude-3-7-sonnet", 200_000, 64_000),
    ("claude-opus-4", 200_000, 32_000),
    ("claude-opus-4-5", 200_000, 64_000),
    ("claude-opus-4-6", 1_000_000, 128_000),
    ("claude-opus-4-7", 1_000_000, 128_000),
    ("claude-opus-4-8", 1_000_000, 128_000),
    ("claude-opus-5", 1_000_000, 128_000),
    ("claude-sonnet-4", 200_000, 64_000),
    ("claude-sonnet-4-6", 1_000_000, 64_000),
    ("claude-sonnet-5", 1_000_000, 128_000),
    ("claude-haiku-4-5", 200_000, 64_000),
    ("claude-haiku-5", 1_000_000, 128_000),
    ("claude-fable-5", 1_000_000, 128_000),
    ("claude-mythos-5", 1_000_000, 128_000),
    ("gpt-3.5-turbo", 16_385, 4_096),
    ("gpt-4", 8_192, 8_192),
    ("gpt-4-turbo", 128_000, 4_096),
    ("gpt-4o", 128_000, 16_384),
    ("chatgpt-4o", 128_000, 16_384),
    ("gpt-4.1", 1_047_576, 32_768),
    ("o1", 200_000, 100_000),
    ("o1-mini", 128_000, 65_536),
    ("o3", 200_000, 100_000),
    ("o4-mini", 200_000, 100_000),
    ("gpt-5", 272_000, 128_000),
    ("gpt-5-chat", 128_000, 16_384),
    ("gpt-5.1", 272_000, 128_000),
    ("gpt-5.1-chat", 128_000, 16_384),
    ("gpt-5.2", 272_000, 128_000),
    ("gpt-5.6", 922_000, 128_000),
    ("gpt-6", 922_000, 128_000),
    ("gpt-6.1", 922_000, 128_000),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_those_of_the_seeds_and_of_today() {
        for (model, window) in [
            ("gemini-1.5-pro", 2_097_152),
            ("gemini-1.5-flash", 1_048_576),
            ("gemini-2.0-flash", 1_048_576),
            ("gemini-2.0-flash-lite-001", 1_048_576),
            ("gemini-2.0-flash-preview-image-generation", 32_000),
            ("gemini-2.5-pro", 1_048_576),
            ("models/gemini-2.5-flash-lite", 1_048_576),
            ("gemini-9-pro", 1_048_576),
            ("gemma-4-31b-it", 256_000),
            ("gemma-4-26b-a4b-it", 256_000),
        ] {
            assert_eq!(size(Wire::Gemini, model).window, window, "{model}");
        }
        for (model, window, output) in [
            ("claude-opus-4-1-20250805", 200_000, Some(32_000)),
            ("claude-opus-5-5", 1_000_000, Some(128_000)),
            ("claude-3-5-sonnet-20241022", 200_000, Some(8_192)),
            ("claude-next", 200_000, None),
        ] {
            assert_eq!(
                size(Wire::Anthropic, model),
                Size { window, output },
                "{model}"
            );
        }
        for (model, window) in [
            ("gpt-4o-2024-08-06", 128_000),
            ("gpt-4", 8_192),
            ("gpt-4.5-preview", 128_000),
            ("openai/gpt-6.1-terra", 922_000),
            ("o3-mini", 200_000),
            ("gpt-5-chat-latest", 128_000),
            ("omni", 128_000),
        ] {
            assert_eq!(size(Wire::OpenAi, model).window, window, "{model}");
        }
    }

    #[test]
    fn names_tell_whose_a_model_is() {
        for (model, wire) in [
            ("gemini-2.5-pro", Some(Wire::Gemini)),
            ("gemma-4-31b-it", Some(Wire::Gemini)),
            ("gemma3:4b", None),
            ("claude-haiku-4-5", Some(Wire::Anthropic)),
            ("gpt-4o", Some(Wire::OpenAi)),
            ("o1", Some(Wire::OpenAi)),
            ("o3-mini", Some(Wire::OpenAi)),
            ("ft:gpt-4o:me::1", Some(Wire::OpenAi)),
            ("gpt-oss:20b", None),
            ("olmo-3", None),
            ("qwen3:8b", None),
            ("", None),
        ] {
            assert_eq!(maker(model), wire, "{model}");
        }
    }

    #[test]
    fn every_alias_means_a_model_of_its_maker_whose_size_and_tier_are_known() {
        for (_, wire) in Wire::NAMES {
            for word in ALIASES {
                let model = alias(wire, word).unwrap();
                assert_eq!(maker(model), Some(wire), "{model}");
                assert!(of(model).is_some(), "{model}");
                let tier = tier(wire, model).unwrap();
                assert_eq!(best(wire, tier), model);
            }
            assert_eq!(alias(wire, "best"), None);
        }
        let mut names: Vec<_> = ROWS.iter().map(|row| row.0).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ROWS.len(), "no model has two rows");
    }
}
