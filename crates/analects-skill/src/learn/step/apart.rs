//! Takes a line apart into steps.
//!
//! What feeds another command, what is done only where another one fails, and what is read from or written to a file
//! is no command without it: such commands are one step. Where they cannot be told as one, there is none.

use analects_text::shell_line::{self, Simple, program_name};

use super::{Class, Line, MAX_WORDS, Step, Word, kept_words, step};
use crate::learn::habits;

/// So many commands of a line are kept.
const MAX_STEPS: usize = 16;
/// Shells are started from shells so deep.
const MAX_DEPTH: usize = 2;

/// Takes a line apart. Secrets are gone from it by now. A line that cannot be taken apart has no steps.
pub(in crate::learn) fn steps(line: &str, root: Option<&str>) -> Line {
    taken_apart(line, root, MAX_DEPTH)
}

fn taken_apart(line: &str, root: Option<&str>, depth: usize) -> Line {
    // Grammar to a shell, and nothing to us.
    let line = line.trim().trim_start_matches("time ");
    let Ok(taken) = shell_line::lex(line) else {
        return Line {
            is_reckless: line.contains("| sh") || line.contains("| bash") || line.contains("|sh"),
            ..Line::default()
        };
    };
    let mut dir = None;
    let mut steps = Vec::new();
    let mut is_reckless = habits::is_reckless(&taken);
    for unit in units(&taken) {
        let [command] = unit.as_slice() else {
            let made = compound(&unit, root).filter(|_| steps.len() < MAX_STEPS);
            steps.extend(made.map(|step| Step {
                dir: dir.clone(),
                ..step
            }));
            continue;
        };
        if let [first, to, ..] = command.words.as_slice()
            && first.text == "cd"
        {
            dir = entered(dir, &to.text, root);
            continue;
        }
        if let Some(inner) = line_of(command).filter(|_| depth > 0) {
            let inner = taken_apart(inner, root, depth - 1);
            is_reckless |= inner.is_reckless;
            // Where all of it goes cannot be told of one of its commands.
            if command.redirections.is_empty() {
                steps.extend(inner.steps);
            }
        } else if steps.len() < MAX_STEPS {
            let made = step(command, root);
            steps.extend(made.map(|step| Step {
                dir: dir.clone(),
                ..step
            }));
        }
    }
    steps.truncate(MAX_STEPS);
    Line { steps, is_reckless }
}

/// Commands that are one step together.
type Unit<'a> = Vec<&'a Simple>;

/// The commands of a line, those together that belong together. None if it cannot be told which do.
fn units(line: &shell_line::Line) -> Vec<Unit<'_>> {
    let commands = || line.commands.iter().take(MAX_STEPS * 4);
    let is_bound =
        |command: &Simple| matches!(command.sign, "|" | "|&" | "||") && !is_idle(command);
    let is_simple = !line.redirects && !commands().any(is_bound);
    if is_simple {
        return commands().map(|command| vec![command]).collect();
    }
    // What stands in parentheses may be fed, or written to a file, as a whole.
    let is_nested = commands().any(|command| command.depth > 0);
    let is_known = commands().any(|command| !command.redirections.is_empty());
    if is_nested || line.redirects && !is_known {
        return Vec::new();
    }
    let commands: Vec<_> = commands().collect();
    let lists = commands.chunk_by(|_, next| !next.sign.is_empty());
    lists.flat_map(units_of_list).collect()
}

/// The units of commands that are joined by signs.
fn units_of_list<'a>(list: &[&'a Simple]) -> Vec<Unit<'a>> {
    let is_alternative = |command: &&&Simple| command.sign == "||";
    let mut list = list;
    // `|| true`, `|| echo no`: nothing is done instead.
    while let Some((last, rest)) = list.split_last()
        && last.sign == "||"
        && is_idle(last)
    {
        list = rest;
    }
    let mut units: Vec<Unit<'a>> = Vec::new();
    // To go somewhere first is no part of what is done there.
    while let [first, second, ..] = list
        && goes(first)
        && second.sign == "&&"
    {
        units.push(vec![*first]);
        list = list.get(1..).unwrap_or_default();
    }
    if list.iter().any(|command| is_alternative(&command)) {
        units.push(without_filters(list));
        return units;
    }
    let pipelines = list.chunk_by(|_, next| next.is_fed());
    units.extend(pipelines.map(without_filters));
    units
}

