//! What need not be proposed.

use analects_memory::note::Fact;
use analects_text::likeness::Gist;
use analects_world::AbsPath;

use super::Why;
use crate::World;
use crate::book::Book;
use crate::find_entries;
use crate::load_memory::Prepared;
use crate::remember;
use crate::secrets::Guarded;
use crate::verbs::Failure;

/// Everything that speaks against a fact.
pub(super) struct Known<'a> {
    pub(super) guarded: Guarded<'a>,
    pub(super) book: Book,
    /// What memory says, and where.
    pub(super) said: Vec<(AbsPath, String)>,
    /// What waits for a yes.
    pub(super) waiting: Vec<String>,
}

/// Every entry of every layer that is loaded here.
pub(in crate::inbox) fn said(
    world: &World<'_>,
    prepared: &Prepared,
) -> Result<Vec<(AbsPath, String)>, Failure> {
    let noted = find_entries::of(world, &prepared.start(*world))?;
    Ok(noted
        .into_iter()
        .map(|noted| (noted.path, noted.entry.text))
        .collect())
}

impl Known<'_> {
    /// The fact as it is written down, if it is worth a person's time.
    pub(super) fn judge(&self, raw: &str) -> Result<String, Why> {
        let fact = Fact::clean(raw).map_err(|refused| Why::NoFact(refused.to_string()))?;
        let secrets = self.guarded.find(fact.as_str());
        if let Some(secret) = secrets.into_iter().next() {
            return Err(Why::Secret(secret.kind));
        }
        let wanted = remember::said(&fact);
        let gist = Gist::of(&wanted);
        let is_same = |text: &str| text == wanted || gist.is_twin_of_text(text);
        if let Some((path, _)) = self.said.iter().find(|(_, text)| is_same(text)) {
            return Err(Why::Known(path.clone()));
        }
        if self.book.is_forgotten(&wanted) {
            return Err(Why::Forgotten);
        }
        if self.waiting.iter().any(|text| is_same(text)) {
            return Err(Why::Waiting);
        }
        Ok(wanted)
    }
}
