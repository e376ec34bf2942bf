//! Settings of the policy: what is done without asking.
//!
//! A project may ask for more to be asked; whatever would make things laxer counts only as far as the rules of its tier do.

use super::{Key, Kind, Merge, SHARED, Setting, list};

/// How much is done without asking.
pub(crate) static MODE: Key = Key {
    name: "general.defaultApprovalMode",
    kind: Kind::Word(&["default", "auto_edit", "autoEdit", "auto-edit", "plan"]),
    default: |_| Setting::Text("default".to_owned()),
    meaning: "How much an agent does without asking: what only looks (`default`), edits too (`auto_edit`), or nothing \
              but a plan (`plan`). `--approval-mode` overrules it. A project can only ask for more to be asked.",
    ..SHARED
};

/// Whether everything may be done without asking.
pub(crate) static NO_YOLO: Key = Key {
    name: "security.disableYoloMode",
    aliases: &["disableYoloMode"],
    default: |_| Setting::Flag(false),
    may_be_set_by_workspace: false,
    meaning: "Whether `--approval-mode yolo` is refused.",
    ..SHARED
};

/// Tools that are used without asking.
pub(crate) static ALLOWED: Key = Key {
    name: "tools.allowed",
    aliases: &["allowedTools"],
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Tools that are used without asking, as in `run_shell_command(git status)`. Rules say it better.",
    ..SHARED
};

/// Tools that are always asked for.
pub(crate) static CONFIRMED: Key = Key {
    name: "tools.confirmationRequired",
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Tools that are asked for even if they are allowed elsewhere.",
    ..SHARED
};

/// The only tools there are.
pub(crate) static CORE: Key = Key {
    name: "tools.core",
    aliases: &["coreTools"],
    kind: Kind::Names,
    meaning: "If set, the only tools that may be used, as in `run_shell_command(git)`; as far as nothing else is said, \
              without asking.",
    ..SHARED
};

/// Tools that may not be used.
pub(crate) static EXCLUDED: Key = Key {
    name: "tools.exclude",
    aliases: &["excludeTools"],
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Tools that may not be used, as in `run_shell_command(rm)`.",
    ..SHARED
};
