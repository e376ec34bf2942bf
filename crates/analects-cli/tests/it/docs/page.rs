//! A page of the documents, read as Markdown: what is to be run, what is mentioned, where it leads.
//!
//! What a page needs besides its commands stands in comments that readers do not see:
//!
//! - `<!-- world: NAME -->` says in which world it is told; see `world`.
//! - `<!-- given … -->` holds commands that prepare what comes next.
//! - `<!-- exit: 3 -->` says how the commands of the next block end; else they succeed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// Blocks that show something and are not run.
const SHOWN: [&str; 6] = ["diff", "json", "jsonc", "markdown", "text", "toml"];

/// One page.
pub(crate) struct Page {
    /// Its path from the root of the repository.
    pub(crate) name: String,
    pub(crate) world: Option<String>,
    pub(crate) steps: Vec<Step>,
    /// Code in sentences, tables and headings.
    pub(crate) spans: Vec<At<String>>,
    /// Blocks that are not run, with their language.
    pub(crate) shown: Vec<At<(String, String)>>,
    /// Where links and pictures lead.
    pub(crate) links: Vec<At<String>>,
    /// The names of its headings, as links have them.
    pub(crate) anchors: BTreeSet<String>,
    /// What is wrong with it already.
    pub(crate) faults: Vec<String>,
}

/// Something on a line.
pub(crate) struct At<T> {
    pub(crate) line: usize,
    pub(crate) what: T,
}

/// What is done in a world, in the order of the page.
pub(crate) struct Step {
    pub(crate) line: usize,
    /// For `sh`.
    pub(crate) command: String,
    pub(crate) exit: i32,
    /// What the page says that is seen.
    pub(crate) output: Option<String>,
    /// Readers see it.
    pub(crate) is_shown: bool,
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// README.md and its kin, and every page below `docs/`, in the order of their names.
pub(crate) fn all() -> Vec<Page> {
    let mut names: Vec<String> = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"]
        .map(str::to_owned)
        .into();
    let mut dirs = vec!["docs".to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(root().join(&dir)).unwrap().flatten() {
            let name = format!("{dir}/{}", entry.file_name().to_str().unwrap());
            if entry.path().is_dir() {
                dirs.push(name);
            } else if Path::new(&name).extension().is_some_and(|end| end == "md") {
                names.push(name);
            }
        }
    }
    names.sort();
    let text = |name: &String| fs::read_to_string(root().join(name)).unwrap();
    names.iter().map(|name| read(name, &text(name))).collect()
}

/// Reads one.
pub(crate) fn read(name: &str, text: &str) -> Page {
    let mut page = Page {
        name: name.to_owned(),
        world: None,
        steps: Vec::new(),
        spans: Vec::new(),
        shown: Vec::new(),
        links: Vec::new(),
        anchors: BTreeSet::new(),
        faults: Vec::new(),
    };
    let mut slugs = BTreeMap::new();
    let mut heading: Option<String> = None;
    let mut block: Option<(String, String)> = None;
    let mut comment = String::new();
    let mut exit = 0;
    let options = Options::ENABLE_TABLES;
    for (event, place) in Parser::new_ext(text, options).into_offset_iter() {
        let line = text.get(..place.start).unwrap().matches('\n').count() + 1;
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let slug = slug(&heading.take().unwrap_or_default());
                let n_before = slugs.entry(slug.clone()).or_insert(0);
                page.anchors.insert(match *n_before {
                    0 => slug,
                    n => format!("{slug}-{n}"),
                });
                *n_before += 1;
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                let what = dest_url.to_string();
                page.links.push(At { line, what });
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.to_string(),
                    CodeBlockKind::Indented => "an indented block".to_owned(),
                };
                block = Some((language, String::new()));
            }
            Event::End(TagEnd::CodeBlock) => {
                let (language, text) = block.take().unwrap();
                page.block(line, &language, text, std::mem::take(&mut exit));
            }
            Event::Text(words) => {
                if let Some((_, text)) = &mut block {
                    text.push_str(&words);
                } else if let Some(heading) = &mut heading {
                    heading.push_str(&words);
                }
            }
            Event::Code(words) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&words);
                }
                let what = words.to_string();
                page.spans.push(At { line, what });
            }
            Event::Start(Tag::HtmlBlock) => comment.clear(),
            Event::Html(text) => comment.push_str(&text),
            Event::End(TagEnd::HtmlBlock) => page.comment(line, &comment, &mut exit),
            Event::InlineHtml(text) => page.fault(line, &format!("HTML in a sentence: {text}")),
            _ => {}
        }
    }
    page
}

impl Page {
    fn fault(&mut self, line: usize, what: &str) {
        self.faults.push(format!("{}:{line}: {what}", self.name));
    }

