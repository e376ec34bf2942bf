//! The extraction lock, shared with Gemini CLI: its content, and whether it is still valid.
//!
//! Gemini CLI writes `pid` and `startedAt` and reads no more than these. The rest is ours: a token, so that nobody gives
//! back another's lock, and where and when the process began, as numbers are given out again and a home may be on a
//! disk that several machines share.

use analects_session::stamp::Stamp;
use analects_world::AbsPath;
use analects_world::claim::{Pulse, Who};
use serde::{Deserialize, Serialize};

/// Gemini CLI takes over a lock that is older, and so do we.
pub const STALE_MS: u64 = 35 * 60 * 1000;
/// A lock that makes no sense may be half written. After this long it is not.
const GRACE_MS: u64 = 10 * 1000;

/// Where the lock of a private memory folder is.
#[must_use]
pub fn place(memory: &AbsPath) -> AbsPath {
    memory.join(".extraction.lock")
}

/// The lock as it is written.
#[must_use]
pub fn write(me: &Who, now: Stamp) -> Vec<u8> {
    let lock = Lock {
        pid: me.pid,
        started_at: now.to_string(),
        token: Some(me.token.clone()),
        machine: Some(me.machine.clone()),
        born: me.born,
    };
    serde_json::to_vec(&lock).unwrap_or_default()
}

/// Whether a lock still keeps others away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It does; whoever this is, is at work.
    Held(Holder),
    /// It does not, and this is why.
    Stale(&'static str),
}

/// Whoever holds a lock, as far as it says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holder {
    /// The number of its process.
    pub pid: Option<u32>,
    /// Since when.
    pub since: Option<Stamp>,
    /// Whether it is one of us. Whoever is not does not look before they write.
    pub is_ours: bool,
}

/// What a lock says and when it was written, judged.
#[must_use]
pub fn judge(
    text: &[u8],
    written_ms: u64,
    now_ms: u64,
    me: &Who,
    pulse: impl Fn(u32) -> Pulse,
) -> Verdict {
    let read = serde_json::from_slice::<Lock>(text).ok();
    let read = read.and_then(|lock| Some((Stamp::parse(&lock.started_at)?, lock)));
    let Some((since, lock)) = read else {
        return match written_ms.abs_diff(now_ms) > GRACE_MS {
            true => Verdict::Stale("it makes no sense"),
            false => Verdict::Held(Holder::default()),
        };
    };
    // A lock from the future is no younger than one from the past: some clock jumped.
    if since.as_ms().abs_diff(now_ms) > STALE_MS {
        return Verdict::Stale("it is too old");
    }
    let is_here = lock
        .machine
        .as_ref()
        .is_none_or(|there| *there == me.machine);
    let is_gone = is_here
        && match pulse(lock.pid) {
            Pulse::Gone => true,
            Pulse::Beating { born } => born.zip(lock.born).is_some_and(|(is, was)| is != was),
        };
    match is_gone {
        true => Verdict::Stale("its process is gone"),
        false => Verdict::Held(Holder {
            pid: Some(lock.pid),
            since: Some(since),
            is_ours: lock.token.is_some(),
        }),
    }
}

/// The lock, in Gemini CLI's words and some of ours.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Lock {
    pid: u32,
    started_at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    machine: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    born: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_700_000_000_000;
    const MINUTE: u64 = 60_000;

    fn me() -> Who {
        Who {
            pid: 7,
            born: Some(70),
            machine: "here".to_owned(),
            token: "t".to_owned(),
        }
    }

    /// Only process 7 is alive, since 70.
    fn check(text: &str, written_ms: u64) -> &'static str {
        let pulse = |pid| match pid {
            7 => Pulse::Beating { born: Some(70) },
            _ => Pulse::Gone,
        };
        match judge(text.as_bytes(), written_ms, NOW, &me(), pulse) {
            Verdict::Held(_) => "held",
            Verdict::Stale(why) => why,
        }
    }

    fn at(ms: u64) -> String {
        Stamp::from_ms(ms).unwrap().to_string()
    }

    #[test]
    fn what_we_write_is_what_gemini_cli_reads_and_keeps_others_away() {
        let text = String::from_utf8(write(&me(), Stamp::from_ms(NOW).unwrap())).unwrap();
        assert_eq!(
            text,
            r#"{"pid":7,"startedAt":"2023-11-14T22:13:20.000Z","token":"t","machine":"here","born":70}"#
        );
        assert_eq!(check(&text, NOW), "held");
    }

    #[test]
    fn gemini_clis_own_lock_counts_while_its_process_lives() {
        let lock = |pid: u32, ms| format!(r#"{{"pid":{pid},"startedAt":"{}"}}"#, at(ms));
        assert_eq!(check(&lock(7, NOW - 34 * MINUTE), 0), "held");
        assert_eq!(check(&lock(8, NOW), NOW), "its process is gone");
        assert_eq!(check(&lock(7, NOW - 36 * MINUTE), NOW), "it is too old");
    }

    #[test]
    fn a_lock_from_the_future_is_not_held_for_ever() {
        let lock = |ms| format!(r#"{{"pid":7,"startedAt":"{}"}}"#, at(ms));
        assert_eq!(check(&lock(NOW + 5 * MINUTE), NOW), "held");
        assert_eq!(check(&lock(NOW + 36 * MINUTE), NOW), "it is too old");
    }

    #[test]
    fn a_number_that_was_given_out_again_is_another_process() {
        let born = |born: u64| {
            format!(
                r#"{{"pid":7,"startedAt":"{}","machine":"here","born":{born}}}"#,
                at(NOW)
            )
        };
        assert_eq!(check(&born(70), NOW), "held");
        assert_eq!(check(&born(71), NOW), "its process is gone");
    }

    #[test]
    fn of_another_machines_process_only_the_age_tells() {
        let lock = |ms| format!(r#"{{"pid":9,"startedAt":"{}","machine":"there"}}"#, at(ms));
        assert_eq!(check(&lock(NOW - 34 * MINUTE), NOW), "held");
        assert_eq!(check(&lock(NOW - 36 * MINUTE), NOW), "it is too old");
    }

    #[test]
    fn what_makes_no_sense_is_given_a_while() {
        for text in [
            "",
            "{",
            "[]",
            "null",
            r#"{"pid":"7","startedAt":"x"}"#,
            r#"{"pid":-1,"startedAt":"2023-11-14T22:13:20.000Z"}"#,
            r#"{"pid":7,"startedAt":"yesterday"}"#,
        ] {
            assert_eq!(check(text, NOW - 9_000), "held", "{text}");
            assert_eq!(check(text, NOW - 11_000), "it makes no sense", "{text}");
            assert_eq!(check(text, NOW + 11_000), "it makes no sense", "{text}");
        }
    }
}
