//! Rules that the person stated: corrections, and what comes first.
//!
//! Words alone are not enough. What is said must have been done afterwards, and must have worked; and nobody may have
//! taken it back.

mod pair;

use std::collections::HashSet;

use analects_text::shell_line::program_name;

use super::cue;
use super::finding::{Finding, Kind, Place, Told};
use super::habits;
use super::mention::{Text, is_telling_word, names_file, names_program};
use super::notes::{Deed, Ended, Notes, Prompt, What};
use super::trace::Source;
use super::view::{Key, View};

/// How many deeds before a prompt may be what it is about.
const BEFORE: usize = 8;
/// What a prompt asks for is done within this many prompts.
const PROMPTS_AFTER: usize = 2;
/// A rule has at most this many steps.
const MAX_STEPS: usize = 6;
/// How many rules are compared with each other and with what was taken back, those of the first sessions: the newest.
const MAX_RULES: usize = 1_000;
/// How many texts are looked at that take something back.
const MAX_TAKEN_BACK: usize = 300;

/// One thing that was said and done.
struct Rule<'a> {
    /// What was said, all of it.
    text: &'a str,
    kind: Kind,
    steps: Vec<Key>,
    avoid: Option<Key>,
    told: Told,
    place: Place,
    /// What was done wrong.
    wrong: Option<usize>,
    /// Whether it was said so clearly that once is enough.
    is_explicit: bool,
    said: Option<String>,
    updated_ms: u64,
}

/// Every rule that was said clearly once, or twice at all.
pub(super) fn rules(view: &View<'_>) -> Vec<Finding> {
    let mut all: Vec<Rule<'_>> = Vec::new();
    let mut taken_back: Vec<Text<'_>> = Vec::new();
    let mut known: HashSet<&str> = HashSet::new();
    for (session_idx, notes) in view.notes.iter().enumerate() {
        for (prompt_idx, prompt) in notes.prompts.iter().enumerate() {
            if cue::takes_back(&prompt.text) {
                if taken_back.len() < MAX_TAKEN_BACK && known.insert(&prompt.text) {
                    taken_back.push(Text::new(&prompt.text));
                }
            } else if all.len() < MAX_RULES {
                let scene = Scene {
                    view,
                    session_idx,
                    notes,
                    prompt_idx,
                    prompt,
                    text: Text::new(&prompt.text),
                };
                all.extend(scene.rule());
            }
        }
    }
    all.retain(|rule| !is_taken_back(view, rule, &taken_back));
    without_contradictions(&mut all);
    merged(all)
}

/// Rules that say the same are one; those that were said once only stay if they were said clearly.
fn merged(all: Vec<Rule<'_>>) -> Vec<Finding> {
    let mut found: Vec<(Finding, bool)> = Vec::new();
    for rule in all {
        let known = found.iter_mut().find(|(known, _)| {
            let avoids_same = known.avoid.is_some() && known.avoid == rule.avoid;
            known.steps == rule.steps || (avoids_same && known.n_shared(&rule.steps) > 0)
        });
        match known {
            Some((known, is_explicit)) => {
                let mut places = known.places.iter();
                let is_new = !places.any(|place| place.session_idx == rule.place.session_idx);
                known.n_sessions += usize::from(is_new);
                known.n_validated = known.n_sessions;
                if known.steps == rule.steps {
                    known.places.push(rule.place);
                }
                known.said.extend(rule.said);
                known.avoid = known.avoid.or(rule.avoid);
                *is_explicit |= rule.is_explicit;
            }
            None => {
                let finding = Finding {
                    kind: rule.kind,
                    steps: rule.steps,
                    avoid: rule.avoid,
                    told: rule.told,
                    places: vec![rule.place],
                    n_sessions: 1,
                    n_validated: 1,
                    pitfalls: Vec::new(),
                    said: rule.said.into_iter().collect(),
                    taint: None,
                    is_cut: false,
                };
                found.push((finding, rule.is_explicit));
            }
        }
    }
    let stays = |(finding, is_explicit): (Finding, bool)| {
        (is_explicit || finding.n_sessions >= 2).then_some(finding)
    };
    found.into_iter().filter_map(stays).collect()
}

