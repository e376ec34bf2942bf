//! An open conversation: prompts, and the commands that need one.

use analects_engine::talk::conversation::Conversation;
use analects_engine::talk::{Ended, How, Said};
use analects_engine::verbs::Failure;
use analects_engine::verbs::Verb;
use analects_engine::verbs::session::Pin;
use analects_text::sanitize::one_line;

use super::commands::Slash;
use super::status;
use super::{Chat, Saying, Todo, face};
use crate::ui::{Human, shorten};

/// How an open conversation was left.
pub(super) enum Left {
    /// For good, with this code.
    Leave(u8),
    /// For another one.
    Switch,
}

impl Chat<'_, '_> {
    /// Holds a conversation until it is left.
    pub(super) fn talked(&mut self, talk: &mut Conversation<'_, '_>, first: Todo) -> Left {
        self.stage.control.end();
        // Whatever happens, this is the session that goes on.
        self.wish.resume = None;
        self.in_background(Some(talk.standing().session));
        let mut todo = first;
        loop {
            match todo {
                Todo::Say(saying) => self.turn(talk, &saying, None),
                Todo::Do(slash) => match slash {
                    Slash::Clear => {
                        talk.leave_for("clear");
                        self.pins.clear();
                        self.say(match talk.standing().is_recorded {
                            true => "a new session; /resume goes back to this one",
                            false => "a new session",
                        });
                        return Left::Switch;
                    }
                    slash => {
                        if let Err(failure) = self.with(talk, slash) {
                            self.fail(&failure);
                        }
                    }
                },
                Todo::Open => self.say(&format!(
                    "going on with session {}",
                    talk.standing().session
                )),
                Todo::Leave(code) => return Left::Leave(code),
                Todo::Switch => {
                    if self.wish.resume.is_none() && talk.standing().is_recorded {
                        self.wish.resume = Some(talk.standing().session);
                    }
                    return Left::Switch;
                }
            }
            if let Some(code) = self.stage.control.leaves_with() {
                return Left::Leave(code);
            }
            self.tell_status(talk);
            todo = self.next();
        }
    }

    /// One prompt, and what comes of it; with the skill that is to be followed, if one is.
    fn turn(&mut self, talk: &mut Conversation<'_, '_>, saying: &Saying, skill: Option<&str>) {
        let stage = self.stage;
        let before = talk.stats().clone();
        let printed = std::mem::take(&mut self.printed);
        let whole = format!("{printed}{}", saying.text);
        let said = Said {
            text: &whole,
            piped_bytes: printed.len(),
        };
        let cancel = stage.control.begin();
        stage.keyboard.heed(&cancel);
        let hushed = stage.keyboard.hush();
        let ended = stage.voice.during("asking", || match skill {
            None => talk.say(said, &cancel),
            Some(skill) => talk.follow(skill, said, &cancel),
        });
        drop(hushed);
        stage.control.end();
        let ahead = stage.keyboard.take_ahead();
        match ended {
            Ok(ended) => {
                // Ctrl-C once more leaves.
                self.was_interrupted = matches!(ended.how, How::Cancelled);
                let is_answered = matches!(ended.how, How::Answered);
                self.tell_end(&ended);
                if stage.cli.global.verbose {
                    self.say(&status::turn(&before, &ended.stats));
                }
                match is_answered || !ahead.is_empty() {
                    true => self.lines.put(&ahead),
                    // It was not answered: it can be sent again as it is, or otherwise.
                    false if matches!(ended.how, How::NoAnswer(_) | How::Overflow(_)) => {
                        self.lines.put(&saying.typed);
                    }
                    false => {}
                }
            }
            Err(failure) => {
                self.fail(&failure);
                self.lines.put(&saying.typed);
            }
        }
        self.pin_what_waits(talk);
    }

    fn tell_end(&self, ended: &Ended) {
        match &ended.how {
            How::Answered => {}
            How::Cancelled => self.say("cancelled; what was done so far stays done"),
            How::TurnLimit => self.say("stopped: it had as many turns as it may have"),
            How::Loop => self.say("stopped: the model goes in circles"),
            How::Overflow(why) | How::Stopped(why) => self.say(why),
            How::NoAnswer(failure) => self.fail(failure),
        }
    }

    /// Says how things stand, if that is news.
    fn tell_status(&mut self, talk: &Conversation<'_, '_>) {
        let standing = talk.standing();
        if !standing.is_counted {
            return;
        }
        let line = status::line(&standing, talk.inbox());
        let columns = face::size().map_or(self.stage.screen.width, |size| size.width);
        let line = shorten(&line, columns.saturating_sub(1));
        if self.told_status.as_ref() != Some(&line) {
            self.shown(|out, screen| writeln!(out, "{}", screen.dim(&line)));
            self.told_status = Some(line);
        }
    }

