//! Whether a person names a command: by all of it, or by the words that tell it from others.

use super::cue::ascii_words;
use super::habits;
use super::step::Step;
use analects_text::shell_line::program_name;

/// Programs whose names are also words that people use.
const WORDS: &[&str] = &[
    "act", "ant", "black", "buck", "bundle", "dart", "fly", "gem", "go", "hatch", "helm", "invoke",
    "just", "make", "mix", "nix", "node", "packer", "perl", "play", "rake", "ruby", "rush",
    "swift", "task", "turbo", "vagrant", "yarn",
];

/// A text in which commands are looked for, taken apart once.
pub(super) struct Text<'a> {
    /// As it was written.
    pub(super) written: &'a str,
    /// The same with one blank between words.
    collapsed: String,
}

impl<'a> Text<'a> {
    /// Takes a text apart.
    pub(super) fn new(written: &'a str) -> Self {
        Self {
            written,
            collapsed: written.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }

    /// Where in it a command is named, if it is.
    pub(super) fn mentions(&self, step: &Step) -> Option<usize> {
        let collapsed = self.collapsed.as_str();
        let line = step.command();
        if line.contains(' ')
            && let Some(at) = collapsed.find(&line)
        {
            return Some(at);
        }
        let words = || ascii_words(collapsed);
        let program = step.program();
        let name = program_name(program);
        let at = |word: &str| collapsed.find(word);
        let is_program = |word: &&str| word.trim_start_matches("./") == program || *word == name;
        let said = || words().find(is_program).and_then(at);
        if program.contains('/') {
            return said();
        }
        // A program that does many things is named together with what it is told.
        let telling: Vec<_> = step.plain().filter(|word| is_telling_word(word)).collect();
        if !telling.is_empty() {
            let is_said = |wanted: &&&str| words().any(|word| word == **wanted);
            return telling.iter().find(is_said).and_then(|word| at(word));
        }
        if !habits::is_known(name) {
            return said();
        }
        let second = step.plain().next()?;
        let next_to = |n_between: usize| {
            words()
                .zip(words().skip(n_between + 1))
                .any(|pair| pair == (name, second))
        };
        (next_to(0) || next_to(1)).then(|| at(name)).flatten()
    }
}

/// Whether a text names the program of a command, and means the program.
pub(super) fn names_program(text: &str, step: &Step) -> bool {
    let name = program_name(step.program());
    !WORDS.contains(&name) && ascii_words(text).any(|word| program_name(word) == name)
}

/// Where a text names a file, if it does: by its path, or by a name that is no word.
pub(super) fn names_file(text: &str, path: &str) -> Option<usize> {
    let name = program_name(path);
    let by_name = || {
        text.find(name)
            .filter(|_| name.len() >= 6 && name.contains('.'))
    };
    text.find(path).or_else(by_name)
}

/// The words that tell a command from others: its program, unless everybody has it, and those that are no words of a
/// language.
pub(super) fn telling(step: &Step) -> impl Iterator<Item = &str> {
    let program = step.program();
    let own = (!habits::is_known(program_name(program))).then_some(program);
    own.into_iter()
        .chain(step.plain().filter(|word| is_telling_word(word)))
}

/// Whether a word is no word of a language: `gen:api`, `deploy-web`, `src/x`.
pub(super) fn is_telling_word(word: &str) -> bool {
    let has_seam =
        word.contains(['-', '_', ':', '/', '.']) || word.chars().any(|c| c.is_ascii_digit());
    word.len() >= 4 && has_seam && !habits::is_everyday(word)
}

#[cfg(test)]
mod tests {
    use super::super::step::steps;
    use super::*;

    fn is_named(text: &str, line: &str) -> bool {
        let taken = steps(line, None);
        let step = taken.steps.first().unwrap();
        Text::new(text).mentions(step).is_some()
    }

    #[test]
    fn commands_are_named_by_what_tells_them_apart() {
        assert!(is_named("no, use `just gen-api` please", "just gen-api"));
        assert!(is_named("不对，应该用pnpm run build", "pnpm run build"));
        assert!(is_named(
            "run ./scripts/seed.sh first",
            "scripts/seed.sh users"
        ));
        assert!(is_named("use kestrel instead", "kestrel sync --all"));
        assert!(!is_named("no, just make it shorter", "just gen-api"));
        assert!(!is_named("no, just make it shorter", "make test"));
        assert!(!is_named("the test is wrong", "cargo test"));
    }

    #[test]
    fn a_program_is_named_unless_its_name_is_a_word() {
        let of = |line: &str| steps(line, None).steps.remove(0);
        assert!(names_program(
            "别用 npm，这个仓库用 pnpm",
            &of("npm install")
        ));
        assert!(!names_program("just make it work", &of("make all")));
    }
}
