//! The picker on this process's terminal: drawn on stderr, keys from stdin.

use std::io::{self, BufWriter, IsTerminal, Stderr, Write};
use std::time::Duration;

use analects_world::Cancel;
use crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste, Event};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Position, Rect};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::perform::{Doing, Stage, perform};
use super::{Action, Outcome, Picked, Picker};
use crate::ui::Screen;

/// How often we look whether somebody wants to stop, or whether another thread was told of a new size. Nothing is
/// drawn for it.
const LOOK_EVERY: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 250_000_000,
};

/// Shows a picker on the whole screen until it ends. The terminal is as it was before, however that happens.
///
/// `preview` is asked for the text of the item that is selected, each time another one is. `act` does what does not
/// end the picker. Who gets SIGTERM and cancels `cancel` ends the picker too. Fails where stdin or stderr is no
/// terminal: there, [`ask_by_number`](super::ask_by_number) is for people.
pub(crate) fn run(
    screen: &Screen,
    cancel: &Cancel,
    picker: Picker,
    preview: &mut dyn FnMut(&str) -> String,
    act: &mut dyn FnMut(Action, &[String]) -> Outcome,
) -> io::Result<Picked> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        let why = "a list that fills the screen needs a terminal";
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    let mut picker = picker.in_color(screen.has_color);
    let mut stage = Live::new(cancel)?;
    let picked = perform(&mut stage, &mut picker, Doing { preview, act });
    let left = stage.taken.leave();
    let picked = picked?;
    left.map(|()| picked)
}

/// A terminal that we have taken.
struct Live<'a> {
    cancel: &'a Cancel,
    // Dropped before the terminal is given back, as it wants to write to it.
    terminal: Terminal<CrosstermBackend<BufWriter<Stderr>>>,
    taken: Taken<Stderr>,
}

impl<'a> Live<'a> {
    fn new(cancel: &'a Cancel) -> io::Result<Self> {
        let taken = Taken::take(io::stderr(), RAW)?;
        // One write for each drawing: stderr itself keeps nothing back.
        let backend = CrosstermBackend::new(BufWriter::new(io::stderr()));
        let terminal = Terminal::new(backend)?;
        Ok(Self {
            cancel,
            terminal,
            taken,
        })
    }
}

impl Stage for Live<'_> {
    fn draw(&mut self, picker: &mut Picker) -> io::Result<()> {
        self.terminal.draw(|frame| picker.draw(frame)).map(drop)
    }

    fn forget(&mut self) -> io::Result<()> {
        // Not `clear`: that asks the terminal where its cursor is, and waits for seconds where none answers.
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::from((Position::ORIGIN, size)))
    }

    fn wait(&mut self) -> io::Result<Option<Event>> {
        loop {
            if self.cancel.is_cancelled() || is_hung_up(&LOOK_EVERY)? {
                return Ok(None);
            }
            if let Some(event) = self.ready()? {
                return Ok(Some(event));
            }
        }
    }

    fn ready(&mut self) -> io::Result<Option<Event>> {
        if is_hung_up(&Timespec::default())? || !event::poll(Duration::ZERO)? {
            return Ok(None);
        }
        event::read().map(Some)
    }

    fn step_aside(&mut self, work: &mut dyn FnMut()) -> io::Result<()> {
        self.taken.leave()?;
        work();
        self.taken.enter()?;
        self.forget()
    }
}

/// Waits until something is typed, or this long; whether the terminal has gone away.
///
/// crossterm would read from a terminal that is gone for ever, so it is not asked before this was.
fn is_hung_up(at_most: &Timespec) -> io::Result<bool> {
    let stdin = io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    match poll(&mut fds, Some(at_most)) {
        // A signal: most likely the screen has another size now.
        Ok(_) | Err(Errno::INTR) => {}
        Err(err) => return Err(err.into()),
    }
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    Ok(fds.iter().any(|fd| fd.revents().intersects(gone)))
}

/// How a terminal hands over keys as they are typed, and stops to.
#[derive(Clone, Copy)]
struct Raw {
    on: fn() -> io::Result<()>,
    off: fn() -> io::Result<()>,
}

