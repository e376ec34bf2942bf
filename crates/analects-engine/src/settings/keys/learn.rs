//! Settings about learning from past sessions.
//!
//! What costs money, or lets more text in, is for the user to say: a project can only switch it off.

use super::SettingAuthority::{UserOnly, WorkspaceMayTighten};
use super::{Key, Kind, Setting, TighteningRule, WordRanks, own, shared};

/// Ways of learning by how much they cost and let in.
const LEARN_MODES: WordRanks = WordRanks {
    strictest_first: &[&["off"], &["local"], &["model"]],
    unset: "local",
};

/// Who learns.
pub(crate) static MODE: Key = Key {
    kind: Kind::Word(&["off", "local", "model"]),
    meaning: "Whether past sessions are searched for skills: not at all (`off`), without a model (`local`), or with \
              one as well (`model`). Unset it is `local`, and `model` where `experimental.autoMemory` or \
              `experimental.memoryManager` is on. A project may ask for less, never for more.",
    ..own(
        "memory.learn",
        WorkspaceMayTighten(TighteningRule::StricterWord(LEARN_MODES)),
    )
};

/// Gemini CLI's own switch.
pub(crate) static AUTO_MEMORY: Key = Key {
    default: |_| Setting::Flag(false),
    meaning: "Gemini CLI's switch for extraction by a model; where `memory.learn` is unset, it is ours too.",
    ..shared("experimental.autoMemory", UserOnly)
};

/// Gemini CLI's older switch, which also says who writes memory.
pub(crate) static MEMORY_MANAGER: Key = Key {
    default: |_| Setting::Flag(false),
    meaning: "Gemini CLI's older switch for extraction by a model, and for `memory.writer`.",
    ..shared("experimental.memoryManager", UserOnly)
};

/// How much must have been asked.
pub(crate) static MIN_PROMPTS: Key = Key {
    kind: Kind::Count {
        min: 1,
        max: 10_000,
    },
    default: |_| Setting::Count(10),
    meaning: "Sessions with fewer prompts of a person are not learned from.",
    ..own("memory.learnMinPrompts", UserOnly)
};

/// How long a session must have been over.
pub(crate) static IDLE_HOURS: Key = Key {
    kind: Kind::Count { min: 0, max: 8_760 },
    default: |_| Setting::Count(3),
    meaning: "Sessions in which something was said since so many hours are not learned from yet.",
    ..own("memory.learnIdleHours", UserOnly)
};

/// How often it is tried.
pub(crate) static INTERVAL_MINUTES: Key = Key {
    kind: Kind::Count {
        min: 1,
        max: 525_600,
    },
    default: |_| Setting::Count(30),
    meaning: "So many minutes lie between two runs that begin by themselves, and more after failures.",
    ..own("memory.learnIntervalMinutes", UserOnly)
};
