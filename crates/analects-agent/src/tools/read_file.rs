//! `read_file`: the lines of a file, or what else a model can see in it.

use analects_chat::reading::page::{Asked, Page, Range, page};
use schemars::JsonSchema;
use serde::Deserialize;

use super::look::{self, Sight};
use super::whole::whole;
use super::{Bench, For, Output, Refusal, RefusalKind, Seen};

/// The tool.
pub const NAME: &str = "read_file";

/// Which file, and how much of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
pub struct Args {
    /// The file, relative to the working directory or absolute.
    pub file_path: String,
    /// The first line to read, counted from 1.
    #[serde(default, deserialize_with = "whole")]
    pub start_line: Option<usize>,
    /// The last line to read, counted from 1. Without it at most 2000 lines are read.
    #[serde(default, deserialize_with = "whole")]
    pub end_line: Option<usize>,
    /// How many lines to pass over. Give `start_line` or this, not both.
    #[serde(default, deserialize_with = "whole")]
    pub offset: Option<usize>,
    /// How many lines to read, together with `offset`.
    #[serde(default, deserialize_with = "whole")]
    pub limit: Option<usize>,
}

/// No answer is longer, whatever range was asked for: the rest is read in another call.
const MAX_TEXT_BYTES: usize = 256 * 1024;

/// Reads a file, and notes that the model has seen it.
pub fn run(args: &Args, bench: &Bench<'_>, seen: &Seen) -> Result<Output, Refusal> {
    check_range(args)?;
    let given = &args.file_path;
    let place = bench.workspace.locate(bench.files, given, For::Reading)?;
    let shown = bench.workspace.shown(&place.path);
    let (sight, hash) = look::look(bench.files, given, &place)?;
    seen.note(&place.path, hash);
    let touched = vec![place.path];
    Ok(match sight {
        Sight::Text(text) if text.is_empty() => Output {
            text: format!("[`{shown}` is empty.]"),
            shown: format!("{shown} is empty"),
            touched,
            ..Output::default()
        },
        Sight::Text(text) => {
            let page = fitting(&text, asked(args), bench, MAX_TEXT_BYTES);
            let told = page.display(&shown);
            Output {
                text: page.announced(),
                shown: match told.is_empty() {
                    true => format!("Read {shown}"),
                    false => told,
                },
                touched,
                ..Output::default()
            }
        }
        Sight::Media(part, kind) => Output {
            text: format!("`{shown}` comes with this answer ({}).", kind.as_str()),
            media: vec![*part],
            shown: format!("Read {shown} ({})", kind.as_str()),
            touched,
        },
        Sight::Blank(text) => Output {
            text,
            shown: format!("{shown} is binary"),
            touched,
            ..Output::default()
        },
    })
}

/// Lines of a file that are no more than this many bytes, with nothing in them that could pass for our words.
/// There is always one line, if the file has it.
pub(crate) fn fitting(text: &str, asked: Asked, bench: &Bench<'_>, limit_bytes: usize) -> Page {
    let lines = |asked: &Asked| page(text, &Range::of(asked, bench.measures), bench.profile);
    let mut shown = lines(&asked);
    if shown.text.len() > limit_bytes {
        let head = shown
            .text
            .get(..shown.text.floor_char_boundary(limit_bytes));
        let n_lines = head.unwrap_or_default().matches('\n').count().max(1);
        let asked = Asked {
            start_line: Some(shown.first_line),
            end_line: Some(shown.first_line + n_lines - 1),
            ..Asked::default()
        };
        shown = lines(&asked);
    }
    if let std::borrow::Cow::Owned(harmless) = look::harmless(&shown.text) {
        shown.text = harmless;
    }
    shown
}

fn asked(args: &Args) -> Asked {
    Asked {
        start_line: args.start_line,
        end_line: args.end_line,
        offset: args.offset,
        limit: args.limit,
    }
}

fn check_range(args: &Args) -> Result<(), Refusal> {
    match (args.start_line, args.end_line) {
        (Some(start), Some(end)) if end < start => {
            let message = format!("end_line {end} stands before start_line {start}.");
            Err(Refusal::new(RefusalKind::BadArguments, message))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
