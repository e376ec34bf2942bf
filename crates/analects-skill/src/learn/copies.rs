//! What stands in several records and was said and done once.
//!
//! Agents copy messages when a session goes on in another file, is forked, or is loaded from a file. A message that was
//! copied is no second piece of evidence: it stays in the record that tells most, and the others begin behind it.

use std::cmp::Reverse;
use std::collections::HashSet;

use analects_session::transcript::Turn;

use super::notes::Notes;
use super::view::hash;

/// Which message something was said or done in, whatever record it stands in.
pub(super) type Print = u64;

/// Ids of this length are made to be unique everywhere; a shorter one may be a place in its record.
const MIN_UNIQUE: usize = 20;

/// The print of what was said or done in a message: `what` is the text or the command. Nothing if the record does not
/// tell the message from those of other records.
pub(super) fn print(turn: &Turn, what: &str) -> Option<Print> {
    let is_unique = turn.id.len() >= MIN_UNIQUE;
    let at = turn.at.filter(|_| !is_unique);
    (is_unique || at.is_some()).then(|| hash(&(&turn.id, at, what)))
}

/// The notes without what others of them hold already; nothing if there are no copies.
pub(super) fn without(notes: &[Notes]) -> Option<Vec<Notes>> {
    let mut longest: Vec<_> = (0..notes.len()).zip(notes).collect();
    longest.sort_by_key(|(_, notes)| Reverse(notes.deeds.len() + notes.prompts.len()));
    let mut known: HashSet<Print> = HashSet::new();
    let mut copies = Vec::new();
    for (at, notes) in longest {
        let is_known = |print: Option<Print>| print.is_some_and(|print| known.contains(&print));
        let last_deed = notes.deeds.iter().rposition(|deed| is_known(deed.print));
        let last_prompt = notes.prompts.iter().rposition(|said| is_known(said.print));
        if last_deed.is_some() || last_prompt.is_some() {
            let behind = |last: Option<usize>| last.map_or(0, |last| last + 1);
            copies.push((at, behind(last_deed), behind(last_prompt)));
        }
        known.extend(notes.deeds.iter().filter_map(|deed| deed.print));
        known.extend(notes.prompts.iter().filter_map(|said| said.print));
    }
    if copies.is_empty() {
        return None;
    }
    let mut distinct = notes.to_vec();
    for (at, n_deeds, n_prompts) in copies {
        if let Some(notes) = distinct.get_mut(at) {
            notes.forget(n_deeds, n_prompts);
        }
    }
    Some(distinct)
}
