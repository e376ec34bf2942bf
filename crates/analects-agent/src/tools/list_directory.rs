//! `list_directory`: what lies directly in a directory.

use analects_world::files::Kind;
use analects_world::search::{Case, Listed, ListedEntry, Tree};
use schemars::JsonSchema;
use serde::Deserialize;

use super::trees::{self, count};
use super::{Bench, Output, Place, Refusal};

/// The tool.
pub const NAME: &str = "list_directory";

/// Which directory, and what to leave out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
pub struct Args {
    /// The directory, relative to the working directory or absolute.
    #[serde(alias = "path")]
    pub dir_path: String,
    /// Globs for names that are to be left out, such as `*.log`.
    #[serde(default)]
    pub ignore: Option<Vec<String>>,
    /// Which ignore files count. By default all of them do.
    #[serde(default)]
    pub file_filtering_options: Option<FileFilteringOptions>,
}

/// Which ignore files count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
pub struct FileFilteringOptions {
    /// Whether `.gitignore` counts.
    #[serde(default)]
    pub respect_git_ignore: Option<bool>,
    /// Whether `.geminiignore` counts.
    #[serde(default)]
    pub respect_gemini_ignore: Option<bool>,
}

/// More entries help nobody.
const MAX_ENTRIES: usize = 500;
/// More globs are no wish but an attempt to make us busy.
const MAX_GLOBS: usize = 100;

/// Lists a directory.
pub fn run(args: &Args, bench: &Bench<'_>) -> Result<Output, Refusal> {
    let never = args.ignore.as_deref().unwrap_or_default();
    for glob in never.iter().take(MAX_GLOBS) {
        trees::check_glob("ignore", glob)?;
    }
    let place = trees::place(bench, Some(&args.dir_path))?;
    let options = args.file_filtering_options.unwrap_or_default();
    let tree = Tree {
        at: &place.path,
        within: &place.root,
        only: &[],
        never: never.get(..MAX_GLOBS).unwrap_or(never),
        case: Case::Sensitive,
        ignore: trees::ignore(
            bench,
            options.respect_git_ignore,
            options.respect_gemini_ignore,
        ),
        sieve: bench.workspace.sieve(),
        limit: MAX_ENTRIES,
    };
    let listed = bench.search.list(&tree, bench.cancel);
    let listed = listed.map_err(|trouble| trees::refusal(bench, &place.path, &trouble))?;
    trees::check_cancel(bench)?;
    Ok(told(&listed, place, bench))
}

fn told(listed: &Listed, place: Place, bench: &Bench<'_>) -> Output {
    let dir = trees::shown(bench, &place.path);
    let mut lines = match listed.entries.is_empty() {
        true => vec![format!("There is nothing to list in `{dir}`.")],
        false => vec![format!("Directory listing for `{dir}`:")],
    };
    lines.extend(listed.entries.iter().map(entry));
    lines.extend(notes(listed));
    let n_entries = listed.entries.len() + listed.n_more;
    Output {
        text: lines.join("\n"),
        shown: format!("Listed {} in {dir}", count(n_entries, "entry", "entries")),
        touched: vec![place.path],
        ..Output::default()
    }
}

fn entry(entry: &ListedEntry) -> String {
    let name = trees::name(&entry.name);
    match (entry.kind, entry.len) {
        (Kind::Dir, _) => format!("[DIR] {name}"),
        (Kind::File, Some(1)) => format!("{name} (1 byte)"),
        (Kind::File, Some(n_bytes)) => format!("{name} ({n_bytes} bytes)"),
        (Kind::File, None) => name,
        (Kind::Link, _) => format!("{name} (link)"),
        (Kind::Special, _) => format!("{name} (pipe, socket or device)"),
    }
}

fn notes(listed: &Listed) -> impl Iterator<Item = String> {
    let more = (listed.n_more > 0).then(|| {
        let what = count(listed.n_more, "entry is", "entries are");
        format!(
            "({what} not shown. Leave some out with `ignore`, or find what you want with `glob`.)"
        )
    });
    let ignored = (listed.n_ignored > 0).then(|| {
        let what = count(listed.n_ignored, "ignored entry is", "ignored entries are");
        format!("({what} left out; see `file_filtering_options`.)")
    });
    let unread = (listed.n_unread > 0).then(|| {
        let what = count(listed.n_unread, "name is", "names are");
        format!("({what} not UTF-8 and cannot be used.)")
    });
    [more, ignored, unread].into_iter().flatten()
}

#[cfg(test)]
mod tests;
