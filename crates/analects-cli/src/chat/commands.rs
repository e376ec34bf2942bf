//! What a line that begins with `/` means: a verb of the shell, or something that only a chat can do.
//!
//! Each verb is spelt as in the shell, so it is read by the same parser. Names may be cut short as long as only one is
//! meant; other agents' names for the same things are known, too.

mod table;

use clap::{Arg, ArgAction, Command, CommandFactory};
use similar::get_close_matches;

use crate::args::Cli;
use table::{Does, SKILL};

pub(crate) use table::{COMMANDS, Told};

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Slash {
    /// A verb of the shell, in words.
    Verb(Vec<String>),
    Compress {
        focus: Option<String>,
    },
    Uncompress,
    Pin(String),
    Pins,
    Window,
    Inbox,
    Resume(Option<String>),
    Rewind(usize),
    Stats,
    Tools,
    Model(Option<String>),
    Thoughts,
    Clear,
    Help,
    Quit,
    /// Something that is asked of the model, in our words.
    Prompt(&'static str),
    /// A skill is to be followed, and what for.
    Skill {
        name: String,
        said: String,
    },
}

/// Why a line means nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unknown {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

/// What stands behind the `/` of a line that is a command. A path, a comment, and whatever has a blank before it is a text
/// for the model.
pub(crate) fn after_slash(line: &str) -> Option<&str> {
    let command = line.strip_prefix('/')?;
    let is_text = command.starts_with('*') || parted(command).0.contains('/');
    (!is_text).then_some(command)
}

/// What a line without its `/` means.
pub(crate) fn read(line: &str) -> Result<Slash, Unknown> {
    let line = line.trim();
    let (name, rest) = parted(line);
    let told = named(name)?;
    match told.does {
        Does::Here(read) => read(rest),
        Does::Words(words) => verb(words, rest),
        Does::Noun(_, alone) if rest.is_empty() => verb(alone, ""),
        Does::Noun(words, _) => {
            let (second, rest) = parted(rest);
            let second = subverb(words, second)?;
            if (words, second.as_str()) == (&["memory"][..], "inbox") && rest.is_empty() {
                return Ok(Slash::Inbox);
            }
            if (words, second.as_str()) == (&["memory"][..], "inbox") {
                return verb(&["memory", "inbox", parted(rest).0], parted(rest).1);
            }
            if (words, second.as_str()) == (&["session"][..], "resume") {
                return Ok(Slash::Resume(some(rest)));
            }
            let mut words = words.to_vec();
            words.push(&second);
            verb(&words, rest)
        }
    }
}

/// A line that names a skill, if there is one of that name and no command. `/NAME` follows it, and the rest says what for.
pub(crate) fn skill(line: &str, is_skill: impl FnOnce(&str) -> Option<String>) -> Option<Slash> {
    let (name, rest) = parted(line.trim());
    let lower = name.to_lowercase();
    // A command wins; the beginning of one does not.
    let is_command = COMMANDS.iter().any(|told| told.names.contains(&&*lower));
    if is_command || name.is_empty() {
        return None;
    }
    Some(Slash::Skill {
        name: is_skill(name)?,
        said: rest.to_owned(),
    })
}

/// The verbs of a noun.
pub(crate) fn verbs_of(noun: &str) -> Vec<String> {
    let Ok(told) = named(noun) else {
        return Vec::new();
    };
    let words = match told.does {
        Does::Noun(words, _) | Does::Words(words) => words,
        Does::Here(_) if told.names.contains(&SKILL) => &[SKILL],
        Does::Here(_) => return Vec::new(),
    };
    let command = command_at(words);
    let names = command.iter().flat_map(Command::get_subcommands);
    names.map(|verb| verb.get_name().to_owned()).collect()
}

fn named(name: &str) -> Result<&'static Told, Unknown> {
    let name = name.to_lowercase();
    let all = || {
        COMMANDS
            .iter()
            .flat_map(|told| told.names.iter().map(move |it| (*it, told)))
    };
    if let Some((_, told)) = all().find(|(known, _)| *known == name) {
        return Ok(told);
    }
    let names: Vec<_> = all().map(|(known, _)| known).collect();
    let found = unique(&name, &names).map_err(|several| unknown(&format!("/{name}"), &several))?;
    match all().find(|(known, _)| Some(*known) == found) {
        Some((_, told)) => Ok(told),
        None => {
            let near = get_close_matches(name.as_str(), names.as_slice(), 3, 0.6);
            let near: Vec<_> = near.into_iter().map(str::to_owned).collect();
            Err(unknown(&format!("/{name}"), &near))
        }
    }
}

