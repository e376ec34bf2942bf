//! What a person sees of a turn: the model's words as they come, a line for each tool, and what they should know.

use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, Scope};
use std::time::Duration;

use analects_engine::codes;
use analects_engine::talk::Tell;
use analects_text::problem::{Problem, Severity};
use analects_world::Clock;
use analects_world::model::Body;

use super::paint::{Paint, PaintOptions, Size};
use crate::person::StepAside;
use crate::talk::aside::brief;

/// A spinner turns this often, at most.
const PACE: Duration = Duration::from_millis(100);
/// How many lines of what a command printed are shown.
const MAX_LINES: usize = 6;

/// Whoever paints a turn. What is painted by one thread at a time stands in order.
pub(crate) struct Voice<'a>(Mutex<State<'a>>);

struct State<'a> {
    paint: Paint,
    clock: &'a dyn Clock,
    out: Box<dyn Write + Send + 'a>,
    /// Somebody else has the screen.
    is_aside: bool,
    /// What is waited for, if anything.
    waits_for: Option<String>,
    detail: Detail,
    /// Servers of the project that were announced.
    announced: HashSet<String>,
    /// How large the screen is now.
    size: fn() -> Option<Size>,
    last_size: Size,
}

/// How much is said beside the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Detail {
    /// Errors only.
    Errors,
    /// What a person should know.
    Usual,
    /// Everything.
    All,
}

impl<'a> Voice<'a> {
    pub(crate) fn new(
        options: PaintOptions,
        detail: Detail,
        clock: &'a dyn Clock,
        size: fn() -> Option<Size>,
        out: impl Write + Send + 'a,
    ) -> Self {
        Self(Mutex::new(State {
            paint: Paint::new(options),
            clock,
            out: Box::new(out),
            is_aside: false,
            waits_for: None,
            detail,
            announced: HashSet::new(),
            size,
            last_size: options.size,
        }))
    }

    /// Paints what goes on during something that takes time. A screen that is gone stops nothing.
    pub(crate) fn during<T>(&self, what: &str, during: impl FnOnce() -> T) -> T {
        thread::scope(|scope| {
            let waiting = self.wait_in(scope, what);
            let done = during();
            drop(waiting);
            done
        })
    }

    /// The same, until the answer is dropped.
    pub(crate) fn wait_in<'s>(&'s self, scope: &'s Scope<'s, '_>, what: &str) -> Waiting<'s, 'a> {
        let (stop, stopped) = mpsc::channel::<()>();
        scope.spawn(move || {
            while let Err(mpsc::RecvTimeoutError::Timeout) = stopped.recv_timeout(PACE) {
                self.state().tick();
            }
        });
        self.state().wait(what);
        Waiting {
            voice: self,
            _stop: stop,
        }
    }

    /// Says what is going on.
    pub(crate) fn tell(&self, told: &Tell<'_>) {
        self.state().tell(told);
    }

    /// A line of our own.
    pub(crate) fn note(&self, text: &str) {
        self.state().note(text);
    }

    /// Shows what the model thought last; says whether it thought at all.
    pub(crate) fn unfold(&self) -> bool {
        let mut state = self.state();
        let has_thought = !state.paint.thoughts().trim().is_empty();
        let now_ms = state.clock.now_ms();
        let State { paint, out, .. } = &mut *state;
        let _ = paint.unfold(out, now_ms);
        has_thought
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody waits, and sees how long.
pub(crate) struct Waiting<'s, 'a> {
    voice: &'s Voice<'a>,
    _stop: mpsc::Sender<()>,
}

impl Drop for Waiting<'_, '_> {
    fn drop(&mut self) {
        self.voice.state().end();
    }
}

impl StepAside for Voice<'_> {
    fn step_aside(&self) {
        let mut state = self.state();
        state.end();
        state.is_aside = true;
    }

    fn come_back(&self) {
        let mut state = self.state();
        state.is_aside = false;
        if let Some(what) = state.waits_for.clone() {
            state.wait(&what);
        }
    }
}

