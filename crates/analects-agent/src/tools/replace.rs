//! `replace`: replaces one text by another in a file, where it occurs exactly.
//!
//! Whoever can say word for word what is to go knows the file well enough: no earlier reading is asked for, and
//! a file that changed meanwhile is changed as it is now, or not at all. Lines that end with `\r\n` are matched
//! by `\n` and keep their ends.

mod nearest;

use analects_world::Files;
use memchr::memmem;
use schemars::JsonSchema;
use serde::Deserialize;

use super::planned::{Edit, lines_of};
use super::script::{Encoding, LineEnd, exact, unified};
use super::whole::whole;
use super::workspace::named;
use super::write_file::check_length;
use super::{For, Place, Planned, Refusal, RefusalKind, Workspace, look};

/// The tool.
pub const NAME: &str = "replace";

/// What is to be replaced by what.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
pub struct Args {
    /// The file, relative to the working directory or absolute.
    pub file_path: String,
    /// What the change is for, in a sentence; people read it.
    #[serde(default)]
    pub instruction: Option<String>,
    /// The text that goes, exactly as it stands in the file. Empty to make a new file.
    pub old_string: String,
    /// The text that comes in its place.
    pub new_string: String,
    /// How many times the old text stands in the file; once, if nothing is said.
    #[serde(default, deserialize_with = "whole")]
    pub expected_replacements: Option<usize>,
    /// Whether it is replaced wherever it stands, however often.
    #[serde(default)]
    pub allow_multiple: Option<bool>,
}

/// What is to be written. Asked again under the locks of the commit point.
pub fn plan(args: &Args, files: &dyn Files, workspace: &Workspace) -> Result<Planned, Refusal> {
    let given = &args.file_path;
    let place = workspace.locate(files, given, For::Writing)?;
    let old = look::content(files, given, &place)?.map(|blob| blob.bytes);
    match (&old, args.old_string.is_empty()) {
        (None, true) => create(args, &place, workspace),
        (None, false) => Err(look::missing(files, given, &place.path)),
        (Some(_), true) => refuse(
            RefusalKind::BadArguments,
            format!(
                "{} exists. Give the text that is to go as `old_string`; `write_file` writes a file anew.",
                named(given)
            ),
        ),
        (Some(old), false) => change(args, &place, old, workspace),
    }
}

fn create(args: &Args, place: &Place, workspace: &Workspace) -> Result<Planned, Refusal> {
    check_length(&args.file_path, args.new_string.len())?;
    let shown = workspace.shown(&place.path);
    let lines = lines_of(&args.new_string);
    let told = format!("Wrote `{shown}`, which is new: {lines}.");
    let edit = Edit {
        tool: NAME,
        place,
        old: None,
        new: args.new_string.as_bytes(),
        texts: ("", &args.new_string),
        told: &told,
    };
    Ok(Planned::new(workspace, edit))
}

fn change(
    args: &Args,
    place: &Place,
    old: &[u8],
    workspace: &Workspace,
) -> Result<Planned, Refusal> {
    let (text, encoding) = exact(old).ok_or_else(|| {
        let message = format!(
            "{} holds bytes that are no text: an edit could change more of it than was meant.",
            named(&args.file_path)
        );
        Refusal::new(RefusalKind::Unwritable, message)
    })?;
    let found = Found::new(&text, &args.old_string);
    check_count(args, &text, &found)?;
    let replaced = found.replaced(args)?;
    if replaced == text {
        let why = match unified(&args.old_string) == unified(&args.new_string) {
            true => "`old_string` and `new_string` say the same",
            false => "its last line keeps its end",
        };
        let name = named(&args.file_path);
        let message = format!("Nothing would change in {name}: {why}.");
        return refuse(RefusalKind::NoChange, message);
    }
    let n_found = found.starts.len();
    let told = format!(
        "Changed `{}`: {n_found} {} at {}.",
        workspace.shown(&place.path),
        if n_found == 1 {
            "replacement"
        } else {
            "replacements"
        },
        found.lines(),
    );
    let new = match encoding {
        Encoding::Utf8 => replaced.clone().into_bytes(),
        encoding => encoding.encode(&replaced),
    };
    let edit = Edit {
        tool: NAME,
        place,
        old: Some(old),
        new: &new,
        texts: (&text, &replaced),
        told: &told,
    };
    Ok(Planned::new(workspace, edit))
}

