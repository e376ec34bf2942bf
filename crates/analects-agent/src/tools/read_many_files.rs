//! `read_many_files`: the text of many files in one answer.

use analects_world::AbsPath;
use schemars::JsonSchema;
use serde::Deserialize;

use super::basket::Basket;
use super::gather::{self, Gathered, MAX_FILES, Wish};
use super::{Bench, Output, Refusal, RefusalKind, Seen};

/// The tool.
pub const NAME: &str = "read_many_files";

/// Which files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
pub struct Args {
    /// Paths of files and directories, or glob patterns such as `src/**/*.rs`.
    #[serde(alias = "paths")]
    pub include: Vec<String>,
    /// Glob patterns of files to leave out, relative to the working directory.
    #[serde(default)]
    pub exclude: Option<Vec<String>>,
    /// Whether a directory means all files below it, and not only those in it. True if nothing is said.
    #[serde(default)]
    pub recursive: Option<bool>,
    /// Whether dependencies, build results and the like are left out. True if nothing is said.
    #[serde(default, rename = "useDefaultExcludes")]
    pub use_default_excludes: Option<bool>,
    /// Which ignore files count.
    #[serde(default)]
    pub file_filtering_options: Option<Filtering>,
}

/// Which ignore files count.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
pub struct Filtering {
    /// Whether `.gitignore` counts.
    #[serde(default)]
    pub respect_git_ignore: Option<bool>,
    /// Whether `.geminiignore` counts.
    #[serde(default)]
    pub respect_gemini_ignore: Option<bool>,
}

/// Each may be a walk through the whole tree.
const MAX_INCLUDES: usize = 200;
/// More are told by their number only.
const MAX_SKIPPED_TOLD: usize = 20;
/// The line after the last file.
pub(crate) const END: &str = "--- End of content ---";

/// Reads files, and notes that the model has seen them. `keeps_back` says of each file why it is left out, if it is:
/// nobody knows which files a pattern means before they are looked for.
pub fn run(
    args: &Args,
    bench: &Bench<'_>,
    seen: &Seen,
    keeps_back: &dyn Fn(&AbsPath) -> Option<String>,
) -> Result<Output, Refusal> {
    check(args)?;
    let filtering = args.file_filtering_options.clone().unwrap_or_default();
    let wish = Wish {
        exclude: args.exclude.as_deref().unwrap_or_default(),
        defaults: args.use_default_excludes.unwrap_or(true),
        recursive: args.recursive.unwrap_or(true),
        heeds_git: filtering.respect_git_ignore.unwrap_or(bench.heeds_git),
        heeds_ours: filtering.respect_gemini_ignore.unwrap_or(true),
    };
    let gathered = gather::gather(&args.include, wish, bench)?;
    if gathered.files.is_empty()
        && let [(_, refusal)] = gathered.unmet.as_slice()
    {
        return Err(refusal.clone());
    }
    let mut basket = Basket::default();
    for meant in &gathered.files {
        let path = &meant.place.path;
        if let Some(why) = keeps_back(path) {
            basket.skipped.push((bench.workspace.shown(path), why));
            continue;
        }
        basket.add(meant, bench, seen, &|path| format!("--- {path} ---\n"))?;
    }
    Ok(output(basket, gathered))
}

fn output(mut basket: Basket, gathered: Gathered) -> Output {
    let n_read = basket.touched.len();
    if n_read > 0 {
        basket.text.push_str(END);
        basket.text.push('\n');
    }
    let unmet = gathered.unmet.into_iter();
    basket
        .skipped
        .extend(unmet.map(|(include, refusal)| (include, refusal.message)));
    basket.text.push_str(&left_out(&basket.skipped));
    if gathered.n_ignored > 0 {
        let told = format!("Left out by ignore files: {}.\n", gathered.n_ignored);
        basket.text.push_str(&told);
    }
    if gathered.is_cut {
        let told = format!("There are more than {MAX_FILES} files: the rest was not looked at.\n");
        basket.text.push_str(&told);
    }
    if basket.text.is_empty() {
        basket.text.push_str("No files.\n");
    }
    let n_skipped = basket.skipped.len();
    let skipped = match n_skipped {
        0 => String::new(),
        _ => format!(", {n_skipped} left out"),
    };
    let files = if n_read == 1 { "file" } else { "files" };
    Output {
        text: basket.text,
        media: basket.media,
        shown: format!("Read {n_read} {files}{skipped}"),
        touched: basket.touched,
    }
}

/// What was left out and why, for the model.
pub(crate) fn left_out(skipped: &[(String, String)]) -> String {
    if skipped.is_empty() {
        return String::new();
    }
    let mut told = String::from("Left out:\n");
    for (name, why) in skipped.iter().take(MAX_SKIPPED_TOLD) {
        let name = super::workspace::named(name);
        // A refusal says its name by itself.
        match why.starts_with(&name) {
            true => told.extend(["- ", why, "\n"]),
            false => told.extend(["- ", &name, ": ", why, "\n"]),
        }
    }
    if skipped.len() > MAX_SKIPPED_TOLD {
        let n_more = (skipped.len() - MAX_SKIPPED_TOLD).to_string();
        told.extend(["- and ", &n_more, " more\n"]);
    }
    told
}

fn check(args: &Args) -> Result<(), Refusal> {
    let refuse = |what: &str| Err(Refusal::new(RefusalKind::BadArguments, what));
    match args.include.len() {
        0 => refuse("`include` is empty. Give paths or patterns."),
        n if n > MAX_INCLUDES => refuse("`include` has more than 200 entries."),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
