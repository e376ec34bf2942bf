//! Hooks around a compression.

use analects_agent::hook::{Occasion, told};

use crate::talk::run::Run;

/// Nobody asks for a compression in the middle of a turn.
const AUTO: &str = "auto";
/// A person did.
const MANUAL: &str = "manual";

impl Run<'_, '_> {
    /// A compression is planned and about to be carried out: what hooks say now is in the short history, word for word.
    pub(in crate::talk) fn before_compress(&mut self) {
        if let Some(pin) = self.pre_compress(AUTO) {
            self.course.dialogue_mut().pin(pin);
        }
    }

    /// The same, where a person asks for it.
    pub(in crate::talk) fn before_manual_compress(&mut self) -> Option<String> {
        self.pre_compress(MANUAL)
    }

    fn pre_compress(&mut self, trigger: &str) -> Option<String> {
        let output = self.fire(&Occasion::PreCompress(trigger))?;
        output.context().map(told::pin)
    }

    /// The history is short now.
    pub(in crate::talk) fn after_compress(&mut self, before_tokens: usize, after_tokens: usize) {
        self.compressed_by(AUTO, before_tokens, after_tokens);
    }

    /// The same, where a person asked for it.
    pub(in crate::talk) fn after_manual_compress(&mut self, before: usize, after: usize) {
        self.compressed_by(MANUAL, before, after);
    }

    fn compressed_by(&mut self, trigger: &'static str, before_tokens: usize, after_tokens: usize) {
        self.fire(&Occasion::PostCompress {
            trigger,
            before_tokens,
            after_tokens,
        });
    }
}
