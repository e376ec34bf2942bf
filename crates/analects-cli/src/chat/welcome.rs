//! The first screen: the project, the model, whether the folder is trusted; and help.

use std::io::{self, Write};

use analects_engine::talk::outlook::{Outlook, Word, outlook};
use analects_engine::verbs::trust::{Add, Deny};
use analects_engine::verbs::{Failure, Verb};
use analects_text::sanitize::one_line;
use analects_world::ask::{Choosable, Question, Reply};

use super::Chat;
use super::commands::COMMANDS;
use super::status::short;
use crate::ui::{Screen, wrapped};

impl Chat<'_, '_> {
    /// Says where we are. Where nobody has decided yet whether to trust the folder, that is asked first.
    pub(super) fn greet(&mut self) -> Result<(), Failure> {
        let mut outlook = self.look()?;
        if outlook.trust == Word::Undecided && self.ask_for_trust()? {
            outlook = self.look()?;
        }
        self.shown(|out, screen| greeting(out, screen, &outlook, &self.place()));
        Ok(())
    }

    fn look(&self) -> Result<Outlook, Failure> {
        let stage = self.stage;
        let flags = stage.cli.global.flags();
        let wanted = self.wish.model.as_deref();
        stage
            .voice
            .during("reading memory", || outlook(&stage.world, &flags, wanted))
    }

    fn place(&self) -> String {
        let (cwd, home) = (&self.stage.around.cwd, &self.stage.around.home);
        let inside = cwd.as_str().strip_prefix(home.as_str());
        let short = match inside {
            Some("") => "~".to_owned(),
            Some(rest) if rest.starts_with('/') => format!("~{rest}"),
            _ => cwd.to_string(),
        };
        one_line(&short).into_owned()
    }

    /// Asks once whether to trust the folder; answers whether somebody decided.
    fn ask_for_trust(&self) -> Result<bool, Failure> {
        let stage = self.stage;
        let option = |label: &str, detail: &str| Choosable {
            label: label.to_owned(),
            detail: detail.to_owned(),
        };
        let text = format!("May {} speak?", self.place());
        let options = [
            option("yes", "its memory, settings, hooks and servers count"),
            option("yes, and all beside it", "everything in its parent"),
            option("never", "only your own memory counts here"),
        ];
        let question = Question {
            text: &text,
            options: &options,
        };
        let flags = stage.cli.global.flags();
        let add = |parent: bool| Add {
            folder: None,
            parent,
        };
        match stage.world.person.question(&question) {
            Reply::Chose(0) => add(false).run(&stage.world, &flags).map(|_| true),
            Reply::Chose(1) => add(true).run(&stage.world, &flags).map(|_| true),
            Reply::Chose(_) => Deny::default().run(&stage.world, &flags).map(|_| true),
            Reply::Said(_) | Reply::Declined | Reply::Nobody => Ok(false),
        }
    }
}

fn greeting(
    out: &mut dyn Write,
    screen: &Screen,
    outlook: &Outlook,
    place: &str,
) -> io::Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let title = format!("Analects {version}");
    let memory = match outlook.n_files {
        0 => "no memory".to_owned(),
        1 => format!("1 memory file, {} tokens", short(outlook.memory_tokens)),
        n_files => format!(
            "{n_files} memory files, {} tokens",
            short(outlook.memory_tokens)
        ),
    };
    let trust = match outlook.trust {
        Word::Trusted => "",
        Word::Denied | Word::Undecided => " · not trusted: only your own memory (/trust add)",
    };
    writeln!(out, "{} · {place} · {memory}{trust}", screen.bold(&title))?;
    match &outlook.model {
        Ok(asked) => {
            let model = format!("{} ({})", one_line(&asked.model), one_line(&asked.provider));
            writeln!(
                out,
                "{}",
                screen.dim(&format!("{model} · /help · Ctrl-D leaves"))
            )?;
        }
        Err(failure) => no_model(out, screen, failure)?,
    }
    let told = match outlook.inbox.n_new {
        0 => None,
        1 => Some("1 new thing waits for your yes: /inbox".to_owned()),
        n_new => Some(format!("{n_new} new things wait for your yes: /inbox")),
    };
    if let Some(told) = told {
        writeln!(out, "{told}")?;
    }
    writeln!(out)
}

/// What to set, and what works without.
fn no_model(out: &mut dyn Write, screen: &Screen, failure: &Failure) -> io::Result<()> {
    writeln!(out)?;
    writeln!(out, "{}", screen.bold("There is no model to talk to yet."))?;
    for line in wrapped(&one_line(&failure.message), screen.width.saturating_sub(3)) {
        writeln!(out, "  {line}")?;
    }
    writeln!(out)?;
    writeln!(out, "One of these is enough:")?;
    for line in [
        "  export GEMINI_API_KEY=…       a key for Gemini",
        "  export ANTHROPIC_API_KEY=…    or Anthropic",
        "  export OPENAI_API_KEY=…       or OpenAI (OPENAI_BASE_URL for its kin)",
        "  ollama serve                  or a server on this machine (Ollama,",
        "                                llama.cpp, LM Studio: found by themselves)",
        "A key may also stand in ~/.gemini/.env (mode 0600); /doctor tells what is wrong.",
    ] {
        writeln!(out, "{line}")?;
    }
    writeln!(out)?;
    writeln!(out, "All of this works without a model:")?;
    for line in [
        "  /memory        what applies here, from where, at what cost",
        "  /remember …    note something; /memory undo takes it back",
        "  /memory check  what is wrong with it; /tidy puts it in order",
        "  /sessions      what was said before, in any agent; /session search …",
        "  /setup         the same memory in Gemini CLI, Claude Code and Codex",
    ] {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Every command, and the keys.
pub(super) fn help(out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
    writeln!(out, "{}", screen.bold("Commands"))?;
    for told in COMMANDS {
        let names: Vec<_> = told.names.iter().map(|name| format!("/{name}")).collect();
        let (first, others) = names
            .split_first()
            .map_or(("", &[][..]), |(first, others)| (first.as_str(), others));
        let head = format!("{first} {}", told.args);
        let others = match others.is_empty() {
            true => String::new(),
            false => format!(" ({})", others.join(", ")),
        };
        let head = head.trim_end();
        match head.chars().count() <= HEAD {
            true => writeln!(out, "  {head:<HEAD$} {}{}", told.about, screen.dim(&others))?,
            false => {
                writeln!(out, "  {head}")?;
                writeln!(out, "  {:<HEAD$} {}{}", "", told.about, screen.dim(&others))?;
            }
        }
    }
    writeln!(
        out,
        "  Every verb of the shell works here, too: /memory cost, /session show ID."
    )?;
    writeln!(out, "{}", screen.bold("Lines"))?;
    for line in [
        "  @path          brings a file along         !command   runs a command of yours",
        "  Alt-Enter      another line                Ctrl-G     write it in $EDITOR",
        "  Tab            complete                    Ctrl-R     search what you typed",
        "  Ctrl-C         cancels a turn, twice leaves            Ctrl-T     thoughts",
    ] {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Columns for what is typed.
const HEAD: usize = 24;
