//! One word of a command, and whether it would be another one next time.
//!
//! A ticket, a date, a version or a hash belongs to the day on which it was typed. What it stands for belongs to the
//! procedure.

/// What kind of word it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// A word that may mean the same every time.
    Plain,
    /// An option, without its value.
    Flag,
    /// A number.
    Number,
    /// A version.
    Version,
    /// A date or a time.
    Date,
    /// A hash, an id, anything without meaning.
    Hash,
    /// A ticket.
    Ticket,
    /// A branch.
    Branch,
    /// A path outside the project.
    Place,
    /// An address.
    Address,
    /// A sentence.
    Text,
    /// What a variable or another command says.
    Open,
    /// What was taken out.
    Secret,
    /// What stands between two commands, or before a file that is read or written.
    Sign,
}

impl Kind {
    /// What stands in its place.
    pub(super) fn placeholder(self) -> &'static str {
        match self {
            Self::Plain | Self::Flag | Self::Sign => "<name>",
            Self::Number => "<number>",
            Self::Version => "<version>",
            Self::Date => "<date>",
            Self::Hash => "<id>",
            Self::Ticket => "<ticket>",
            Self::Branch => "<branch>",
            Self::Place => "<path>",
            Self::Address => "<url>",
            Self::Text => "<text>",
            Self::Open => "<value>",
            Self::Secret => "[REDACTED]",
        }
    }

    /// Whether a value may be told if it was the same every time.
    pub(super) fn may_be_told(self) -> bool {
        match self {
            Self::Plain
            | Self::Flag
            | Self::Number
            | Self::Version
            | Self::Address
            | Self::Sign => true,
            Self::Date
            | Self::Hash
            | Self::Ticket
            | Self::Branch
            | Self::Place
            | Self::Text
            | Self::Open
            | Self::Secret => false,
        }
    }
}

/// A word longer than this is no name of anything.
const MAX_NAME_BYTES: usize = 120;

/// What kind of word this is. Quotes are gone by now.
pub(super) fn kind(word: &str) -> Kind {
    if word.contains("[redacted") || word.contains("[REDACTED") {
        return Kind::Secret;
    }
    if word.len() > MAX_NAME_BYTES || word.contains(char::is_whitespace) || !word.is_ascii() {
        return Kind::Text;
    }
    if word.starts_with('-') && word.len() > 1 && !is_number(word.trim_start_matches('-')) {
        return Kind::Flag;
    }
    if word.contains("://") || word.starts_with("localhost:") || word.starts_with("127.0.0.1") {
        return Kind::Address;
    }
    if is_date(word) {
        return Kind::Date;
    }
    if is_number(word.trim_start_matches('-')) {
        return Kind::Number;
    }
    if is_version(word) {
        return Kind::Version;
    }
    if is_ticket(word) {
        return Kind::Ticket;
    }
    if is_hash(word) {
        return Kind::Hash;
    }
    if is_branch(word) {
        return Kind::Branch;
    }
    // A label of a build begins with two slashes.
    let is_absolute = word.starts_with('/') && !word.starts_with("//");
    if is_absolute || word.starts_with('~') || word.contains("/tmp/") {
        return Kind::Place;
    }
    Kind::Plain
}

fn is_number(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ':' | ',' | '%' | '_');
    digits > 0
        && word.chars().all(is_part)
        && word.matches('.').count() < 2
        && word.matches(':').count() < 3
        || word
            .strip_suffix(['s', 'm', 'h', 'k', 'M', 'G', 'K'])
            .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
}

fn is_date(word: &str) -> bool {
    let parts: Vec<_> = word.split(['-', '/', 'T', '_', ':', '.']).collect();
    let is_digits = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let is_year =
        |part: &&str| part.len() == 4 && (part.starts_with("20") || part.starts_with("19"));
    let is_whole = parts.len() >= 3
        && parts
            .first()
            .is_some_and(|part| is_digits(part) && is_year(part))
        && parts.iter().take(3).all(is_digits);
    let is_packed = word.len() == 8 && word.starts_with("20") && is_digits(&word);
    is_whole || is_packed
}

fn is_version(word: &str) -> bool {
    let rest = word.strip_prefix(['v', 'V']).unwrap_or(word);
    let number = rest.split(['-', '+']).next().unwrap_or(rest);
    let parts: Vec<_> = number.split('.').collect();
    let is_digits = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let is_dotted = parts.len() >= 2 && parts.iter().all(is_digits);
    is_dotted && (parts.len() >= 3 || rest.len() < word.len())
}

/// Capitals, a hyphen and a number: `OPS-1234`; also `#1234`.
fn is_ticket(word: &str) -> bool {
    if let Some(number) = word.strip_prefix('#') {
        return !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    }
    let Some((name, number)) = word.rsplit_once('-') else {
        return false;
    };
    let is_name = name.len() >= 2
        && name
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        && name.starts_with(|c: char| c.is_ascii_uppercase());
    is_name && number.len() >= 2 && number.chars().all(|c| c.is_ascii_digit())
}

/// What people begin the names of branches with, and something behind it that is no file.
fn is_branch(word: &str) -> bool {
    const STARTS: &[&str] = &[
        "bugfix", "chore", "feat", "feature", "fix", "hotfix", "refactor", "release", "spike",
        "wip",
    ];
    word.split_once('/').is_some_and(|(start, rest)| {
        STARTS.contains(&start) && !rest.is_empty() && !rest.contains('.')
    })
}

fn is_hash(word: &str) -> bool {
    let name = word.rsplit_once("sha256:").map_or(word, |(_, hash)| hash);
    let is_hex = |c: char| c.is_ascii_hexdigit() || c == '-';
    let n_digits = name.chars().filter(char::is_ascii_digit).count();
    let n_letters = name.chars().filter(char::is_ascii_alphabetic).count();
    if name.len() >= 7 && name.chars().all(is_hex) && n_digits >= 2 && n_letters >= 1 {
        return true;
    }
    // Long, and letters and digits in turns: nobody reads that.
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '=' | '/');
    let seams = name
        .as_bytes()
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a.is_ascii_digit() != b.is_ascii_digit()))
        .count();
    name.len() >= 20 && name.chars().all(is_word) && n_digits >= 3 && seams >= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_belong_to_a_day_are_told_from_names() {
        for (kind_wanted, words) in [
            (
                Kind::Plain,
                &[
                    "gen-api",
                    "build:web",
                    "src/a.rs",
                    "deploy/api",
                    "release",
                    "k8s",
                    "utf8",
                    "web2",
                ][..],
            ),
            (Kind::Flag, &["--env", "-p", "--env=prod"]),
            (Kind::Number, &["8080", "3", "1.5", "30s", "-1"]),
            (Kind::Version, &["1.2.3", "v2.0", "v1.4.0-rc.1"]),
            (Kind::Date, &["2026-08-21", "20260821", "2026-08-21T10:00"]),
            (Kind::Ticket, &["OPS-1234", "#77"]),
            (
                Kind::Hash,
                &["9fceb02", "3f2504e0-4f89-11d3-9a0c-0305e82c3301"],
            ),
            (Kind::Branch, &["feature/login-2", "release/locale-728"]),
            (Kind::Place, &["/tmp/x1", "~/notes", "/var/log/app"]),
            (Kind::Address, &["https://example.com/a", "localhost:3000"]),
            (Kind::Text, &["fix the parser", "修复"]),
            (Kind::Secret, &["[redacted: password]"]),
        ] {
            for word in words {
                assert_eq!(kind(word), kind_wanted, "{word}");
            }
        }
    }
}
