//! What only we note about a conversation. It stands under the one key `analects` of a `$set`, which the
//! original keeps out of its way; of several notes the last one counts, so each holds everything.

use analects_world::Agent;
use analects_world::changes::ContentHash;
use serde_json::{Map, Value, json};

use crate::stamp::Stamp;

/// The version of what stands under our key. 1 had no compressions.
const VERSION: u64 = 2;

/// More compressions than these are not remembered.
const MAX_COMPRESSIONS: usize = 100;

/// What only we note about a conversation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ours {
    /// The directory it works in.
    pub cwd: Option<String>,
    /// The branch it works on.
    pub branch: Option<String>,
    /// The conversation that it is a copy of.
    pub origin: Option<Origin>,
    /// The compressions that can be undone, the last one last.
    pub compressions: Vec<Compression>,
    /// All other fields, as they came.
    rest: Map<String, Value>,
}

/// Which conversation a record is a copy of, and how much of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Whose it is.
    pub agent: Agent,
    /// Its name there.
    pub session: String,
    /// The fingerprint of the messages that were copied.
    pub messages: String,
}

/// That the history of a conversation was compressed, and how that can be told from its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compression {
    /// The fingerprint of the line by which the messages became others.
    pub line: String,
    /// The fingerprint of the names of all messages before it, one per line.
    pub messages: String,
    /// The message that stands for those that were compressed.
    pub snapshot: String,
    /// What the history weighed before, in tokens.
    pub before: u64,
    /// What it weighed afterwards.
    pub after: u64,
    /// When it was done.
    pub at: Stamp,
}

impl Ours {
    /// What somebody says about the place of a conversation.
    #[must_use]
    pub fn new(cwd: impl Into<String>, branch: Option<String>) -> Self {
        Self {
            cwd: Some(cwd.into()),
            branch,
            ..Self::default()
        }
    }

    /// What is said about a copy.
    pub(crate) fn copied(origin: Origin) -> Self {
        Self {
            origin: Some(origin),
            ..Self::default()
        }
    }

    /// The note that a value says; `None` if it is none.
    pub(crate) fn from_value(value: Value) -> Option<Self> {
        let Value::Object(mut rest) = value else {
            return None;
        };
        let mut ours = Self::default();
        for (name, field) in [("cwd", &mut ours.cwd), ("branch", &mut ours.branch)] {
            if let Some(text) = rest.get(name).and_then(Value::as_str) {
                *field = Some(text.to_owned());
                rest.shift_remove(name);
            }
        }
        if let Some(origin) = rest.get("origin").and_then(Origin::from_value) {
            ours.origin = Some(origin);
            rest.shift_remove("origin");
        }
        if version(&rest) <= VERSION {
            let compressions = rest.get("compressions").and_then(Value::as_array);
            // One that makes no sense hides those before it: they can be undone in turn only.
            let newest = compressions.into_iter().flatten().rev();
            let known = newest.map_while(Compression::from_value);
            ours.compressions = known.take(MAX_COMPRESSIONS).collect();
            ours.compressions.reverse();
            rest.shift_remove("compressions");
            rest.shift_remove("version");
        }
        ours.rest = rest;
        Some(ours)
    }

    pub(crate) fn to_value(&self) -> Value {
        let mut fields = Map::new();
        fields.insert("version".to_owned(), VERSION.into());
        fields.extend(self.rest.clone());
        for (name, text) in [("cwd", &self.cwd), ("branch", &self.branch)] {
            fields.extend(text.as_deref().map(|text| (name.to_owned(), text.into())));
        }
        if let Some(origin) = &self.origin {
            fields.insert("origin".to_owned(), origin.to_value());
        }
        if !self.compressions.is_empty() {
            let compressions = self.compressions.iter().map(Compression::to_value);
            fields.insert("compressions".to_owned(), compressions.collect());
        }
        Value::Object(fields)
    }

    /// Whether a newer program wrote it, whose compressions we do not understand.
    #[must_use]
    pub fn is_newer(&self) -> bool {
        version(&self.rest) > VERSION
    }

