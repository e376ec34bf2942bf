//! What is found in one file.

use std::collections::VecDeque;
use std::io::{self, Read};

use analects_world::Cancel;
use analects_world::search::{Case, Seek, told};
use grep_matcher::{LineTerminator, Matcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{
    BinaryDetection, MmapChoice, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch,
};

/// What a pattern may grow to; each thread has such tables.
const MAX_PATTERN_BYTES: usize = 10 << 20;
const MAX_TABLE_BYTES: usize = 4 << 20;
/// A line, with the context before it, has to fit; a file is given up at one that does not.
const MAX_BUFFER_BYTES: usize = 8 << 20;
/// How much of a tree is told at most.
pub(super) const MAX_TOLD_BYTES: usize = 1 << 20;
/// How much is told of what is wrong with a pattern.
const MAX_REASON_CHARS: usize = 200;

/// What is sought, made ready.
pub(super) struct Pattern<'a> {
    wanted: RegexMatcher,
    except: Option<RegexMatcher>,
    seek: &'a Seek<'a>,
}

impl<'a> Pattern<'a> {
    /// Fails with a reason if a pattern makes no sense.
    pub(super) fn new(seek: &'a Seek<'a>) -> Result<Self, String> {
        let mut builder = RegexMatcherBuilder::new();
        builder
            .case_insensitive(seek.case == Case::Insensitive)
            .size_limit(MAX_PATTERN_BYTES)
            .dfa_size_limit(MAX_TABLE_BYTES)
            // `$` is the end of a line in files of all systems.
            .crlf(true);
        let except = seek.except.map(|except| builder.build(except)).transpose();
        let except = except.map_err(|error| reason(&error))?;
        let wanted = builder.fixed_strings(seek.is_literal).build(seek.pattern);
        Ok(Self {
            wanted: wanted.map_err(|error| reason(&error))?,
            except,
            seek,
        })
    }

    /// Someone who searches file after file, and keeps the buffer for it.
    pub(super) fn searcher(&self) -> Searcher {
        let (before, after) = self.context();
        SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .binary_detection(BinaryDetection::quit(0))
            // A mapped file that shrinks ends the whole process.
            .memory_map(MmapChoice::never())
            .heap_limit(Some(MAX_BUFFER_BYTES))
            .before_context(before)
            .after_context(after)
            .build()
    }

    fn context(&self) -> (usize, usize) {
        match self.seek.names_only {
            true => (0, 0),
            false => self.seek.context,
        }
    }

    /// What is found in a file, at most `limit` times, and whether it was read as far as that takes.
    pub(super) fn search(
        &self,
        searcher: &mut Searcher,
        file: impl Read,
        limit: usize,
        cancel: &Cancel,
    ) -> Found {
        let per_file = match self.seek.names_only {
            true => 1,
            false => self.seek.per_file.unwrap_or(usize::MAX),
        };
        let mut sink = Collect {
            pattern: self,
            limit: limit.min(per_file),
            hits: Vec::new(),
            n_bytes: 0,
            is_more: false,
            waiting: VecDeque::new(),
        };
        if sink.limit == 0 {
            return Found::default();
        }
        let done = searcher.search_reader(&self.wanted, Stoppable { file, cancel }, &mut sink);
        Found {
            hits: sink.hits,
            n_bytes: sink.n_bytes,
            is_more: sink.is_more,
            is_unread: done.is_err(),
        }
    }
}

/// What was found in a file.
#[derive(Default)]
pub(super) struct Found {
    /// In the order of the file.
    pub(super) hits: Vec<Hit>,
    /// How long their lines are altogether.
    pub(super) n_bytes: usize,
    /// Whether there is more than can be told.
    pub(super) is_more: bool,
    /// Whether the file could not be read, or not to its end.
    pub(super) is_unread: bool,
}

/// A line that matches, with those around it that no earlier one has told.
pub(super) struct Hit {
    /// Number, words, and whether it is the one that matches.
    pub(super) lines: Vec<(u64, String, bool)>,
    number: u64,
}

struct Collect<'a> {
    pattern: &'a Pattern<'a>,
    limit: usize,
    hits: Vec<Hit>,
    n_bytes: usize,
    is_more: bool,
    /// Lines that stand before the next match, if there is one.
    waiting: VecDeque<(u64, String)>,
}