    /// Does what needs a conversation.
    fn with(&mut self, talk: &mut Conversation<'_, '_>, slash: Slash) -> Result<(), Failure> {
        match slash {
            Slash::Compress { focus } => {
                let stage = self.stage;
                let cancel = stage.control.begin();
                let hushed = stage.keyboard.hush();
                let answer = stage
                    .voice
                    .during("compressing", || talk.compress(focus.as_deref(), &cancel));
                stage.control.end();
                drop(hushed);
                self.lines.put(&stage.keyboard.take_ahead());
                let answer = answer?;
                self.answer(&answer);
                if answer.is_compressed() {
                    self.say("/compress undo makes it long again");
                }
            }
            Slash::Skill { name, said } => {
                self.say(&format!("following the skill {}", one_line(&name)));
                let typed = format!("/{name} {said}").trim_end().to_owned();
                self.turn(talk, &Saying { text: said, typed }, Some(&name));
            }
            Slash::Uncompress => self.answer(&talk.uncompress()?),
            Slash::Rewind(n_prompts) => {
                let answer = talk.rewind(n_prompts)?;
                self.answer(&answer);
                // To be said otherwise.
                self.lines
                    .put(answer.prompts.first().map_or("", String::as_str));
            }
            Slash::Pin(text) => self.pin(talk, text)?,
            Slash::Pins => self.show_pins(talk)?,
            Slash::Window => {
                let window = talk.window()?;
                self.shown(|out, screen| status::window(out, &window, screen));
            }
            Slash::Stats => self.shown(|out, screen| status::stats(out, talk.stats(), screen)),
            Slash::Tools => {
                let tools: Vec<_> = talk
                    .tools()
                    .map(|(name, about)| (name.to_owned(), about.to_owned()))
                    .collect();
                self.shown(|out, screen| {
                    for (name, about) in &tools {
                        let about: String = one_line(about)
                            .chars()
                            .take(screen.width.saturating_sub(26))
                            .collect();
                        writeln!(out, "  {:<22} {}", one_line(name), screen.dim(&about))?;
                    }
                    Ok(())
                });
            }
            Slash::Model(Some(name)) => {
                talk.use_model(&name)?;
                self.wish.model = Some(name);
                self.say(&format!("from now on {} is asked", talk.standing().model));
            }
            Slash::Model(None) => match talk.model() {
                Ok(model) => self.say(&format!("{model} is asked; /model NAME asks another")),
                Err(failure) => self.fail(failure),
            },
            // The others need no conversation, and were done before.
            _ => {}
        }
        Ok(())
    }

    /// Pins a text; one that comes before the first prompt is kept for the session that begins with it.
    fn pin(&mut self, talk: &Conversation<'_, '_>, text: String) -> Result<(), Failure> {
        let standing = talk.standing();
        let pin = pin(standing.session, Some(text));
        let (world, flags) = (&self.stage.world, self.stage.cli.global.flags());
        if standing.is_recorded {
            self.answer(&pin.run(world, &flags)?);
            return Ok(());
        }
        if flags.dry_run {
            return Err(Failure::bad_input("nothing is recorded in a dry run"));
        }
        let text = pin.vetted(world, &flags)?;
        if !self.pins.contains(&text) {
            self.pins.push(text);
        }
        self.say("it will be pinned to this session, which begins with your first prompt");
        Ok(())
    }

    fn show_pins(&self, talk: &Conversation<'_, '_>) -> Result<(), Failure> {
        let standing = talk.standing();
        if standing.is_recorded {
            let flags = self.stage.cli.global.flags();
            let answer = pin(standing.session, None).run(&self.stage.world, &flags)?;
            self.answer(&answer);
        } else if self.pins.is_empty() {
            self.say("nothing is pinned");
        } else {
            self.say("with your first prompt this will be pinned:");
            self.shown(|out, _| {
                let mut texts = self.pins.iter();
                texts.try_for_each(|text| writeln!(out, "  {}", one_line(text)))
            });
        }
        Ok(())
    }

    /// Pins what was to be pinned before the session began.
    fn pin_what_waits(&mut self, talk: &Conversation<'_, '_>) {
        let standing = talk.standing();
        if !standing.is_recorded {
            return;
        }
        let flags = self.stage.cli.global.flags();
        for text in std::mem::take(&mut self.pins) {
            let pin = pin(standing.session.clone(), Some(text));
            match pin.run(&self.stage.world, &flags) {
                Ok(answer) => self.answer(&answer),
                Err(failure) => self.fail(&failure),
            }
        }
    }

    /// Shows an answer as the shell does.
    fn answer(&self, answer: &impl Human) {
        self.shown(|out, screen| answer.show(out, screen));
        let global = &self.stage.cli.global;
        let mut out = std::io::stdout().lock();
        let _ = crate::ui::problems::show(&mut out, answer, global);
    }
}

/// Pins a text to a session, or shows what is pinned to it.
fn pin(session: String, text: Option<String>) -> Pin {
    Pin {
        session,
        list: text.is_none(),
        text: text.into_iter().collect(),
        remove: None,
        redact: false,
        allow: Vec::new(),
    }
}
