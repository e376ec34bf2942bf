//! The judge judged: sessions are what they are said to be, and the score tells good from bad.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use analects_chat::audit::audit;
use analects_chat::weigh;
use analects_world::Profile;
use analects_world::model::{Body, Content, Role};

use super::fact::{Fact, Kind, Language, Place};
use super::frames;
use super::score::{Text, grown, is_in, n_facts, threshold};
use super::session::Session;
use super::*;

/// Some of the seeds that count and some that are open, of every dialect.
const SEEDS: [u64; 6] = [1, 2, 3, 1_001, 1_002, 1_003];
/// All of them; only small sessions are made for each.
const ALL_SEEDS: [RangeInclusive<u64>; 2] = [1..=8, 1_001..=1_016];

fn cases() -> impl Iterator<Item = (usize, u64)> {
    let small = ALL_SEEDS.into_iter().flatten().map(|seed| (8_192, seed));
    let middle = SEEDS.into_iter().map(|seed| (128_000, seed));
    let large = [(1_048_576, 1_001), (1_048_576, 1_003)];
    small.chain(middle).chain(large)
}

#[test]
fn a_seed_always_makes_the_same_session_and_another_one_another() {
    let (one, same, other) = (grown(1, 8_192), grown(1, 8_192), grown(2, 8_192));
    assert_eq!(one.history, same.history);
    assert_eq!(one.facts, same.facts);
    assert_ne!(one.history, other.history);
}

#[test]
fn a_session_passes_the_threshold_and_not_by_much() {
    for (window, seed) in cases() {
        let n_tokens = weigh::history(&grown(seed, window).history, Profile::Analects);
        let threshold = threshold(window);
        assert!(
            (threshold..threshold * 5 / 4).contains(&n_tokens),
            "{window} {seed}: {n_tokens}"
        );
    }
}

#[test]
fn every_voice_has_its_share() {
    for (window, seed) in cases() {
        let said = grown(seed, window).said;
        let per_mille = |n: usize| n * 1000 / said.all();
        let shares = [said.user, said.prose, said.calls, said.outputs].map(per_mille);
        let bands = [30..=80, 40..=130, 20..=150, 750..=850];
        for (share, band) in shares.iter().zip(&bands) {
            assert!(band.contains(share), "{window} {seed}: {shares:?}");
        }
    }
}

#[test]
fn facts_are_as_many_as_people_tell_and_spread_evenly() {
    for (window, n) in [(8_192, 12), (128_000, 120), (1_048_576, 250)] {
        let facts = grown(5, window).facts;
        assert_eq!(facts.len(), n);
        let per_cent = |is: &dyn Fn(&Fact) -> bool| {
            facts.iter().filter(|fact| is(fact)).count() * 100 / facts.len()
        };
        for (place, share) in [(Place::User, 60), (Place::Tool, 30), (Place::Model, 10)] {
            let found = per_cent(&|fact| fact.place == place);
            assert!(found.abs_diff(share) <= 5, "{window} {place:?}: {found}");
        }
        for kind in Kind::ALL {
            let found = per_cent(&|fact| fact.kind == kind);
            assert!(found.abs_diff(25) <= 10, "{window} {kind:?}: {found}");
        }
        let chinese = per_cent(&|fact| fact.language == Language::Chinese);
        assert!(chinese.abs_diff(50) <= 18, "{window}: {chinese}");
    }
}

#[test]
fn facts_are_told_in_many_ways() {
    for language in Language::ALL {
        let all = Kind::ALL.map(|kind| frames::of_facts(kind, language, Place::User).len());
        assert!(all.iter().sum::<usize>() >= 30);
    }
}

#[test]
fn a_fact_stands_where_it_was_planted_and_nowhere_else() {
    for (window, seed) in cases() {
        check_places(&grown(seed, window));
    }
}

#[test]
fn a_session_that_goes_on_does_not_repeat_a_fact_by_chance() {
    for (window, seed) in [(8_192, 1_004), (128_000, 1_005)] {
        let mut session = grown(seed, window);
        for stage in [2, 3] {
            session.grow(threshold(window), n_facts(threshold(window)));
            assert!(session.facts.iter().any(|fact| fact.stage == stage));
        }
        check_places(&session);
    }
}

fn check_places(session: &Session) {
    let texts: Vec<_> = session.history.iter().map(text).collect();
    for fact in &session.facts {
        check_place(fact, &session.history, &texts);
    }
}

fn text(content: &Content) -> Text {
    let mut text = Text::default();
    text.add_content(content);
    text
}

fn check_place(fact: &Fact, history: &[Content], texts: &[Text]) {
    let planted = history.iter().position(|turn| turn.id == fact.turn);
    let planted = planted.expect("the turn of a fact is there");
    for probe in &fact.probes {
        let found: Vec<_> = (0..texts.len())
            .filter(|&at| texts[at].has(probe))
            .collect();
        let is_allowed = |at: &usize| match fact.place {
            Place::User | Place::Model => *at == planted,
            Place::Tool => *at == planted || *at == planted + 1,
        };
        let is_right = match fact.is_echoed {
            true => found.iter().all(|at| *at >= planted),
            false => found.iter().all(is_allowed),
        };
        assert!(
            !found.is_empty() && is_right,
            "{fact:?}: {probe} in {found:?}"
        );
    }
    let turn = &history[planted];
    let is_said = turn.texts().any(|text| text.contains(&fact.probes[0]));
    let is_right = match fact.place {
        Place::User => turn.role == Role::User && is_said,
        Place::Model => turn.role == Role::Model && is_said,
        Place::Tool => turn.role == Role::Model && !is_said,
    };
    assert!(is_right, "{fact:?}");
}

