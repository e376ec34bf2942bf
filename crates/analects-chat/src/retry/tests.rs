//! Every fault, and what is done about it.

use std::fmt::Write as _;

use expect_test::expect;
use proptest::prelude::*;

use super::*;

fn unusable() -> [Unusable; 9] {
    [
        Unusable::Unfinished,
        Unusable::Empty,
        Unusable::ThoughtOnly,
        Unusable::BadCall(String::new()),
        Unusable::Length,
        Unusable::Blocked(String::new()),
        Unusable::Recitation,
        Unusable::Other(String::new()),
        Unusable::TooLong,
    ]
}

/// What is done about the same failure again and again, until it is given up.
fn course(why: Why<'_>, n_fallbacks: u32) -> String {
    let options = RetryOptions {
        n_fallbacks,
        ..RetryOptions::TALK
    };
    let mut retry = Retry::new(options, 0);
    let mut course = Vec::new();
    loop {
        let next = retry.failed(why, 0, 0.0);
        course.push(match next {
            Next::Wait { ms } => ms.to_string(),
            Next::Fallback(because) => format!("other model: {because}"),
            Next::GiveUp(because) => format!("end: {because}"),
        });
        if matches!(next, Next::GiveUp(_)) {
            return course.join(", ");
        }
    }
}

#[test]
fn every_fault_has_its_course() {
    let mut table = String::new();
    let mut row = |name: &str, why: Why<'_>| {
        writeln!(table, "{name}: {}", course(why, 0)).unwrap();
        let with_another = course(why, 1);
        if with_another != course(why, 0) {
            writeln!(table, "  with another model: {with_another}").unwrap();
        }
    };
    for kind in Kind::ALL {
        row(kind.as_str(), Why::Fault(&Fault::new(kind, "")));
    }
    for unusable in &unusable() {
        row(unusable.as_str(), Why::Unusable(unusable));
    }
    expect![[r"
        cancelled: end: asking again would not help
        unreachable: 1000, 2000, 4000, end: it failed 4 times
        timed_out: 1000, 2000, 4000, end: it failed 4 times
        cut: 1000, 2000, 4000, end: it failed 4 times
        garbled: 1000, 2000, 4000, end: it failed 4 times
        too_long: end: asking again would not help
        redirected: end: asking again would not help
        key: end: asking again would not help
        no_such_model: end: asking again would not help
        too_large: end: asking again would not help
        quota: end: nothing is left of its quota
          with another model: other model: nothing is left of its quota, end: nothing is left of its quota
        busy: 1000, 2000, 4000, end: it failed 4 times
          with another model: 1000, other model: it is busy, 1000, 2000, 4000, end: it failed 4 times
        broken: 1000, 2000, 4000, end: it failed 4 times
          with another model: 1000, 2000, 4000, other model: it failed 4 times, 1000, 2000, 4000, end: it failed 4 times
        refused: end: asking again would not help
        unfinished: 1000, 2000, 4000, end: it failed 4 times
        empty: 1000, 2000, 4000, end: it failed 4 times
        thought_only: 1000, 2000, 4000, end: it failed 4 times
        bad_call: 1000, 2000, 4000, end: it failed 4 times
        length: 1000, 2000, 4000, end: it failed 4 times
        blocked: 1000, 2000, 4000, end: it failed 4 times
        recitation: 1000, 2000, 4000, end: it failed 4 times
        other: 1000, 2000, 4000, end: it failed 4 times
        too_long: end: asking again would not help
    "]]
    .assert_eq(&table);
}

fn busy(retry_after_ms: u64) -> Fault {
    Fault {
        retry_after_ms: Some(retry_after_ms),
        ..Fault::new(Kind::Busy, "")
    }
}

#[test]
fn a_server_is_left_alone_for_as_long_as_it_asks() {
    let options = RetryOptions {
        whole_ms: 100_000,
        ..RetryOptions::TALK
    };
    let first = |fault: &Fault, now_ms, n_fallbacks| {
        let options = RetryOptions {
            n_fallbacks,
            ..options
        };
        Retry::new(options, 50).failed(Why::Fault(fault), now_ms, 0.0)
    };
    assert_eq!(first(&busy(45_000), 50, 0), Next::Wait { ms: 45_000 });
    assert_eq!(first(&busy(3), 50, 0), Next::Wait { ms: 1_000 });
    let too_long = |ms| Because::AsksTooLong { ms };
    assert_eq!(
        first(&busy(100_000), 50, 0),
        Next::GiveUp(too_long(100_000))
    );
    assert_eq!(
        first(&busy(45_000), 60_000, 0),
        Next::GiveUp(too_long(45_000))
    );
    assert_eq!(
        first(&busy(u64::MAX), 50, 1),
        Next::Fallback(too_long(u64::MAX))
    );
    assert_eq!(too_long(61_001).to_string(), "the server asks to wait 62 s");
    // A lost connection says nothing about the model, and the time is over for every model.
    let cut = Fault::new(Kind::Cut, "");
    assert_eq!(first(&cut, 99_500, 1), Next::GiveUp(Because::Deadline));
    let broken = Fault::new(Kind::Broken, "");
    assert_eq!(first(&broken, 99_500, 1), Next::GiveUp(Because::Deadline));
}

#[test]
fn chance_makes_a_wait_longer_and_never_too_long() {
    let fault = Fault::new(Kind::Broken, "");
    let wait = |dice| {
        let options = RetryOptions {
            max_wait_ms: 2_100,
            ..RetryOptions::TALK
        };
        let mut retry = Retry::new(options, 0);
        [(); 2].map(|()| retry.failed(Why::Fault(&fault), 0, dice))
    };
    let waits = |a, b| [Next::Wait { ms: a }, Next::Wait { ms: b }];
    assert_eq!(wait(0.5), waits(1_125, 2_100));
    assert_eq!(wait(1e300), waits(1_250, 2_100));
    for nonsense in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(wait(nonsense), waits(1_000, 2_000));
    }
}

