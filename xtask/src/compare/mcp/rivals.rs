//! The two servers: how each is started, and what is asked of both.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::client::Call;
use crate::compare::program::said;
use crate::compare::{Ground, inputs};
use crate::npm;

/// A server.
pub(super) struct Rival {
    command: fn(&Place) -> Command,
    pub(super) save: fn(&Fact) -> Call,
}

pub(super) const THEIRS: Rival = Rival {
    command: |place| {
        let mut command = Command::new(npm::node(&place.peers));
        let script = "node_modules/@modelcontextprotocol/server-memory/dist/index.js";
        command.arg(place.peers.join(script));
        command.env("MEMORY_FILE_PATH", place.dir.join("memory.jsonl"));
        command
    },
    save: create_entity,
};

pub(super) const OURS: Rival = Rival {
    command: |place| {
        let mut command = Command::new(&place.binary);
        command.arg("mcp");
        command
    },
    save: save_memory,
};

/// What a call is about.
pub(super) struct Fact {
    pub(super) number: usize,
    /// Our name for it, if it is saved.
    pub(super) id: String,
}

/// The same wish in the words of both.
pub(super) struct Pair {
    pub(super) name: &'static str,
    /// Theirs, ours.
    pub(super) calls: [fn(&Fact) -> Call; 2],
    pub(super) writes: bool,
}

pub(super) const PAIRS: [Pair; 5] = [
    Pair {
        name: "read: search_nodes / search_memory",
        calls: [
            |fact| call("search_nodes", json!({ "query": word(fact.number) })),
            |fact| call("search_memory", json!({ "query": word(fact.number) })),
        ],
        writes: false,
    },
    Pair {
        name: "read: open_nodes / get_memory of an entry",
        calls: [
            |fact| call("open_nodes", json!({ "names": [name(fact.number)] })),
            |fact| call("get_memory", json!({ "entry": fact.id })),
        ],
        writes: false,
    },
    Pair {
        name: "read: read_graph / get_memory of all",
        calls: READ_ALL,
        writes: false,
    },
    Pair {
        name: "write: create_entities / save_memory",
        calls: [create_entity, save_memory],
        writes: true,
    },
    Pair {
        name: "write: add_observations / save_memory",
        calls: [add_observation, save_memory],
        writes: true,
    },
];

/// Everything that each remembers.
pub(super) const READ_ALL: [fn(&Fact) -> Call; 2] = [
    |_| call("read_graph", json!({})),
    |_| call("get_memory", json!({})),
];

fn create_entity(fact: &Fact) -> Call {
    let entity = json!({ "name": name(fact.number), "entityType": "fact", "observations": [sentence(fact.number)] });
    call("create_entities", json!({ "entities": [entity] }))
}

fn add_observation(fact: &Fact) -> Call {
    let observation = json!({ "entityName": name(0), "contents": [sentence(fact.number)] });
    call("add_observations", json!({ "observations": [observation] }))
}

fn save_memory(fact: &Fact) -> Call {
    call("save_memory", json!({ "fact": sentence(fact.number) }))
}

fn call(tool: &'static str, arguments: serde_json::Value) -> Call {
    Call { tool, arguments }
}

fn name(number: usize) -> String {
    format!("fact-{number}")
}

/// A word that only one fact says.
pub(super) fn word(number: usize) -> String {
    const SYLLABLES: [&str; 10] = ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "ru"];
    let digits = format!("{number:04}");
    let syllables = digits
        .bytes()
        .map(|digit| SYLLABLES[usize::from(digit - b'0')]);
    syllables.collect()
}

/// A sentence of the length and kind that people save.
fn sentence(number: usize) -> String {
    const KINDS: [&str; 5] = [
        "builds with its own script, never with the one at the root",
        "keeps its fixtures beside the tests that read them",
        "is deployed on Tuesdays after the review of the team",
        "wants error messages in lowercase and without a full stop",
        "reads its settings from the environment before any file",
    ];
    format!(
        "The {} package {}",
        word(number),
        KINDS[number % KINDS.len()]
    )
}

/// Where both keep what they are told, and what they are started from.
pub(super) struct Place {
    dir: PathBuf,
    binary: PathBuf,
    peers: PathBuf,
}

impl Place {
    pub(super) fn new(dir: &Path, ground: &Ground) -> Result<Self, String> {
        inputs::empty(dir)?;
        std::fs::create_dir_all(dir.join("home/.gemini"))
            .and_then(|()| std::fs::create_dir_all(dir.join("repo/.git")))
            .map_err(said)?;
        Ok(Self {
            dir: std::path::absolute(dir).map_err(said)?,
            binary: ground.binary.clone(),
            peers: ground.peers.mcp.clone(),
        })
    }

    pub(super) fn command(&self, rival: &Rival) -> Command {
        let mut command = (rival.command)(self);
        command.env("HOME", self.dir.join("home"));
        command.current_dir(self.dir.join("repo"));
        command
    }
}
