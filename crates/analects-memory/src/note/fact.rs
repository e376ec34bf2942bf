//! What may be remembered: one line, said openly.

use analects_text::hidden;
use analects_text::trim::trim;

use crate::render;
use crate::written;

/// A longer text is no fact: it belongs in a file of its own, imported where it is needed.
const MAX_BYTES: usize = 16 * 1024;

/// A fact as it is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    text: String,
    /// What was changed about it, if anything, a few words each.
    pub changed: Vec<String>,
}

/// Why a text is no fact.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Nothing is left of it.
    #[error("there is nothing to remember")]
    Empty,
    /// It is too long.
    #[error("{0} bytes are too long for a fact (at most {MAX_BYTES})")]
    TooLong(usize),
}

impl Fact {
    /// The fact in `raw`: on one line, without the bullet of a list, without anything that hides, and
    /// unable to forge what holds a prompt together.
    pub fn clean(raw: &str) -> Result<Self, Refused> {
        if raw.len() > MAX_BYTES {
            return Err(Refused::TooLong(raw.len()));
        }
        let folded: String = raw.chars().map(unbroken).collect();
        let mut changed = Vec::new();
        // Not before lines are folded: some line breaks are invisible too.
        let open = hidden::without(&folded);
        if open != folded {
            let n_hidden = folded.chars().count() - open.chars().count();
            changed.push(format!("{n_hidden} hidden characters were removed"));
        }
        let plain = without_bullets(trim(&open));
        let text = render::harmless(plain);
        if text != plain {
            changed.push("what looked like a tag of ours was made harmless".to_owned());
        }
        if text.is_empty() {
            return Err(Refused::Empty);
        }
        Ok(Self {
            text: text.into_owned(),
            changed,
        })
    }

    /// The same for a text whose lines matter, as in an item with code or a list in it: they stay, and so does every
    /// bullet.
    pub fn clean_lines(raw: &str) -> Result<Self, Refused> {
        if raw.len() > MAX_BYTES {
            return Err(Refused::TooLong(raw.len()));
        }
        let mut changed = Vec::new();
        let mut open = Vec::new();
        for line in written::lines(raw) {
            let folded: String = line.chars().map(unbroken).collect();
            let seen = hidden::without(&folded);
            if seen != folded {
                changed.push("hidden characters were removed".to_owned());
            }
            open.push(seen.trim_end().to_owned());
        }
        changed.dedup();
        let open = open.join("\n");
        let plain = trim(&open);
        let text = render::harmless(plain);
        if text != plain {
            changed.push("what looked like a tag of ours was made harmless".to_owned());
        }
        match text.is_empty() {
            true => Err(Refused::Empty),
            false => Ok(Self {
                text: text.into_owned(),
                changed,
            }),
        }
    }

    /// What it says.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

fn unbroken(c: char) -> char {
    if is_line_break(c) { ' ' } else { c }
}

/// Everything that some program takes for the end of a line.
fn is_line_break(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{1C}'..='\u{1E}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

fn without_bullets(text: &str) -> &str {
    trim(text.trim_start_matches(|c: char| c == '-' || c.is_whitespace()))
}