/// Where a text stands in a file.
struct Found<'a> {
    text: &'a str,
    /// The text with `\n` at the end of every line.
    plain: String,
    /// Where a `\r` was left out of it.
    dropped: Vec<usize>,
    needle: String,
    /// Where the needle stands in the plain text.
    starts: Vec<usize>,
}

impl<'a> Found<'a> {
    fn new(text: &'a str, old: &str) -> Self {
        let crlf = memmem::find_iter(text.as_bytes(), b"\r\n");
        let dropped: Vec<_> = crlf.enumerate().map(|(n, at)| at - n).collect();
        let (plain, needle) = (unified(text), unified(old));
        let starts = memmem::find_iter(plain.as_bytes(), needle.as_bytes()).collect();
        Self {
            text,
            plain,
            dropped,
            needle,
            starts,
        }
    }

    /// The place in the text of one in the plain text.
    fn place(&self, at: usize) -> usize {
        at + self.dropped.partition_point(|&dropped| dropped < at)
    }

    /// The text with every occurrence replaced.
    fn replaced(&self, args: &Args) -> Result<String, Refusal> {
        let new = LineEnd::of(self.text).apply(&args.new_string);
        let n_new = new.len().checked_mul(self.starts.len());
        let n_bytes = n_new.and_then(|n_new| n_new.checked_add(self.text.len()));
        check_length(&args.file_path, n_bytes.unwrap_or(usize::MAX))?;
        let mut replaced = String::with_capacity(self.text.len());
        let mut at = 0;
        for &start in &self.starts {
            let end = self.place(start + self.needle.len());
            replaced.push_str(self.text.get(at..self.place(start)).unwrap_or_default());
            replaced.push_str(&new);
            at = end;
        }
        replaced.push_str(self.text.get(at..).unwrap_or_default());
        // A last line whose end was not said twice keeps it.
        if self.text.ends_with('\n') && !replaced.ends_with('\n') && !replaced.is_empty() {
            replaced.push_str(LineEnd::of(self.text).as_str());
        }
        Ok(replaced)
    }

    /// The lines that it begins on, as many as are worth telling.
    fn lines(&self) -> String {
        let mut told = Vec::new();
        let (mut line, mut at) = (1, 0);
        for &start in self.starts.iter().take(MAX_LINES_TOLD) {
            let between = self.plain.as_bytes().get(at..start).unwrap_or_default();
            line += memchr::memchr_iter(b'\n', between).count();
            at = start;
            told.push(line.to_string());
        }
        let more = match self.starts.len() > told.len() {
            true => ", …",
            false => "",
        };
        let word = if told.len() == 1 { "line" } else { "lines" };
        format!("{word} {}{more}", told.join(", "))
    }
}

const MAX_LINES_TOLD: usize = 10;

fn check_count(args: &Args, text: &str, found: &Found<'_>) -> Result<(), Refusal> {
    let name = named(&args.file_path);
    let n_found = found.starts.len();
    if args.expected_replacements == Some(0) {
        let message = "`expected_replacements` is 0: then there is nothing to do.".to_owned();
        return refuse(RefusalKind::BadArguments, message);
    }
    if n_found == 0 {
        let why = nearest::explain(text, &found.plain, &found.needle);
        let message = format!("`old_string` does not stand in {name}. {why}");
        return refuse(RefusalKind::NoOccurrence, message);
    }
    let n_expected = args.expected_replacements.unwrap_or(1);
    if args.allow_multiple == Some(true) || n_found == n_expected {
        return Ok(());
    }
    let at = found.lines();
    let times = |n: usize| match n {
        1 => "once".to_owned(),
        n => format!("{n} times"),
    };
    let message = format!(
        "`old_string` stands in {name} {}, not {}: at {at}. Take more of the lines around \
         along to mean one place, or say `expected_replacements: {n_found}` to replace all.",
        times(n_found),
        times(n_expected),
    );
    refuse(RefusalKind::OccurrenceCount, message)
}

fn refuse<T>(kind: RefusalKind, message: String) -> Result<T, Refusal> {
    Err(Refusal::new(kind, message))
}

#[cfg(test)]
mod tests;
