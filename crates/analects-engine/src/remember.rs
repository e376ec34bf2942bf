//! Remembers one fact: cleaned, checked, placed, and agreed to.

use analects_memory::check;
use analects_memory::entry;
use analects_memory::layer::Layer;
use analects_memory::note::{self, Fact, Refused};
use analects_memory::page::Page;
use analects_text::likeness::Gist;
use analects_text::problem::{Code, Problem};
use analects_text::tokens;
use analects_world::changes::{Change, Changes};
use analects_world::files::Files;

use crate::book::{self, Book};
use crate::consent::{self, Consent, Decided, Proposed};
use crate::entries::{self, Noted};
use crate::find_entries;
use crate::load_memory::{self, Prepared, Started};
use crate::place::{self, Place, Target};
use crate::secrets::{self, Guarded};
use crate::settings::keys;
use crate::verbs::{Failure, Flags};
use crate::{World, codes, write};

/// A fact that somebody wants to be remembered.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// What to remember.
    pub fact: &'a str,
    /// Where to.
    pub target: Target<'a>,
    /// Who says so.
    pub by: By,
    /// The words for the journal: the verb or the tool.
    pub who: &'a str,
    /// Fingerprints of findings that are no secrets.
    pub allowed: &'a [String],
    /// What to do about a secret.
    pub on_secret: OnSecret,
}

/// Who wants something to be remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// A person, who knows what belongs where.
    Person,
    /// A model, whose choice is questioned.
    Model,
}

/// What to do about a secret in a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnSecret {
    /// Store nothing.
    Refuse,
    /// Store the rest.
    Redact,
}

/// What became of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// The name of the entry.
    pub id: String,
    /// What was written down.
    pub text: String,
    /// Where.
    pub place: Place,
    /// The change, and whether it was made.
    pub decided: Decided,
    /// What is worth knowing about it.
    pub problems: Vec<Problem>,
}

/// Remembers a fact.
pub fn remember(
    world: &World<'_>,
    flags: &Flags,
    request: &Request<'_>,
) -> Result<Remembered, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    let consent = consent_of(&prepared, request.by)?;
    let allowed = allowed(&prepared, request.allowed);
    let guarded = Guarded { allowed: &allowed };
    let fact = cleaned(request, &guarded)?;
    let started = prepared.start(*world);
    let place = place::place(world, flags, &prepared, fact.as_str(), request.target)?;
    let mut problems = prepared.problems().to_vec();
    problems.extend(remarks(&fact));
    let doubts = doubts(world, &started, request, &place, &fact)?;
    let is_unwanted = doubts.iter().any(|doubt| doubt.code == &codes::FORGOTTEN);
    let title = format!("Remember in {}", place.path);
    let why = format!("a fact to remember; there because {}", place.because);
    let mut known = None;
    let mut plan = |files: &dyn Files| {
        let (change, already) = noted(world, files, &place, &fact, None)?;
        known = already;
        let change = write::hold(world, files, &prepared.root, change)?;
        let doubts = doubts.iter().map(|doubt| doubt.message.clone());
        Ok(Proposed {
            title: title.clone(),
            doubts: doubts.collect(),
            is_unwanted,
            changes: Changes::new(request.who, why.clone(), change),
        })
    };
    let mut ready = || match place.layer {
        Layer::Private => place::claim(world, flags, &prepared).map(drop),
        _ => Ok(()),
    };
    let decided = consent::propose(world, flags, consent, &guarded, &mut plan, &mut ready)?;
    if known.is_some() && !decided.is_waiting {
        let message = "this is remembered already, word for word";
        problems.push(Problem::new(&codes::ALREADY_KNOWN, message).in_file(&place.path));
    } else {
        problems.extend(doubts);
    }
    Ok(Remembered {
        id: known.unwrap_or_else(|| book::derived(&said(&fact), 0)),
        text: fact.as_str().to_owned(),
        place,
        decided,
        problems,
    })
}

/// What an entry with this fact says.
pub(crate) fn said(fact: &Fact) -> String {
    let words: Vec<_> = fact.as_str().split_whitespace().collect();
    words.join(" ")
}

