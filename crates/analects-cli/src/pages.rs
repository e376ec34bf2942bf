//! Completion scripts and manual pages, both generated from the commands.

use analects_engine::verbs::Failure;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::args::Cli;

/// The completion script for a shell.
pub(crate) fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "analects", &mut script);
    script
}

/// The page of a command, named as it is typed; that of the program itself if nothing is named.
pub(crate) fn page(words: &[String]) -> Result<Vec<u8>, Failure> {
    let all = commands();
    let mut described = &all;
    for word in words {
        described = described
            .find_subcommand(word)
            .ok_or_else(|| unknown(words, described))?;
    }
    let mut page = Vec::new();
    Man::new(described.clone())
        .source(format!("Analects {}", env!("CARGO_PKG_VERSION")))
        .manual("Analects Manual")
        .render(&mut page)
        .map_err(|error| Failure::failed(format!("cannot write the page: {error}")))?;
    Ok(page)
}

/// Every command that has a page, one per line, as it is typed.
pub(crate) fn described() -> String {
    let mut lines = String::new();
    let mut todo = vec![commands()];
    while let Some(command) = todo.pop() {
        lines.push_str(command.get_bin_name().unwrap_or(command.get_name()));
        lines.push('\n');
        let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
        let at = todo.len();
        todo.extend(shown.cloned());
        todo[at..].reverse();
    }
    lines
}

/// All commands; `help` aside, which is the same text once more.
fn commands() -> Command {
    let mut all = without_help(Cli::command());
    all.build();
    all
}

fn without_help(command: Command) -> Command {
    command
        .disable_help_subcommand(true)
        .mut_subcommands(without_help)
}

fn unknown(words: &[String], described: &Command) -> Failure {
    let known: Vec<_> = described.get_subcommands().map(Command::get_name).collect();
    let failure = Failure::bad_input(format!("there is no command `{}`", words.join(" ")));
    match known.as_slice() {
        [] => failure,
        _ => failure.hint(format!("known here: {}", known.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::ValueEnum;

    use super::*;

    /// Every command that is not hidden, by the words one types after `analects`.
    fn all(command: &Command, words: &[String], found: &mut Vec<(Vec<String>, Command)>) {
        found.push((words.to_vec(), command.clone()));
        for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
            let longer = [words, &[sub.get_name().to_owned()]].concat();
            all(sub, &longer, found);
        }
    }

    fn every_command() -> Vec<(Vec<String>, Command)> {
        let mut found = Vec::new();
        all(&Cli::command(), &[], &mut found);
        assert!(found.len() > 40, "{} commands", found.len());
        found
    }

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn every_command_has_a_page_that_tells_all_its_options() {
        let mut typed = Vec::new();
        for (words, command) in every_command() {
            let page = text(page(&words).unwrap()).replace("\\-", "-");
            let command_line = [&["analects".to_owned()][..], &words].concat();
            let name = command_line.join("-");
            assert!(page.contains(&format!(".TH {name} 1 ")), "{name}: {page}");
            let about = command.get_about().map(ToString::to_string);
            let about = about.unwrap_or_else(|| panic!("{name} says nothing of itself"));
            let about = about.split(['\'', '\n']).next().unwrap_or_default();
            assert!(page.contains(about), "{name}: {page}");
            for option in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
                let long = option.get_long().map(|long| format!("--{long}"));
                let shown =
                    long.unwrap_or_else(|| option.get_value_names().unwrap()[0].to_string());
                assert!(page.contains(&shown), "{name}: {shown}\n{page}");
            }
            typed.push(command_line.join(" "));
        }
        let described = described();
        assert_eq!(described.lines().collect::<Vec<_>>(), typed);
    }

    #[test]
    fn no_page_names_one_that_is_not_there() {
        let names = described().replace(' ', "-");
        let names: BTreeSet<_> = names.lines().collect();
        let mut n_named = 0;
        for (words, _) in every_command() {
            let page = text(page(&words).unwrap()).replace("\\-", "-");
            let named = page.lines().filter_map(|line| line.strip_suffix("(1)"));
            for name in named.filter(|name| name.starts_with("analects")) {
                assert!(names.contains(name), "{words:?} names {name}");
                n_named += 1;
            }
        }
        assert_eq!(n_named, names.len() - 1, "all but the first are named once");
    }

    #[test]
    fn every_shell_can_complete_every_command_and_option() {
        for shell in Shell::value_variants() {
            let script = text(completions(*shell));
            for (words, command) in every_command() {
                let word = words.last().map_or("analects", String::as_str);
                assert!(script.contains(word), "{shell}: {word}");
                for option in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
                    let long = option.get_long().unwrap_or_default();
                    assert!(script.contains(long), "{shell}: {words:?} --{long}");
                }
            }
        }
    }

    #[test]
    fn a_page_that_is_not_there_names_those_that_are() {
        let failure = page(&["memory".to_owned(), "nap".to_owned()]).unwrap_err();
        assert_eq!(failure.message, "there is no command `memory nap`");
        assert!(failure.hints[0].contains("list"), "{:?}", failure.hints);
        let failure = page(&["doctor".to_owned(), "nap".to_owned()]).unwrap_err();
        assert!(failure.hints.is_empty(), "{:?}", failure.hints);
    }
}
