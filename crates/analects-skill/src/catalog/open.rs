//! A skill taken from its shelf: its instructions, and what lies beside them.

use std::fmt::Write as _;

use analects_text::neutralise::{Delimiters, neutralise};
use analects_text::{hidden, truncate};
use analects_world::files::{Files, Want};
use analects_world::frames::TAGS;

use super::shelf::within;
use super::{Skill, Source, tree};
use crate::folder::MAX_FILE_BYTES;
use crate::skill;

/// What the instructions of one skill may cost in any case. The standard advises a quarter of it.
pub const MAX_BODY_TOKENS: usize = 20_000;

/// A skill, opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// Its name.
    pub name: String,
    /// Its instructions, in bounds.
    pub body: String,
    /// What says that they are cut, if they are.
    pub cut: Option<String>,
    /// What lies in its directory; empty if it is part of the program.
    pub resources: String,
}

/// Opens a skill, of whose instructions this much is taken; or says why it cannot be, as a lowercase fragment.
pub fn open(files: &dyn Files, skill: &Skill, limit_tokens: usize) -> Result<Opened, String> {
    let (text, resources) = match &skill.source {
        Source::Program(text) => ((*text).to_owned(), String::new()),
        Source::Folder {
            path,
            dir,
            within: root,
        } => {
            let want = Want {
                path,
                within: within(root.as_ref()),
                limit_bytes: MAX_FILE_BYTES,
            };
            let blob = files
                .read_one(want)
                .map_err(|trouble| trouble.to_string())?;
            let text = String::from_utf8_lossy(&blob.bytes).into_owned();
            (text, tree::tree(files, dir))
        }
    };
    let draft = skill::read(&text, &skill.name);
    let body = hidden::without(draft.body.trim()).into_owned();
    let kept = truncate::head(&body, limit_tokens.min(MAX_BODY_TOKENS));
    let (body, cut) = match kept.len() < body.len() {
        true => {
            let note = format!("[cut off: the rest is in {}]", skill.location());
            (truncate::at_line_end(kept).to_owned(), Some(note))
        }
        false => (body, None),
    };
    Ok(Opened {
        name: skill.name.clone(),
        body,
        cut,
        resources,
    })
}

impl Opened {
    /// What a model is told: the instructions between tags that nothing in them can end.
    #[must_use]
    pub fn told(&self) -> String {
        let mut text = format!("{}\n  <instructions>\n", opening(&self.name));
        indented(&mut text, &harmless(&self.body));
        indented(&mut text, self.cut.as_deref().unwrap_or_default());
        text.push_str("  </instructions>\n\n  <available_resources>\n");
        let resources = match self.resources.is_empty() {
            true => "    (none)\n".to_owned(),
            false => {
                let mut lines = format!(
                    "    What lies in the skill's directory, at most {} items. Read what the instructions point to.\n\n",
                    tree::MAX_ITEMS
                );
                indented(&mut lines, &harmless(&self.resources));
                lines
            }
        };
        text.push_str(&resources);
        text.push_str("  </available_resources>\n</activated_skill>");
        text
    }
}

/// How the text of an activated skill begins.
#[must_use]
pub fn opening(name: &str) -> String {
    format!("<activated_skill name=\"{name}\">")
}

fn indented(out: &mut String, text: &str) {
    for line in text.lines() {
        match line.is_empty() {
            true => out.push('\n'),
            false => {
                let _ = writeln!(out, "    {line}");
            }
        }
    }
}

/// Text of a skill, unable to end its block or to forge another one.
fn harmless(text: &str) -> String {
    neutralise(&neutralise(text, &OWN), &OURS).into_owned()
}

/// What holds the answer together.
const OWN: Delimiters = Delimiters {
    tags: &["instructions", "available_resources"],
    rulers: &[],
    comments: &[],
    notes: &[],
};

/// What holds the prompt together that it stands in.
const OURS: Delimiters = Delimiters {
    tags: &TAGS,
    rulers: &[
        "context from:",
        "end of context from:",
        "newly discovered project context",
        "end project context",
    ],
    comments: &[],
    notes: &["cut off", "shortened:"],
};
