//! Single rules of what must hold, wherever a place came from: how a command ended, what the journal says, what lies about.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use analects_world::changes::ContentHash;
use serde_json::Value;

use crate::place::{Node, Place, Ran, Thing, Tree};

pub(crate) const JOURNAL: &str = "home/.gemini/analects/journal.jsonl";
const GLOBAL: &str = "home/.gemini/GEMINI.md";
const NEXT: &str = "And then this was remembered.";

/// It ended by itself or was ended, without a panic.
pub(crate) fn ended_well(ran: &Ran) -> Result<(), String> {
    if ran.is_stuck {
        return Err("it did not end".to_owned());
    }
    match ran.err.contains("panicked at") || ran.code == Some(101) {
        true => Err(format!("it panicked: {}", ran.err)),
        false => Ok(()),
    }
}

/// It ended well, and did what was wanted.
pub(crate) fn worked(ran: &Ran) -> Result<(), String> {
    ended_well(ran)?;
    match ran.code {
        Some(0) => Ok(()),
        code => Err(format!("the next command ended with {code:?}: {}", ran.err)),
    }
}

/// Somebody else remembers something and thinks better of it.
pub(crate) fn next(place: &Place) -> Result<(), String> {
    worked(&place.run(&["memory", "add", NEXT, "--scope", "global", "--yes"]))?;
    let text = place.read(GLOBAL).unwrap_or_default();
    if !String::from_utf8_lossy(&text).contains(NEXT) {
        return Err("the next fact was not written".to_owned());
    }
    worked(&place.run(&["memory", "undo", "--yes"]))
}

pub(crate) fn n_logged(place: &Place) -> Result<usize, String> {
    let ran = place.run(&["memory", "log", "--all", "-n", "1000", "--json"]);
    worked(&ran)?;
    let log: Value = serde_json::from_str(&ran.out).map_err(|error| error.to_string())?;
    let changes = log.get("changes").and_then(Value::as_array);
    changes
        .map(Vec::len)
        .ok_or_else(|| format!("no log: {log}"))
}

/// Lines end, and say something; only the last may be torn.
pub(crate) fn lines_are_whole(bytes: &[u8]) -> Result<(), String> {
    let mut lines: Vec<_> = bytes.split(|byte| *byte == b'\n').collect();
    lines.pop();
    let n_torn = lines
        .iter()
        .filter(|line| !line.is_empty() && serde_json::from_slice::<Value>(line).is_err())
        .count();
    // One torn line for the fault; what came after it began afresh.
    match n_torn > 1 {
        true => Err(format!("{n_torn} of its lines are torn")),
        false => Ok(()),
    }
}

/// The journal says what the files hold.
pub(crate) fn journal_is_true(place: &Place) -> Result<(), String> {
    let journal = place.read(JOURNAL).unwrap_or_default();
    let mut withdrawn = BTreeSet::new();
    let mut records = Vec::new();
    for line in journal
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        let record: Value = serde_json::from_slice(line).map_err(|_| {
            format!(
                "a torn line in the journal: {}",
                String::from_utf8_lossy(line)
            )
        })?;
        if record["withdrawn"] == true {
            withdrawn.insert(record["id"].to_string());
        } else if record["done"] != true {
            records.push(record);
        }
    }
    let mut last = BTreeMap::new();
    for record in records
        .iter()
        .filter(|it| !withdrawn.contains(&it["id"].to_string()))
    {
        for file in record["files"].as_array().into_iter().flatten() {
            last.insert(file["target"].as_str().unwrap_or_default(), &file["after"]);
        }
    }
    for (path, wanted) in last {
        let now = match std::fs::read_link(path) {
            Ok(link) => Some(link.into_os_string().into_encoded_bytes()),
            Err(_) => std::fs::read(path).ok(),
        };
        let now = now.map(|bytes| ContentHash::of(&bytes).to_string());
        // Records of conversations grow behind the journal's back: that is what they are for.
        if now.as_deref() != wanted.as_str() && !path.ends_with(".jsonl") {
            return Err(format!("the journal tells something else of {path}"));
        }
    }
    Ok(())
}

/// All that files ever became by a commit: their paths, and the fingerprints of what they held then.
pub(crate) fn journaled(place: &Place) -> BTreeSet<(String, Option<String>)> {
    let journal = place.read(JOURNAL).unwrap_or_default();
    let lines = journal.split(|byte| *byte == b'\n');
    let records = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let files = records.flat_map(|record| record["files"].as_array().cloned().unwrap_or_default());
    let text = |value: &Value| value.as_str().map(str::to_owned);
    files
        .flat_map(|file| {
            let path = plain(&text(&file["target"]).unwrap_or_default());
            [
                (path.clone(), text(&file["after"])),
                (path, text(&file["before"])),
            ]
        })
        .collect()
}

/// A path without the detours that a link may have brought in.
fn plain(path: &str) -> String {
    let path = Path::new(path);
    let dir = path.parent().and_then(|dir| dir.canonicalize().ok());
    let plain = dir.zip(path.file_name()).map(|(dir, name)| dir.join(name));
    plain
        .unwrap_or(path.to_owned())
        .to_string_lossy()
        .into_owned()
}

/// Nothing lies about that was only made on the way.
pub(crate) fn no_litter(now: &Tree) -> Result<(), String> {
    match now.keys().find(|name| is_litter(name)) {
        Some(name) => Err(format!("{name} was left behind")),
        None => Ok(()),
    }
}

/// Eleven seconds pass: a lock that nobody touches belongs to nobody.
pub(crate) fn age_locks(place: &Place) {
    let tree = place.tree();
    let is_lock =
        |(name, node): &(&String, &Node)| name.ends_with(".lock") && node.thing == Thing::Directory;
    for (name, _) in tree.iter().filter(is_lock) {
        place.age(name, 11);
    }
}

pub(crate) fn is_litter(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    last.starts_with(".analects-") || last == "staging.json" || last.ends_with(".tmp")
}

pub(crate) fn is_beside_lock(name: &str) -> bool {
    name.contains("/.extraction.lock.") && name.ends_with(".tmp")
}

/// Our own notes on what was done: each has a judge of its own.
pub(crate) fn is_ours(name: &str) -> bool {
    let Some(state) = name.strip_prefix("home/.gemini/analects/") else {
        return name == "home/.gemini/analects" || name.ends_with(".lock");
    };
    // What was counted and what was learned again from the files is not what anybody wrote.
    let is_copy = state.starts_with("index.sqlite") || state == "events.jsonl";
    is_copy || state == "lock" || state == "journal.jsonl"
}

/// Which folder is which project's: that is known once it is known.
pub(crate) fn is_registry(name: &str) -> bool {
    name.ends_with("/projects.json") || name.ends_with("/.project_root")
}

pub(crate) fn is_state(name: &str) -> bool {
    name.starts_with("home/.gemini/analects")
}

pub(crate) fn show(node: &Node) -> String {
    match &node.thing {
        Thing::File(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            let text: String = text.chars().take(400).collect();
            format!("{:o} {text:?}", node.mode)
        }
        Thing::Link(target) => format!("a link to {}", target.display()),
        Thing::Directory => "a directory".to_owned(),
    }
}
