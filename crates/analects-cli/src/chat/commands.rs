//! What a line that begins with `/` means: a verb of the shell, or something that only a chat can do.
//!
//! Each verb is spelt as in the shell, so it is read by the same parser. Names may be cut short as long as only one is
//! meant; other agents' names for the same things are known, too.

use clap::{Arg, ArgAction, Command, CommandFactory};
use similar::get_close_matches;

use crate::args::Cli;

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

/// A command as help tells of it.
pub(crate) struct Told {
    /// All its names, the usual one first.
    pub(crate) names: &'static [&'static str],
    pub(crate) args: &'static str,
    pub(crate) about: &'static str,
    does: Does,
}

/// What a name leads to.
#[derive(Clone, Copy)]
enum Does {
    /// These words of the shell, and whatever follows.
    Words(&'static [&'static str]),
    /// The same; these alone, if nothing follows.
    Noun(&'static [&'static str], &'static [&'static str]),
    Here(fn(&str) -> Result<Slash, Unknown>),
}

/// Every command, in the order of help.
pub(crate) const COMMANDS: &[Told] = &[
    Told {
        names: &["memory"],
        args: "[show|list|add|reload|inbox|forget|undo|cost|…]",
        about: "the memory that applies here",
        does: Does::Noun(&["memory"], &["memory", "show"]),
    },
    Told {
        names: &["remember"],
        args: "FACT",
        about: "remember something",
        does: Does::Words(&["memory", "add"]),
    },
    Told {
        names: &["forget"],
        args: "ENTRY",
        about: "forget an entry of memory",
        does: Does::Words(&["memory", "forget"]),
    },
    Told {
        names: &["tidy", "dream", "curator"],
        args: "",
        about: "put memory in order, change by change",
        does: Does::Words(&["memory", "tidy"]),
    },
    Told {
        names: &["inbox"],
        args: "",
        about: "what waits for a yes",
        does: Does::Here(|_| Ok(Slash::Inbox)),
    },
    Told {
        names: &["compress", "compact", "summarize"],
        args: "[FOCUS|undo]",
        about: "make the conversation short; undo makes it long again",
        does: Does::Here(compress),
    },
    Told {
        names: &["pin"],
        args: "[TEXT]",
        about: "keep a text word for word; alone: what is pinned",
        does: Does::Here(pin),
    },
    Told {
        names: &["context"],
        args: "[PATH…]",
        about: "what fills the window; with paths: what they would bring in",
        does: Does::Here(context),
    },
    Told {
        names: &["resume", "chats"],
        args: "[SESSION]",
        about: "go on with another session",
        does: Does::Here(|rest| Ok(Slash::Resume(some(rest)))),
    },
    Told {
        names: &["rewind", "back"],
        args: "[N]",
        about: "take the last prompts back",
        does: Does::Here(rewind),
    },
    Told {
        names: &["stats", "usage"],
        args: "",
        about: "what this conversation took",
        does: Does::Here(|_| Ok(Slash::Stats)),
    },
    Told {
        names: &["tools"],
        args: "",
        about: "what the model may use",
        does: Does::Here(|_| Ok(Slash::Tools)),
    },
    Told {
        names: &["model"],
        args: "[NAME]",
        about: "which model is asked; with a name: ask that one",
        does: Does::Here(|rest| Ok(Slash::Model(some(rest)))),
    },
    Told {
        names: &["thoughts"],
        args: "",
        about: "what the model thought last (Ctrl-T)",
        does: Does::Here(|_| Ok(Slash::Thoughts)),
    },
    Told {
        names: &["trust", "permissions"],
        args: "[show|add|deny|remove]",
        about: "whether this folder may speak",
        does: Does::Noun(&["trust"], &["trust", "show"]),
    },
    Told {
        names: &["session", "sessions"],
        args: "[list|show|search|…]",
        about: "what was said before, in whichever agent",
        does: Does::Noun(&["session"], &["session", "list"]),
    },
    Told {
        names: &["skills", "skill"],
        args: "[list|show|enable|disable|reload|…]",
        about: "instructions for one kind of task; /NAME follows one",
        does: Does::Here(skills),
    },
    Told {
        names: &["prompt"],
        args: "",
        about: "the whole system prompt",
        does: Does::Words(&["prompt"]),
    },
    Told {
        names: &["config", "settings"],
        args: "",
        about: "every setting, and who set it",
        does: Does::Noun(&["config"], &["config", "show"]),
    },
    Told {
        names: &["doctor"],
        args: "",
        about: "is everything in order",
        does: Does::Words(&["doctor"]),
    },
    Told {
        names: &["setup"],
        args: "[HOST|status]",
        about: "the same memory in other agents",
        does: Does::Words(&["setup"]),
    },
    Told {
        names: &["init"],
        args: "",
        about: "let the model write a GEMINI.md for this project",
        does: Does::Here(|_| Ok(Slash::Prompt(include_str!("../../prompts/init.md")))),
    },
    Told {
        names: &["clear", "new", "reset"],
        args: "",
        about: "begin a new session; this one is kept",
        does: Does::Here(|_| Ok(Slash::Clear)),
    },
    Told {
        names: &["help", "?"],
        args: "",
        about: "this",
        does: Does::Here(|_| Ok(Slash::Help)),
    },
    Told {
        names: &["quit", "exit"],
        args: "",
        about: "leave (also Ctrl-D)",
        does: Does::Here(|_| Ok(Slash::Quit)),
    },
];

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

fn compress(rest: &str) -> Result<Slash, Unknown> {
    Ok(match rest {
        "undo" | "--undo" => Slash::Uncompress,
        _ => Slash::Compress { focus: some(rest) },
    })
}

fn pin(rest: &str) -> Result<Slash, Unknown> {
    Ok(match rest {
        "" | "list" | "--list" => Slash::Pins,
        text => Slash::Pin(text.to_owned()),
    })
}

fn context(rest: &str) -> Result<Slash, Unknown> {
    match rest {
        "" => Ok(Slash::Window),
        paths => verb(&["context"], paths),
    }
}

const SKILL: &str = "skill";

/// Skills are looked for anew with every request: to reload them is to look at them.
fn skills(rest: &str) -> Result<Slash, Unknown> {
    let (second, rest) = parted(rest);
    match second {
        "" | "reload" | "refresh" => verb(&[SKILL, "list"], rest),
        "all" => verb(&[SKILL, "list"], "--all"),
        "list" if rest == "all" => verb(&[SKILL, "list"], "--all"),
        second => {
            let second = subverb(&[SKILL], second)?;
            verb(&[SKILL, &second], rest)
        }
    }
}

fn rewind(rest: &str) -> Result<Slash, Unknown> {
    match rest {
        "" => Ok(Slash::Rewind(1)),
        number => number.parse().map(Slash::Rewind).map_err(|_| Unknown {
            message: format!(
                "{} is no number of prompts",
                analects_text::sanitize::one_line(number)
            ),
            hint: Some("/rewind takes back the last one, /rewind 3 the last three".to_owned()),
        }),
    }
}

#[cfg(test)]
mod tests;
