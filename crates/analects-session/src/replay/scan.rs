//! A JSON scanner that finds spans and builds nothing.
//!
//! One pass tells where the values of a line stand and whether the line is JSON at all. What nobody asked
//! for is skipped, but not unread: a torn line must not pass. Nothing recurses with the input.

use memchr::memchr_iter;

/// Where a value stands in the text of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Span {
    /// What stands there.
    pub(crate) fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// The text is no JSON from here on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Broken;

/// A place in a text that should be JSON.
pub(crate) struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The brackets that are open inside the value being skipped. Kept for its memory.
    open: &'a mut Vec<u8>,
}

impl<'a> Scan<'a> {
    /// Looks at `span` of `bytes`. Whoever scans many lines lends the same `open` each time.
    pub(crate) fn new(bytes: &'a [u8], span: Span, open: &'a mut Vec<u8>) -> Self {
        let bytes = bytes.get(..span.end).unwrap_or(bytes);
        let at = span.start.min(bytes.len());
        Self { bytes, at, open }
    }

    /// The next byte that is not blank.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.bytes.get(self.at) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    /// Nothing may follow.
    pub(crate) fn end(&mut self) -> Result<(), Broken> {
        self.peek().map_or(Ok(()), |_| Err(Broken))
    }

    /// Walks over an object; `field` is told each name, quotes included, and must walk over its value.
    pub(crate) fn object(
        &mut self,
        mut field: impl FnMut(&mut Self, Span) -> Result<(), Broken>,
    ) -> Result<Span, Broken> {
        self.peek();
        let start = self.at;
        self.expect(b'{')?;
        if self.peek() != Some(b'}') {
            loop {
                let name = self.name()?;
                field(self, name)?;
                if self.peek() != Some(b',') {
                    break;
                }
                self.at += 1;
            }
        }
        self.expect(b'}')?;
        let end = self.at;
        Ok(Span { start, end })
    }

    /// Walks over an array; `item` must walk over each of its values.
    pub(crate) fn array(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        self.expect(b'[')?;
        if self.peek() != Some(b']') {
            loop {
                item(self)?;
                if self.peek() != Some(b',') {
                    break;
                }
                self.at += 1;
            }
        }
        self.expect(b']')
    }

    /// Walks over one value, however deep.
    pub(crate) fn value(&mut self) -> Result<Span, Broken> {
        self.open.clear();
        self.peek();
        let start = self.at;
        loop {
            if self.enter()? {
                continue;
            }
            if !self.leave()? {
                let end = self.at;
                return Ok(Span { start, end });
            }
        }
    }

    /// Walks to the end of a plain value, or into a bracket: then another value must follow.
    fn enter(&mut self) -> Result<bool, Broken> {
        match self.peek().ok_or(Broken)? {
            b'"' => self.string().map(|_| false),
            b'{' => {
                self.at += 1;
                if self.peek() == Some(b'}') {
                    self.at += 1;
                    return Ok(false);
                }
                self.open.push(b'}');
                self.name().map(|_| true)
            }
            b'[' => {
                self.at += 1;
                if self.peek() == Some(b']') {
                    self.at += 1;
                    return Ok(false);
                }
                self.open.push(b']');
                Ok(true)
            }
            b'-' | b'0'..=b'9' => self.number().map(|()| false),
            b't' => self.word(b"true").map(|()| false),
            b'f' => self.word(b"false").map(|()| false),
            b'n' => self.word(b"null").map(|()| false),
            _ => Err(Broken),
        }
    }