#[test]
fn no_two_facts_are_known_by_the_same() {
    let session = grown(7, 1_048_576);
    let mut seen = HashSet::new();
    for probe in session.facts.iter().flat_map(|fact| &fact.probes) {
        assert!(probe.chars().count() >= 4, "{probe}");
        assert!(seen.insert(probe), "{probe}");
    }
}

#[test]
fn some_facts_are_known_by_plain_words_alone() {
    let facts = grown(4, 128_000).facts;
    let is_plain = |probe: &String| {
        let mut words = probe.split(' ');
        words.clone().count() == 2 && words.all(|word| word.chars().all(|c| c.is_ascii_lowercase()))
    };
    let n_plain = facts
        .iter()
        .filter(|fact| fact.probes.iter().any(is_plain))
        .count();
    assert!(n_plain >= 10, "{n_plain}");
}

#[test]
fn calls_and_answers_are_paired_and_roles_take_turns() {
    let history = grown(1_003, 128_000).history;
    for pair in history.windows(2) {
        assert_ne!(pair[0].role, pair[1].role);
        let calls: Vec<_> = pair[0].calls().map(|call| &call.id).collect();
        let answers: Vec<_> = pair[1].responses().map(|answer| &answer.id).collect();
        assert_eq!(calls, answers);
    }
    let is_other = |content: &Content| {
        (content.parts.iter()).any(|part| matches!(part.body, Body::Media(_) | Body::Other))
    };
    assert!(!history.iter().any(is_other));
}

fn mean(subject: Subject, trial: Trial) -> f64 {
    let row = Row {
        trial,
        outcomes: on_all(trial, &SEEDS, subject.squeeze()),
    };
    row.spread(|outcome| outcome.share(|_| true)).unwrap().mean
}

#[test]
fn who_keeps_everything_scores_everything_and_who_keeps_the_newest_little() {
    for window_tokens in [8_192, 128_000] {
        for depth in DEPTHS {
            let trial = Trial {
                window_tokens,
                depth,
                helper: Helper::Nobody,
            };
            assert!((mean(Subject::Everything, trial) - 1.0).abs() < f64::EPSILON);
            let newest = mean(Subject::Newest, trial);
            assert!(newest < 0.4, "{window_tokens} {depth}: {newest}");
        }
    }
}

#[test]
fn models_tell_what_they_do_not_forget_and_only_what_they_were_shown() {
    let session = grown(6, 128_000);
    let told = |helper: Helper, shown: &[Content]| {
        let answers = helper.answers(6, &session.facts).unwrap();
        let mut text = Text::default();
        text.add(&answers("", shown));
        let told = session.facts.iter().filter(|fact| is_in(fact, &text));
        told.count() * 100 / session.facts.len()
    };
    assert!((60..=80).contains(&told(Helper::Good, &session.history)));
    assert!((40..=60).contains(&told(Helper::Careless, &session.history)));
    assert_eq!(told(Helper::Broken, &session.history), 0);
    assert_eq!(told(Helper::Good, &[]), 0);
}

#[test]
fn the_audit_knows_planted_files_and_errors_too() {
    for seed in SEEDS {
        let session = grown(seed, 128_000);
        let audit = audit(&session.history, &session.history);
        for tally in [
            &audit.paths,
            &audit.commands,
            &audit.errors,
            &audit.imperatives,
        ] {
            assert!(
                tally.lost.is_empty() && tally.survived.len() > 5,
                "{tally:?}"
            );
        }
        let of_tools = session
            .facts
            .iter()
            .filter(|fact| fact.place == Place::Tool);
        for fact in of_tools {
            let is_error = !fact.is_echoed && !fact.said.starts_with("ran ");
            let known = match fact.kind {
                Kind::Artifact => &audit.paths.survived,
                Kind::Continuation if is_error => &audit.errors.survived,
                Kind::Continuation | Kind::Recall | Kind::Decision => continue,
            };
            let is_known = known.iter().any(|known| known.contains(&fact.probes[0]));
            assert!(is_known, "{fact:?}");
        }
    }
}

#[test]
fn what_we_ship_keeps_nearly_everything_at_a_seventh_of_the_size() {
    for (depth, least) in [(1, 0.95), (3, 0.9)] {
        for helper in [Helper::Nobody, Helper::Good] {
            let trial = Trial {
                window_tokens: 128_000,
                depth,
                helper,
            };
            let outcomes = on_all(trial, &SEEDS, Subject::Ours.squeeze());
            let sizes = outcomes.iter().flat_map(|outcome| &outcome.sizes);
            assert!({ sizes }.all(|size| *size <= 0.15));
            let kept = mean(Subject::Ours, trial);
            assert!(kept >= least, "{depth}: {kept}");
        }
    }
}
