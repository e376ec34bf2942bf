//! `analects` at a terminal: a conversation, with memory one keystroke away.
//!
//! Who works, and by which rules, is the engine's business; here stand the line that is typed, what is painted while
//! a model speaks, and the one way in which a person is asked.

mod background;
mod choose;
mod commands;
mod complete;
mod control;
mod face;
mod hunk;
pub(crate) mod keyboard;
mod line;
mod open;
pub(crate) mod paint;
pub(crate) mod picker;
mod shell;
mod status;
mod voice;
mod welcome;

use std::io::{self, Write};
use std::process::ExitCode;
use std::thread;

use analects_engine::prompt::Audience;
use analects_engine::talk::{Hands, Wish, converse};
use analects_engine::verbs::Failure;
use analects_engine::{World, prompt_log, skills};
use analects_host::{Disk, McpServers, RealShell, WallClock};
use analects_world::Surroundings;
use uuid::Uuid;

use crate::args::Cli;
use crate::desk::{self, Doors, TellingDesk};
use crate::exit;
use crate::person::{AtTerminal, Hear};
use crate::run;
use crate::talk;
use crate::talk::args::Talk;
use crate::talk::input::Input;
use crate::ui::{self, Screen};
use crate::waiting::Waiting;
use background::Background;
use commands::Slash;
use control::Control;
use face::Face;
use keyboard::Keyboard;
use line::{Line, LineOptions, Lines, MAX_HISTORY};
use open::Left;
use paint::Style;
use voice::Voice;

/// Talks with a person until they leave. `resume` is the session to go on with, if one is named.
pub(crate) fn run(cli: &Cli, resume: Option<&str>) -> ExitCode {
    match chat(cli, resume) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            // If even this cannot be written, the exit code still tells.
            let _ = ui::problems::failure(&mut io::stderr().lock(), &failure);
            exit::of(failure.kind)
        }
    }
}

fn chat(cli: &Cli, resume: Option<&str>) -> Result<u8, Failure> {
    let (around, desk) = desk::open(&cli.global)?;
    let face = Face::of(cli, &around);
    let (keyboard, control) = (Keyboard::default(), Control::default());
    // Without ears a signal ends us as it ends everybody.
    let _ = control.listen(&keyboard);
    let voice = Voice::new(
        face.paint(),
        face.detail,
        &WallClock,
        face::size,
        io::stdout(),
    );
    let screen = run::screen(&cli.global, &around);
    let hear = match face.style {
        Style::Rich => Hear::Keys(&keyboard, &voice),
        Style::Lines => Hear::LinesInChat(&keyboard, &voice),
    };
    let person = AtTerminal {
        around: &around,
        screen: &screen,
        hear,
    };
    let waiting = Waiting::new(cli.global.quiet);
    let doors = Doors::new(TellingDesk(desk), &around);
    let world = doors.world(&person, &waiting);
    let mut lines = match face.style {
        Style::Rich => Lines::editor(LineOptions {
            has_color: face.has_color,
            history: prompt_log::recent(&world, MAX_HISTORY),
            completer: Box::new(complete::Words {
                around: around.clone(),
                files: &Disk,
                ids: complete::ids(&cli.global),
            }),
            keyboard: keyboard.clone(),
            broken: control.broken.clone(),
        }),
        Style::Lines => Lines::Plain,
    };
    let stage = Stage {
        cli,
        around: &around,
        world,
        screen: &screen,
        face,
        keyboard: &keyboard,
        control: &control,
        voice: &voice,
        hear,
    };
    control.repaint_by(lines.repaint());
    let mut chat = Chat {
        stage: &stage,
        lines,
        wish: wish(&cli.talk, &around, resume),
        printed: String::new(),
        was_interrupted: false,
        told_status: None,
        background: None,
        pins: Vec::new(),
    };
    chat.hold()
}

/// What stays as it is for as long as a chat goes on.
struct Stage<'a> {
    cli: &'a Cli,
    around: &'a Surroundings,
    world: World<'a>,
    screen: &'a Screen,
    face: Face,
    keyboard: &'a Keyboard,
    control: &'a Control,
    voice: &'a Voice<'static>,
    hear: Hear<'a>,
}

/// A chat with a person.
struct Chat<'s, 'a> {
    stage: &'s Stage<'a>,
    lines: Lines,
    wish: Wish,
    /// What commands of the person printed, for the next prompt.
    printed: String,
    /// Whether the last thing that was typed is Ctrl-C.
    was_interrupted: bool,
    /// How things stood when that was said last.
    told_status: Option<String>,
    /// What is done meanwhile, once it has begun.
    background: Option<Background>,
    /// What is to be pinned to the session that begins with the next prompt.
    pins: Vec<String>,
}

