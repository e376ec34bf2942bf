//! What a command line could run, for rules that deny or ask.
//!
//! [`shell_line`](analects_text::shell_line) gives up where it is not sure. This reading never does: a word with a
//! variable, a pattern or braces in it is a [`Guess`], which could be any word that fits. So it says too much rather
//! than too little, and nothing is ever allowed by it. It is no shell either: what a variable holds that was not set on
//! the same line, and what programs and files make of their arguments, it does not know.

mod reader;

use analects_text::shell_line::program_name;

pub(super) use reader::commands;

/// A word, as far as one knows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Guess {
    pieces: Vec<Piece>,
    /// Whether it could be several words, or none: a variable outside of quotes.
    splits: bool,
}

/// A part of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// Itself.
    Char(char),
    /// Any character of a name: `?`, `[a-z]`.
    One,
    /// Any characters of a name: `*`.
    Some,
    /// Any text at all: a variable, or what a command prints.
    Any,
}

/// Programs that run the command which follows their options.
const RUNNERS: [&str; 26] = [
    "builtin",
    "caffeinate",
    "chroot",
    "chrt",
    "command",
    "coproc",
    "dbus-run-session",
    "doas",
    "env",
    "eval",
    "exec",
    "fakeroot",
    "ionice",
    "nice",
    "nohup",
    "proot",
    "runuser",
    "setsid",
    "stdbuf",
    "sudo",
    "systemd-run",
    "taskset",
    "timeout",
    "unshare",
    "xargs",
    "xvfb-run",
];

impl Guess {
    /// What it says, if it can be nothing else.
    pub(super) fn known(&self) -> Option<String> {
        let known = |piece: &Piece| match piece {
            Piece::Char(c) => Some(*c),
            Piece::One | Piece::Some | Piece::Any => None,
        };
        self.pieces.iter().map(known).collect()
    }

    /// As it is told where it is not known: without quotes, and with a sign for what is missing.
    fn told(&self) -> String {
        let told = |piece: &Piece| match piece {
            Piece::Char(c) => *c,
            Piece::One => '?',
            Piece::Some => '*',
            Piece::Any => '$',
        };
        self.pieces.iter().map(told).collect()
    }

    /// Whether nothing at all is known of it.
    fn is_blank(&self) -> bool {
        let is_blank = |piece: &Piece| !matches!(piece, Piece::Char(_));
        self.pieces.iter().all(is_blank)
    }

    fn could_be(&self, wanted: &str) -> bool {
        // Names of files are no options; somebody could call one so, and then every `*` would be under suspicion.
        let is_name = matches!(self.pieces.first(), Some(Piece::One | Piece::Some));
        !(is_name && wanted.starts_with('-')) && fits(&self.pieces, wanted)
    }

    /// The same for the name of a program, which may have a path before it.
    fn could_run(&self, wanted: &str) -> bool {
        let after_path = self
            .pieces
            .rsplit(|piece| *piece == Piece::Char('/'))
            .next();
        self.could_be(wanted) || after_path.is_some_and(|name| fits(name, wanted))
    }
}

/// Whether a command could begin with the words of a prefix, itself or where it runs another one.
pub(super) fn could_begin(prefix: &[String], words: &[Guess]) -> bool {
    if begins(prefix, words) {
        return true;
    }
    let name = words.first().and_then(Guess::known).unwrap_or_default();
    if !super::command::is_carrier_name(program_name(&name)) {
        return false;
    }
    let operand = RUNNERS
        .contains(&program_name(&name))
        .then(|| words.iter().skip(1).position(is_operand))
        .flatten();
    (1..words.len()).any(|at| {
        let rest = words.get(at..).unwrap_or_default();
        let is_known = rest.first().is_some_and(|word| !word.is_blank());
        (is_known || operand == Some(at - 1)) && begins(prefix, rest)
    })
}

/// The words of a command in one line, without quotes: as they are, and with the bare name of the program.
pub(super) fn spelt(words: &[Guess]) -> [String; 2] {
    let told: Vec<_> = words.iter().map(Guess::told).collect();
    let whole = told.join(" ");
    let bare = match told.split_first() {
        Some((name, rest)) => {
            let name = program_name(name);
            [&[name.to_owned()], rest].concat().join(" ")
        }
        None => String::new(),
    };
    [whole, bare]
}

fn begins(prefix: &[String], words: &[Guess]) -> bool {
    let mut words = words.iter().peekable();
    for (at, wanted) in prefix.iter().enumerate() {
        let Some(word) = words.next() else {
            return false;
        };
        // One that could be several words could be all that are left. In front of others it stands for the program
        // alone: else nothing that a variable begins could be run any more.
        let could_be_all = word.splits && word.is_blank() && (at > 0 || words.peek().is_none());
        let could_be_one = match at {
            0 => word.could_run(wanted),
            _ => word.could_be(wanted),
        };
        match (could_be_all, could_be_one) {
            (true, _) => return true,
            (false, true) => {}
            (false, false) => return false,
        }
    }
    true
}

/// Whether a word could be the command that a runner runs: no option, no variable that is set, no number.
fn is_operand(word: &Guess) -> bool {
    let told = word.told();
    let is_number = told.starts_with(|c: char| c.is_ascii_digit());
    !told.starts_with('-') && !told.contains('=') && !is_number
}

/// Whether pieces could be a text: by which of its beginnings those so far could be.
fn fits(pieces: &[Piece], wanted: &str) -> bool {
    let wanted: Vec<char> = wanted.chars().collect();
    let mut reached = vec![false; wanted.len() + 1];
    if let Some(start) = reached.first_mut() {
        *start = true;
    }
    for piece in pieces {
        let mut next = vec![false; reached.len()];
        let mut is_open = false;
        for at in 0..reached.len() {
            let was = reached.get(at).copied().unwrap_or(false);
            let before = at.checked_sub(1);
            let c = before.and_then(|before| wanted.get(before)).copied();
            let came = before.and_then(|before| reached.get(before)).copied();
            is_open = match piece {
                Piece::Some if c == Some('/') => was,
                _ => is_open || was,
            };
            let is_reached = match piece {
                Piece::Char(piece) => c == Some(*piece) && came == Some(true),
                Piece::One => c.is_some_and(|c| c != '/') && came == Some(true),
                Piece::Some | Piece::Any => is_open,
            };
            if let Some(slot) = next.get_mut(at) {
                *slot = is_reached;
            }
        }
        reached = next;
    }
    reached.last().copied().unwrap_or(false)
}

#[cfg(test)]
mod tests;
