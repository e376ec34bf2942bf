//! A text that is kept only up to a limit, however much is poured in.
//!
//! Needs no more memory than the limit: a tool's output of 50 MB never stands in memory a second time.

/// Collects the beginning and the end of a text.
#[derive(Debug)]
pub(super) struct Clip {
    head: String,
    tail: String,
    head_bytes: usize,
    tail_bytes: usize,
    n_dropped: usize,
}

impl Clip {
    /// A clip of at most `limit_bytes`, the note of what is missing not counted.
    pub(super) fn new(limit_bytes: usize) -> Self {
        let tail_bytes = limit_bytes / 2;
        Self {
            head: String::new(),
            tail: String::new(),
            head_bytes: limit_bytes - tail_bytes,
            tail_bytes,
            n_dropped: 0,
        }
    }

    /// Whether nothing was poured in yet.
    pub(super) fn is_empty(&self) -> bool {
        self.head.is_empty() && self.tail.is_empty() && self.n_dropped == 0
    }

    /// Adds a text.
    pub(super) fn push(&mut self, text: &str) {
        let mut rest = text;
        if self.tail.is_empty() && self.n_dropped == 0 {
            let room = self.head_bytes.saturating_sub(self.head.len());
            let (fits, over) = text.split_at(text.floor_char_boundary(room));
            self.head.push_str(fits);
            rest = over;
            // What a character too wide left free at the end of the head.
            if !over.is_empty() {
                self.tail_bytes += self.head_bytes - self.head.len();
            }
        }
        if rest.is_empty() {
            return;
        }
        // A longer one than the tail holds makes all before it superfluous.
        let keep = rest.ceil_char_boundary(rest.len().saturating_sub(self.tail_bytes));
        if keep > 0 {
            self.n_dropped += self.tail.len();
            self.tail.clear();
        }
        let (passed, kept) = rest.split_at(keep);
        self.n_dropped += passed.len();
        self.tail.push_str(kept);
        // Twice the limit before it is trimmed, so that small pieces do not move the tail each time.
        if self.tail.len() > self.tail_bytes * 2 {
            self.trim_tail();
        }
    }

    /// Begins a new line, if there is one before.
    pub(super) fn new_line(&mut self) {
        if !self.is_empty() {
            self.push("\n");
        }
    }

    /// What was kept, with a line in the middle that says how much was not.
    pub(super) fn finish(self) -> String {
        self.finish_excerpt().text
    }

    /// Like `finish`, but also returns where the middle was left out.
    pub(super) fn finish_excerpt(mut self) -> Excerpt {
        if self.n_dropped > 0 || self.tail.len() > self.tail_bytes {
            self.trim_tail();
        }
        if self.n_dropped > 0 {
            let note = format!("\n[… {} bytes left out …]\n", self.n_dropped);
            self.head.push_str(&note);
        }
        let cut_at = (self.n_dropped > 0).then_some(self.head.len());
        self.head.push_str(&self.tail);
        Excerpt {
            text: self.head,
            cut_at,
        }
    }

    fn trim_tail(&mut self) {
        let excess = self.tail.len().saturating_sub(self.tail_bytes);
        let at = self.tail.ceil_char_boundary(excess);
        self.tail.drain(..at);
        self.n_dropped += at;
    }
}

/// A text of which the middle may be missing.
#[derive(Debug)]
pub(super) struct Excerpt {
    /// What was kept.
    pub(super) text: String,
    /// Where the kept end begins, if something before it is missing.
    pub(super) cut_at: Option<usize>,
}

/// The beginning and the end of `text`.
pub(super) fn clip(text: &str, limit_bytes: usize) -> String {
    let mut clip = Clip::new(limit_bytes);
    clip.push(text);
    clip.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        assert_eq!(clip("abcdef", 6), "abcdef");
        assert_eq!(clip("abcdefghij", 4), "ab\n[… 6 bytes left out …]\nij");
        assert_eq!(clip("äöü", 4), "ä\n[… 2 bytes left out …]\nü");
    }

    proptest! {
        #[test]
        fn pieces_make_the_same_as_the_whole(
            pieces in prop::collection::vec("[a-zäöü]{0,12}", 0..20),
            limit in 4_usize..40,
        ) {
            let mut many = Clip::new(limit);
            pieces.iter().for_each(|piece| many.push(piece));
            let whole = pieces.concat();
            let made = many.finish();
            if whole.len() <= limit {
                prop_assert_eq!(made, whole);
            } else {
                prop_assert!(made.len() <= limit + 64, "{}", made);
                prop_assert!(whole.ends_with(made.rsplit(']').next().unwrap_or_default().trim()));
            }
        }
    }
}
