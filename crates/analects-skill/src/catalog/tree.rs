//! What lies beside a `SKILL.md`, drawn as a tree: near things first, and never more than a model should read.

use std::collections::VecDeque;
use std::fmt::Write as _;

use analects_text::{sanitize, truncate};
use analects_world::AbsPath;
use analects_world::files::{Files, Kind, Pick};

/// At most this many files and directories are shown.
pub(super) const MAX_ITEMS: usize = 200;
/// A name is shown up to here.
const NAME_BYTES: usize = 120;
/// Directories that are named and not entered: what is in them was made by programs.
const CLOSED: [&str; 4] = ["node_modules", ".git", "dist", "__pycache__"];

/// The tree of a directory, whose own path stands on the first line.
pub(super) fn tree(files: &dyn Files, dir: &AbsPath) -> String {
    let mut nodes = vec![Node::new(one_line(&format!(
        "{}/",
        dir.as_str().trim_end_matches('/')
    )))];
    let mut queue = VecDeque::from([(0, dir.clone())]);
    let mut left = MAX_ITEMS;
    while let Some((at, dir)) = queue.pop_front() {
        let mut found = match files.list_one(&dir, &Pick::ending("")) {
            Ok(listing) => listing.found,
            Err(_) => continue,
        };
        found.sort_unstable_by(|a, b| {
            (a.kind == Kind::Dir, &a.name).cmp(&(b.kind == Kind::Dir, &b.name))
        });
        for found in found {
            let Some(rest) = left.checked_sub(1) else {
                nodes[at].is_cut = true;
                break;
            };
            left = rest;
            let name = one_line(&found.name);
            let is_closed = CLOSED.contains(&found.name.as_str());
            let line = match (found.kind, is_closed) {
                (Kind::Dir, true) => format!("{name}/..."),
                (Kind::Dir, false) => format!("{name}/"),
                (Kind::File | Kind::Link | Kind::Special, _) => name,
            };
            nodes.push(Node::new(line));
            let child = nodes.len() - 1;
            nodes[at].children.push(child);
            if found.kind == Kind::Dir && !is_closed {
                queue.push_back((child, dir.join(&found.name)));
            }
        }
    }
    drawn(&nodes)
}

struct Node {
    line: String,
    children: Vec<usize>,
    /// Whether there is more in it than is shown.
    is_cut: bool,
}

impl Node {
    fn new(line: String) -> Self {
        Self {
            line,
            children: Vec::new(),
            is_cut: false,
        }
    }
}

/// The lines, without calling itself: a directory may be nested as deep as there are items.
fn drawn(nodes: &[Node]) -> String {
    let mut text = String::new();
    // What is to be written, the next one last: a node, or the rest of one; what stands before it; whether it ends a row.
    let mut stack: Vec<(Option<usize>, String, bool)> = Vec::new();
    let push_children = |stack: &mut Vec<_>, node: &Node, before: &str| {
        if node.is_cut {
            stack.push((None, before.to_owned(), true));
        }
        for (nth, &child) in node.children.iter().rev().enumerate() {
            stack.push((Some(child), before.to_owned(), nth == 0 && !node.is_cut));
        }
    };
    if let Some(top) = nodes.first() {
        let _ = writeln!(text, "{}", top.line);
        push_children(&mut stack, top, "");
    }
    while let Some((at, before, is_last)) = stack.pop() {
        let (branch, indent) = match is_last {
            true => ("└───", "    "),
            false => ("├───", "│   "),
        };
        let node = at.and_then(|at| nodes.get(at));
        let line = node.map_or("...", |node| node.line.as_str());
        let _ = writeln!(text, "{before}{branch}{line}");
        if let Some(node) = node {
            push_children(&mut stack, node, &format!("{before}{indent}"));
        }
    }
    text
}

fn one_line(name: &str) -> String {
    let line = sanitize::one_line(name);
    let cut = truncate::head_bytes(&line, NAME_BYTES);
    match cut.len() < line.len() {
        true => format!("{cut}..."),
        false => line.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use analects_testkit::{Entry, FakeFiles, Fixture};
    use expect_test::expect;

    use super::*;

    fn shown(fixture: &Fixture) -> String {
        tree(&FakeFiles::new(fixture), &AbsPath::new("/s/a").unwrap())
    }

    #[test]
    fn files_come_before_directories_and_what_programs_made_stays_closed() {
        let fixture = Fixture::default()
            .file("/s/a/SKILL.md", "x")
            .file("/s/a/scripts/run.sh", "x")
            .file("/s/a/scripts/lib/a.py", "x")
            .file("/s/a/node_modules/x/y.js", "x")
            .file("/s/a/z.md", "x")
            .with("/s/a/link", Entry::Link("/etc".to_owned()))
            .file("/s/a/bad\nname", "x");
        expect![[r"
            /s/a/
            ├───SKILL.md
            ├───bad\u{a}name
            ├───link
            ├───z.md
            ├───node_modules/...
            └───scripts/
                ├───run.sh
                └───lib/
                    └───a.py
        "]]
        .assert_eq(&shown(&fixture));
    }

    #[test]
    fn a_heap_and_a_shaft_are_shown_in_part() {
        let heap = (0..1000).fold(Fixture::default(), |fixture, n| {
            fixture.file(&format!("/s/a/{n:04}"), "x")
        });
        let text = shown(&heap);
        assert_eq!(text.lines().count(), MAX_ITEMS + 2);
        assert!(text.ends_with("├───0199\n└───...\n"), "{text}");
        let deep = format!("/s/a/{}f", "d/".repeat(300));
        assert!(shown(&Fixture::default().file(&deep, "x")).lines().count() <= MAX_ITEMS + 2);
    }
}
