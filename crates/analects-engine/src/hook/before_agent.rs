//! A prompt is on its way to the model: entries that match it and that the session has not heard.
//!
//! Start-up memory is normally in the conversation. So this speaks where that was cut, where a host did not
//! tell of the start, and where an entry was written meanwhile; and only where prompt and entry have
//! something in common that few other entries have.

use std::collections::BTreeSet;

use analects_memory::entry;
use analects_memory::import::ImportNode;
use analects_memory::load::{Imports, Loaded};
use analects_memory::render::harmless;
use analects_text::{tokens, truncate};
use analects_world::provenance::{split_prompt, user_text};
use analects_world::{AbsPath, Agent};

use super::fit::Limits;
use super::input::Input;
use super::overlap::{Corpus, Terms};
use super::said::{self, Said};
use super::theirs::theirs;
use super::{Scene, handover};
use crate::entries::Noted;
use crate::settings::keys;
use crate::verbs::Failure;
use crate::{find_entries, write};

/// At most this many entries are told with one prompt.
const MAX_ENTRIES: usize = 5;

/// What one entry may cost.
const ENTRY_TOKENS: usize = 200;

/// A prompt is read this far.
const MAX_PROMPT_BYTES: usize = 64 * 1024;

/// Whether a prompt says anything that an entry could match.
pub(super) fn is_worth_a_look(host: Agent, input: &Input) -> bool {
    input.session.is_some() && Terms::of(&prompt(host, input)).say_enough()
}

/// The text for the model, if there is any.
pub(super) fn before_agent(
    scene: &Scene<'_>,
    notes: &mut Vec<String>,
) -> Result<Option<String>, Failure> {
    let handed = handover::take(scene, notes);
    let limits = scene.limits();
    let left = handed
        .as_deref()
        .map_or(limits, |handed| limits.less(handed));
    let matching = match is_worth_a_look(scene.host, scene.input) {
        true => matching(scene, left, notes),
        false => Ok(None),
    };
    let matching = match matching {
        // What was taken is told, whatever happens to the rest.
        Err(failure) if handed.is_some() => {
            notes.push(failure.to_string());
            None
        }
        matching => matching?,
    };
    let said: Vec<_> = handed.into_iter().chain(matching).collect();
    Ok((!said.is_empty()).then(|| said.join("\n\n")))
}

/// Entries that match the prompt.
fn matching(
    scene: &Scene<'_>,
    limits: Limits,
    notes: &mut Vec<String>,
) -> Result<Option<String>, Failure> {
    let settings = &scene.prepared.settings;
    let budget_tokens = settings.count(&keys::HOOK_PROMPT_TOKENS).unwrap_or(0);
    let budget_tokens = budget_tokens.min(limits.room.limit / 4);
    if budget_tokens == 0 {
        return Ok(None);
    }
    let started = scene.prepared.start(scene.world);
    let all = find_entries::of(&scene.world, &started)?;
    let known = Known::of(scene, &started.loaded);
    let corpus = Corpus::of(all.iter().map(|noted| noted.entry.text.as_str()));
    let prompt = Terms::of(&prompt(scene.host, scene.input));
    let ranked = corpus.rank(&prompt);
    let mut decide = |said: &Said| {
        let best = ranked.iter().filter_map(|&at| all.get(at));
        let new =
            best.filter(|noted| !known.holds(noted) && !said.entries.contains(&print_of(noted)));
        let (text, told) = list(scene, new, budget_tokens)?;
        let mut after = said.clone();
        after.entries.extend(told);
        Some((text, after))
    };
    let telling = said::tell(scene, &mut decide);
    telling.told(scene, notes)
}

/// Returns the beginning of what the user wrote in the prompt, without what the agent put into it.
fn prompt(host: Agent, input: &Input) -> String {
    let prompt = input.prompt.as_deref().unwrap_or_default();
    let mut typed = user_text(&split_prompt(host, prompt));
    typed.truncate(typed.floor_char_boundary(MAX_PROMPT_BYTES));
    typed
}

fn print_of(noted: &Noted) -> String {
    said::fingerprint(&noted.entry.text)
}

/// What the host has loaded itself.
struct Known {
    paths: BTreeSet<AbsPath>,
    entries: BTreeSet<String>,
}

impl Known {
    fn of(scene: &Scene<'_>, loaded: &[Loaded]) -> Self {
        let theirs = theirs(&scene.world, scene.prepared, scene.host);
        let mut paths: BTreeSet<_> = theirs.files.iter().map(|file| file.path.clone()).collect();
        let mut entries = BTreeSet::new();
        for path in &paths {
            let text = write::text_of(scene.world.files, path).ok().flatten();
            let said = entry::entries(&text.unwrap_or_default());
            entries.extend(said.iter().map(|entry| said::fingerprint(&entry.text)));
        }
        if theirs.imports == Imports::Expanded {
            let importers = loaded.iter().filter(|file| paths.contains(&file.path));
            let imports: Vec<_> = importers.flat_map(|file| &file.imports).collect();
            add_imports(imports, &mut paths);
        }
        Self { paths, entries }
    }

    fn holds(&self, noted: &Noted) -> bool {
        self.paths.contains(&noted.path) || self.entries.contains(&print_of(noted))
    }
}

// Imports nest at most as deep as the setting allows, which is bounded.
fn add_imports<'a>(nodes: impl IntoIterator<Item = &'a ImportNode>, paths: &mut BTreeSet<AbsPath>) {
    for node in nodes {
        paths.insert(node.path.clone());
        add_imports(&node.imports, paths);
    }
}

/// A short list with its sources, and the fingerprints of what is on it; `None` if nothing is.
fn list<'a>(
    scene: &Scene<'_>,
    entries: impl Iterator<Item = &'a Noted>,
    budget_tokens: usize,
) -> Option<(String, Vec<String>)> {
    let mut text = OPENING.to_owned();
    let mut told = Vec::new();
    for noted in entries.take(MAX_ENTRIES) {
        let words = truncate::head(&noted.entry.text, ENTRY_TOKENS);
        let more = if words.len() < noted.entry.text.len() {
            " […]"
        } else {
            ""
        };
        let label = scene.prepared.load.labels.label(&noted.path);
        let line = format!("- {}{more} ({label})\n", harmless(words));
        if tokens::estimate(&text) + tokens::estimate(&line) + tokens::estimate(CLOSING)
            >= budget_tokens
        {
            break;
        }
        text.push_str(&line);
        told.push(print_of(noted));
    }
    text.push_str(CLOSING);
    (!told.is_empty()).then_some((text, told))
}

const OPENING: &str =
    "--- Memory that matches this prompt (from the past: check before you rely on it) ---\n";
const CLOSING: &str = "--- End of memory that matches this prompt ---";
