//! Running command lines, and ending them with all that they started.
//!
//! A command leads a session of its own, without a terminal: what asks for a password or opens an editor fails
//! instead of waiting. One pipe takes both of its streams, or one each if it is told something and its answer counts; one
//! thread waits for its end. Everything else happens in the caller's thread, which sleeps until there is something to
//! hear, to tell, to heed or to end.

mod ending;
mod family;
mod head;
pub(crate) mod kept;
mod leader;
mod output;

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use analects_world::Cancel;
use analects_world::shell::{Command, Ended, Fed, How, Limit, Shell};

use family::{Family, Hold, Mark, Member};
use head::Head;
use leader::{Bell, Leader, Terms};
use output::{Hear, Output, Stream};

/// How long somebody is heard who still has the pipe after the command ended: a `tee` that nobody waited for says
/// its last words, a server in the background does not keep us.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// The shell of this machine.
#[derive(Debug, Clone, Copy)]
pub struct RealShell {
    /// Where the table of processes is.
    proc: &'static Path,
}

impl Default for RealShell {
    fn default() -> Self {
        let proc = Path::new("/proc");
        Self { proc }
    }
}

impl Shell for RealShell {
    fn run(
        &self,
        command: &Command<'_>,
        cancel: &Cancel,
        hear: &mut dyn FnMut(&[u8]),
    ) -> Result<Ended, String> {
        self.on_terms(command, Terms::Silent, cancel, &mut |_, piece| hear(piece))
    }

    fn feed(
        &self,
        command: &Command<'_>,
        input: &[u8],
        most_bytes: usize,
        cancel: &Cancel,
    ) -> Result<Fed, String> {
        let (mut out, mut errors) = (Head::new(most_bytes), Head::new(most_bytes));
        let mut hear = |stream, piece: &[u8]| match stream {
            Stream::Out => out.take(piece),
            Stream::Err => errors.take(piece),
        };
        let ended = self.on_terms(command, Terms::Fed(input), cancel, &mut hear)?;
        Ok(Fed {
            ended,
            is_cut: out.is_cut || errors.is_cut,
            stdout: out.bytes,
            stderr: errors.bytes,
        })
    }
}

impl RealShell {
    fn on_terms(
        &self,
        command: &Command<'_>,
        terms: Terms<'_>,
        cancel: &Cancel,
        hear: &mut Hear<'_>,
    ) -> Result<Ended, String> {
        if cancel.is_cancelled() {
            return Ok(Ended {
                how: How::Cancelled,
                left: Vec::new(),
            });
        }
        let mark = Mark::new(command.vars);
        let bell = Bell::new().map_err(|error| error.to_string())?;
        let (leader, output) = leader::start(command, terms, &mark, &bell)?;
        let rope = bell.rope().map_err(|error| error.to_string())?;
        let _listening = cancel.listen(move || rope.pull());
        let running = Running {
            family: Family::new(leader.pid(), mark, self.proc),
            leader,
            output,
            bell,
        };
        running.see_through(&Limits::of(command), cancel, hear)
    }
}

/// A command that runs.
struct Running {
    leader: Leader,
    family: Family,
    output: Output,
    bell: Bell,
}

/// Until when what may happen.
struct Limits {
    idle: Option<Duration>,
    whole: Option<Instant>,
    leave: Option<Instant>,
}

impl Limits {
    fn of(command: &Command<'_>) -> Self {
        let now = Instant::now();
        let after = |ms: Option<u64>| now.checked_add(Duration::from_millis(ms?));
        Self {
            idle: command.idle_ms.map(Duration::from_millis),
            whole: after(command.whole_ms),
            leave: after(command.leave_ms),
        }
    }

    /// What comes next if nothing is heard any more, and when.
    fn next(&self, last_heard: Instant) -> Option<(Instant, How)> {
        let idle = self.idle.and_then(|idle| last_heard.checked_add(idle));
        let candidates = [
            (self.leave, How::Left),
            (idle, How::TimedOut(Limit::Idle)),
            (self.whole, How::TimedOut(Limit::Whole)),
        ];
        let set = candidates
            .into_iter()
            .filter_map(|(at, how)| Some((at?, how)));
        set.min_by_key(|&(at, _)| at)
    }
}

impl Running {
    fn see_through(
        mut self,
        limits: &Limits,
        cancel: &Cancel,
        hear: &mut Hear<'_>,
    ) -> Result<Ended, String> {
        let how = self.listen(limits, cancel, hear);
        let left = match how {
            Ok(How::Left) => self.family.members().unwrap_or_default(),
            Ok(How::Code(_) | How::Signal(_)) => self.last_words(hear),
            Ok(How::TimedOut(_) | How::Cancelled) | Err(_) => {
                ending::end(&mut self, hear);
                self.last_words(hear)
            }
        };
        let how = how.map_err(|error| format!("the command was lost sight of: {error}"))?;
        let left = left.iter().map(|member| member.pid).collect();
        // Whoever was to be ended and still holds the pipe may break on it.
        if matches!(how, How::Code(_) | How::Signal(_) | How::Left) {
            self.output.leave();
        }
        self.leader.dismiss();
        Ok(Ended { how, left })
    }

    /// Hears what is printed until the command ends, or has to.
    fn listen(&mut self, limits: &Limits, cancel: &Cancel, hear: &mut Hear<'_>) -> io::Result<How> {
        let mut last_heard = Instant::now();
        loop {
            if cancel.is_cancelled() {
                return Ok(How::Cancelled);
            }
            if let Some(how) = self.leader.ended() {
                return Ok(how);
            }
            let next = limits.next(last_heard);
            if let Some((_, how)) = next.filter(|&(at, _)| at <= Instant::now()) {
                return Ok(how);
            }
            let until = next.map(|(at, _)| at);
            let stirred = self.output.hear_or(&[self.bell.fd()], until, hear)?;
            if stirred.is_heard {
                last_heard = Instant::now();
            }
            if !stirred.others.is_empty() {
                self.bell.hush();
            }
        }
    }

    /// Hears what is still in the pipe, and answers who runs on.
    fn last_words(&mut self, hear: &mut Hear<'_>) -> Vec<Member> {
        let until = Instant::now() + LAST_WORDS;
        while self.output.is_open() && Instant::now() < until {
            if self.output.hear_or(&[], Some(until), hear).is_err() {
                break;
            }
        }
        let members = self.family.members().unwrap_or_default();
        if members.is_empty() || until <= Instant::now() {
            return members;
        }
        // Who has said the last word may need another moment to be gone.
        let held = members.iter().filter_map(|member| self.family.hold(member));
        let ends = held.filter_map(Hold::end).collect();
        ending::wait(self, ends, until, hear);
        self.family.members().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
