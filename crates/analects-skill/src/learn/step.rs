//! A command line as steps: its commands, without what varies from run to run.
//!
//! A step is one command, or several that only together do what they did: a pipeline, or a list with an `||`.

mod apart;

use analects_text::shell_line::{Simple, StandsFor, program_name};

use super::habits;
use super::mention;
use super::word::{self, Kind};

pub(crate) use apart::inner_line;
pub(super) use apart::steps;

/// One command that did something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    /// What runs the program, where that is a script.
    pub(super) runner: Option<String>,
    /// The program and its arguments.
    pub(super) words: Vec<Word>,
    /// Variables that it needs; not what they hold.
    pub(super) variables: Vec<String>,
    /// Where in the project it was run, if not at its root.
    pub(super) dir: Option<String>,
    /// What it is to a learner.
    pub(super) class: Class,
    /// Whether it shows that something holds.
    pub(super) is_check: bool,
}

/// One word of a step.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Word {
    /// As it was typed, without quotes.
    pub(super) text: String,
    /// What kind of word it is.
    pub(super) kind: Kind,
    /// Whether it follows the one before without a blank, as the value of an option does.
    pub(super) is_glued: bool,
}

impl Word {
    /// What stands between commands, or before a file that is read or written.
    fn sign(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            kind: Kind::Sign,
            is_glued: false,
        }
    }

    /// Whether another command follows.
    pub(super) fn joins(&self) -> bool {
        self.kind == Kind::Sign && matches!(self.text.as_str(), "|" | "|&" | "||" | "&&")
    }
}

/// What a command is to a learner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Something every agent would do in any project.
    Common,
    /// Something that may belong to this one.
    Own,
}

/// What a line did.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Its commands, those left out that only look.
    pub(super) steps: Vec<Step>,
    /// Whether it does what no skill should hold.
    pub(super) is_reckless: bool,
}

/// How many words of a command are kept.
const MAX_WORDS: usize = 24;

/// Options whose value is nobody's business.
const SECRET_OPTIONS: &[&str] = &[
    "token",
    "password",
    "passwd",
    "secret",
    "key",
    "api-key",
    "apikey",
    "auth",
    "credential",
    "pass",
    "passphrase",
];

/// Ends of options that are written as one word: `-storepass`, `--dbpassword`.
const SECRET_ENDINGS: &[&str] = &[
    "pass",
    "passwd",
    "password",
    "passphrase",
    "secret",
    "token",
];

fn step(command: &Simple, root: Option<&str>) -> Option<Step> {
    let mut words = kept_words(command, root);
    let runner = unwrap(&mut words);
    // A program that is not told is none.
    let first = words.first()?;
    if matches!(first.kind, Kind::Secret | Kind::Text | Kind::Open) {
        return None;
    }
    let program = program_name(&first.text).to_owned();
    if habits::is_look(&program) || is_question(&words, &program) {
        return None;
    }
    let is_plain = |word: &&Word| word.kind == Kind::Plain;
    let mut plain = words.iter().filter(is_plain).map(|word| word.text.as_str());
    let is_known = habits::is_known(&program);
    let address = words.iter().find(|word| word.kind == Kind::Address);
    let is_check = match program.as_str() {
        "git" => false,
        "curl" | "wget" => address.is_some_and(|word| habits::is_check(&word.text)),
        _ => plain.any(|word| habits::is_check(word) || (is_known && habits::is_build(word))),
    };
    let class = match habits::is_common(&program)
        || is_inline(&words, &program)
        || is_package_matter(&words, &program)
    {
        true => Class::Common,
        false => Class::Own,
    };
    Some(Step {
        runner,
        words,
        variables: variables(&command.source),
        dir: None,
        class,
        is_check,
    })
}

