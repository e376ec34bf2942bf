//! What a model is told of skills, within bounds.

use analects_skill::catalog::Skill;
use analects_text::tokens;

use super::Skills;
use crate::prompt::SkillLine;

/// How many skills are offered at once.
const MAX_OFFERED: usize = 300;
/// What the descriptions of all skills may cost in a prompt; of the rest, only the names are told.
const DESCRIPTIONS_TOKENS: usize = 8_000;

impl Skills {
    /// Those that are offered to a model: not more than it can choose among, the strongest tiers first in.
    #[must_use]
    pub fn offered(&self) -> Vec<Skill> {
        let mut all: Vec<_> = self.enabled().cloned().collect();
        all.sort_by(|a, b| (b.tier, &a.name).cmp(&(a.tier, &b.name)));
        all.truncate(MAX_OFFERED);
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }
}

/// Skills as the prompt tells of them. Where there are too many, those of the weakest tiers are only named.
#[must_use]
pub fn lines(skills: &[Skill]) -> Vec<SkillLine> {
    let mut by_rank: Vec<_> = skills.iter().collect();
    by_rank.sort_by(|a, b| (b.tier, &a.name).cmp(&(a.tier, &b.name)));
    let mut left = DESCRIPTIONS_TOKENS;
    let mut lines: Vec<_> = by_rank
        .into_iter()
        .map(|skill| {
            let cost = tokens::estimate(&skill.description);
            let fits = left.checked_sub(cost);
            left = fits.unwrap_or(0);
            SkillLine {
                name: skill.name.clone(),
                description: fits.map_or_else(String::new, |_| skill.description.clone()),
                location: skill.location(),
            }
        })
        .collect();
    lines.sort_by(|a, b| a.name.cmp(&b.name));
    lines
}
