//! What a model thinks before it speaks: kept out of sight, for those who want to see it afterwards.

/// How much of it is kept: the end, which is where an answer comes from.
const MAX_KEPT: usize = 64 * 1024;

/// What comes after it is not worth a line.
const PATIENCE_MS: u64 = 1000;

/// The thoughts of the last answer.
#[derive(Debug, Default)]
pub(super) struct Thoughts {
    text: String,
    was_cut: bool,
    since_ms: Option<u64>,
}

impl Thoughts {
    pub(super) fn is_going_on(&self) -> bool {
        self.since_ms.is_some()
    }

    /// Adds a piece. The first one after something was said begins anew.
    pub(super) fn push(&mut self, piece: &str, now_ms: u64) {
        if self.since_ms.is_none() {
            self.text.clear();
            self.was_cut = false;
            self.since_ms = Some(now_ms);
        }
        self.text.push_str(piece);
        // Only once it is twice too long, so that each byte is moved once at most.
        if self.text.len() > 2 * MAX_KEPT {
            let n_gone = self.text.ceil_char_boundary(self.text.len() - MAX_KEPT);
            self.text.drain(..n_gone);
            self.was_cut = true;
        }
    }

    /// The thoughts are over. Answers what is said of them.
    pub(super) fn fold(&mut self, now_ms: u64) -> Option<String> {
        let ms = now_ms.saturating_sub(self.since_ms.take()?);
        (ms >= PATIENCE_MS).then(|| format!("thought for {} s", ms / 1000))
    }

    /// They led nowhere.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text, with a word on what is missing.
    pub(super) fn shown(&self) -> String {
        let cut = if self.was_cut { "…\n" } else { "" };
        format!("{cut}{}", self.text)
    }
}
