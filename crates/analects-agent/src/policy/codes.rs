//! Every kind of problem with rules.

use analects_text::problem::Code;
use analects_text::problem::Severity::{Error, Warning};

/// A file of rules that cannot be understood.
pub const BAD_POLICY: Code = Code {
    name: "bad-policy",
    severity: Error,
    meaning: "A file of rules could not be read or understood as a whole. As long as it is there, nothing is done \
              without asking (an administrator's file: nothing at all), lest a rule that denies be missed.",
};

/// A rule that cannot be understood.
pub const BAD_RULE: Code = Code {
    name: "bad-rule",
    severity: Error,
    meaning: "A rule says something that cannot be understood or may not be said there. One that allows is left \
              out; one that denies or asks holds for everything that it could have meant.",
};

/// A rule that is probably misspelt.
pub const ODD_RULE: Code = Code {
    name: "odd-rule",
    severity: Warning,
    meaning: "A rule is in force, but probably not as it was meant: it names a tool that is nearly called like \
              another one, or uses a spelling that is no longer read.",
};

/// A mode that may not be had.
pub const MODE_REFUSED: Code = Code {
    name: "mode-refused",
    severity: Warning,
    meaning: "A mode that asks less is not used: the folder is not trusted, or only its own settings want it.",
};

/// All codes of rules, for the reference.
pub const ALL: [&Code; 4] = [&BAD_POLICY, &BAD_RULE, &ODD_RULE, &MODE_REFUSED];