/// What a line wants.
enum Todo {
    /// The model is told something.
    Say(Saying),
    /// Something that needs a conversation.
    Do(Slash),
    /// A conversation is to be opened, and nothing said.
    Open,
    Leave(u8),
    /// Another session, from here on.
    Switch,
}

/// What the model is told.
struct Saying {
    text: String,
    /// What the person typed, to be typed again if it was not answered.
    typed: String,
}

impl Chat<'_, '_> {
    fn hold(&mut self) -> Result<u8, Failure> {
        self.greet()?;
        let mut todo = match self.wish.resume.is_some() {
            true => Todo::Open,
            false => {
                self.in_background(None);
                self.next()
            }
        };
        loop {
            match todo {
                Todo::Leave(code) => return Ok(code),
                Todo::Switch => todo = self.next_or_open(),
                Todo::Say(_) | Todo::Do(_) | Todo::Open => todo = self.opened(todo),
            }
        }
    }

    /// After another session was chosen, it is opened; a new one when something is said.
    fn next_or_open(&mut self) -> Todo {
        match self.wish.resume.is_some() {
            true => Todo::Open,
            false => self.next(),
        }
    }

    /// Opens a conversation and holds it; what is to be done afterwards.
    fn opened(&mut self, todo: Todo) -> Todo {
        let stage = self.stage;
        let wish = Wish {
            new_session: Uuid::new_v4().to_string(),
            ..self.wish.clone()
        };
        let (shell, servers) = (RealShell::default(), McpServers::default());
        let hands = Hands {
            shell: &shell,
            servers: &servers,
        };
        let cancel = stage.control.begin();
        let typed = match &todo {
            Todo::Say(saying) => Some(saying.typed.clone()),
            _ => None,
        };
        let mut tell = |told: analects_engine::talk::Tell<'_>| stage.voice.tell(&told);
        let flags = stage.cli.global.flags();
        let mut is_open = false;
        // Servers may take their time to start.
        let held = thread::scope(|scope| {
            let waiting = stage.voice.wait_in(scope, "starting");
            converse(
                &stage.world,
                hands,
                &flags,
                &wish,
                &cancel,
                &mut tell,
                |talk| {
                    is_open = true;
                    drop(waiting);
                    Ok(self.talked(talk, todo))
                },
            )
        });
        stage.control.end();
        match held {
            Ok(Left::Leave(code)) => Todo::Leave(code),
            Ok(Left::Switch) => Todo::Switch,
            Err(failure) => {
                self.fail(&failure);
                if !is_open {
                    self.wish.resume = None;
                    // What was typed is still there, for when this is mended.
                    self.lines.put(&typed.unwrap_or_default());
                }
                self.next()
            }
        }
    }

    /// Waits for lines, and does what needs no conversation, until something else is wanted.
    fn next(&mut self) -> Todo {
        loop {
            if let Some(code) = self.stage.control.leaves_with() {
                return Todo::Leave(code);
            }
            self.hear_background();
            let line = self.lines.read();
            self.be_busy();
            let was_interrupted = std::mem::take(&mut self.was_interrupted);
            match line {
                Ok(Line::Sent { shown, meant }) => {
                    if let Some(todo) = self.sent(&shown, meant) {
                        return todo;
                    }
                }
                Ok(Line::Interrupted(text)) if text.is_empty() && was_interrupted => {
                    return Todo::Leave(exit::FINE);
                }
                Ok(Line::Interrupted(text)) => {
                    self.was_interrupted = true;
                    self.keep(&text);
                    // The line editor comes back to where it was, unless that is far above.
                    self.shown(|out, _| writeln!(out));
                    self.say(match text.trim().is_empty() {
                        true => "Ctrl-C again leaves",
                        false => "Ctrl-C again leaves; what you typed is one key up",
                    });
                }
                Ok(Line::End) => return Todo::Leave(exit::FINE),
                Ok(Line::Broken(text)) => {
                    self.keep(&text);
                    let code = self.stage.control.leaves_with();
                    return Todo::Leave(code.unwrap_or(exit::FAILED));
                }
                Ok(Line::Pause) => {
                    self.shown(|out, _| writeln!(out));
                    // If it cannot pause, it goes on.
                    let _ = analects_host::pause();
                }
                Ok(Line::Edit(text)) => self.edit(&text),
                Ok(Line::Thoughts) => self.thoughts(),
                // The terminal is gone.
                Err(_) => {
                    let code = self.stage.control.leaves_with();
                    return Todo::Leave(code.unwrap_or(exit::FAILED));
                }
            }
        }
    }

