//! What a skill is called: by the words that tell its commands from others.

use super::habits;
use super::mention::is_telling_word;
use super::step::{Step, Word};
use super::word::Kind;
use crate::skill;
use analects_text::shell_line::program_name;

/// A name for a skill that does these steps. `taken` are names that are given already.
pub(super) fn name(before: &str, steps: &[&Step], taken: &[String]) -> String {
    let words: Vec<_> = steps
        .iter()
        .map(|step| telling(step))
        .filter(|word| !word.is_empty())
        .collect();
    unique(before, &words, taken)
}

/// A name for a skill about a program.
pub(super) fn of_program(before: &str, step: &Step, taken: &[String]) -> String {
    let name = program_name(step.program()).to_owned();
    unique(before, &[name], taken)
}

fn unique(before: &str, words: &[String], taken: &[String]) -> String {
    let mut parts = vec![before.to_owned()];
    match words {
        [] => parts.push("project-commands".to_owned()),
        [one] => parts.push(one.clone()),
        [first, .., last] if first == last => parts.push(first.clone()),
        [first, .., last] => parts.extend([first.clone(), "to".to_owned(), last.clone()]),
    }
    let name = kebab(&parts.join("-"));
    let mut unique = name.clone();
    for number in 2.. {
        if !taken.contains(&unique) {
            break;
        }
        unique = format!("{name}-{number}");
    }
    unique
}

/// The part of a command that tells it from others.
fn telling(step: &Step) -> String {
    let program = program_name(step.program());
    let stem = program.split('.').next().unwrap_or(program);
    let head = step.n_head().checked_sub(1).filter(|at| *at > 0);
    let word = head.and_then(|at| step.words.get(at));
    let is_telling = |word: &&Word| word.kind == Kind::Plain && is_telling_word(&word.text);
    let told = word.filter(is_telling).map(|word| word.text.as_str());
    // A program that everybody has is not what tells a command from others.
    let own = || step.plain().find(|word| !habits::is_everyday(word));
    // Nor is the package that it gets.
    let verb = step.plain().next().unwrap_or_default();
    let may_tell = habits::is_known(program) && !habits::gets_packages(program, verb);
    let told = told.or_else(|| own().filter(|_| may_tell));
    if let Some(word) = told {
        let last = word.rsplit('/').next().unwrap_or(word);
        return last.to_owned();
    }
    // A script is called by its name, a program of several things by the one it is told.
    let first = step.plain().next().filter(|word| !word.contains('/'));
    match first.filter(|_| !step.program().contains('/')) {
        Some(word) if word.len() <= 24 => format!("{stem}-{word}"),
        _ => stem.to_owned(),
    }
}

/// A text as small letters, digits and single hyphens, short enough to be a name.
fn kebab(text: &str) -> String {
    const ROOM_FOR_NUMBER: usize = 4;
    let mut name = String::new();
    for c in text.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => name.push(c.to_ascii_lowercase()),
            _ if name.ends_with('-') || name.is_empty() => {}
            _ => name.push('-'),
        }
    }
    name.truncate(skill::MAX_NAME - ROOM_FOR_NUMBER);
    let name = name.trim_matches('-').to_owned();
    match name.is_empty() {
        true => "project-skill".to_owned(),
        false => name,
    }
}

#[cfg(test)]
mod tests {
    use super::super::step::steps;
    use super::*;

    fn named(before: &str, lines: &[&str], taken: &[&str]) -> String {
        let taken: Vec<_> = taken.iter().map(|&name| name.to_owned()).collect();
        let all: Vec<_> = lines
            .iter()
            .flat_map(|line| steps(line, None).steps)
            .collect();
        name(before, &all.iter().collect::<Vec<_>>(), &taken)
    }

    #[test]
    fn names_come_from_the_commands_and_are_names() {
        assert_eq!(
            named("run", &["just gen-api", "pnpm run build:web"], &[]),
            "run-gen-api-to-build-web"
        );
        assert_eq!(
            named("use", &["pnpm install"], &["use-pnpm-install"]),
            "use-pnpm-install-2"
        );
        assert_eq!(named("fix", &["./scripts/seed_db.sh"], &[]), "fix-seed-db");
        assert_eq!(named("use", &["uv add requests"], &[]), "use-uv-add");
        let long = format!("./{} x", "very-".repeat(30));
        for lines in [&["../../x"][..], &[&long], &[]] {
            let name = named("run", lines, &[]);
            assert!(skill::is_name(&name), "{name}");
        }
    }
}
