//! Lint: characters that a person does not see; one finding per line.

use std::collections::BTreeSet;

use analects_text::hidden::{self, Hidden};
use analects_text::problem::Problem;

use super::sheet::Sheet;
use super::{Finding, codes};

/// How much of a hidden text is shown.
const MAX_SHOWN: usize = 40;

pub(super) fn check(sheet: &Sheet<'_>) -> Vec<Finding> {
    let found = hidden::find(&sheet.page.text);
    let on_one_line = |a: &Hidden, b: &Hidden| sheet.line(a.at) == sheet.line(b.at);
    let in_text = found.chunk_by(on_one_line).filter_map(|line| {
        let problem = sheet.problem(&codes::HIDDEN_CHARACTER, line.first()?.at, told(line));
        Some(Finding {
            problem,
            is_fixable: true,
        })
    });
    in_text.chain(in_name(sheet)).collect()
}

/// A name reaches the model, too: in the marker before the text.
fn in_name(sheet: &Sheet<'_>) -> Option<Finding> {
    let found = hidden::find(sheet.page.path.as_str());
    let message = format!("its name, or that of a directory: {}", told(&found));
    let problem = Problem::new(&codes::HIDDEN_CHARACTER, message).in_file(&sheet.page.path);
    (!found.is_empty()).then(|| problem.into())
}

fn told(line: &[Hidden]) -> String {
    let kinds: BTreeSet<_> = line.iter().map(|hidden| hidden.c).collect();
    let names: Vec<_> = kinds.iter().take(4).map(|&c| named(c)).collect();
    let more = if kinds.len() > names.len() {
        ", …"
    } else {
        ""
    };
    let n_hidden = match line.len() {
        1 => "a hidden character".to_owned(),
        n => format!("{n} hidden characters"),
    };
    let mut told = format!("{n_hidden}: {}{more}", names.join(", "));
    let message = hidden::message(line);
    if !message.is_empty() {
        let shown: String = message.chars().take(MAX_SHOWN).collect();
        let more = if shown.len() < message.len() {
            "…"
        } else {
            ""
        };
        told = format!("{told}; they say \"{shown}{more}\"");
    }
    told
}

fn named(c: char) -> String {
    let name = match c {
        '\u{AD}' => " soft hyphen",
        '\u{200B}' => " zero width space",
        '\u{200C}' => " zero width non-joiner",
        '\u{200D}' => " zero width joiner",
        '\u{2060}' => " word joiner",
        '\u{FEFF}' => " byte order mark",
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            " direction control"
        }
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => " variation selector",
        '\u{E0000}'..='\u{E007F}' => " tag character",
        _ if c.is_control() => " control character",
        _ => "",
    };
    format!("U+{:04X}{name}", u32::from(c))
}
