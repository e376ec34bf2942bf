//! Every kind of problem that reading a session can find.

use analects_text::problem::Code;
use analects_text::problem::Severity::{Error, Note, Warning};

/// A line that is no JSON.
pub const LINE_UNREADABLE: Code = Code {
    name: "line-unreadable",
    severity: Warning,
    meaning: "A line of a session is no JSON and was skipped; the rest of the session was read.",
};

/// A last line that was not written to its end.
pub const LINE_TORN: Code = Code {
    name: "line-torn",
    severity: Note,
    meaning: "The last line of a session was not written to its end: the program is at it, or was \
              stopped. All lines before it were read.",
};

/// A field that no program could hold.
pub const FIELD_UNREADABLE: Code = Code {
    name: "field-unreadable",
    severity: Warning,
    meaning: "A message of a session holds a value that nests too deeply, or a number that no machine has; that value was \
              left out, and the rest of the message was read.",
};

/// Bytes that are no UTF-8.
pub const RECORD_NOT_UTF8: Code = Code {
    name: "record-not-utf8",
    severity: Warning,
    meaning: "A session holds bytes that are not UTF-8; each was read as a question mark.",
};

/// A record that nobody could take up again.
pub const NO_HEADER: Code = Code {
    name: "no-header",
    severity: Error,
    meaning: "A session has no header with its id and project. What it says can be shown, but Gemini CLI \
              will not resume it.",
};

/// All codes, for the reference.
pub const ALL: [&Code; 5] = [
    &LINE_UNREADABLE,
    &LINE_TORN,
    &FIELD_UNREADABLE,
    &RECORD_NOT_UTF8,
    &NO_HEADER,
];
