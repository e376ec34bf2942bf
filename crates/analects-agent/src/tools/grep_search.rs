//! `grep_search`: lines by what is written in them.

use analects_world::search::{Case, Grepped, GreppedLine, Ignore, NoGrep, Seek, Tree};
use schemars::JsonSchema;
use serde::Deserialize;

use super::trees::{self, count, quoted};
use super::whole::whole;
use super::{Bench, Output, Place, Refusal, RefusalKind};

/// The tool.
pub const NAME: &str = "grep_search";

/// What is sought, and where.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
pub struct Args {
    /// The regular expression to look for. Escape `( ) [ ] { } . * + ? ^ $ | \` or set `fixed_strings`.
    pub pattern: String,
    /// The directory or file to look in, relative to the working directory or absolute. Without it, the working
    /// directory.
    #[serde(default, alias = "path")]
    pub dir_path: Option<String>,
    /// A glob for the files to look in, such as `*.js` or `src/**/*.{ts,tsx}`.
    #[serde(default, alias = "include")]
    pub include_pattern: Option<String>,
    /// A regular expression: lines that match it are left out.
    #[serde(default)]
    pub exclude_pattern: Option<String>,
    /// Whether only the paths of the files are told.
    #[serde(default)]
    pub names_only: Option<bool>,
    /// Whether upper and lower case differ. By default they do not.
    #[serde(default)]
    pub case_sensitive: Option<bool>,
    /// Whether the pattern is taken word for word and not as a regular expression.
    #[serde(default)]
    pub fixed_strings: Option<bool>,
    /// How many lines before and after each match are shown, at most 50.
    #[serde(default, deserialize_with = "whole")]
    pub context: Option<u64>,
    /// How many lines after each match are shown.
    #[serde(default, deserialize_with = "whole")]
    pub after: Option<u64>,
    /// How many lines before each match are shown.
    #[serde(default, deserialize_with = "whole")]
    pub before: Option<u64>,
    /// Whether ignored files are searched, too.
    #[serde(default)]
    pub no_ignore: Option<bool>,
    /// At most so many matches of one file are shown.
    #[serde(default, deserialize_with = "whole")]
    pub max_matches_per_file: Option<u64>,
    /// At most so many matches are shown: 100 if nothing is said, and never more than 1000.
    #[serde(default, deserialize_with = "whole")]
    pub total_max_matches: Option<u64>,
}

const DEFAULT_MATCHES: u64 = 100;
const MAX_MATCHES: u64 = 1000;
const MAX_CONTEXT: u64 = 50;
/// Longer lines are made by machines; what was found in them is shown.
const MAX_LINE_BYTES: usize = 500;

/// Seeks lines.
pub fn run(args: &Args, bench: &Bench<'_>) -> Result<Output, Refusal> {
    trees::check_length("pattern", &args.pattern)?;
    if let Some(except) = args.exclude_pattern.as_deref() {
        trees::check_length("exclude_pattern", except)?;
    }
    let place = trees::place(bench, args.dir_path.as_deref())?;
    let grepped = look(args, &place, bench)?;
    trees::check_cancel(bench)?;
    Ok(told(args, &grepped, &place, bench))
}

fn look(args: &Args, place: &Place, bench: &Bench<'_>) -> Result<Grepped, Refusal> {
    let mut only = Vec::new();
    let mut never = Vec::new();
    let ignore = match args.no_ignore {
        Some(true) => Ignore {
            git: false,
            files: &[],
        },
        Some(false) | None => {
            never = trees::foreign(args.include_pattern.as_deref().unwrap_or_default());
            trees::ignore(bench, None, None)
        }
    };
    if let Some(glob) = args
        .include_pattern
        .as_deref()
        .filter(|glob| !glob.is_empty())
    {
        trees::check_glob("include_pattern", glob)?;
        match glob.strip_prefix('!') {
            Some(glob) => never.push(anywhere(glob)),
            None => only.push(anywhere(glob)),
        }
    }
    let tree = Tree {
        at: &place.path,
        within: &place.root,
        only: &only,
        never: &never,
        case: Case::Sensitive,
        ignore,
        sieve: bench.workspace.sieve(),
        limit: as_usize(limit(args)),
    };
    let seek = Seek {
        pattern: &args.pattern,
        is_literal: args.fixed_strings == Some(true),
        except: args.exclude_pattern.as_deref(),
        case: trees::case(args.case_sensitive),
        context: context(args),
        per_file: args.max_matches_per_file.map(|max| as_usize(max.max(1))),
        names_only: args.names_only == Some(true),
        max_line_bytes: MAX_LINE_BYTES,
    };
    let grepped = bench.search.grep(&tree, &seek, bench.cancel);
    grepped.map_err(|error| match error {
        NoGrep::Tree(trouble) => trees::refusal(bench, &place.path, &trouble),
        NoGrep::Pattern(reason) => senseless(args, &reason),
    })
}

