//! Finds everything in a history that could be kept, and says what it is worth.

mod carried;
mod done;
mod spoken;

use std::collections::{HashMap, HashSet};

use analects_world::model::Content;

use super::super::earlier::{is_snapshot, snapshot_at};
use super::super::snapshot::{Section, Snapshot};
use super::census::{ByHash, Census, START, fold, is_unspaced, words};
use super::cues::{Cue, cue, is_trouble};
use super::deeds::{Deed, deeds};
use super::item::{Class, Item};
use super::sentences::sentences;

/// How much of one output is looked at, from its start and from its end.
const OUTPUT_BYTES: usize = 128 * 1024;

/// A history, read once.
struct Reading<'a> {
    history: &'a [Content],
    deeds: Vec<Deed<'a>>,
    census: Census,
    /// How often lines of the same shape were printed.
    shapes: ByHash<u32>,
    /// How often sentences of the same build were said.
    frames: ByHash<u32>,
    focus: HashSet<u64>,
}

/// Everything that could be kept.
pub(super) fn gather(history: &[Content], focus: Option<&str>) -> Vec<Item> {
    let reading = read(history, focus.unwrap_or_default());
    let mut items = Vec::new();
    spoken::spoken(&reading, &mut items);
    done::done(&reading, &mut items);
    for (turn, earlier) in earlier(history) {
        carried::carried(&reading, turn, &earlier, &mut items);
    }
    for item in &mut items {
        item.value *= reading.emphasis(item);
    }
    once(items)
}

/// The snapshots that stand in a history, each with its turn.
fn earlier(history: &[Content]) -> impl Iterator<Item = (usize, Snapshot)> + '_ {
    (0..history.len()).filter_map(|turn| Some((turn, snapshot_at(history, turn)?)))
}

fn read<'a>(history: &'a [Content], focus: &str) -> Reading<'a> {
    let deeds = deeds(history);
    let mut census = Census::default();
    let mut shapes = ByHash::default();
    let mut waiting = deeds.iter().peekable();
    for (turn, content) in history.iter().enumerate() {
        match snapshot_at(history, turn) {
            // Each item was a turn of its own once.
            Some(earlier) => {
                for item in Section::ALL.iter().flat_map(|it| earlier.items(*it)) {
                    census.read(item);
                    census.turn();
                }
            }
            None => {
                for text in content.texts() {
                    ends(text).for_each(|end| census.read(end));
                    for (line, _) in quoted(text).filter(|(_, quoted)| *quoted == Quoted::Pasted) {
                        *shapes.entry(shape(line)).or_insert(0) += 1;
                    }
                }
            }
        }
        while let Some(deed) = waiting.next_if(|deed| deed.turn == turn) {
            census.read(deed.command.as_deref().unwrap_or_default());
            for (_, path) in &deed.touches {
                census.read(path);
            }
            for line in lines_of(&deed.output) {
                census.read(line);
                *shapes.entry(shape(line)).or_insert(0) += 1;
            }
        }
        census.turn();
    }
    let mut frames = ByHash::default();
    let said = history.iter().flat_map(Content::texts).flat_map(ends);
    for frame in said.flat_map(sentences).filter_map(|it| census.frame(it)) {
        *frames.entry(frame).or_insert(0) += 1;
    }
    let mut wanted = HashSet::new();
    words(focus, |word| {
        wanted.insert(word.hash);
    });
    Reading {
        history,
        deeds,
        census,
        shapes,
        frames,
        focus: wanted,
    }
}

impl Reading<'_> {
    /// Where what a tool did stands, with room behind it for the lines it printed.
    fn at(&self, nth: usize) -> (usize, usize) {
        let turn = self.deeds.get(nth).map_or(0, |deed| deed.turn);
        (turn, nth.saturating_mul(1 << 24))
    }

    /// What a sentence tells, more if its words say what it is for.
    fn worth(&self, sentence: &str) -> (f32, Cue) {
        let cue = cue(sentence);
        let factor = match cue {
            Cue::Decision => 1.5,
            Cue::Constraint | Cue::Plan => 1.3,
            Cue::None => 1.0,
        };
        let frame = self.census.frame(sentence);
        let alike = frame.and_then(|frame| self.frames.get(&frame).copied());
        let news =
            self.census.news(sentence) * falling(alike.map(|alike| alike / FEW), FRAMES_FALL);
        (news * factor, cue)
    }

    /// What a line that was printed is worth among all that look like it.
    fn among_alike(&self, line: &str, by: f32) -> f32 {
        falling(self.shapes.get(&shape(line)).copied(), by)
    }

    /// Whether a text has words that the user wants to be kept in detail.
    fn is_asked_for(&self, text: &str) -> bool {
        let mut is_asked_for = false;
        if !self.focus.is_empty() {
            words(text, |word| {
                is_asked_for |= self.focus.contains(&word.hash);
            });
        }
        is_asked_for
    }

    /// What is newer, or what the user asked for, is worth more.
    fn emphasis(&self, item: &Item) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "only a ratio is wanted")]
        let age = item.at.0 as f32 / self.history.len().max(1) as f32;
        let asked = if self.is_asked_for(&item.text) {
            2.5
        } else {
            1.0
        };
        (0.9 + 0.2 * age) * asked
    }
}

