//! Labelled pairs, and what must hold for every text.

mod laws;

use super::*;
use expect_test::expect;

/// The lines of a list of pairs: label, one text, the other.
fn pairs(list: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    list.lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
        .map(|line| {
            let (label, texts) = line.split_once(' ').unwrap();
            let (one, other) = texts.split_once(" || ").unwrap();
            (label, one, other)
        })
}

#[test]
fn twins_are_told_from_others() {
    let (mut wrong, mut n_twins, mut n_others) = (Vec::new(), 0, 0);
    for (label, one, other) in pairs(include_str!("tests/twins.txt")) {
        let are_twins = label == "=";
        *if are_twins {
            &mut n_twins
        } else {
            &mut n_others
        } += 1;
        let (a, b) = (Gist::of(one), Gist::of(other));
        let judged = [
            a.is_twin_of(&b),
            b.is_twin_of(&a),
            a.is_twin_of_text(other),
            b.is_twin_of_text(one),
        ];
        if judged != [are_twins; 4] {
            wrong.push(format!("{label} {one} || {other} ({:.2})", a.likeness(&b)));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(
        n_twins > 150 && n_others > 150,
        "{n_twins} twins, {n_others} others"
    );
}

#[test]
fn prints_alone_tell_twins_but_for_slips_of_the_pen() {
    for (label, one, other) in pairs(include_str!("tests/twins.txt")) {
        let is_known = Gist::of(one).is_twin_of_prints(&Gist::of(other).prints());
        let is_slip = one.contains("seperate");
        assert_eq!(is_known, label == "=" && !is_slip, "{one} || {other}");
    }
}

#[test]
fn contradictions_are_told_from_others() {
    let (mut wrong, mut n_found, mut n_others) = (Vec::new(), 0, 0);
    for (label, one, other) in pairs(include_str!("tests/contradictions.txt")) {
        let expected = label == "x";
        *if expected {
            &mut n_found
        } else {
            &mut n_others
        } += 1;
        let stances = [one, other].map(Stance::of);
        let contradict = |a: &Option<Stance>, b: &Option<Stance>| matches!((a, b), (Some(a), Some(b)) if a.contradicts(b));
        let [a, b] = &stances;
        if contradict(a, b) != expected || contradict(b, a) != expected {
            wrong.push(format!("{label} {one} || {other}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(
        n_found > 80 && n_others > 80,
        "{n_found} contradictions, {n_others} others"
    );
}

#[test]
fn what_is_about_the_same_is_more_alike_than_what_is_not() {
    let like = |a, b| Gist::of(a).likeness(&Gist::of(b));
    let rule = "Max line length is 80";
    assert!((like(rule, rule) - 1.0).abs() < f32::EPSILON);
    assert!(like(rule, "Maximum line length: 80") >= 0.9);
    assert!(like(rule, "Max line length is 100") > 0.5);
    assert!(like(rule, "Max line length is 100") < 0.9);
    assert!(like(rule, "Answer in German") < 0.1);
    assert!(like("提交前运行测试", "提交后运行测试") > 0.5);
    assert!(like("提交前运行测试", "用中文回答") < 0.1);
    assert!(like("", "") < f32::EPSILON);
}

/// A tombstone written today must be known in ten years: these numbers never change.
#[test]
fn prints_are_the_same_for_ever() {
    let shown = |text| format!("{:x?}", Gist::of(text).prints());
    expect!["[3f6768dc, 5f62f0dd]"].assert_eq(&shown("Use pnpm, not npm"));
    expect!["[1f5803bb, 3501534e, 399aaf4f, 64d8aa75, 68a3d3b9, 7174c4de, 78837bfe, 7dffd1bd, a437a7f6, addeef19, b21cce9e, b347e4b6]"].assert_eq(&shown("提交前运行 80 次测试"));
    expect!["[5aaf8bda, 5d481c32, 5fc4e0d5, 5fcfb852, d64489fe, d9510c9d, e503c8a3, ffc2131a]"]
        .assert_eq(&shown("Frontend uses React, backend uses Go"));
}

#[test]
fn a_stance_knows_its_sense() {
    let polarity = |text| Stance::of(text).map(|stance| stance.polarity);
    assert_eq!(polarity("Always squash"), Some(Polarity::Do));
    assert_eq!(polarity("请不要压缩提交"), Some(Polarity::Dont));
    // An item of a list under `Never`, as a caller hands it over.
    assert_eq!(polarity("Never: force push"), Some(Polarity::Dont));
    assert_eq!(polarity("禁止：强制推送"), Some(Polarity::Dont));
    for text in [
        "",
        "# Never do this",
        "Tests?",
        "The parser is fast.",
        "Never:",
        "**Don't**",
        "**Do NOT use:**",
        "Do not avoid mocks",
        "👍",
        "Not all tests need mocks",
    ] {
        assert_eq!(polarity(text), None, "{text}");
    }
}

#[test]
fn a_text_without_letters_is_nobodys_twin() {
    for text in ["", "  \n", "👍", "---", "…!?"] {
        let gist = Gist::of(text);
        assert!(gist.is_empty() && !gist.is_twin_of(&gist), "{text:?}");
        assert!(!gist.is_twin_of_prints(&gist.prints()));
    }
    // Words without content still are words.
    let gist = Gist::of("do it");
    assert!(gist.is_twin_of(&Gist::of("Do it!")) && !gist.is_twin_of(&Gist::of("do that")));
}

#[test]
fn pairs_come_in_order() {
    let rules = [
        "Use tabs",
        "Run tests",
        "use tabs.",
        "Please use tabs",
        "Avoid tabs",
        "run the tests",
    ];
    let gists = rules.map(Gist::of);
    assert_eq!(twins(&gists), [(0, 2), (0, 3), (1, 5), (2, 3)]);
    let stances: Vec<(usize, Stance)> = rules
        .iter()
        .enumerate()
        .filter_map(|(line, rule)| Some((10 * line, Stance::of(rule)?)))
        .collect();
    assert_eq!(contradictions(&stances), [(0, 40), (20, 40), (30, 40)]);
}

#[test]
fn a_heap_of_copies_hangs_together() {
    let gists = vec![Gist::of("Run the tests before committing"); 1000];
    let pairs = twins(&gists);
    assert!(pairs.len() < 1000 * 80);
    assert!((1..1000).all(|at| pairs.binary_search(&(at - 1, at)).is_ok()));
    let stances: Vec<(usize, Stance)> = (0..1000)
        .filter_map(|at| {
            Some((
                at,
                Stance::of(if at % 2 == 0 {
                    "Use tabs"
                } else {
                    "Avoid tabs"
                })?,
            ))
        })
        .collect();
    assert!(contradictions(&stances).len() < 1000 * 80);
}

#[test]
fn a_megabyte_is_read_without_ado() {
    let check = |piece: &str, len: usize| {
        let text = piece.repeat(len / piece.len());
        let gist = Gist::of(&text);
        assert_eq!(gist.is_twin_of(&gist), !gist.is_empty(), "{piece}");
        text
    };
    check(
        "run the tests, never use npm; 提交前请运行测试，不要用 npm。",
        1 << 20,
    );
    // Whatever grows faster than the text would take minutes here.
    for piece in [
        "a not b ",
        "a, ",
        "%",
        "`a`",
        "a-",
        "测前",
        "x",
        "a and never ",
        "- ",
    ] {
        let _ = Stance::of(&check(piece, 1 << 16));
    }
}
