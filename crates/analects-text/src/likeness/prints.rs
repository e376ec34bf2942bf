//! Prints: words as numbers that stay the same for ever.
//!
//! The upper three bits of a print tell its kind, the rest is a hash. Sorted prints are therefore sorted
//! by kind, and a list of prints can be judged without the text it was made from.

/// What a print stands for. The order is part of the stored format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Numbers, paths, identifiers: agree or differ.
    Exact = 0,
    /// A word or character that is denied, or under a condition.
    Bound = 1,
    Word = 2,
    /// A character of a script without blanks.
    Glyph = 3,
    /// A word that adds little.
    Soft = 4,
    /// Two neighbouring characters.
    Pair = 5,
    /// One thing joined to another, in this order.
    Bond = 6,
    /// Two things said of each other, where others are said of others.
    Parallel = 7,
}

const HASH_BITS: u32 = 29;
const HASH_MASK: u32 = (1 << HASH_BITS) - 1;

/// The print of a hash.
pub(super) fn print(kind: Kind, hash: u32) -> u32 {
    ((kind as u32) << HASH_BITS) | ((hash ^ (hash >> HASH_BITS)) & HASH_MASK)
}

/// The part of sorted `prints` that is of `kind`.
pub(super) fn of_kind(prints: &[u32], kind: Kind) -> &[u32] {
    between(prints, kind, kind)
}

/// The part of sorted `prints` from one kind to another, both included.
pub(super) fn between(prints: &[u32], first: Kind, last: Kind) -> &[u32] {
    let start = prints.partition_point(|print| print >> HASH_BITS < first as u32);
    let end = prints.partition_point(|print| print >> HASH_BITS <= last as u32);
    prints.get(start..end).unwrap_or_default()
}

/// FNV-1a over several pieces.
pub(super) fn hash(pieces: &[&[u8]]) -> u32 {
    let mut hash = 0x811C_9DC5_u32;
    for (i, piece) in pieces.iter().enumerate() {
        // A byte that UTF-8 never has keeps pieces apart.
        let seam: &[u8] = if i == 0 { &[] } else { &[0xFF] };
        for byte in seam.iter().chain(*piece) {
            hash = (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        }
    }
    hash
}

/// What only one of two sorted lists has.
pub(super) fn apart(one: &[u32], other: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let (mut only_one, mut only_other) = (Vec::new(), Vec::new());
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    loop {
        match (one.peek(), other.peek()) {
            (Some(a), Some(b)) if a == b => {
                one.next();
                other.next();
            }
            (Some(a), Some(b)) if a < b => only_one.extend(one.next()),
            (_, Some(_)) => only_other.extend(other.next()),
            (Some(_), None) => only_one.extend(one.next()),
            (None, None) => return (only_one, only_other),
        }
    }
}

/// How many numbers two sorted lists share.
pub(super) fn n_shared(one: &[u32], other: &[u32]) -> usize {
    let (mut i, mut j, mut n) = (0, 0, 0);
    while let (Some(a), Some(b)) = (one.get(i), other.get(j)) {
        i += usize::from(a <= b);
        j += usize::from(b <= a);
        n += usize::from(a == b);
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_fnv_1a() {
        assert_eq!(hash(&[b""]), 0x811C_9DC5);
        assert_eq!(hash(&[b"foobar"]), 0xBF9C_F968);
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
    }

    #[test]
    fn sorted_prints_part_by_kind() {
        let mut prints = vec![
            print(Kind::Parallel, 1),
            print(Kind::Exact, 9),
            print(Kind::Word, 5),
        ];
        prints.sort_unstable();
        assert_eq!(of_kind(&prints, Kind::Word), [print(Kind::Word, 5)]);
        assert_eq!(between(&prints, Kind::Exact, Kind::Glyph).len(), 2);
        assert!(of_kind(&prints, Kind::Bond).is_empty());
    }

    #[test]
    fn lists_are_merged() {
        assert_eq!(apart(&[1, 2, 4], &[2, 3]), (vec![1, 4], vec![3]));
        assert_eq!(n_shared(&[1, 2, 4], &[2, 3, 4]), 2);
    }
}
