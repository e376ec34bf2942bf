//! The intended differences from Gemini CLI, and which of them explain a case.
//!
//! Most can be seen from the answers themselves; the others are tied to the cases that show them. A
//! case that differs without an explanation fails, and so does an explanation that nothing needs.

use std::collections::BTreeSet;

use analects_memory::discover;
use analects_testkit::{Beside, FakeFiles};
use analects_world::{AbsPath, Files};

use super::case::{Answer, Case, Verdict};

const ORDER: &str = "order";
const BOUNDARY: &str = "boundary";
const HOME: &str = "home";
const LINK_OUTSIDE: &str = "link-outside";
const ONCE: &str = "once";
const NAMES_DOWNWARD: &str = "names-downward";
const GIT_RULES: &str = "git-rules";
const NEVER_ENTERED: &str = "never-entered";
const HARMLESS: &str = "harmless";
const OPENED_FILE: &str = "opened-file";
const IMPORT_ROOT: &str = "import-root";

/// Differences that only their cases show.
const NAMED: [(&str, &[&str]); 4] = [
    (
        GIT_RULES,
        &[
            "eager/ignore: negated directory pattern",
            "eager/ignore: comments and blanks",
            "eager/ignore: nested directory pattern",
            "eager/ignore: custom beside gemini only adds",
            "eager/ignore: include directory is never ignored",
        ],
    ),
    (
        HOME,
        &["eager/home: searched from above, the global file shows twice"],
    ),
    (
        OPENED_FILE,
        &[
            "imports/weakness-percent: encoded link leaves the root",
            "imports/weakness-root: name ending in a space refuses all",
            "imports/weakness-root: a link outside leads back in",
            "tiers/weakness-workspace: percent sign in cwd",
        ],
    ),
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
        (Some(rows), None) => beside.differs(&case.name, rows),
        (None, Some((row, _))) => beside.differs(&case.name, [*row]),
        // Where git was asked, it says what the list says.
        (Some(rows), Some((row, _))) if rows.contains(row) => beside.differs(&case.name, rows),
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
        if *part == "tree" && reasons.contains(OPENED_FILE) {
            continue; // It tells again what the text told.
        }
        let our_text = ours
            .0
            .iter()
            .find(|(ours, _)| ours == part)
            .map(|(_, text)| text)?;
        if our_text == theirs {
            continue;
        }
        if armed(our_text) == armed(theirs) {
            reasons.insert(HARMLESS);
            continue;
        }
        let (mut ours, mut theirs) = (blocks(part, our_text), blocks(part, theirs));
        // What is told about a file may be worded in another way.
        for block in &mut ours {
            let other = theirs.iter().find(|other| other.path == block.path);
            let Some(other) = other.filter(|other| other.text != block.text) else {
                continue;
            };
            if let Some(reason) = wording(case, block, &other.text, &roots, &disk) {
                reasons.insert(reason);
                block.text.clone_from(&other.text);
            }
        }
        ours.retain(|block| {
            if theirs.contains(block) {
                return true;
            }
            let reason = why_ours_alone(case, block, &disk, &their_files);
            reasons.extend(reason);
            reason.is_none()
        });
        theirs.retain(|block| {
            if ours.contains(block) {
                return true;
            }
            let reason = why_left_out(case, block, &disk, &roots, &our_files);
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

/// Why two texts of one file differ.
fn wording(
    case: &Case,
    ours: &Block,
    theirs: &str,
    roots: &[AbsPath],
    disk: &FakeFiles,
) -> Option<&'static str> {
    if armed(&ours.text) == armed(theirs) {
        return Some(HARMLESS);
    }
    if has_other_import_root(case, ours, roots, disk) {
        return Some(IMPORT_ROOT);
    }
    let plain = |text: &str| without_links(&without_imports(text), disk);
    let is_same = plain(&ours.text) == plain(theirs);
    (case.leads_elsewhere() && is_same).then_some(OPENED_FILE)
}

/// Whether the original judges the imports of a file by another root than we do.
fn has_other_import_root(case: &Case, block: &Block, roots: &[AbsPath], disk: &FakeFiles) -> bool {
    let Some(dir) = block.path.parent() else {
        return false;
    };
    let (theirs, _) = discover::project_root(disk, &dir, case.markers(), None);
    let theirs = theirs.unwrap_or(dir);
    let global = case.home().join(".gemini");
    let mut around = (roots.iter().chain([&global])).filter(|root| block.path.is_within(root));
    around.any(|ours| *ours != theirs)
}

/// The root that a file belongs to.
fn innermost<'a>(roots: &'a [AbsPath], path: &AbsPath) -> Option<&'a AbsPath> {
    let around = roots.iter().filter(|root| path.is_within(root));
    around.max_by_key(|root| root.as_str().len())
}

/// A text as if nothing had been disarmed, without what cannot be seen.
fn armed(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("\\-", "-");
    let mut pieces = text.split("\\u{");
    let mut armed = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        armed.push_str(piece.split_once('}').map_or(piece, |(_, rest)| rest));
    }
    let is_odd = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fffd}');
    armed.replace(|c| is_odd(c) && c != '\n', "")
}