/// The words of a command as they are kept: those that may tell a secret by what they stand for only.
fn kept_words(command: &Simple, root: Option<&str>) -> Vec<Word> {
    let mut words = Vec::new();
    let (mut is_secret, mut before) = (false, "");
    for word in command.words.iter().take(MAX_WORDS) {
        let text = inside(&word.text, root);
        let open = word.stands_for == StandsFor::Anything;
        let option = std::mem::replace(&mut before, text);
        // `-Uname%password`, without a blank.
        if let Some((option, value)) = text.split_at_checked(2)
            && is_login(option, value)
        {
            words.push(told(option, Kind::Flag, false));
            words.push(told(value, Kind::Secret, true));
            continue;
        }
        match text.split_once('=').filter(|_| text.starts_with('-')) {
            Some((option, value)) => {
                let kind = match is_secret_option(option) || is_login(option, value) {
                    true => Kind::Secret,
                    false if open => Kind::Open,
                    false => word::kind(value),
                };
                words.push(Word {
                    text: format!("{option}="),
                    kind: Kind::Flag,
                    is_glued: false,
                });
                words.push(told(value, kind, true));
                is_secret = false;
            }
            None => {
                let kind = match word::kind(text) {
                    Kind::Flag => Kind::Flag,
                    _ if is_secret || is_login(option, text) => Kind::Secret,
                    _ if open => Kind::Open,
                    kind => kind,
                };
                is_secret = kind == Kind::Flag && is_secret_option(text);
                words.push(told(text, kind, false));
            }
        }
    }
    for redirection in &command.redirections {
        let text = inside(&redirection.target.text, root);
        let kind = match redirection.target.stands_for {
            StandsFor::Anything => Kind::Open,
            StandsFor::Itself | StandsFor::Names => word::kind(text),
        };
        words.push(Word::sign(&redirection.sign));
        words.push(told(text, kind, false));
    }
    words
}

/// The variables that are set for a command, at most this many.
fn variables(source: &str) -> Vec<String> {
    const MAX_VARIABLES: usize = 8;
    let mut names = Vec::new();
    for written in source.split_whitespace() {
        let Some((name, _)) = written
            .split_once('=')
            .filter(|_| names.len() < MAX_VARIABLES)
        else {
            break;
        };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            break;
        }
        names.push(name.to_owned());
    }
    names
}

/// A word as it is kept: nothing of what may be a secret or a sentence.
fn told(text: &str, kind: Kind, is_glued: bool) -> Word {
    let text = match kind {
        Kind::Secret | Kind::Text | Kind::Open => kind.placeholder().to_owned(),
        _ => text.to_owned(),
    };
    Word {
        text,
        kind,
        is_glued,
    }
}

/// A path of the project as it is called from its root.
fn inside<'a>(word: &'a str, root: Option<&str>) -> &'a str {
    let Some(rest) = root.and_then(|root| word.strip_prefix(root)) else {
        return word;
    };
    match rest.strip_prefix('/') {
        Some(inside) if !inside.is_empty() => inside,
        _ if rest.is_empty() => ".",
        _ => word,
    }
}

/// Takes away what stands before the program that matters: wrappers, and whoever runs a script; that one is answered.
fn unwrap(words: &mut Vec<Word>) -> Option<String> {
    loop {
        let is_wrapped = words
            .first()
            .is_some_and(|word| habits::is_wrapper(program_name(&word.text)));
        if !is_wrapped || words.len() < 2 {
            break;
        }
        words.remove(0);
        while words.len() > 1 && words.first().is_some_and(|word| word.kind != Kind::Plain) {
            words.remove(0);
        }
    }
    let [runner, script, ..] = words.as_slice() else {
        return None;
    };
    let is_script = script.kind == Kind::Plain && has_script_ending(&script.text);
    (habits::is_interpreter(program_name(&runner.text)) && is_script).then(|| words.remove(0).text)
}

/// Whether a word may mean the same every time.
pub(super) fn is_plain(word: &str) -> bool {
    word::kind(word) == Kind::Plain
}

/// Whether a word is called like a script.
pub(crate) fn has_script_ending(word: &str) -> bool {
    [".sh", ".py", ".js", ".mjs", ".ts", ".rb", ".pl", ".bash"]
        .iter()
        .any(|ending| word.ends_with(ending))
}

/// Whether a command only asks a program about itself.
fn is_question(words: &[Word], program: &str) -> bool {
    const GIT_LOOKS: &[&str] = &[
        "blame",
        "branch",
        "config",
        "describe",
        "diff",
        "fetch",
        "grep",
        "log",
        "ls-files",
        "reflog",
        "remote",
        "rev-parse",
        "shortlog",
        "show",
        "status",
        "worktree",
    ];
    let asks =
        words.iter().skip(1).next_back().is_some_and(|word| {
            matches!(word.text.as_str(), "--version" | "--help" | "-h" | "--list")
        });
    let first = words.iter().skip(1).find(|word| word.kind == Kind::Plain);
    let first = first.map_or("", |word| word.text.as_str());
    asks || (program == "git" && GIT_LOOKS.contains(&first))
        || (words.len() == 2 && first == "help")
}

