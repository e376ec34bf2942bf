//! Texts that are pinned to a session: they stay in its context word for word, however it is compressed.
//!
//! One small file per session, whichever agent's it is. What is in it is the user's own, so a file that cannot
//! be read is left alone, and whoever asks is told.

use analects_text::hidden;
use analects_text::trim::trim;
use analects_world::changes::{Change, Changes, ContentHash};
use analects_world::files::Files;
use analects_world::{AbsPath, Agent};
use serde::{Deserialize, Serialize};

use crate::World;
use crate::verbs::{Failure, Flags};
use crate::when;
use crate::write::{self, Written};

/// How many texts are pinned to a session at most.
pub(crate) const MAX_PINS: usize = 50;

/// How long each of them may be. All of them are sent with every request.
pub(crate) const MAX_BYTES: usize = 8 * 1024;

/// The version of the format.
const VERSION: u32 = 1;

/// A session, by what makes it one of a kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Of<'a> {
    /// Whose it is.
    pub agent: Agent,
    /// Its id.
    pub session: &'a str,
}

/// A text that is pinned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pin {
    /// The text.
    pub text: String,
    /// When it was pinned, in UTC.
    pub at: String,
}

/// What is pinned to a session after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pinned {
    /// All of it, in the order in which it was pinned.
    pub pins: Vec<Pin>,
    /// Whether anything changed; not if the text was pinned before.
    pub is_changed: bool,
    /// The change.
    pub written: Written,
}

/// What is pinned to a session.
pub(crate) fn read(world: &World<'_>, of: Of<'_>) -> Result<Vec<Pin>, Failure> {
    let stored = read_from(world.files, &path(world, of), of)?;
    Ok(stored.map_or_else(Vec::new, |stored| stored.pins))
}

/// Pins a text. One that is pinned already stays where it is.
pub(crate) fn add(
    world: &World<'_>,
    flags: &Flags,
    of: Of<'_>,
    text: &str,
    who: &str,
) -> Result<Pinned, Failure> {
    let text = clean(text)?;
    let at = when::utc(world.clock.now_ms());
    change(world, flags, of, who, &mut |pins| {
        if pins.iter().any(|pin| pin.text == text) {
            return Ok(false);
        }
        if pins.len() >= MAX_PINS {
            let message = format!("{MAX_PINS} texts are pinned to this session already");
            return Err(Failure::bad_input(message)
                .hint("take one away with `analects session pin ID --remove N`"));
        }
        let (text, at) = (text.clone(), at.clone());
        pins.push(Pin { text, at });
        Ok(true)
    })
}

/// Takes the pin of this number away, from 1 on.
pub(crate) fn remove(
    world: &World<'_>,
    flags: &Flags,
    of: Of<'_>,
    number: usize,
    who: &str,
) -> Result<Pinned, Failure> {
    change(world, flags, of, who, &mut |pins| {
        let at = number.checked_sub(1).filter(|&at| at < pins.len());
        let at = at.ok_or_else(|| {
            Failure::bad_input(format!("there is no pin {number} on this session"))
                .hint("`analects session pin ID --list` shows them with their numbers")
        })?;
        pins.remove(at);
        Ok(true)
    })
}

/// Where the pins of a session lie.
pub(crate) fn path(world: &World<'_>, of: Of<'_>) -> AbsPath {
    let name = ContentHash::of(of.session.as_bytes()).short();
    let name = format!("{}-{name}.json", of.agent.as_str());
    world.around.state_dir().join("pins").join(&name)
}

/// A text as it is pinned: without anything that hides, or drives a terminal.
pub(crate) fn clean(text: &str) -> Result<String, Failure> {
    let lines = text.replace("\r\n", "\n");
    let is_open = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let open: String = hidden::without(&lines).chars().filter(is_open).collect();
    let text = trim(&open);
    if text.is_empty() {
        return Err(Failure::bad_input("there is nothing to pin")
            .hint("say it in words, as in `analects session pin latest \"never touch main\"`"));
    }
    if text.len() > MAX_BYTES {
        let message = format!(
            "{} bytes are too long for a pin (at most {MAX_BYTES})",
            text.len()
        );
        return Err(Failure::bad_input(message).hint("put it into a file and pin the path of that"));
    }
    Ok(text.to_owned())
}

/// The file of a session.
#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    v: u32,
    agent: String,
    session: String,
    pins: Vec<Pin>,
}

/// Only what tells whether the rest can be read.
#[derive(Deserialize)]
struct Version {
    v: u32,
}

fn read_from(files: &dyn Files, path: &AbsPath, of: Of<'_>) -> Result<Option<Stored>, Failure> {
    let Some(bytes) = write::bytes_of(files, path)? else {
        return Ok(None);
    };
    let bad = |why: &str| {
        Failure::failed(format!("cannot read the pins in `{path}`: {why}"))
            .hint("it was left alone; repair it, or move it away")
    };
    let version = serde_json::from_slice(&bytes).map(|version: Version| version.v);
    if version.is_ok_and(|version| version > VERSION) {
        return Err(bad("a newer version of Analects wrote it"));
    }
    let stored: Stored = serde_json::from_slice(&bytes).map_err(|error| bad(&error.to_string()))?;
    let is_its = stored.agent == of.agent.as_str() && stored.session == of.session;
    is_its
        .then_some(Some(stored))
        .ok_or_else(|| bad("it belongs to another session"))
}

