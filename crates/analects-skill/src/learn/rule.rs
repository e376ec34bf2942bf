//! What the person said: that something is done another way here, or what comes first.
//!
//! Words alone are not enough. What is said must have been done afterwards, and must have worked; and nobody may have
//! taken it back.

use super::cue::{self, Order};
use super::finding::{Finding, Kind, Place};
use super::mention::mentions;
use super::notes::{Deed, Ended, Notes, Prompt};
use super::step::Class;
use super::view::{Key, View};

/// So many deeds before a prompt may be what it is about.
const BEFORE: usize = 8;
/// What a prompt asks for is done before the next but so many.
const PROMPTS_AFTER: usize = 2;
/// A rule has at most so many steps.
const MAX_STEPS: usize = 6;

/// One thing that was said and done.
struct Rule {
    kind: Kind,
    steps: Vec<Key>,
    avoid: Option<Key>,
    place: Place,
    /// Whether it was said so clearly that once is enough.
    is_explicit: bool,
    said: Option<String>,
    updated_ms: u64,
}

/// Every rule that was said clearly once, or twice at all.
pub(super) fn rules(view: &View<'_>) -> Vec<Finding> {
    let mut all: Vec<Rule> = Vec::new();
    for (session_idx, notes) in view.notes.iter().enumerate() {
        for prompt_idx in 0..notes.prompts.len() {
            all.extend(rule(view, session_idx, notes, prompt_idx));
        }
    }
    without_contradictions(&mut all);
    let mut found: Vec<Finding> = Vec::new();
    let mut is_explicit = Vec::new();
    for rule in all {
        let known = found.iter().position(|known| {
            known.steps == rule.steps
                || (known.avoid.is_some()
                    && known.avoid == rule.avoid
                    && known.n_shared(&rule.steps) > 0)
        });
        match known.and_then(|at| Some((found.get_mut(at)?, is_explicit.get_mut(at)?))) {
            Some((known, explicit)) => {
                let is_new = !known
                    .places
                    .iter()
                    .any(|place| place.session_idx == rule.place.session_idx);
                known.n_sessions += usize::from(is_new);
                known.n_validated = known.n_sessions;
                known.places.push(rule.place);
                known.said.extend(rule.said);
                known.avoid = known.avoid.or(rule.avoid);
                *explicit |= rule.is_explicit;
            }
            None => {
                is_explicit.push(rule.is_explicit);
                found.push(Finding {
                    kind: rule.kind,
                    steps: rule.steps,
                    avoid: rule.avoid,
                    places: vec![rule.place],
                    n_sessions: 1,
                    n_validated: 1,
                    pitfalls: Vec::new(),
                    said: rule.said.into_iter().collect(),
                    taint: None,
                    is_cut: false,
                });
            }
        }
    }
    let mut explicit = is_explicit.into_iter();
    found.retain(|finding| explicit.next().unwrap_or_default() || finding.n_sessions >= 2);
    found
}

/// Of two rules that say the opposite the later one counts.
fn without_contradictions(all: &mut Vec<Rule>) {
    let opposed: Vec<_> = all
        .iter()
        .map(|rule| {
            all.iter().any(|other| {
                let is_opposite = rule.avoid.is_some_and(|key| other.steps.contains(&key))
                    && other.avoid.is_some_and(|key| rule.steps.contains(&key));
                is_opposite && other.updated_ms >= rule.updated_ms
            })
        })
        .collect();
    let mut opposed = opposed.into_iter();
    all.retain(|_| !opposed.next().unwrap_or_default());
}

