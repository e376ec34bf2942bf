//! Conversations made from parts: those that hold the evidence, and many about the same things that do not.

use std::collections::HashMap;
use std::sync::LazyLock;

use analects_session::stamp::Stamp;
use analects_session::transcript::{Head, Kind, Outcome, Role, ToolUse, Transcript, Turn};
use analects_world::Agent;

/// Something that was said, and what is asked about it.
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    pub(crate) language: &'static str,
    pub(crate) prompt: &'static str,
    pub(crate) answer: &'static str,
    pub(crate) questions: Vec<(&'static str, &'static str)>,
}

/// All evidence, in the order of its files.
pub(crate) fn evidence() -> Vec<Evidence> {
    let mut all: Vec<Evidence> = Vec::new();
    for (language, file) in [
        ("english", include_str!("english.txt")),
        ("chinese", include_str!("chinese.txt")),
        ("mixed", include_str!("mixed.txt")),
    ] {
        for line in file.lines() {
            let (mark, rest) = line.split_once(' ').unwrap_or_default();
            match (mark, all.last_mut()) {
                ("P", _) => all.push(Evidence {
                    language,
                    prompt: rest,
                    answer: "",
                    questions: Vec::new(),
                }),
                ("A", Some(last)) => last.answer = rest,
                ("Q", Some(last)) => last.questions.extend(rest.split_once(' ')),
                _ => {}
            }
        }
    }
    all
}

/// A generator of numbers that is the same everywhere.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Session number `no`. With evidence, its two turns stand somewhere inside; the answer says where.
pub(crate) fn session(no: usize, evidence: Option<&Evidence>) -> (Transcript, usize) {
    let mut dice = Dice::new(no as u64 + 1);
    let is_chinese = match evidence {
        Some(evidence) => evidence.language == "chinese",
        None => dice.below(3) == 0,
    };
    let n_pairs = 2 + dice.below(5);
    let at = dice.below(n_pairs + 1);
    let start_ms = 1_740_000_000_000 + dice.below(500) as u64 * 86_400_000;
    let mut turns = Vec::new();
    for pair in 0..=n_pairs {
        let (prompt, answer) = match evidence {
            Some(evidence) if pair == at => {
                (evidence.prompt.to_owned(), evidence.answer.to_owned())
            }
            _ if is_chinese => (fill(&mut dice, list("说")), fill(&mut dice, list("答"))),
            _ => (
                fill(&mut dice, list("prompt")),
                fill(&mut dice, list("answer")),
            ),
        };
        for (role, text) in [(Role::User, prompt), (Role::Model, answer)] {
            let n = turns.len();
            turns.push(Turn {
                id: format!("{no}-{n}"),
                at: Stamp::from_ms(start_ms + n as u64 * 60_000),
                role,
                text,
                attached: Vec::new(),
                tools: if role == Role::Model {
                    tools(&mut dice)
                } else {
                    Vec::new()
                },
                span: n * 100..n * 100 + 99,
            });
        }
    }
    let head = Head {
        agent: dice.pick(&Agent::ALL),
        id: format!("session-{no}"),
        title: None,
        cwd: Some(format!(
            "/home/me/{}",
            dice.pick(&["shop", "api", "web", "tools"])
        )),
        branch: None,
        started: Stamp::from_ms(start_ms),
        updated: turns.last().and_then(|turn: &Turn| turn.at),
        kind: Kind::Main,
    };
    (Transcript { head, turns }, 2 * at)
}

fn tools(dice: &mut Dice) -> Vec<ToolUse> {
    (0..dice.below(3))
        .map(|_| {
            let path = fill(
                dice,
                &[
                    "src/{part}/{verb}_{thing}.rs",
                    "lib/{thing}/{part}.ts",
                    "app/{part}_{thing}.py",
                ],
            );
            let path = path.replace(' ', "_");
            ToolUse {
                name: dice
                    .pick(&["run_shell_command", "read_file", "replace", "Bash", "Edit"])
                    .to_owned(),
                input: fill(
                    dice,
                    &[
                        "cargo test {thing}",
                        "npm run build -- --{part}",
                        "grep -rn {thing} src",
                        "git log --oneline -- {part}",
                    ],
                ),
                output: fill(
                    dice,
                    &[
                        "ok. 14 passed",
                        "error: {thing} not found in {part}",
                        "warning: unused {thing}",
                        "{number} files changed",
                        "Traceback: {part} {symptom}",
                    ],
                ),
                outcome: Outcome::Succeeded,
                paths: vec![format!("/home/me/shop/{path}")],
            }
        })
        .collect()
}

/// A template with its gaps filled.
fn fill(dice: &mut Dice, templates: &[&str]) -> String {
    let template = dice.pick(templates);
    let mut text = String::new();
    for (n, part) in template.split(['{', '}']).enumerate() {
        if n % 2 == 0 {
            text.push_str(part);
            continue;
        }
        let numbers = ["3", "12", "40", "200", "512", "1000"];
        text.push_str(match VOCABULARY.get(part) {
            Some(words) => dice.pick(words),
            None => dice.pick(&numbers),
        });
    }
    text
}

/// The words and templates of a kind.
fn list(kind: &str) -> &'static [&'static str] {
    VOCABULARY.get(kind).map_or(&[], Vec::as_slice)
}

static VOCABULARY: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut lists: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut kind = "";
    for line in include_str!("vocabulary.txt").lines() {
        match line.strip_prefix("= ") {
            Some(next) => kind = next,
            None if line.starts_with('#') || line.is_empty() => {}
            None => {
                let words = line
                    .split(';')
                    .map(str::trim)
                    .filter(|word| !word.is_empty());
                lists.entry(kind).or_default().extend(words);
            }
        }
    }
    lists
});