#[test]
fn a_clock_that_is_set_back_gives_no_time() {
    let retry = Retry::new(RetryOptions::TALK, 10_000_000);
    assert_eq!(retry.left_ms(0), RetryOptions::TALK.whole_ms);
    assert_eq!(retry.left_ms(u64::MAX), 0);
}

fn any_options() -> impl Strategy<Value = RetryOptions> {
    let big = prop_oneof![0_u64..100_000, Just(u64::MAX)];
    (0_u32..9, big.clone(), big.clone(), big, 0_u32..4, 0_u32..4).prop_map(
        |(max_attempts, base_ms, max_wait_ms, whole_ms, max_busy, n_fallbacks)| RetryOptions {
            max_attempts,
            base_ms,
            max_wait_ms,
            whole_ms,
            max_busy,
            n_fallbacks,
        },
    )
}

proptest! {
    #[test]
    fn it_ends_in_time(
        options in any_options(),
        start_ms in prop_oneof![0_u64..1_000, Just(u64::MAX)],
        steps in prop::collection::vec((0_usize..23, 0_u64..5_000, any::<f64>(), prop::option::of(any::<u64>())), 60),
    ) {
        let mut retry = Retry::new(options, start_ms);
        let (mut now_ms, mut waited_ms, mut n_attempts) = (start_ms, 0_u64, 0);
        for (fault, took_ms, dice, retry_after_ms) in steps {
            n_attempts += 1;
            now_ms = now_ms.saturating_add(took_ms);
            let unusable = unusable();
            let kind = Kind::ALL.get(fault).copied().unwrap_or(Kind::Busy);
            let faulty = Fault { retry_after_ms, ..Fault::new(kind, "") };
            let why = match fault.checked_sub(Kind::ALL.len()) {
                Some(at) => Why::Unusable(&unusable[at]),
                None => Why::Fault(&faulty),
            };
            let left_ms = retry.left_ms(now_ms);
            match retry.failed(why, now_ms, dice) {
                Next::Wait { ms } => {
                    prop_assert!(ms < left_ms);
                    waited_ms = waited_ms.saturating_add(ms);
                    now_ms = now_ms.saturating_add(ms);
                }
                Next::Fallback(_) => {}
                Next::GiveUp(_) => break,
            }
        }
        prop_assert!(waited_ms <= options.whole_ms);
        prop_assert!(n_attempts <= options.max_attempts.max(1) * (options.n_fallbacks + 1));
    }
}
