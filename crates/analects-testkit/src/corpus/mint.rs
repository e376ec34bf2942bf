//! Names and values that nobody has seen before: words, files, branches, tickets, versions.

use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};

use super::random::Random;

const ONSETS: [&str; 40] = [
    "b", "bl", "br", "ch", "d", "dr", "f", "fl", "fr", "g", "gl", "gr", "h", "j", "k", "kl", "kr",
    "l", "m", "n", "p", "pl", "pr", "qu", "r", "s", "sk", "sl", "sn", "sp", "st", "t", "th", "tr",
    "tw", "v", "vr", "w", "y", "z",
];
const VOWELS: [&str; 9] = ["a", "e", "i", "o", "u", "ai", "ea", "io", "ou"];
const CODAS: [&str; 16] = [
    "", "d", "k", "l", "m", "n", "nd", "ng", "nt", "p", "r", "rk", "s", "sh", "th", "x",
];

const VERBS: [&str; 24] = [
    "sync", "gen", "seed", "pack", "stage", "refresh", "verify", "prep", "lint", "bundle", "warm",
    "rotate", "index", "mirror", "stamp", "audit", "hydrate", "export", "import", "freeze",
    "resolve", "patch", "compile", "probe",
];
const NOUNS: [&str; 30] = [
    "schema",
    "fixtures",
    "types",
    "locale",
    "assets",
    "ledger",
    "tenants",
    "routes",
    "proto",
    "catalog",
    "billing",
    "snapshots",
    "manifest",
    "docs",
    "search",
    "queue",
    "events",
    "rates",
    "themes",
    "policy",
    "mailer",
    "feeds",
    "geo",
    "roles",
    "quota",
    "invoices",
    "flags",
    "cache",
    "tariffs",
    "icons",
];

/// Where made-up things come from. It is a [`Random`] with a memory of what it coined.
#[derive(Debug)]
pub(super) struct Mint {
    random: Random,
    taken: BTreeSet<String>,
    coined: Vec<String>,
    /// Every secret, verbatim.
    secrets: Vec<String>,
    /// Commands that occur once and mean nothing.
    one_offs: Vec<String>,
    /// Which kinds of programs the project at hand uses; none means all.
    tools: Vec<usize>,
    /// Programs that only this project has.
    in_house: Vec<String>,
}

impl Deref for Mint {
    type Target = Random;

    fn deref(&self) -> &Random {
        &self.random
    }
}

impl DerefMut for Mint {
    fn deref_mut(&mut self) -> &mut Random {
        &mut self.random
    }
}

