//! Settings of the user's own hooks. The hooks themselves stand under `hooks`, event by event.
//!
//! Hooks may guard against a project, so it can switch off only its own.

use super::SettingAuthority::{UserOnly, WorkspaceMayTighten};
use super::{Key, Kind, Merge, Setting, TighteningRule, list, own, shared};

/// Whether hooks run.
pub(crate) static ENABLED: Key = Key {
    default: |_| Setting::Flag(true),
    meaning: "Whether the hooks under `hooks` run in the agent.",
    ..shared("hooksConfig.enabled", UserOnly)
};

/// Hooks that are off.
pub(crate) static DISABLED: Key = Key {
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Names of hooks that do not run, or the commands of those without a name. A project switches off its own only.",
    ..shared(
        "hooksConfig.disabled",
        WorkspaceMayTighten(TighteningRule::OwnItems),
    )
};

/// What their exit codes mean.
pub(crate) static EXIT_CODES: Key = Key {
    kind: Kind::Word(&["documented", "original"]),
    default: |_| Setting::Text("documented".to_owned()),
    meaning: "What exit codes of hooks mean: what Gemini CLI's manual says (`documented`: 2 blocks, any other but 0 is a \
              failure that decides nothing), or what it does (`original`: what is printed counts whatever the code, silence \
              never blocks, and a text with any code but 0 and 1 blocks).",
    ..own("hooksConfig.exitCodes", UserOnly)
};
