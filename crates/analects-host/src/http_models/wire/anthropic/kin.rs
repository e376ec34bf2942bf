//! Which options a model takes, by its name: the server does not say, and refuses a request for one too many.

/// What kind of model a name belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kin {
    /// Claude before 4.6, and models of others: they think if they are given a budget.
    Budget,
    /// Claude 4.6: it thinks if it is told so, as much as it wants.
    Adaptive,
    /// Claude 4.7 and 4.8: likewise, and it cannot be told how freely to choose its words. Nor can any later.
    Adaptive47,
    /// Claude 5: it thinks unless it is told not to.
    Usually,
    /// Claude 5.1 and later, Fable and Mythos: it thinks, and cannot be made to call a tool.
    Always {
        /// Whether its thoughts go back only behind exactly what they came from.
        are_bound: bool,
    },
}

impl Kin {
    /// The kind of a model.
    pub(super) fn of(model: &str) -> Self {
        let name = model.to_lowercase();
        let Some((_, rest)) = name.split_once("claude-") else {
            return Self::Budget;
        };
        let is_mythos = rest.contains("mythos");
        match version(rest) {
            version @ (5.., _) if version >= (5, 1) => Self::Always {
                are_bound: !is_mythos,
            },
            _ if is_mythos || rest.contains("fable") => Self::Always { are_bound: false },
            (5, _) => Self::Usually,
            (4, 7..) => Self::Adaptive47,
            (4, 6) => Self::Adaptive,
            _ => Self::Budget,
        }
    }

    /// Whether it can be made to call a tool.
    pub(super) fn can_be_made(self) -> bool {
        !matches!(self, Self::Always { .. })
    }

    /// Whether it can be told how freely to choose its words.
    pub(super) fn takes_temperature(self) -> bool {
        matches!(self, Self::Budget | Self::Adaptive)
    }

    /// How long an answer may be where nobody says: the field is required. Old models write 8192 tokens and no
    /// more; later ones write far more, and think within it.
    pub(super) fn max_tokens(self) -> u32 {
        match self {
            Self::Budget => 8192,
            _ => 16_384,
        }
    }
}

/// The first one or two short numbers in a name: `3-7-sonnet-20250219`, `opus-4.6-v1`, `sonnet-5`.
fn version(rest: &str) -> (u32, u32) {
    let words = rest.split(['-', '.', '@', ':', '/']);
    let mut numbers = words
        .map(|word| word.parse::<u32>().ok().filter(|n| *n < 100))
        .skip_while(Option::is_none);
    let major = numbers.next().flatten().unwrap_or(0);
    (major, numbers.next().flatten().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_a_model_takes() {
        let bound = Kin::Always { are_bound: true };
        let free = Kin::Always { are_bound: false };
        for (name, kin) in [
            ("claude-3-7-sonnet-20250219", Kin::Budget),
            ("claude-sonnet-4-20250514", Kin::Budget),
            ("claude-haiku-4-5-20251001", Kin::Budget),
            ("claude-opus-4-6", Kin::Adaptive),
            ("anthropic/claude-sonnet-4.6", Kin::Adaptive),
            ("anthropic.claude-opus-4-7-v1:0", Kin::Adaptive47),
            ("claude-opus-4-8", Kin::Adaptive47),
            ("claude-opus-5", Kin::Usually),
            ("claude-sonnet-5-20260701", Kin::Usually),
            ("claude-sonnet-5-5", bound),
            ("claude-opus-6", bound),
            ("claude-fable-5-1", bound),
            ("claude-fable-5", free),
            ("claude-mythos-preview", free),
            ("claude-mythos-5-1", free),
            ("smollm2-135m", Kin::Budget),
            ("claude-", Kin::Budget),
        ] {
            assert_eq!(Kin::of(name), kin, "{name}");
        }
    }
}
