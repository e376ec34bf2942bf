//! What questions are read as.

use std::fmt::Write;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn check(text: &str, expected: &Expect) {
    let query = Query::parse(text);
    let mut shown = String::new();
    for wish in &query.wishes {
        let ways: Vec<String> = wish
            .ways
            .iter()
            .take(3)
            .map(|way| way.terms.join("+"))
            .collect();
        writeln!(shown, "{} {}", wish.weight, ways.join(" ")).unwrap();
    }
    for phrase in &query.phrases {
        writeln!(shown, "must {}", phrase.join(" ")).unwrap();
    }
    for row in &query.without {
        writeln!(shown, "not {}", row.join(" ")).unwrap();
    }
    expected.assert_eq(&shown);
}

#[test]
fn words_stand_for_their_others() {
    check(
        "How did we fix the crash when users log in?",
        &expect![[r#"
        1 fix repair solv
        1 crash panic abort
        1 user account memb
        1 login auth authent
        0.5 userslog
    "#]],
    );
}

#[test]
fn phrases_and_what_is_not_wanted() {
    check(
        r#""out of memory" worker -docker -"unit test" --release"#,
        &expect![[r#"
            1 memori oom memori+exhaust
            1 work job task
            1 releas version tag
            0.5 memorywork
            must memori
            not docker
            not unit test
        "#]],
    );
    check(
        "“连接池” -超时",
        &expect![[r#"
        1 连接+接池 connect+pool pool
        must 连接 接池
        not 超时
    "#]],
    );
}

#[test]
fn identifiers_and_their_parts() {
    check(
        "getUserName src/user_store.rs",
        &expect![[r#"
            1 getusernam get+user+nam
            0.1125 get
            0.45 user account memb
            0.45 nam 名称 命名
            1 userst src+user+stor
            0.45 src
            0.45 stor sav persist
            1 rs
        "#]],
    );
}

#[test]
fn chinese_is_cut_at_what_is_known() {
    check(
        "数据库连接池为什么会耗尽",
        &expect![[r#"
        1 数据+据库 databas db
        0.6 库连
        1 连接+接池 connect+pool pool
        1 耗尽 exhaust deplet
    "#]],
    );
    check(
        "锁",
        &expect![[r#"
        1 锁 lock mutex
    "#]],
    );
}

#[test]
fn a_question_of_nothing_is_empty() {
    for text in ["", "  ", "the of", "为什么", "-", "\"", "??"] {
        assert!(Query::parse(text).is_empty(), "{text}");
    }
}

proptest! {
    #[test]
    fn no_question_is_too_strange(text in "(\\PC|[a-zA-Z_.\"“”「」 -]|[数据库连接池的])*") {
        let query = Query::parse(&text);
        assert!(query.wishes.len() <= MAX_WISHES);
        for way in query.wishes.iter().flat_map(|wish| &wish.ways) {
            assert!(!way.terms.is_empty() && way.terms.iter().all(|term| !term.is_empty()));
        }
    }
}
