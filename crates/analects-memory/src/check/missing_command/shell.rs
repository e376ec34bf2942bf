//! What a line typed into a shell would run: a few words each, nothing expanded.

/// The simple commands of a line. What needs a real shell to be understood is left out.
pub(super) fn commands(line: &str) -> Vec<Vec<String>> {
    let line = line.trim();
    let line = ["$ ", "% ", "❯ ", "> "]
        .iter()
        .find_map(|prompt| line.strip_prefix(prompt))
        .unwrap_or(line);
    let mut split = Split::default();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match (split.quote, c) {
            (Some(quote), c) if c == quote => split.quote = None,
            (Some(_), c) => split.word.push(c),
            (None, '\'' | '"') => {
                split.quote = Some(c);
                split.is_word = true;
            }
            (None, '#') if !split.is_word => break,
            (None, '|' | '&' | ';') => {
                split.end_command();
                while chars.next_if(|&c| matches!(c, '|' | '&')).is_some() {}
            }
            (None, '(' | ')') => split.end_command(),
            // What is written to or read from is no argument.
            (None, '>') => {
                split.end_word();
                split.is_over = true;
            }
            (None, c) if c.is_whitespace() => split.end_word(),
            (None, c) => {
                split.word.push(c);
                split.is_word = true;
            }
        }
    }
    split.end_command();
    split.commands
}

#[derive(Default)]
struct Split {
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    word: String,
    is_word: bool,
    quote: Option<char>,
    /// Whether the rest of the command is no argument.
    is_over: bool,
}

/// Words in front of a command that do not change what it is.
const PREFIXES: [&str; 6] = ["sudo", "time", "env", "exec", "command", "!"];

impl Split {
    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if !std::mem::take(&mut self.is_word) || self.is_over {
            return;
        }
        let is_assignment = || {
            let name = word.split_once('=').map(|(name, _)| name);
            name.is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
        };
        if self.words.is_empty() && (PREFIXES.contains(&word.as_str()) || is_assignment()) {
            return;
        }
        self.words.push(word);
    }

    fn end_command(&mut self) {
        self.end_word();
        self.is_over = false;
        let words = std::mem::take(&mut self.words);
        if !words.is_empty() {
            self.commands.push(words);
        }
    }
}

/// Whether a word is a plain name: nothing to be filled in, no pattern.
pub(super) fn is_name(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with(['-', '.'])
        && !word.contains("...")
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '/' | '+'))
        && !super::path_shape::is_placeholder(word)
}

/// The first argument that is no flag. The flags in `with_value` take the next word with them.
pub(super) fn first_plain<'a>(args: &[&'a str], with_value: &[&str]) -> Option<(usize, &'a str)> {
    let mut at = 0;
    while let Some(&arg) = args.get(at) {
        if with_value.contains(&arg) {
            at += 2;
        } else if arg.starts_with('-') {
            at += 1;
        } else {
            return Some((at, arg));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &[&[&str]]) {
        assert_eq!(commands(line), expected, "{line}");
    }

    #[test]
    fn a_line_is_split_into_commands_and_words() {
        check("$ npm run a  # why", &[&["npm", "run", "a"]]);
        check(
            "cd web && npm test | tee x; make",
            &[&["cd", "web"], &["npm", "test"], &["tee", "x"], &["make"]],
        );
        check(
            "A=1 sudo make 'x y' > out.log 2>&1",
            &[&["make", "x y"], &["1"]],
        );
        check("(cd a; make b)", &[&["cd", "a"], &["make", "b"]]);
        check("# nothing", &[]);
        check("echo \"a && b", &[&["echo", "a && b"]]);
    }

    #[test]
    fn names_are_plain() {
        for name in ["build", "test:unit", "ci-1", "a.b"] {
            assert!(is_name(name), "{name}");
        }
        for no_name in [
            "",
            "-x",
            "<target>",
            "$X",
            "test:*",
            "[name]",
            "foo",
            "your-script",
            "…",
        ] {
            assert!(!is_name(no_name), "{no_name}");
        }
    }
}
