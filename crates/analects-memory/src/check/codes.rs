//! Every kind of finding this room can make about memory that loads well enough.

use analects_text::problem::Code;
use analects_text::problem::Severity::{Error, Note, Warning};

/// Imports lead back to where they started.
pub const IMPORT_CYCLE: Code = Code {
    name: "import-cycle",
    severity: Warning,
    meaning: "A file imports itself, directly or through others; the import that closes the circle is \
              left out. Remove one of them.",
};

/// A file that costs too much.
pub const LARGE_FILE: Code = Code {
    name: "large-file",
    severity: Warning,
    meaning: "A memory file is so long that every conversation pays for it; move what is needed rarely \
              to a directory of its own, or out of memory.",
};

/// A file without words.
pub const EMPTY_FILE: Code = Code {
    name: "empty-file",
    severity: Note,
    meaning: "A memory file says nothing; write something, or remove it.",
};

/// The same thing, said twice.
pub const REPEATED_LINE: Code = Code {
    name: "repeated-line",
    severity: Warning,
    meaning: "The same line stands twice in a file, or in two files that are loaded together; keep the \
              one in the better place. `--fix` removes an exact repetition within a list.",
};

/// Nearly the same thing, said twice.
pub const NEAR_DUPLICATE: Code = Code {
    name: "near-duplicate",
    severity: Note,
    meaning: "Two lines that are loaded together say the same in nearly the same words; keep one of them.",
};

/// Two rules that nobody can follow both.
pub const CONTRADICTION: Code = Code {
    name: "contradiction",
    severity: Warning,
    meaning: "One line says always and another one never, about the same thing; a model may pick either. \
              Remove one of them, or say when each of them counts.",
};

/// A fact of one project, told to all.
pub const WRONG_SCOPE: Code = Code {
    name: "wrong-scope",
    severity: Warning,
    meaning: "A line of global memory is about one project, and every other one hears it too; move it to \
              that project's memory.",
};

/// A path that leads nowhere.
pub const MISSING_FILE: Code = Code {
    name: "missing-file",
    severity: Warning,
    meaning: "A line names a file or directory of this project that does not exist; correct it, or \
              remove the line.",
};

/// A command that nobody can run.
pub const MISSING_COMMAND: Code = Code {
    name: "missing-command",
    severity: Warning,
    meaning: "A line tells to run a script, target or program of this project that does not exist; \
              correct it, or remove the line.",
};

/// Something that must not be written down.
pub const SECRET: Code = Code {
    name: "secret",
    severity: Error,
    meaning: "A line holds what looks like a password, key or token; remove it, and revoke it if the file \
              was ever shared. If it is none, add its fingerprint to `memory.allowedSecrets`.",
};

/// Characters nobody sees.
pub const HIDDEN_CHARACTER: Code = Code {
    name: "hidden-character",
    severity: Error,
    meaning: "A line holds characters that a person does not see and a model reads. `--fix` removes \
              them.",
};

/// Memory that is not loaded.
pub const UNREACHED_MEMORY: Code = Code {
    name: "unreached-memory",
    severity: Warning,
    meaning: "A file looks like memory and is not loaded, because of its name, its place or an ignore \
              rule; rename it, move it, or change the rule.",
};

/// The walk through the project ended early. Not a finding: nobody can mend it.
pub const WALK_CUT: Code = Code {
    name: "walk-cut",
    severity: Note,
    meaning: "The project has more directories than `memory check` looks into; memory in the others was \
              not checked.",
};

/// All codes, for the reference.
pub const ALL: [&Code; 13] = [
    &IMPORT_CYCLE,
    &LARGE_FILE,
    &EMPTY_FILE,
    &REPEATED_LINE,
    &NEAR_DUPLICATE,
    &CONTRADICTION,
    &WRONG_SCOPE,
    &MISSING_FILE,
    &MISSING_COMMAND,
    &SECRET,
    &HIDDEN_CHARACTER,
    &UNREACHED_MEMORY,
    &WALK_CUT,
];
