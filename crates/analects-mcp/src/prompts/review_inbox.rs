//! `review-inbox`: what waits for a yes, so that a model can go through it with the person.
//!
//! Everything in it was written by somebody else, and some of it by strangers: it is bounded, it cannot end its block,
//! and of what lies in quarantine nothing is told but that it is there.

use std::fmt::Write;

use analects_engine::inbox::{self, Item, Kind};
use analects_engine::verbs::{Failure, Flags};
use analects_engine::{World, load_memory};
use analects_memory::render::harmless;
use analects_text::neutralise::{Delimiters, neutralise};
use analects_text::redact;
use analects_text::sanitize::one_line;
use analects_text::truncate;

const REVIEW: &str = include_str!("../../prompts/review-inbox.md");

/// How many things go into a prompt.
const MAX_ITEMS: usize = 20;
/// How much of each.
const PREVIEW_TOKENS: usize = 600;
/// How many other files of a skill.
const MAX_FILES: usize = 8;
/// How much of each of them.
const FILE_TOKENS: usize = 200;
/// How many characters of a name or a sentence.
const MAX_CHARS: usize = 200;
/// How many things that speak against an item.
const MAX_PROBLEMS: usize = 5;

const OURS: Delimiters = Delimiters {
    tags: &["inbox", "item", "file"],
    rulers: &[],
    comments: &[],
    notes: &[],
};

/// The prompt for everything that waits, or for one thing of it.
pub(super) fn review_inbox(
    world: &World<'_>,
    flags: &Flags,
    item: Option<String>,
) -> Result<String, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    let items = match item {
        None => inbox::items(world, &prepared)?,
        Some(wanted) => vec![inbox::item(world, &prepared, &wanted)?],
    };
    // Whoever picks this prompt is shown what is in it.
    let n_told = items.len().min(MAX_ITEMS);
    inbox::seen(
        world,
        flags,
        &prepared,
        items.get(..n_told).unwrap_or_default(),
    );
    let (head, tail) = REVIEW
        .trim_end()
        .split_once("{items}")
        .unwrap_or((REVIEW, ""));
    Ok([head, &told(&items), tail].concat())
}

fn told(items: &[Item]) -> String {
    if items.is_empty() {
        return "(nothing waits)".to_owned();
    }
    let mut text: Vec<_> = items.iter().take(MAX_ITEMS).map(one).collect();
    let n_more = items.len().saturating_sub(MAX_ITEMS);
    if n_more > 0 {
        text.push(format!(
            "({n_more} more; `analects memory inbox list` names them)"
        ));
    }
    text.join("\n")
}

fn one(item: &Item) -> String {
    let kind = match item.kind {
        Kind::Skill => "new skill",
        Kind::SkillUpdate => "change of skills",
        Kind::MemoryUpdate(_) => "change of memory",
    };
    let (id, new) = (named(&item.id), if item.is_new { " new" } else { "" });
    let mut text = format!("<item id=\"{id}\" kind=\"{kind}\"{new}>\n");
    if let Some(taint) = &item.taint {
        push(
            &mut text,
            format_args!("In quarantine, untrusted: {}\n</item>", line(taint)),
        );
        return text;
    }
    if !item.description.is_empty() {
        push(&mut text, format_args!("{}\n", line(&item.description)));
    }
    let targets = item.targets.iter().map(|path| line(path.as_str()));
    let targets: Vec<_> = targets.collect();
    match (item.kind, targets.is_empty()) {
        (_, true) => {}
        (Kind::Skill, false) => {
            push(
                &mut text,
                format_args!("May go to: {}\n", targets.join(" or ")),
            );
        }
        (_, false) => push(&mut text, format_args!("Changes: {}\n", targets.join(", "))),
    }
    for problem in item.problems.iter().take(MAX_PROBLEMS) {
        let why = line(&problem.message);
        push(
            &mut text,
            format_args!("Cannot be accepted as it is: {why}\n"),
        );
    }
    if item.was_dismissed {
        text.push_str("The user dismissed the very same before.\n");
    }
    let name = match item.kind {
        Kind::Skill => "SKILL.md",
        Kind::SkillUpdate | Kind::MemoryUpdate(_) => "diff",
    };
    file(&mut text, name, &item.preview, PREVIEW_TOKENS);
    for other in item.files.iter().take(MAX_FILES) {
        file(&mut text, &named(&other.name), &other.text, FILE_TOKENS);
    }
    let n_more = item.files.len().saturating_sub(MAX_FILES);
    if n_more > 0 {
        push(&mut text, format_args!("({n_more} more files)\n"));
    }
    text.push_str("</item>");
    text
}

fn file(text: &mut String, name: &str, said: &str, limit_tokens: usize) {
    // Masked before it is cut: half of a token is not recognised any more.
    let said = redact::mask(said, &redact::scan(said));
    let said = said.trim();
    let shown = truncate::head(said, limit_tokens);
    let cut = match shown.len() == said.len() {
        true => "",
        false => "\n[…]",
    };
    let shown = safe(&analects_text::sanitize::for_terminal(shown));
    push(
        text,
        format_args!("<file name=\"{name}\">\n{shown}{cut}\n</file>\n"),
    );
}

/// A text that can end neither our blocks nor those of memory.
fn safe(text: &str) -> String {
    neutralise(&harmless(text), &OURS).into_owned()
}

/// A sentence, on one line and not too long.
fn line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    let words = words.join(" ");
    let mut chars = words.chars();
    let mut short: String = chars.by_ref().take(MAX_CHARS).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    safe(&one_line(&short))
}

/// A name that stands between quotation marks.
fn named(name: &str) -> String {
    line(name).replace(['"', '<', '>', '&'], "?")
}

fn push(text: &mut String, more: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(more);
}
