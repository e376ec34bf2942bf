//! `!command`: runs a command whose output goes along with the next prompt.

use std::io::{self, Write};

use analects_host::RealShell;
use analects_text::sanitize::for_terminal;
use analects_text::truncate;
use analects_world::Shell;
use analects_world::shell::{Command, How};

use super::Chat;

/// How much of what it prints goes along.
const MAX_KEPT_BYTES: usize = 16 * 1024;

impl Chat<'_, '_> {
    /// Runs a command, shows what it prints, and keeps it for the next prompt.
    pub(super) fn run_command(&mut self, line: &str) {
        if line.is_empty() {
            self.say("! runs a command, as in !git status");
            return;
        }
        let stage = self.stage;
        let cancel = stage.control.begin();
        let hushed = stage.keyboard.hush();
        let mut printed: Vec<u8> = Vec::new();
        let mut hear = |piece: &[u8]| {
            let room = MAX_KEPT_BYTES.saturating_sub(printed.len());
            printed.extend_from_slice(piece.get(..piece.len().min(room)).unwrap_or_default());
            let text = String::from_utf8_lossy(piece).replace("\r\n", "\n");
            let mut out = io::stdout().lock();
            // A screen that is gone stops nothing.
            let _ = write!(out, "{}", for_terminal(&text)).and_then(|()| out.flush());
        };
        let command = Command {
            line,
            dir: &stage.around.cwd,
            vars: &stage.around.vars,
            idle_ms: None,
            whole_ms: None,
            leave_ms: None,
        };
        let ended = RealShell::default().run(&command, &cancel, &mut hear);
        stage.control.end();
        drop(hushed);
        let ahead = stage.keyboard.take_ahead();
        self.lines.put(&ahead);
        if printed.last().is_some_and(|last| *last != b'\n') {
            self.shown(|out, _| writeln!(out));
        }
        let how = match ended {
            Ok(ended) => match ended.how {
                How::Code(code) => format!("exit code {code}"),
                How::Signal(signal) => format!("ended by signal {signal}"),
                How::Cancelled => "cancelled".to_owned(),
                How::TimedOut(_) | How::Left => "not ended".to_owned(),
            },
            Err(why) => format!("not started: {why}"),
        };
        if how != "exit code 0" {
            self.say(&how);
        }
        let text = String::from_utf8_lossy(&printed);
        let text = truncate::head_bytes(&text, MAX_KEPT_BYTES).trim_end();
        let told = format!("I ran `{line}` ({how}):\n```\n{text}\n```\n\n");
        self.printed.push_str(&told);
    }
}