    pub(crate) fn add(&mut self, compression: Compression) {
        self.compressions.push(compression);
        let n_old = self.compressions.len().saturating_sub(MAX_COMPRESSIONS);
        self.compressions.drain(..n_old);
    }
}

fn version(fields: &Map<String, Value>) -> u64 {
    fields.get("version").and_then(Value::as_u64).unwrap_or(1)
}

impl Origin {
    fn from_value(value: &Value) -> Option<Self> {
        let text = |name| value.get(name).and_then(Value::as_str);
        Some(Self {
            agent: Agent::named(text("agent")?)?,
            session: text("session")?.to_owned(),
            messages: text("messages")?.to_owned(),
        })
    }

    fn to_value(&self) -> Value {
        json!({
            "agent": self.agent.as_str(),
            "session": self.session,
            "messages": self.messages,
        })
    }
}

impl Compression {
    fn from_value(value: &Value) -> Option<Self> {
        let text = |name| value.get(name).and_then(Value::as_str);
        let number = |name| value.get(name).and_then(Value::as_u64);
        Some(Self {
            line: text("line")?.to_owned(),
            messages: text("messages")?.to_owned(),
            snapshot: text("snapshot")?.to_owned(),
            before: number("before")?,
            after: number("after")?,
            at: text("at").and_then(Stamp::parse)?,
        })
    }

    fn to_value(&self) -> Value {
        json!({
            "line": self.line,
            "messages": self.messages,
            "snapshot": self.snapshot,
            "before": self.before,
            "after": self.after,
            "at": self.at.to_string(),
        })
    }
}

/// Enough of a hash to tell one line of a record from another.
pub(crate) fn fingerprint(text: &str) -> String {
    ContentHash::of(text.as_bytes()).short()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compression(n: u64) -> Compression {
        Compression {
            line: "1111".to_owned(),
            messages: "2222".to_owned(),
            snapshot: "s".to_owned(),
            before: n,
            after: 1,
            at: Stamp::from_ms(0).unwrap(),
        }
    }

    #[test]
    fn every_version_is_read_and_nothing_of_a_newer_one_is_lost() {
        let old = Ours::from_value(json!({ "version": 1, "cwd": "/w", "branch": "main" })).unwrap();
        assert_eq!(old, Ours::new("/w", Some("main".to_owned())));
        let mut now = old;
        now.add(compression(5));
        let value = now.to_value();
        assert_eq!(value["version"], 2);
        assert_eq!(Ours::from_value(value), Some(now));
        let newer = json!({ "version": 3, "cwd": "/w", "compressions": [1], "more": {} });
        let read = Ours::from_value(newer.clone()).unwrap();
        assert!(read.is_newer() && read.compressions.is_empty());
        assert_eq!(read.to_value(), newer);
        assert_eq!(Ours::from_value(json!([])), None);
    }

    #[test]
    fn where_a_copy_comes_from_is_read_again() {
        let origin = Origin {
            agent: Agent::Codex,
            session: "c0de".to_owned(),
            messages: "3333".to_owned(),
        };
        let copy = Ours::copied(origin);
        assert_eq!(Ours::from_value(copy.to_value()), Some(copy));
        let odd = json!({ "version": 2, "origin": { "agent": "emacs" } });
        let read = Ours::from_value(odd.clone()).unwrap();
        assert_eq!((read.origin.as_ref(), read.to_value()), (None, odd));
    }

    #[test]
    fn a_compression_that_makes_no_sense_hides_those_before_it() {
        let mut ours = Ours::default();
        (0..200).for_each(|n| ours.add(compression(n)));
        assert_eq!(ours.compressions.len(), 100);
        let mut value = ours.to_value();
        value["compressions"][97] = json!({ "line": 5 });
        let read = Ours::from_value(value).unwrap();
        let numbers: Vec<_> = read.compressions.iter().map(|one| one.before).collect();
        assert_eq!(numbers, [198, 199]);
    }
}
