//! The context limits that the settings ask for.

use analects_chat::limits::{Limits, Wishes};

use crate::settings::Settings;
use crate::settings::keys::{self, Key, context};

/// The limits of a conversation with a model that takes this many tokens; `None` if nobody knows how many.
#[must_use]
pub(crate) fn limits(settings: &Settings, model_tokens: Option<usize>) -> Limits {
    let window = window_tokens(settings, model_tokens);
    Limits::of(window, settings.profile, &wishes(settings))
}

/// What a model takes at once: as somebody set it, or as it is known of the model.
#[must_use]
pub(crate) fn window_tokens(settings: &Settings, model_tokens: Option<usize>) -> usize {
    let usual = settings.count(&keys::WINDOW_TOKENS).unwrap_or(usize::MAX);
    match settings.is_set(&keys::WINDOW_TOKENS) {
        true => usual,
        false => model_tokens.unwrap_or(usual),
    }
}

/// What somebody wants otherwise. A default is no wish: under our own profile it depends on the window.
#[must_use]
pub(crate) fn wishes(settings: &Settings) -> Wishes {
    let share = |key: &Key| settings.share(key).filter(|_| settings.is_set(key));
    let tokens = |key: &Key| settings.count(key).filter(|_| settings.is_set(key));
    // Set, and yet without a number: that is no limit at all.
    let limit = |key: &Key| {
        let count = settings.count(key).unwrap_or(usize::MAX);
        Some(count).filter(|_| settings.is_set(key))
    };
    let endless = (!settings.flag(&context::TRUNCATE_OUTPUT)).then_some(usize::MAX);
    Wishes {
        compress_share: share(&context::COMPRESS_SHARE),
        preserve_share: share(&context::PRESERVE_SHARE),
        overflow_share: share(&context::OVERFLOW_SHARE),
        protect_tokens: tokens(&context::PROTECT_TOKENS),
        prune_from_tokens: tokens(&context::PRUNE_FROM_TOKENS),
        tool_budget_tokens: tokens(&context::TOOL_BUDGET_TOKENS),
        output_chars: endless.or_else(|| limit(&context::TRUNCATE_CHARS)),
        output_lines: endless.or_else(|| limit(&context::TRUNCATE_LINES)),
    }
}

#[cfg(test)]
mod tests {
    use analects_testkit::{FakeDesk, surroundings};
    use analects_world::Profile;

    use super::*;
    use crate::settings::keys::Setting;
    use crate::settings::{self, Workspace};

    fn settings(text: &str) -> Settings {
        let desk = FakeDesk::parse(&format!("//- /h/.gemini/settings.json\n{text}\n"));
        let around = surroundings("/w", "/h", &[]);
        let world = desk.world(&around);
        let (files, _) = settings::read(&world, Workspace::Skipped);
        let (settings, problems) = settings::resolve(&world, &files);
        assert_eq!(problems, []);
        settings
    }

    #[test]
    fn nobody_who_sets_nothing_has_a_wish() {
        assert_eq!(wishes(&settings("{}")), Wishes::default());
        // To Gemini CLI a threshold of 0 is none.
        let zero = settings(r#"{"model": {"compressionThreshold": 0}}"#);
        assert_eq!(wishes(&zero), Wishes::default());
    }

    #[test]
    fn wishes_are_those_that_were_set() {
        let set = settings(
            r#"{
              "model": {"compressionThreshold": 0.6, "maxSessionTurns": -1},
              "context": {"preserveShare": 0.1, "overflowShare": 1, "toolBudgetTokens": 5, "window": 5000},
              "contextManagement": {"tools": {"outputMasking": {"protectionThresholdTokens": 1, "minPrunableThresholdTokens": 2}}},
              "tools": {"truncateToolOutputThreshold": 7, "truncateToolOutputLines": -1}
            }"#,
        );
        let wanted = Wishes {
            compress_share: Some(0.6),
            preserve_share: Some(0.1),
            overflow_share: Some(1.0),
            protect_tokens: Some(1),
            prune_from_tokens: Some(2),
            tool_budget_tokens: Some(5),
            output_chars: Some(7),
            output_lines: Some(usize::MAX),
        };
        assert_eq!(wishes(&set), wanted);
        assert_eq!(limits(&set, Some(9000)).window_tokens, 5000);
        assert_eq!(limits(&set, Some(9000)).compress_at_tokens, 3000);
        assert_eq!(limits(&settings("{}"), Some(9000)).window_tokens, 9000);
        assert_eq!(limits(&settings("{}"), None).window_tokens, 1_048_576);
        let off = settings(
            r#"{"tools": {"enableToolOutputTruncation": false, "truncateToolOutputThreshold": 7}}"#,
        );
        assert_eq!(wishes(&off).output_chars, Some(usize::MAX));
    }

    /// What the reference says must be what happens in a window in which nothing is capped.
    #[test]
    fn the_defaults_of_the_reference_are_those_of_the_machinery() {
        for (_, profile) in Profile::NAMES {
            let window = 1_048_576;
            let limits = Limits::of(window, profile, &Wishes::default());
            let default = |key: &Key| (key.default)(profile);
            for (key, share) in [
                (&context::PRESERVE_SHARE, limits.preserve_share),
                (&context::OVERFLOW_SHARE, limits.overflow_share),
            ] {
                assert_eq!(default(key), Setting::Share(share), "{}", key.name);
            }
            for (key, count) in [
                (&context::PROTECT_TOKENS, Some(limits.protect_tokens)),
                (&context::PRUNE_FROM_TOKENS, Some(limits.prune_from_tokens)),
                (
                    &context::TOOL_BUDGET_TOKENS,
                    Some(limits.tool_budget_tokens),
                ),
                (&context::TRUNCATE_CHARS, Some(limits.output_chars)),
                (&context::TRUNCATE_LINES, limits.output_lines),
            ] {
                let count = count.map_or(Setting::Unset, Setting::Count);
                assert_eq!(default(key), count, "{}", key.name);
            }
            if let Setting::Share(share) = default(&context::COMPRESS_SHARE) {
                let at = analects_chat::limits::part(window, share);
                assert_eq!(at, limits.compress_at_tokens);
            }
        }
    }
}
