//! Which sessions may go by their age.

use expect_test::{Expect, expect};

use super::*;
use crate::verbs::session::Delete;

/// Sessions of 40, 20, 2 days and of an hour ago.
fn scene(settings: &str) -> Scene {
    let mut scene = Scene::with(&format!("//- /h/.gemini/settings.json\n{settings}\n"));
    for (name, day) in [
        ("aaaa", "2026-01-29"),
        ("bbbb", "2026-02-18"),
        ("cccc", "2026-03-08"),
        ("dddd", "2026-03-10"),
    ] {
        let id = format!("{name}0000-0000-4000-8000-000000000001");
        let text = gemini(&id, &[("Hello.", "Hello.")]).replace("2026-03-01", day);
        scene = scene.put(&chat(&id), &text, 24 * 60);
    }
    scene.flags.dry_run = true;
    scene
}

fn check(settings: &str, expected: Expect) {
    let answer = scene(settings)
        .run(&Delete {
            ids: Vec::new(),
            expired: true,
        })
        .unwrap();
    let ids: Vec<_> = answer
        .sessions
        .iter()
        .map(|session| format!("{:.4}", session.id))
        .collect();
    expected.assert_eq(&ids.join(" "));
}

fn check_refusal(settings: &str, expected: Expect) {
    let failed = scene(settings).run(&Delete {
        ids: Vec::new(),
        expired: true,
    });
    check_failure(failed, expected);
}

#[test]
fn what_is_older_than_a_month_may_go() {
    check("{}", expect!["aaaa"]);
}

#[test]
fn what_the_settings_say_may_go() {
    check(
        r#"{"general": {"sessionRetention": {"maxAge": "7d"}}}"#,
        expect!["bbbb aaaa"],
    );
    check(
        r#"{"general": {"sessionRetention": {"maxCount": 1}}}"#,
        expect!["cccc bbbb aaaa"],
    );
    let kept = r#"{"general": {"sessionRetention": {"maxCount": 1, "minRetention": "4w", "maxAge": "60d"}}}"#;
    check(kept, expect!["aaaa"]);
}

#[test]
fn what_was_used_or_written_since_stays_whatever_its_header_says() {
    let id = "aaaa0000-0000-4000-8000-000000000001";
    let expired = Delete {
        ids: Vec::new(),
        expired: true,
    };
    let scene = scene("{}");
    assert_eq!(scene.run(&expired).unwrap().sessions.len(), 1);
    scene.desk.date(&chat(id), NOW_MS - 48 * HOUR_MS);
    assert_eq!(scene.run(&expired).unwrap().sessions, []);
    let more = json!({ "id": "u9", "timestamp": "2026-03-08T12:00:00.000Z", "type": "user", "content": "And now?" });
    let text = format!("{}{more}\n", scene.desk.text(&chat(id)).unwrap());
    let scene = scene.put(&chat(id), &text, 24 * 60);
    assert_eq!(scene.run(&expired).unwrap().sessions, []);
}

#[test]
fn where_retention_is_off_nothing_goes() {
    check_refusal(
        r#"{"general": {"sessionRetention": {"enabled": false}}}"#,
        expect![[r#"
            sessions are kept for ever here
            hint: the setting `general.sessionRetention.enabled` is false
        "#]],
    );
}

#[test]
fn settings_that_make_no_sense_delete_nothing() {
    check_refusal(
        r#"{"general": {"sessionRetention": {"maxAge": "30 days"}}}"#,
        expect![[r#"
            nothing is deleted: `30 days` is no duration; write a number and one of h, d, w, m
            hint: look at `general.sessionRetention` with `analects config show`
        "#]],
    );
    check_refusal(
        r#"{"general": {"sessionRetention": {"maxCount": 0}}}"#,
        expect![[r#"
            nothing is deleted: /h/.gemini/settings.json:1: `general.sessionRetention.maxCount`: expected a whole number from 1 to 1000000
            hint: a value that counts for nothing could mean that more is to be kept
        "#]],
    );
    check_refusal(
        r#"{"general": {"sessionRetention": {"maxAge": "2h"}}}"#,
        expect![[r#"
            nothing is deleted: `maxAge` is shorter than `minRetention`
            hint: look at `general.sessionRetention` with `analects config show`
        "#]],
    );
    check_refusal(
        r#"{"general": {"sessionRetention": {"enabled": "no"}}}"#,
        expect![[r#"
            nothing is deleted: /h/.gemini/settings.json:1: `general.sessionRetention.enabled`: expected true or false
            hint: a value that counts for nothing could mean that more is to be kept
        "#]],
    );
    check_refusal(
        r#"{"general": {"sessionRetention": "#,
        expect![[r#"
        nothing is deleted: /h/.gemini/settings.json:2: not valid JSON: expected value after colon in object property
        hint: a value that counts for nothing could mean that more is to be kept
    "#]],
    );
}

#[test]
fn what_is_in_use_or_cannot_be_read_stays() {
    let id = "aaaa0000-0000-4000-8000-000000000001";
    let scene = scene("{}");
    scene.desk.date(&chat(id), NOW_MS);
    let expired = Delete {
        ids: Vec::new(),
        expired: true,
    };
    assert_eq!(scene.run(&expired).unwrap().sessions, []);
    let scene = scene.put(&chat(id), "garbage\n", 1);
    assert_eq!(scene.run(&expired).unwrap().sessions, []);
}
