//! Why a text was not found, and the most similar passage in the file.
//!
//! Everything here takes time in proportion to the file: the model may ask for anything.

use std::collections::HashSet;

use analects_text::units;
use memchr::memmem;

use crate::tools::look;

/// How many lines are shown, and no more of each.
const MAX_SHOWN_LINES: usize = 12;
const MAX_SHOWN_UNITS: usize = 200;
/// How much of a line is compared.
const MAX_COMPARED_BYTES: usize = 200;
/// Lines of the wanted text by which a place is looked for, and places that are looked at closely.
const MAX_KEYS: usize = 3;
const MAX_PLACES: usize = 8;
/// Less alike is not worth showing.
const MIN_LIKENESS: f64 = 0.5;

/// What to tell a model that took the text from what it read.
const MARKS: &str = r"Marks of ours are shown in another way than they stand in files: write `---` for `\-\-\-`, `<` for `&lt;` and `[` for `&#91;`.";

/// What to tell a model whose text does not stand in the file.
pub(super) fn explain(text: &str, plain: &str, wanted: &str) -> String {
    let lines: Vec<_> = plain.lines().collect();
    if let Some(start) = spaced_otherwise(&lines, wanted) {
        let n_lines = wanted.trim().lines().count();
        return format!(
            "Only white space differs at {}: indentation, blanks or blank lines. This stands there:\n{}",
            range(start, n_lines),
            numbered(&lines, start, n_lines)
        );
    }
    let read = look::harmless(text);
    if read != text
        && memmem::find(read.replace("\r\n", "\n").as_bytes(), wanted.as_bytes()).is_some()
    {
        return MARKS.to_owned();
    }
    match most_alike(&lines, wanted) {
        Some(start) => {
            let n_lines = wanted.lines().count().min(lines.len() - start);
            format!(
                "The nearest is at {}:\n{}\nGive the text exactly as it stands in the file; read it again if it \
                 may have changed.",
                range(start, n_lines),
                numbered(&lines, start, n_lines)
            )
        }
        None => "Nothing there is like it. Read the file again.".to_owned(),
    }
}

fn range(start: usize, n_lines: usize) -> String {
    match n_lines {
        0 | 1 => format!("line {}", start + 1),
        _ => format!("lines {} to {}", start + 1, start + n_lines),
    }
}

/// Lines of a file with their numbers, as they may be shown.
fn numbered(lines: &[&str], start: usize, n_lines: usize) -> String {
    let all = lines.iter().enumerate().skip(start).take(n_lines);
    let mut shown: Vec<_> = all
        .take(MAX_SHOWN_LINES)
        .map(|(at, line)| {
            let cut = units::head(line, MAX_SHOWN_UNITS);
            let dots = if cut.len() < line.len() { "…" } else { "" };
            format!("{}\t{cut}{dots}", at + 1)
        })
        .collect();
    if n_lines > MAX_SHOWN_LINES {
        shown.push("…".to_owned());
    }
    look::harmless(&shown.join("\n")).into_owned()
}

/// Where lines stand that are the wanted ones but for white space; blank lines around the text do not count.
fn spaced_otherwise(lines: &[&str], wanted: &str) -> Option<usize> {
    let squeezed = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let needle: Vec<_> = wanted.trim().lines().map(squeezed).collect();
    if needle.concat().is_empty() {
        return None;
    }
    let needle = format!("\n{}\n", needle.join("\n"));
    let mut hay = String::from("\n");
    for line in lines {
        hay.push_str(&squeezed(line));
        hay.push('\n');
    }
    let at = memmem::find(hay.as_bytes(), needle.as_bytes())?;
    let before = hay.as_bytes().get(..at).unwrap_or_default();
    Some(memchr::memchr_iter(b'\n', before).count())
}

/// The first of the lines that are most like the wanted ones.
fn most_alike(lines: &[&str], wanted: &str) -> Option<usize> {
    let wanted: Vec<_> = wanted.lines().collect();
    let mut keys: Vec<_> = wanted.iter().enumerate().collect();
    keys.sort_by_key(|(_, line)| std::cmp::Reverse(line.trim().len()));
    let mut places = HashSet::new();
    for (offset, line) in keys.into_iter().take(MAX_KEYS) {
        let key = Grams::of(line);
        let scored = lines.iter().enumerate();
        let mut scored: Vec<_> = scored.map(|(at, line)| (key.likeness(line), at)).collect();
        scored.retain(|(likeness, _)| *likeness >= MIN_LIKENESS / 2.0);
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let best = scored.into_iter().take(MAX_PLACES);
        places.extend(best.filter_map(|(_, at)| at.checked_sub(offset)));
    }
    let close: Vec<_> = wanted.iter().take(50).map(|line| Grams::of(line)).collect();
    let scored = places.into_iter().map(|start| {
        let here = lines.iter().skip(start);
        let sum: f64 = close.iter().zip(here).map(|(a, b)| a.likeness(b)).sum();
        (sum / close.len().max(1) as f64, start)
    });
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
    (best.0 >= MIN_LIKENESS).then_some(best.1)
}

/// Which pairs of neighbouring bytes a line has, without its indentation.
struct Grams {
    has: Vec<bool>,
    n_grams: usize,
}

impl Grams {
    fn of(line: &str) -> Self {
        let mut has = vec![false; 1 << 16];
        let mut n_grams = 0;
        for gram in grams(line) {
            n_grams += 1;
            if let Some(has) = has.get_mut(gram) {
                *has = true;
            }
        }
        Self { has, n_grams }
    }

    /// From 0, nothing in common, to 1.
    fn likeness(&self, line: &str) -> f64 {
        let (mut n_other, mut n_both) = (0, 0);
        for gram in grams(line) {
            n_other += 1;
            n_both += usize::from(self.has.get(gram) == Some(&true));
        }
        match self.n_grams + n_other {
            // Blank lines are alike.
            0 => 1.0,
            n_all => 2.0 * n_both.min(self.n_grams) as f64 / n_all as f64,
        }
    }
}

fn grams(line: &str) -> impl Iterator<Item = usize> {
    let bytes = line.trim().as_bytes();
    let bytes = bytes.get(..MAX_COMPARED_BYTES).unwrap_or(bytes);
    let pairs = bytes.array_windows::<2>();
    pairs.map(|&[first, second]| usize::from(u16::from_be_bytes([first, second])))
}
