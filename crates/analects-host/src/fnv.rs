//! FNV-1a: the same in every build, unlike the hasher of the standard library.

/// The hash of nothing.
pub(crate) const START: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of what `start` is the hash of, and then `bytes`.
pub(crate) fn add(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_fnv_1a() {
        assert_eq!(add(START, b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(add(START, b"foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(add(add(START, b"foo"), b"bar"), add(START, b"foobar"));
    }
}
