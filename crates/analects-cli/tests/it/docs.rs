//! The documents hold: every command in them is run, whatever they mention exists, and every link leads somewhere.
//!
//! A page is a story: its commands share a world and follow each other. Pages are told side by side.
//! `UPDATE_EXPECT=1` lets consoles show what is seen.
#![expect(
    clippy::print_stderr,
    reason = "how much was run is part of what these tests say"
)]

mod exempt;
mod mcp_tools;
mod mention;
mod page;
mod past;
mod seen;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Mutex;
use std::thread;

use analects_engine::settings::keys;

use crate::sandbox::Sandbox;
use exempt::EXEMPT;
use page::{Page, Step};
use world::World;

/// How many pages are told at once.
const TELLERS: usize = 4;

/// What became of the commands of a page.
#[derive(Default)]
struct Told {
    n_run: usize,
    /// Rows of the table of those that are not run.
    exempt: Vec<usize>,
    faults: Vec<String>,
    /// What is seen where the page shows something else.
    news: Vec<News>,
}

/// What is seen in place of what a page shows.
struct News {
    /// The line of the command.
    line: usize,
    n_rows: usize,
    text: String,
}

#[test]
fn every_command_in_the_documents_runs() {
    let pages = page::all();
    let told = side_by_side(&pages, tell);
    let n_run: usize = told.iter().map(|it| it.n_run).sum();
    let used: Vec<usize> = told.iter().flat_map(|it| it.exempt.clone()).collect();
    let mut faults: Vec<_> = told.iter().flat_map(|it| it.faults.clone()).collect();
    for (at, row) in EXEMPT.iter().enumerate() {
        if !used.contains(&at) {
            faults.push(format!("no page needs the exemption of `{}`", row.begins));
        }
    }
    let n_written: usize = pages.iter().map(n_shown).sum();
    eprintln!(
        "{} pages: {n_written} commands, {n_run} run, {} not run but looked at",
        pages.len(),
        used.len()
    );
    for (begins, n) in counted(&used) {
        eprintln!("  {n:>3}  {begins}");
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
    assert_eq!(n_written, n_run + used.len(), "a command was passed over");
    assert!(n_run > 50, "the documents have lost their commands");
}

fn n_shown(page: &Page) -> usize {
    page.steps.iter().filter(|step| step.is_shown).count()
}

fn counted(used: &[usize]) -> BTreeMap<String, usize> {
    let mut counted = BTreeMap::new();
    for &at in used {
        let row = &EXEMPT[at];
        *counted
            .entry(format!("{}: {}", row.begins, row.why))
            .or_default() += 1;
    }
    counted
}

/// Does something with every page, a few at a time.
fn side_by_side<T: Send>(pages: &[Page], work: impl Fn(&Page) -> T + Sync) -> Vec<T> {
    let left = Mutex::new(pages.iter());
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..TELLERS {
            scope.spawn(|| {
                loop {
                    let page = left.lock().unwrap().next();
                    let Some(page) = page else {
                        return;
                    };
                    let result = work(page);
                    done.lock().unwrap().push(result);
                }
            });
        }
    });
    done.into_inner().unwrap()
}

/// Runs the commands of a page, one after another.
fn tell(page: &Page) -> Told {
    let mut told = Told::default();
    let mut world = None;
    for step in &page.steps {
        let fault: Option<String> = match exempt::find(&step.command) {
            Some(at) => {
                told.exempt.push(at);
                let parse = |line: &str| mention::fault(&Sandbox::new(), line.trim());
                EXEMPT[at].fault(&step.command, parse)
            }
            None => {
                told.n_run += usize::from(step.is_shown);
                let world = world.get_or_insert_with(|| World::new(page.world.as_deref()));
                // What never ends is told with all the rest.
                let ran =
                    panic::catch_unwind(AssertUnwindSafe(|| run(world, step, &mut told.news)));
                ran.unwrap_or_else(|_| Some("it never ended: see above".to_owned()))
            }
        };
        if let Some(fault) = fault {
            let what = step.command.lines().next().unwrap_or_default();
            let place = format!("{}:{}", page.name, step.line);
            told.faults.push(format!("{place}: `{what}`\n{fault}\n"));
        }
    }
    if env::var_os("UPDATE_EXPECT").is_some() && !told.news.is_empty() {
        rewrite(page, &told.news);
    }
    told
}

/// Lets a page show what is seen. What was left out on purpose is to be left out again by hand.
fn rewrite(page: &Page, news: &[News]) {
    let path = page::root().join(&page.name);
    let text = fs::read_to_string(&path).unwrap();
    let mut rows: Vec<_> = text.lines().collect();
    for News { line, n_rows, text } in news.iter().rev() {
        rows.splice(*line..line + n_rows, text.lines().map(str::trim_end));
    }
    fs::write(path, rows.join("\n") + "\n").unwrap();
}

fn run(world: &mut World, step: &Step, news: &mut Vec<News>) -> Option<String> {
    let seen = match step.is_shown {
        true => world.run(&step.command),
        // What is given must all be there.
        false => world.run(&format!("set -e\n{}\nset +e", step.command)),
    };
    if seen.code != step.exit {
        let (code, exit) = (seen.code, step.exit);
        return Some(format!("ended with {code}, not {exit}:\n{}", seen.text));
    }
    let shown = step.output.as_ref()?;
    let differs = seen::compare(shown, &seen.text).err()?;
    news.push(News {
        line: step.line,
        n_rows: shown.lines().count(),
        text: seen.text.trim_end().trim_start_matches('\n').to_owned(),
    });
    Some(format!("{differs}; this is what is seen:\n{}", seen.text))
}

