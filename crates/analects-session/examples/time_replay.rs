//! Reads a session file some times and says how long the best time took: `time_replay FILE`.
//!
//! The other half of `cargo xtask session-peer`, which asks Gemini CLI's loader the same.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "measures on a real file, with a real clock"
)]

use std::time::{Duration, Instant};

use analects_session::replay::replay;

const ROUNDS: usize = 10;

fn main() {
    let file = std::env::args().nth(1).unwrap_or_default();
    let time = || {
        let start = Instant::now();
        let bytes = std::fs::read(&file).unwrap_or_default();
        let read = start.elapsed();
        let replayed = replay(bytes);
        (start.elapsed(), read, replayed.n_messages())
    };
    let best = (0..ROUNDS).map(|_| time()).min().unwrap_or_default();
    let peak = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = peak.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let (elapsed, read, n_messages) = best;
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    println!("{:.1} ms", ms(elapsed));
    println!("{:.1} ms of it to read the file", ms(read));
    println!("{n_messages} messages");
    println!("peak {}", peak.unwrap_or("unknown").trim());
}
