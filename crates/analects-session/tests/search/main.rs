//! How well search finds what was said in other words, beside plain FTS5 in the same run.
#![expect(
    clippy::print_stdout,
    reason = "the figures are what this is for: shown by `cargo test --test search -- --nocapture`"
)]

mod contest;
mod corpus;

/// The smallest advantage over FTS5 with Porter stems that we promise.
const LEAST_ADVANTAGE: f64 = 0.08;

#[test]
fn questions_in_other_words_find_their_evidence_more_often_than_with_fts5() {
    let tallies = contest::contest(800, |part, question, prompt| {
        // What is held out is not looked at.
        if part == "tuned on" {
            println!("missed: {question} ← {prompt}");
        }
    });
    println!("{}", contest::table(&tallies));
    assert!(tallies["1 all"].n_asked >= 200);
    for about in [
        "1 all",
        "2 held out",
        "3 english",
        "3 chinese",
        "4 english, held out",
    ] {
        let tally = tallies[about];
        let (ours, theirs) = (tally.recall(tally.ours), tally.recall(tally.porter));
        assert!(
            ours >= theirs + LEAST_ADVANTAGE,
            "{about}: {ours:.3}, FTS5 {theirs:.3}"
        );
    }
}
