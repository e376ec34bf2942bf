//! A history is compressed, and the compression taken back.
//!
//! Nothing is lost in a record: what was compressed stands before the checkpoint. A note of ours says which
//! checkpoint that was, and is not believed without looking.

use std::collections::{HashMap, HashSet};

use super::lines::on_one_line;
use super::{Entry, Lines, Recorder, ours};
use crate::history::{is_for_model, turns};
use crate::ours::{Compression, Ours, fingerprint};
use crate::replay::{MessageRef, Replayed};
use crate::stamp::Stamp;

/// What is noted about a compression.
#[derive(Debug, Clone, Copy)]
pub struct Compressed<'a> {
    /// The message that stands for those that were compressed.
    pub snapshot: &'a str,
    /// What the history weighed before, in tokens.
    pub before: u64,
    /// What it weighs now.
    pub after: u64,
    /// Now.
    pub at: Stamp,
}

/// Why a compression cannot be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CannotUndo {
    /// There is none, or none that we know of.
    #[error("the session was not compressed")]
    Nothing,
    /// A newer program noted it in its own way.
    #[error("a newer version of Analects has compressed the session")]
    Newer,
    /// The record is not as it was then: somebody else has written it anew.
    #[error("the record is not the one that was compressed")]
    Changed,
    /// What was said before the compression has been taken back since.
    #[error("the summary was taken back already")]
    TakenBack,
}

impl Recorder {
    /// From now on these are the messages, and it is noted how that can be undone. `record` is the record
    /// as it stands, [in lines](super::in_lines).
    pub fn compress(
        &mut self,
        record: &Replayed,
        messages: &[Entry<'_>],
        compressed: Compressed<'_>,
    ) -> Lines {
        let mut lines = self.checkpoint(messages, compressed.at);
        let mut noted = record.about().ours.clone().unwrap_or_default();
        let is_there = messages
            .iter()
            .any(|message| message.id() == compressed.snapshot);
        if noted.is_newer() || !is_there {
            return lines;
        }
        noted.add(Compression {
            line: fingerprint(lines.as_str().trim_end()),
            messages: names(record),
            snapshot: compressed.snapshot.to_owned(),
            before: compressed.before,
            after: compressed.after,
            at: compressed.at,
        });
        lines.extend(ours(&noted));
        lines
    }

    /// Undoes the last compression: what it summed up stands again, with all that was said since behind it.
    pub fn undo(&mut self, record: &Replayed, at: Stamp) -> Result<Lines, CannotUndo> {
        let mut noted = record.about().ours.clone().unwrap_or_default();
        let (before, made) = find(record, &noted)?;
        noted.compressions.pop();
        let mut lines = self.checkpoint(&restored(&before, &made, record), at);
        lines.extend(ours(&noted));
        Ok(lines)
    }
}

/// The record as it was before the last compression, if that can still be told.
pub(crate) fn before_compression(record: &Replayed) -> Option<Replayed> {
    let noted = record.about().ours.as_ref()?;
    find(record, noted).ok().map(|(before, _)| before)
}

/// Whether a summary that stands tells of this message, or of what came after it. Such a message may stand once more behind
/// the summary; to take only that back would leave what the summary tells of it, and what undoing brings back.
#[must_use]
pub fn is_summed_up(record: &Replayed, id: &str) -> bool {
    let last = |record: &Replayed| find(record, record.about().ours.as_ref()?).ok();
    let mut compression = last(record);
    while let Some((before, made)) = compression {
        let kept: HashSet<_> = made.messages().map(|message| message.id()).collect();
        let mut since = before.messages().skip_while(|message| message.id() != id);
        let is_gone = |message: MessageRef<'_>| {
            let is_said = is_for_model(message.kind()) && !turns(message.read()).is_empty();
            is_said && !kept.contains(&message.id())
        };
        if since.any(is_gone) {
            return true;
        }
        compression = last(&before);
    }
    false
}

/// The record before the last compression, and the messages that were made of it; if the record is still
/// the one that was compressed.
fn find(record: &Replayed, noted: &Ours) -> Result<(Replayed, Replayed), CannotUndo> {
    if noted.is_newer() {
        return Err(CannotUndo::Newer);
    }
    let last = noted.compressions.last().ok_or(CannotUndo::Nothing)?;
    let has_snapshot = |record: &Replayed| {
        let mut messages = record.messages();
        messages.any(|message| message.id() == last.snapshot)
    };
    let mut checkpoints = record.checkpoints().rev();
    let found = checkpoints.find(|checkpoint| fingerprint(checkpoint.raw()) == last.line);
    let found = found.ok_or(CannotUndo::Changed)?;
    let (before, made) = (found.before(), found.alone());
    if !has_snapshot(&made) || names(&before) != last.messages {
        return Err(CannotUndo::Changed);
    }
    if !has_snapshot(record) {
        return Err(CannotUndo::TakenBack);
    }
    Ok((before, made))
}

/// The fingerprint of the names of all messages.
fn names(record: &Replayed) -> String {
    let names: Vec<_> = record.messages().map(|message| message.id()).collect();
    fingerprint(&names.join("\n"))
}

/// The messages from before a compression, followed by what is new since. What was changed or taken back
/// since then stays so.
fn restored<'a>(before: &'a Replayed, made: &'a Replayed, now: &'a Replayed) -> Vec<Entry<'a>> {
    let by_name = |record: &'a Replayed| -> HashMap<_, _> {
        let messages = record.messages();
        messages.map(|message| (message.id(), message)).collect()
    };
    let (made, standing) = (by_name(made), by_name(now));
    let is_as_made = |message: &MessageRef<'_>| {
        let made = made.get(&message.id());
        made.is_some_and(|made| on_one_line(made.raw()) == on_one_line(message.raw()))
    };
    let mut entries = Vec::new();
    let mut names = HashSet::new();
    for message in before.messages() {
        let id = message.id();
        match standing.get(&id) {
            Some(now) if is_as_made(now) => entries.push(Entry::Kept(message)),
            Some(now) => entries.push(Entry::Kept(*now)),
            None if made.contains_key(&id) => {}
            None => entries.push(Entry::Kept(message)),
        }
        names.insert(id);
    }
    let since = now
        .messages()
        .filter(|message| !names.contains(&message.id()));
    entries.extend(
        since
            .filter(|message| !is_as_made(message))
            .map(Entry::Kept),
    );
    entries
}

#[cfg(test)]
mod tests;