/// Commands without those at their end that only show what the others print.
fn without_filters<'a>(commands: &[&'a Simple]) -> Unit<'a> {
    let mut commands = commands;
    while let Some((last, rest)) = commands.split_last()
        && last.is_fed()
        && is_idle(last)
    {
        commands = rest;
    }
    commands.to_vec()
}

/// Whether a command does nothing by itself, and nothing to those that follow.
fn is_idle(command: &Simple) -> bool {
    let program = command.words.first().map_or("", |word| word.text.as_str());
    let is_look = habits::is_look(program_name(program)) && !goes(command);
    command.redirections.is_empty() && is_look
}

fn goes(command: &Simple) -> bool {
    command.words.first().is_some_and(|word| word.text == "cd")
}

/// Several commands as one step, as they were typed; none if one of them does something.
fn compound(unit: &[&Simple], root: Option<&str>) -> Option<Step> {
    let (first, rest) = unit.split_first()?;
    let is_odd = |command: &&Simple| goes(command) || line_of(command).is_some();
    let is_long = |command: &&Simple| command.words.len() > MAX_WORDS;
    let sets = rest.iter().any(|command| command.sets_variables);
    if sets
        || unit
            .iter()
            .any(|command| is_odd(command) || is_long(command))
    {
        return None;
    }
    let parts: Vec<_> = unit.iter().map(|command| step(command, root)).collect();
    let mut made = parts.iter().flatten();
    let is_own = made.clone().any(|step| step.class == Class::Own);
    let is_alternative = unit.iter().any(|command| command.sign == "||");
    // Where another one stepped in, it is not known which of them went well.
    let is_check = !is_alternative && made.clone().any(|step| step.is_check);
    made.next()?;
    let mut whole = match parts.into_iter().next().flatten() {
        Some(step) => step,
        None => Step {
            runner: None,
            words: kept_words(first, root),
            variables: Vec::new(),
            dir: None,
            class: Class::Common,
            is_check: false,
        },
    };
    for command in rest {
        whole.words.push(Word::sign(command.sign));
        whole.words.extend(kept_words(command, root));
    }
    whole.class = if is_own { Class::Own } else { Class::Common };
    whole.is_check = is_check;
    Some(whole)
}

fn line_of(command: &Simple) -> Option<&str> {
    let words: Vec<_> = command.words.iter().map(|it| it.text.as_str()).collect();
    inner_line(&words)
}

/// The line that a shell is started with: `bash -lc LINE`, `sh -e -c LINE`.
pub(crate) fn inner_line<'a>(words: &[&'a str]) -> Option<&'a str> {
    let (shell, rest) = words.split_first()?;
    let is_shell = matches!(program_name(shell), "bash" | "sh" | "zsh" | "dash");
    let takes_line = |word: &&str| word.starts_with('-') && word.ends_with('c');
    let at = rest.iter().position(takes_line).filter(|_| is_shell)?;
    rest.get(at + 1).copied()
}

fn entered(from: Option<String>, to: &str, root: Option<&str>) -> Option<String> {
    let to = to.trim_end_matches('/');
    if let Some(root) = root
        && let Some(inside) = to.strip_prefix(root)
    {
        let inside = inside.trim_start_matches('/');
        return (!inside.is_empty()).then(|| inside.to_owned());
    }
    if to.starts_with(['/', '~', '-', '$']) || to.split('/').any(|part| part == "..") {
        return None;
    }
    let to = to.trim_start_matches("./");
    match (from, to) {
        (from, "" | ".") => from,
        (None, to) => Some(to.to_owned()),
        (Some(from), to) => Some(format!("{from}/{to}")),
    }
}