/// Whether this caller's change has to be asked for; an error if it may not change anything.
pub(crate) fn consent_of(prepared: &Prepared, by: By) -> Result<Consent<'_>, Failure> {
    match (prepared.settings.text(&keys::CONSENT), by) {
        ("off", By::Model) => Err(Failure::failed("memory is not written by models here")
            .hint("the setting `memory.consent` is `off`")),
        ("auto", _) => Ok(Consent::Given),
        ("inbox", By::Model) => Ok(Consent::Later(prepared)),
        _ => Ok(Consent::Ask),
    }
}

/// All findings that are no secrets: by this command and by the settings.
#[must_use]
pub fn allowed(prepared: &Prepared, here: &[String]) -> Vec<String> {
    let settled = prepared.settings.list(&keys::ALLOWED_SECRETS).iter();
    settled.chain(here).cloned().collect()
}

pub(crate) fn cleaned(request: &Request<'_>, guarded: &Guarded<'_>) -> Result<Fact, Failure> {
    let fact = clean(request.fact)?;
    let found = guarded.find(fact.as_str());
    match request.on_secret {
        _ if found.is_empty() => Ok(fact),
        OnSecret::Refuse => Err(secrets::refuse(&found)),
        OnSecret::Redact => {
            let mut masked = clean(&guarded.mask(fact.as_str()))?;
            masked.changed.push("a secret was left out".to_owned());
            Ok(masked)
        }
    }
}

/// A text as a fact, or why it is none.
pub fn clean(text: &str) -> Result<Fact, Failure> {
    Fact::clean(text).map_err(|refused| {
        let failure = Failure::bad_input(refused.to_string());
        match refused {
            Refused::Empty => failure.hint("say it in words; dashes and blanks alone say nothing"),
            Refused::TooLong(_) => {
                failure.hint("put it in a Markdown file and import that with `@path`")
            }
        }
    })
}

/// A line in another file that tells where facts are.
pub(crate) struct Reference {
    /// The file that should tell.
    pub(crate) place: Place,
    /// What it should say.
    pub(crate) line: Fact,
    /// What shows that it tells already.
    pub(crate) mark: String,
}

/// The change that notes a fact in its file, and the name of the entry that says it already.
pub(crate) fn noted(
    world: &World<'_>,
    files: &dyn Files,
    place: &Place,
    fact: &Fact,
    reference: Option<&Reference>,
) -> Result<(Vec<Change>, Option<String>), Failure> {
    let old = write::text_of(files, &place.path)?;
    let text = old.as_deref().unwrap_or_default();
    let mut book = Book::read(world, files)?;
    let wanted = said(fact);
    if let Some(id) = known(place, text, &wanted, &book) {
        return Ok((Vec::new(), Some(id)));
    }
    let change = inserted(place, old.as_deref(), fact, &mut book)?;
    book.raise(&wanted);
    let told = reference.map(|reference| referred(files, reference, &mut book));
    let told = told.transpose()?.flatten();
    let own = book.change(world, files)?;
    let changes = [Some(change), told, own];
    Ok((changes.into_iter().flatten().collect(), None))
}

/// The change that adds a line to a file.
pub(crate) fn inserted(
    place: &Place,
    old: Option<&str>,
    line: &Fact,
    book: &mut Book,
) -> Result<Change, Failure> {
    let text = old.unwrap_or_default();
    let insertion = note::insert(text, line.as_str(), place.style).ok_or_else(|| {
        Failure::failed(format!("there is no place for a fact in `{}`", place.path))
            .hint("the file is one block of code or HTML that is never closed; close it")
    })?;
    let new = insertion.apply(text).into_bytes();
    let change = Change::new(&place.path, old.map(str::as_bytes), Some(new));
    book.note_frame(&place.path, &insertion.frame);
    Ok(match place.layer {
        // Nobody else's business, and made by us.
        Layer::Global | Layer::Private if old.is_none() => change.owner_only(),
        _ => change,
    })
}

/// The change that lets a file tell where facts are, unless it does.
fn referred(
    files: &dyn Files,
    reference: &Reference,
    book: &mut Book,
) -> Result<Option<Change>, Failure> {
    let Reference { place, line, mark } = reference;
    let old = write::text_of(files, &place.path)?;
    if old.as_ref().is_some_and(|text| text.contains(mark)) {
        return Ok(None);
    }
    inserted(place, old.as_deref(), line, book).map(Some)
}

