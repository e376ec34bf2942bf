//! The bytes that most tokens are made of.

/// True for ASCII letters, digits, `_` and `-`.
pub(super) fn is_word(byte: u8) -> bool {
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