#[test]
fn what_the_documents_mention_exists() {
    let pages = page::all();
    let sandbox = Sandbox::new();
    let flags = mention::flags(&sandbox);
    let checked = side_by_side(&pages, |page| {
        let mentions = mention::of(page);
        let mut faults = page.faults.clone();
        for (line, mention) in &mentions {
            let fault = mention::fault(&sandbox, mention);
            faults.extend(fault.map(|fault| format!("{}:{line}: {fault}", page.name)));
        }
        for span in page.spans.iter().filter(|_| mention::is_ours(page)) {
            let flag = span.what.split([' ', '=']).next().unwrap_or_default();
            if flag.starts_with("--") && flag.len() > 2 && !flags.contains(flag) {
                faults.push(format!(
                    "{}:{}: no command has {flag}",
                    page.name, span.line
                ));
            }
        }
        faults.extend(false_chores(page));
        faults.extend(false_settings(page));
        faults.extend(false_json(page));
        (mentions.len(), faults)
    });
    let n_mentions: usize = checked.iter().map(|(n, _)| n).sum();
    let faults: Vec<_> = checked.into_iter().flat_map(|(_, faults)| faults).collect();
    eprintln!("{n_mentions} mentions of commands, {} flags", flags.len());
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
    assert!(n_mentions > 150, "mentions are not found any more");
}

/// Chores, packages and benches that a page names and that there are not.
fn false_chores(page: &Page) -> Vec<String> {
    let spans = page
        .spans
        .iter()
        .filter(|span| span.what.starts_with("cargo "));
    let faults = spans.filter_map(|span| {
        let row = &EXEMPT[exempt::find(&span.what)?];
        let fault = row.fault(&span.what, |_| None)?;
        Some(format!("{}:{}: {fault}", page.name, span.line))
    });
    faults.collect()
}

/// Settings that a page names and that there are not.
fn false_settings(page: &Page) -> Vec<String> {
    let names = || {
        keys::ALL
            .iter()
            .flat_map(|key| key.aliases.iter().chain([&key.name]))
    };
    let heads: BTreeSet<_> = names()
        .filter_map(|name| name.split_once('.'))
        .map(|it| it.0)
        .collect();
    let mut faults = Vec::new();
    for span in page.spans.iter().filter(|_| mention::is_ours(page)) {
        let name = span.what.split([' ', ':', '=']).next().unwrap_or_default();
        let Some((head, tail)) = name.split_once('.') else {
            continue;
        };
        let is_file = tail.contains('/') || ["md", "json", "toml", "env"].contains(&tail);
        let part = name.trim_end_matches('*').trim_end_matches('.');
        let is_known =
            names().any(|known| *known == part || known.starts_with(&format!("{part}.")));
        if heads.contains(head) && !is_file && !is_known {
            faults.push(format!(
                "{}:{}: there is no setting `{name}`",
                page.name, span.line
            ));
        }
    }
    faults
}

/// What is shown as JSON and is none.
fn false_json(page: &Page) -> Vec<String> {
    let blocks = page.shown.iter().filter(|it| it.what.0 == "json");
    let wrong = blocks.filter_map(|it| {
        let error = serde_json::from_str::<serde_json::Value>(&it.what.1).err()?;
        Some(format!("{}:{}: no JSON: {error}", page.name, it.line))
    });
    wrong.collect()
}

#[test]
fn links_in_the_documents_lead_somewhere() {
    let pages = page::all();
    let anchors: BTreeMap<_, _> = pages
        .iter()
        .map(|page| (page.name.clone(), &page.anchors))
        .collect();
    let mut faults = Vec::new();
    let mut n_links = 0;
    for page in &pages {
        for link in page.links.iter().filter(|link| !link.what.contains("://")) {
            n_links += 1;
            let (path, anchor) = link.what.split_once('#').unwrap_or((&link.what, ""));
            let there = target(&page.name, path);
            let is_there = page::root().join(&there).exists();
            let has = |anchors: &&BTreeSet<String>| anchors.contains(anchor);
            let has_anchor = anchor.is_empty() || anchors.get(&there).is_some_and(has);
            if !is_there || !has_anchor {
                faults.push(format!(
                    "{}:{}: {} leads nowhere",
                    page.name, link.line, link.what
                ));
            }
        }
    }
    eprintln!("{n_links} links within the repository");
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
    assert!(n_links > 100);
}

/// Where a relative link of a page leads, from the root.
fn target(page: &str, path: &str) -> String {
    if path.is_empty() {
        return page.to_owned();
    }
    let mut parts: Vec<_> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn every_page_and_every_picture_is_found_by_who_reads() {
    let pages = page::all();
    let readme = pages.iter().find(|page| page.name == "README.md").unwrap();
    let linked = |page: &Page| -> BTreeSet<String> {
        let links = page.links.iter();
        links
            .map(|link| target(&page.name, link.what.split('#').next().unwrap_or_default()))
            .collect()
    };
    let from_readme = linked(readme);
    let is_guide = |page: &&Page| {
        let name = Path::new(&page.name);
        name.starts_with("docs/guide") || name.starts_with("docs/concepts")
    };
    let names = pages.iter().filter(is_guide).map(|page| page.name.clone());
    let lost: Vec<_> = names.filter(|name| !from_readme.contains(name)).collect();
    assert_eq!(lost, Vec::<String>::new(), "the README does not name these");
    let everywhere: BTreeSet<_> = pages.iter().flat_map(linked).collect();
    let screens = fs::read_dir(page::root().join("docs/guide/screens")).unwrap();
    for screen in screens.flatten() {
        let name = format!(
            "docs/guide/screens/{}",
            screen.file_name().to_str().unwrap()
        );
        assert!(everywhere.contains(&name), "nobody shows {name}");
    }
}