/// Whether a command gets packages, as everybody does.
fn is_package_matter(words: &[Word], program: &str) -> bool {
    let first = words.iter().skip(1).find(|word| word.kind == Kind::Plain);
    first.is_some_and(|word| habits::gets_packages(program, &word.text))
}

/// Whether a command is a program typed in place.
fn is_inline(words: &[Word], program: &str) -> bool {
    let has = |option: &str| words.iter().any(|word| word.text == option);
    habits::is_interpreter(program) && (has("-c") || has("-e") || words.len() == 1)
}

pub(super) fn is_secret_option(option: &str) -> bool {
    let name = option.trim_start_matches('-').to_ascii_lowercase();
    let is_named = |secret: &&str| {
        name == **secret
            || name.ends_with(&format!("-{secret}"))
            || name.ends_with(&format!("_{secret}"))
    };
    let ends = SECRET_ENDINGS.iter().any(|end| name.ends_with(end));
    ends || SECRET_OPTIONS.iter().any(is_named)
}

/// A user with a password behind it, as the value of an option: `-U name%password`, `-u name:password`. Numbers are ids.
pub(super) fn is_login(option: &str, value: &str) -> bool {
    let sign = match option {
        "-U" | "--user" | "--username" => ['%', ':'],
        "-u" => [':', ':'],
        _ => return false,
    };
    let is_id = |part: &str| part.chars().all(|c| c.is_ascii_digit());
    let Some((name, secret)) = value.split_once(sign) else {
        return false;
    };
    let are_ids = is_id(name) && is_id(secret);
    // `rsync -u host:path`
    let is_path = option == "-u" && secret.contains('/');
    !secret.is_empty() && !are_ids && !is_path
}

impl Step {
    /// The program, as everybody calls it.
    pub(super) fn program(&self) -> &str {
        let text = self.words.first().map_or("", |word| word.text.as_str());
        text.strip_prefix("./").unwrap_or(text)
    }

    /// The command as it was typed, but for variables before it and what was taken out.
    pub(super) fn command(&self) -> String {
        let mut line = String::new();
        if let Some(runner) = &self.runner {
            line.push_str(runner);
            line.push(' ');
        }
        for (at, word) in self.words.iter().enumerate() {
            if at > 0 && !word.is_glued {
                line.push(' ');
            }
            line.push_str(&word.text);
        }
        line
    }

    /// What is done, without what it is done with.
    pub(super) fn head(&self) -> String {
        let words = self.words.iter().take(self.n_head());
        let mut head = String::new();
        for word in words {
            if !head.is_empty() && !word.is_glued {
                head.push(' ');
            }
            head.push_str(&word.text);
        }
        head
    }

    /// How many of its words say what is done; what follows says with what. A script does one thing; a program with a
    /// name like any other word is told what to do by the words up to the first that is no word of a language.
    pub(super) fn n_head(&self) -> usize {
        if self.program().contains('/') || has_script_ending(self.program()) {
            return 1;
        }
        // From which file it reads, and what goes on with what it prints, is what it is done with.
        let mut before_sign = self.words.split(|word| word.kind == Kind::Sign);
        let first = before_sign.next().unwrap_or_default();
        let is_value = |at: usize| {
            let before = at.checked_sub(1).and_then(|at| first.get(at));
            before.is_some_and(|word| word.kind == Kind::Flag)
        };
        let telling = |may_be_value: bool| {
            let mut rest = first.iter().enumerate().skip(1);
            rest.find(|(at, word)| {
                let is_telling = word.kind == Kind::Plain && mention::is_telling_word(&word.text);
                is_telling && (may_be_value || !is_value(*at))
            })
        };
        // `run --project tools/x`: where nothing else tells, the value of an option may.
        let found = telling(false).or_else(|| telling(true));
        found.map_or(first.len(), |(at, _)| at + 1)
    }

    /// Its commands: one, unless it is a pipeline or a list.
    pub(super) fn parts(&self) -> impl Iterator<Item = &[Word]> {
        self.words.split(Word::joins)
    }

    /// One of its commands as a step of its own.
    pub(super) fn alone(&self, part: &[Word]) -> Self {
        let mut words = part.to_vec();
        Self {
            runner: unwrap(&mut words),
            words,
            ..self.clone()
        }
    }

    /// Its words that may mean the same every time, the program left out.
    pub(super) fn plain(&self) -> impl Iterator<Item = &str> {
        let rest = self.words.iter().skip(1);
        rest.filter(|word| word.kind == Kind::Plain)
            .map(|word| word.text.as_str())
    }
}

#[cfg(test)]
mod tests;
