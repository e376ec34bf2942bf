//! Lines of texts in memory, found as on a disk.

use analects_text::decode::{Cut, decode};
use analects_world::AbsPath;
use analects_world::search::{Case, Grepped, GreppedLine, Seek, told};
use regex_automata::meta::{Config, Regex};
use regex_automata::util::syntax;

/// What a pattern may grow to.
const MAX_PATTERN_BYTES: usize = 4 << 20;

/// What is sought, made ready.
pub(super) struct Sought<'a> {
    wanted: Regex,
    except: Option<Regex>,
    seek: &'a Seek<'a>,
}

impl<'a> Sought<'a> {
    /// Fails with a reason if a pattern makes no sense.
    pub(super) fn new(seek: &'a Seek<'a>) -> Result<Self, String> {
        let pattern: String = match seek.is_literal {
            true => seek.pattern.chars().map(plain).collect(),
            false => seek.pattern.to_owned(),
        };
        let except = seek.except.map(|except| regex(except, seek.case));
        Ok(Self {
            wanted: regex(&pattern, seek.case)?,
            except: except.transpose()?,
            seek,
        })
    }

    /// What is found in a text, with the lines around it.
    pub(super) fn lines(&self, path: &AbsPath, bytes: &[u8]) -> Vec<GreppedLine> {
        let is_wide = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
        if !is_wide && bytes.contains(&0) {
            return Vec::new();
        }
        let text = decode(bytes, Cut::Whole).text;
        let lines: Vec<_> = text.lines().collect();
        let is_left = |line: &str| self.except.as_ref().is_some_and(|it| it.is_match(line));
        let ((before, after), max) = match self.seek.names_only {
            true => ((0, 0), 1),
            false => (self.seek.context, self.seek.per_file.unwrap_or(usize::MAX)),
        };
        let hits = lines.iter().enumerate();
        let hits = hits.filter(|(_, line)| self.wanted.is_match(*line) && !is_left(line));
        let mut found = Vec::new();
        let mut next = 0;
        for (hit, _) in hits.take(max) {
            let from = hit.saturating_sub(before).max(next);
            let until = (hit + after + 1).min(lines.len());
            // What the match before told already is a match by now, too.
            let told = found.iter_mut().rev().take(after);
            for line in told.filter(|line: &&mut GreppedLine| line.number == hit as u64 + 1) {
                line.is_match = true;
            }
            for (line, at) in lines
                .get(from..until)
                .unwrap_or_default()
                .iter()
                .zip(from..)
            {
                if !is_left(line) {
                    found.push(self.line(path, at, line, at == hit));
                }
            }
            next = until.max(next);
        }
        found
    }

    fn line(&self, path: &AbsPath, at: usize, line: &str, is_match: bool) -> GreppedLine {
        let found_at = self.wanted.find(line).map_or(0, |found| found.start());
        GreppedLine {
            path: path.clone(),
            number: at as u64 + 1,
            text: told(line.as_bytes(), found_at, self.seek.max_line_bytes),
            is_match,
        }
    }
}

/// What was found on the disk and in memory, in the order of the paths, up to a limit.
pub(super) fn merged(
    below: Grepped,
    mine: Vec<Vec<GreppedLine>>,
    seek: &Seek<'_>,
    limit: usize,
) -> Grepped {
    let mut lines = below.lines;
    lines.extend(mine.into_iter().flatten());
    lines.sort_by(|a, b| (&a.path, a.number).cmp(&(&b.path, b.number)));
    let mut n_matches = 0;
    let mut is_cut = below.is_cut;
    let end = lines.iter().position(|line| {
        n_matches += usize::from(line.is_match);
        n_matches > limit
    });
    if let Some(end) = end {
        lines.truncate(end);
        // What stands before a match that is not told goes with it.
        let last = lines.iter().rfind(|line| line.is_match);
        let last = last.map(|line| (line.path.clone(), line.number + seek.context.1 as u64));
        while let Some(line) = lines.pop_if(|line| {
            let belongs = |(path, end): &(AbsPath, u64)| line.path == *path && line.number <= *end;
            !last.as_ref().is_some_and(belongs)
        }) {
            drop(line);
        }
        is_cut = true;
    }
    Grepped {
        n_matches: lines.iter().filter(|line| line.is_match).count(),
        lines,
        n_unread: below.n_unread,
        is_cut,
    }
}

fn plain(c: char) -> String {
    format!(r"\x{{{:X}}}", u32::from(c))
}

fn regex(pattern: &str, case: Case) -> Result<Regex, String> {
    let syntax = syntax::Config::new().case_insensitive(case == Case::Insensitive);
    let config = Config::new()
        .nfa_size_limit(Some(MAX_PATTERN_BYTES))
        .hybrid_cache_capacity(MAX_PATTERN_BYTES);
    let built = Regex::builder()
        .configure(config)
        .syntax(syntax)
        .build(pattern);
    built.map_err(|_| "it takes too much memory, or makes no sense".to_owned())
}
