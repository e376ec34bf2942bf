//! Settings about skills. Gemini CLI reads them too, so they stand in its own file.

use super::SettingAuthority::{UserOnly, WorkspaceMayTighten};
use super::{Key, Kind, Merge, Setting, TighteningRule, list, shared};

/// Whether skills are offered.
pub(crate) static ENABLED: Key = Key {
    default: |_| Setting::Flag(true),
    meaning: "Whether skills are offered to the model. A project can switch them off, never on.",
    ..shared("skills.enabled", UserOnly)
};

/// Skills that are off.
pub(crate) static DISABLED: Key = Key {
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Names of skills that are not offered; case does not matter. `skill disable` and `skill enable` change it.",
    ..shared(
        "skills.disabled",
        WorkspaceMayTighten(TighteningRule::OwnItems),
    )
};
