//! Chance that comes out the same for the same seed.

/// A small generator (splitmix64): no clock, no environment, the same numbers everywhere.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    /// The numbers of a seed. Seeds that lie side by side begin far apart.
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Self(seed ^ 0x5EED_C0DE_0A0B_0C0D);
        random.next();
        random
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which is not zero.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap();
        usize::try_from(self.next() % limit).unwrap()
    }

    /// A number from `low` to `high`, both possible.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in this many of a hundred cases.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of some, which are not none.
    pub(super) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    /// In another order.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }

    /// `n` different numbers below `limit`, smallest first.
    pub(super) fn some(&mut self, n: usize, limit: usize) -> Vec<usize> {
        let mut all: Vec<_> = (0..limit).collect();
        self.shuffle(&mut all);
        all.truncate(n);
        all.sort_unstable();
        all
    }

    /// A pattern with its blanks filled in: `{a36}` is 36 letters and digits, `{uuid}` a UUID.
    ///
    /// What looks like a live key is made up when it is needed, so that no file of ours contains one.
    pub(super) fn fill(&mut self, pattern: &str) -> String {
        let mut filled = String::new();
        let mut rest = pattern;
        while let Some((before, after)) = rest.split_once('{') {
            let (blank, after) = after.split_once('}').unwrap();
            filled.push_str(before);
            if blank == "uuid" {
                filled.push_str(&self.fill("{h8}-{h4}-4{h3}-a{h3}-{h12}"));
            } else {
                let (kind, len) = blank.split_at_checked(1).unwrap();
                filled.push_str(&self.body(alphabet(kind), len.parse().unwrap()));
            }
            rest = after;
        }
        filled.push_str(rest);
        filled
    }

    /// The first and the last character are letters or digits, as those of most tokens are.
    fn body(&mut self, alphabet: &str, len: usize) -> String {
        let letters = alphabet.as_bytes();
        let mut body = String::with_capacity(len);
        while body.len() < len {
            let is_end = body.is_empty() || body.len() + 1 == len;
            let letter = letters[self.below(letters.len())];
            if !is_end || letter.is_ascii_alphanumeric() {
                body.push(char::from(letter));
            }
        }
        body
    }
}

fn alphabet(kind: &str) -> &'static str {
    match kind {
        "a" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "b" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        "d" => "0123456789",
        "h" => "0123456789abcdef",
        "l" => "abcdefghijklmnopqrstuvwxyz0123456789",
        "n" => "123456789",
        "u" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "w" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
        _ => panic!("no alphabet `{kind}`"),
    }
}
