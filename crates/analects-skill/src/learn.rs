//! The learner that needs no model: finds workflows that were repeated and worked, corrections, and fixes of failures.
//!
//! A session is read once and leaves [`Notes`] behind; [`learn`] looks at the notes of all sessions together. Most of
//! the time it finds nothing, and that is right: what everybody knows, what was seen once, what nobody shows to hold
//! and what a stranger's text asked for is not learned.
//!
//! ```text
//! Transcript ─Notes::take→ Notes (commands as steps, how they ended, who asked) ─View→ the same command in all sessions
//!            ─workflow, fix, rule→ Finding ─draft→ Lesson
//! ```

mod copies;
mod cue;
mod draft;
mod fetched;
mod finding;
mod fix;
pub(crate) mod habits;
pub(crate) mod hearsay;
mod mention;
mod name;
mod notes;
mod rule;
pub(crate) mod step;
mod trace;
mod view;
mod withheld;
mod word;
mod workflow;

pub use finding::Kind;
pub use notes::Notes;

use std::collections::HashSet;

use analects_text::{hidden, redact};

use crate::origin::Origin;
use crate::{folder, skill};
use draft::Draft;
use finding::Finding;
use view::{Key, View};
use workflow::Tainted;

/// What the learner is told besides the notes.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// When it is now, in milliseconds since 1970.
    pub now_ms: u64,
    /// Names that are given already.
    pub taken: &'a [String],
    /// What the skills say that there are, or that were refused: what they say is not proposed again.
    pub known: &'a [String],
}

/// Something that was learned, as a skill that could be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// Its name, and that of its folder.
    pub name: String,
    /// What was seen.
    pub kind: Kind,
    /// Its files: their paths inside the folder, and their texts.
    pub files: Vec<(String, String)>,
    /// Its commands.
    pub steps: Vec<String>,
    /// The sessions it was seen in.
    pub sessions: Vec<String>,
    /// How sure it is, in percent.
    pub score: u32,
    /// Whom it came from, if no person ever asked for it: then it belongs into quarantine.
    pub taint: Option<Origin>,
}

/// How many lessons are proposed at once: as many as a person reads.
const MAX_LESSONS: usize = 20;
/// Less sure than this is not worth a look.
const MIN_SCORE: u32 = 50;

/// What all sessions together teach, the surest first.
#[must_use]
pub fn learn(notes: &[Notes], options: Options<'_>) -> Vec<Lesson> {
    let distinct = copies::without(notes);
    let view = View::new(distinct.as_deref().unwrap_or(notes));
    let rules = rule::rules(&view);
    let mut found = findings(&view, Tainted::Left, rules.clone());
    // Mostly nothing is, and then looking again would find the same.
    let with = match view.is_tainted() {
        true => findings(&view, Tainted::Along, rules),
        false => Vec::new(),
    };
    for tainted in with.into_iter().filter(|finding| finding.taint.is_some()) {
        for clean in found.iter_mut().filter(|clean| clean.taint.is_none()) {
            clean.is_cut |= tainted.covers(&clean.steps);
        }
        found.push(tainted);
    }
    let mut lessons: Vec<Lesson> = Vec::new();
    let mut taken = options.taken.to_vec();
    let mut scored: Vec<_> = found
        .into_iter()
        .map(|finding| (score(&view, &finding, options.now_ms), finding))
        .collect();
    scored.sort_by(|(a, in_a), (b, in_b)| {
        let clean_first = in_a.taint.is_some().cmp(&in_b.taint.is_some());
        clean_first
            .then(b.cmp(a))
            .then_with(|| in_a.steps.cmp(&in_b.steps))
    });
    for (score, finding) in scored {
        if score < MIN_SCORE || lessons.len() >= MAX_LESSONS {
            continue;
        }
        let lesson = write(&view, &finding, score, &taken);
        if let Some(lesson) = lesson.filter(|lesson| !is_known(lesson, options.known)) {
            taken.push(lesson.name.clone());
            lessons.push(lesson);
        }
    }
    lessons
}

/// Everything that was found, each thing once.
fn findings(view: &View<'_>, tainted: Tainted, mut rules: Vec<Finding>) -> Vec<Finding> {
    let mut workflows = workflow::workflows(view, tainted);
    let mut fixes = fix::fixes(view, tainted);
    // What mends a failure looks like a workflow: the same commands in the same order.
    workflows.retain(|flow| !fixes.iter().any(|fix| covers_all(&fix.steps, &flow.steps)));
    workflows.retain(|flow| {
        !rules
            .iter()
            .any(|rule| covers_all(&rule.steps, &flow.steps))
    });
    // What comes first, and what helps when it did not: the person's word counts, and tells of the failure.
    fold(&mut fixes, &mut rules, |rule, fix| {
        covers_all(&rule.steps, &fix.steps) && covers_all(&fix.steps, &rule.steps)
    });
    let is_part = |flow: &Finding, part: &Finding| covers_all(&flow.steps, &part.steps);
    fold(&mut fixes, &mut workflows, is_part);
    fold(&mut rules, &mut workflows, is_part);
    workflows.extend(fixes);
    workflows.extend(rules);
    workflows
}

