//! Tools at work: idle uses that fill a session, and uses that carry a fact.

use super::fact::{Kind, Language};
use super::frames::{Project, chinese, english, fill};
use super::outputs::{self, Sort};
use super::tools::{Dialect, Ran, Step, ToolUse};
use super::words::Words;

/// A use of a tool that carries a fact.
pub(crate) struct Telling {
    /// The use.
    pub(crate) used: ToolUse,
    /// What must be found again.
    pub(crate) probes: Vec<String>,
    /// What it tells, in a few words.
    pub(crate) said: String,
    /// Whether later uses say it again.
    pub(crate) is_echoed: bool,
}

/// Where tools work: what all of them need to know.
pub(crate) struct Bench<'a> {
    /// Whose tools they are.
    pub(crate) dialect: Dialect,
    /// The files of the project.
    pub(crate) project: Project<'a>,
    /// The plan so far.
    pub(crate) plan: &'a mut Vec<Step>,
    /// No output is much longer.
    pub(crate) max_chars: usize,
}

impl Bench<'_> {
    /// An idle use.
    pub(crate) fn idle(&self, words: &mut Words, talk: Talk) -> ToolUse {
        let n_chars = self.size(words);
        let files = self.project.files;
        let file = files[words.dice.below(files.len())].clone();
        let dir = self.dir(words);
        match (talk, words.dice.below(100)) {
            (Talk::Long, 0..55) => {
                let (old, new) = (outputs::call(words), outputs::call(words));
                let why = why(words);
                self.dialect.edit(&file, (&old, &new), &why)
            }
            (Talk::Long, 55..75) => {
                let text = self.written(n_chars, words);
                self.dialect.write(&file, &text)
            }
            (_, 0..35) => {
                let text = outputs::print(Sort::Source, n_chars, words, files);
                self.dialect.read(&file, &text)
            }
            (_, 35..47) => {
                let name = words.identifier();
                let found = outputs::matches(&name, n_chars.min(6_000), words, files);
                self.dialect.grep(&name, &dir, &found)
            }
            (_, 47..55) => {
                let listing = outputs::listing(&dir, n_chars.min(2_000), words);
                self.dialect.list(&dir, &listing)
            }
            _ => self.idle_command(n_chars, words),
        }
    }

    fn idle_command(&self, n_chars: usize, words: &mut Words) -> ToolUse {
        let (name, why) = (words.tool(), why(words));
        let files = self.project.files;
        let file = &files[words.dice.below(files.len())];
        let (command, sort) = match words.dice.below(6) {
            0 => (format!("cargo test -p {name}"), Sort::Tests),
            1 => ("cargo build".to_owned(), Sort::Build),
            2 => (format!("git diff {file}"), Sort::Diff),
            3 => (format!("tail -n 200 logs/{name}.log"), Sort::Log),
            4 => (format!("./scripts/{name}.sh --json"), Sort::Json),
            _ => (format!("docker logs {name}"), Sort::Log),
        };
        let output = outputs::print(sort, n_chars, words, files);
        self.dialect.shell(Ran {
            command: &command,
            why: &why,
            output: &output,
            exit_code: 0,
        })
    }

    fn size(&self, words: &mut Words) -> usize {
        if self.max_chars < 4_000 {
            return words.dice.between(self.max_chars / 2, self.max_chars);
        }
        let n_chars = match words.dice.below(100) {
            0..30 => words.dice.between(80, 600),
            30..75 => words.dice.between(600, 3_500),
            _ => words.dice.between(3_500, 14_000),
        };
        n_chars.min(self.max_chars)
    }

    /// What a model writes: shorter than what it reads.
    fn written(&self, n_chars: usize, words: &mut Words) -> String {
        let n_chars = n_chars.min(900).min(self.max_chars / 8);
        let text = outputs::print(Sort::Source, n_chars, words, self.project.files);
        let mut n_written = 0;
        let lines = text.lines().take_while(|line| {
            n_written += line.len();
            n_written <= n_chars.max(160)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn dir(&self, words: &mut Words) -> String {
        let dirs = self.project.dirs;
        dirs[words.dice.below(dirs.len())].clone()
    }

    /// A use that carries a fact of this kind.
    pub(crate) fn telling(&mut self, kind: Kind, language: Language, words: &mut Words) -> Telling {
        match (kind, words.dice.below(100)) {
            (Kind::Artifact, at) => self.file(at, language, words),
            (Kind::Recall, at) => self.value(at, language, words),
            (Kind::Continuation, 0..45) => self.outcome(language, words),
            (Kind::Continuation, 45..80) => self.error(language, words),
            (Kind::Continuation, _) => self.step(language, words),
            (Kind::Decision, _) => self.decision(language, words),
        }
    }

    /// A file that is made, changed, deleted or read.
    fn file(&self, at: usize, language: Language, words: &mut Words) -> Telling {
        let path = self.put("{P:path}", language, words).1.remove(0);
        let why = match language {
            Language::English => why(words),
            Language::Chinese => words.chinese_phrase(4),
        };
        let size = words.dice.between(120, 700);
        let text = self.written(size, words);
        let (used, what) = match at {
            0..45 => (self.dialect.write(&path, &text), "created"),
            45..75 => {
                let (old, new) = (outputs::call(words), outputs::call(words));
                (self.dialect.edit(&path, (&old, &new), &why), "modified")
            }
            75..90 => {
                let command = format!("git rm {path}");
                let output = format!("rm '{path}'");
                let ran = self.ran(&command, &why, &output, 0);
                (ran, "deleted")
            }
            _ => (self.dialect.read(&path, &text), "read"),
        };
        Telling {
            used,
            said: format!("{what} {path}"),
            probes: vec![path],
            is_echoed: false,
        }
    }

    /// A value that a command prints: alone, at the end of more, or somewhere inside.
    fn value(&self, at: usize, language: Language, words: &mut Words) -> Telling {
        let frames: &[&str] = match language {
            Language::English => &english::PRINTED,
            Language::Chinese => &chinese::PRINTED,
        };
        let (line, probes) = self.put_one_of(frames, language, words);
        let size = words.dice.between(400, 2_400).min(self.max_chars);
        let around = |words: &mut Words, share: usize| {
            let sort = [Sort::Log, Sort::Build][words.dice.below(2)];
            let text = outputs::print(sort, size * share / 100, words, self.project.files);
            text.trim_end().to_owned()
        };
        let output = match at {
            0..55 => line.clone(),
            55..88 => format!("{}\n{line}", around(words, 100)),
            _ => format!("{}\n{line}\n{}", around(words, 40), around(words, 60)),
        };
        let name = words.tool();
        let command = match words.dice.below(4) {
            0 => format!("./scripts/{name}.sh --show"),
            1 => format!("make {name}"),
            2 => format!("python tools/{name}.py"),
            _ => format!("kubectl describe {name}"),
        };
        let why = why(words);
        Telling {
            used: self.ran(&command, &why, &output, 0),
            said: format!("{command} printed: {line}"),
            probes,
            is_echoed: false,
        }
    }

    /// A command of its own, and in half of the cases the test that failed.
    fn outcome(&self, language: Language, words: &mut Words) -> Telling {
        let what = match language {
            Language::English => words.new_identifier(),
            Language::Chinese => format!("{}{}", words.coin_chinese(), words.coin_chinese()),
        };
        let name = words.tool();
        let command = match words.dice.below(4) {
            0 => format!("cargo test -p {name} {what}"),
            1 => format!("pytest tests/{name}.py -k {what}"),
            2 => format!("npm run check -- --only {what}"),
            _ => format!("./scripts/{name}.sh {what}"),
        };
        let size = words.dice.between(200, 1_800).min(self.max_chars);
        let passed = outputs::print(Sort::Tests, size, words, self.project.files);
        let why = why(words);
        let mut probes = vec![what];
        let used = match words.dice.chance(50) {
            true => self.ran(&command, &why, &passed, 0),
            false => {
                let failed = format!("{}::{}", words.identifier(), words.new_identifier());
                let output = format!(
                    "{}\ntest {failed} ... FAILED\n\ntest result: FAILED. 41 passed; 1 failed; 0 ignored",
                    passed.lines().take(12).collect::<Vec<_>>().join("\n")
                );
                probes.push(failed);
                self.ran(&command, &why, &output, 101)
            }
        };
        Telling {
            used,
            said: format!("ran {command}"),
            probes,
            is_echoed: false,
        }
    }

    /// A line in which a program says what is wrong; all of what it says counts.
    fn error(&self, language: Language, words: &mut Words) -> Telling {
        let frames: &[&str] = match language {
            Language::English => &english::ERRORS,
            Language::Chinese => &chinese::ERRORS,
        };
        let (line, _) = self.put_one_of(frames, language, words);
        let probe = line.split_once('|').map_or(&*line, |(_, after)| after);
        let (probe, line) = (probe.to_owned(), line.replace('|', ""));
        let size = words.dice.between(150, 1_500).min(self.max_chars);
        let before = outputs::print(Sort::Build, size, words, self.project.files);
        let at = format!(
            "  --> {}:{}:9",
            words.identifier(),
            words.dice.between(3, 900)
        );
        let output = format!("{}\n{line}\n{at}", before.trim_end());
        let name = words.tool();
        let command = format!("make {name}");
        let why = why(words);
        Telling {
            used: self.ran(&command, &why, &output, 2),
            said: line,
            probes: vec![probe],
            is_echoed: false,
        }
    }

    /// A step of the plan. The tool is told the whole plan each time, so the step comes up again.
    fn step(&mut self, language: Language, words: &mut Words) -> Telling {
        let frames: &[&str] = match language {
            Language::English => &english::STEPS,
            Language::Chinese => &chinese::STEPS,
        };
        let (text, probes) = self.put_one_of(frames, language, words);
        let n_done = words.dice.below(self.plan.len() + 1);
        for (at, step) in self.plan.iter_mut().enumerate() {
            step.status = match at.cmp(&n_done) {
                std::cmp::Ordering::Less => "completed",
                std::cmp::Ordering::Equal => "in_progress",
                std::cmp::Ordering::Greater => "pending",
            };
        }
        self.plan.push(Step {
            text: text.clone(),
            status: "pending",
        });
        Telling {
            used: self.dialect.plan(self.plan),
            said: format!("planned: {text}"),
            probes,
            is_echoed: true,
        }
    }

    /// A decision that goes into the history of the project.
    fn decision(&self, language: Language, words: &mut Words) -> Telling {
        let frames: &[&str] = match language {
            Language::English => &english::COMMITS,
            Language::Chinese => &chinese::COMMITS,
        };
        let (text, probes) = self.put_one_of(frames, language, words);
        let command = format!("git commit -am \"{text}\"");
        let output = format!(
            "[main {}] {} files changed",
            words.hash(7),
            words.dice.between(2, 9)
        );
        let why = why(words);
        Telling {
            used: self.ran(&command, &why, &output, 0),
            said: format!("committed: {text}"),
            probes,
            is_echoed: false,
        }
    }

    fn ran(&self, command: &str, why: &str, output: &str, exit_code: u8) -> ToolUse {
        self.dialect.shell(Ran {
            command,
            why,
            output,
            exit_code,
        })
    }

    fn put(&self, frame: &str, language: Language, words: &mut Words) -> (String, Vec<String>) {
        self.put_one_of(&[frame], language, words)
    }

    fn put_one_of(
        &self,
        frames: &[&str],
        language: Language,
        words: &mut Words,
    ) -> (String, Vec<String>) {
        let filled = fill(frames, language, words, self.project);
        (filled.text, filled.probes)
    }
}

/// How much a call may say itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Talk {
    /// A path, a pattern, a command.
    Short,
    /// What is written, too.
    Long,
}

fn why(words: &mut Words) -> String {
    let phrase = words.phrase(2);
    match words.dice.below(3) {
        0 => format!("Check the {phrase}."),
        1 => format!("See whether {phrase} holds."),
        _ => format!("Look into {phrase}."),
    }
}
