//! The learner on sessions that nobody wrote for it.

mod learned;

use analects_testkit::corpus::corpus;

use learned::{judged, lessons};

/// Seeds that were not looked at while the learner was written.
const SEEDS: [u64; 6] = [9001, 9002, 9003, 9004, 9005, 9006];

#[test]
fn what_was_planted_is_found_and_little_else() {
    let (mut n_found, mut n_planted, mut n_right, mut n_proposed) = (0, 0, 0, 0);
    for seed in SEEDS {
        let corpus = corpus(seed);
        let judgement = judged(&corpus, &lessons(&corpus));
        assert!(
            judgement.leaked.is_empty(),
            "{seed}: {:?}",
            judgement.leaked
        );
        assert!(
            judgement.poisoned.is_empty(),
            "{seed}: {:?}",
            judgement.poisoned
        );
        n_found += judgement.n_found;
        n_planted += judgement.n_planted;
        n_right += judgement.n_right;
        n_proposed += judgement.n_proposed;
    }
    assert!(
        n_planted >= 20 && n_proposed >= 20,
        "{n_planted} {n_proposed}"
    );
    assert!(
        n_found * 10 >= n_planted * 8,
        "found {n_found} of {n_planted}"
    );
    assert!(
        n_right * 10 >= n_proposed * 9,
        "right {n_right} of {n_proposed}"
    );
}
