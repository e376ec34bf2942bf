//! Signals that ask this process to stop.
//!
//! The first one is a wish, handed on as a [`Cancel`]; the second one ends the process at once, whatever it does.

use std::future::pending;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;
use std::{fs, io};

use analects_world::Cancel;
use tokio::runtime::Builder;
use tokio::select;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What has come so far. From the moment it exists, nothing of this ends the process by itself any more.
#[derive(Debug, Clone)]
pub struct Signals(Arc<AtomicI32>);

impl Signals {
    /// Listens from now on: SIGINT, SIGTERM and SIGHUP cancel. Whoever began this process with SIGHUP ignored, as `nohup`
    /// does, wants it to go on without its terminal: then that one means nothing.
    ///
    /// Two of them before the first was noticed count as one: nobody could tell them apart.
    pub fn listen(cancel: &Cancel) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_io().build()?;
        let ears = {
            let _inside = runtime.enter();
            Ears::open(&fs::read_to_string("/proc/self/status").unwrap_or_default())?
        };
        let first = Arc::new(AtomicI32::new(NONE));
        let (noted, cancel) = (Arc::clone(&first), cancel.clone());
        thread::Builder::new()
            .name("analects-signals".to_owned())
            .spawn(move || runtime.block_on(heed(ears, &noted, &cancel)))?;
        Ok(Self(first))
    }

    /// The number of the signal that came first, if one did.
    #[must_use]
    pub fn first(&self) -> Option<i32> {
        Some(self.0.load(Ordering::SeqCst)).filter(|&number| number != NONE)
    }
}

/// What somebody outside wants of a program that a person sits at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Stop what you are doing: Ctrl-C.
    Interrupt,
    /// End, by the signal of this number: somebody wants that, or the terminal is gone.
    End(i32),
    /// Go on after a pause: the terminal may have been somebody else's meanwhile.
    GoOn,
}

/// What becomes of a program that was asked something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heed {
    /// It goes on, or ends by itself.
    Heard,
    /// It ends at once, with this code.
    Exit(u8),
}

/// Tells `hear` of every signal from now on, one after the other, on a thread of its own. None of them ends the process by
/// itself any more.
pub fn watch_signals(mut hear: impl FnMut(Asked) -> Heed + Send + 'static) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_io().build()?;
    let inside = runtime.enter();
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    let mut go_on = signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?;
    drop(inside);
    let listen = async move {
        loop {
            let ending = |kind: SignalKind| Asked::End(kind.as_raw_value());
            let asked = select! {
                came = interrupt.recv() => came.map(|()| Asked::Interrupt),
                came = terminate.recv() => came.map(|()| ending(SignalKind::terminate())),
                came = hang_up.recv() => came.map(|()| ending(SignalKind::hangup())),
                came = go_on.recv() => came.map(|()| Asked::GoOn),
            };
            let Some(asked) = asked else { return };
            if let Heed::Exit(code) = hear(asked) {
                exit(code);
            }
        }
    };
    thread::Builder::new()
        .name("analects-signals".to_owned())
        .spawn(move || runtime.block_on(listen))?;
    Ok(())
}

/// Stops this process until somebody wants it to go on, as Ctrl-Z does.
pub fn pause() -> io::Result<()> {
    let signal = rustix::process::Signal::TSTP;
    rustix::process::kill_current_process_group(signal).map_err(io::Error::from)
}

#[expect(clippy::exit, reason = "whoever asks twice does not wait any longer")]
fn exit(code: u8) -> ! {
    process::exit(i32::from(code))
}

/// No signal has this number.
const NONE: i32 = 0;

/// What is listened to.
struct Ears {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Option<Signal>,
}

impl Ears {
    /// Begins to listen; `status` is what the system says of this process.
    fn open(status: &str) -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            // Where the system does not say what is ignored, it stays as it was begun.
            hang_up: match ignores(status, SignalKind::hangup().as_raw_value()) {
                Some(false) => Some(signal(SignalKind::hangup())?),
                Some(true) | None => None,
            },
        })
    }

    async fn next(&mut self) -> Option<i32> {
        let hang_up = async {
            match &mut self.hang_up {
                Some(signal) => signal.recv().await,
                None => pending().await,
            }
        };
        let (kind, came) = select! {
            came = self.interrupt.recv() => (SignalKind::interrupt(), came),
            came = self.terminate.recv() => (SignalKind::terminate(), came),
            came = hang_up => (SignalKind::hangup(), came),
        };
        came.map(|()| kind.as_raw_value())
    }
}

/// Whether a process ignores a signal, by the mask in its status; nothing if there is none.
fn ignores(status: &str, signal: i32) -> Option<bool> {
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))?;
    let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
    let bit = u32::try_from(signal - 1).ok()?;
    Some(mask.checked_shr(bit)? & 1 == 1)
}

