//! Something that may be worth a skill, before it is written down.

use super::cue::{self, Verdict};
use super::notes::{Deed, Ended, Notes, Prompt};
use super::view::{Key, View};
use crate::origin::Origin;

/// Something that may be worth a skill.
#[derive(Debug, Clone)]
pub(super) struct Finding {
    /// What was seen.
    pub(super) kind: Kind,
    /// Its commands, in order.
    pub(super) steps: Vec<Key>,
    /// The command that was done wrong before, if that is what it is about.
    pub(super) avoid: Option<Key>,
    /// How much of its commands is meant.
    pub(super) told: Told,
    /// Where it was seen.
    pub(super) places: Vec<Place>,
    /// In how many sessions it was seen.
    pub(super) n_sessions: usize,
    /// In how many of them it was shown to hold.
    pub(super) n_validated: usize,
    /// What goes wrong, and how it was mended.
    pub(super) pitfalls: Vec<Pitfall>,
    /// What the person said about it.
    pub(super) said: Vec<String>,
    /// Whom it came from, if no person ever asked for it.
    pub(super) taint: Option<Origin>,
    /// Whether a step of it was left out, as nobody here vouches for it.
    pub(super) is_cut: bool,
}

/// What was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The same commands in the same order, again and again.
    Workflow,
    /// A command that fails, and what makes it pass.
    Fix,
    /// The person said that it is done another way.
    Correction,
    /// The person said what comes first.
    Order,
}

/// How much of the commands is meant that a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// All of them.
    Commands,
    /// Of the one to avoid only its program.
    AvoidedProgram,
    /// The programs alone.
    Programs,
}

/// Where something was seen.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The session.
    pub(super) session_idx: usize,
    /// The deeds, one for each step.
    pub(super) deeds: Vec<usize>,
    /// The prompt that asked for it, if one did.
    pub(super) prompt: Option<usize>,
}

/// What goes wrong.
#[derive(Debug, Clone)]
pub(super) struct Pitfall {
    /// The command that fails.
    pub(super) failing: Key,
    /// A place where it did.
    pub(super) place: (usize, usize),
    /// What it says then.
    pub(super) error: Option<String>,
    /// What makes it pass.
    pub(super) fixes: Vec<Key>,
}

/// How many places are kept of each finding.
pub(super) const MAX_PLACES: usize = 12;

impl Finding {
    /// Whether all steps of another one are among its own, in the same order.
    pub(super) fn covers(&self, other: &[Key]) -> bool {
        let mut own = self.steps.iter();
        other.iter().all(|wanted| own.any(|key| key == wanted))
    }

    /// How many steps two findings share.
    pub(super) fn n_shared(&self, other: &[Key]) -> usize {
        other.iter().filter(|key| self.steps.contains(key)).count()
    }
}

/// How many deeds after something may show that it holds.
const AFTERMATH: usize = 12;

/// Whether something that was done in a session was shown to hold: a check passed afterwards, or the person said so;
/// and nobody said otherwise.
pub(super) fn is_validated(view: &View<'_>, session_idx: usize, deeds: &[usize]) -> bool {
    let Some(notes) = view.notes.get(session_idx) else {
        return false;
    };
    let Some(&last) = deeds.last() else {
        return false;
    };
    let ended = |idx: &usize| {
        notes
            .deeds
            .get(*idx)
            .map_or(Ended::Unknown, |deed| deed.ended)
    };
    if deeds.iter().any(|idx| ended(idx) == Ended::Failed)
        || !deeds.iter().any(|idx| ended(idx) == Ended::Fine)
    {
        return false;
    }
    let verdicts = notes.verdicts_after(last);
    if notes.is_blamed(last) {
        return false;
    }
    let praised = verdicts.contains(&Verdict::Praise);
    if verdicts.first() != Some(&Verdict::Praise) && ends_badly(view, session_idx, notes, last) {
        return false;
    }
    match checked(notes, last) {
        Some(is_fine) => is_fine,
        None => praised,
    }
}

/// Whether what was begun with a deed went wrong before the person spoke again: a command of the project failed, and was
/// not made to pass.
fn ends_badly(view: &View<'_>, session_idx: usize, notes: &Notes, last: usize) -> bool {
    let n_prompts = notes.deeds.get(last).map_or(0, |deed| deed.n_prompts);
    let after = notes.deeds.iter().enumerate().skip(last + 1);
    let mut failed = Vec::new();
    for (idx, deed) in after.take_while(|(_, deed)| deed.n_prompts == n_prompts) {
        let Some(key) = view.key(session_idx, idx) else {
            continue;
        };
        let is_own = view
            .facts(key)
            .is_some_and(|facts| facts.is_own && !facts.is_edit);
        match deed.ended {
            Ended::Failed if is_own => failed.push(key),
            Ended::Fine => failed.retain(|other| *other != key),
            Ended::Failed | Ended::Unknown => {}
        }
    }
    !failed.is_empty()
}

/// How the checks after a deed ended, itself among them: `None` if there were none.
fn checked(notes: &Notes, last: usize) -> Option<bool> {
    let mut found = None;
    let prompts_then = notes.deeds.get(last).map_or(0, |deed| deed.n_prompts);
    let after = notes.deeds.iter().enumerate().skip(last).take(AFTERMATH);
    for (idx, deed) in after {
        let Some(step) = deed.step().filter(|step| step.is_check) else {
            continue;
        };
        if deed.n_prompts > prompts_then + 2
            || (idx > last && step.class != super::step::Class::Own && found.is_some())
        {
            break;
        }
        match deed.ended {
            Ended::Fine => return Some(true),
            Ended::Failed => found = Some(false),
            Ended::Unknown => {}
        }
    }
    found
}

impl Notes {
    /// Whether the person said of what was done that it is not what was wanted. A single word may be about anything: a check
    /// that passed before tells more.
    pub(super) fn is_blamed(&self, deed_idx: usize) -> bool {
        let n_prompts = self.deeds.get(deed_idx).map_or(0, |deed| deed.n_prompts);
        let mut here = self.deeds.iter().skip(deed_idx);
        let is_passed = |deed: &Deed| {
            let is_check = deed.step().is_some_and(|step| step.is_check);
            deed.n_prompts == n_prompts && is_check && deed.ended == Ended::Fine
        };
        match self.verdicts_after(deed_idx).first() {
            Some(Verdict::Blame) => true,
            Some(Verdict::Doubt) => !here.any(is_passed),
            Some(Verdict::Praise | Verdict::None) | None => false,
        }
    }

    /// What the person said of what went before, in the next two prompts after a deed.
    pub(super) fn verdicts_after(&self, deed_idx: usize) -> Vec<Verdict> {
        let after = self
            .prompts
            .iter()
            .filter(|prompt| prompt.n_deeds > deed_idx);
        after
            .take(2)
            .map(|prompt| cue::verdict(first_sentences(prompt)))
            .collect()
    }
}

/// What a prompt says of what went before stands at its beginning.
fn first_sentences(prompt: &Prompt) -> &str {
    analects_text::truncate::head_bytes(&prompt.text, 160)
}
