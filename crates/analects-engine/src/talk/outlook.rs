//! What a conversation would begin with, for the screen before the first prompt.

use analects_memory::discover::Trust;

use crate::World;
use crate::inbox;
use crate::load_memory;
use crate::models::choose::choose;
use crate::trust::Reason;
use crate::verbs::{Failure, Flags};

/// What a conversation would begin with.
#[derive(Debug)]
pub struct Outlook {
    /// The model that would be asked, or why there is none.
    pub model: Result<Asked, Failure>,
    /// Whether the folder is trusted.
    pub trust: Word,
    /// How many files of memory there are.
    pub n_files: usize,
    /// What they cost.
    pub memory_tokens: usize,
    /// What waits for a yes.
    pub inbox: inbox::Count,
}

/// The model that would be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Its name.
    pub model: String,
    /// Who runs it.
    pub provider: String,
}

/// Whether a folder is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// It may.
    Trusted,
    /// Somebody said that it may not.
    Denied,
    /// Nobody has said anything yet.
    Undecided,
}

/// Looks ahead. Nothing is asked, met or written.
pub fn outlook(world: &World<'_>, flags: &Flags, wanted: Option<&str>) -> Result<Outlook, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    let chosen = choose(world, &prepared.settings, wanted);
    let inbox = inbox::count(world, &prepared);
    let started = prepared.start(*world);
    let layers = started.stack.layers.iter();
    Ok(Outlook {
        model: chosen.map(|chosen| Asked {
            model: chosen.model,
            provider: chosen.provider,
        }),
        trust: match (prepared.decision.trust, &prepared.decision.reason) {
            (Trust::Trusted, _) => Word::Trusted,
            (Trust::Untrusted, Reason::Undecided | Reason::OtherRepository(_)) => Word::Undecided,
            (Trust::Untrusted, _) => Word::Denied,
        },
        n_files: layers.clone().map(|layer| layer.blocks.len()).sum(),
        memory_tokens: layers.map(|layer| layer.tokens()).sum(),
        inbox,
    })
}