/// A text with nothing but the names of what it imports, or failed to.
fn without_imports(text: &str) -> String {
    let (mut kept, mut depth) = (String::new(), 0_usize);
    let mut pieces = text.split("<!-- ");
    kept.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (comment, rest) = piece.split_once("-->").unwrap_or((piece, ""));
        let mut told = None;
        if let Some(label) = comment.strip_prefix("Imported from: ") {
            told = Some(label.trim_end());
            depth += 1;
        } else if comment.starts_with("End of import from: ") {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                kept.push_str(rest);
            }
            continue;
        } else if let Some(failure) = comment.strip_prefix("Import failed: ") {
            told = failure.rsplit_once(" - ").map(|(label, _)| label);
        }
        match told {
            // Of an import itself the text is left out, up to its end.
            Some(label) if depth == 1 && comment.starts_with("Imported") => kept.push_str(label),
            Some(label) if depth == 0 => kept.extend([label, rest]),
            None if depth == 0 => kept.extend(["<!-- ", piece]),
            _ => {}
        }
    }
    armed(&kept)
}

/// A list of imported files without those that are reached by links.
fn without_links(text: &str, disk: &FakeFiles) -> String {
    let is_kept = |piece: &&str| {
        let path = piece
            .split_once(" ---\n")
            .and_then(|(path, _)| AbsPath::new(path).ok());
        path.is_none_or(|path| !is_link(&path, disk))
    };
    let pieces: Vec<_> = text.split("\n\n--- File: ").filter(is_kept).collect();
    pieces.join("\n\n--- File: ")
}

/// Why we load a file that Gemini CLI leaves out.
fn why_ours_alone(
    case: &Case,
    block: &Block,
    disk: &FakeFiles,
    their_files: &[Block],
) -> Option<&'static str> {
    // The same file under another name or in another layer: the first one read wins.
    if is_among(block, their_files, disk) {
        return Some(ONCE);
    }
    // It came at start, by a link that we do not follow; so here it comes just in time.
    if case.has_link_out(&block.path, disk) {
        return Some(LINK_OUTSIDE);
    }
    if case.is_found_downward(&block.path) && is_odd_name(case, block, disk) {
        return Some(NAMES_DOWNWARD);
    }
    let says = case.git_says(&block.path)?;
    (says != Verdict::Ignored).then_some(GIT_RULES)
}

/// Whether the downward scan of the original misses a file by its name.
fn is_odd_name(case: &Case, block: &Block, disk: &FakeFiles) -> bool {
    let by_dir = |name: &String| name.contains('/') && block.path.as_str().ends_with(name);
    case.names().iter().any(by_dir) || is_link(&block.path, disk)
}

fn is_link(path: &AbsPath, disk: &FakeFiles) -> bool {
    let name = path.as_str().rsplit('/').next().unwrap_or_default();
    let dir = path.parent().and_then(|dir| disk.real(&dir).ok());
    dir.map(|dir| dir.join(name)) != disk.real(path).ok()
}

/// Why we leave out a file that Gemini CLI loads.
fn why_left_out(
    case: &Case,
    block: &Block,
    disk: &FakeFiles,
    roots: &[AbsPath],
    our_files: &[Block],
) -> Option<&'static str> {
    let real = disk.real(&block.path).ok()?;
    if is_among(block, our_files, disk) {
        return Some(ONCE);
    }
    let Some(root) = innermost(roots, &block.path) else {
        return Some(BOUNDARY);
    };
    let files: &dyn Files = disk;
    let home = files.real_or_same(&case.home());
    if home.is_within(&files.real_or_same(root)) {
        return Some(HOME);
    }
    if !disk.real(root).is_ok_and(|root| real.is_within(&root)) {
        return Some(LINK_OUTSIDE);
    }
    if block.path.as_str().split('/').any(|name| name == ".git") {
        return Some(NEVER_ENTERED);
    }
    let says = case.git_says(&block.path)?;
    (says != Verdict::Shown).then_some(GIT_RULES)
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

/// The roots of the directories that the case works in.
fn roots(case: &Case, disk: &FakeFiles) -> Vec<AbsPath> {
    case.workspaces(disk)
        .into_iter()
        .map(|dir| {
            discover::project_root(disk, &dir, case.markers(), Some(&case.home()))
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
    if part == "content" {
        // What was imported is one text, of no file.
        blocks.push(Block {
            part,
            path: AbsPath::new("/").unwrap(),
            text: text.to_owned(),
        });
    }
    blocks
}

/// The question and the parts in which the answers differ.
fn side_by_side(case: &Case, ours: &Answer, theirs: &Answer) -> String {
    let mut told = vec![case.asked()];
    for (part, theirs) in &theirs.0 {
        let ours = ours.0.iter().find(|(ours, _)| ours == part);
        let ours = ours.map(|(_, text)| text.as_str());
        if ours != Some(theirs) {
            told.push(format!("{part}\n  ours   {ours:?}\n  theirs {theirs:?}"));
        }
    }
    told.join("\n")
}
