//! The skills that Analects brings along.

use super::{Skill, Source, Tier};
use crate::skill;

/// Their `SKILL.md` files, by name.
const ALL: [(&str, &str); 1] = [(
    "skill-creator",
    include_str!("../../skills/skill-creator/SKILL.md"),
)];

/// All of them.
pub(super) fn all() -> Vec<Skill> {
    let skill = |(name, text): (&str, &'static str)| Skill {
        name: name.to_owned(),
        description: skill::read(text, name).description,
        tier: Tier::Bundled,
        source: Source::Program(text),
    };
    ALL.into_iter().map(skill).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_we_bring_along_keeps_the_standard() {
        for (name, text) in ALL {
            let draft = skill::read(text, name);
            assert_eq!(draft.faults, [], "{name}");
            assert!(draft.body.lines().count() < 500, "{name}");
            assert!(
                analects_text::tokens::estimate(&draft.body) < 5000,
                "{name}"
            );
        }
    }
}