/// What one prompt says, if it was done afterwards.
fn rule(view: &View<'_>, session_idx: usize, notes: &Notes, prompt_idx: usize) -> Option<Rule> {
    let prompt = notes.prompts.get(prompt_idx)?;
    let text = prompt.text.as_str();
    let order = cue::order(text);
    let corrects = cue::corrects(text);
    if !corrects && order.is_none() {
        return None;
    }
    let done = done_after(notes, prompt_idx);
    let mut named: Vec<_> = done
        .iter()
        .copied()
        .filter(|idx| is_named(notes, *idx, text))
        .collect();
    if named.is_empty() && corrects {
        // `Use pnpm`: the program is what counts, where it was not used before.
        named = done
            .iter()
            .copied()
            .filter(|idx| is_named_at_all(notes, *idx, text) && is_new_program(notes, prompt, *idx))
            .take(1)
            .collect();
    }
    let before = before(notes, prompt);
    let steps = distinct(view, session_idx, &named);
    let first = *steps.first()?;
    let wrong = before.iter().copied().find(|idx| {
        let key = view.key(session_idx, *idx);
        is_named_at_all(notes, *idx, text) && !steps.iter().any(|(other, _)| Some(*other) == key)
    });
    // `You need to a first`: before what was tried, and worked once a was done.
    let tried = || {
        let again = done.iter().copied().filter(|idx| *idx > first.1);
        again.into_iter().find_map(|idx| {
            let key = view.key(session_idx, idx)?;
            let was_tried = before
                .iter()
                .any(|old| view.key(session_idx, *old) == Some(key));
            (was_tried && key != first.0).then_some((key, idx))
        })
    };
    let is_last_word = !is_taken_back(view, session_idx, notes, prompt_idx, wrong);
    if !is_last_word {
        return None;
    }
    let lasts = cue::lasts(text);
    let (kind, steps, avoid, is_explicit) = if steps.len() >= 2 && order.is_some() {
        is_in_order(order, &steps, notes, text).then_some(())?;
        (Kind::Order, steps, None, lasts || corrects || insists(text))
    } else if let (1, true, Some(then)) = (steps.len(), corrects && cue::comes_first(text), tried())
    {
        (Kind::Order, vec![first, then], None, true)
    } else if corrects {
        let avoid = wrong.and_then(|idx| view.key(session_idx, idx));
        let was_done = before_at_all(view, session_idx, notes, prompt, first.0);
        (
            Kind::Correction,
            steps,
            avoid,
            (lasts || avoid.is_some()) && !was_done,
        )
    } else {
        return None;
    };
    if !belongs(view, &steps, notes, avoid.is_some() || lasts) {
        return None;
    }
    Some(Rule {
        kind,
        avoid,
        is_explicit,
        said: said(prompt),
        updated_ms: notes.updated_ms,
        place: Place {
            session_idx,
            deeds: steps.iter().map(|(_, idx)| *idx).collect(),
            prompt: Some(prompt_idx),
        },
        steps: steps.into_iter().map(|(key, _)| key).collect(),
    })
}

/// Whether a rule is about this project: what to run instead, or commands that nobody else has.
fn belongs(view: &View<'_>, steps: &[(Key, usize)], notes: &Notes, is_about_choice: bool) -> bool {
    let is_common = |(_, idx): &(Key, usize)| {
        let step = notes.deeds.get(*idx).and_then(Deed::step);
        step.is_none_or(|step| step.class == Class::Common)
    };
    let is_own = |(key, idx): &(Key, usize)| {
        let step = notes.deeds.get(*idx).and_then(Deed::step);
        view.facts(*key).is_some_and(|facts| facts.is_own)
            || step.is_some_and(super::mention::is_telling)
    };
    !steps.iter().all(is_common) && (is_about_choice || steps.iter().any(is_own))
}

/// What went well after a prompt, before the person had moved on.
fn done_after(notes: &Notes, prompt_idx: usize) -> Vec<usize> {
    let Some(prompt) = notes.prompts.get(prompt_idx) else {
        return Vec::new();
    };
    let end = notes
        .prompts
        .get(prompt_idx + PROMPTS_AFTER)
        .map_or(notes.deeds.len(), |next| next.n_deeds);
    let is_good = |idx: &usize| {
        let deed = notes.deeds.get(*idx);
        deed.is_some_and(|deed| {
            deed.ended == Ended::Fine && deed.step().is_some() && !deed.is_reckless
        })
    };
    (prompt.n_deeds..end).filter(is_good).collect()
}

/// The commands just before a prompt, the last one first.
fn before(notes: &Notes, prompt: &Prompt) -> Vec<usize> {
    let start = prompt.n_deeds.saturating_sub(BEFORE);
    let is_command = |idx: &usize| {
        notes
            .deeds
            .get(*idx)
            .is_some_and(|deed| deed.step().is_some())
    };
    (start..prompt.n_deeds).rev().filter(is_command).collect()
}

fn before_at_all(
    view: &View<'_>,
    session_idx: usize,
    notes: &Notes,
    prompt: &Prompt,
    key: Key,
) -> bool {
    (0..prompt.n_deeds).any(|idx| {
        let is_fine = notes
            .deeds
            .get(idx)
            .is_some_and(|deed| deed.ended == Ended::Fine);
        is_fine && view.key(session_idx, idx) == Some(key)
    })
}

