//! A language of its own for each seed: words from syllables and characters that nobody has heard before.
//!
//! Most words come from a pool and are used again and again; some are coined for one use, in idle talk as
//! in facts, so that a rare word is no sign of a fact. Two words of the pool that stand side by side in a
//! fact do so nowhere else.

use std::collections::HashSet;

use super::dice::Dice;
use super::frames;

const ONSETS: [&str; 24] = [
    "b", "br", "c", "d", "dr", "f", "g", "gl", "h", "j", "k", "l", "m", "n", "p", "pr", "qu", "r",
    "s", "t", "tr", "v", "w", "z",
];
const NUCLEI: [&str; 9] = ["a", "e", "i", "o", "u", "ai", "ea", "io", "ou"];
const CODAS: [&str; 17] = [
    "", "", "", "", "", "", "l", "m", "n", "r", "s", "x", "nd", "rk", "sh", "st", "th",
];

const N_COMMON: usize = 500;
const N_HANZI: usize = 260;
const N_CHINESE: usize = 360;
const N_TOOLS: usize = 9;
/// How many words of a hundred in idle talk are coined for it alone.
const COINED_PERCENT: usize = 14;

/// The words of a seed.
pub(crate) struct Words {
    /// All chance of a session comes from here.
    pub(crate) dice: Dice,
    onsets: Vec<&'static str>,
    nuclei: Vec<&'static str>,
    codas: Vec<&'static str>,
    hanzi: Vec<char>,
    common: Vec<String>,
    chinese: Vec<String>,
    names: Vec<String>,
    chinese_names: Vec<String>,
    identifiers: Vec<String>,
    coined: HashSet<String>,
    /// With what coined words begin and end.
    ends: HashSet<String>,
    /// Which words of a pool stood side by side, and which must not: they are facts.
    neighbours: HashSet<Neighbours>,
    reserved: HashSet<Neighbours>,
}

/// Two words of a pool: Chinese ones come after the others.
type Neighbours = (usize, usize);