/// Commits what `edit` makes of the pins; it says whether it changed anything.
fn change(
    world: &World<'_>,
    flags: &Flags,
    of: Of<'_>,
    who: &str,
    edit: &mut dyn FnMut(&mut Vec<Pin>) -> Result<bool, Failure>,
) -> Result<Pinned, Failure> {
    let path = path(world, of);
    let (mut all, mut is_changed) = (Vec::new(), false);
    let mut plan = |files: &dyn Files| {
        let stored = read_from(files, &path, of)?;
        let mut pins = stored.map_or_else(Vec::new, |stored| stored.pins);
        is_changed = edit(&mut pins)?;
        all.clone_from(&pins);
        let mut changes = Vec::new();
        if is_changed {
            let old = write::bytes_of(files, &path)?;
            let new = print(of, pins)?;
            changes.push(Change::new(&path, old.as_deref(), new).owner_only());
        }
        Ok(Changes::new(who, "a pinned text", changes))
    };
    let written = write::write(world, flags, &[], &mut plan)?;
    Ok(Pinned {
        pins: all,
        is_changed,
        written,
    })
}

/// The file with these pins; none if there are none.
fn print(of: Of<'_>, pins: Vec<Pin>) -> Result<Option<Vec<u8>>, Failure> {
    if pins.is_empty() {
        return Ok(None);
    }
    let stored = Stored {
        v: VERSION,
        agent: of.agent.as_str().to_owned(),
        session: of.session.to_owned(),
        pins,
    };
    let mut text = serde_json::to_vec_pretty(&stored)
        .map_err(|error| Failure::failed(format!("cannot write the pins: {error}")))?;
    text.push(b'\n');
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use analects_testkit::{FakeDesk, surroundings};
    use expect_test::expect;

    use super::*;

    const OF: Of<'_> = Of {
        agent: Agent::Claude,
        session: "5f2e-1",
    };
    const FILE: &str = "/h/.gemini/analects/pins/claude-dccf24172f29e544.json";

    fn in_world<T>(desk: &FakeDesk, run: impl FnOnce(&World<'_>) -> T) -> T {
        let around = surroundings("/w", "/h", &[]);
        run(&desk.world(&around))
    }

    fn pin(desk: &FakeDesk, text: &str) -> Result<Pinned, Failure> {
        in_world(desk, |world| {
            add(world, &Flags::default(), OF, text, "test")
        })
    }

    fn texts(pins: &[Pin]) -> Vec<&str> {
        pins.iter().map(|pin| pin.text.as_str()).collect()
    }

    #[test]
    fn what_is_pinned_is_read_again_and_taken_away() {
        let desk = FakeDesk::parse("");
        let pinned = pin(&desk, " never\ttouch \u{1b}[31mmain\u{202e}\r\nnor that ").unwrap();
        assert_eq!(texts(&pinned.pins), ["never\ttouch [31mmain\nnor that"]);
        assert!(pinned.is_changed && pinned.written.receipt.is_some());
        assert!(pin(&desk, "two").unwrap().is_changed);
        assert!(!pin(&desk, "two ").unwrap().is_changed);
        let read = in_world(&desk, |world| read(world, OF)).unwrap();
        assert_eq!(texts(&read), ["never\ttouch [31mmain\nnor that", "two"]);
        expect![[r#"
            {
              "v": 1,
              "agent": "claude",
              "session": "5f2e-1",
              "pins": [
                {
                  "text": "never\ttouch [31mmain\nnor that",
                  "at": "1970-01-01T00:00:00.000Z"
                },
                {
                  "text": "two",
                  "at": "1970-01-01T00:00:00.000Z"
                }
              ]
            }
        "#]]
        .assert_eq(&desk.text(FILE).unwrap());
        let take = |number| {
            in_world(&desk, |world| {
                remove(world, &Flags::default(), OF, number, "test")
            })
        };
        assert!(take(0).is_err() && take(3).is_err());
        assert_eq!(texts(&take(1).unwrap().pins), ["two"]);
        assert!(take(1).unwrap().pins.is_empty());
        assert_eq!(desk.text(FILE), None);
    }

    #[test]
    fn there_is_an_end_to_what_can_be_pinned() {
        let desk = FakeDesk::parse("");
        assert!(pin(&desk, "\u{200b} \n").is_err());
        assert!(pin(&desk, &"x".repeat(MAX_BYTES + 1)).is_err());
        for n in 0..MAX_PINS {
            pin(&desk, &format!("pin {n}")).unwrap();
        }
        let failure = pin(&desk, "one more").unwrap_err();
        assert_eq!(
            failure.message,
            "50 texts are pinned to this session already"
        );
    }

    #[test]
    fn a_file_that_cannot_be_read_is_left_alone() {
        for (text, why) in [
            ("{", "EOF"),
            (r#"{"v":2,"pins":"other"}"#, "newer version"),
            (
                r#"{"v":1,"agent":"claude","session":"5f2e-2","pins":[]}"#,
                "another session",
            ),
        ] {
            let desk = FakeDesk::parse(&format!("//- {FILE}\n{text}\n"));
            let failure = pin(&desk, "text").unwrap_err();
            assert!(failure.message.contains(why), "{}", failure.message);
            assert!(in_world(&desk, |world| read(world, OF)).is_err());
            assert_eq!(desk.text(FILE).unwrap().trim(), text);
        }
    }

    #[test]
    fn a_dry_run_pins_nothing() {
        let desk = FakeDesk::parse("");
        let flags = Flags {
            dry_run: true,
            ..Flags::default()
        };
        let pinned = in_world(&desk, |world| add(world, &flags, OF, "text", "test")).unwrap();
        assert!(pinned.written.receipt.is_none() && pinned.written.diff.contains("text"));
        assert_eq!(desk.text(FILE), None);
    }
}