    /// What a line that was sent wants; nothing, if it is done.
    fn sent(&mut self, shown: &str, meant: String) -> Option<Todo> {
        let trimmed = shown.trim();
        if trimmed.is_empty() {
            return None;
        }
        self.note(trimmed);
        if let Some(command) = commands::after_slash(shown) {
            let skill = commands::skill(command, |name| self.skill(name));
            return match skill.map_or_else(|| commands::read(command), Ok) {
                Ok(slash) => self.slash(slash, trimmed),
                Err(unknown) => {
                    let failure = Failure::bad_input(unknown.message);
                    let failure = match unknown.hint {
                        Some(hint) => failure.hint(hint),
                        None => failure,
                    };
                    self.fail(&failure.hint("with a blank before it, a line is sent as it is"));
                    None
                }
            };
        }
        if let Some(command) = shown.strip_prefix('!') {
            self.run_command(command.trim());
            return None;
        }
        Some(Todo::Say(Saying {
            typed: meant.clone(),
            text: meant,
        }))
    }

    /// The skill of this name that a person can follow, if there is one.
    fn skill(&self, name: &str) -> Option<String> {
        let flags = self.stage.cli.global.flags();
        let all = skills::commands(&self.stage.world, &flags);
        let mut all = all.into_iter().map(|(known, _)| known);
        all.find(|known| known.eq_ignore_ascii_case(name))
    }

    /// Does what needs no conversation.
    fn slash(&mut self, slash: Slash, typed: &str) -> Option<Todo> {
        match slash {
            Slash::Verb(words) => self.verb(&words),
            Slash::Help => {
                self.shown(welcome::help);
                None
            }
            Slash::Quit => Some(Todo::Leave(exit::FINE)),
            Slash::Thoughts => {
                self.thoughts();
                None
            }
            Slash::Prompt(text) => Some(Todo::Say(Saying {
                text: text.to_owned(),
                typed: typed.to_owned(),
            })),
            Slash::Resume(None) => self.pick_session(),
            Slash::Resume(Some(session)) => {
                self.pins.clear();
                self.wish.resume = Some(session);
                Some(Todo::Switch)
            }
            Slash::Inbox => {
                self.inbox();
                None
            }
            other => Some(Todo::Do(other)),
        }
    }

    /// Runs a verb as the shell does. A folder that is trusted now, or no longer, is opened anew.
    fn verb(&mut self, words: &[String]) -> Option<Todo> {
        let stage = self.stage;
        let cancel = stage.control.begin();
        stage.keyboard.heed(&cancel);
        run::in_chat(&stage.cli.global, words, stage.hear);
        stage.control.end();
        let changes_trust = words.first().is_some_and(|word| word == "trust")
            && words.get(1).is_some_and(|word| word != "show");
        changes_trust.then_some(Todo::Switch)
    }

    fn thoughts(&mut self) {
        if !self.stage.voice.unfold() {
            self.say("the model has shown no thoughts");
        }
    }

    /// Lets the person write in an editor what they would have typed.
    fn edit(&mut self, text: &str) {
        let draft = analects_world::ask::Draft {
            name: "prompt.md",
            text,
        };
        match self.stage.world.person.edit(&draft) {
            Ok(text) => self.lines.put(text.trim_end()),
            Err(why) => {
                self.lines.put(text);
                self.fail(&Failure::failed(why));
            }
        }
    }

    /// What was typed and not sent can be gone back to.
    fn keep(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.note(text.trim());
            self.lines.remember(text.trim());
        }
    }

    fn note(&self, text: &str) {
        if !self.stage.cli.global.dry_run {
            // Whoever cannot note it goes on.
            let _ = prompt_log::note(&self.stage.world, text);
        }
    }

    /// A line of our own.
    fn say(&self, text: &str) {
        self.stage.voice.note(text);
    }

    fn fail(&self, failure: &Failure) {
        // A screen that is gone stops nothing.
        let _ = ui::problems::failure(&mut io::stdout().lock(), failure);
    }

    /// Shows something of ours.
    fn shown(&self, show: impl FnOnce(&mut dyn Write, &Screen) -> io::Result<()>) {
        let mut out = io::stdout().lock();
        let _ = show(&mut out, self.stage.screen).and_then(|()| out.flush());
    }
}

/// What the command line wants of every conversation.
fn wish(talk: &Talk, around: &Surroundings, resume: Option<&str>) -> Wish {
    Wish {
        resume: resume.map(str::to_owned).or_else(|| talk.resume.clone()),
        audience: Audience::Present,
        ..talk::wish(talk, &Input::default(), around)
    }
}