/// The name of the entry that says this already.
fn known(place: &Place, text: &str, wanted: &str, book: &Book) -> Option<String> {
    // Names are only looked for if there is one to be found.
    let mut said = entry::entries(text).into_iter();
    said.find(|entry| entry.text == wanted)?;
    let path = place.path.clone();
    let page = Page::new(path, place.layer, &place.path, text.to_owned());
    let mut noted = entries::entries(&[page], book).into_iter();
    noted
        .find(|noted| noted.entry.text == wanted)
        .map(|noted| noted.id)
}

/// What was done to the words, and what they will do.
pub(crate) fn remarks(fact: &Fact) -> Vec<Problem> {
    let problem = |message: &String| Problem::new(&codes::FACT_CHANGED, message.clone());
    fact.changed.iter().map(problem).collect()
}

/// What speaks against writing this fact there.
fn doubts(
    world: &World<'_>,
    started: &Started<'_>,
    request: &Request<'_>,
    place: &Place,
    fact: &Fact,
) -> Result<Vec<Problem>, Failure> {
    let book = Book::read(world, world.files)?;
    let noted = find_entries::named_by(&book, world, started);
    let mut doubts = Vec::new();
    let gist = Gist::of(fact.as_str());
    let wanted = said(fact);
    for near in &noted {
        let is_same = near.entry.text == wanted && near.path != place.path;
        let is_near = near.entry.text != wanted && gist.is_twin_of_text(&near.entry.text);
        if is_same || is_near {
            let message = format!("nearly the same is remembered: \"{}\"", near.entry.text);
            doubts.push(at(&codes::SIMILAR, message, near));
        }
    }
    let is_choice_of_model = request.by == By::Model && place.layer == Layer::Global;
    let named = || place::names_project(world, started.prepared(), fact.as_str());
    if let Some(named) = is_choice_of_model.then(named).flatten() {
        let message = format!(
            "it goes to the memory of all projects, but names this one: {named}; `project` is the scope for that"
        );
        doubts.push(Problem::new(&check::codes::WRONG_SCOPE, message));
    }
    doubts.extend(forgotten(request.by, &book, &wanted));
    doubts.extend(over_budget(started, place.layer, fact.as_str(), &noted));
    Ok(doubts)
}

/// What a model should not learn again.
pub(crate) fn forgotten(by: By, book: &Book, wanted: &str) -> Option<Problem> {
    let is_unwanted = by == By::Model && book.is_forgotten(wanted);
    is_unwanted.then(|| Problem::new(&codes::FORGOTTEN, "this was forgotten on purpose"))
}

pub(crate) fn at(code: &'static Code, message: String, near: &Noted) -> Problem {
    Problem::new(code, message)
        .in_file(&near.path)
        .on_line(near.entry.line)
}

/// How many of the heaviest entries are named.
const N_HEAVIEST: usize = 3;

/// A layer that costs more than its share says so before it grows, and names what is heavy in it.
pub(crate) fn over_budget(
    started: &Started<'_>,
    layer: Layer,
    fact: &str,
    noted: &[Noted],
) -> Option<Problem> {
    let limit = started.prepared().layer_limit_tokens;
    let loaded = started.loaded.iter().filter(|file| file.layer == layer);
    let now: usize = loaded.map(|file| tokens::estimate(&file.text)).sum();
    let then = now + tokens::estimate(fact);
    if then <= limit {
        return None;
    }
    let mut heavy: Vec<_> = noted.iter().filter(|noted| noted.layer == layer).collect();
    heavy.sort_by_key(|noted| std::cmp::Reverse(noted.tokens()));
    let named: Vec<_> = heavy
        .iter()
        .take(N_HEAVIEST)
        .map(|noted| {
            let start: String = noted.entry.text.chars().take(40).collect();
            format!("{} \"{start}\" ({} tokens)", noted.id, noted.tokens())
        })
        .collect();
    let heaviest = if named.is_empty() {
        String::new()
    } else {
        format!("; the heaviest entries: {}", named.join(", "))
    };
    let message = format!(
        "this layer would cost {then} tokens, more than its {limit}; its longest files are cut when they are loaded{heaviest}"
    );
    Some(Problem::new(&codes::OVER_BUDGET, message))
}

#[cfg(test)]
mod tests;