impl Mint {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            taken: BTreeSet::new(),
            coined: Vec::new(),
            secrets: Vec::new(),
            one_offs: Vec::new(),
            tools: Vec::new(),
            in_house: Vec::new(),
        }
    }

    /// All words made up so far.
    pub(super) fn coined(&self) -> &[String] {
        &self.coined
    }

    pub(super) fn keep_secrets(&mut self, bodies: &[String]) {
        self.secrets.extend_from_slice(bodies);
    }

    /// All secrets made up so far.
    pub(super) fn secrets(&self) -> &[String] {
        &self.secrets
    }

    /// The head of a command that occurs once and means nothing.
    pub(super) fn note_one_off(&mut self, head: &str) {
        self.one_offs.push(head.to_owned());
    }

    /// The one-off commands since this was last asked.
    pub(super) fn take_one_offs(&mut self) -> Vec<String> {
        std::mem::take(&mut self.one_offs)
    }

    /// From now on another project is at hand, with other programs.
    pub(super) fn new_project(&mut self) {
        self.in_house = vec![self.word(), self.word()];
        let n_tools = self.between(3, 6);
        self.tools = (0..n_tools).map(|_| self.below(1_000)).collect();
    }

    /// The kind of program to use, of this many.
    pub(super) fn tool(&mut self, n_kinds: usize) -> usize {
        let any = self.below(1_000);
        let tool = match self.tools.len() {
            // Now and then something that the project does not use otherwise.
            n_tools if n_tools > 0 && self.chance(90) => self.tools[any % n_tools],
            _ => any,
        };
        tool % n_kinds
    }

    /// A program that only this project has.
    pub(super) fn in_house(&mut self) -> String {
        match self.in_house.len() {
            0 => self.word(),
            n => self.in_house[self.random.below(n)].clone(),
        }
    }

    /// A word that no language has, and that was not given out before.
    pub(super) fn word(&mut self) -> String {
        loop {
            let mut word = String::new();
            for _ in 0..3 {
                word.push_str(self.pick(&ONSETS));
                word.push_str(self.pick(&VOWELS));
            }
            word.push_str(self.pick(&CODAS));
            if self.taken.insert(word.clone()) {
                self.coined.push(word.clone());
                return word;
            }
        }
    }

    /// The name of a task, as one of `sep`'s style: `sync-schema`, `korpad_ledger`. Given out once.
    ///
    /// Half of them are made of words that everybody uses, so that a name alone tells nothing.
    pub(super) fn task(&mut self, sep: &str) -> String {
        for _ in 0..20 {
            let verb = self.pick(&VERBS);
            let noun = self.pick(&NOUNS);
            let task = match self.below(4) {
                0 => format!("{verb}{sep}{noun}"),
                1 => format!("{noun}{sep}{verb}"),
                2 => format!("{verb}{sep}{}", self.word()),
                _ => format!("{}{sep}{noun}", self.word()),
            };
            // The same words in another spelling would be the same task to a reader.
            let mut words: Vec<_> = task.split(sep).collect();
            words.sort_unstable();
            if self.taken.insert(words.join(" ")) {
                return task;
            }
        }
        format!("{}{sep}{}", self.pick(&VERBS), self.word())
    }

    /// What a workflow is about, in words.
    pub(super) fn subject(&mut self) -> String {
        let word = self.word();
        match self.below(3) {
            0 => format!("the {word} {}", self.pick(&NOUNS)),
            1 => format!("{word} {}", self.pick(&NOUNS)),
            _ => word,
        }
    }

    /// A module, a service, a package.
    pub(super) fn module(&mut self) -> String {
        let noun = self.pick(&NOUNS);
        match self.below(3) {
            0 => noun.to_owned(),
            1 => format!(
                "{noun}_{}",
                self.pick(&["client", "store", "worker", "api"])
            ),
            _ => format!("{}{}", noun, self.pick(&["Service", "Repo", "View", "Job"])),
        }
    }

    /// A file of the project.
    pub(super) fn file(&mut self) -> String {
        let dir = self.pick(&[
            "src",
            "lib",
            "app",
            "internal",
            "pkg/server",
            "src/api",
            "tests",
        ]);
        let end = self.pick(&["rs", "ts", "py", "go", "kt", "ex", "tsx", "java", "rb"]);
        let name = self.module().to_lowercase();
        format!("{dir}/{name}.{end}")
    }

    pub(super) fn branch(&mut self) -> String {
        let kind = self.pick(&["feature", "fix", "chore", "release", "hotfix"]);
        let noun = self.pick(&NOUNS);
        format!("{kind}/{noun}-{}", self.between(2, 999))
    }

    /// A value that is another one each time.
    pub(super) fn value(&mut self, slot: Slot) -> String {
        match slot {
            Slot::Ticket => {
                let key = self.pick(&["OPS", "PAY", "CORE", "WEB", "DATA", "INFRA"]);
                format!("{key}-{}", self.between(100, 9_999))
            }
            Slot::Date => {
                let (month, day) = (self.between(1, 12), self.between(1, 28));
                format!("2026-{month:02}-{day:02}")
            }
            Slot::TmpPath => self.fill("/tmp/run-{l8}/out.json"),
            Slot::Version => {
                let (major, minor, patch) =
                    (self.between(0, 9), self.between(0, 30), self.between(0, 20));
                format!("{major}.{minor}.{patch}")
            }
            Slot::Branch => self.branch(),
            Slot::Port => self.between(3_000, 9_900).to_string(),
            Slot::Hash => self.fill("{h10}"),
            Slot::Number => self.between(2, 500).to_string(),
            Slot::Stage => self
                .pick(&["staging", "prod-eu", "prod-us", "qa", "canary", "preview"])
                .to_owned(),
        }
    }
}

/// What kind of value an argument is, if it differs from time to time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Ticket,
    Date,
    TmpPath,
    Version,
    Branch,
    Port,
    Hash,
    Number,
    Stage,
}

impl Slot {
    pub(super) const ALL: [Self; 9] = [
        Self::Ticket,
        Self::Date,
        Self::TmpPath,
        Self::Version,
        Self::Branch,
        Self::Port,
        Self::Hash,
        Self::Number,
        Self::Stage,
    ];

    /// The flag that takes such a value.
    pub(super) fn flag(self) -> &'static str {
        match self {
            Self::Ticket => "--ticket",
            Self::Date => "--since",
            Self::TmpPath => "--out",
            Self::Version => "--version",
            Self::Branch => "--ref",
            Self::Port => "--port",
            Self::Hash => "--commit",
            Self::Number => "--batch",
            Self::Stage => "--env",
        }
    }
}