const RAW: Raw = Raw {
    on: enable_raw_mode,
    off: disable_raw_mode,
};

/// A terminal in another state than a shell wants it; given back when dropped.
struct Taken<W: Write> {
    out: W,
    raw: Raw,
    is_in: bool,
}

impl<W: Write> Taken<W> {
    fn take(out: W, raw: Raw) -> io::Result<Self> {
        let mut taken = Self {
            out,
            raw,
            is_in: false,
        };
        taken.enter()?;
        Ok(taken)
    }

    fn enter(&mut self) -> io::Result<()> {
        // Before the first step: if one fails, what was done until then is undone too.
        self.is_in = true;
        (self.raw.on)()?;
        // Pasted text must come as such: its letters would be taken for actions.
        execute!(self.out, EnterAlternateScreen, EnableBracketedPaste)
    }

    /// Does all of it, even if a part fails.
    fn leave(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_in, false) {
            return Ok(());
        }
        let shown = execute!(
            self.out,
            DisableBracketedPaste,
            LeaveAlternateScreen,
            cursor::Show
        );
        (self.raw.off)().and(shown)
    }
}

impl<W: Write> Drop for Taken<W> {
    fn drop(&mut self) {
        // There is nobody left who could be told.
        let _ = self.leave();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::rc::Rc;

    use super::*;

    thread_local! {
        static IS_RAW: Cell<bool> = const { Cell::new(false) };
    }

    const FAKE: Raw = Raw {
        on: || {
            IS_RAW.set(true);
            Ok(())
        },
        off: || {
            IS_RAW.set(false);
            Ok(())
        },
    };

    /// A terminal that two can hold: one writes, one looks.
    #[derive(Clone)]
    struct Paper(Rc<RefCell<vt100::Parser>>);

    impl Paper {
        fn new() -> Self {
            Self(Rc::new(RefCell::new(vt100::Parser::new(24, 80, 0))))
        }

        /// Whether it is as a shell wants it.
        fn is_sane(&self) -> bool {
            let parser = self.0.borrow();
            let screen = parser.screen();
            let is_plain = !screen.alternate_screen() && !screen.bracketed_paste();
            is_plain && !screen.hide_cursor() && !IS_RAW.get()
        }
    }

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().process(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_terminal_is_given_back_when_all_is_well_and_when_it_is_not() {
        let paper = Paper::new();
        let mut taken = Taken::take(paper.clone(), FAKE).unwrap();
        assert!(IS_RAW.get() && paper.0.borrow().screen().alternate_screen());
        assert!(paper.0.borrow().screen().bracketed_paste());
        execute!(paper.clone(), cursor::Hide).unwrap();
        taken.leave().unwrap();
        assert!(paper.is_sane());
        taken.enter().unwrap();
        assert!(!paper.is_sane());
        drop(taken);
        assert!(paper.is_sane());

        let caught = catch_unwind(AssertUnwindSafe(|| {
            let _taken = Taken::take(paper.clone(), FAKE).unwrap();
            assert!(paper.is_sane(), "on purpose");
        }));
        assert!(caught.is_err());
        assert!(paper.is_sane());
    }

    #[test]
    fn what_was_done_before_a_step_failed_is_undone() {
        let paper = Paper::new();
        let failing = Raw {
            on: || {
                IS_RAW.set(true);
                Err(io::ErrorKind::Other.into())
            },
            ..FAKE
        };
        assert!(Taken::take(paper.clone(), failing).is_err());
        assert!(paper.is_sane());
    }

    #[test]
    fn where_there_is_no_terminal_nothing_is_drawn() {
        if io::stdin().is_terminal() && io::stderr().is_terminal() {
            return;
        }
        let screen = Screen {
            is_terminal: false,
            has_color: false,
            asks_first: false,
            width: 80,
            home: analects_world::AbsPath::root(),
        };
        let picker = Picker::new("", Vec::new(), &[]);
        let run = run(
            &screen,
            &Cancel::new(),
            picker,
            &mut |_| String::new(),
            &mut |_, _| Outcome::Leave,
        );
        assert_eq!(run.unwrap_err().kind(), io::ErrorKind::Unsupported);
    }
}
