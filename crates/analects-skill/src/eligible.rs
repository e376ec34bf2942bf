//! Which past sessions are worth learning from, and the list of them that an extractor is shown.
//!
//! Everything here works on what the engine found out about each record: no record is opened, none is kept.

use std::cmp::Reverse;
use std::collections::HashMap;

use analects_session::stamp::Stamp;
use analects_session::transcript::{Kind, Transcript};
use analects_text::redact;
use analects_text::sanitize::one_line;
use analects_world::changes::ContentHash;
use analects_world::{AbsPath, Agent};

/// A session that may be learned from: what is known of it, without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Eligible {
    /// Its name, made safe: see [`safe_id`].
    pub id: String,
    /// Who held it.
    pub agent: Agent,
    /// Its record.
    pub path: AbsPath,
    /// When something was last said; where the record does not tell, when it was written.
    pub updated: Option<Stamp>,
    /// How many prompts of a person it has.
    pub n_prompts: usize,
    /// What it was about.
    pub headline: Option<String>,
    /// What was done, in few words.
    pub workflow: Option<String>,
    /// Whether it was learned from.
    pub mark: Mark,
    /// How long the record is.
    pub n_bytes: u64,
}

/// Whether a session was learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Not as it is now; this many runs had it before them and did not get to it.
    New {
        /// How many.
        n_attempts: usize,
    },
    /// It was, or it was given up.
    Old,
}

impl Mark {
    /// Whether it is still to be learned from.
    #[must_use]
    pub fn is_new(self) -> bool {
        matches!(self, Self::New { .. })
    }
}

/// What makes a session worth a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// At least this many prompts of a person.
    pub min_prompts: usize,
    /// Nothing was said for this long.
    pub min_idle_ms: u64,
}

/// Why a session is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unfit {
    /// An agent held it, not a person.
    Subagent,
    /// It may still go on.
    Busy,
    /// Too little was asked.
    Short,
}

impl Rules {
    /// Why a session is left out, if it is. One from the future is not over: some clock is wrong.
    #[must_use]
    pub fn unfit(self, kind: &Kind, session: &Eligible, now_ms: u64) -> Option<Unfit> {
        let updated_ms = session.updated.map_or(0, Stamp::as_ms);
        if *kind != Kind::Main {
            return Some(Unfit::Subagent);
        }
        if updated_ms.saturating_add(self.min_idle_ms) > now_ms {
            return Some(Unfit::Busy);
        }
        (session.n_prompts < self.min_prompts).then_some(Unfit::Short)
    }
}

/// How often a person asked for something. Commands to the agent's own program ask nobody for anything.
#[must_use]
pub fn n_prompts(transcript: &Transcript) -> usize {
    let texts = transcript.prompts().map(|turn| turn.text.trim_start());
    texts
        .filter(|text| !text.is_empty() && !text.starts_with(['/', '?']))
        .count()
}

/// Names are at most this long where they are kept.
const MAX_ID: usize = 128;

/// The name of a session as it is kept. What no agent would call one, and whatever is too long, goes by its fingerprint.
#[must_use]
pub fn safe_id(id: &str) -> String {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_plain = id.len() <= MAX_ID && id.chars().all(is_fine) && !id.starts_with('.');
    match is_plain && !id.is_empty() {
        true => id.to_owned(),
        false => format!("forged-{}", ContentHash::of(id.as_bytes()).short()),
    }
}

/// One of each session: the one that goes furthest; of equals the newer format, then the last by name.
#[must_use]
pub fn once(sessions: Vec<Eligible>) -> Vec<Eligible> {
    fn rank(session: &Eligible) -> (Option<Stamp>, bool, &AbsPath) {
        let is_lines = session.path.as_str().ends_with(".jsonl");
        (session.updated, is_lines, &session.path)
    }
    let mut best: HashMap<String, Eligible> = HashMap::new();
    for session in sessions {
        match best.get_mut(&session.id) {
            Some(known) if rank(known) >= rank(&session) => {}
            Some(known) => *known = session,
            None => {
                best.insert(session.id.clone(), session);
            }
        }
    }
    let mut all: Vec<_> = best.into_values().collect();
    all.sort_by(|a, b| newest(a).cmp(&newest(b)));
    all
}

/// How many new sessions are shown at once.
pub const MAX_NEW: usize = 10;
/// How many are shown in all.
pub const MAX_INDEXED: usize = 50;

/// Those that an extractor is shown: the new ones that were tried least, the newest first, and then old ones.
#[must_use]
pub fn indexed(sessions: &[Eligible]) -> Vec<Eligible> {
    let mut new: Vec<_> = sessions
        .iter()
        .filter_map(|session| match session.mark {
            Mark::New { n_attempts } => Some((n_attempts, session)),
            Mark::Old => None,
        })
        .collect();
    new.sort_by(|a, b| (a.0, newest(a.1)).cmp(&(b.0, newest(b.1))));
    let mut old: Vec<_> = sessions
        .iter()
        .filter(|session| !session.mark.is_new())
        .collect();
    old.sort_by(|a, b| newest(a).cmp(&newest(b)));
    let new = new.into_iter().take(MAX_NEW).map(|(_, session)| session);
    new.chain(old).take(MAX_INDEXED).cloned().collect()
}

/// The newest first.
fn newest(session: &Eligible) -> (Reverse<Option<Stamp>>, Reverse<&AbsPath>) {
    (Reverse(session.updated), Reverse(&session.path))
}

/// The list of sessions as Gemini CLI has it, a line each.
#[must_use]
pub fn index(sessions: &[Eligible]) -> String {
    let lines: Vec<_> = sessions.iter().map(line).collect();
    lines.join("\n")
}

/// A headline is at most this long in the list.
const MAX_HEADLINE_CHARS: usize = 300;

fn line(session: &Eligible) -> String {
    let mark = match session.mark {
        Mark::New { .. } => "[NEW]",
        Mark::Old => "[old]",
    };
    let headline = match (told(&session.headline), told(&session.workflow)) {
        (Some(headline), Some(workflow)) if headline != workflow => {
            format!("{headline} | workflow: {workflow}")
        }
        (Some(only), _) | (None, Some(only)) => only,
        (None, None) => "(no summary)".to_owned(),
    };
    let (n, path) = (session.n_prompts, one_line(session.path.as_str()));
    format!("{mark} {headline} ({n} user msgs) — {path}")
}

/// A text of a record, fit for one line of the list: bounded, visible, and without secrets.
fn told(text: &Option<String>) -> Option<String> {
    let text = text.as_deref()?;
    let start: String = text.chars().take(MAX_HEADLINE_CHARS * 4).collect();
    let masked = redact::mask(&start, &redact::scan(&start));
    let words: Vec<_> = masked.split_whitespace().collect();
    let words = words.join(" ");
    let line: String = one_line(&words).chars().take(MAX_HEADLINE_CHARS).collect();
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests;
