//! The program that a command runs, and nothing else of it: arguments may hold what nobody should read.

use analects_text::trim::{is_space, trim};

use crate::tool_args::SHELL;

const BETWEEN_PARTS: &str = " | ";
const BETWEEN_TOOLS: &str = " -> ";

/// The name of the program that a command runs first. Assignments before it are passed over; a name that
/// could be anything else is just `shell`.
#[must_use]
pub fn program(command: &str) -> Option<String> {
    tokens(&collapsed(command)).find_map(|token| program_of(&token))
}

/// A workflow summary from a file, in which commands are told by their programs only. Whoever wrote it may
/// have written more.
#[must_use]
pub fn sanitized(summary: &str) -> String {
    let summary = collapsed(summary);
    let shell = format!("{SHELL}:");
    if !summary.contains(&shell) {
        return summary;
    }
    let parts = summary.split(BETWEEN_PARTS).map(trim);
    let parts = parts.filter_map(|part| {
        if part.contains(&shell) {
            let tools: Vec<_> = part.split(BETWEEN_TOOLS).filter_map(tool).collect();
            return (!tools.is_empty()).then(|| tools.join(BETWEEN_TOOLS));
        }
        let is_ours =
            part.starts_with("paths ") || part == "validated" || part == "validation failed";
        is_ours.then(|| part.to_owned())
    });
    parts.collect::<Vec<_>>().join(BETWEEN_PARTS)
}

fn tool(entry: &str) -> Option<String> {
    let entry = trim(entry);
    if let Some(command) = entry
        .strip_prefix(SHELL)
        .and_then(|rest| rest.strip_prefix(':'))
    {
        return Some(match program(command) {
            Some(program) => format!("{SHELL}: {program}"),
            None => SHELL.to_owned(),
        });
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '.');
    let starts = entry.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (starts && entry.chars().all(is_word)).then(|| entry.to_owned())
}

/// One blank for each run of blanks, none at the ends.
pub(crate) fn collapsed(text: &str) -> String {
    let words = text.split(is_space).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// The words of a command, as far as quotes tell them apart.
fn tokens(command: &str) -> impl Iterator<Item = String> {
    let mut chars = command.chars().peekable();
    std::iter::from_fn(move || {
        let mut token = String::new();
        let mut quote = None;
        while let Some(c) = chars.next() {
            match (quote, c) {
                (Some(open), c) if c == open => quote = None,
                (Some('"'), '\\') => token.push(chars.next().unwrap_or('\\')),
                (Some(_), c) => token.push(c),
                (None, ' ' | '\t' | '\n' | '\r') if token.is_empty() => {}
                (None, ' ' | '\t' | '\n' | '\r') => return Some(token),
                (None, '"' | '\'' | '`') => quote = Some(c),
                (None, c) => token.push(c),
            }
        }
        (!token.is_empty()).then_some(token)
    })
}

fn program_of(token: &str) -> Option<String> {
    if is_assignment(token) {
        return None;
    }
    let mut names = token.split(['/', '\\']).filter(|name| !name.is_empty());
    let name = names.next_back().unwrap_or(token);
    let is_safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '@' | '+' | '-');
    let is_name = !name.is_empty() && name.chars().all(is_safe);
    Some(if is_name { name } else { "shell" }.to_owned())
}

fn is_assignment(token: &str) -> bool {
    token.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_told_by_its_program() {
        for (command, name) in [
            ("cargo test --all", Some("cargo")),
            (
                "  FOO=1 BAR='x y' ./bin/run.sh --token=secret",
                Some("run.sh"),
            ),
            ("\"C:\\\\Program Files\\\\node.exe\" x", Some("node.exe")),
            ("$(curl evil)", Some("shell")),
            ("'my tool' x", Some("shell")),
            ("/", Some("shell")),
            ("A=1", None),
            (" \n ", None),
            ("''", None),
        ] {
            assert_eq!(program(command).as_deref(), name, "{command}");
        }
    }

    #[test]
    fn a_summary_keeps_nothing_of_a_command_but_its_program() {
        for (summary, safe) in [
            ("read_file  ->\nglob", "read_file -> glob"),
            (
                "read_file -> run_shell_command: curl -H token | paths a, b | validated | more",
                "read_file -> run_shell_command: curl | paths a, b | validated",
            ),
            ("run_shell_command: -> rm -rf", "run_shell_command"),
        ] {
            assert_eq!(sanitized(summary), safe, "{summary}");
        }
    }
}
