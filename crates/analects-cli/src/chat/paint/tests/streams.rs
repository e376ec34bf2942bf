//! The same text in other pieces is the same on the screen, and no more is written than has to be.

use proptest::prelude::*;

use super::*;

const PROSE: &str =
    "The quick brown fox jumps over the lazy dog, and then it sleeps in the sun for a while. ";

fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => "[a-z]{1,9}".boxed(),
        1 => Just("**bold words**".to_owned()).boxed(),
        1 => Just("*leaning*".to_owned()).boxed(),
        1 => Just("`code **x`".to_owned()).boxed(),
        1 => Just("[link](http://a.b/c)".to_owned()).boxed(),
        1 => Just("文字が続く".to_owned()).boxed(),
        1 => Just("👩‍👩‍👧 é".to_owned()).boxed(),
        1 => "[*_`~<>\\[\\]()!#|-]{1,3}".boxed(),
        1 => Just("\u{1b}[2J\u{202e}\u{200b}&#27;&amp;".to_owned()).boxed(),
        1 => "[a-z]{30,60}".boxed(),
    ];
    prop::collection::vec(word, 1..12).prop_map(|words| words.join(" "))
}

fn block() -> impl Strategy<Value = String> {
    let lines = |first: &'static str, rest: &'static str| {
        prop::collection::vec(words(), 1..4).prop_map(move |lines| {
            let lines = lines.iter().enumerate();
            let line = |(idx, line): (usize, &String)| {
                format!("{}{line}\n", if idx == 0 { first } else { rest })
            };
            lines.map(line).collect::<String>()
        })
    };
    prop_oneof![
        4 => lines("", ""),
        1 => lines("# ", ""),
        2 => lines("- ", "- "),
        2 => lines("1. ", "   - "),
        1 => lines("- ", "\n  "),
        1 => lines("> ", "> "),
        1 => lines("", "").prop_map(|code| format!("```rust\n{code}\n\n{code}```\n")),
        1 => lines("", "").prop_map(|code| format!("```\n{code}")),
        1 => lines("    ", "    "),
        1 => words().prop_map(|cell| format!("| a | b |\n|---|--:|\n| {cell} | 2 |\n| x | y\n")),
        1 => Just("---\n".to_owned()),
        1 => Just("===\n".to_owned()),
        1 => Just("[a]: http://x.y\n".to_owned()),
        1 => lines("<div>", "</div>"),
        1 => Just("\r\n\r".to_owned()),
    ]
}

fn markdown() -> impl Strategy<Value = String> {
    let separator = prop_oneof![3 => Just("\n"), 1 => Just("")];
    prop::collection::vec((block(), separator), 1..7)
        .prop_map(|blocks| blocks.into_iter().map(|(block, gap)| block + gap).collect())
}

/// `text` cut at `cuts`, each a part of a thousand.
fn cut_at<'a>(text: &'a str, cuts: &[usize]) -> Vec<&'a str> {
    let mut places: Vec<_> = cuts
        .iter()
        .map(|cut| text.floor_char_boundary(cut * text.len() / 1000))
        .collect();
    places.extend([0, text.len()]);
    places.sort_unstable();
    places
        .windows(2)
        .map(|pair| &text[pair[0]..pair[1]])
        .collect()
}

fn cuts() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..1000_usize, 0..60)
}

/// What a model can say without marks: each word once, so that none can be missed or come twice unseen.
fn counted(n_words: usize) -> String {
    (0..n_words)
        .map(|n| match n % 13 {
            0 => format!("\n\nw{n}w "),
            7 => format!("\n- w{n}w "),
            9 => format!("**w{n}w** "),
            _ => format!("w{n}w "),
        })
        .collect()
}

