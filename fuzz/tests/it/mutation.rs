//! What becomes of an input on its way: cut, spliced, repeated, flipped.

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Nothing grows beyond this.
const MAX_BYTES: usize = 16 * 1024;

/// A seed, changed a few times.
pub(crate) fn mutation(seeds: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let seed = select(seeds);
    let changes = prop::collection::vec(change(seed.clone()), 1..6);
    (seed, changes).prop_map(|(seed, changes)| {
        let changed = changes.iter().fold(seed, |bytes, change| change.of(bytes));
        changed.into_iter().take(MAX_BYTES).collect()
    })
}

/// One change.
#[derive(Debug, Clone)]
enum Change {
    /// The end is gone.
    Cut(Index),
    /// A piece is gone.
    Lose(Index, Index),
    /// A byte is another.
    Flip(Index, u8),
    /// Something stands in between.
    Put(Index, Vec<u8>),
    /// A line stands there many times.
    Repeat(Index, usize),
    /// Another input goes on from here.
    Splice(Index, Vec<u8>, Index),
    /// Two lines have changed places.
    Swap(Index, Index),
}

/// Pieces that mean something to one reader or another.
const PIECES: [&[u8]; 24] = [
    b"\n",
    b"\r\n",
    b"\r",
    b"\0",
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]]",
    b",",
    b":",
    b"@a.md ",
    b"//- ",
    b"---\n",
    b"- ",
    b"```\n",
    b"<!--",
    b"$(",
    b"'",
    b"\xFF",
    b"\xE8\xAE",
    "\u{FEFF}".as_bytes(),
    "\u{202E}\u{1F4A9}".as_bytes(),
];

fn change(seed: impl Strategy<Value = Vec<u8>> + 'static) -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    let piece = prop_oneof![
        4 => select(PIECES.to_vec()).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 1..8),
    ];
    prop_oneof![
        at().prop_map(Change::Cut),
        (at(), at()).prop_map(|(from, to)| Change::Lose(from, to)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Change::Flip(at, byte)),
        (at(), piece).prop_map(|(at, piece)| Change::Put(at, piece)),
        (at(), 2..40_usize).prop_map(|(at, n)| Change::Repeat(at, n)),
        (at(), seed, at()).prop_map(|(at, other, from)| Change::Splice(at, other, from)),
        (at(), at()).prop_map(|(one, two)| Change::Swap(one, two)),
    ]
}

impl Change {
    fn of(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        let place = |at: &Index, bytes: &[u8]| at.index(bytes.len() + 1);
        match self {
            Self::Cut(at) => bytes.truncate(place(at, &bytes)),
            Self::Lose(from, to) => {
                let (from, to) = (place(from, &bytes), place(to, &bytes));
                bytes.drain(from.min(to)..from.max(to));
            }
            Self::Flip(at, byte) => {
                let at = place(at, &bytes);
                if let Some(place) = bytes.get_mut(at) {
                    *place = *byte;
                }
            }
            Self::Put(at, piece) => {
                let at = place(at, &bytes);
                bytes.splice(at..at, piece.iter().copied());
            }
            Self::Repeat(at, n) => {
                let mut lines = lines(&bytes);
                let at = at.index(lines.len());
                let line = lines[at].clone();
                lines.splice(at..at, std::iter::repeat_n(line, *n));
                bytes = lines.concat();
            }
            Self::Splice(at, other, from) => {
                bytes.truncate(place(at, &bytes));
                bytes.extend(&other[place(from, other)..]);
            }
            Self::Swap(one, two) => {
                let mut lines = lines(&bytes);
                let (one, two) = (one.index(lines.len()), two.index(lines.len()));
                lines.swap(one, two);
                bytes = lines.concat();
            }
        }
        bytes
    }
}

/// The lines of an input, with their ends; there is at least one.
fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let lines: Vec<_> = lines.map(<[u8]>::to_vec).collect();
    if lines.is_empty() {
        vec![Vec::new()]
    } else {
        lines
    }
}
