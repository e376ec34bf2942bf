//! Finds long runs of letters, digits, `_` and `-`: the shape that most tokens have.

use std::ops::Range;

/// A shorter run is no token that is found by its shape.
pub(super) const MIN_RUN_BYTES: usize = 16;

/// Returns every maximal run of ASCII letters, digits, `_` and `-` that is long enough, in order.
///
/// Looks at one byte in [`MIN_RUN_BYTES`] and around it only where that is part of a run, so that words
/// cost next to nothing.
pub(super) fn long_runs(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut searched = 0;
    let mut probe = MIN_RUN_BYTES - 1;
    while let Some(&byte) = bytes.get(probe) {
        let mut end = probe;
        if is_word(byte) {
            let count = |part: &mut dyn Iterator<Item = &u8>| {
                part.take_while(|byte| is_word(**byte)).count()
            };
            let before = bytes.get(searched..probe).unwrap_or_default();
            let after = bytes.get(probe..).unwrap_or_default();
            let start = probe - count(&mut before.iter().rev());
            end = probe + count(&mut after.iter());
            if end - start >= MIN_RUN_BYTES {
                runs.push(start..end);
            }
        }
        searched = end;
        probe = end + MIN_RUN_BYTES;
    }
    runs
}

fn is_word(byte: u8) -> bool {
    const WORD: [bool; 256] = {
        let mut word = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            word[byte] =
                matches!(byte as u8, b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-');
            byte += 1;
        }
        word
    };
    WORD[usize::from(byte)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_is_found_wherever_it_starts() {
        for len in [15, 16, 17, 31, 32, 33, 64] {
            for before in 0..40 {
                for after in [0, 1, 40] {
                    let text = [
                        " ".repeat(before),
                        "a_-1".chars().cycle().take(len).collect(),
                        ".".repeat(after),
                    ];
                    let expected = (len >= MIN_RUN_BYTES).then_some(before..before + len);
                    let found = long_runs(text.concat().as_bytes());
                    assert_eq!(found, Vec::from_iter(expected), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn runs_beside_one_another_are_told_apart() {
        let text = format!("{0}.{0} short {0}\n{0}é{0}", "x".repeat(20));
        let runs = long_runs(text.as_bytes());
        assert_eq!(runs, [0..20, 21..41, 48..68, 69..89, 91..111]);
    }
}
