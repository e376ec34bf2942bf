//! Proposing all that waits, as one change.
//!
//! What somebody changed meanwhile is kept: both changes are made, or none if they meet.

use analects_agent::tools::{For, Workspace};
use analects_memory::tidy::Rewrite;
use analects_text::patch;
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes};
use analects_world::files::Files;

use super::{Sheet, Staged, content, noted};
use crate::World;
use crate::consent::{self, Consent, Decided, Proposed};
use crate::load_memory::Prepared;
use crate::secrets::Guarded;
use crate::settings::called;
use crate::verbs::{Failure, Flags};
use crate::write;

/// For whom something is proposed, and how.
#[derive(Clone, Copy)]
pub struct Pitch<'a> {
    /// Who wrote it: for the journal.
    pub who: &'a str,
    /// What for, in a few words: for the journal.
    pub why: &'a str,
    /// What a person is asked.
    pub title: &'a str,
    /// For which project.
    pub prepared: &'a Prepared,
    /// Where it may be written, looked at once more under the locks of the commit point.
    pub workspace: &'a Workspace,
    /// Whether it has to be asked for.
    pub consent: Consent<'a>,
    /// What must not be stored.
    pub guarded: &'a Guarded<'a>,
}

/// Longer texts are not merged: that may take the square of their lines.
const MAX_MERGED_BYTES: usize = 256 * 1024;

impl Staged<'_> {
    /// Proposes all that waits, and commits it once the person agrees. Nothing is asked if nothing changes.
    ///
    /// It is all or nothing: where a file cannot be written any more, the failure names it.
    pub fn propose(
        &self,
        world: &World<'_>,
        flags: &Flags,
        pitch: &Pitch<'_>,
    ) -> Result<Decided, Failure> {
        // The disk itself, even if somebody took what waits for it.
        let world = &World {
            files: self.files,
            ..*world
        };
        let sheets = self.sheets().clone();
        let called = Called::new(world, pitch.prepared);
        let mut plan = |files: &dyn Files| {
            let mut changes = Vec::new();
            let mut texts = Vec::new();
            for (path, sheet) in &sheets {
                let root = still_granted(files, path, pitch.workspace)?;
                let now =
                    content(files, path).map_err(|trouble| lost(path, &trouble.to_string()))?;
                let new = settled(path, sheet, now.as_deref())?;
                if now.as_ref() == Some(&new) {
                    continue;
                }
                texts.push(noted::Edited::new(called.name(path), now.as_deref(), &new));
                let change = Change::new(path, now.as_deref(), Some(new)).inside(&root);
                changes.push(write::closed_if_new(world, change));
            }
            let doubts = match changes.is_empty() {
                true => Vec::new(),
                false => {
                    let (doubts, notes) = noted::note(world, files, &texts)?;
                    changes.extend(notes);
                    doubts
                }
            };
            Ok(Proposed {
                title: pitch.title.to_owned(),
                is_unwanted: !doubts.is_empty(),
                doubts,
                changes: Changes::new(pitch.who, pitch.why, changes),
            })
        };
        let guarded = pitch.guarded;
        let mut ready = || Ok(());
        consent::propose(world, flags, pitch.consent, guarded, &mut plan, &mut ready)
    }
}

impl Staged<'_> {
    /// All that waits as texts to choose from, by the names under which memory is loaded. What is no text is left out.
    #[must_use]
    pub fn rewrites(&self, world: &World<'_>, prepared: &Prepared) -> Vec<Rewrite> {
        let called = Called::new(world, prepared);
        let sheets = self.sheets();
        let texts = sheets.iter().filter_map(|(path, sheet)| {
            let old = sheet.base.as_deref().unwrap_or_default();
            Some(Rewrite {
                path: called.name(path),
                old: std::str::from_utf8(old).ok()?.to_owned(),
                new: std::str::from_utf8(&sheet.text).ok()?.to_owned(),
            })
        });
        texts.collect()
    }
}

/// The names under which memory is loaded: our notes on entries have them, and not where links lead.
struct Called(Vec<(AbsPath, AbsPath)>);

impl Called {
    fn new(world: &World<'_>, prepared: &Prepared) -> Self {
        let own = world.around.global_dir();
        let names = called::own(&prepared.settings);
        let files = names.iter().map(|name| own.join(name));
        let all = files.chain([own.clone(), prepared.root.clone()]);
        Self(
            all.map(|name| (world.files.real_or_same(&name), name))
                .collect(),
        )
    }

    fn name(&self, path: &AbsPath) -> AbsPath {
        let mut all = self.0.iter();
        let named = all.find_map(|(real, name)| Some(name.join(path.relative_to(real)?)));
        named.unwrap_or_else(|| path.clone())
    }
}

/// The directory by which a file may be written, if it still lies where it did.
fn still_granted(
    files: &dyn Files,
    path: &AbsPath,
    workspace: &Workspace,
) -> Result<AbsPath, Failure> {
    let place = workspace.locate(files, path.as_str(), For::Writing);
    let place = place.map_err(|refusal| lost(path, refusal.message.trim_end_matches('.')))?;
    match place.path == *path {
        true => Ok(place.root),
        false => Err(lost(path, "it leads elsewhere by now")),
    }
}

/// What a file is to hold, whatever happened to it meanwhile.
fn settled(path: &AbsPath, sheet: &Sheet, now: Option<&[u8]>) -> Result<Vec<u8>, Failure> {
    let base = sheet.base.as_deref();
    if now == base || now == Some(&sheet.text) {
        return Ok(sheet.text.clone());
    }
    match (base, now) {
        (Some(_), None) => Err(lost(path, "it was removed meanwhile")),
        (None, Some(_)) => Err(lost(path, "somebody made it meanwhile")),
        (Some(base), Some(now)) => merged(base, &sheet.text, now)
            .ok_or_else(|| lost(path, "somebody changed the same lines meanwhile")),
        (None, None) => Ok(sheet.text.clone()),
    }
}

/// Both changes of a text; `None` where they meet, or where it is no text.
fn merged(base: &[u8], mine: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let texts = [base, mine, theirs];
    if texts.iter().any(|text| text.len() > MAX_MERGED_BYTES) {
        return None;
    }
    let [base, mine, theirs] = texts.map(|text| std::str::from_utf8(text).ok());
    let merged = patch::merge(base?, mine?, theirs?);
    merged.ok().map(String::into_bytes)
}

fn lost(path: &AbsPath, why: &str) -> Failure {
    let why = analects_text::sanitize::one_line(why);
    Failure::failed(format!("nothing was written: `{path}`: {why}"))
        .hint("nothing has been changed; ask for it again")
}
