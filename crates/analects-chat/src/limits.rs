//! Every limit that follows from the size of a window.
//!
//! Under `analects` every fixed number is also capped by a share of the window, so that a small local model
//! works; `seed` and `head` have their numbers as they are.

use analects_world::Profile;

/// What the user wants otherwise; `None` is as usual.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wishes {
    /// From which share of the window on a history is compressed.
    pub compress_share: Option<f64>,
    /// Which share of a history stays when it is compressed.
    pub preserve_share: Option<f64>,
    /// Which share of what remains a request may take.
    pub overflow_share: Option<f64>,
    /// How many tokens of tool output are safe from masking, newest first.
    pub protect_tokens: Option<usize>,
    /// How many tokens must be masked for it to be worth it.
    pub prune_from_tokens: Option<usize>,
    /// How many tokens of tool output a history keeps when it is shortened.
    pub tool_budget_tokens: Option<usize>,
    /// From how many characters on a tool's output is shown in part.
    pub output_chars: Option<usize>,
    /// From how many lines on a tool's output is shown in part.
    pub output_lines: Option<usize>,
}

/// How much of everything a window takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Whose rules hold.
    pub profile: Profile,
    /// What the model takes at once.
    pub window_tokens: usize,
    /// From here on a history is compressed.
    pub compress_at_tokens: usize,
    /// Which share of a history stays when it is compressed; under `analects`, at most.
    pub preserve_share: f64,
    /// Which share of what remains a request may take.
    pub overflow_share: f64,
    /// How many tokens of tool output are safe from masking, newest first.
    pub protect_tokens: usize,
    /// How many tokens must be masked for it to be worth it.
    pub prune_from_tokens: usize,
    /// How many tokens of tool output a history keeps when it is shortened.
    pub tool_budget_tokens: usize,
    /// From how many UTF-16 units on a tool's output is shown in part.
    pub output_chars: usize,
    /// From how many lines on a tool's output is shown in part; `None` if lines do not count.
    pub output_lines: Option<usize>,
}

/// Below this a tool's output is never cut, however full the window is.
pub const OUTPUT_FLOOR_CHARS: usize = 2_000;

impl Limits {
    /// The limits of a window.
    #[must_use]
    pub fn of(window_tokens: usize, profile: Profile, wishes: &Wishes) -> Self {
        let capped = |number: usize, share: f64| match profile {
            Profile::Analects => number.min(part(window_tokens, share)),
            Profile::Seed | Profile::Head => number,
        };
        let compress_at_tokens = match (wishes.compress_share, profile) {
            (Some(share), _) => part(window_tokens, share),
            (None, Profile::Analects) => {
                part(window_tokens, 0.2).max(part(window_tokens, 0.7).min(100_000))
            }
            (None, Profile::Seed) => part(window_tokens, 0.2),
            (None, Profile::Head) => part(window_tokens, 0.5),
        };
        let (output_chars, output_lines) = match profile {
            Profile::Analects => (capped(40_000, 0.4).max(OUTPUT_FLOOR_CHARS), Some(1_000)),
            Profile::Seed => (4_000_000, Some(1_000)),
            Profile::Head => (40_000, None),
        };
        Self {
            profile,
            window_tokens,
            compress_at_tokens,
            preserve_share: wishes.preserve_share.unwrap_or(match profile {
                Profile::Analects => 0.08,
                Profile::Seed | Profile::Head => 0.3,
            }),
            overflow_share: wishes.overflow_share.unwrap_or(match profile {
                Profile::Analects | Profile::Seed => 0.95,
                Profile::Head => 1.0,
            }),
            protect_tokens: wishes.protect_tokens.unwrap_or_else(|| capped(50_000, 0.4)),
            prune_from_tokens: wishes
                .prune_from_tokens
                .unwrap_or_else(|| capped(30_000, 0.25)),
            tool_budget_tokens: wishes
                .tool_budget_tokens
                .unwrap_or_else(|| capped(50_000, 0.4)),
            output_chars: wishes.output_chars.unwrap_or(output_chars),
            output_lines: wishes.output_lines.or(output_lines),
        }
    }
}

/// A share of a number of tokens, rounded up.
#[must_use]
pub fn part(tokens: usize, share: f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "windows are far below 2^52, shares between 0 and 1; the cast saturates"
    )]
    let share = (tokens as f64 * share.clamp(0.0, 1.0)).ceil() as usize;
    share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compression_starts_late_in_a_small_window_and_early_in_a_large_one() {
        let at =
            |window| Limits::of(window, Profile::Analects, &Wishes::default()).compress_at_tokens;
        assert_eq!(at(8_192), 5_735);
        assert_eq!(at(128_000), 89_600);
        assert_eq!(at(200_000), 100_000);
        assert_eq!(at(1_048_576), 209_716);
    }

    #[test]
    fn only_our_own_numbers_shrink_with_the_window() {
        let of = |profile| Limits::of(8_192, profile, &Wishes::default());
        assert_eq!(of(Profile::Analects).protect_tokens, 3_277);
        assert_eq!(of(Profile::Head).protect_tokens, 50_000);
        assert_eq!(of(Profile::Seed).output_chars, 4_000_000);
    }
}
