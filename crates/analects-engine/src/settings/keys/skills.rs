//! Settings about skills. Gemini CLI reads them too, so they stand in its own file.

use super::{Key, Kind, Merge, SHARED, Setting, list};

/// Whether skills are offered.
pub(crate) static ENABLED: Key = Key {
    name: "skills.enabled",
    default: |_| Setting::Flag(true),
    meaning: "Whether skills are offered to the model. A project can switch them off, never on.",
    ..SHARED
};

/// Skills that are off.
pub(crate) static DISABLED: Key = Key {
    name: "skills.disabled",
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Names of skills that are not offered; case does not matter. `skill disable` and `skill enable` change it.",
    ..SHARED
};
