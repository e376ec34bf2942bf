//! Tells bytes from text by their start.

/// How many bytes of a file are enough to tell, those included that only end a character.
pub const SAMPLE_BYTES: usize = SCANNED + 3;

const SCANNED: usize = 512;
/// Before this many bytes nothing is certain.
const HASTE: usize = 32;

/// Marks of Unicode and GB 18030.
const MARKS: [&[u8]; 6] = [
    b"\xEF\xBB\xBF",
    b"\0\0\xFE\xFF",
    b"\xFF\xFE\0\0",
    b"\x84\x31\x95\x33",
    b"\xFE\xFF",
    b"\xFF\xFE",
];

/// Whether a file with this start is no text: a NUL, more than a tenth of strange bytes, or the look of a
/// protocol buffer. The rule is that of the package `isbinaryfile`, which the original asks.
#[must_use]
pub fn is_binary(start: &[u8]) -> bool {
    let sample = start.get(..SAMPLE_BYTES).unwrap_or(start);
    if sample.is_empty() || MARKS.iter().any(|mark| sample.starts_with(mark)) {
        return false;
    }
    if sample.starts_with(b"%PDF-") {
        return true;
    }
    let n_scanned = sample.len().min(SCANNED);
    let (mut at, mut n_strange) = (0, 0);
    while let Some(&byte) = sample.get(at).filter(|_| at < n_scanned) {
        if byte == 0 {
            return true;
        }
        let (len, is_strange) = character(sample, at);
        at += len;
        n_strange += usize::from(is_strange);
        if is_strange && at > HASTE && n_strange * 10 > n_scanned {
            return true;
        }
    }
    n_strange * 10 > n_scanned
        || (n_strange > 1 && is_protocol_buffer(sample.get(..n_scanned).unwrap_or(sample)))
}

/// How long the character at a place is, and whether it is none. A lead byte without what has to follow takes
/// the next byte with it.
fn character(sample: &[u8], at: usize) -> (usize, bool) {
    let byte = sample.get(at).copied().unwrap_or_default();
    let n_following = match byte {
        7..=14 | 32..=127 => return (1, false),
        0xC0..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF7 => 3,
        _ => return (1, true),
    };
    let Some(following) = sample.get(at + 1..=at + n_following) else {
        return (1, true);
    };
    match following.iter().all(|byte| (0x80..0xC0).contains(byte)) {
        true => (1 + n_following, false),
        false => (2, true),
    }
}

/// Whether bytes are fields of a protocol buffer up to their end, and at least one is whole.
fn is_protocol_buffer(bytes: &[u8]) -> bool {
    let mut reader = Reader { rest: Some(bytes) };
    let mut n_fields = 0;
    loop {
        let is_field = reader.field();
        if reader.rest.is_none() {
            return n_fields > 0;
        }
        if !is_field {
            return false;
        }
        n_fields += 1;
    }
}

/// `None` once more was read than there is.
struct Reader<'a> {
    rest: Option<&'a [u8]>,
}

impl Reader<'_> {
    fn field(&mut self) -> bool {
        match self.number() & 0x7 {
            0 => {
                self.number();
            }
            1 => self.skip(8),
            2 => {
                let len = self.number();
                self.skip(usize::try_from(len).unwrap_or(0));
            }
            5 => self.skip(4),
            _ => return false,
        }
        true
    }

    /// A number of up to ten bytes, in the 32 bits that JavaScript has for it.
    fn number(&mut self) -> i32 {
        let mut number = 0_i32;
        for idx in 0..=10_u32 {
            let Some((&byte, rest)) = self.rest.and_then(<[u8]>::split_first) else {
                self.rest = None;
                break;
            };
            self.rest = Some(rest);
            number |= i32::from(byte & 0x7F).wrapping_shl(7 * idx);
            if byte & 0x80 == 0 {
                return number;
            }
        }
        self.rest = None;
        number
    }

    fn skip(&mut self, len: usize) {
        self.rest = self.rest.and_then(|rest| rest.get(len..));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_any_script_is_text() {
        for text in ["", "fn main() {}\n", "记住这个", "🦀🦀🦀", "na\u{EF}ve"] {
            assert!(!is_binary(text.as_bytes()), "{text}");
        }
        // Cut inside a character, as a sample is.
        let long = "记".repeat(400);
        assert!(!is_binary(long.as_bytes().get(..SAMPLE_BYTES).unwrap()));
    }

    #[test]
    fn a_nul_or_many_strange_bytes_are_not() {
        assert!(is_binary(b"a\0b") && is_binary(b"%PDF-1.7"));
        assert!(is_binary(&[0xFF; 40]) && is_binary(b"\x01\x02ab"));
        assert!(!is_binary(b"\xFF\xFEa\0"));
    }
}