fn is_named(notes: &Notes, deed_idx: usize, text: &str) -> bool {
    let step = notes.deeds.get(deed_idx).and_then(Deed::step);
    step.is_some_and(|step| mentions(text, step).is_some())
}

/// Whether a command is named, be it only by its program.
fn is_named_at_all(notes: &Notes, deed_idx: usize, text: &str) -> bool {
    let step = notes.deeds.get(deed_idx).and_then(Deed::step);
    step.is_some_and(|step| {
        mentions(text, step).is_some() || super::mention::names_program(text, step)
    })
}

/// Whether nobody had run the program of a command before a prompt.
fn is_new_program(notes: &Notes, prompt: &Prompt, deed_idx: usize) -> bool {
    let program = |idx: usize| Some(notes.deeds.get(idx)?.step()?.program());
    let wanted = program(deed_idx);
    !(0..prompt.n_deeds).any(|idx| program(idx) == wanted)
}

fn distinct(view: &View<'_>, session_idx: usize, deeds: &[usize]) -> Vec<(Key, usize)> {
    let mut steps: Vec<(Key, usize)> = Vec::new();
    for &idx in deeds {
        let Some(key) = view.key(session_idx, idx) else {
            continue;
        };
        if !steps.iter().any(|(known, _)| *known == key) && steps.len() < MAX_STEPS {
            steps.push((key, idx));
        }
    }
    steps
}

/// Whether what was done was done in the order that was asked for.
fn is_in_order(order: Option<Order>, steps: &[(Key, usize)], notes: &Notes, text: &str) -> bool {
    let place = |(_, idx): &(Key, usize)| {
        let step = notes.deeds.get(*idx).and_then(Deed::step)?;
        mentions(text, step)
    };
    let places: Option<Vec<_>> = steps.iter().map(place).collect();
    let Some(places) = places else {
        return false;
    };
    match order {
        Some(Order::AsNamed) => places.is_sorted(),
        Some(Order::Reversed) => places.len() == 2 && places.iter().rev().is_sorted(),
        None => true,
    }
}

/// Whether the person changed their mind, or went on as before.
fn is_taken_back(
    view: &View<'_>,
    session_idx: usize,
    notes: &Notes,
    prompt_idx: usize,
    wrong: Option<usize>,
) -> bool {
    let later = notes.prompts.iter().skip(prompt_idx + 1);
    let says_so = later.enumerate().any(|(distance, prompt)| {
        let is_about = notes
            .prompts
            .get(prompt_idx)
            .is_some_and(|said| shares_a_name(&said.text, &prompt.text));
        cue::takes_back(&prompt.text) && (is_about || distance < 2)
    });
    let wrong = wrong.and_then(|idx| view.key(session_idx, idx));
    let n_deeds = notes
        .prompts
        .get(prompt_idx)
        .map_or(0, |prompt| prompt.n_deeds);
    let goes_on = wrong.is_some_and(|wrong| {
        (n_deeds..notes.deeds.len()).any(|idx| {
            let is_fine = notes
                .deeds
                .get(idx)
                .is_some_and(|deed| deed.ended == Ended::Fine);
            is_fine && view.key(session_idx, idx) == Some(wrong)
        })
    });
    says_so || goes_on
}

fn shares_a_name(a: &str, b: &str) -> bool {
    let names: Vec<_> = cue::ascii_words(b).filter(|word| word.len() >= 3).collect();
    cue::ascii_words(a)
        .any(|word| !super::habits::is_everyday(word) && word.len() >= 3 && names.contains(&word))
}

/// Whether a prompt leaves no choice.
fn insists(text: &str) -> bool {
    let text = text.to_lowercase();
    [
        "must",
        "has to",
        "have to",
        "make sure",
        "required",
        "otherwise",
        "or else",
        "否则",
        "必须",
        "一定",
        "不然",
    ]
    .iter()
    .any(|cue| text.contains(cue))
}

/// What was said, if it can be repeated: one line, not too long, and nothing had to be taken out of it.
pub(super) fn said(prompt: &Prompt) -> Option<String> {
    const MAX_CHARS: usize = 160;
    let line = prompt.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_short = line.chars().count() <= MAX_CHARS;
    let is_plain = !line.contains(['<', '>', '{', '}']) && !prompt.held_secret;
    (is_short && is_plain && !line.is_empty())
        .then(|| analects_text::sanitize::one_line(&line).into_owned())
}
