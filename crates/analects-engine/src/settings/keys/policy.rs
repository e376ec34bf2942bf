//! Settings of the policy: what is done without asking.
//!
//! A project may ask for more to be asked; whatever would make things laxer counts only as far as the rules of its tier do.

use super::SettingAuthority::{UserOnly, Workspace, WorkspaceMayTighten};
use super::{Key, Kind, Merge, Setting, TighteningRule, WordRanks, list, shared};

/// Approval modes by how much they do without asking.
const APPROVAL_MODES: WordRanks = WordRanks {
    strictest_first: &[
        &["plan"],
        &["default"],
        &["auto_edit", "autoEdit", "auto-edit"],
    ],
    unset: "default",
};

/// How much is done without asking.
pub(crate) static MODE: Key = Key {
    kind: Kind::Word(&["default", "auto_edit", "autoEdit", "auto-edit", "plan"]),
    default: |_| Setting::Text("default".to_owned()),
    meaning: "How much an agent does without asking: what only looks (`default`), edits too (`auto_edit`), or nothing \
              but a plan (`plan`). `--approval-mode` overrules it. A project can only ask for more to be asked.",
    ..shared(
        "general.defaultApprovalMode",
        WorkspaceMayTighten(TighteningRule::StricterWord(APPROVAL_MODES)),
    )
};

/// Whether everything may be done without asking.
pub(crate) static NO_YOLO: Key = Key {
    aliases: &["disableYoloMode"],
    default: |_| Setting::Flag(false),
    meaning: "Whether `--approval-mode yolo` is refused.",
    ..shared("security.disableYoloMode", UserOnly)
};

/// Tools that are used without asking.
pub(crate) static ALLOWED: Key = Key {
    aliases: &["allowedTools"],
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Tools that are used without asking, as in `run_shell_command(git status)`. Rules say it better.",
    ..shared("tools.allowed", Workspace)
};

/// Tools that are always asked for.
pub(crate) static CONFIRMED: Key = Key {
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Tools that are asked for even if they are allowed elsewhere.",
    ..shared(
        "tools.confirmationRequired",
        WorkspaceMayTighten(TighteningRule::LongerList),
    )
};

/// The only tools there are.
pub(crate) static CORE: Key = Key {
    aliases: &["coreTools"],
    kind: Kind::Names,
    meaning: "If set, the only tools that may be used, as in `run_shell_command(git)`; as far as nothing else is said, \
              without asking.",
    ..shared("tools.core", Workspace)
};

/// Tools that may not be used.
pub(crate) static EXCLUDED: Key = Key {
    aliases: &["excludeTools"],
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Tools that may not be used, as in `run_shell_command(rm)`.",
    ..shared(
        "tools.exclude",
        WorkspaceMayTighten(TighteningRule::LongerList),
    )
};
