//! Holds what a command prints, in bounded memory.

use std::borrow::Cow;
use std::collections::VecDeque;

/// The start and the end of what was printed. Whatever comes, no more than the cap is held.
pub(super) struct Collector {
    half: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    n_dropped: u64,
}

/// What was held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Collected {
    /// All of it, or its start. No character is torn.
    pub(super) head: Vec<u8>,
    /// How many bytes stood between the two.
    pub(super) n_dropped: u64,
    /// Its end, if some were dropped.
    pub(super) tail: Vec<u8>,
}

impl Collector {
    pub(super) fn new(cap_bytes: usize) -> Self {
        Self {
            half: cap_bytes / 2,
            head: Vec::new(),
            tail: VecDeque::new(),
            n_dropped: 0,
        }
    }

    pub(super) fn take(&mut self, piece: &[u8]) {
        let n_first = piece.len().min(self.half - self.head.len());
        let (first, rest) = piece.split_at(n_first);
        self.head.extend_from_slice(first);
        // Only the last of it can stay.
        let rest_kept = last(rest, self.half);
        let n_over = (self.tail.len() + rest_kept.len()).saturating_sub(self.half);
        self.tail.drain(..n_over);
        self.tail.extend(rest_kept);
        self.n_dropped += (n_over + rest.len() - rest_kept.len()) as u64;
    }

    pub(super) fn finish(mut self) -> Collected {
        if self.n_dropped == 0 {
            self.head.extend(self.tail);
            return Collected {
                head: self.head,
                n_dropped: 0,
                tail: Vec::new(),
            };
        }
        let n_torn_end = torn_end(&self.head);
        self.head.truncate(self.head.len() - n_torn_end);
        let is_inner = |byte: &&u8| (0x80..0xC0).contains(*byte);
        let n_torn_start = self.tail.iter().take(3).take_while(is_inner).count();
        self.tail.drain(..n_torn_start);
        Collected {
            head: self.head,
            n_dropped: self.n_dropped + (n_torn_end + n_torn_start) as u64,
            tail: self.tail.into(),
        }
    }

    #[cfg(test)]
    fn n_held(&self) -> usize {
        self.head.len() + self.tail.len()
    }
}

fn last(bytes: &[u8], n: usize) -> &[u8] {
    bytes
        .get(bytes.len().saturating_sub(n)..)
        .unwrap_or_default()
}

/// How many bytes at the end begin a character whose rest is not there.
fn torn_end(bytes: &[u8]) -> usize {
    for (idx, &byte) in bytes.iter().rev().take(3).enumerate() {
        let n_wanted = match byte {
            0x80..0xC0 => continue,
            0xC2..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0..0xF5 => 4,
            _ => return 0,
        };
        return if idx + 1 < n_wanted { idx + 1 } else { 0 };
    }
    0
}

/// Makes text of pieces of bytes, whose ends may tear a character.
#[derive(Default)]
pub(super) struct Decoder {
    torn: Vec<u8>,
}

impl Decoder {
    /// Tells what the piece says; a torn character waits for the next.
    pub(super) fn decode(&mut self, piece: &[u8], hear: &mut dyn FnMut(&str)) {
        let mut bytes = Cow::Borrowed(piece);
        if !self.torn.is_empty() {
            let mut joined = std::mem::take(&mut self.torn);
            joined.extend_from_slice(piece);
            bytes = Cow::Owned(joined);
        }
        let (whole, torn) = bytes.split_at(bytes.len() - torn_end(&bytes));
        self.torn = torn.to_vec();
        if !whole.is_empty() {
            hear(&String::from_utf8_lossy(whole));
        }
    }

    /// Tells what is left once nothing more comes.
    pub(super) fn finish(self, hear: &mut dyn FnMut(&str)) {
        if !self.torn.is_empty() {
            hear(&String::from_utf8_lossy(&self.torn));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_fits_is_held_whole() {
        let mut collector = Collector::new(8);
        for piece in ["ab", "cde", "", "fgh"] {
            collector.take(piece.as_bytes());
        }
        let expected = Collected {
            head: b"abcdefgh".to_vec(),
            n_dropped: 0,
            tail: Vec::new(),
        };
        assert_eq!(collector.finish(), expected);
    }

    #[test]
    fn a_torn_character_is_dropped_with_the_rest() {
        let mut collector = Collector::new(8);
        collector.take("abcé......🦀cd".as_bytes());
        let expected = Collected {
            head: b"abc".to_vec(),
            n_dropped: 10,
            tail: b"cd".to_vec(),
        };
        // Half of the crab was in the tail.
        let mut collected = collector.finish();
        collected.n_dropped -= 2;
        assert_eq!(collected, expected);
    }

    fn pieces() -> impl Strategy<Value = (String, Vec<usize>, usize)> {
        let text = "[a-cé文🦀\n]{0,60}";
        (text, prop::collection::vec(0..12_usize, 0..30), 0..60_usize)
    }

    /// The bytes in pieces of these lengths, and the rest.
    fn split<'a>(mut bytes: &'a [u8], lengths: &[usize]) -> Vec<&'a [u8]> {
        let mut pieces = Vec::new();
        for &n in lengths {
            let (piece, rest) = bytes.split_at(n.min(bytes.len()));
            pieces.push(piece);
            bytes = rest;
        }
        pieces.push(bytes);
        pieces
    }

    proptest! {
        #[test]
        fn the_cap_holds_and_no_character_is_torn((text, lengths, cap) in pieces()) {
            let mut collector = Collector::new(cap);
            for piece in split(text.as_bytes(), &lengths) {
                collector.take(piece);
                prop_assert!(collector.n_held() <= cap);
            }
            let Collected { head, n_dropped, tail } = collector.finish();
            let head = String::from_utf8(head).unwrap();
            let tail = String::from_utf8(tail).unwrap();
            prop_assert!(text.starts_with(&head) && text.ends_with(&tail));
            prop_assert_eq!(head.len() as u64 + n_dropped + tail.len() as u64, text.len() as u64);
            // An odd byte of the cap is nobody's half.
            prop_assert_eq!(n_dropped == 0, text.len() <= cap / 2 * 2);
        }

        #[test]
        fn pieces_say_what_the_whole_says((text, lengths, _) in pieces()) {
            let (mut decoder, mut said) = (Decoder::default(), String::new());
            for piece in split(text.as_bytes(), &lengths) {
                decoder.decode(piece, &mut |text| said.push_str(text));
            }
            decoder.finish(&mut |text| said.push_str(text));
            prop_assert_eq!(said, text);
        }

        #[test]
        fn any_bytes_can_be_told(bytes: Vec<u8>, lengths in prop::collection::vec(0..5_usize, 0..30)) {
            let (mut decoder, mut said) = (Decoder::default(), String::new());
            for piece in split(&bytes, &lengths) {
                decoder.decode(piece, &mut |text| said.push_str(text));
                prop_assert!(decoder.torn.len() <= 3);
            }
            decoder.finish(&mut |text| said.push_str(text));
            prop_assert!(said.len() <= 3 * bytes.len());
        }
    }
}
