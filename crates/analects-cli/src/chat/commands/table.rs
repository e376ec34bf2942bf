//! Every command of a chat: its names, what help says of it, and what it leads to.

use super::{Slash, Unknown, parted, some, subverb, verb};

/// A command as help tells of it.
pub(crate) struct Told {
    /// All its names, the usual one first.
    pub(crate) names: &'static [&'static str],
    pub(crate) args: &'static str,
    pub(crate) about: &'static str,
    pub(super) does: Does,
}

/// What a name leads to.
#[derive(Clone, Copy)]
pub(super) enum Does {
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
        does: Does::Here(setup),
    },
    Told {
        names: &["init"],
        args: "",
        about: "let the model write a GEMINI.md for this project",
        does: Does::Here(|_| Ok(Slash::Prompt(include_str!("../../../prompts/init.md")))),
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

/// Alone it changes nothing: it tells who is wired.
fn setup(rest: &str) -> Result<Slash, Unknown> {
    match rest {
        "" => verb(&["setup"], "status"),
        rest => verb(&["setup"], rest),
    }
}

/// The noun of skills.
pub(super) const SKILL: &str = "skill";

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