/// How many of one build are nothing special.
const FEW: u32 = 5;
/// How fast a sentence is worth less the more there are of its build.
const FRAMES_FALL: f32 = 0.3;

/// What one of that many is worth.
fn falling(n_alike: Option<u32>, by: f32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "only a ratio is wanted")]
    let n_alike = n_alike.unwrap_or(1).max(1) as f32;
    n_alike.powf(-by)
}

/// Without those that say the same as another one of the class: of these the dearest stays.
fn once(items: Vec<Item>) -> Vec<Item> {
    let mut known: HashMap<(Class, String), usize> = HashMap::new();
    let mut kept: Vec<Item> = Vec::new();
    for item in items {
        match known.get(&(item.class, item.text.clone())) {
            Some(&at) => {
                if let Some(other) = kept.get_mut(at) {
                    other.value = other.value.max(item.value);
                    other.at = other.at.max(item.at);
                }
            }
            None => {
                known.insert((item.class, item.text.clone()), kept.len());
                kept.push(item);
            }
        }
    }
    kept
}

/// The lines of an output that are looked at: all of a short one, both ends of a long one.
fn lines_of(output: &str) -> impl Iterator<Item = &str> {
    let lines = ends(output).flat_map(str::lines);
    lines.map(str::trim).filter(|line| line.len() > 2)
}

/// Both ends of a text; of one that is not long, all of it.
fn ends(text: &str) -> impl Iterator<Item = &str> {
    let head_end = text.floor_char_boundary(OUTPUT_BYTES);
    let tail_start = text.len().saturating_sub(OUTPUT_BYTES).max(head_end);
    let tail_start = text.ceil_char_boundary(tail_start);
    let ends = [text.get(..head_end), text.get(tail_start..)];
    ends.into_iter().flatten()
}

/// The build of a line, without its words: lines of a log, of a test run or of a listing are all alike. What
/// tells of trouble is only like other trouble.
fn shape(line: &str) -> u64 {
    let mut hash = START ^ u64::from(is_trouble(line));
    let mut last = ' ';
    for c in line.chars() {
        let kind = match c {
            '0'..='9' => '0',
            '_' | '-' if last == 'a' => 'a',
            c if is_unspaced(c) => 'c',
            c if c.is_alphabetic() => 'a',
            ' ' if last == 'a' => 'a',
            c => c,
        };
        if kind != last {
            hash = fold(hash, u64::from(kind as u32));
        }
        last = kind;
    }
    hash
}

/// Whether somebody wrote a line, or took it from elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quoted {
    Typed,
    Pasted,
}

/// The lines of a text, of both ends of a long one; what stands between fences was pasted.
fn quoted(text: &str) -> impl Iterator<Item = (&str, Quoted)> {
    let mut now = Quoted::Typed;
    ends(text).flat_map(str::lines).map(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        if is_fence {
            now = match now {
                Quoted::Typed => Quoted::Pasted,
                Quoted::Pasted => Quoted::Typed,
            };
        }
        (line.trim(), if is_fence { Quoted::Pasted } else { now })
    })
}

/// A text on one line, cut where it is too long for one.
fn line(text: &str, limit_bytes: usize) -> String {
    let cut = text
        .get(..text.floor_char_boundary(limit_bytes))
        .unwrap_or_default();
    let mut line = cut.split_whitespace().collect::<Vec<_>>().join(" ");
    if cut.len() < text.len() {
        line.push('…');
    }
    line
}

/// Returns the texts of a turn that the user wrote; none if it is a snapshot. Words beside what a tool answered are the user's,
/// too, if they were recorded as that: they steer the run.
fn asked<'a>(reading: &Reading<'a>, turn: usize) -> impl Iterator<Item = &'a str> {
    let content = reading.history.get(turn);
    let content = content.filter(|_| !is_snapshot(reading.history, turn));
    let texts = content.into_iter().flat_map(Content::user_texts);
    texts.filter(|text| !text.trim().is_empty())
}
