//! What a draft tells, looked up in the sessions: who asked for it, how it was done, what passed afterwards.

use std::collections::HashMap;

use super::{Draft, Kind, MAX_EVIDENCE, MAX_QUOTES, command};
use crate::learn::notes::{Deed, Ended, What};
use crate::learn::rule;
use crate::learn::step::Class;
use crate::learn::view::Key;

impl Draft<'_> {
    /// What the person asked for when it was done.
    pub(super) fn quotes(&self) -> Vec<String> {
        let mut quotes = Vec::new();
        for place in &self.finding.places {
            let Some(notes) = self.view.notes.get(place.session_idx) else {
                continue;
            };
            let first = place.deeds.first().and_then(|idx| notes.deeds.get(*idx));
            let asked = first.and_then(|deed| notes.prompt_of(deed));
            let quote = asked
                .and_then(rule::said)
                .filter(|quote| quote.chars().count() <= 100 && self.view.may_tell(quote));
            if let Some(quote) = quote.filter(|quote| !quotes.contains(quote))
                && quotes.len() < MAX_QUOTES
            {
                quotes.push(quote);
            }
        }
        quotes
    }

    pub(super) fn sessions(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for place in &self.finding.places {
            let name = self
                .view
                .notes
                .get(place.session_idx)
                .map_or("", |notes| notes.session.as_str());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Sessions and messages in which it was done.
    pub(super) fn evidence(&self) -> Vec<String> {
        let mut all = Vec::new();
        for place in self.finding.places.iter().take(MAX_EVIDENCE) {
            let Some(notes) = self.view.notes.get(place.session_idx) else {
                continue;
            };
            let prompt = place
                .prompt
                .and_then(|idx| notes.prompts.get(idx))
                .map(|prompt| &prompt.message);
            let deed = place
                .deeds
                .first()
                .and_then(|idx| notes.deeds.get(*idx))
                .map(|deed| &deed.message);
            if let Some(message) = prompt.or(deed) {
                all.push(format!("{}#{message}", notes.session));
            }
        }
        all
    }

    /// All deeds that were this step.
    fn deeds_of(&self, key: Key) -> Vec<&Deed> {
        let mut found = Vec::new();
        for place in &self.finding.places {
            let here = place
                .deeds
                .iter()
                .filter(|idx| self.view.key(place.session_idx, **idx) == Some(key));
            found.extend(here.filter_map(|idx| self.view.deed(place.session_idx, *idx)));
        }
        found
    }

    /// A command as it is written down; of a change the file.
    pub(super) fn shown(&self, key: Key) -> String {
        let mut seen = self.deeds_of(key);
        if seen.is_empty() {
            seen = self.anywhere(key);
        }
        self.written(&seen)
    }

    /// The program of a command.
    pub(super) fn program(&self, key: Key) -> String {
        let mut seen = self.deeds_of(key);
        if seen.is_empty() {
            seen = self.anywhere(key);
        }
        let step = seen.into_iter().find_map(Deed::step);
        step.map(|step| step.program().to_owned())
            .unwrap_or_default()
    }

    pub(super) fn shown_at(&self, key: Key, (session_idx, deed_idx): (usize, usize)) -> String {
        let mut seen = self.deeds_of(key);
        if seen.is_empty() {
            seen.extend(self.view.deed(session_idx, deed_idx));
        }
        self.written(&seen)
    }

    fn written(&self, seen: &[&Deed]) -> String {
        if let Some(What::Edited(path)) = seen.first().map(|deed| &deed.what) {
            return path.clone();
        }
        let steps: Vec<_> = seen.iter().filter_map(|deed| deed.step()).collect();
        command::shown(self.view, &steps)
    }

    /// What is no step of this finding, where else it was done.
    fn anywhere(&self, key: Key) -> Vec<&Deed> {
        let mut found = Vec::new();
        for place in &self.finding.places {
            let n = self
                .view
                .notes
                .get(place.session_idx)
                .map_or(0, |notes| notes.deeds.len());
            let here = (0..n).filter(|idx| self.view.key(place.session_idx, *idx) == Some(key));
            found.extend(here.filter_map(|idx| self.view.deed(place.session_idx, idx)));
        }
        found
    }

    /// Where a step is run, if that was the same place each time.
    pub(super) fn dir(&self, at: usize) -> Option<String> {
        let mut dirs = self.finding.places.iter().filter_map(|place| {
            let idx = place.deeds.get(at)?;
            let step = self.view.deed(place.session_idx, *idx)?.step()?;
            Some(step.dir.as_ref())
        });
        let first = dirs.next()??;
        dirs.all(|dir| dir == Some(first)).then(|| first.clone())
    }

    /// What everybody knows, but was done in between nearly every time: after which step, and what.
    pub(super) fn between(&self) -> Vec<(usize, Key)> {
        if self.finding.kind != Kind::Workflow {
            return Vec::new();
        }
        let n_places = self.finding.places.len();
        let mut counts: HashMap<(usize, Key), usize> = HashMap::new();
        for place in &self.finding.places {
            let mut here = Vec::new();
            for (at, pair) in place.deeds.windows(2).enumerate() {
                let [from, to] = pair else { continue };
                for idx in from + 1..*to {
                    let key = self.view.key(place.session_idx, idx);
                    let deed = self.view.deed(place.session_idx, idx);
                    let (Some(key), Some(deed)) = (key, deed) else {
                        continue;
                    };
                    let is_known = self.view.facts(key).is_some_and(|facts| {
                        facts.class == Class::Own
                            && facts.taint().is_none()
                            && facts.n_sessions >= 2
                    });
                    let counts = is_known && deed.ended == Ended::Fine && !deed.is_reckless;
                    if counts && !self.finding.steps.contains(&key) && !here.contains(&(at, key)) {
                        here.push((at, key));
                    }
                }
            }
            for found in here {
                *counts.entry(found).or_default() += 1;
            }
        }
        let mut often: Vec<_> = counts
            .into_iter()
            .filter(|(_, n)| *n >= 2 && n * 5 >= n_places * 4)
            .map(|(found, _)| found)
            .collect();
        often.sort_unstable();
        often.truncate(4);
        often
    }

    /// What passed afterwards and is no step itself, the most frequent first.
    pub(super) fn checks(&self) -> Vec<(String, usize)> {
        let mut counts: HashMap<Key, usize> = HashMap::new();
        for place in &self.finding.places {
            let Some(&last) = place.deeds.last() else {
                continue;
            };
            for idx in last + 1..last + 6 {
                let (Some(deed), Some(key)) = (
                    self.view.deed(place.session_idx, idx),
                    self.view.key(place.session_idx, idx),
                ) else {
                    continue;
                };
                let is_check = deed.step().is_some_and(|step| step.is_check);
                let is_clean = self
                    .view
                    .facts(key)
                    .is_some_and(|facts| facts.taint().is_none());
                if is_check
                    && is_clean
                    && deed.ended == Ended::Fine
                    && !self.finding.steps.contains(&key)
                {
                    *counts.entry(key).or_default() += 1;
                    break;
                }
            }
        }
        let mut often: Vec<_> = counts
            .into_iter()
            .filter(|(_, n)| n * 2 >= self.finding.places.len())
            .collect();
        often.sort_by(|a, b| (b.1, a.0).cmp(&(a.1, b.0)));
        often
            .into_iter()
            .take(2)
            .map(|(key, n)| (self.shown(key), n))
            .collect()
    }
}
