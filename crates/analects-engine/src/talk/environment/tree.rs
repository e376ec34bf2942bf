//! What lies in a workspace, in few words: near things first, and never more than a model should begin with.
//!
//! Level by level, each level through the door at once. The directories of a level share what is left, so that one
//! with ten thousand files does not hide its neighbours.

use std::fmt::Write as _;

use analects_memory::discover::{NEVER_ENTERED, Rules};
use analects_memory::render;
use analects_text::{tokens, truncate};
use analects_world::AbsPath;
use analects_world::files::{Files, Found, Kind, Listing, Pick};

use super::{Scene, harmless};

/// At most this many files and directories are shown.
pub(super) const MAX_ENTRIES: usize = 200;
/// What they may cost, all in all.
const MAX_TOKENS: usize = 3_000;
/// What one name may cost.
const NAME_TOKENS: usize = 30;
/// A directory that is looked into shows at least this many of its entries, while there is room.
const MIN_SHARE: usize = 5;
const INDENT: &str = "  ";
const MORE: &str = "...";

/// The trees of all roots, in lines.
pub(super) fn tree(files: &dyn Files, cwd: &AbsPath, scene: &Scene<'_>) -> String {
    let mut picture = Picture::new(files, scene);
    let rules = Rules::custom(files, cwd, scene.ignore, &mut Vec::new());
    let is_inner = |dir: &AbsPath| {
        let mut others = scene.roots.iter().filter(|other| *other != dir);
        others.any(|other| dir.is_within(other))
    };
    let outer = scene.roots.iter().filter(|dir| !is_inner(dir));
    let mut level: Vec<_> = outer.map(|dir| picture.root(dir, &rules)).collect();
    while !level.is_empty() {
        level = picture.look_into(&level);
    }
    // A tag could also be spread over the names of a directory and of what is in it.
    render::harmless(&picture.drawn()).into_owned()
}

/// What is known so far.
struct Picture<'a> {
    files: &'a dyn Files,
    scene: &'a Scene<'a>,
    nodes: Vec<Node>,
    roots: Vec<usize>,
    left_entries: usize,
    left_quarters: usize,
}

/// A file or a directory.
struct Node {
    line: String,
    children: Vec<usize>,
    shown: Shown,
}

/// How much of a thing is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// All there is to it.
    Whole,
    /// Not all that is in it.
    Part,
    /// Nothing that is in it.
    Closed,
}

/// A directory to look into.
struct Stop {
    node: usize,
    dir: AbsPath,
    root: AbsPath,
    rules: Rules,
    depth: usize,
}

impl<'a> Picture<'a> {
    fn new(files: &'a dyn Files, scene: &'a Scene<'a>) -> Self {
        Self {
            files,
            scene,
            nodes: Vec::new(),
            roots: Vec::new(),
            left_entries: MAX_ENTRIES,
            left_quarters: MAX_TOKENS * 4,
        }
    }

    fn root(&mut self, dir: &AbsPath, rules: &Rules) -> Stop {
        let node = self.add(
            format!("{}/", harmless(dir.as_str().trim_end_matches('/'))),
            Shown::Closed,
        );
        self.roots.push(node);
        Stop {
            node,
            dir: dir.clone(),
            root: dir.clone(),
            rules: rules.clone(),
            depth: 0,
        }
    }

    fn add(&mut self, line: String, shown: Shown) -> usize {
        self.nodes.push(Node {
            line,
            children: Vec::new(),
            shown,
        });
        self.nodes.len() - 1
    }

    /// Looks into the directories of a level while there is room, and answers with those of the next.
    fn look_into(&mut self, level: &[Stop]) -> Vec<Stop> {
        if self.left_entries == 0 {
            return Vec::new();
        }
        // Git's own list of exceptions lies deeper than a listing goes.
        let mut pick = Pick::ending("");
        let is_top = level.iter().all(|stop| stop.depth == 0);
        pick.names = Rules::names(self.scene.ignore, is_top);
        pick.names.retain(|name| name.contains('/'));
        let dirs: Vec<_> = level.iter().map(|stop| stop.dir.clone()).collect();
        let mut next = Vec::new();
        for (idx, (stop, listing)) in level.iter().zip(self.files.list(&dirs, &pick)).enumerate() {
            if let Ok(listing) = listing {
                let share = self.left_entries / (level.len() - idx);
                self.show(stop, listing, share.max(MIN_SHARE), &mut next);
            }
        }
        next
    }

