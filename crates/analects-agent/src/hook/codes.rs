//! Every kind of problem with hooks.

use analects_text::problem::Code;
use analects_text::problem::Severity::{Note, Warning};

/// Hooks that cannot be understood.
pub const BAD_HOOK: Code = Code {
    name: "bad-hook",
    severity: Warning,
    meaning: "An entry under `hooks` names no event that there is, or has a value that it cannot have. What cannot be \
              understood is left out, and the rest counts.",
};

/// Hooks of a project that nobody has seen yet.
pub const NEW_HOOKS: Code = Code {
    name: "new-hooks",
    severity: Warning,
    meaning: "A trusted project brings programs along that run on their own, and that were not there before. Look at its \
              `.gemini/settings.json` if you do not know them; this is told once for each of them.",
};

/// A hook that did not do its work.
pub const HOOK_FAILED: Code = Code {
    name: "hook-failed",
    severity: Warning,
    meaning: "A hook could not be run, took too long, ended with an exit code that means failure, or answered something \
              that makes no sense. What it should have decided is decided without it.",
};

/// A hook has something to say.
pub const HOOK_SAYS: Code = Code {
    name: "hook-says",
    severity: Note,
    meaning: "What a hook wants the user to read.",
};

/// Hooks that did not run.
pub const HOOKS_OFF: Code = Code {
    name: "hooks-off",
    severity: Note,
    meaning: "There are hooks that do not run: this is a dry run, or the folder is no longer trusted.",
};

/// All codes of hooks, for the reference.
pub const ALL: [&Code; 5] = [&BAD_HOOK, &NEW_HOOKS, &HOOK_FAILED, &HOOK_SAYS, &HOOKS_OFF];