async fn heed(mut ears: Ears, noted: &AtomicI32, cancel: &Cancel) {
    let Some(first) = ears.next().await else {
        return;
    };
    noted.store(first, Ordering::SeqCst);
    // On a thread of its own: whoever listens may take its time, and the second signal must not wait for that.
    let told = cancel.clone();
    if thread::Builder::new().spawn(move || told.cancel()).is_err() {
        cancel.cancel();
    }
    if let Some(second) = ears.next().await {
        end(second);
    }
}

/// Ends the process with the code by which a shell tells that a signal did.
#[expect(clippy::exit, reason = "this is what a second signal is for")]
fn end(signal: i32) -> ! {
    process::exit(128 + signal)
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Child, Command, ExitStatus, Stdio};
    use std::sync::mpsc;

    use rustix::process::{Pid, Signal, kill_process};

    use super::*;

    const IS_CHILD: &str = "ANALECTS_TEST_SIGNALS";

    #[test]
    fn the_first_signal_is_a_wish() {
        for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
            let mut run = Run::start();
            assert_eq!(run.line(), "ready");
            run.send(signal);
            assert_eq!(run.line(), format!("cancelled by {}", signal.as_raw()));
            // It goes on until it has tidied up, and ends as it likes.
            assert_eq!(run.end().code(), Some(0));
        }
    }

    #[test]
    fn the_second_signal_ends_the_process_even_if_somebody_still_hears_the_first() {
        for (first, second) in [(Signal::INT, Signal::INT), (Signal::INT, Signal::TERM)] {
            let mut run = Run::start();
            assert_eq!(run.line(), "ready");
            run.send(first);
            assert_eq!(run.line(), "cancelled by 2");
            run.send(second);
            // Its input stays open, which waiting for a child would close: nothing but the signal can have ended it.
            let input = run.child.stdin.take();
            let status = run.child.wait().unwrap();
            drop(input);
            assert_eq!(status.code(), Some(128 + second.as_raw()));
        }
    }

    #[test]
    fn who_was_begun_without_ears_for_a_hang_up_goes_on_after_it() {
        let mut run = Run::start_ignoring_hang_ups();
        assert_eq!(run.line(), "ready");
        run.send(Signal::HUP);
        // Signals come in the order of their numbers: if the first one counted, it would be told.
        run.send(Signal::TERM);
        assert_eq!(run.line(), "cancelled by 15");
        assert_eq!(run.end().code(), Some(0));
    }

    #[test]
    fn what_is_ignored_stands_in_a_mask() {
        let status = |mask: &str| format!("Name:\tx\nSigBlk:\t0000000000000001\nSigIgn:\t{mask}\n");
        assert_eq!(ignores(&status("0000000000001001"), 1), Some(true));
        assert_eq!(ignores(&status("0000000000001002"), 1), Some(false));
        assert_eq!(ignores("", 1), None);
        assert_eq!(ignores(&status("zz"), 1), None);
    }

    /// Not a test of its own: what a process does that is sent signals.
    #[test]
    fn is_sent_signals() {
        if env::var_os(IS_CHILD).is_none() {
            return;
        }
        let cancel = Cancel::new();
        let signals = Signals::listen(&cancel).unwrap();
        assert_eq!(signals.first(), None);
        let (tell, told) = mpsc::channel();
        let _listening = cancel.listen(move || {
            tell.send(()).unwrap();
            loop {
                thread::park();
            }
        });
        say("ready");
        told.recv().unwrap();
        say(&format!("cancelled by {}", signals.first().unwrap()));
        io::stdin().read_to_end(&mut Vec::new()).unwrap();
    }

    /// Past the capture of the test runner. What the runner prints itself stands on the same stream.
    fn say(text: &str) {
        let mut out = io::stdout().lock();
        writeln!(out, "\nchild: {text}").unwrap();
        out.flush().unwrap();
    }

    struct Run {
        child: Child,
        out: BufReader<std::process::ChildStdout>,
    }

    impl Run {
        fn start() -> Self {
            Self::begin(Command::new(env::current_exe().unwrap()))
        }

        fn start_ignoring_hang_ups() -> Self {
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]);
            shell.arg(env::current_exe().unwrap());
            Self::begin(shell)
        }

        fn begin(mut command: Command) -> Self {
            let test = "signals::tests::is_sent_signals";
            let mut child = command
                .args(["--exact", test, "--nocapture", "--test-threads=1"])
                .env(IS_CHILD, "yes")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let out = BufReader::new(child.stdout.take().unwrap());
            Self { child, out }
        }

        fn line(&mut self) -> String {
            loop {
                let mut line = String::new();
                assert!(self.out.read_line(&mut line).unwrap() > 0, "it has ended");
                if let Some(said) = line.strip_prefix("child: ") {
                    return said.trim_end().to_owned();
                }
            }
        }

        fn send(&self, signal: Signal) {
            let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
            kill_process(pid, signal).unwrap();
        }

        fn end(mut self) -> ExitStatus {
            drop(self.child.stdin.take());
            // What is still printed must find a reader.
            self.out.read_to_end(&mut Vec::new()).unwrap();
            self.child.wait().unwrap()
        }
    }
}
