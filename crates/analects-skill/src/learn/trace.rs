//! Who first proposed a command: the person, nobody, or a text that a stranger may have written.
//!
//! Every text of a session is looked through once for the commands that were run in it. A command that stood in a page,
//! an answer of a server, an issue or a file before it was run, and that the person never named, rests on that text.

use std::collections::HashMap;

use aho_corasick::{AhoCorasick, MatchKind};
use analects_session::transcript::{Role, Transcript};
use analects_text::hidden;
use analects_text::truncate::head_bytes;

use super::habits;
use super::hearsay::{self, AROUND, MIN_NEEDLE};
use super::notes::{Notes, stranger};
use super::step::Step;
use crate::origin::{Origin, of_turn};

/// Who said first that something should be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The person named it.
    User,
    /// The model, by itself.
    Own,
    /// A text that a stranger may have written.
    Stranger(Origin),
}

/// When something was first said: the number of the next deed by then.
#[derive(Debug, Clone, Copy, Default)]
struct Heard {
    by_user: Option<usize>,
    by_stranger: Option<(usize, Origin)>,
}

/// How many different texts are looked for in one session.
const MAX_NEEDLES: usize = 2_000;
/// How often something is found in one session before we stop to look: then everything counts as a stranger's.
const MAX_FINDS: usize = 2_000_000;
/// How much of a long text is looked for.
const MAX_NEEDLE: usize = 200;

/// Says of each deed who said first that it should be done.
pub(super) fn trace(notes: &mut Notes, transcript: &Transcript) {
    let mut needles = Needles::default();
    let wanted: Vec<_> = notes
        .deeds
        .iter()
        .map(|deed| deed.step().map(|step| needles.of(step)))
        .collect();
    if needles.texts.is_empty() {
        return;
    }
    let calls: Vec<_> = notes.deeds.iter().map(|deed| deed.call).collect();
    let heard = needles.hear(transcript, &calls);
    for (at, (deed, wanted)) in notes.deeds.iter_mut().zip(wanted).enumerate() {
        let (Some(wanted), Some(heard)) = (wanted, heard.as_ref()) else {
            if heard.is_none() {
                deed.source = Source::Stranger(Origin::Program);
            }
            continue;
        };
        deed.source = wanted.source(heard, at);
    }
}

/// What is looked for on behalf of one command.
struct Wanted {
    /// Each of its commands, as far as it says what is done.
    lines: Vec<usize>,
    names: Vec<usize>,
    /// Whether there is no room to look for all of it.
    is_too_much: bool,
}

impl Wanted {
    fn source(&self, heard: &[Heard], deed_idx: usize) -> Source {
        let of = |needle: usize| heard.get(needle).copied().unwrap_or_default();
        let by_user = |needle: usize| of(needle).by_user.is_some_and(|at| at <= deed_idx);
        let all = |needles: &[usize]| !needles.is_empty() && needles.iter().all(|&it| by_user(it));
        if all(&self.lines) || all(&self.names) {
            return Source::User;
        }
        // What nobody looked for may have stood anywhere.
        if self.is_too_much {
            return Source::Stranger(Origin::Program);
        }
        let before = |needle: usize| {
            let found = of(needle).by_stranger;
            found
                .filter(|(at, _)| *at <= deed_idx)
                .map(|(_, origin)| origin)
        };
        let verbatim = self.lines.iter().filter_map(|&line| before(line)).max();
        let named = self.names.iter().filter(|&&name| !by_user(name));
        let named = named.filter_map(|&name| before(name)).max();
        match verbatim.max(named) {
            Some(origin) => Source::Stranger(origin),
            None => Source::Own,
        }
    }
}

/// Everything that is looked for.
#[derive(Default)]
struct Needles {
    texts: Vec<String>,
    known: HashMap<String, usize>,
    /// Whether a text is a single name, and so has to stand alone.
    is_name: Vec<bool>,
}

impl Needles {
    fn of(&mut self, step: &Step) -> Wanted {
        let mut wanted = Wanted {
            lines: Vec::new(),
            names: Vec::new(),
            is_too_much: false,
        };
        self.want(step, &mut wanted);
        // What stands behind a pipe is asked for by whoever asks for it alone.
        for part in step.parts().skip(1) {
            self.want(&step.alone(part), &mut wanted);
        }
        wanted
    }

