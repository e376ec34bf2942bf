//! Settings about learning from past sessions.
//!
//! What costs money, or lets more text in, is for the user to say: a project can only switch it off.

use super::{Key, Kind, OWN, SHARED, Setting};

/// Who learns.
pub(crate) static MODE: Key = Key {
    name: "memory.learn",
    kind: Kind::Word(&["off", "local", "model"]),
    meaning: "Whether past sessions are searched for skills: not at all (`off`), without a model (`local`), or with \
              one as well (`model`). Unset it is `local`, and `model` where `experimental.autoMemory` or \
              `experimental.memoryManager` is on. A project may ask for less, never for more.",
    ..OWN
};

/// Gemini CLI's own switch.
pub(crate) static AUTO_MEMORY: Key = Key {
    name: "experimental.autoMemory",
    default: |_| Setting::Flag(false),
    may_be_set_by_workspace: false,
    meaning: "Gemini CLI's switch for extraction by a model; where `memory.learn` is unset, it is ours too.",
    ..SHARED
};

/// Gemini CLI's older switch, which also says who writes memory.
pub(crate) static MEMORY_MANAGER: Key = Key {
    name: "experimental.memoryManager",
    default: |_| Setting::Flag(false),
    may_be_set_by_workspace: false,
    meaning: "Gemini CLI's older switch for extraction by a model, and for `memory.writer`.",
    ..SHARED
};

/// How much must have been asked.
pub(crate) static MIN_PROMPTS: Key = Key {
    name: "memory.learnMinPrompts",
    kind: Kind::Count {
        min: 1,
        max: 10_000,
    },
    default: |_| Setting::Count(10),
    may_be_set_by_workspace: false,
    meaning: "Sessions with fewer prompts of a person are not learned from.",
    ..OWN
};

/// How long a session must have been over.
pub(crate) static IDLE_HOURS: Key = Key {
    name: "memory.learnIdleHours",
    kind: Kind::Count { min: 0, max: 8_760 },
    default: |_| Setting::Count(3),
    may_be_set_by_workspace: false,
    meaning: "Sessions in which something was said since so many hours are not learned from yet.",
    ..OWN
};

/// How often it is tried.
pub(crate) static INTERVAL_MINUTES: Key = Key {
    name: "memory.learnIntervalMinutes",
    kind: Kind::Count {
        min: 1,
        max: 525_600,
    },
    default: |_| Setting::Count(30),
    may_be_set_by_workspace: false,
    meaning: "So many minutes lie between two runs that begin by themselves, and more after failures.",
    ..OWN
};
