//! The beginning of what was printed, and no more of it.

/// What is kept of a stream. The rest is heard, so that nobody has to wait, and forgotten.
pub(super) struct Head {
    pub(super) bytes: Vec<u8>,
    /// Whether there was more.
    pub(super) is_cut: bool,
    most_bytes: usize,
}

impl Head {
    pub(super) fn new(most_bytes: usize) -> Self {
        Self {
            bytes: Vec::new(),
            is_cut: false,
            most_bytes,
        }
    }

    pub(super) fn take(&mut self, piece: &[u8]) {
        let room = self.most_bytes.saturating_sub(self.bytes.len());
        let kept = piece.get(..room).unwrap_or(piece);
        self.bytes.extend_from_slice(kept);
        self.is_cut |= kept.len() < piece.len();
    }
}
