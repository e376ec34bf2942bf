//! Which options a model takes, by its name: servers do not say, and refuse a request for one option too many.

use analects_world::models::Thinking;

/// What kind of model a name belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kin {
    /// OpenAI's `o1`, `o3`, `o4-mini` and so on: they think, and there is no other way.
    O,
    /// OpenAI's `gpt-5` and later, with its version.
    Gpt(u32, u32),
    /// OpenAI's `gpt-5-chat` and later: they talk and do not think.
    GptChat,
    /// OpenAI's older models.
    OldGpt,
    /// OpenAI's open weights, wherever they run.
    GptOss,
    /// Any other, wherever it runs.
    Other,
}

impl Kin {
    /// The kind of a model.
    pub(super) fn of(model: &str) -> Self {
        // A router puts the maker before the name.
        let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
        if name.starts_with("gpt-oss") {
            return Self::GptOss;
        }
        let o_series = name.strip_prefix('o').and_then(|rest| rest.chars().next());
        if o_series.is_some_and(|c| c.is_ascii_digit()) {
            return Self::O;
        }
        let Some(rest) = name.strip_prefix("gpt-").or(name.strip_prefix("chatgpt-")) else {
            return Self::Other;
        };
        let (major, minor) = version(rest);
        match major {
            0..5 => Self::OldGpt,
            _ if rest.contains("chat") => Self::GptChat,
            _ => Self::Gpt(major, minor),
        }
    }

    /// Whether OpenAI runs it.
    pub(super) fn is_openai(self) -> bool {
        !matches!(self, Self::GptOss | Self::Other)
    }

    /// The field for the length of an answer. OpenAI's newer models refuse `max_tokens`, and many local
    /// servers know nothing else.
    pub(super) fn max_field(self) -> &'static str {
        match self {
            Self::O | Self::Gpt(..) | Self::GptChat => "max_completion_tokens",
            Self::OldGpt | Self::GptOss | Self::Other => "max_tokens",
        }
    }

    /// Whether it can be told how freely to choose its words. Models that think refuse anything but the usual.
    pub(super) fn takes_temperature(self) -> bool {
        !matches!(self, Self::O | Self::Gpt(..) | Self::GptChat)
    }

    /// The word for how much to think, where it can be told. From `gpt-5.4` on this wire refuses the option in a
    /// request that offers tools.
    pub(super) fn effort(self, thinking: Thinking, offer: Offer) -> Option<&'static str> {
        let least = match self {
            Self::GptChat | Self::OldGpt | Self::Other => return None,
            Self::Gpt(5, 4..) | Self::Gpt(6.., _) if offer == Offer::Tools => return None,
            Self::Gpt(5, 0) => "minimal",
            Self::Gpt(..) => "none",
            Self::O | Self::GptOss => "low",
        };
        match thinking {
            Thinking::Usual => None,
            Thinking::Off | Thinking::Tokens(0) => Some(least),
            Thinking::Tokens(1..=2048) => Some("low"),
            Thinking::Tokens(2049..=8192) => Some("medium"),
            Thinking::Tokens(_) => Some("high"),
        }
    }
}

/// What a request offers besides its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Offer {
    /// Tools to call.
    Tools,
    /// Nothing.
    Nothing,
}

/// `5.4-mini` is (5, 4), `4o` is (4, 0).
fn version(rest: &str) -> (u32, u32) {
    let number = |text: &str| {
        let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or(0)
    };
    let word = rest.split('-').next().unwrap_or(rest);
    let minor = word.split_once('.').map_or(0, |(_, minor)| number(minor));
    (number(word), minor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_a_model_takes() {
        for (name, kin) in [
            ("o3", Kin::O),
            ("o4-mini-2025-04-16", Kin::O),
            ("openai/o1", Kin::O),
            ("gpt-5", Kin::Gpt(5, 0)),
            ("gpt-5-mini", Kin::Gpt(5, 0)),
            ("GPT-5.4-nano", Kin::Gpt(5, 4)),
            ("gpt-12", Kin::Gpt(12, 0)),
            ("gpt-5-chat-latest", Kin::GptChat),
            ("gpt-4o", Kin::OldGpt),
            ("gpt-4.1-mini", Kin::OldGpt),
            ("gpt-3.5-turbo", Kin::OldGpt),
            ("chatgpt-4o-latest", Kin::OldGpt),
            ("gpt-oss:20b", Kin::GptOss),
            ("openai/gpt-oss-120b", Kin::GptOss),
            ("qwen3:4b", Kin::Other),
            ("olmo-2", Kin::Other),
            ("", Kin::Other),
            ("gpt-99999999999999999999", Kin::OldGpt),
        ] {
            assert_eq!(Kin::of(name), kin, "{name}");
        }
    }

    #[test]
    fn thinking_is_asked_for_only_in_words_that_a_model_knows() {
        let effort = |name, thinking| Kin::of(name).effort(thinking, Offer::Tools);
        assert_eq!(effort("o3", Thinking::Off), Some("low"));
        assert_eq!(effort("gpt-5", Thinking::Off), Some("minimal"));
        assert_eq!(effort("gpt-5.1", Thinking::Tokens(0)), Some("none"));
        assert_eq!(effort("gpt-5.1", Thinking::Tokens(4096)), Some("medium"));
        assert_eq!(effort("gpt-5.1", Thinking::Usual), None);
        assert_eq!(effort("gpt-5.4", Thinking::Tokens(4096)), None);
        let alone = Kin::of("gpt-5.4").effort(Thinking::Tokens(9000), Offer::Nothing);
        assert_eq!(alone, Some("high"));
        assert_eq!(effort("qwen3:4b", Thinking::Off), None);
    }
}
