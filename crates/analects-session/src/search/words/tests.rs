//! What becomes of texts.

use proptest::prelude::*;

use super::*;

fn check(text: &str, expected: &str) {
    let mut all = String::new();
    push_terms(text, &mut all);
    assert_eq!(all, expected, "{text}");
}

#[test]
fn words_become_stems_and_quiet_ones_go() {
    check("The tests were failing again!", "test fail again");
    check("Naïve CAFÉ", "naiv caf");
    check(
        "It doesn't matter, the user's wish",
        "doesn matter user wish",
    );
}

#[test]
fn identifiers_meet_however_they_are_written() {
    check(
        "userName user_name user-name",
        "user nam usernam user nam usernam user nam usernam",
    );
    check("parseHTTPResponse", "pars http respons parsehttprespons");
    check("src/auth/token_store.rs", "src auth token stor tokenst rs");
    check("MAX_RETRIES=3", "max retri maxretri 3");
    check("v1.24.0 and 3.12", "1.24.0 3.12");
    check("sha256 utf8 i18n", "sha256 utf8 i18n");
}

#[test]
fn a_verb_with_its_particle_is_the_noun() {
    check("users logged in and time out", "user log login tim timeout");
    check("log. In", "log");
    check("roll back the setup", "roll rollback back setup");
}

#[test]
fn scripts_without_blanks_become_pairs() {
    check("数据库连接", "数据 据库 库连 连接 接");
    check("修复login的bug", "修复 复 login 的 bug");
    check("請", "请");
}

#[test]
fn what_is_too_long_goes_by_its_beginning() {
    check(
        &format!("a{} b2", "x".repeat(60)),
        &format!("a{} b2", "x".repeat(39)),
    );
    check(&"ab/".repeat(3), "ab ab ab");
}

#[test]
fn a_term_knows_where_it_stands() {
    let text = "Fix parseHTTPResponse，数据库";
    let mut places = Vec::new();
    words(text, &mut |term| {
        places.push(text.get(term.bytes.clone()).unwrap().to_owned());
    });
    assert_eq!(
        places,
        [
            "Fix",
            "parse",
            "HTTP",
            "Response",
            "parseHTTPResponse",
            "数据",
            "据库",
            "库"
        ]
    );
}

proptest! {
    #[test]
    fn no_text_is_too_strange(text in "(\\PC|[a-zA-Z_./\\\\' -]|[数据库連的]|\u{301}|[İßﬁ])*") {
        let mut n_terms = 0;
        words(&text, &mut |term| {
            assert!(text.get(term.bytes.clone()).is_some_and(|word| !word.is_empty()), "{term:?}");
            assert!(!term.text.is_empty() && !term.text.contains(' '));
            assert!(term.text.chars().all(|c| !c.is_ascii() || c.is_ascii_alphanumeric() || c == '.'));
            n_terms += 1;
        });
        assert!(n_terms <= 2 * text.chars().count());
    }
}