    /// Shows what is in a directory, directories first.
    fn show(&mut self, stop: &Stop, listing: Listing, share: usize, next: &mut Vec<Stop>) {
        let rules = self.rules_in(stop, &listing);
        let mut entries = listing.found;
        entries.retain(|found| !found.name.contains('/'));
        entries.sort_unstable_by(|a, b| rank(a).cmp(&rank(b)));
        let is_shown = |found: &Found| {
            let path = stop.dir.join(&found.name);
            !rules.ignores(&path, found.kind == Kind::Dir)
        };
        let mut entries = entries.into_iter().filter(is_shown).peekable();
        let mut children = Vec::new();
        while let Some(found) = entries.peek().filter(|_| children.len() < share) {
            let Some(child) = self.child(stop, found) else {
                break;
            };
            children.push(child);
            if found.kind == Kind::Dir && !NEVER_ENTERED.contains(&&*found.name) {
                next.push(Stop {
                    node: child,
                    dir: stop.dir.join(&found.name),
                    root: stop.root.clone(),
                    rules: rules.clone(),
                    depth: stop.depth + 1,
                });
            }
            entries.next();
        }
        let node = &mut self.nodes[stop.node];
        node.shown = match (entries.peek(), children.is_empty()) {
            (None, _) => Shown::Whole,
            (Some(_), false) => Shown::Part,
            (Some(_), true) => Shown::Closed,
        };
        node.children = children;
    }

    /// The rules inside a directory. A listing has more names than the rules may look at.
    fn rules_in(&self, stop: &Stop, listing: &Listing) -> Rules {
        let names = Rules::names(self.scene.ignore, stop.depth == 0);
        let found = listing.found.iter().cloned();
        let found: Vec<_> = found.filter(|found| names.contains(&found.name)).collect();
        let unsaid = &mut Vec::new();
        stop.rules
            .enter(self.files, &stop.dir, &stop.root, &found, unsaid)
    }

    /// One more entry, if there is room for it.
    fn child(&mut self, stop: &Stop, found: &Found) -> Option<usize> {
        let indent = INDENT.repeat(stop.depth + 1);
        let name = harmless(&found.name);
        let cut = truncate::head(&name, NAME_TOKENS);
        let more = if cut.len() < name.len() { MORE } else { "" };
        let (end, shown) = match found.kind {
            Kind::Dir => ("/", Shown::Closed),
            Kind::File | Kind::Link | Kind::Special => ("", Shown::Whole),
        };
        let line = format!("{indent}{cut}{more}{end}");
        // A directory may need a line that says there is more in it.
        let rest = match found.kind {
            Kind::Dir => indent.len() + INDENT.len() + MORE.len() + 1,
            _ => 0,
        };
        let cost = tokens::quarters(&line) + 1 + rest;
        self.left_entries = self.left_entries.checked_sub(1)?;
        self.left_quarters = self.left_quarters.checked_sub(cost)?;
        Some(self.add(line, shown))
    }

    fn drawn(&self) -> String {
        let mut lines = String::new();
        for &root in &self.roots {
            self.draw(root, 0, &mut lines);
        }
        lines.trim_end().to_owned()
    }

    /// Goes no deeper than there are entries.
    fn draw(&self, at: usize, depth: usize, lines: &mut String) {
        let node = &self.nodes[at];
        let end = if node.shown == Shown::Closed {
            MORE
        } else {
            ""
        };
        let _ = writeln!(lines, "{}{end}", node.line);
        for &child in &node.children {
            self.draw(child, depth + 1, lines);
        }
        if node.shown == Shown::Part {
            let _ = writeln!(lines, "{}{MORE}", INDENT.repeat(depth + 1));
        }
    }
}

/// Directories before files, then by name.
fn rank(found: &Found) -> (bool, &str) {
    (found.kind != Kind::Dir, &found.name)
}