fn subverb(noun: &[&str], wanted: &str) -> Result<String, Unknown> {
    let command = command_at(noun);
    let names: Vec<String> = command
        .iter()
        .flat_map(Command::get_subcommands)
        .flat_map(|verb| {
            let aliases = verb.get_all_aliases().map(str::to_owned);
            std::iter::once(verb.get_name().to_owned()).chain(aliases)
        })
        .collect();
    let wanted = wanted.to_lowercase();
    let borrowed: Vec<_> = names.iter().map(String::as_str).collect();
    let said = format!("/{} {wanted}", noun.join(" "));
    match unique(&wanted, &borrowed) {
        Ok(Some(found)) => Ok(found.to_owned()),
        // Words that begin with a dash are flags of the noun.
        Ok(None) if wanted.starts_with('-') => Ok(wanted),
        Ok(None) => {
            let near = get_close_matches(wanted.as_str(), borrowed.as_slice(), 3, 0.6);
            let near: Vec<_> = near
                .into_iter()
                .map(|it| format!("{} {it}", noun.join(" ")))
                .collect();
            Err(unknown(&said, &near))
        }
        Err(several) => Err(unknown(&said, &several)),
    }
}

/// The one name that is meant: all of it, or its beginning. An error names those that could be.
fn unique<'n>(wanted: &str, names: &[&'n str]) -> Result<Option<&'n str>, Vec<String>> {
    if let Some(exact) = names.iter().find(|name| **name == wanted) {
        return Ok(Some(exact));
    }
    let begin: Vec<_> = names
        .iter()
        .filter(|name| !wanted.is_empty() && name.starts_with(wanted))
        .collect();
    match &*begin {
        [] => Ok(None),
        [only] => Ok(Some(only)),
        several => Err(several.iter().map(|name| (**name).to_owned()).collect()),
    }
}

fn unknown(said: &str, near: &[String]) -> Unknown {
    let near: Vec<_> = near.iter().map(|name| format!("/{name}")).collect();
    Unknown {
        message: format!("there is no command {said}"),
        hint: Some(match near.is_empty() {
            true => "/help lists them all".to_owned(),
            false => format!("did you mean {}?", near.join(", ")),
        }),
    }
}

/// A verb with its arguments. One that takes a single text takes all words that are no flags, as they stand.
fn verb(words: &[&str], rest: &str) -> Result<Slash, Unknown> {
    let mut all: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let Some(command) = command_at(words) else {
        return Err(unknown(&format!("/{}", words.join(" ")), &[]));
    };
    let positionals: Vec<_> = command.get_positionals().collect();
    match &*positionals {
        [only] if is_single(only) => {
            let (flags, text) = flags_and_text(&command, rest);
            all.extend(flags);
            if !text.is_empty() {
                // A text may begin with a dash.
                all.push("--".to_owned());
                all.push(text);
            }
        }
        _ => all.extend(split(rest)),
    }
    Ok(Slash::Verb(all))
}

fn is_single(arg: &Arg) -> bool {
    let most = arg.get_num_args().map_or(1, |range| range.max_values());
    most <= 1 && !matches!(arg.get_action(), ArgAction::Append)
}

/// Flags with their values, and all other words as one text.
fn flags_and_text(command: &Command, rest: &str) -> (Vec<String>, String) {
    let mut flags = Vec::new();
    let mut left = rest.trim();
    while left.starts_with('-') {
        let (word, after) = parted(left);
        if word == "--" {
            left = after;
            break;
        }
        let name = word.trim_start_matches('-');
        let known = command.get_arguments().find(|arg| {
            arg.get_long() == Some(name)
                || arg
                    .get_short()
                    .is_some_and(|short| name.chars().eq([short]))
        });
        let takes_value = known.is_some_and(|arg| arg.get_action().takes_values());
        flags.push(word.to_owned());
        left = after;
        if takes_value {
            let (value, after) = parted(left);
            flags.push(value.to_owned());
            left = after;
        }
    }
    (flags, left.to_owned())
}

/// Words as people quote them; a quote that is never closed is an apostrophe.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let quoted = matches!(first, '"' | '\'')
            .then(|| rest.get(1..)?.split_once(first))
            .flatten();
        let (word, after) = match quoted {
            Some((word, after)) => (word, after),
            None => parted(rest),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

fn command_at(words: &[&str]) -> Option<Command> {
    let mut command = Cli::command();
    command.build();
    let mut at = &command;
    for word in words {
        at = at.find_subcommand(word)?;
    }
    Some(at.clone())
}

fn parted(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

fn some(rest: &str) -> Option<String> {
    (!rest.is_empty()).then(|| rest.to_owned())
}

#[cfg(test)]
mod tests;