/// A glob as ripgrep reads it: without a slash before its end it means names in all directories.
fn anywhere(glob: &str) -> String {
    let (path, inside) = match glob.strip_suffix('/') {
        Some(dir) => (dir, "/**"),
        None => (glob, ""),
    };
    match path.contains('/') {
        true => format!("{}{inside}", path.trim_start_matches('/')),
        false => format!("**/{path}{inside}"),
    }
}

fn limit(args: &Args) -> u64 {
    args.total_max_matches
        .unwrap_or(DEFAULT_MATCHES)
        .clamp(1, MAX_MATCHES)
}

fn context(args: &Args) -> (usize, usize) {
    let lines = |own: Option<u64>| {
        let wanted = own.or(args.context).unwrap_or(0);
        as_usize(wanted.min(MAX_CONTEXT))
    };
    (lines(args.before), lines(args.after))
}

fn as_usize(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

fn senseless(args: &Args, reason: &str) -> Refusal {
    let which = match args.exclude_pattern {
        None => "`pattern`",
        Some(_) => "`pattern` or `exclude_pattern`",
    };
    let message = format!(
        "{which} is no regular expression that can be used: {}. Correct it, or set `fixed_strings` to take the \
         pattern word for word.",
        trees::name(reason)
    );
    Refusal::new(RefusalKind::BadPattern, message)
}

fn told(args: &Args, grepped: &Grepped, place: &Place, bench: &Bench<'_>) -> Output {
    let is_names_only = args.names_only == Some(true);
    let found = match is_names_only {
        true => count(grepped.n_matches, "file with matches", "files with matches"),
        false => count(grepped.n_matches, "match", "matches"),
    };
    let filter = match args.include_pattern.as_deref() {
        None | Some("") => String::new(),
        Some(glob) => format!(" (files: {})", quoted(glob)),
    };
    let where_to = format!(
        "for {} in `{}`{filter}",
        quoted(&args.pattern),
        trees::shown(bench, &place.path)
    );
    let mut lines = match grepped.n_matches {
        0 => vec![format!("No matches {where_to}.")],
        _ => vec![format!("Found {found} {where_to}:")],
    };
    match is_names_only {
        true => lines.extend(
            grepped
                .lines
                .iter()
                .map(|line| trees::shown(bench, &line.path)),
        ),
        false => lines.extend(by_file(&grepped.lines, bench)),
    }
    lines.extend(notes(args, grepped));
    Output {
        text: lines.join("\n"),
        shown: match grepped.n_matches {
            0 => "No matches".to_owned(),
            _ if grepped.is_cut => format!("Found {found}, and there are more"),
            _ => format!("Found {found}"),
        },
        ..Output::default()
    }
}

/// The lines, with the path above those of each file and a ruler between files.
fn by_file(lines: &[GreppedLine], bench: &Bench<'_>) -> Vec<String> {
    let mut told = Vec::new();
    for file in lines.chunk_by(|a, b| a.path == b.path) {
        told.push("---".to_owned());
        let path = file.first().map(|line| trees::shown(bench, &line.path));
        told.push(format!("File: {}", path.unwrap_or_default()));
        told.extend(file.iter().map(|line| {
            let mark = if line.is_match { ':' } else { '-' };
            format!("L{}{mark} {}", line.number, trees::line(&line.text))
        }));
    }
    if !told.is_empty() {
        told.push("---".to_owned());
    }
    told
}

fn notes(args: &Args, grepped: &Grepped) -> impl Iterator<Item = String> {
    let cut = grepped.is_cut.then(|| {
        let more = match limit(args) < MAX_MATCHES {
            true => format!(", or raise `total_max_matches` (up to {MAX_MATCHES})"),
            false => String::new(),
        };
        format!(
            "(There are more. Narrow the search with `dir_path`, `include_pattern` or a more exact pattern{more}.)"
        )
    });
    let per_file = args.max_matches_per_file.filter(|_| grepped.n_matches > 0);
    let per_file = per_file.map(|max| {
        let what = count(as_usize(max.max(1)), "match", "matches");
        format!("(No more than {what} of each file.)")
    });
    let unread = trees::unread(grepped.n_unread);
    [cut, per_file, unread].into_iter().flatten()
}

#[cfg(test)]
mod tests;
