//! Settings of the context machinery: when a history is made smaller, and by how much.
//!
//! The numbers of a profile are those of `analects_chat::limits`; under `analects` each is capped by a share
//! of the window besides, unless somebody sets it.

use analects_world::Profile;

use super::SettingAuthority::{UserOnly, WorkspaceMayTighten};
use super::{Key, Kind, Merge, Setting, TighteningRule, list, own, shared};

const TOKENS: Kind = Kind::Count {
    min: 0,
    max: 100_000_000,
};

/// When a history is compressed.
pub(crate) static COMPRESS_SHARE: Key = Key {
    aliases: &[
        "model.chatCompression.contextPercentageThreshold",
        "chatCompression.contextPercentageThreshold",
    ],
    kind: Kind::Share,
    default: |profile| match profile {
        Profile::Analects => Setting::Unset,
        Profile::Seed => Setting::Share(0.2),
        Profile::Head => Setting::Share(0.5),
    },
    meaning: "From which share of the window on a history is compressed. If unset: from 100,000 tokens on, but \
              not before a fifth of the window and not after seven tenths of it.",
    ..shared("model.compressionThreshold", UserOnly)
};

/// How much of a history is not compressed.
pub(crate) static PRESERVE_SHARE: Key = Key {
    kind: Kind::Share,
    default: |profile| {
        Setting::Share(match profile {
            Profile::Analects => 0.08,
            Profile::Seed | Profile::Head => 0.3,
        })
    },
    meaning: "Which share of a history stays word for word when it is compressed.",
    ..own("context.preserveShare", UserOnly)
};

/// When a request does not fit.
pub(crate) static OVERFLOW_SHARE: Key = Key {
    kind: Kind::Share,
    default: |profile| {
        Setting::Share(match profile {
            Profile::Analects | Profile::Seed => 0.95,
            Profile::Head => 1.0,
        })
    },
    meaning: "Which share of the room that is left in the window a request may take; a larger one is not sent.",
    ..own("context.overflowShare", UserOnly)
};

/// How much of what tools answered stays.
pub(crate) static TOOL_BUDGET_TOKENS: Key = Key {
    kind: TOKENS,
    default: |_| Setting::Count(50_000),
    meaning: "How many tokens of what tools answered a history keeps when it is compressed, the newest first; \
              older answers are shortened.",
    ..own("context.toolBudgetTokens", UserOnly)
};

/// Which tool output is never masked.
pub(crate) static PROTECT_TOKENS: Key = Key {
    kind: TOKENS,
    default: |_| Setting::Count(50_000),
    meaning: "How many tokens of what tools answered are never masked, the newest first.",
    ..shared(
        "contextManagement.tools.outputMasking.protectionThresholdTokens",
        UserOnly,
    )
};

/// When masking is worth it.
pub(crate) static PRUNE_FROM_TOKENS: Key = Key {
    kind: TOKENS,
    default: |_| Setting::Count(30_000),
    meaning: "Older answers of tools are masked once so many tokens of them can go.",
    ..shared(
        "contextManagement.tools.outputMasking.minPrunableThresholdTokens",
        UserOnly,
    )
};

/// Whether the newest turn is never masked.
pub(crate) static PROTECT_LATEST_TURN: Key = Key {
    default: |_| Setting::Flag(true),
    meaning: "Whether the answers of the newest turn are never masked, however long they are.",
    ..shared(
        "contextManagement.tools.outputMasking.protectLatestTurn",
        UserOnly,
    )
};

/// Whether long output is cut at all.
pub(crate) static TRUNCATE_OUTPUT: Key = Key {
    default: |_| Setting::Flag(true),
    meaning: "Whether a long answer of a tool is shown in part, and kept whole in a file.",
    ..shared(
        "tools.enableToolOutputTruncation",
        WorkspaceMayTighten(TighteningRule::SwitchOn),
    )
};

/// From how many characters on output is cut.
pub(crate) static TRUNCATE_CHARS: Key = Key {
    kind: Kind::Limit { max: 1_000_000_000 },
    default: |profile| {
        Setting::Count(match profile {
            Profile::Analects | Profile::Head => 40_000,
            Profile::Seed => 4_000_000,
        })
    },
    meaning: "From how many characters on an answer of a tool is shown in part.",
    ..shared(
        "tools.truncateToolOutputThreshold",
        WorkspaceMayTighten(TighteningRule::SmallerNumber),
    )
};

