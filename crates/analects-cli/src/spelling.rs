//! Command lines that the parser does not take as they stand, though anybody would know what is meant.
//!
//! They are looked at when the parser has failed, and then parsed like any other.

use std::ffi::{OsStr, OsString};

use clap::{Arg, CommandFactory};

use crate::args::Cli;

/// A noun alone shows what there is, as it does in the chat.
pub(crate) fn completed(args: &[OsString]) -> Option<Vec<OsString>> {
    let words = words(args);
    let names: Vec<_> = words.iter().filter_map(|(_, word)| word.to_str()).collect();
    let verb = match &*names {
        ["memory" | "trust" | "config"] => "show",
        ["session" | "sessions" | "skill" | "skills"] | ["memory", "inbox"] => "list",
        _ => return None,
    };
    let (last, _) = words.last()?;
    let mut args = args.to_vec();
    args.insert(last + 1, verb.into());
    Some(args)
}

/// A fact to remember, or what is searched for, may stand there without quotes: all words that are no flags are one text, as
/// in the chat.
pub(crate) fn joined(args: &[OsString]) -> Option<Vec<OsString>> {
    let words = words(args);
    let names: Vec<_> = words.iter().filter_map(|(_, word)| word.to_str()).collect();
    let cli = Cli::command();
    let (at, command) = match &*names {
        ["remember", ..] => (words.first()?.0, cli.find_subcommand("remember")?),
        ["memory", verb @ ("add" | "search"), ..] => {
            let memory = cli.find_subcommand("memory")?;
            (words.get(1)?.0, memory.find_subcommand(verb)?)
        }
        _ => return None,
    };
    let is_followed = |flag: &str| {
        let mut known = command.get_arguments();
        let is_it = |arg: &Arg| match flag.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            None => arg
                .get_short()
                .is_some_and(|short| flag == format!("-{short}")),
        };
        known.any(|arg| is_it(arg) && arg.get_action().takes_values())
    };
    let (before, after) = args.split_at_checked(at + 1)?;
    let (mut args, mut text) = (before.to_vec(), Vec::new());
    let mut after = after.iter();
    while let Some(arg) = after.next() {
        let word = arg.to_str()?;
        if word == "--" {
            text.extend(after.by_ref().filter_map(|word| word.to_str()));
        } else if word.starts_with('-') {
            args.push(arg.clone());
            if takes_value(arg) || is_followed(word) {
                args.push(after.next()?.clone());
            }
        } else {
            text.push(word);
        }
    }
    args.extend(["--".into(), text.join(" ").into()]);
    Some(args)
}

/// The words of a command line that are neither flags nor values of our global flags, with their places.
pub(crate) fn words(args: &[OsString]) -> Vec<(usize, &OsStr)> {
    let mut words = Vec::new();
    let mut args = args.iter().enumerate().skip(1);
    while let Some((at, arg)) = args.next() {
        if takes_value(arg) {
            args.next();
        } else if !arg.as_encoded_bytes().starts_with(b"-") {
            words.push((at, arg.as_os_str()));
        }
    }
    words
}

/// Whether the next word is the value of this flag, and no command: `analects -p hook` asks a model.
fn takes_value(arg: &OsStr) -> bool {
    let Some(flag) = arg.to_str().and_then(|arg| arg.strip_prefix('-')) else {
        return false;
    };
    match flag.strip_prefix('-') {
        Some(long) => LONG.contains(&long),
        // In `-qp` it does for the `p`; in `-pq` the `q` is its value already.
        None => flag.find(SHORT).is_some_and(|at| at + 1 == flag.len()),
    }
}

/// The flags before a command that take a value.
const LONG: [&str; 11] = [
    "cwd",
    "home",
    "color",
    "prompt",
    "model",
    "resume",
    "output-format",
    "approval-mode",
    "max-turns",
    "ide-context",
    "include-directories",
];

/// Those of them that have a short form.
const SHORT: [char; 4] = ['p', 'm', 'r', 'o'];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, expected: Option<&str>) {
        let args: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
        let meant = completed(&args).or_else(|| joined(&args));
        let meant = meant.map(|args| args.join(OsStr::new("|")));
        assert_eq!(meant.as_deref(), expected.map(OsStr::new));
    }

    #[test]
    fn a_noun_alone_has_a_verb() {
        check(
            "analects --home x memory",
            Some("analects|--home|x|memory|show"),
        );
        check(
            "analects sessions --all",
            Some("analects|sessions|list|--all"),
        );
        check("analects memory inbox", Some("analects|memory|inbox|list"));
        check("analects memory lst", None);
        check("analects setup", None);
    }

    #[test]
    fn a_fact_needs_no_quotes() {
        check(
            "analects -q remember I like --to global tea --yes",
            Some("analects|-q|remember|--to|global|--yes|--|I like tea"),
        );
        check(
            "analects memory add I like -- -v",
            Some("analects|memory|add|--|I like -v"),
        );
        check(
            "analects remember I like -y tea",
            Some("analects|remember|-y|--|I like tea"),
        );
        check(
            "analects memory search the -n 3 port",
            Some("analects|memory|search|-n|3|--|the port"),
        );
        check("analects memory forget I like tea", None);
        check("analects remember tea --to", None);
    }

    #[test]
    fn every_flag_that_takes_a_value_is_known() {
        let mut command = Cli::command();
        command.build();
        for arg in command.get_arguments() {
            let takes = arg.get_action().takes_values();
            let long = arg.get_long().unwrap_or_default();
            assert_eq!(LONG.contains(&long), takes, "--{long}");
            if let Some(short) = arg.get_short() {
                assert_eq!(SHORT.contains(&short), takes, "-{short}");
            }
        }
    }
}
