//! Whether a person names a command: by all of it, or by the words that tell it from others.

use super::cue::ascii_words;
use super::habits;
use super::step::{Step, base};

/// Programs whose names are also words that people use.
const WORDS: &[&str] = &[
    "act", "ant", "black", "buck", "bundle", "dart", "fly", "gem", "go", "hatch", "helm", "invoke",
    "just", "make", "mix", "nix", "node", "packer", "perl", "play", "rake", "ruby", "rush",
    "swift", "task", "turbo", "vagrant", "yarn",
];

/// Where in a text a command is named, if it is.
pub(super) fn mentions(text: &str, step: &Step) -> Option<usize> {
    let line = step.line();
    let collapsed = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.contains(' ')
        && let Some(at) = collapsed.find(&line)
    {
        return Some(at);
    }
    let words: Vec<_> = ascii_words(&collapsed).collect();
    let program = step.program();
    let name = base(program);
    let at = |word: &str| place(&collapsed, word);
    let is_program = |word: &&str| word.trim_start_matches("./") == program || *word == name;
    if !habits::is_known(name) {
        let found = words.iter().find(|word| is_program(word))?;
        return at(found);
    }
    // A program that everybody has is named together with what it is told.
    let telling: Vec<_> = step.plain().filter(|word| is_telling_word(word)).collect();
    if let Some(word) = telling.iter().find(|word| words.contains(word)) {
        return at(word);
    }
    let second = step.plain().next()?;
    let is_pair = words
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if *a == name && *b == second));
    let is_third = words
        .windows(3)
        .any(|three| matches!(three, [a, _, b] if *a == name && *b == second));
    (is_pair || is_third).then(|| at(name)).flatten()
}

/// Whether a text names the program of a command, and means the program.
pub(super) fn names_program(text: &str, step: &Step) -> bool {
    let name = base(step.program());
    !WORDS.contains(&name) && ascii_words(text).any(|word| word == name)
}

/// Whether a command is told from others by what it is called.
pub(super) fn is_telling(step: &Step) -> bool {
    !habits::is_known(base(step.program())) || step.plain().any(is_telling_word)
}

/// Whether a word is no word of a language: `gen:api`, `deploy-web`, `src/x`.
fn is_telling_word(word: &str) -> bool {
    let has_seam =
        word.contains(['-', '_', ':', '/', '.']) || word.chars().any(|c| c.is_ascii_digit());
    word.len() >= 4 && has_seam && !habits::is_everyday(word)
}

fn place(text: &str, word: &str) -> Option<usize> {
    text.find(word)
}

#[cfg(test)]
mod tests {
    use super::super::step::steps;
    use super::*;

    fn is_named(text: &str, line: &str) -> bool {
        let taken = steps(line, None);
        mentions(text, taken.steps.first().unwrap()).is_some()
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
