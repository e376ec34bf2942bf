//! The history of typed prompts, for the chat's line editor: a private log, one line each.

use serde::{Deserialize, Serialize};

use crate::World;
use crate::private_log::{PrivateLog, Sort};

const LOG: PrivateLog = PrivateLog {
    name: "prompts.jsonl",
    sort: |line| stored(line).map(|_| Sort::Usual),
};

/// Longer ones nobody types again.
const MAX_BYTES: usize = 16 * 1024;

/// A line of the log; the field is named so that others can join it.
#[derive(Serialize, Deserialize)]
struct Stored {
    text: String,
}

/// Notes what was typed; else says why not.
pub fn note(world: &World<'_>, text: &str) -> Result<(), String> {
    if text.len() > MAX_BYTES {
        return Ok(());
    }
    let text = text.to_owned();
    let line = serde_json::to_string(&Stored { text }).map_err(|error| error.to_string())?;
    LOG.append(world, &format!("{line}\n"))
}

/// The last ones, the oldest first.
#[must_use]
pub fn recent(world: &World<'_>, most: usize) -> Vec<String> {
    // Whoever cannot read them types anew.
    let log = LOG.read(world).unwrap_or_default();
    let mut texts: Vec<_> = log.lines().rev().filter_map(stored).take(most).collect();
    texts.reverse();
    texts
}

fn stored(line: &str) -> Option<String> {
    serde_json::from_str::<Stored>(line).ok().map(|it| it.text)
}

#[cfg(test)]
mod tests {
    use analects_testkit::{FakeDesk, surroundings};

    use super::*;

    #[test]
    fn what_was_typed_is_there_again_but_for_what_is_too_long() {
        let desk = FakeDesk::parse("");
        let around = surroundings("/w", "/h", &[]);
        let world = desk.world(&around);
        assert_eq!(recent(&world, 10), Vec::<String>::new());
        for text in ["one", "two\nlines", "", &"x".repeat(MAX_BYTES + 1), "three"] {
            note(&world, text).unwrap();
        }
        assert_eq!(recent(&world, 10), ["one", "two\nlines", "", "three"]);
        assert_eq!(recent(&world, 2), ["", "three"]);
    }

    #[test]
    fn a_log_with_nonsense_in_it_is_read_all_the_same() {
        let desk = FakeDesk::parse("");
        desk.edit(
            "/h/.gemini/analects/prompts.jsonl",
            "nonsense\n{\"text\":\"one\",\"more\":1}\n{\"text\":7}\n",
        );
        let around = surroundings("/w", "/h", &[]);
        assert_eq!(recent(&desk.world(&around), 10), ["one"]);
    }
}
