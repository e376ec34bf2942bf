//! Hooks around a compression.

use analects_agent::hook::{Occasion, told};

use crate::talk::run::Run;

/// Nobody asks for a compression in the middle of a talk.
const TRIGGER: &str = "auto";

impl Run<'_, '_> {
    /// A compression is planned and about to be carried out: what hooks say now is in the short history, word for word.
    pub(in crate::talk) fn before_compress(&mut self) {
        let output = self.fire(&Occasion::PreCompress(TRIGGER));
        if let Some(context) = output.as_ref().and_then(|output| output.context()) {
            self.course.dialogue_mut().pin(told::pin(context));
        }
    }

    /// The history is short now.
    pub(in crate::talk) fn after_compress(&mut self, before_tokens: usize, after_tokens: usize) {
        self.fire(&Occasion::PostCompress {
            trigger: TRIGGER,
            before_tokens,
            after_tokens,
        });
    }
}