impl Collect<'_> {
    /// The words of a line, cut, unless it is one that must not be told of.
    fn words(&self, line: &[u8], is_match: bool) -> Option<String> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let is_in = |matcher: &RegexMatcher| matcher.is_match(line).unwrap_or(false);
        if self.pattern.except.as_ref().is_some_and(is_in) {
            return None;
        }
        let max_bytes = self.pattern.seek.max_line_bytes;
        let found_at = match is_match && line.len() > max_bytes {
            true => self.pattern.wanted.find(line).ok().flatten(),
            false => None,
        };
        let found_at = found_at.map_or(0, |found| found.start());
        Some(told(line, found_at, max_bytes))
    }
}

impl Sink for Collect<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let number = found.line_number().unwrap_or(0);
        let Some(words) = self.words(found.bytes(), true) else {
            return Ok(true);
        };
        self.is_more = self.n_bytes > MAX_TOLD_BYTES;
        if self.is_more || self.hits.len() == self.limit {
            return Ok(false);
        }
        let (before, after) = self.pattern.context();
        let first = number.saturating_sub(before as u64);
        let waiting = std::mem::take(&mut self.waiting).into_iter();
        let mut lines: Vec<_> = waiting
            .filter(|(number, _)| *number >= first)
            .map(|(number, words)| (number, words, false))
            .collect();
        lines.push((number, words, true));
        self.n_bytes += lines.iter().map(|(_, words, _)| words.len()).sum::<usize>();
        self.hits.push(Hit { lines, number });
        Ok(self.hits.len() < self.limit || after > 0)
    }

    // Whose context a line is, we count ourselves: the searcher counts lines that do not count, too.
    fn context(&mut self, _: &Searcher, line: &SinkContext<'_>) -> io::Result<bool> {
        let number = line.line_number().unwrap_or(0);
        let Some(words) = self.words(line.bytes(), false) else {
            return Ok(true);
        };
        let (before, after) = self.pattern.context();
        let is_full = self.hits.len() == self.limit;
        let is_near = |hit: &&mut Hit| number.saturating_sub(hit.number) <= after as u64;
        if let Some(hit) = self.hits.last_mut().filter(is_near) {
            self.n_bytes += words.len();
            hit.lines.push((number, words, false));
            return Ok(true);
        }
        self.waiting.push_back((number, words));
        if self.waiting.len() > before {
            self.waiting.pop_front();
        }
        Ok(!is_full)
    }
}

/// A file that ends early when somebody wants to stop.
struct Stoppable<'a, R> {
    file: R,
    cancel: &'a Cancel,
}

impl<R: Read> Read for Stoppable<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self.cancel.is_cancelled() {
            true => Err(io::Error::other("cancelled")),
            false => self.file.read(bytes),
        }
    }
}

/// What is wrong with a pattern: the last line of what the parser says, which is the one in words.
fn reason(error: &grep_regex::Error) -> String {
    let whole = error.to_string();
    let last = whole.lines().last().unwrap_or_default().trim();
    let last = last.strip_prefix("error: ").unwrap_or(last);
    last.chars().take(MAX_REASON_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file without an end, in which somebody loses patience.
    struct Endless<'a>(usize, &'a Cancel);

    impl Read for Endless<'_> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            assert!(self.0 <= 10, "nobody listens");
            if self.0 == 10 {
                self.1.cancel();
            }
            bytes.fill(b'x');
            bytes.iter_mut().step_by(100).for_each(|byte| *byte = b'\n');
            Ok(bytes.len())
        }
    }

    #[test]
    fn a_search_in_a_file_without_an_end_can_be_cancelled() {
        let seek = Seek {
            pattern: "needle",
            is_literal: false,
            except: None,
            case: Case::Sensitive,
            context: (0, 0),
            per_file: None,
            names_only: false,
            max_line_bytes: 200,
        };
        let (pattern, cancel) = (Pattern::new(&seek).unwrap(), Cancel::new());
        let file = Endless(0, &cancel);
        let found = pattern.search(&mut pattern.searcher(), file, 1, &cancel);
        assert!(found.is_unread && found.hits.is_empty());
    }
}
