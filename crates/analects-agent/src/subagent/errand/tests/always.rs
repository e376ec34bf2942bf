//! What holds whatever a model says, a person does and a clock shows.

use proptest::prelude::*;

use super::*;

/// What happens at one point of the way.
#[derive(Debug, Clone)]
struct Turn {
    pieces: Vec<Piece>,
    fate: Fate,
    ms: u64,
    waited_ms: u64,
    n_words: usize,
}

#[derive(Debug, Clone, Copy)]
enum Fate {
    Fine,
    Failed,
    TooLarge,
    Cancelled,
}

fn piece() -> impl Strategy<Value = Piece> {
    let result = prop_oneof![
        Just(json!({ "result": "Done." })),
        Just(json!({ "result": "" })),
        Just(json!({ "result": [1] })),
        Just(json!({})),
        Just(json!("Done.")),
        Just(Value::Null),
    ];
    prop_oneof![
        3 => "[a-z][a-z ]{0,39}".prop_map(|text| say::text(&text)),
        1 => Just(say::text(&"no end of words ".repeat(3_000))),
        6 => ("[ab]?", 0..4_u8).prop_map(|(id, n)| say::call(&id, "read_file", json!({ "n": n }))),
        1 => Just(say::call_without_id("write_file", json!({ "content": "line\n".repeat(4_000) }))),
        2 => ("[ab]?", result).prop_map(|(id, args)| say::call(&id, COMPLETE, args)),
    ]
}

fn turn() -> impl Strategy<Value = Turn> {
    let fate = prop_oneof![
        30 => Just(Fate::Fine),
        1 => Just(Fate::Failed),
        2 => Just(Fate::TooLarge),
        2 => Just(Fate::Cancelled),
    ];
    let ms = prop_oneof![40 => 0..200_u64, 1 => Just(100_000), 1 => Just(u64::MAX)];
    let waited_ms = prop_oneof![10 => Just(0), 1 => 0..5_000_u64, 1 => Just(u64::MAX)];
    let pieces = prop::collection::vec(piece(), 1..4);
    (pieces, fate, ms, waited_ms, 0..2_000_usize).prop_map(
        |(pieces, fate, ms, waited_ms, n_words)| Turn {
            pieces,
            fate,
            ms,
            waited_ms,
            n_words,
        },
    )
}

fn steps(driver: &mut Driver, next: Next, turn: &Turn) -> Next {
    driver.now_ms = driver.now_ms.saturating_add(turn.ms);
    driver.errand.waited(turn.waited_ms);
    match (next, turn.fate) {
        (Next::Ask, Fate::Fine) => driver.answer(&turn.pieces),
        (Next::Ask, Fate::Failed) => driver.step(Event::Unanswered(Unanswered::Failed)),
        (Next::Ask, Fate::TooLarge) => driver.step(Event::Unanswered(Unanswered::TooLarge)),
        (Next::Run(calls), Fate::TooLarge) => driver.run(&calls[calls.len() / 2..], "seen"),
        (Next::Run(calls), Fate::Fine | Fate::Failed) => {
            let is_ours = calls.iter().any(|call| call.name == COMPLETE);
            assert!(!is_ours, "{calls:?}");
            driver.run(&calls, &"word ".repeat(turn.n_words))
        }
        (_, Fate::Cancelled) => driver.step(Event::Cancelled),
        (next, _) => panic!("{next:?}"),
    }
}

/// Every call in the history has its response right behind it; those of a compressed past are gone with it.
fn open_calls(history: &[Content]) -> usize {
    let ids = |turn: &Content| -> Vec<_> {
        turn.responses()
            .filter_map(|response| response.id.clone())
            .collect()
    };
    let nothing = Content::text("", Role::User, "");
    let behind = history.iter().skip(1).chain(std::iter::once(&nothing));
    let pairs = history.iter().zip(behind);
    pairs
        .map(|(turn, behind)| {
            let answered = ids(behind);
            turn.calls()
                .filter(|call| !call.id.as_ref().is_some_and(|id| answered.contains(id)))
                .count()
        })
        .sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// It ends, within its requests, with a valid history in which every call is answered.
    #[test]
    fn it_ends_within_its_limits_whatever_happens(
        turns in prop::collection::vec(turn(), 1..24),
        max_turns in 0..12_usize,
        max_ms in prop_oneof![1 => Just(0), 4 => 100..3_000_u64, 8 => Just(u64::MAX)],
        window_tokens in 3_000..40_000_usize,
    ) {
        let limits = Limits { max_turns, max_ms };
        let mut driver = Driver::with(limits, window_tokens, Output::usual());
        let mut next = driver.begin();
        let mut n_steps = 0;
        for turn in turns.iter().cycle() {
            if matches!(next, Next::End(_)) {
                break;
            }
            n_steps += 1;
            prop_assert!(n_steps <= 2 * (max_turns + 1) + 1, "{:?}", driver.way);
            next = steps(&mut driver, next, turn);
        }
        prop_assert!(!matches!(next, Next::End(End::OutOfStep)), "{:?}", driver.way);
        prop_assert!(driver.n_asked <= max_turns + 1, "{:?}", driver.way);
        let finished = driver.finished();
        prop_assert_eq!(finished.n_turns, driver.n_asked);
        prop_assert_eq!(finished.result.is_some(), finished.reason == Reason::Goal);
        let history = driver.errand.dialogue().history();
        prop_assert_eq!(open_calls(history), 0, "{:?}", driver.way);
        for wire in [Wire::Gemini, Wire::OpenAi, Wire::Anthropic] {
            prop_assert_eq!(faults(&driver.errand.dialogue().request(wire)), []);
        }
        let recorded = driver.recorded.iter().filter(|answered| answered.result.is_ok());
        prop_assert_eq!(recorded.count(), usize::from(finished.reason == Reason::Goal));
    }
}