    /// Looks for one command as well.
    fn want(&mut self, step: &Step, wanted: &mut Wanted) {
        let names: Vec<_> = hearsay::names(step.program(), step.plain()).collect();
        let line = step.head();
        let mut is_too_much = false;
        let mut add = |text: &str, is_name: bool| {
            let at = self.add(text, is_name);
            is_too_much |= at.is_none();
            at
        };
        let is_long = line.len() >= MIN_NEEDLE;
        let whole = is_long.then(|| add(&line, false)).flatten();
        let names = names.into_iter();
        let names: Vec<_> = names.filter_map(|name| add(name, true)).collect();
        let mut whole = whole.filter(|_| line.contains(' '));
        // A program of this project stands for itself, however short its name is.
        if whole.is_none() && names.is_empty() && !habits::is_everyday(step.program()) {
            whole = add(step.program(), true);
        }
        wanted.lines.extend(whole);
        wanted.names.extend(names);
        wanted.is_too_much |= is_too_much;
    }

    /// Where a text is looked for; nothing if too many are.
    fn add(&mut self, text: &str, is_name: bool) -> Option<usize> {
        let kept = head_bytes(text, MAX_NEEDLE);
        if let Some(&at) = self.known.get(kept) {
            return Some(at);
        }
        if self.texts.len() >= MAX_NEEDLES {
            return None;
        }
        self.texts.push(kept.to_owned());
        // The beginning of a long name does not stand alone.
        self.is_name.push(is_name && kept.len() == text.len());
        self.known.insert(kept.to_owned(), self.texts.len() - 1);
        Some(self.texts.len() - 1)
    }

    /// When each was first said, and by whom; `None` if there is too much to find.
    fn hear(&self, transcript: &Transcript, calls: &[usize]) -> Option<Vec<Heard>> {
        let finder = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(&self.texts)
            .ok()?;
        let mut heard = vec![Heard::default(); self.texts.len()];
        let (mut n_calls, mut n_finds) = (0, 0);
        let mut look = |text: &str, origin: Origin, n_calls: usize, heard: &mut [Heard]| {
            let deed_idx = calls.partition_point(|&call| call < n_calls);
            // Whoever reads it does not see them, and the model reads over them.
            let text = &*hidden::without(text);
            for found in finder.find_overlapping_iter(text) {
                n_finds += 1;
                if n_finds > MAX_FINDS {
                    return false;
                }
                let needle = found.pattern().as_usize();
                let Some(known) = heard.get_mut(needle) else {
                    continue;
                };
                let is_name = self.is_name.get(needle).copied().unwrap_or_default();
                if is_name && !hearsay::stands_alone(text, found.range()) {
                    continue;
                }
                if origin == Origin::User {
                    known.by_user.get_or_insert(deed_idx);
                    continue;
                }
                // A file names many things; only one that is asked for in it, or a whole command, is an instruction.
                let asks =
                    || !is_name || origin.is_foreign() || is_instruction(text, found.start());
                let is_worse = known.by_stranger.is_none_or(|(_, worst)| worst < origin);
                if is_worse && asks() {
                    let at = known.by_stranger.map_or(deed_idx, |(at, _)| at);
                    known.by_stranger = Some((at, origin));
                }
            }
            true
        };
        for turn in &transcript.turns {
            for (origin, text) in of_turn(turn) {
                let counts = origin == Origin::User || origin.is_tainted();
                if counts && !look(text, origin, n_calls, &mut heard) {
                    return None;
                }
            }
            if turn.role != Role::Model {
                continue;
            }
            for tool in &turn.tools {
                n_calls += 1;
                if let Some(origin) = stranger(tool)
                    && !look(&tool.output, origin, n_calls, &mut heard)
                {
                    return None;
                }
            }
        }
        Some(heard)
    }
}

/// Whether the line around a place asks somebody to do something, or shows it as a command.
fn is_instruction(text: &str, at: usize) -> bool {
    let from = text.floor_char_boundary(at.saturating_sub(AROUND));
    let to = text.ceil_char_boundary((at + AROUND).min(text.len()));
    let before = text.get(from..at).unwrap_or_default();
    let after = text.get(at..to).unwrap_or_default();
    let start = before.rfind('\n').map_or(from, |it| from + it + 1);
    let end = after.find('\n').map_or(to, |it| at + it);
    hearsay::asks(text, start..end, at)
}
