//! Which command stands for which other one, where a person names two programs.
//!
//! Who says `use pnpm, not npm` means every command of one and the same command of the other. What was run before and
//! after is told only where it is the same; else the programs are all that was said.

use crate::learn::step::Step;

/// Words by which programs get packages, whatever each of them calls it.
const GET: &[&str] = &["add", "ci", "get", "i", "install", "restore", "sync"];

/// Whether two commands do the same with different programs.
pub(super) fn agree(one: &Step, other: &Step) -> bool {
    let ((verb, rest), (other_verb, other_rest)) = (told(one), told(other));
    let is_verb_same = verb == other_verb;
    let both_get = [verb, other_verb]
        .iter()
        .all(|verb| verb.is_some_and(|verb| GET.contains(&verb)));
    // `pip install -r all.txt` and `uv sync` name what they get in different places.
    let may_differ = both_get && (rest.is_empty() || other_rest.is_empty());
    (is_verb_same || both_get) && (rest == other_rest || may_differ)
}

/// What a program is told to do, and with what. A script is run by its name with or without the word.
fn told(step: &Step) -> (Option<&str>, Vec<&str>) {
    let mut words = step.plain().filter(|word| *word != "run");
    let verb = words.next();
    (verb, words.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::step::steps;

    #[test]
    fn commands_of_two_programs_agree_by_what_they_are_told() {
        let do_agree = |one: &str, other: &str| {
            let step = |line: &str| steps(line, None).steps.remove(0);
            agree(&step(one), &step(other))
        };
        for (one, other) in [
            ("npm ci", "pnpm install"),
            ("npm test", "pnpm test"),
            ("npm run lint", "pnpm lint"),
            ("pip install requests", "uv add requests"),
            ("pip install -r all.txt", "uv sync"),
            ("make", "just"),
        ] {
            assert!(do_agree(one, other), "{one} / {other}");
        }
        for (one, other) in [
            ("npm run lint", "pnpm install"),
            ("npm test", "pnpm run lint"),
            ("pip install requests", "uv add flask"),
            ("npm run lint:web", "pnpm run lint:api"),
        ] {
            assert!(!do_agree(one, other), "{one} / {other}");
        }
    }
}
