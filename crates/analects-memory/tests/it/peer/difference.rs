//! The intended differences from Gemini CLI, and which of them explain a case.
//!
//! Four can be seen from the answers themselves; the others are tied to the cases that show them. A
//! case that differs without an explanation fails, and so does an explanation that nothing needs.

use std::collections::BTreeSet;

use analects_memory::discover;
use analects_testkit::{Beside, FakeFiles};
use analects_world::{AbsPath, Files};

use super::case::{Answer, Case};

const ORDER: &str = "order";
const BOUNDARY: &str = "boundary";
const LINK_OUTSIDE: &str = "link-outside";
const ONCE: &str = "once";

/// Differences that only their cases show.
const NAMED: [(&str, &[&str]); 8] = [
    (
        "names-downward",
        &[
            "eager/order: name in a directory is found upward only",
            "eager/random 3010",
            "eager/random 3015",
            "eager/random 3032",
            "eager/random 3035",
            "eager/random 3047",
            "eager/random 3051",
            "eager/random 3059",
            "eager/random 3064",
        ],
    ),
    (
        "git-rules",
        &[
            "eager/ignore: negated directory pattern",
            "eager/ignore: comments and blanks",
            "eager/ignore: nested directory pattern",
            "eager/ignore: custom beside gemini only adds",
            "eager/ignore: include directory is never ignored",
        ],
    ),
    (
        "never-entered",
        &[
            "eager/tree: git directory without git rules",
            "eager/ignore: gemini brings back the git directory",
        ],
    ),
    (
        "home",
        &["eager/home: searched from above, the global file shows twice"],
    ),
    (
        "harmless",
        &[
            "imports/token: line separator inside",
            "imports/nul character is refused",
            "imports/random 1071",
            "tiers/forged end line is kept",
        ],
    ),
    (
        "opened-file",
        &[
            "imports/link tree: dangling leaving",
            "imports/link tree: directory leaving",
            "imports/percent: encoded climb is refused",
            "imports/weakness-percent: encoded link leaves the root",
            "imports/weakness-root: name ending in a space refuses all",
            "tiers/weakness-workspace: percent sign in cwd",
        ],
    ),
    ("import-root", &["jit/imports without markers"]),
    (
        "private-both",
        &["tiers/directory with the name of a memory file"],
    ),
];

/// Says what became of a case.
pub(crate) fn judge(beside: &mut Beside, kind: &str, case: &Case, ours: &Answer, theirs: &Answer) {
    let id = format!("{kind}/{}", case.name);
    let named = NAMED.iter().find(|(_, cases)| cases.contains(&id.as_str()));
    let seen = match ours == theirs {
        true => Some(BTreeSet::new()),
        false => explain(case, ours, theirs),
    };
    match (seen, named) {
        (Some(rows), None) if rows.is_empty() => beside.same(),
        (Some(rows), None) => beside.differs(rows),
        (None, Some((row, _))) => beside.differs([*row]),
        (Some(_), Some(_)) => beside.fails(&case.name, "listed without need"),
        (None, None) => beside.fails(&case.name, &side_by_side(case, ours, theirs)),
    }
}

/// The reasons that, applied in turn, make both answers the same; `None` if they do not suffice.
fn explain(case: &Case, ours: &Answer, theirs: &Answer) -> Option<BTreeSet<&'static str>> {
    let disk = case.disk();
    let roots = roots(case, &disk);
    let files = |answer: &Answer| -> Vec<_> {
        answer
            .0
            .iter()
            .flat_map(|(part, text)| blocks(part, text))
            .collect()
    };
    let (our_files, their_files) = (files(ours), files(theirs));
    let mut reasons = BTreeSet::new();
    for (part, theirs) in &theirs.0 {
        let our_text = ours
            .0
            .iter()
            .find(|(ours, _)| ours == part)
            .map(|(_, text)| text)?;
        if our_text == theirs {
            continue;
        }
        let (mut ours, mut theirs) = (blocks(part, our_text), blocks(part, theirs));
        // The same file under another name or in another layer: the first one read wins.
        let is_theirs = |block: &Block| theirs.contains(block);
        ours.retain(|block| {
            let is_elsewhere = !is_theirs(block) && is_among(block, &their_files, &disk);
            reasons.extend(is_elsewhere.then_some(ONCE));
            !is_elsewhere
        });
        theirs.retain(|block| {
            if ours.contains(block) {
                return true;
            }
            let reason = why_left_out(block, &disk, &roots, &our_files);
            reasons.extend(reason);
            reason.is_none()
        });
        if ours != theirs {
            ours.sort();
            theirs.sort();
            reasons.insert(ORDER);
        }
        let says_nothing = ours.is_empty() && theirs.is_empty() && reasons.is_empty();
        if says_nothing || ours != theirs {
            return None;
        }
    }
    Some(reasons)
}

/// Why we leave out a file that Gemini CLI loads.
fn why_left_out(
    block: &Block,
    disk: &FakeFiles,
    roots: &[AbsPath],
    our_files: &[Block],
) -> Option<&'static str> {
    let real = disk.real(&block.path).ok()?;
    if is_among(block, our_files, disk) {
        return Some(ONCE);
    }
    if !roots.iter().any(|root| block.path.is_within(root)) {
        return Some(BOUNDARY);
    }
    let is_inside = |root: &AbsPath| disk.real(root).is_ok_and(|root| real.is_within(&root));
    (!roots.iter().any(is_inside)).then_some(LINK_OUTSIDE)
}

/// Whether the file of `block` is among `files`, under another name or in another layer.
fn is_among(block: &Block, files: &[Block], disk: &FakeFiles) -> bool {
    let real = disk.real(&block.path);
    let is_other = |other: &&Block| (other.part, &other.path) != (block.part, &block.path);
    real.is_ok()
        && files
            .iter()
            .filter(is_other)
            .any(|other| disk.real(&other.path) == real)
}

/// The roots of the case's workspace directories.
fn roots(case: &Case, disk: &FakeFiles) -> Vec<AbsPath> {
    case.workspaces(disk)
        .into_iter()
        .map(|dir| {
            discover::project_root(disk, &dir, case.markers(), None)
                .0
                .unwrap_or(dir)
        })
        .collect()
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Block {
    part: &'static str,
    path: AbsPath,
    text: String,
}

fn blocks(part: &'static str, text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("--- Context from: ") {
        let (path, after) = after.split_once(" ---\n").unwrap();
        let (text, after) = after
            .split_once(&format!("\n--- End of Context from: {path} ---"))
            .unwrap();
        blocks.push(Block {
            part,
            path: AbsPath::new(path).unwrap(),
            text: text.to_owned(),
        });
        rest = after;
    }
    blocks
}

/// The question and the parts in which the answers differ.
fn side_by_side(case: &Case, ours: &Answer, theirs: &Answer) -> String {
    let mut told = case.asked();
    for (part, theirs) in &theirs.0 {
        let ours = ours.0.iter().find(|(ours, _)| ours == part);
        let ours = ours.map(|(_, text)| text.as_str());
        if ours != Some(theirs) {
            told.push_str(&format!("\n{part}\n  ours   {ours:?}\n  theirs {theirs:?}"));
        }
    }
    told
}