/// Lets those tell what goes wrong, and what the person said, that some findings are told by already.
fn fold(
    some: &mut Vec<Finding>,
    others: &mut [Finding],
    tells: impl Fn(&Finding, &Finding) -> bool,
) {
    some.retain(|finding| {
        let Some(other) = others.iter_mut().find(|other| tells(other, finding)) else {
            return true;
        };
        other.pitfalls.extend(finding.pitfalls.iter().cloned());
        other.said.extend(finding.said.iter().cloned());
        false
    });
}

fn covers_all(all: &[Key], some: &[Key]) -> bool {
    some.iter().all(|key| all.contains(key))
}

/// How sure a finding is: seen how often, shown to hold how often, how much of it belongs to this project, how long ago.
fn score(view: &View<'_>, finding: &Finding, now_ms: u64) -> u32 {
    const DAY_MS: u64 = 24 * 60 * 60 * 1000;
    let n = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let support = match finding.kind {
        // A person said so.
        finding::Kind::Correction | finding::Kind::Order => 30 + 5 * n(finding.n_sessions.min(2)),
        finding::Kind::Workflow | finding::Kind::Fix => 10 * n(finding.n_sessions.min(4)),
    };
    let validation = 30 * n(finding.n_validated) / n(finding.n_sessions).max(1);
    let n_own = finding
        .steps
        .iter()
        .filter(|key| view.facts(**key).is_some_and(|facts| facts.is_own))
        .count();
    let specificity = match finding.kind {
        finding::Kind::Correction => 20,
        _ => 20 * n(n_own) / n(finding.steps.len()).max(1),
    };
    let newest = finding
        .places
        .iter()
        .filter_map(|place| view.notes.get(place.session_idx));
    let newest = newest.map(|notes| notes.updated_ms).max().unwrap_or(0);
    let age = match now_ms.saturating_sub(newest) / DAY_MS {
        0..=30 => 10,
        31..=90 => 5,
        91..=365 => 0,
        _ => return 0,
    };
    (support + validation + specificity + age).min(100)
}

/// The skill that a finding becomes, if it can be one: by the standard, without secrets, without anything hidden.
fn write(view: &View<'_>, finding: &Finding, score: u32, taken: &[String]) -> Option<Lesson> {
    let before = match finding.kind {
        finding::Kind::Workflow | finding::Kind::Order => "run",
        finding::Kind::Fix => "fix",
        finding::Kind::Correction => "use",
    };
    let steps: Vec<_> = finding
        .places
        .first()
        .into_iter()
        .flat_map(|place| {
            place
                .deeds
                .iter()
                .filter_map(|idx| view.deed(place.session_idx, *idx)?.step())
        })
        .collect();
    let named = match finding.kind {
        // A fix is called by what fails.
        finding::Kind::Fix => steps.last().copied().into_iter().collect(),
        _ => steps,
    };
    let name = match (finding.told, named.first()) {
        (finding::Told::Programs, Some(step)) => name::of_program(before, step, taken),
        _ => name::name(before, &named, taken),
    };
    let draft = Draft {
        view,
        finding,
        name: &name,
        score,
    };
    let lines = draft.lines();
    let text = draft.text();
    let is_clean = redact::scan(&text).is_empty() && hidden::find(&text).is_empty();
    let is_skill =
        skill::read(&text, &name).faults.is_empty() && text.len() <= folder::MAX_FILE_BYTES;
    let sessions: Vec<_> = finding
        .places
        .iter()
        .filter_map(|place| Some(view.notes.get(place.session_idx)?.session.clone()))
        .collect::<HashSet<_>>()
        .into_iter()
        .collect();
    let mut sessions = sessions;
    sessions.sort_unstable();
    (is_clean && is_skill && !lines.iter().any(String::is_empty)).then(|| Lesson {
        kind: finding.kind,
        files: vec![(skill::FILE.to_owned(), text)],
        steps: lines,
        sessions,
        score,
        taint: finding.taint,
        name,
    })
}

/// Whether a skill that is known says all of it.
fn is_known(lesson: &Lesson, known: &[String]) -> bool {
    let says = |text: &String| lesson.steps.iter().all(|line| text.contains(line.as_str()));
    known.iter().any(says)
}

#[cfg(test)]
mod tests;