/// Of two rules that say the opposite the later one counts.
fn without_contradictions(all: &mut Vec<Rule<'_>>) {
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

/// Whether somebody took back what a rule says, in whatever session: they name what was done, or what it was set against.
fn is_taken_back(view: &View<'_>, rule: &Rule<'_>, taken_back: &[Text<'_>]) -> bool {
    let place = &rule.place;
    let done = place.deeds.iter().chain(&rule.wrong);
    let done: Vec<_> = done
        .filter_map(|idx| view.deed(place.session_idx, *idx))
        .collect();
    let is_name = |word: &&str| {
        let is_long = word.len() >= 6 && !word.starts_with('-');
        is_long && is_telling_word(word) && !habits::is_known(program_name(word))
    };
    let names: Vec<_> = cue::ascii_words(rule.text).filter(is_name).collect();
    taken_back.iter().any(|text| {
        let is_named = done.iter().any(|deed| named(text, deed).is_some());
        is_named || cue::ascii_words(text.written).any(|word| names.contains(&word))
    })
}

/// A prompt, and what was done around it.
struct Scene<'a> {
    view: &'a View<'a>,
    session_idx: usize,
    notes: &'a Notes,
    prompt_idx: usize,
    prompt: &'a Prompt,
    /// What the prompt says, taken apart.
    text: Text<'a>,
}

/// Something that was done, by its key and its place.
type Done = (Key, usize);

impl<'a> Scene<'a> {
    /// What the prompt says, if it was done afterwards.
    fn rule(&self) -> Option<Rule<'a>> {
        let text = self.prompt.text.as_str();
        let (corrects, contrasts) = (cue::corrects(text), cue::contrasts(text));
        let orders = cue::orders(text);
        if !corrects && !contrasts && !orders {
            return None;
        }
        let done = self.done_after();
        let before = self.before();
        let named = self.distinct(done.iter().copied().filter(|idx| self.is_named(*idx)));
        let lasts = cue::lasts(text);
        let is_order = orders && !self.has_edit(&named);
        let (kind, steps, avoid, is_explicit) = if named.len() >= 2 && is_order {
            let was_tried = named
                .iter()
                .skip(1)
                .any(|(key, _)| self.was_tried(*key, &before));
            (
                Kind::Order,
                named,
                None,
                lasts || corrects || insists(text) || was_tried,
            )
        } else if let (Some(then), true) = (self.tried(&named, &done, &before), is_order) {
            (
                Kind::Order,
                named.into_iter().chain([then]).collect(),
                None,
                true,
            )
        } else if named.is_empty() {
            let other = self.other_program(&done, &before, corrects && lasts);
            if other.is_none() && lasts && (corrects || contrasts) {
                return self.for_later(&before);
            }
            other?
        } else {
            let wrong = self.wrong(&named, &before);
            let was_done = named.iter().any(|(key, _)| self.was_done_before(*key));
            let is_clear =
                corrects && lasts || cue::is_strong(text) || contrasts && self.quotes_other(&named);
            let is_explicit = wrong.is_some() && (contrasts || corrects || !cue::goes_on(text))
                || is_clear && !was_done;
            if !corrects && !is_explicit {
                return None;
            }
            (
                Kind::Correction,
                self.up_to_first_command(named),
                wrong,
                is_explicit,
            )
        };
        let wrong = avoid;
        let avoid = wrong.and_then(|idx| self.key(idx));
        let last = steps.last().map_or(0, |(_, idx)| *idx);
        if self.notes.is_blamed(last) {
            return None;
        }
        if avoid.is_some_and(|avoid| self.goes_on(avoid)) || !self.belongs(&steps, avoid) {
            return None;
        }
        Some(Rule {
            text: &self.prompt.text,
            kind,
            avoid,
            told: self.told(&steps, wrong),
            wrong,
            is_explicit,
            said: said(self.prompt),
            updated_ms: self.notes.updated_ms,
            place: Place {
                session_idx: self.session_idx,
                deeds: steps.iter().map(|(_, idx)| *idx).collect(),
                prompt: Some(self.prompt_idx),
            },
            steps: steps.into_iter().map(|(key, _)| key).collect(),
        })
    }

    /// `Next time use a`: what was said here and done in another session.
    fn for_later(&self, before: &[usize]) -> Option<Rule<'a>> {
        let text = self.prompt.text.as_str();
        let places = self.view.named_in(text);
        let (session_idx, deed_idx) = places.into_iter().find(|(session_idx, deed_idx)| {
            let key = self.view.key(*session_idx, *deed_idx);
            let was_here = before.iter().any(|old| self.key(*old) == key);
            let notes = self.view.notes.get(*session_idx);
            let held = notes.is_some_and(|notes| !notes.is_blamed(*deed_idx));
            *session_idx != self.session_idx && !was_here && held
        })?;
        let key = self.view.key(session_idx, deed_idx)?;
        let wrong = self.wrong(&[], before);
        let avoid = wrong
            .and_then(|idx| self.key(idx))
            .filter(|avoid| *avoid != key);
        Some(Rule {
            text: &self.prompt.text,
            kind: Kind::Correction,
            steps: vec![key],
            avoid,
            told: match wrong {
                Some(wrong) if !self.is_named(wrong) => Told::AvoidedProgram,
                _ => Told::Commands,
            },
            wrong,
            is_explicit: true,
            said: said(self.prompt),
            updated_ms: self.notes.updated_ms,
            place: Place {
                session_idx,
                deeds: vec![deed_idx],
                prompt: None,
            },
        })
    }

    fn key(&self, deed_idx: usize) -> Option<Key> {
        self.view.key(self.session_idx, deed_idx)
    }

    fn deed(&self, deed_idx: usize) -> Option<&Deed> {
        self.notes.deeds.get(deed_idx)
    }

    fn program(&self, deed_idx: usize) -> Option<&str> {
        Some(self.deed(deed_idx)?.step()?.program())
    }

    /// What went well after the prompt, before the person had moved on.
    fn done_after(&self) -> Vec<usize> {
        let next = self.notes.prompts.get(self.prompt_idx + PROMPTS_AFTER);
        let end = next.map_or(self.notes.deeds.len(), |next| next.n_deeds);
        let is_good = |idx: &usize| {
            let deed = self.deed(*idx);
            deed.is_some_and(|deed| {
                let is_safe = !deed.is_reckless && !matches!(deed.source, Source::Stranger(_));
                deed.ended == Ended::Fine && is_safe
            })
        };
        (self.prompt.n_deeds..end).filter(is_good).collect()
    }

    /// What was done just before the prompt, the last first. What a stranger asked for is nothing that the person speaks of.
    fn before(&self) -> Vec<usize> {
        let start = self.prompt.n_deeds.saturating_sub(BEFORE);
        let is_ours = |idx: &usize| {
            let deed = self.deed(*idx);
            deed.is_some_and(|deed| !matches!(deed.source, Source::Stranger(_)))
        };
        (start..self.prompt.n_deeds).rev().filter(is_ours).collect()
    }

    fn is_named(&self, deed_idx: usize) -> bool {
        self.deed(deed_idx)
            .is_some_and(|deed| named(&self.text, deed).is_some())
    }

    fn distinct(&self, deeds: impl Iterator<Item = usize>) -> Vec<Done> {
        let mut steps: Vec<Done> = Vec::new();
        for idx in deeds {
            let Some(key) = self.key(idx) else {
                continue;
            };
            if !steps.iter().any(|(known, _)| *known == key) && steps.len() < MAX_STEPS {
                steps.push((key, idx));
            }
        }
        steps
    }

    /// What was done before and is named as what not to do.
    fn wrong(&self, steps: &[Done], before: &[usize]) -> Option<usize> {
        let is_other = |idx: &usize| !steps.iter().any(|(key, _)| self.key(*idx) == Some(*key));
        let uses_same = |idx: usize| {
            steps
                .iter()
                .any(|(_, step)| self.program(*step) == self.program(idx))
        };
        let by_program = |idx: &usize| {
            let step = self.deed(*idx).and_then(Deed::step);
            let is_said = step.is_some_and(|step| names_program(&self.prompt.text, step));
            is_said && !uses_same(*idx)
        };
        let others = || before.iter().copied().filter(is_other);
        let agrees = |idx: &usize| steps.iter().any(|(_, step)| self.agree(*idx, *step));
        others().find(|idx| self.is_named(*idx)).or_else(|| {
            let of_program = || others().filter(by_program);
            of_program().find(agrees).or_else(|| of_program().next())
        })
    }

    /// Whether two commands do the same with different programs.
    fn agree(&self, one: usize, other: usize) -> bool {
        let step = |idx: usize| self.deed(idx).and_then(Deed::step);
        let steps = step(one).zip(step(other));
        steps.is_some_and(|(one, other)| pair::agree(one, other))
    }

    /// How much is meant of what was done, and of what was done wrong: a program alone was named if nothing that was
    /// done with it is the same.
    fn told(&self, steps: &[Done], wrong: Option<usize>) -> Told {
        let agrees = |wrong: usize| steps.iter().any(|(_, step)| self.agree(wrong, *step));
        match wrong.filter(|wrong| !self.is_named(*wrong) && !agrees(*wrong)) {
            None => Told::Commands,
            Some(_) if steps.iter().any(|(_, step)| self.is_named(*step)) => Told::AvoidedProgram,
            Some(_) => Told::Programs,
        }
    }

    /// `You need to a first`: before what was tried, and worked once a was done.
    fn tried(&self, named: &[Done], done: &[usize], before: &[usize]) -> Option<Done> {
        let [(first, first_idx)] = named else {
            return None;
        };
        let again = done.iter().copied().filter(|idx| idx > first_idx);
        again.into_iter().find_map(|idx| {
            let key = self.key(idx).filter(|_| self.program(idx).is_some())?;
            let is_own = self.view.facts(key).is_some_and(|facts| facts.is_own);
            let was_tried = before.iter().any(|old| self.key(*old) == Some(key));
            (was_tried && is_own && key != *first).then_some((key, idx))
        })
    }

    /// `Use pnpm, not npm`: the program is what counts.
    fn other_program(
        &self,
        done: &[usize],
        before: &[usize],
        is_clear: bool,
    ) -> Option<(Kind, Vec<Done>, Option<usize>, bool)> {
        let words: Vec<_> = cue::ascii_words(&self.prompt.text).collect();
        // Who names single commands does not speak of programs.
        let is_command =
            |word: &&str| is_telling_word(word) && !habits::is_known(program_name(word));
        if words.iter().any(is_command) {
            return None;
        }
        let is_said = |idx: &usize| {
            let program = self.program(*idx).map(program_name);
            program.is_some_and(|program| words.iter().any(|word| program_name(word) == program))
        };
        let said = |deeds: &[usize]| deeds.iter().copied().filter(is_said).collect::<Vec<_>>();
        let (said_after, said_before) = (said(done), said(before));
        let pairs = || {
            let news = |old: usize| said_after.iter().map(move |new| (old, *new));
            let pairs = said_before.iter().flat_map(move |old| news(*old));
            pairs.filter(|(old, new)| self.program(*old) != self.program(*new))
        };
        let pair = pairs().find(|(old, new)| self.agree(*old, *new));
        let pair = pair.or_else(|| pairs().next());
        let is_new = |idx: &&usize| is_clear || !self.is_old_program(**idx);
        let (old, new) = match pair {
            Some((old, new)) => (Some(old), new),
            None => (None, *said_after.iter().find(is_new)?),
        };
        let step = self.deed(new).and_then(Deed::step)?;
        // The name of a program may be a word like any other; beside the name of another program it is none.
        if old.is_none() && !(is_clear && names_program(&self.prompt.text, step)) {
            return None;
        }
        Some((Kind::Correction, vec![(self.key(new)?, new)], old, true))
    }

    fn is_old_program(&self, deed_idx: usize) -> bool {
        let wanted = self.program(deed_idx);
        let start = self.prompt.n_deeds.saturating_sub(BEFORE);
        (start..self.prompt.n_deeds).any(|idx| self.program(idx) == wanted)
    }

    fn was_done_before(&self, key: Key) -> bool {
        (0..self.prompt.n_deeds).any(|idx| {
            let is_fine = self.deed(idx).is_some_and(|deed| deed.ended == Ended::Fine);
            is_fine && self.key(idx) == Some(key)
        })
    }

    /// Whether what is wrong is done all the same later on.
    fn goes_on(&self, avoid: Key) -> bool {
        (self.prompt.n_deeds..self.notes.deeds.len()).any(|idx| {
            let is_fine = self.deed(idx).is_some_and(|deed| deed.ended == Ended::Fine);
            is_fine && self.key(idx) == Some(avoid)
        })
    }

    /// Files to be changed, and the one command: what else a prompt asks for is the rest of the task.
    fn up_to_first_command(&self, mut steps: Vec<Done>) -> Vec<Done> {
        let first = steps
            .iter()
            .position(|(_, idx)| self.program(*idx).is_some());
        steps.truncate(first.map_or(steps.len(), |at| at + 1));
        steps
    }

    fn has_edit(&self, steps: &[Done]) -> bool {
        steps.iter().any(|(_, idx)| self.program(*idx).is_none())
    }

    /// Whether something was tried before the prompt, and did not go well.
    fn was_tried(&self, key: Key, before: &[usize]) -> bool {
        before.iter().any(|idx| {
            let is_fine = self
                .deed(*idx)
                .is_some_and(|deed| deed.ended == Ended::Fine);
            !is_fine && self.key(*idx) == Some(key)
        })
    }

    /// Whether the prompt sets another command in quotes than those that were done.
    fn quotes_other(&self, steps: &[Done]) -> bool {
        cue::quoted(&self.prompt.text).into_iter().any(|quote| {
            let is_command = quote.contains(' ') || quote.contains('/');
            let quoted = Text::new(quote);
            let is_done = |(_, idx): &Done| {
                self.deed(*idx)
                    .is_some_and(|deed| named(&quoted, deed).is_some())
            };
            is_command && quote.is_ascii() && !steps.iter().any(is_done)
        })
    }

    /// Whether a rule is about this project: what to run instead, or what nobody else has.
    fn belongs(&self, steps: &[Done], avoid: Option<Key>) -> bool {
        let is_common = |idx: usize| {
            self.program(idx)
                .is_some_and(|program| habits::is_common(program_name(program)))
        };
        let is_own = |key: Key| self.view.facts(key).is_some_and(|facts| facts.is_own);
        let only_edits = steps.iter().all(|(_, idx)| self.program(*idx).is_none());
        let is_about_choice = avoid.is_some() || cue::lasts(&self.prompt.text);
        !only_edits
            && !steps.iter().all(|(_, idx)| is_common(*idx))
            && (is_about_choice || steps.iter().any(|(key, _)| is_own(*key)))
    }
}

/// Where a text names what was done, if it does.
fn named(text: &Text<'_>, deed: &Deed) -> Option<usize> {
    match &deed.what {
        What::Ran(step) => text.mentions(step),
        What::Edited(path) => names_file(text.written, path),
    }
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
        "always",
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
