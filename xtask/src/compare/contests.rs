//! What is measured in process: the same request to both, and how to see that both did it.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::figures::{Group, Promise, Versus};
use super::program::said;
use super::{Extent, Ground, inputs};

/// Two who do the same.
pub(super) struct Contest {
    pub(super) group: Group,
    pub(super) name: String,
    pub(super) other: &'static str,
    pub(super) versus: Versus,
    /// To the other, to us.
    pub(super) requests: [Value; 2],
    /// What each must answer. Beside a peer both must answer alike in all else, too.
    wanted: [Wanted; 2],
    pub(super) home: PathBuf,
    pub(super) promises: &'static [Promise],
    pub(super) n_bytes: Option<f64>,
    /// Whether it is told how much memory it took.
    pub(super) weighs_memory: bool,
}

/// What an answer must say. Where it says more than one thing, a JSON pointer leads to the one that counts.
#[derive(Clone)]
enum Wanted {
    Is(Value),
    Entries(&'static str, usize),
    Positive(&'static str),
    Says(&'static str),
}

impl Contest {
    /// Whether both did what they were asked for.
    pub(super) fn check(&self, answers: &[Value; 2]) -> Result<(), String> {
        let mut both = self.wanted.iter().zip(answers);
        let are_right = both.all(|(wanted, answer)| wanted.admits(answer));
        let are_alike = self.versus == Versus::Limit || answers[0] == answers[1];
        if are_right && are_alike {
            return Ok(());
        }
        let shortened = |answer: &Value| answer.to_string().chars().take(400).collect::<String>();
        let [other, ours] = answers.each_ref().map(shortened);
        let (name, who) = (&self.name, self.other);
        Err(format!("{name}: {who} answers {other}, we answer {ours}"))
    }

    fn new(group: Group, name: String) -> Self {
        Self {
            group,
            name,
            other: "",
            versus: Versus::Peer,
            requests: [Value::Null, Value::Null],
            wanted: [Wanted::Is(Value::Null), Wanted::Is(Value::Null)],
            home: PathBuf::from("/"),
            promises: &[],
            n_bytes: None,
            weighs_memory: false,
        }
    }

    fn beside(self, other: &'static str, request: Value, wanted: Wanted) -> Self {
        Self {
            other,
            versus: Versus::Peer,
            requests: [request.clone(), request],
            wanted: [wanted.clone(), wanted],
            ..self
        }
    }

    fn at_least(self, other: &'static str, requests: [Value; 2], wanted: [Wanted; 2]) -> Self {
        Self {
            other,
            versus: Versus::Limit,
            requests,
            wanted,
            ..self
        }
    }

    fn of_bytes(self, n_bytes: usize) -> Self {
        Self {
            n_bytes: Some(n_bytes as f64),
            ..self
        }
    }

    fn at_home(self, dir: &Path) -> Self {
        Self {
            home: dir.join("home"),
            ..self
        }
    }

    fn promised(self, promises: &'static [Promise]) -> Self {
        Self { promises, ..self }
    }
}

impl Wanted {
    fn admits(&self, answer: &Value) -> bool {
        let at = |pointer| answer.pointer(pointer).unwrap_or(&Value::Null);
        match self {
            Self::Is(value) => answer == value,
            Self::Entries(pointer, n) => at(pointer).as_array().is_some_and(|it| it.len() == *n),
            Self::Positive(pointer) => at(pointer).as_u64().is_some_and(|it| it > 0),
            Self::Says(words) => answer.as_str().is_some_and(|it| it.contains(words)),
        }
    }
}

const CORE_40: &str = "Gemini CLI 0.40.0";
const CORE_61: &str = "Gemini CLI 0.61.0";
const WALK: &str = "a bare walk on two threads";
const READ: &str = "a plain read of the file";
const READS: &str = "plain reads of the files";
const PASS: &str = "a plain pass over the text";

/// Writes the inputs of the groups that are wanted, and says what is done with them.
pub(super) fn all(
    ground: &Ground,
    extent: &Extent,
    wants: impl Fn(Group) -> bool,
) -> Result<Vec<Contest>, String> {
    let groups: [(Group, Gather); 5] = [
        (Group::Discovery, discovery),
        (Group::Imports, imports),
        (Group::Sessions, sessions),
        (Group::Loops, loops),
        (Group::Outputs, outputs),
    ];
    let mut contests = Vec::new();
    for (group, gather) in groups.into_iter().filter(|(group, _)| wants(*group)) {
        let dir = ground.dir.join(format!("{group:?}").to_lowercase());
        contests.extend(gather(&dir, extent)?);
    }
    Ok(contests)
}

type Gather = fn(&Path, &Extent) -> Result<Vec<Contest>, String>;

fn discovery(dir: &Path, extent: &Extent) -> Result<Vec<Contest>, String> {
    const PROMISES: [&[Promise]; 2] = [&[Promise::Ratio(5.0)], &[Promise::Ratio(12.0)]];
    let mut contests = Vec::new();
    for n_dirs in extent.n_dirs {
        let dir = dir.join(n_dirs.to_string());
        let n_found = inputs::tree(&dir, n_dirs)?;
        let is_largest = Some(&n_dirs) == extent.n_dirs.last();
        let place = path(&dir)?;
        let cases = [(1, "one name"), (3, "three names")];
        for (((n_names, told), n_found), promises) in cases.into_iter().zip(n_found).zip(PROMISES) {
            let names: Vec<_> = inputs::NAMES.into_iter().take(n_names).collect();
            let ask =
                |task: &str| json!({ "task": task, "dir": place, "names": names, "times": 1 });
            let named = |what: &str| {
                let name = format!("{what} {n_dirs} directories, {told}");
                Contest::new(Group::Discovery, name).at_home(&dir)
            };
            let files = Wanted::Entries("/files", n_found);
            let peer = named("load the memory of").beside(CORE_40, ask("load"), files);
            if !is_largest {
                contests.push(peer);
                continue;
            }
            contests.push(peer.promised(promises));
            let answers = [json!(n_dirs), json!(n_found)].map(Wanted::Is);
            let limit =
                named("discover in").at_least(WALK, [ask("walk"), ask("discover")], answers);
            contests.push(limit.promised(&[Promise::Ratio(1.5)]));
        }
    }
    Ok(contests)
}

fn imports(dir: &Path, extent: &Extent) -> Result<Vec<Contest>, String> {
    let inputs::Imports { n_rules, n_bytes } = inputs::imports(dir, extent.n_imports)?;
    let place = path(dir)?;
    let ask = |task: &str| json!({ "task": task, "dir": place, "times": 1 });
    let named = || Contest::new(Group::Imports, format!("import {} files", extent.n_imports));
    let rules = Wanted::Entries("", n_rules);
    let answers = [Wanted::Is(json!(n_bytes)), rules.clone()];
    Ok(vec![
        named().beside(CORE_61, ask("imports"), rules),
        named().at_least(READS, [ask("read all"), ask("imports")], answers),
    ])
}

fn sessions(dir: &Path, extent: &Extent) -> Result<Vec<Contest>, String> {
    const MESSAGES: Wanted = Wanted::Positive("/messages");
    let mut contests = Vec::new();
    for n_kib in extent.session_kib {
        let file = dir.join(format!("{n_kib}.jsonl"));
        let n_bytes = inputs::session(&file, n_kib)?;
        let file = path(&file)?;
        // What is over quickly is done more than once.
        let times = if n_kib <= 1 << 10 { 5 } else { 1 };
        let ask = |task: &str| json!({ "task": task, "file": file, "times": times });
        let named = |how: &str| {
            let name = format!("replay a session of {}{how}", size(n_kib));
            Contest::new(Group::Sessions, name).of_bytes(n_bytes)
        };
        let peer = named("").beside(CORE_61, ask("replay"), MESSAGES);
        if Some(&n_kib) != extent.session_kib.last() {
            contests.push(peer);
            continue;
        }
        contests.push(Contest {
            promises: &[Promise::Ratio(5.0)],
            weighs_memory: true,
            ..peer
        });
        let whole = Wanted::Positive("/turns");
        contests.push(named(", every message read").beside(CORE_61, ask("resume"), whole));
        let answers = [Wanted::Is(json!(n_bytes)), MESSAGES];
        contests.push(named("").at_least(READ, [ask("read"), ask("replay")], answers));
    }
    let dir = dir.join("index");
    inputs::sessions(&dir, extent.n_sessions)?;
    let ask = json!({ "task": "index", "dir": path(&dir)?, "times": 1 });
    // More are not shown at once.
    let lines = Wanted::Entries("", extent.n_sessions.min(10));
    let name = format!("index {} sessions", extent.n_sessions);
    let index = Contest::new(Group::Sessions, name).at_home(&dir);
    contests.push(index.beside(CORE_61, ask, lines));
    Ok(contests)
}

/// What a model sends at a time.
const PIECE_CHARS: usize = 40;

fn loops(dir: &Path, extent: &Extent) -> Result<Vec<Contest>, String> {
    let file = dir.join("stream.txt");
    let n_bytes = inputs::stream(&file, extent.text_kib)?;
    let file = path(&file)?;
    let ask = |task: &str| json!({ "task": task, "file": file, "chars": PIECE_CHARS, "times": 1 });
    let named = || {
        let name = format!("watch a stream of {}", size(extent.text_kib));
        Contest::new(Group::Loops, name).of_bytes(n_bytes)
    };
    let seen = Wanted::Positive("");
    let answers = [seen.clone(), seen.clone()];
    let limit = named().at_least(PASS, [ask("pass"), ask("loops")], answers);
    Ok(vec![
        named().beside(CORE_61, ask("loops"), seen),
        limit.promised(&[Promise::Throughput(20.0)]),
    ])
}

/// What is shown of an output that is too long.
const SHOWN_CHARS: usize = 40_000;

fn outputs(dir: &Path, extent: &Extent) -> Result<Vec<Contest>, String> {
    const FAST: &[Promise] = &[Promise::Throughput(200.0)];
    const NUMBER: Wanted = Wanted::Positive("");
    const NOTICE: Wanted = Wanted::Says("characters omitted");
    let (prose, output) = (dir.join("prose.txt"), dir.join("output.txt"));
    let n_prose = inputs::paragraphs(&prose, extent.text_kib)?;
    let n_output = inputs::output(&output, extent.output_kib)?;
    let (prose, output) = (path(&prose)?, path(&output)?);
    let weigh = |task: &str| json!({ "task": task, "file": prose, "times": 5 });
    let cut =
        |task: &str| json!({ "task": task, "file": output, "chars": SHOWN_CHARS, "times": 5 });
    let weighed = || {
        let name = format!("estimate the tokens of {}", size(extent.text_kib));
        Contest::new(Group::Outputs, name).of_bytes(n_prose)
    };
    let shortened = |how: &str| {
        let name = format!("shorten {}{how}", size(extent.output_kib));
        Contest::new(Group::Outputs, name).of_bytes(n_output)
    };
    let estimate = [weigh("pass"), weigh("estimate")];
    let shorten = [cut("pass"), cut("cut")];
    Ok(vec![
        weighed().beside(CORE_61, weigh("estimate"), NUMBER),
        shortened(" of bytes").beside(CORE_61, cut("cut bytes"), NOTICE),
        shortened(" of text").beside(CORE_61, cut("cut"), NOTICE),
        (weighed().at_least(PASS, estimate, [NUMBER, NUMBER])).promised(FAST),
        (shortened(" of text").at_least(PASS, shorten, [NUMBER, NOTICE])).promised(FAST),
    ])
}

/// A length as people say it.
fn size(n_kib: usize) -> String {
    match n_kib {
        ..1024 => format!("{n_kib} kB"),
        _ => format!("{} MB", n_kib / 1024),
    }
}

fn path(path: &Path) -> Result<&str, String> {
    path.to_str()
        .ok_or_else(|| said("the target directory is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beside(versus: Versus) -> Contest {
        let contest = Contest::new(Group::Loops, "watch".to_owned());
        let wanted = Wanted::Entries("/files", 1);
        Contest {
            versus,
            ..contest.beside("somebody", Value::Null, wanted)
        }
    }

    #[test]
    fn two_wrong_answers_are_wrong_even_if_they_are_alike() {
        let contest = beside(Versus::Peer);
        let [right, empty] = [json!({ "files": ["a"] }), json!({ "files": [] })];
        assert!(contest.check(&[right.clone(), right.clone()]).is_ok());
        assert!(contest.check(&[empty.clone(), empty.clone()]).is_err());
        assert!(contest.check(&[right, empty]).is_err());
    }

    #[test]
    fn a_peer_must_find_the_same_and_a_limit_need_not() {
        let answers = [json!({ "files": ["a"] }), json!({ "files": ["b"] })];
        assert!(beside(Versus::Peer).check(&answers).is_err());
        assert!(beside(Versus::Limit).check(&answers).is_ok());
    }
}
