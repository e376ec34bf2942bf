//! Every kind of problem with other agents' records.

use analects_text::problem::Code;
use analects_text::problem::Severity::{Note, Warning};

/// A line is no JSON object.
pub const BROKEN_LINE: Code = Code {
    name: "broken-session-line",
    severity: Warning,
    meaning: "A line of a session file is no JSON object and was left out.",
};

/// The last line is not finished.
pub const CUT_LINE: Code = Code {
    name: "cut-session-line",
    severity: Note,
    meaning: "The last line of a session file is not finished: the agent is writing it, or was stopped.",
};

/// A line is not UTF-8.
pub const NOT_UTF8: Code = Code {
    name: "session-line-not-utf8",
    severity: Warning,
    meaning: "A line of a session file holds bytes that are no UTF-8; they were replaced.",
};

/// More problems of the same file.
pub const MORE: Code = Code {
    name: "more-session-problems",
    severity: Warning,
    meaning: "A session file has more problems than are told.",
};

/// A tool answered whom nobody asked.
pub const STRAY_RESULT: Code = Code {
    name: "stray-tool-result",
    severity: Note,
    meaning: "A session file has results of tools whose calls are not in it; they were left out.",
};

/// A compressed file is broken.
pub const UNPACK_FAILED: Code = Code {
    name: "session-unpack-failed",
    severity: Warning,
    meaning: "A compressed session file is damaged; what stands before the damage was read.",
};

/// A compressed file holds too much.
pub const UNPACK_CUT: Code = Code {
    name: "session-unpack-cut",
    severity: Warning,
    meaning: "A compressed session file holds more than is read of one; the rest was left out.",
};

/// All codes, for the reference.
pub const ALL: [&Code; 7] = [
    &BROKEN_LINE,
    &CUT_LINE,
    &NOT_UTF8,
    &MORE,
    &STRAY_RESULT,
    &UNPACK_FAILED,
    &UNPACK_CUT,
];
