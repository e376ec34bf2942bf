//! What may be wrong with something that waits in the inbox, and with a skill that is there.

use analects_text::problem::Code;
use analects_text::problem::Severity::{Error, Note, Warning};

/// A patch that cannot be read.
pub const BAD_PATCH: Code = Code {
    name: "bad-patch",
    severity: Error,
    meaning: "A patch in the inbox is no unified diff, or does not name its files by absolute paths. Edit it, or dismiss it.",
};

/// A patch of something that it may not change.
pub const PATCH_OUTSIDE: Code = Code {
    name: "patch-outside",
    severity: Error,
    meaning: "A patch in the inbox wants to change a file that no patch of its kind may change. Nothing of it is applied.",
};

/// A patch whose files have moved on.
pub const STALE_PATCH: Code = Code {
    name: "stale-patch",
    severity: Warning,
    meaning: "A patch in the inbox does not fit what its files say by now. Edit it, or dismiss it.",
};

/// A folder that is no skill, or none that can be taken.
pub const BAD_SKILL: Code = Code {
    name: "bad-skill",
    severity: Error,
    meaning: "A new skill in the inbox breaks the Agent Skills standard, or holds links, binaries or too much. Edit it, or dismiss it.",
};

/// A skill of that name is there.
pub const SKILL_EXISTS: Code = Code {
    name: "skill-exists",
    severity: Warning,
    meaning: "There is a skill of that name already. It is not replaced: remove it first, or accept the new one elsewhere.",
};

/// A secret in something that waits.
pub const SECRET_WAITS: Code = Code {
    name: "secret-waits",
    severity: Error,
    meaning: "Something in the inbox holds what looks like a secret, and secrets are not stored. Edit it, dismiss it, or allow the finding.",
};

/// All of them, for the reference.
pub const ALL: [&Code; 6] = [
    &BAD_PATCH,
    &PATCH_OUTSIDE,
    &STALE_PATCH,
    &BAD_SKILL,
    &SKILL_EXISTS,
    &SECRET_WAITS,
];

/// A skill that cannot be offered.
pub const SKILL_SKIPPED: Code = Code {
    name: "skill-skipped",
    severity: Warning,
    meaning: "A `SKILL.md` was left out: it cannot be read, leads out of its project, or does not say what it is for. `skill check` tells more.",
};

/// A skill whose head breaks the standard.
pub const SKILL_NAME: Code = Code {
    name: "skill-name",
    severity: Warning,
    meaning: "A skill was taken although its name or description breaks the Agent Skills standard; others may not find it. `skill check` tells more.",
};

/// A skill that gives way.
pub const SKILL_OVERRULED: Code = Code {
    name: "skill-overruled",
    severity: Note,
    meaning: "Two skills have one name. That of the stronger place counts: bundled, extension, `~/.gemini`, `~/.agents`, `.gemini`, `.agents`.",
};

/// A directory with too many skills.
pub const TOO_MANY_SKILLS: Code = Code {
    name: "too-many-skills",
    severity: Warning,
    meaning: "A directory holds more skills than are looked at. Remove some, or move them elsewhere.",
};

/// What the standard does not allow.
pub const SKILL_FAULT: Code = Code {
    name: "skill-fault",
    severity: Error,
    meaning: "A skill breaks the Agent Skills standard, or holds links, binaries or too much. Others may not load it.",
};

/// Instructions that are too long.
pub const SKILL_LONG: Code = Code {
    name: "skill-long",
    severity: Warning,
    meaning: "The instructions of a skill are longer than the standard advises. Move what is not always needed into `references/`.",
};

/// A link that leads nowhere.
pub const SKILL_LINK: Code = Code {
    name: "skill-link",
    severity: Warning,
    meaning: "A skill points to a file that is not in its directory.",
};

/// A secret in a skill.
pub const SKILL_SECRET: Code = Code {
    name: "skill-secret",
    severity: Error,
    meaning: "A file of a skill holds what looks like a secret. Take it out, or allow the finding in `memory.allowedSecrets`.",
};

/// Those of skills that are there, for the reference.
pub const CATALOG: [&Code; 8] = [
    &SKILL_SKIPPED,
    &SKILL_NAME,
    &SKILL_OVERRULED,
    &TOO_MANY_SKILLS,
    &SKILL_FAULT,
    &SKILL_LONG,
    &SKILL_LINK,
    &SKILL_SECRET,
];