impl Words {
    /// The language of this seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let mut some = |of: &[&'static str], n: usize| {
            let mut all = of.to_vec();
            dice.shuffle(&mut all);
            all.truncate(n);
            all
        };
        let (onsets, nuclei, codas) = (some(&ONSETS, 15), some(&NUCLEI, 6), some(&CODAS, 10));
        let hanzi = hanzi(&mut dice);
        let mut words = Self {
            dice,
            onsets,
            nuclei,
            codas,
            hanzi,
            common: Vec::new(),
            chinese: Vec::new(),
            names: Vec::new(),
            chinese_names: Vec::new(),
            identifiers: Vec::new(),
            coined: HashSet::new(),
            ends: HashSet::new(),
            neighbours: HashSet::new(),
            reserved: HashSet::new(),
        };
        words.common = (0..N_COMMON).map(|_| words.coin()).collect();
        words.chinese = (0..N_CHINESE).map(|_| words.coin_chinese()).collect();
        words.names = (0..8).map(|_| capitalised(&words.coin())).collect();
        words.chinese_names = (0..6).map(|_| words.coin_chinese()).collect();
        words.identifiers = (0..70).map(|_| words.pooled_identifier()).collect();
        words
    }

    /// A word that was never said before.
    pub(crate) fn coin(&mut self) -> String {
        loop {
            let n_syllables = 2 + usize::from(self.dice.chance(25));
            let word: String = (0..n_syllables).map(|_| self.syllable()).collect();
            if (4..=9).contains(&word.len()) && self.is_apart(&word) {
                self.ends.extend(ends(&word).map(str::to_owned));
                self.coined.insert(word.clone());
                return word;
            }
        }
    }

    /// Whether no word begins or ends with this one, nor this one with another: else two words could be
    /// found side by side inside two others.
    fn is_apart(&self, word: &str) -> bool {
        let is_new = !self.coined.contains(word) && !self.ends.contains(word);
        is_new && !ends(word).any(|end| self.coined.contains(end))
    }

    fn syllable(&mut self) -> String {
        let onset = self.onsets[self.dice.below(self.onsets.len())];
        let nucleus = self.nuclei[self.dice.below(self.nuclei.len())];
        let coda = self.codas[self.dice.below(self.codas.len())];
        format!("{onset}{nucleus}{coda}")
    }

    /// The same in Chinese: two characters.
    pub(crate) fn coin_chinese(&mut self) -> String {
        loop {
            let word: String = (0..2)
                .map(|_| self.hanzi[self.dice.below(self.hanzi.len())])
                .collect();
            if self.coined.insert(word.clone()) {
                return word;
            }
        }
    }

    /// A word of the pool; some are said far more often than others.
    pub(crate) fn common(&mut self) -> String {
        let at = self.often(self.common.len());
        self.common[at].clone()
    }

    fn often(&mut self, n: usize) -> usize {
        self.dice.below(n).min(self.dice.below(n))
    }

    /// Idle words with blanks between them.
    pub(crate) fn phrase(&mut self, n_words: usize) -> String {
        let mut said = Vec::new();
        let mut before = None;
        for _ in 0..n_words {
            let at = self.next_after(before, 0, self.common.len());
            said.push(match at {
                Some(at) => self.common[at].clone(),
                None => self.coin(),
            });
            before = at;
        }
        said.join(" ")
    }

    /// Idle Chinese words.
    pub(crate) fn chinese_phrase(&mut self, n_words: usize) -> String {
        let mut said = String::new();
        let mut before = None;
        for _ in 0..n_words {
            let at = self.next_after(before, N_COMMON, self.chinese.len());
            said.push_str(&match at {
                Some(at) => self.chinese[at - N_COMMON].clone(),
                None => self.coin_chinese(),
            });
            before = at;
        }
        said
    }

    /// A word of a pool that may stand after another; `None` is a word that is coined.
    fn next_after(&mut self, before: Option<usize>, start: usize, n: usize) -> Option<usize> {
        if self.dice.chance(COINED_PERCENT) {
            return None;
        }
        loop {
            let at = start + self.often(n);
            let Some(before) = before else {
                return Some(at);
            };
            if !self.reserved.contains(&(before, at)) {
                self.neighbours.insert((before, at));
                return Some(at);
            }
        }
    }

    /// Two plain words that stand side by side here and nowhere else.
    pub(crate) fn pair(&mut self) -> String {
        if self.dice.chance(50) {
            let at = self.often(self.common.len());
            let known = self.common[at].clone();
            return format!("{known} {}", self.coin());
        }
        let (first, second) = self.reserve(0, self.common.len());
        format!("{} {}", self.common[first], self.common[second])
    }

    /// The same in Chinese.
    pub(crate) fn chinese_pair(&mut self) -> String {
        if self.dice.chance(50) {
            let at = self.often(self.chinese.len());
            let known = self.chinese[at].clone();
            return format!("{known}{}", self.coin_chinese());
        }
        let (first, second) = self.reserve(N_COMMON, self.chinese.len());
        let at = |word: usize| &self.chinese[word - N_COMMON];
        format!("{}{}", at(first), at(second))
    }

    fn reserve(&mut self, start: usize, n: usize) -> Neighbours {
        loop {
            let pair = (start + self.dice.below(n), start + self.dice.below(n));
            if !self.neighbours.contains(&pair) && self.reserved.insert(pair) {
                return pair;
            }
        }
    }

    /// Somebody who is spoken of.
    pub(crate) fn name(&mut self) -> String {
        self.names[self.dice.below(self.names.len())].clone()
    }

    /// The same in Chinese.
    pub(crate) fn chinese_name(&mut self) -> String {
        self.chinese_names[self.dice.below(self.chinese_names.len())].clone()
    }

    /// A name from the code that comes up again and again.
    pub(crate) fn identifier(&mut self) -> String {
        let at = self.often(self.identifiers.len());
        self.identifiers[at].clone()
    }

    /// A program, a package or a script of the project: there are few.
    pub(crate) fn tool(&mut self) -> String {
        self.identifiers[self.dice.below(N_TOOLS)].clone()
    }

    fn pooled_identifier(&mut self) -> String {
        let (first, second) = (self.common(), self.common());
        self.joined(&first, &second)
    }

    /// A name from the code that was never seen before.
    pub(crate) fn new_identifier(&mut self) -> String {
        let (first, second) = (self.common(), self.coin());
        match self.dice.below(5) {
            0 => format!("{second}-{}", self.dice.between(10, 99)),
            4 => format!("{first}-{second}"),
            1 => self.joined(&second, &first),
            _ => self.joined(&first, &second),
        }
    }

    fn joined(&mut self, first: &str, second: &str) -> String {
        match self.dice.below(6) {
            0 => format!("{first}{}", capitalised(second)),
            1 => format!("{}{}", capitalised(first), capitalised(second)),
            2 => format!("{}_{}", first.to_uppercase(), second.to_uppercase()),
            _ => format!("{first}_{second}"),
        }
    }

    /// How many of something: five digits, where idle numbers have four.
    pub(crate) fn count(&mut self) -> String {
        loop {
            let count = self.dice.between(10_234, 64_987).to_string();
            if self.coined.insert(count.clone()) {
                return count;
            }
        }
    }

    /// What was measured: three digits before the point and after it, as idle numbers never have.
    pub(crate) fn measure(&mut self) -> String {
        let dice = &mut self.dice;
        format!("{}.{}", dice.between(101, 989), dice.between(101, 989))
    }

    /// A version of something.
    pub(crate) fn version(&mut self) -> String {
        let dice = &mut self.dice;
        format!(
            "v{}.{}.{}",
            dice.between(11, 98),
            dice.between(11, 98),
            dice.between(101, 989)
        )
    }

    /// Where something answers.
    pub(crate) fn address(&mut self) -> String {
        let port = self.count();
        let dice = &mut self.dice;
        match dice.chance(50) {
            true => format!(":{port}"),
            false => format!(
                "10.{}.{}.{}:{port}",
                dice.between(11, 254),
                dice.between(11, 254),
                dice.between(11, 254)
            ),
        }
    }

    /// A hash as tools print them, without long rows of digits.
    pub(crate) fn hash(&mut self, n_digits: usize) -> String {
        let letters = ["a", "b", "c", "d", "e", "f"];
        let digit = |at: usize| match at % 3 {
            0 => self.dice.pick(&letters).to_owned(),
            _ => self.dice.below(10).to_string(),
        };
        (0..n_digits).map(digit).collect()
    }

    /// A path that was never seen before, below one of these directories.
    pub(crate) fn path(&mut self, dirs: &[String]) -> String {
        let dir = dirs[self.dice.below(dirs.len())].clone();
        let (first, second) = (self.common(), self.coin());
        let stem = match self.dice.below(3) {
            0 => second,
            1 => format!("{second}-{first}"),
            _ => format!("{first}_{second}"),
        };
        let extension = self
            .dice
            .pick(&["rs", "ts", "py", "md", "toml", "sql", "json", "sh"]);
        format!("{dir}/{stem}.{extension}")
    }

    /// The same with a Chinese name.
    pub(crate) fn chinese_path(&mut self, dirs: &[String]) -> String {
        let dir = dirs[self.dice.below(dirs.len())].clone();
        let stem = format!("{}{}", self.coin_chinese(), self.coin_chinese());
        let extension = self.dice.pick(&["md", "json", "txt", "csv"]);
        format!("{dir}/{stem}.{extension}")
    }
}

/// The shorter beginnings and ends of a word, down to four letters.
fn ends(word: &str) -> impl Iterator<Item = &str> {
    let begins = (4..word.len()).filter_map(|n| word.get(..n));
    let ends = (1..word.len().saturating_sub(3)).filter_map(|n| word.get(n..));
    begins.chain(ends)
}

/// A word as it begins a sentence or a name.
pub(crate) fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// Characters for made-up words, out of those that are used most: none of those in which sentences are framed.
fn hanzi(dice: &mut Dice) -> Vec<char> {
    let framed: HashSet<char> = frames::chinese::all().flat_map(str::chars).collect();
    let known = include_str!("hanzi.txt").chars();
    let free = known.filter(|c| !c.is_whitespace() && !framed.contains(c));
    let mut free: Vec<_> = free.collect();
    dice.shuffle(&mut free);
    free.truncate(N_HANZI);
    free
}
