//! Every kind of problem this room can find.

use analects_text::problem::Code;
use analects_text::problem::Severity::{Note, Warning};

/// A memory file or ignore file exists but could not be read.
pub const UNREADABLE: Code = Code {
    name: "unreadable",
    severity: Warning,
    meaning: "A file exists but could not be read; check its permissions.",
};

/// Something that is no regular file has the name of a memory file.
pub const NOT_A_FILE: Code = Code {
    name: "not-a-file",
    severity: Warning,
    meaning: "A directory, pipe, socket or device has the name of a memory file; rename it.",
};

/// A link leads out of the project.
pub const LINK_OUTSIDE: Code = Code {
    name: "link-outside",
    severity: Warning,
    meaning: "A memory file of the project is a link to a place outside of it, and was not followed.",
};

/// A link with the name of a memory file leads to something else.
pub const LINK_TO_OTHER: Code = Code {
    name: "link-to-other",
    severity: Warning,
    meaning: "A memory file of the project is a link to a file that is not called like a text, such as `.env`; it was not \
              followed.",
};

/// A file of somebody else.
pub const FOREIGN_FILE: Code = Code {
    name: "foreign-file",
    severity: Warning,
    meaning: "A memory file belongs to another user of this machine, or others may write it, so it was not loaded. Take it \
              over (`chown`, `chmod go-w`), or name its owner in `security.trustedOwners`.",
};

/// Somebody denied a directory.
pub const DENIED: Code = Code {
    name: "denied-folder",
    severity: Note,
    meaning: "A directory holds memory, and a rule marks it, or one that it lies in, as `DO_NOT_TRUST`: nothing \
              from it was loaded. `trust show` has the rules.",
};

/// A directory could not be listed.
pub const UNLISTED: Code = Code {
    name: "unlisted",
    severity: Warning,
    meaning: "A directory could not be listed, so memory below it is unknown.",
};

/// A name is not UTF-8.
pub const UNSPEAKABLE: Code = Code {
    name: "unspeakable-name",
    severity: Warning,
    meaning: "A directory or a note whose name is not UTF-8 was not entered or read; rename it.",
};

/// The scan stopped at its cap.
pub const SCAN_CAPPED: Code = Code {
    name: "scan-capped",
    severity: Warning,
    meaning: "The downward scan stopped at `context.discoveryMaxDirs` directories; deeper memory loads \
              just in time. Raise the limit or ignore directories in `.geminiignore`.",
};

/// A line of an ignore file makes no sense.
pub const BAD_IGNORE_RULE: Code = Code {
    name: "bad-ignore-rule",
    severity: Warning,
    meaning: "A line of an ignore file is no valid pattern and was skipped.",
};

/// A boundary marker or memory file name that could lead out of its directory.
pub const UNSAFE_NAME: Code = Code {
    name: "unsafe-name",
    severity: Warning,
    meaning: "A configured file name or boundary marker is absolute or leads through `..`, and was skipped.",
};

/// An import did not load.
pub const IMPORT_FAILED: Code = Code {
    name: "import-failed",
    severity: Warning,
    meaning: "An `@path` of a memory file could not be loaded; the message says why.",
};

/// Characters nobody sees.
pub const HIDDEN_LEFT_OUT: Code = Code {
    name: "hidden-left-out",
    severity: Warning,
    meaning: "A file holds characters that a person does not see and a model would read; they were not loaded. \
              `memory check` says what they are, and `--fix` removes them.",
};

/// Bytes that are no UTF-8.
pub const NOT_UTF8: Code = Code {
    name: "not-utf8",
    severity: Warning,
    meaning: "A file holds bytes that are not UTF-8; each was replaced by U+FFFD.",
};

/// A UTF-16 file.
pub const UTF16: Code = Code {
    name: "utf16",
    severity: Note,
    meaning: "A file is UTF-16 and was converted; other tools may not read it. Save it as UTF-8.",
};

/// NUL characters.
pub const NUL_BYTES: Code = Code {
    name: "nul-bytes",
    severity: Warning,
    meaning: "A file holds NUL characters; each was replaced by U+FFFD.",
};

/// A file longer than the limit for one file.
pub const FILE_CUT: Code = Code {
    name: "file-cut",
    severity: Warning,
    meaning: "A file is longer than `context.maxFileBytes`; only its start was loaded.",
};

/// The limit for a whole load is used up.
pub const LOAD_CUT: Code = Code {
    name: "load-cut",
    severity: Warning,
    meaning: "The limit `context.maxLoadBytes` for all memory together is used up; a file was cut or \
              left out.",
};

/// A layer is over its token budget.
pub const LAYER_CUT: Code = Code {
    name: "layer-cut",
    severity: Warning,
    meaning: "A layer costs more than its share of the context window; its longest files were cut.",
};

/// All codes, for the reference.
pub const ALL: [&Code; 19] = [
    &UNREADABLE,
    &NOT_A_FILE,
    &LINK_OUTSIDE,
    &LINK_TO_OTHER,
    &FOREIGN_FILE,
    &DENIED,
    &UNLISTED,
    &UNSPEAKABLE,
    &SCAN_CAPPED,
    &BAD_IGNORE_RULE,
    &UNSAFE_NAME,
    &IMPORT_FAILED,
    &HIDDEN_LEFT_OUT,
    &NOT_UTF8,
    &UTF16,
    &NUL_BYTES,
    &FILE_CUT,
    &LOAD_CUT,
    &LAYER_CUT,
];