/// From how many lines on output is cut.
pub(crate) static TRUNCATE_LINES: Key = Key {
    kind: Kind::Limit { max: 1_000_000_000 },
    default: |profile| match profile {
        Profile::Analects | Profile::Seed => Setting::Count(1_000),
        Profile::Head => Setting::Unset,
    },
    meaning: "From how many lines on an answer of a tool is shown in part.",
    ..shared(
        "tools.truncateToolOutputLines",
        WorkspaceMayTighten(TighteningRule::SmallerNumber),
    )
};

/// Whose output a model sums up.
pub(crate) static SUMMARIZE_OUTPUT: Key = Key {
    aliases: &["summarizeToolOutput"],
    kind: Kind::Budgets,
    meaning: "Tools whose long answers a model sums up, each with the tokens that the summary may have.",
    ..shared("model.summarizeToolOutput", UserOnly)
};

/// How many lines of a file are read.
pub(crate) static MAX_FILE_LINES: Key = Key {
    kind: Kind::Count {
        min: 1,
        max: 10_000_000,
    },
    default: |_| Setting::Count(2_000),
    meaning: "How many lines of a text file are put into a prompt at once.",
    ..own(
        "context.maxFileLines",
        WorkspaceMayTighten(TighteningRule::SmallerNumber),
    )
};

/// How long a line of a file may be.
pub(crate) static MAX_LINE_CHARS: Key = Key {
    kind: Kind::Count {
        min: 1,
        max: 10_000_000,
    },
    default: |_| Setting::Count(2_000),
    meaning: "How many characters of one line of a text file are put into a prompt.",
    ..own(
        "context.maxLineChars",
        WorkspaceMayTighten(TighteningRule::SmallerNumber),
    )
};

/// How much of a selection in an editor is told.
pub(crate) static MAX_SELECTED_CHARS: Key = Key {
    kind: Kind::Count {
        min: 0,
        max: 10_000_000,
    },
    default: |_| Setting::Count(16_384),
    meaning: "How many characters of what is selected in an editor are told to a model.",
    ..own(
        "context.maxSelectedChars",
        WorkspaceMayTighten(TighteningRule::SmallerNumber),
    )
};

/// Whether circles are looked for.
pub(crate) static DISABLE_LOOP_DETECTION: Key = Key {
    default: |_| Setting::Flag(false),
    meaning: "Whether nobody looks for a model that goes in circles.",
    ..shared("model.disableLoopDetection", UserOnly)
};

/// Tools that may be called again and again.
pub(crate) static LOOP_EXEMPT_TOOLS: Key = Key {
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Names of tools that may be called with the same arguments again and again, as one that polls.",
    ..own("context.loopExemptTools", UserOnly)
};

/// How long a session may go on.
pub(crate) static MAX_SESSION_TURNS: Key = Key {
    aliases: &["maxSessionTurns"],
    kind: Kind::Limit { max: 1_000_000_000 },
    meaning: "After how many turns a session ends.",
    ..shared(
        "model.maxSessionTurns",
        WorkspaceMayTighten(TighteningRule::SmallerNumber),
    )
};

/// Whether a model is asked who speaks next.
pub(crate) static SKIP_NEXT_SPEAKER_CHECK: Key = Key {
    aliases: &["skipNextSpeakerCheck"],
    default: |_| Setting::Flag(true),
    meaning: "Whether a model that has stopped is not asked if it wanted to go on.",
    ..shared("model.skipNextSpeakerCheck", UserOnly)
};

/// How far a router looks back.
pub(crate) static HISTORY_SEARCH_WINDOW: Key = Key {
    kind: Kind::Count {
        min: 1,
        max: 10_000,
    },
    default: |_| Setting::Count(20),
    meaning: "Among how many of the last turns those are looked for that say which model fits.",
    ..own("context.historySearchWindow", UserOnly)
};

/// What a router sees.
pub(crate) static HISTORY_TURNS: Key = Key {
    kind: Kind::Count {
        min: 1,
        max: 10_000,
    },
    default: |_| Setting::Count(4),
    meaning: "How many of those are looked at.",
    ..own("context.historyTurnsForContext", UserOnly)
};
