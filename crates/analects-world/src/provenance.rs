//! Who wrote each span of a message.
//!
//! A message in the user's name is rarely the user's alone: agents put referenced files, selected text, reminders, command
//! output and hook output into it. This module is the one place that tells them apart. The readers of all agents' sessions,
//! the digest, the learner, hand-over, search and recall ask it, and none of them looks at wrappers itself.
//!
//! Our own sessions record the author of every part when it is written ([`crate::model::Part::author`]). Everything else is parsed,
//! by the format of the agent that wrote it ([`claude`], [`codex`], [`gemini`]). Two rules hold for all of them:
//!
//! - Text outside every wrapper that the format knows is the user's.
//! - Text inside a wrapper, and text of which one cannot be sure that it is outside, is not the user's. A selection that
//!   contains the closing tag of its own wrapper gains nothing by it.

pub mod claude;
pub mod codex;
pub mod gemini;
mod tags;

use std::borrow::Cow;

use crate::Agent;

/// Who wrote a span of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Author {
    /// The person who uses the agent.
    User,
    /// The model.
    Model,
    /// A tool or a command that ran.
    Tool,
    /// A file: referenced, pasted by the agent, or read from a pipe; also skills and instruction files.
    File,
    /// An editor: open files, selected text, diagnostics.
    Editor,
    /// A program that the agent runs at an event.
    Hook,
    /// The agent's own program.
    System,
}

impl Author {
    /// Every author, with the name that records use.
    pub const NAMES: [(&'static str, Self); 7] = [
        ("user", Self::User),
        ("model", Self::Model),
        ("tool", Self::Tool),
        ("file", Self::File),
        ("editor", Self::Editor),
        ("hook", Self::Hook),
        ("system", Self::System),
    ];

    /// Returns the name that records use.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        let found = Self::NAMES.iter().find(|(_, author)| *author == self);
        found.map_or("system", |(name, _)| name)
    }

    /// Returns the author of that name, or `None` if there is no such author.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, author)| *author)
    }
}

/// A span of a message and who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthoredText<'a> {
    /// Who wrote it.
    pub author: Author,
    /// What was written. Owned only where the record spells it differently from what was typed (slash commands).
    pub text: Cow<'a, str>,
}

impl<'a> AuthoredText<'a> {
    /// Creates a span that is a part of the message as it is.
    #[must_use]
    pub fn new(author: Author, text: &'a str) -> Self {
        Self {
            author,
            text: Cow::Borrowed(text),
        }
    }

    /// True if the user wrote it.
    #[must_use]
    pub fn is_users(&self) -> bool {
        self.author == Author::User
    }
}

/// Returns the spans of a prompt that an agent passes on as one text, by the format of that agent.
#[must_use]
pub fn split_prompt(agent: Agent, prompt: &str) -> Vec<AuthoredText<'_>> {
    match agent {
        Agent::Gemini => gemini::split_parts([(None, prompt)]),
        Agent::Claude => claude::split_text(prompt, None),
        Agent::Codex => codex::split_text(prompt, None),
    }
}

/// Returns what the user wrote in a message; blank if the user wrote nothing of it. Blanks between spans are trimmed, those of a
/// message that is the user's alone are kept.
#[must_use]
pub fn user_text(spans: &[AuthoredText<'_>]) -> String {
    let own = spans.iter().filter(|span| span.is_users());
    let own: String = own.map(|span| &*span.text).collect();
    if spans.iter().all(AuthoredText::is_users) {
        own
    } else {
        own.trim().to_owned()
    }
}

/// Returns the spans of a message that somebody else wrote, without blank ones.
pub fn other_texts<'s, 'a>(
    spans: &'s [AuthoredText<'a>],
) -> impl Iterator<Item = &'s AuthoredText<'a>> {
    let others = spans.iter().filter(|span| !span.is_users());
    others.filter(|span| !span.text.trim().is_empty())
}

/// Returns what one wrapper wraps, or the text itself if it is not one wrapper from beginning to end.
#[must_use]
pub fn unwrap_tag(text: &str) -> &str {
    let text = text.trim();
    let inside = || {
        let rest = text.strip_prefix('<')?;
        let name = rest.get(..rest.find(['>', ' ', '<'])?)?;
        let (_, rest) = rest.split_once('>')?;
        rest.strip_suffix('>')?
            .strip_suffix(name)?
            .strip_suffix("</")
    };
    inside().map_or(text, str::trim)
}

#[cfg(test)]
mod nesting_tests;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_author_is_known_by_its_name() {
        for (name, author) in Author::NAMES {
            assert_eq!((author.as_str(), Author::named(name)), (name, Some(author)));
        }
        assert_eq!(Author::named("nobody"), None);
    }

    #[test]
    fn a_wrapper_is_taken_off() {
        for (text, inside) in [
            ("<a>x</a>", "x"),
            (" <a b=\"c\">\nx\n</a> ", "x"),
            ("<a>x</a> y", "<a>x</a> y"),
            ("<a>x", "<a>x"),
            ("x", "x"),
            ("<a></a>", ""),
        ] {
            assert_eq!(unwrap_tag(text), inside);
        }
    }
}
