//! What was said: the user's sentences, and the model's.

use analects_world::model::{Content, Role};

use super::super::super::earlier::is_acknowledgement;
use super::super::cues::{Cue, cue, is_question};
use super::super::item::{Class, Item};
use super::super::sentences::sentences;
use super::{Quoted, Reading, Section, asked, ends, line, quoted};

/// A sentence of a request longer than this was pasted.
const SENTENCE_BYTES: usize = 900;
/// What comes after this many sentences of one request was pasted, most likely.
const TYPED_SENTENCES: usize = 40;
/// How many sentences of the first request tell what it is all about.
const FIRST_SENTENCES: usize = 3;
/// What a sentence must tell at least: of the user, as a rule of the user's, of what was pasted, of the model. Idle talk that is
/// kept once would look like news the next time, when all the talk like it is gone.
const MIN_TYPED: f32 = 2.0;
const MIN_RULE: f32 = 0.7;
const MIN_PASTED: f32 = 1.2;
const MIN_SAID: f32 = 3.4;

pub(super) fn spoken(reading: &Reading<'_>, items: &mut Vec<Item>) {
    let goals = goals(reading);
    for (turn, content) in reading.history.iter().enumerate() {
        match content.role {
            Role::User => request(reading, turn, &goals, items),
            Role::Model if is_acknowledgement(reading.history, turn) => {}
            Role::Model => answer(reading, turn, content, items),
        }
    }
}

/// What the first request and the newest are about: where they begin, apart from rules and steps.
fn goals(reading: &Reading<'_>) -> Vec<(usize, usize)> {
    let turns = 0..reading.history.len();
    let mut requests = turns.filter(|turn| asked(reading, *turn).next().is_some());
    let first = requests.next().map(|turn| (turn, FIRST_SENTENCES));
    let last = requests.next_back().map(|turn| (turn, 1));
    let mut found = Vec::new();
    for (turn, n_sentences) in first.into_iter().chain(last) {
        let all = asked(reading, turn)
            .flat_map(ends)
            .flat_map(sentences)
            .enumerate();
        let plain = all.filter(|(_, it)| cue(it) == Cue::None && it.len() <= SENTENCE_BYTES);
        found.extend(plain.take(n_sentences).map(|(nth, _)| (turn, nth)));
    }
    found
}

fn request(reading: &Reading<'_>, turn: usize, goals: &[(usize, usize)], items: &mut Vec<Item>) {
    let lines = asked(reading, turn).flat_map(quoted);
    let all = lines.flat_map(|(line, how)| pieces(line, how).map(move |it| (it, how)));
    for (nth, (sentence, how)) in all.enumerate() {
        let at = (turn, nth);
        if goals.contains(&at) {
            items.push(Item {
                section: Section::Goal,
                class: Class::Goal,
                text: line(sentence, SENTENCE_BYTES),
                at,
                value: 8.0,
            });
            continue;
        }
        let (news, cue) = reading.worth(sentence);
        let is_long = nth >= TYPED_SENTENCES || sentence.len() > SENTENCE_BYTES;
        let is_pasted = is_long || how == Quoted::Pasted;
        // What was asked was answered; what was said still holds.
        let news = if is_question(sentence) {
            0.5 * news
        } else {
            news
        };
        let (class, value, least) = match is_pasted {
            true => (
                Class::Output,
                0.8 * news * reading.among_alike(sentence, 0.75),
                MIN_PASTED,
            ),
            false => (Class::User, news, MIN_TYPED),
        };
        // A rule is a rule, however often its like was said.
        let is_rule = cue == Cue::Constraint && !is_pasted && value >= MIN_RULE;
        if value < least && !is_rule && !reading.is_asked_for(sentence) {
            continue;
        }
        let section = match cue {
            Cue::Constraint if !is_pasted => Section::Constraints,
            Cue::Plan if !is_pasted => Section::Plan,
            _ => Section::Knowledge,
        };
        items.push(Item {
            section,
            class,
            text: line(sentence, SENTENCE_BYTES),
            at,
            value,
        });
    }
}

/// What a line is taken apart into: a sentence that was typed stands for itself, a line that was pasted does.
fn pieces(line: &str, how: Quoted) -> impl Iterator<Item = &str> {
    let (typed, pasted) = match how {
        Quoted::Typed => (line, None),
        Quoted::Pasted => ("", Some(line)),
    };
    sentences(typed).chain(pasted.filter(|line| !line.is_empty()))
}

fn answer(reading: &Reading<'_>, turn: usize, content: &Content, items: &mut Vec<Item>) {
    let all = content.texts().flat_map(ends).flat_map(sentences);
    for (nth, sentence) in all.enumerate() {
        let (news, cue) = reading.worth(sentence);
        let is_idle = news < MIN_SAID && !reading.is_asked_for(sentence);
        if is_idle || sentence.len() > SENTENCE_BYTES {
            continue;
        }
        let section = match cue {
            Cue::Plan => Section::Plan,
            _ => Section::Knowledge,
        };
        items.push(Item {
            section,
            class: Class::Prose,
            text: line(sentence, SENTENCE_BYTES),
            at: (turn, nth),
            value: news,
        });
    }
}
