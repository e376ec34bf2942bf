//! Makes up secrets at run time, so that no file of ours contains a string that looks like a live one.

/// A pattern with its blanks filled in at random.
///
/// `{a36}` stands for 36 letters and digits; see [`alphabet`] for the other kinds, `{uuid}` for a UUID.
pub(crate) fn fill(pattern: &str, random: &mut Random) -> String {
    let mut filled = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        let (blank, after) = after.split_once('}').expect("a blank ends");
        filled.push_str(before);
        if blank == "uuid" {
            filled.push_str(&fill("{h8}-{h4}-4{h3}-a{h3}-{h12}", random));
        } else {
            let (kind, len) = blank.split_at_checked(1).expect("a blank has a kind");
            let len = len.parse().expect("a blank has a length");
            filled.push_str(&random.body(alphabet(kind), len));
        }
        rest = after;
    }
    filled.push_str(rest);
    filled
}

fn alphabet(kind: &str) -> &'static str {
    match kind {
        "a" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "b" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        "d" => "0123456789",
        "h" => "0123456789abcdef",
        "l" => "abcdefghijklmnopqrstuvwxyz0123456789",
        "t" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        "u" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "w" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
        "x" => "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
        _ => panic!("no alphabet `{kind}`"),
    }
}

/// A small generator (splitmix64): the same secrets in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// The first and the last character are letters or digits, as those of most tokens are.
    fn body(&mut self, alphabet: &str, len: usize) -> String {
        let letters: Vec<_> = alphabet.chars().collect();
        let plain: Vec<_> = alphabet
            .chars()
            .filter(|c| c.is_ascii_alphanumeric())
            .collect();
        let pick = |from: &[char], at: u64| from[at as usize % from.len()];
        (0..len)
            .map(|i| {
                let at = self.next();
                let is_end = i == 0 || i + 1 == len;
                pick(if is_end { &plain } else { &letters }, at)
            })
            .collect()
    }
}
