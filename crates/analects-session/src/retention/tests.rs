//! What goes and what stays.

use proptest::prelude::*;

use super::*;

const NOW_MS: u64 = 1_787_306_400_000;

fn days_ago(days: u64) -> Stamp {
    Stamp::from_ms(NOW_MS - days * 24 * 60 * 60 * 1000).unwrap()
}

fn main(id: &str, days: u64) -> Stored {
    Stored {
        session_id: Some(id.to_owned()),
        parent_id: None,
        is_subagent: false,
        updated: Some(days_ago(days)),
        written: None,
        standing: Standing::Loadable,
        is_empty: false,
        is_live: false,
    }
}

fn subagent(parent: Option<&str>, days: u64) -> Stored {
    Stored {
        session_id: Some("agent".to_owned()),
        parent_id: parent.map(str::to_owned),
        is_subagent: true,
        ..main("", days)
    }
}

fn options(max_age: Option<&str>, max_count: Option<i64>) -> RetentionOptions {
    let min_retention = Some("2d");
    RetentionOptions::new(RetentionSettings {
        max_age,
        max_count,
        min_retention,
    })
    .unwrap()
}

fn check(records: &[Stored], options: RetentionOptions, goes: &[(usize, Why)]) {
    let doomed = doomed(records, options, Some("current"), days_ago(0));
    let doomed: Vec<_> = doomed
        .iter()
        .map(|doomed| (doomed.record_idx, doomed.why))
        .collect();
    assert_eq!(doomed, goes);
}

#[test]
fn the_old_go_and_so_do_the_many() {
    let records = [main("a", 40), main("b", 5), main("c", 4), main("d", 3)];
    check(&records, options(Some("30d"), None), &[(0, Why::TooOld)]);
    check(
        &records,
        options(None, Some(2)),
        &[(0, Why::TooMany), (1, Why::TooMany)],
    );
    check(&records, options(Some("1w"), Some(3)), &[(0, Why::TooOld)]);
}

#[test]
fn every_doubt_keeps() {
    let old = || main("a", 400);
    let kept = [
        main("current", 400),
        main("young", 1),
        Stored {
            is_live: true,
            ..main("live", 400)
        },
        Stored {
            written: Some(days_ago(1)),
            ..main("written", 400)
        },
        Stored {
            standing: Standing::Headless,
            ..old()
        },
        Stored {
            standing: Standing::Unreadable,
            session_id: None,
            ..old()
        },
        Stored {
            is_empty: true,
            ..old()
        },
        Stored {
            updated: None,
            ..old()
        },
        Stored {
            updated: Stamp::from_ms(NOW_MS * 2),
            ..main("tomorrow", 0)
        },
    ];
    check(&kept, options(Some("30d"), Some(1)), &[]);
}

#[test]
fn a_file_that_was_written_since_is_not_too_old() {
    let written = |id, days| Stored {
        written: Some(days_ago(days)),
        ..main(id, 400)
    };
    let records = [written("a", 20), written("b", 40)];
    check(&records, options(Some("30d"), None), &[(1, Why::TooOld)]);
}

#[test]
fn ids_that_begin_alike_are_different_sessions() {
    let records = [main("12345678-a", 40), main("12345678-b", 3)];
    check(&records, options(Some("30d"), None), &[(0, Why::TooOld)]);
}

#[test]
fn records_of_one_session_stay_or_go_together_and_count_as_one() {
    let records = [main("a", 40), main("a", 3), main("b", 5)];
    check(&records, options(Some("30d"), Some(2)), &[]);
    let records = [main("a", 40), main("a", 35), main("b", 5)];
    check(
        &records,
        options(Some("30d"), None),
        &[(0, Why::TooOld), (1, Why::TooOld)],
    );
    let live = Stored {
        is_empty: true,
        is_live: true,
        ..main("a", 0)
    };
    check(&[main("a", 40), live], options(Some("30d"), None), &[]);
}

#[test]
fn sub_agents_go_with_their_parent_only() {
    let records = [
        main("a", 40),
        subagent(Some("a"), 40),
        subagent(Some("gone before"), 400),
        subagent(None, 400),
        main("b", 40),
        subagent(Some("b"), 1),
    ];
    check(
        &records,
        options(Some("30d"), None),
        &[(0, Why::TooOld), (1, Why::WithParent)],
    );
}

#[test]
fn settings_that_make_no_sense_delete_nothing() {
    let refused = |max_age, max_count, min_retention| {
        RetentionOptions::new(RetentionSettings {
            max_age,
            max_count,
            min_retention,
        })
        .unwrap_err()
    };
    let bad = |text: &str| Refused::BadDuration(text.to_owned());
    assert_eq!(refused(Some("1Y"), None, None), bad("1Y"));
    assert_eq!(refused(Some("30d"), None, Some("x")), bad("x"));
    assert_eq!(refused(Some("12h"), None, None), Refused::AgeBelowMinimum);
    assert_eq!(refused(None, Some(0), None), Refused::BadCount(0));
    assert_eq!(refused(None, None, Some("1d")), Refused::NoLimit);
}

#[test]
fn durations_are_a_number_and_a_unit() {
    for (text, hours) in [
        ("1h", Some(1)),
        ("30d", Some(720)),
        ("2w", Some(336)),
        ("1m", Some(720)),
        ("0d", None),
        ("d", None),
        ("+1d", None),
        ("1 d", None),
        ("1D", None),
        ("99999999999d", None),
        ("1天", None),
        ("", None),
    ] {
        let wanted = hours.map(|hours| HOUR * hours);
        assert_eq!(duration(text), wanted, "{text}");
    }
}

fn record() -> impl Strategy<Value = Stored> {
    let id = prop::option::of(prop::sample::select(vec!["a", "b", "c", "current"]));
    let standing = prop::sample::select(vec![
        Standing::Loadable,
        Standing::Loadable,
        Standing::Headless,
        Standing::Unreadable,
    ]);
    let flags = (any::<bool>(), any::<bool>(), prop::bool::weighted(0.1));
    (id.clone(), id, prop::option::of(0..60u64), standing, flags).prop_map(
        |(id, parent, days, standing, (is_subagent, is_empty, is_live))| Stored {
            session_id: id.map(str::to_owned),
            parent_id: parent.map(str::to_owned),
            is_subagent,
            written: None,
            updated: days.map(days_ago),
            standing,
            is_empty,
            is_live,
        },
    )
}

proptest! {
    #[test]
    fn nothing_that_must_stay_ever_goes(records in prop::collection::vec(record(), 0..12), max_count in 1..4i64) {
        let gone = doomed(&records, options(Some("30d"), Some(max_count)), Some("current"), days_ago(0));
        for Doomed { record_idx, why } in &gone {
            let record = &records[*record_idx];
            prop_assert!(record.standing == Standing::Loadable && !record.is_empty);
            prop_assert!(!record.is_live && record.updated <= Some(days_ago(2)));
            prop_assert_eq!(record.is_subagent, *why == Why::WithParent);
            let id = if record.is_subagent { &record.parent_id } else { &record.session_id };
            prop_assert!(id.is_some() && id.as_deref() != Some("current"));
        }
    }
}
