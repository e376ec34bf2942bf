//! What holds for every text, and for texts of words that do something.

use super::*;
use proptest::prelude::*;

/// Texts of the words that steer a reading, in any order.
fn steered() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "use",
        "never",
        "not",
        "no",
        "always",
        "before",
        "after",
        "when",
        "without",
        "over",
        "instead of",
        "and",
        "or",
        ",",
        ".",
        ":",
        ";",
        "the",
        "all",
        "any",
        "only",
        "in",
        "for",
        "to",
        "from",
        "tabs",
        "spaces",
        "tests",
        "npm",
        "commit",
        "80",
        "v1.2",
        "src/a.rs",
        "`any`",
        "不要",
        "使用",
        "前",
        "测试",
        "提交",
        "和",
        "、",
        "，",
        "在",
        "中",
        "请",
        "如果",
        "时",
        "必须",
        "两个",
        "import",
        "is",
        "just",
        "do not",
        "please",
        "may",
        "- ",
        "\n",
        "\n\n",
        "order",
    ]);
    prop::collection::vec(words, 0..14).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn everyone_is_their_own_twin(text in prop_oneof![any::<String>(), steered()]) {
        let gist = Gist::of(&text);
        prop_assert_eq!(gist.is_twin_of(&gist), !gist.is_empty());
        prop_assert_eq!(gist.is_twin_of_prints(&gist.prints()), !gist.is_empty());
        prop_assert!(gist.is_empty() || gist.likeness(&gist) > 0.99);
        if let Some(stance) = Stance::of(&text) {
            prop_assert!(!stance.contradicts(&stance) || text.len() > 3);
        }
    }

    #[test]
    fn both_sides_agree(one in steered(), other in steered()) {
        let (a, b) = (Gist::of(&one), Gist::of(&other));
        prop_assert_eq!(a.is_twin_of(&b), b.is_twin_of(&a));
        prop_assert!((a.likeness(&b) - b.likeness(&a)).abs() < 1e-6);
        prop_assert!((0.0..=1.0).contains(&a.likeness(&b)));
        let known = a.is_twin_of_prints(&b.prints());
        prop_assert_eq!(known, b.is_twin_of_prints(&a.prints()));
        prop_assert!(!known || a.is_twin_of(&b));
        if let (Some(a), Some(b)) = (Stance::of(&one), Stance::of(&other)) {
            prop_assert_eq!(a.contradicts(&b), b.contradicts(&a));
        }
    }

    #[test]
    fn prints_do_not_depend_on_marks_and_case(text in "[a-zA-Z ]{0,40}") {
        let gist = Gist::of(&text);
        prop_assert_eq!(gist.prints(), Gist::of(&text).prints());
        prop_assert_eq!(gist.prints(), Gist::of(&format!("- {}.", text.to_uppercase())).prints());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn the_quick_way_finds_what_the_slow_way_finds(texts in prop::collection::vec(steered(), 0..30)) {
        let gists: Vec<Gist> = texts.iter().map(|text| Gist::of(text)).collect();
        let n = gists.len();
        let slow: Vec<(usize, usize)> = (0..n)
            .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
            .filter(|&(a, b)| gists[a].is_twin_of(&gists[b]))
            .collect();
        prop_assert_eq!(twins(&gists), slow);

        let stances: Vec<(usize, Stance)> = texts
            .iter()
            .enumerate()
            .filter_map(|(at, text)| Some((at, Stance::of(text)?)))
            .collect();
        let n = stances.len();
        let slow: Vec<(usize, usize)> = (0..n)
            .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
            .filter(|&(a, b)| stances[a].1.contradicts(&stances[b].1))
            .map(|(a, b)| (stances[a].0, stances[b].0))
            .collect();
        prop_assert_eq!(contradictions(&stances), slow);
    }
}
