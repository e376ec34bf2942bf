//! Announces a project's server before it starts: its command line or address, and its variables.
//!
//! Texts are shown as the project wrote them, so that no value of a variable ends up on a screen or in a log.

use std::collections::BTreeSet;

use analects_text::sanitize::one_line;

use super::vars::{EntryOwner, Vars};
use crate::jsonc::{Item, Value};
use crate::project_variables::ProjectVariables;
use crate::settings::expand;

/// How many characters of a command line or an address are shown, so that an announcement fits on two lines.
const MAX_SHOWN_CHARS: usize = 64;
/// How many variables are named of each kind.
const MAX_VARIABLES: usize = 3;

/// Returns the announcement of an entry; `None` if the entry is not the project's.
pub(super) fn announcement(name: &str, item: &Item, vars: &Vars<'_>) -> Option<String> {
    let EntryOwner::Project(allowed) = vars.owner else {
        return None;
    };
    let named = named_variables(item);
    let is_set = |name: &&String| vars.all.contains_key(*name);
    let (shown, granted) = match address(item) {
        Some(url) => (
            format!("connects to `{}`", short(url)),
            granted(named.iter(), allowed, &is_set),
        ),
        None => (
            format!("starts `{}`", short(&command_line(item))),
            granted(vars.all.keys(), allowed, &is_set),
        ),
    };
    let withheld: BTreeSet<_> = named
        .iter()
        .filter(|name| !allowed.allows(name))
        .filter(is_set)
        .collect();
    let with = if granted.is_empty() {
        String::new()
    } else {
        format!("; with {}", listed(&granted))
    };
    let without = if withheld.is_empty() {
        String::new()
    } else {
        let listed = listed(&withheld);
        format!("; without {listed} (`security.projectVariables`)")
    };
    let name = one_line(name);
    Some(format!(
        "this project's server `{name}` {shown}{with}{without}"
    ))
}

fn granted<'n>(
    names: impl Iterator<Item = &'n String>,
    allowed: &ProjectVariables,
    is_set: &dyn Fn(&&String) -> bool,
) -> BTreeSet<&'n String> {
    names
        .filter(|name| allowed.is_granted(name) && is_set(name))
        .collect()
}

fn address(item: &Item) -> Option<&str> {
    let url = item.get("httpUrl").and_then(Item::text);
    url.or_else(|| item.get("url").and_then(Item::text))
}

fn command_line(item: &Item) -> String {
    let command = item.get("command").and_then(Item::text);
    let args = item.get("args").and_then(Item::list).unwrap_or_default();
    let args = args.iter().filter_map(Item::text);
    let words: Vec<_> = command.into_iter().chain(args).collect();
    words.join(" ")
}

/// The variables that any text of an entry refers to. As deep as the parser lets a file be, which is bounded.
fn named_variables(item: &Item) -> BTreeSet<String> {
    match &item.value {
        Value::Text(text) => expand::references(text).into_iter().collect(),
        Value::List(items) => items.iter().flat_map(named_variables).collect(),
        Value::Object(members) => {
            let items = members.iter().map(|(_, item)| item);
            items.flat_map(named_variables).collect()
        }
        Value::Null | Value::Flag(_) | Value::Number(_) => BTreeSet::new(),
    }
}

fn listed(names: &BTreeSet<&String>) -> String {
    let shown = names.iter().take(MAX_VARIABLES);
    let shown: Vec<_> = shown.map(|name| format!("${}", short(name))).collect();
    match names.len().saturating_sub(MAX_VARIABLES) {
        0 => shown.join(", "),
        n_more => format!("{} and {n_more} more", shown.join(", ")),
    }
}

/// A text on one line, cut in the middle so that its beginning and its end are both seen.
fn short(text: &str) -> String {
    let text = one_line(text);
    let n_chars = text.chars().count();
    if n_chars <= MAX_SHOWN_CHARS {
        return text.into_owned();
    }
    let half = MAX_SHOWN_CHARS / 2;
    let start: String = text.chars().take(half).collect();
    let end: String = text.chars().skip(n_chars - half).collect();
    format!("{start}…{end}")
}