    /// Walks out of all brackets that end here. Whether another value must follow.
    fn leave(&mut self) -> Result<bool, Broken> {
        while let Some(&close) = self.open.last() {
            let found = self.peek().ok_or(Broken)?;
            self.at += 1;
            if found == close {
                self.open.pop();
                continue;
            }
            if found != b',' {
                return Err(Broken);
            }
            if close == b'}' {
                self.name()?;
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// The name of a field and the colon after it.
    fn name(&mut self) -> Result<Span, Broken> {
        self.peek();
        let name = self.string()?;
        self.expect(b':')?;
        Ok(name)
    }

    fn string(&mut self) -> Result<Span, Broken> {
        let start = self.at;
        if self.bytes.get(start) != Some(&b'"') {
            return Err(Broken);
        }
        let mut at = start + 1;
        let mut may_leap = true;
        loop {
            if may_leap && at - start > SHORT {
                if let Some(end) = self.leap(at) {
                    self.at = end;
                    return Ok(Span { start, end });
                }
                may_leap = false;
            }
            if let Some(word) = self.bytes.get(at..at + 8).and_then(<[u8]>::first_chunk) {
                let n_plain = n_plain(*word);
                at += n_plain;
                if n_plain == 8 {
                    continue;
                }
            }
            match self.bytes.get(at).ok_or(Broken)? {
                b'"' => {
                    let end = at + 1;
                    self.at = end;
                    return Ok(Span { start, end });
                }
                b'\\' => at += self.n_escaped(at + 1)?,
                0..0x20 => return Err(Broken),
                _ => at += 1,
            }
        }
    }

    /// The end of a long string, if nothing in it from `at` on needs a closer look: control characters, rare
    /// escapes, and most of what follows a backslash that was escaped itself.
    fn leap(&self, at: usize) -> Option<usize> {
        let rest = self.bytes.get(at..)?;
        let n_bytes = memchr_iter(b'"', rest).find(|&quote| {
            let before = rest.iter().take(quote).rev();
            before.take_while(|&&byte| byte == b'\\').count() % 2 == 0
        })?;
        let (plain, _) = rest.split_at(n_bytes);
        (!needs_care(plain)).then_some(at + n_bytes + 1)
    }

    /// How long an escape is, its backslash included.
    fn n_escaped(&self, at: usize) -> Result<usize, Broken> {
        match self.bytes.get(at) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(2),
            Some(b'u') => {
                let digits = self.bytes.get(at + 1..at + 5).ok_or(Broken)?;
                let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
                is_hex.then_some(6).ok_or(Broken)
            }
            _ => Err(Broken),
        }
    }

    fn number(&mut self) -> Result<(), Broken> {
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        match self.bytes.get(self.at) {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Broken> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(Broken) }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), Broken> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if !rest.starts_with(word) {
            return Err(Broken);
        }
        self.at += word.len();
        Ok(())
    }

    fn expect(&mut self, byte: u8) -> Result<(), Broken> {
        if self.peek() != Some(byte) {
            return Err(Broken);
        }
        self.at += 1;
        Ok(())
    }
}

/// Strings up to this length are walked over at once; to look for their ends first would not pay.
const SHORT: usize = 32;

fn needs_care(plain: &[u8]) -> bool {
    // The first byte has no byte before it; whatever stands there cannot end an escape.
    let is_odd = plain.first().is_some_and(|&byte| byte < 0x20);
    let pairs = plain.iter().zip(plain.get(1..).unwrap_or_default());
    // Folded, not searched: this way the compiler looks at many bytes at a time. Of the escapes only those
    // that are common are known here.
    pairs.fold(is_odd, |is, (&byte, &next)| {
        let is_simple =
            (next == b'n') | (next == b'"') | (next == b'\\') | (next == b't') | (next == b'r');
        is | (next < 0x20) | ((byte == b'\\') & !is_simple)
    })
}

/// How many of eight bytes mean themselves in a string: those before a quote, a backslash or a control
/// character.
fn n_plain(word: [u8; 8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = ONES << 7;
    // All at once: a byte's highest bit tells that it is one of those. A carry may tell so of a later byte
    // too, never of an earlier one.
    let word = u64::from_le_bytes(word);
    let is_zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let quote = is_zero(word ^ (ONES * u64::from(b'"')));
    let backslash = is_zero(word ^ (ONES * u64::from(b'\\')));
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let found = (quote | backslash | control) & HIGHS;
    found.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::de::IgnoredAny;

    use super::*;

    fn is_json(text: &str) -> bool {
        let (start, end) = (0, text.len());
        let mut open = Vec::new();
        let mut scan = Scan::new(text.as_bytes(), Span { start, end }, &mut open);
        scan.value().is_ok() && scan.end().is_ok()
    }

    #[test]
    fn a_million_brackets_are_walked_over() {
        let deep = "[{\"a\":".repeat(1_000_000);
        assert!(!is_json(&deep));
        assert!(is_json(&format!("{deep}1{}", "}]".repeat(1_000_000))));
    }

    proptest! {
        #[test]
        fn long_strings_are_json_where_serde_says_so(parts in prop::collection::vec(prop::sample::select(vec!["abcdefgh", "\\n", "\\\\", "\\\"", "\\u00e9", "\\x", "\\", "\t", "é", "\"", "\\u12"]), 0..24)) {
            let text = format!("[\"{}{}\",1]", "a".repeat(30), parts.concat());
            let theirs = serde_json::from_str::<IgnoredAny>(&text).is_ok();
            prop_assert_eq!(is_json(&text), theirs, "{}", text);
        }

        #[test]
        fn what_is_json_is_what_serde_says(text in r#"([\[\]{}:, "\\]|"a"|\\u00e9|\\ud800|[0-9]|-|\.|e|\+|true|null|fals|\t|\r|é){0,16}"#) {
            let theirs = serde_json::from_str::<IgnoredAny>(&text).is_ok();
            prop_assert_eq!(is_json(&text), theirs, "{}", text);
        }

        #[test]
        fn damaged_json_is_json_where_serde_says_so(at in 0usize..90, byte in prop::sample::select(br#"{}[]",:\ 0-e.tu"#.to_vec())) {
            let mut text = r#"{"a":[1,-2.5e+3,0,true,null,{"b":"c\n\u00e9\"d"},[],{}],"c":false,"":""}"#.as_bytes().to_vec();
            let at = at % text.len();
            text[at] = byte;
            let text = String::from_utf8(text).unwrap();
            let theirs = serde_json::from_str::<IgnoredAny>(&text).is_ok();
            prop_assert_eq!(is_json(&text), theirs, "{}", text);
        }
    }
}
