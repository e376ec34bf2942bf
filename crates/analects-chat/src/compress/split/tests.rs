//! Where histories are cut.

use analects_world::model::Part;
use serde_json::json;

use super::*;
use crate::sketch;

/// One turn a letter: a request, an answer, a call, its response. Each letter turn has the same length.
fn history(letters: &str) -> Vec<Content> {
    let mut n_calls = 0;
    let lines = letters.chars().map(|letter| match letter {
        'C' => {
            n_calls += 1;
            format!("M ?{n_calls} ls\n")
        }
        'R' => format!("U !{n_calls} ls {}\n", "x".repeat(60)),
        letter => format!("{letter} {}\n", "x".repeat(80)),
    });
    sketch::history(&lines.collect::<String>())
}

#[test]
fn the_vectors_of_the_original() {
    for (letters, expected) in [
        ("", 0),
        ("U", 0),
        ("M", 1),
        ("UMUMU", 4),
        ("UMUMUM", 6),
        ("UUCRCRCRM", 9),
        ("UUCRCRCRC", 1),
        ("UMUCRCR", 2),
    ] {
        for profile in [Profile::Seed, Profile::Head] {
            assert_eq!(
                split_point(&history(letters), 0.7, profile),
                expected,
                "{letters}"
            );
        }
    }
}

#[test]
fn a_share_that_is_none_lets_nothing_go() {
    for profile in [Profile::Analects, Profile::Seed, Profile::Head] {
        for fraction in [0.0, 1.0, -1.0, 2.0, f64::NAN] {
            assert_eq!(split_point(&history("UMUM"), fraction, profile), 0);
        }
    }
}

/// Where a tail of this many turns, rather less than more, begins.
fn check(letters: &str, n_turns: usize, expected: usize) {
    let history = history(letters);
    let newest = history.get(history.len() - n_turns..).unwrap();
    let tail_tokens = weigh::history(newest, Profile::Analects);
    assert_eq!(
        split_for_tail(&history, tail_tokens),
        expected,
        "{letters} {n_turns}"
    );
}

#[test]
fn a_small_history_is_not_cut() {
    check("", 0, 0);
    check("UMUM", 4, 0);
    check("M", 0, 0);
}

#[test]
fn the_oldest_cut_that_fits_is_taken() {
    check("UMUMUMUM", 4, 4);
    check("UMUMUMUM", 3, 6);
    check("UMUMUMU", 5, 2);
}

#[test]
fn a_run_of_tools_is_cut_between_its_steps() {
    check("UCRCRCRCR", 4, 5);
    check("UCRCRCRCR", 5, 5);
    check("UCRCRCRCRM", 5, 5);
    check("UUCRCRCRC", 3, 6);
}

#[test]
fn a_request_is_preferred_to_a_step_if_the_tail_is_long_enough() {
    // The request has six of eight turns behind it; as the only two of eight it is too little.
    check("UCRCRCRUMUMUM", 8, 7);
    check("UCRCRCRCRCRUM", 8, 5);
}

#[test]
fn the_last_exchange_stays_however_long_it_is() {
    check("UMUM", 0, 2);
    check("UMU", 0, 2);
    check("UMUCRCRCR", 0, 7);
    check("UMUCRCRCRM", 0, 7);
    check("UMUCRCRCRC", 0, 7);
    check("UMUCR", 0, 2);
    check("UMUC", 0, 2);
    check("CRCR", 0, 2);
}

#[test]
fn one_exchange_that_is_over_goes_if_nothing_else_can() {
    let check = |letters: &str, n_turns: usize, expected: usize| {
        let history = history(letters);
        let newest = history.get(history.len() - n_turns..).unwrap();
        let tail_tokens = weigh::history(newest, Profile::Analects);
        let cut = split_within_exchange(&history, tail_tokens);
        assert_eq!(cut, expected, "{letters} {n_turns}");
    };
    check("UCRM", 1, 3);
    check("UCRM", 0, 4);
    check("UM", 1, 2);
    check("UMUM", 0, 2);
    // It is not over.
    check("UCR", 1, 0);
    check("U", 0, 0);
    let long = "x".repeat(9000);
    let talk = sketch::history(&format!("U a\nM b\nU c\nM ?1 ls\nU !1 ls {long}\nM d\n"));
    assert_eq!(split_for_tail(&talk, 100), 2);
    assert_eq!(split_within_exchange(&talk, 100), 5);
}

#[test]
fn calls_that_wait_stay_with_what_follows() {
    check("UMUCU", 1, 2);
    check("UMUCUM", 2, 2);
}

#[test]
fn a_late_response_stays_with_its_call() {
    let mut talk = history("UMUMUM");
    talk[1].parts.push(Part::call("9", "ls", json!({})));
    talk[4].parts.push(Part::response("9", "ls", json!({})));
    assert_eq!(split_for_tail(&talk, 1), 0);
}
