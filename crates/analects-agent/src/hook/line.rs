//! The command line of a hook, with `$GEMINI_PROJECT_DIR` and the like filled in.

/// Where a hook runs, for its environment and its command line.
#[derive(Debug, Clone, Copy)]
pub struct Places<'a> {
    /// The project.
    pub project_dir: &'a str,
    /// Where its plans lie.
    pub plans_dir: &'a str,
    /// The working directory.
    pub cwd: &'a str,
    /// The session.
    pub session_id: &'a str,
}

impl<'a> Places<'a> {
    /// The variables by which a hook knows them.
    #[must_use]
    pub fn variables(&self) -> [(&'static str, &'a str); 5] {
        [
            ("GEMINI_PROJECT_DIR", self.project_dir),
            ("GEMINI_PLANS_DIR", self.plans_dir),
            ("GEMINI_CWD", self.cwd),
            ("GEMINI_SESSION_ID", self.session_id),
            ("CLAUDE_PROJECT_DIR", self.project_dir),
        ]
    }
}

const NAMES: [&str; 5] = [
    "GEMINI_PROJECT_DIR",
    "GEMINI_PLANS_DIR",
    "GEMINI_CWD",
    "GEMINI_SESSION_ID",
    "CLAUDE_PROJECT_DIR",
];

/// The line with every place that it names in quotes, so that each is one word whatever stands in it.
///
/// The shell itself puts the value there, from the hook's environment. So a directory with an unfortunate name can never
/// become a part of the command, even where we misread the line.
#[must_use]
pub fn line(command: &str) -> String {
    let mut line = String::with_capacity(command.len() + 16);
    let mut quote = Quote::None;
    let mut rest = command;
    while let Some(c) = rest.chars().next() {
        let named = (quote == Quote::None && c == '$')
            .then(|| reference(rest))
            .flatten();
        let len = match named {
            Some(name) => {
                line.extend(["\"$", name, "\""]);
                name.len() + 1
            }
            None => {
                let len = step(rest, c, &mut quote);
                line.push_str(rest.get(..len).unwrap_or(rest));
                len
            }
        };
        rest = rest.get(len..).unwrap_or_default();
    }
    line
}

/// Inside of which quotes we are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quote {
    None,
    Single,
    Double,
}

/// How far to go on from `c`, and in which quotes that ends.
fn step(rest: &str, c: char, quote: &mut Quote) -> usize {
    *quote = match (*quote, c) {
        (Quote::None, '\'') => Quote::Single,
        (Quote::None, '"') => Quote::Double,
        (Quote::Single, '\'') | (Quote::Double, '"') => Quote::None,
        (same, _) => same,
    };
    let is_escape = c == '\\' && *quote != Quote::Single;
    let escaped = rest.chars().nth(1).filter(|_| is_escape);
    c.len_utf8() + escaped.map_or(0, char::len_utf8)
}

/// The place that is named at the beginning of `rest`, behind a `$`.
fn reference(rest: &str) -> Option<&'static str> {
    let name = rest.strip_prefix('$')?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = name.find(|c| !is_word(c)).unwrap_or(name.len());
    let name = name.get(..end)?;
    NAMES.into_iter().find(|known| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_one_word_wherever_it_is_named() {
        for (command, expected) in [
            ("$GEMINI_PROJECT_DIR/a.sh", "\"$GEMINI_PROJECT_DIR\"/a.sh"),
            (
                "ls $CLAUDE_PROJECT_DIR $GEMINI_CWD",
                "ls \"$CLAUDE_PROJECT_DIR\" \"$GEMINI_CWD\"",
            ),
            ("\"$GEMINI_CWD\"/x", "\"$GEMINI_CWD\"/x"),
            (
                "echo '$GEMINI_CWD' $GEMINI_CWD",
                "echo '$GEMINI_CWD' \"$GEMINI_CWD\"",
            ),
            (
                "echo \\$GEMINI_CWD \\\" $GEMINI_CWD",
                "echo \\$GEMINI_CWD \\\" \"$GEMINI_CWD\"",
            ),
            (
                "${GEMINI_CWD} $GEMINI_CWD_X $HOME $",
                "${GEMINI_CWD} $GEMINI_CWD_X $HOME $",
            ),
            ("文$GEMINI_PLANS_DIR文\\", "文\"$GEMINI_PLANS_DIR\"文\\"),
            ("", ""),
        ] {
            assert_eq!(line(command), expected);
        }
    }

    #[test]
    fn the_names_are_those_of_the_variables() {
        let places = Places {
            project_dir: "p",
            plans_dir: "l",
            cwd: "c",
            session_id: "s",
        };
        assert_eq!(places.variables().map(|(name, _)| name), NAMES);
    }
}