impl State<'_> {
    fn tell(&mut self, told: &Tell<'_>) {
        self.fit();
        match told {
            Tell::Piece(part) => {
                let Body::Text(text) = &part.body else { return };
                match part.is_thought {
                    true => self.painted(|paint, out, now_ms| paint.thought(out, text, now_ms)),
                    false => self.painted(|paint, out, now_ms| paint.text(out, text, now_ms)),
                }
            }
            Tell::StartOver { why } => {
                self.painted(|paint, out, now_ms| paint.start_over(out, why, now_ms));
                self.wait("asking again");
            }
            Tell::Said { .. } => self.end(),
            Tell::Uses { name, args, .. } => {
                let line = format!("• {name} {}", brief(args));
                self.note(line.trim_end());
                self.wait(name);
            }
            Tell::Prints { text, .. } => {
                if let Some(last) = text.lines().rfind(|line| !line.trim().is_empty()) {
                    let last: String = last.trim().chars().take(60).collect();
                    self.wait_on(&last);
                }
            }
            Tell::Used { result, shown, .. } => {
                match result {
                    Err(refusal) => self.note(&format!("  ✗ {}", refusal.told())),
                    Ok(_) => self.indented(shown),
                }
                self.wait("asking");
            }
            Tell::Agent { name, told } => self.agent(name, told),
            Tell::Notice(problem) => self.notice(problem),
            Tell::Began { .. } | Tell::Busy(_) => {}
        }
    }

    fn agent(&mut self, agent: &str, told: &Tell<'_>) {
        match told {
            Tell::Uses { name, args, .. } => {
                let line = format!("• {agent} › {name} {}", brief(args));
                self.note(line.trim_end());
                self.wait(agent);
            }
            Tell::Used {
                result: Err(refusal),
                ..
            } => self.note(&format!("  ✗ {agent}: {}", refusal.told())),
            Tell::Notice(problem) => self.notice(problem),
            _ => {}
        }
    }

    fn notice(&mut self, problem: &Problem) {
        // Servers start with every session of a chat, but are announced once.
        let is_announcement = problem.code.name == codes::PROJECT_SERVER.name;
        if is_announcement && !self.announced.insert(problem.message.clone()) {
            return;
        }
        let severity = problem.code.severity;
        let since = match severity {
            Severity::Error => Detail::Errors,
            Severity::Warning => Detail::Usual,
            // Notes about this talk; those about single files are for `memory check`.
            Severity::Note if problem.path.is_none() => Detail::Usual,
            Severity::Note => Detail::All,
        };
        if self.detail >= since {
            self.note(&format!("{}: {problem}", severity.as_str()));
            if let Some(what) = self.waits_for.clone() {
                self.wait(&what);
            }
        }
    }

    fn indented(&mut self, shown: &str) {
        let lines: Vec<_> = shown.lines().collect();
        for line in lines.iter().take(MAX_LINES) {
            self.note(&format!("  {line}"));
        }
        if lines.len() > MAX_LINES {
            self.note(&format!("  … {} more lines", lines.len() - MAX_LINES));
        }
    }

    fn note(&mut self, text: &str) {
        self.painted(|paint, out, now_ms| paint.note(out, text, now_ms));
    }

    fn wait(&mut self, what: &str) {
        self.waits_for = Some(what.to_owned());
        self.painted(|paint, out, now_ms| paint.wait(out, what, now_ms));
    }

    /// What is waited for says something new; since when it is waited for stays.
    fn wait_on(&mut self, word: &str) {
        self.painted(|paint, _, _| {
            paint.reword(word);
            Ok(())
        });
    }

    fn tick(&mut self) {
        self.fit();
        self.painted(|paint, out, now_ms| paint.tick(out, now_ms));
    }

    /// Heeds that the screen has another size.
    fn fit(&mut self) {
        if let Some(size) = (self.size)().filter(|size| *size != self.last_size) {
            self.last_size = size;
            self.painted(|paint, out, _| paint.resize(out, size));
        }
    }

    fn end(&mut self) {
        self.waits_for = None;
        self.painted(|paint, out, now_ms| paint.end(out, now_ms));
    }

    /// Paints, unless somebody else has the screen. If it cannot be painted, the talk goes on all the same.
    fn painted(&mut self, paint: impl FnOnce(&mut Paint, &mut dyn Write, u64) -> io::Result<()>) {
        if !self.is_aside {
            let now_ms = self.clock.now_ms();
            let _ = paint(&mut self.paint, &mut self.out, now_ms);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, PoisonError};

    use analects_testkit::MovedClock;

    use super::super::paint::Style;
    use super::*;

    /// What was written, shared with whoever looks at it.
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Shared {
        fn text(&self) -> String {
            let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            String::from_utf8_lossy(&bytes).into_owned()
        }
    }

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn who_waits_for_a_slow_disk_sees_what_for_and_how_long_and_then_nothing_of_it() {
        let (clock, shown) = (MovedClock::default(), Shared::default());
        let options = PaintOptions {
            style: Style::Rich,
            has_color: false,
            size: Size {
                width: 80,
                height: 24,
            },
        };
        let voice = Voice::new(options, Detail::Usual, &clock, || None, shown.clone());
        voice.during("reading memory", || {
            // Three looks at a disk, 300 ms each.
            for n_looks in 1..=3 {
                clock.move_on(300);
                voice.state().tick();
                let is_said = shown.text().contains("reading memory");
                assert_eq!(is_said, n_looks > 1, "after {n_looks}");
            }
        });
        let mut screen = vt100::Parser::new(24, 80, 0);
        screen.process(shown.text().as_bytes());
        assert_eq!(screen.screen().contents().trim(), "");
    }

    #[test]
    fn a_server_of_the_project_is_announced_once_in_a_chat() {
        let (clock, shown) = (MovedClock::default(), Shared::default());
        let options = PaintOptions {
            style: Style::Lines,
            has_color: false,
            size: Size {
                width: 80,
                height: 24,
            },
        };
        let voice = Voice::new(options, Detail::Usual, &clock, || None, shown.clone());
        for server in ["pond", "pond", "lake"] {
            let problem = Problem::new(&codes::PROJECT_SERVER, format!("starts {server}"));
            voice.tell(&Tell::Notice(&problem));
        }
        let text = shown.text();
        assert_eq!(text.matches("starts pond").count(), 1, "{text}");
        assert_eq!(text.matches("starts lake").count(), 1, "{text}");
    }
}
