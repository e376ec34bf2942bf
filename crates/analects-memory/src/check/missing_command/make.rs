//! `make X`, against the targets of every makefile.

use super::super::survey::Survey;
use super::manifests::{Defined, Manifests};
use super::shell::is_name;

const NAMES: [&str; 3] = ["Makefile", "makefile", "GNUmakefile"];

/// What follows `make` in plain English.
const PROSE: [&str; 6] = ["sure", "it", "the", "a", "changes", "sense"];

/// Files that a makefile is made from.
const MAKERS: [&str; 6] = [
    "CMakeLists.txt",
    "configure",
    "configure.ac",
    "Makefile.in",
    "Makefile.am",
    "Kbuild",
];

pub(super) fn missing(defined: &Defined, survey: &Survey, args: &[&str]) -> Option<String> {
    let mut targets = Vec::new();
    let mut at = 0;
    while let Some(&arg) = args.get(at) {
        match arg {
            // Another file, or another place: someone else's targets.
            "-f" | "--file" | "-C" | "--directory" => return None,
            "-j" | "-l" | "-o" | "-W" | "-I" => {
                // The number is optional.
                let is_number = |arg: &&str| arg.chars().all(|c| c.is_ascii_digit());
                at += usize::from(args.get(at + 1).is_some_and(is_number));
            }
            _ if arg.starts_with('-') || arg.contains('=') => {}
            _ => targets.push(arg),
        }
        at += 1;
    }
    let is_made = || MAKERS.iter().any(|name| survey.has_ending(name));
    if defined.is_open || is_made() {
        return None;
    }
    let is_missing = |target: &&str| {
        is_name(target)
            && !PROSE.contains(target)
            && !is_target(defined, target)
            && !survey.has_ending(target)
    };
    let target = targets.into_iter().find(is_missing)?;
    Some(match defined.n_files {
        0 => "`make` finds no makefile".to_owned(),
        _ => format!("no makefile has a target `{target}`"),
    })
}

fn is_target(defined: &Defined, target: &str) -> bool {
    let fits = |pattern: &String| {
        let ends = pattern.split_once('%');
        ends.is_some_and(|(head, tail)| target.starts_with(head) && target.ends_with(tail))
    };
    defined.has(target) || defined.names.iter().any(fits)
}

pub(super) fn read(manifests: &Manifests<'_>) -> Defined {
    manifests.defined(&NAMES, add_line)
}

fn add_line<'a>(defined: &mut Defined, line: &'a str) -> Vec<&'a str> {
    if line.starts_with(['\t', '#']) {
        return Vec::new();
    }
    let line = line.trim();
    let words = line.trim_start_matches(['-', 's']);
    if let Some(included) = words.strip_prefix("include ") {
        let (open, names): (Vec<_>, Vec<_>) = included
            .split_whitespace()
            .partition(|name| name.contains(['$', '*', '%', '?']));
        defined.is_open |= !open.is_empty();
        return names;
    }
    if line.contains("$(eval") || line.starts_with("define ") {
        defined.is_open = true;
    } else {
        add_rule(defined, line);
    }
    Vec::new()
}

/// The targets of a rule: `a b: c`, but neither `a := b` nor `a = b:c`.
fn add_rule(defined: &mut Defined, line: &str) {
    let Some((targets, rest)) = line.split_once(':') else {
        return;
    };
    if targets.contains('=') || rest.starts_with('=') || rest.starts_with(":=") {
        return;
    }
    if targets.contains('$') {
        defined.is_open = true;
    }
    // `.PHONY` names targets that are about to be defined, or come from elsewhere.
    let named = if targets.trim() == ".PHONY" {
        rest
    } else {
        targets
    };
    let names = named
        .split_whitespace()
        .map(|name| name.trim_end_matches('&'));
    defined.names.extend(names.map(str::to_owned));
}