fn words_on(page: &str) -> Vec<String> {
    let joined: String = page.chars().filter(char::is_ascii_alphanumeric).collect();
    joined
        .split("ww")
        .map(|word| word.trim_matches('w').to_owned())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn pieces_make_no_difference_on_a_screen_that_holds_all(
        text in markdown(), cuts in cuts(), step_ms in 0..60_u64,
        width in prop::sample::select(vec![20, 40, 80]), has_color: bool,
    ) {
        let options = PaintOptions { has_color, ..sized(width, 400) };
        let bytes = streamed(cut_at(&text, &cuts), step_ms, options);
        assert_tame(&bytes);
        let whole = streamed([&*text], 0, options);
        prop_assert!(!whole.contains("[?2026h"));
        let (streamed, whole) = (terminal(&bytes, options.size), terminal(&whole, options.size));
        prop_assert_eq!(streamed.screen().contents(), whole.screen().contents());
        prop_assert_eq!(streamed.screen().contents_formatted(), whole.screen().contents_formatted());
    }

    #[test]
    fn lines_are_the_same_in_any_pieces(text in markdown(), cuts in cuts(), step_ms in 0..60_u64) {
        let options = PaintOptions { style: Style::Lines, has_color: false, ..sized(40, 24) };
        let bytes = streamed(cut_at(&text, &cuts), step_ms, options);
        prop_assert!(!bytes.contains(|c: char| c.is_control() && c != '\n'));
        prop_assert_eq!(bytes, streamed([&*text], 0, options));
    }

    #[test]
    fn on_a_low_screen_no_word_is_lost_or_said_twice(
        cuts in cuts(), step_ms in 0..60_u64, width in prop::sample::select(vec![7, 20, 40, 80]),
        height in prop::sample::select(vec![1, 2, 3, 5, 24]), n_words in 1..200_usize,
    ) {
        let text = counted(n_words);
        let options = sized(width, height);
        let bytes = streamed(cut_at(&text, &cuts), step_ms, options);
        let expected: Vec<_> = (0..n_words).map(|n| n.to_string()).collect();
        prop_assert_eq!(words_on(&page(&bytes, options.size)), expected);
    }

    #[test]
    fn a_screen_that_changes_loses_no_word(
        cuts in cuts(), widths in prop::collection::vec(10..90_usize, 1..6), n_words in 1..200_usize,
    ) {
        let text = counted(n_words);
        let mut paint = Paint::new(RICH);
        let mut out = Vec::new();
        for (idx, piece) in cut_at(&text, &cuts).into_iter().enumerate() {
            if idx % 7 == 6 {
                let size = Size { width: widths[idx % widths.len()], height: 5 + idx };
                paint.resize(&mut out, size).unwrap();
            }
            paint.text(&mut out, piece, idx as u64 * 20).unwrap();
        }
        paint.end(&mut out, 0).unwrap();
        // Wide enough for all: terminals that break rows anew are beyond what can be tested here.
        let page = page(&String::from_utf8(out).unwrap(), Size { width: 100, height: 300 });
        let expected: Vec<_> = (0..n_words).map(|n| n.to_string()).collect();
        prop_assert_eq!(words_on(&page), expected);
    }
}

#[test]
fn a_stream_of_prose_is_not_written_many_times() {
    let paragraph = format!("{}\n\n", PROSE.repeat(6));
    for (text, max) in [(paragraph.repeat(20), 4), (PROSE.repeat(100), 4)] {
        let bytes = streamed(pieces(&text, 10), 33, RICH);
        assert!(
            bytes.len() <= max * text.len(),
            "{} of {}",
            bytes.len(),
            text.len()
        );
    }
}

#[test]
fn a_stream_of_everything_is_not_written_many_times() {
    let item =
        "- **A point** with `code` and *words* that go on for a bit more than a row of it.\n";
    let code = format!(
        "```rust\n{}```\n\n",
        "let x = call(1, 2); // what for\n".repeat(20)
    );
    let table = format!(
        "| a | b |\n|---|---|\n{}\n",
        "| some words | more words |\n".repeat(10)
    );
    let text = [item.repeat(10), "\n".to_owned(), code, table].concat();
    let bytes = streamed(pieces(&text, 10), 33, RICH);
    assert!(
        bytes.len() <= 8 * text.len(),
        "{} of {}",
        bytes.len(),
        text.len()
    );
}

#[test]
fn ten_times_the_text_costs_ten_times_as_much() {
    for unit in [
        PROSE,
        "a\n",
        "- x\n",
        "```\nx\n",
        "> ",
        "* ",
        "|a|b|\n|-|-|\n",
        "x",
    ] {
        for step_ms in [0, 33] {
            let cost = |n: usize| {
                let text = unit.repeat(n / unit.len());
                let mut paint = Paint::new(RICH);
                let mut out = Vec::new();
                for (idx, piece) in pieces(&text, 97).into_iter().enumerate() {
                    paint.text(&mut out, piece, idx as u64 * step_ms).unwrap();
                }
                paint.end(&mut out, 0).unwrap();
                (out.len() + 1, paint.markdown.n_laid_out + 1)
            };
            let (small, large) = (cost(40_000), cost(400_000));
            assert!(large.0 <= 13 * small.0, "{unit:?}: {small:?} {large:?}");
            assert!(large.1 <= 13 * small.1, "{unit:?}: {small:?} {large:?}");
        }
    }
}

#[test]
fn a_row_that_only_grows_is_not_written_again() {
    let mut paint = Paint::new(RICH);
    let mut out = Vec::new();
    paint.text(&mut out, "one two", 0).unwrap();
    out.clear();
    paint.text(&mut out, " three", 100).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), " three");
}

#[test]
fn pieces_that_come_fast_are_painted_together() {
    let mut paint = Paint::new(RICH);
    let mut out = Vec::new();
    paint.text(&mut out, "one", 0).unwrap();
    out.clear();
    paint.text(&mut out, " two", 10).unwrap();
    assert!(out.is_empty());
    paint.tick(&mut out, 40).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), " two");
}