    fn block(&mut self, line: usize, language: &str, text: String, exit: i32) {
        match language {
            "sh" => {
                for (nth, command) in commands(&text) {
                    self.steps.push(Step {
                        line: line + 1 + nth,
                        command,
                        exit,
                        output: None,
                        is_shown: true,
                    });
                }
            }
            "console" => self.console(line, &text, exit),
            shown if SHOWN.contains(&shown) => {
                let what = (language.to_owned(), text);
                self.shown.push(At { line, what });
            }
            unknown => self.fault(line, &format!("nobody knows what to do with `{unknown}`")),
        }
    }

    /// Commands after `$ `, each with what it prints.
    fn console(&mut self, line: usize, text: &str, exit: i32) {
        let first = self.steps.len();
        for (nth, row) in text.lines().enumerate() {
            if let Some(command) = row.strip_prefix("$ ") {
                self.steps.push(Step {
                    line: line + 1 + nth,
                    command: command.to_owned(),
                    exit: 0,
                    output: Some(String::new()),
                    is_shown: true,
                });
            } else if let Some(step) = self.steps.get_mut(first..).and_then(<[_]>::last_mut) {
                let output = step.output.get_or_insert_default();
                output.push_str(row);
                output.push('\n');
            } else {
                self.fault(line, "a console begins with `$ `");
            }
        }
        // Only the last one may end otherwise: it is the one that is talked about.
        if let Some(last) = self.steps.get_mut(first..).and_then(<[_]>::last_mut) {
            last.exit = exit;
        }
    }

    fn comment(&mut self, line: usize, text: &str, exit: &mut i32) {
        let inner = text.trim().strip_prefix("<!--");
        let Some(inner) = inner.and_then(|rest| rest.strip_suffix("-->")) else {
            return self.fault(line, &format!("HTML that is no comment: {text}"));
        };
        let inner = inner.trim();
        if let Some(name) = inner.strip_prefix("world: ") {
            self.world = Some(name.to_owned());
        } else if let Some(code) = inner.strip_prefix("exit: ") {
            *exit = code.parse().unwrap();
        } else if let Some(script) = inner.strip_prefix("given\n") {
            self.steps.push(Step {
                line,
                command: script.to_owned(),
                exit: 0,
                output: None,
                is_shown: false,
            });
        } else if !inner.starts_with("Generated by ")
            && !inner.starts_with("cargo xtask ")
            && !inner.ends_with("figures")
        {
            self.fault(line, &format!("a comment that nobody understands: {inner}"));
        }
    }
}

/// The commands of a block, with the number of the row that each begins on. A program (`#!`) is none.
fn commands(block: &str) -> Vec<(usize, String)> {
    let mut commands: Vec<(usize, String)> = Vec::new();
    // What ends a text that stands between rows.
    let mut until: Option<String> = None;
    let mut goes_on = false;
    for (nth, row) in block.lines().enumerate() {
        let is_more = goes_on || until.is_some();
        match commands.last_mut() {
            Some((_, command)) if is_more => {
                command.push('\n');
                command.push_str(row);
            }
            _ if row.trim().is_empty() || row.starts_with('#') => continue,
            _ => commands.push((nth, row.to_owned())),
        }
        match &until {
            Some(end) if row == end => until = None,
            Some(_) => {}
            None => {
                let end = row
                    .split_once("<<'")
                    .and_then(|(_, rest)| rest.split_once('\''));
                until = end.map(|(end, _)| end.to_owned());
                goes_on = row.ends_with('\\');
            }
        }
    }
    commands
}

/// A heading as the part of an address, by GitHub's rules.
fn slug(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    let lower = heading.to_lowercase();
    let kept = lower.chars().filter(kept);
    kept.map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

#[test]
fn a_page_is_read_into_commands_and_what_is_seen() {
    let page = read(
        "page.md",
        "<!-- world: pond -->\n\n# A `b` c?\n\n<!-- exit: 3 -->\n```sh\n# why\na \\\n  b\ncat > x <<'END'\n\ny\nEND\n```\n\n\
         ```console\n$ a\none\n\n$ b\ntwo\n```\n\n<!-- given\na\nb\n-->\n\n```perl\n```\n[x](y.md#z)\n",
    );
    let steps = page.steps.iter();
    let steps: Vec<_> = steps
        .map(|it| (it.line, it.command.as_str(), it.exit, it.output.as_deref()))
        .collect();
    assert_eq!(
        steps,
        [
            (8, "a \\\n  b", 3, None),
            (10, "cat > x <<'END'\n\ny\nEND", 3, None),
            (17, "a", 0, Some("one\n\n")),
            (20, "b", 0, Some("two\n")),
            (24, "a\nb", 0, None),
        ]
    );
    assert_eq!(page.world.as_deref(), Some("pond"));
    assert!(page.anchors.contains("a-b-c"), "{:?}", page.anchors);
    assert_eq!(
        page.faults,
        ["page.md:29: nobody knows what to do with `perl`"]
    );
    assert_eq!(
        page.links.first().map(|it| it.what.as_str()),
        Some("y.md#z")
    );
}
