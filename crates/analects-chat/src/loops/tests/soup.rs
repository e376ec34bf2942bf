//! Streams at random.

use analects_world::Profile;
use proptest::prelude::*;
use serde_json::json;

use super::{call, detector, response};
use crate::loops::{Detector, Event, Loop, Switch};

/// Texts that are often chants, lists or code.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("the same again ".to_owned()),
        Just("```".to_owned()),
        Just("~~~".to_owned()),
        Just("\n".to_owned()),
        "(\n)?(- |[*] |1[.] |# |> |[|]|---|  )",
        "[a-c 记🦀]{1,60}",
        "(?s).{0,5}",
    ];
    let run = (piece, 1_usize..40).prop_map(|(piece, times)| piece.repeat(times));
    prop::collection::vec(run, 0..12).prop_map(|runs| {
        let once = runs.concat();
        once.repeat(3)
    })
}

/// After how many characters a loop is seen, if chunks are this long, one after the other.
fn seen(text: &str, sizes: &[usize]) -> Option<(std::ops::Range<usize>, Loop)> {
    let mut detector = detector(Profile::Analects);
    let chars: Vec<_> = text.chars().collect();
    let (mut start, mut sizes) = (0, sizes.iter().cycle());
    while start < chars.len() {
        let end = (start + sizes.next()?).min(chars.len());
        let chunk: String = chars[start..end].iter().collect();
        if let Some(seen) = detector.observe(Event::Text(&chunk)) {
            return Some((start..end, seen));
        }
        start = end;
    }
    None
}

fn tell(detector: &mut Detector, kind: u8, text: &str) -> Option<Loop> {
    let args = json!({ "a": text.len() % 3 });
    match kind {
        0..=4 => detector.observe(Event::Text(text)),
        5 | 6 => detector.observe(Event::Call(&call("a", args))),
        7 => detector.observe(Event::Answer(&response("a", args))),
        8 => detector.observe(Event::Turn),
        9 => detector.observe(Event::Prompt),
        10 => {
            detector.resume();
            None
        }
        _ => {
            detector.switch(Switch::On);
            None
        }
    }
}

proptest! {
    #[test]
    fn where_a_stream_is_cut_does_not_matter(
        text in text(),
        sizes in prop::collection::vec(1_usize..400, 1..6),
    ) {
        let by_char = seen(&text, &[1]);
        let by_chunk = seen(&text, &sizes);
        let at_once = seen(&text, &[usize::MAX / 2]);
        prop_assert_eq!(by_char.is_some(), by_chunk.is_some());
        prop_assert_eq!(by_char.is_some(), at_once.is_some());
        if let (Some((at, one)), Some((within, other)), Some((_, third))) = (by_char, by_chunk, at_once) {
            prop_assert!(within.contains(&at.start));
            prop_assert_eq!(&one, &other);
            prop_assert_eq!(one, third);
        }
    }

    #[test]
    fn no_stream_is_a_panic(
        profile in prop::sample::select(vec![Profile::Analects, Profile::Seed, Profile::Head]),
        events in prop::collection::vec((0_u8..12, text()), 0..10),
    ) {
        let mut detector = detector(profile);
        for (kind, text) in events {
            if let Some(seen) = tell(&mut detector, kind, &text) {
                prop_assert!(seen.detail.chars().count() < 1_000);
                prop_assert!(seen.strike > 0);
            }
        }
    }
}
