//! A session starts, goes on, or was compacted: the memory that the host does not load itself.

use std::collections::BTreeSet;

use analects_memory::entry;
use analects_memory::load::Loaded;
use analects_memory::stack::Block;
use analects_text::problem::Problem;
use analects_text::trim::trim;
use analects_world::AbsPath;

use super::fit::{self, Fitted, Limits};
use super::host::Manners;
use super::said::{self, Said};
use super::talk::Talk;
use super::{Scene, handover};
use crate::entries;

/// The text for the model, if there is any.
pub(super) fn session_start(scene: &Scene<'_>, notes: &mut Vec<String>) -> Option<String> {
    // What was said before a compaction is gone; after a pause it still stands there.
    let goes_on = scene.input.source.as_deref() == Some("resume");
    let handed = handover::take(scene, notes);
    let mut problems = Vec::new();
    let mut decide = |said: &Said| {
        let before = if goes_on {
            said.clone()
        } else {
            Said::default()
        };
        let (text, after) = start(scene, before, handed.as_deref(), &mut problems);
        (text.is_some() || after != *said).then(|| (text.unwrap_or_default(), after))
    };
    let telling = said::tell(scene, &mut decide);
    notes.extend(problems.iter().map(Problem::to_string));
    // To be told twice is a nuisance; not to be told at all is a loss.
    notes.extend(telling.noted.err().map(|failure| failure.to_string()));
    telling.text
}

fn start(
    scene: &Scene<'_>,
    before: Said,
    handed: Option<&str>,
    problems: &mut Vec<Problem>,
) -> (Option<String>, Said) {
    let (mut talk, loaded) = Talk::start(scene, before.rows.clone());
    problems.clone_from(&talk.problems);
    let profile = scene.prepared.settings.profile;
    let tools = Manners::of(scene.host).tools;
    let less = |limits: Limits, text: Option<&str>| match text {
        Some(text) => limits.less(text),
        None => limits,
    };
    let alone = less(scene.limits(), tools);
    let Some(fitted) = fit::fit(&loaded, profile, less(alone, handed)) else {
        let is_crowded = || fit::fit(&loaded, profile, alone).is_some();
        let told = handed.map(|handed| match is_crowded() {
            true => without_memory(tools, handed),
            false => handed.to_owned(),
        });
        return (told, before);
    };
    talk.unsay(&without_room(&loaded, &fitted));
    let mut after = Said {
        rows: talk.rows(),
        ..before
    };
    after.entries.extend(entries_in(scene, &loaded, &fitted));
    let said = [Some(fitted.text.as_str()), tools, handed];
    let said = said.into_iter().flatten();
    let said: Vec<_> = said.filter(|text| !text.is_empty()).collect();
    ((!said.is_empty()).then(|| said.join("\n\n")), after)
}

/// What is said where pins take the room that memory would need.
fn without_memory(tools: Option<&str>, handed: &str) -> String {
    let said = [tools, Some(handed), Some(NO_MEMORY)].into_iter().flatten();
    said.collect::<Vec<_>>().join("\n\n")
}

const NO_MEMORY: &str =
    "[cut off: memory left out, there is no room for it; the tool get_memory shows it]";

fn blocks(fitted: &Fitted) -> impl Iterator<Item = &Block> {
    fitted.stack.layers.iter().flat_map(|layer| &layer.blocks)
}

fn without_room(loaded: &[Loaded], fitted: &Fitted) -> Vec<AbsPath> {
    let has_room: BTreeSet<_> = blocks(fitted).map(|block| &block.path).collect();
    let has_none = |file: &&Loaded| !trim(&file.text).is_empty() && !has_room.contains(&file.path);
    let left_out = loaded.iter().filter(has_none);
    left_out.map(|file| file.path.clone()).collect()
}

/// Fingerprints of the entries that were said, those of whole imports among them.
fn entries_in(scene: &Scene<'_>, loaded: &[Loaded], fitted: &Fitted) -> Vec<String> {
    let files = scene.world.files;
    let (whole, cut): (Vec<_>, Vec<_>) = blocks(fitted).partition(|block| block.cut_tokens == 0);
    let cut = cut
        .into_iter()
        .flat_map(|block| said::entries_in(files, block));
    let mut said: Vec<_> = cut.collect();
    let whole: BTreeSet<_> = whole.into_iter().map(|block| &block.path).collect();
    let whole = loaded.iter().filter(|file| whole.contains(&file.path));
    for page in entries::pages_of(files, whole) {
        let entries = entry::entries(&page.text);
        said.extend(entries.iter().map(|entry| said::fingerprint(&entry.text)));
    }
    said
}
