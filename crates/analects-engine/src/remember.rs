//! Remembers one fact: cleaned, checked, placed, and agreed to.

mod slip;

use analects_memory::check;
use analects_memory::layer::Layer;
use analects_memory::note::{self, Fact, Refused};
use analects_text::likeness::Gist;
use analects_text::problem::{Code, Problem};
use analects_text::tokens;
use analects_world::changes::{Change, Changes};
use analects_world::files::Files;

use crate::book::Book;
use crate::consent::{self, Consent, Decided, Proposed};
use crate::entries::Noted;
use crate::find_entries;
use crate::load_memory::{self, Prepared, Started};
use crate::place::{self, Place, Target};
use crate::secrets::{self, Guarded, Secret};
use crate::settings::keys;
use crate::verbs::{Failure, Flags};
use crate::{World, codes, write};
pub(crate) use slip::{Slip, before, read_back};

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
    let slip = Slip::new(world, place, fact);
    let mut plan = |files: &dyn Files| {
        let change = slip.plan(world, files, None)?;
        let change = write::hold(world, files, &prepared.root, change)?;
        let doubts = doubts.iter().map(|doubt| doubt.message.clone());
        Ok(Proposed {
            title: slip.title(),
            doubts: doubts.collect(),
            is_unwanted,
            changes: Changes::new(request.who, slip.why(), change),
        })
    };
    let mut ready = || slip.make_ready(world, flags, &prepared);
    let decided = consent::propose(world, flags, consent, &guarded, &mut plan, &mut ready)?;
    let noted = slip.noted(world, flags, &decided);
    if noted.is_known && !decided.is_waiting {
        let message = "this is remembered already, word for word";
        problems.push(Problem::new(&codes::ALREADY_KNOWN, message).in_file(&noted.place.path));
    } else {
        problems.extend(doubts);
    }
    Ok(Remembered {
        id: noted.id,
        text: noted.text,
        place: noted.place,
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
    let found = secrets_of(guarded, request.fact, &fact);
    match request.on_secret {
        _ if found.is_empty() => Ok(fact),
        OnSecret::Refuse => Err(secrets::refuse_or_redact(&found)),
        OnSecret::Redact => {
            let masked = clean(&guarded.mask(request.fact))?;
            let mut masked = clean(&guarded.mask(masked.as_str()))?;
            masked.changed.push("a secret was left out".to_owned());
            Ok(masked)
        }
    }
}

/// The secrets in a text as it was given, and as it would be written down: what is folded or dropped on the way may be
/// what gives one away.
pub(crate) fn secrets_of(guarded: &Guarded<'_>, given: &str, fact: &Fact) -> Vec<Secret> {
    let mut found = guarded.find(given);
    for secret in guarded.find(fact.as_str()) {
        if !found.contains(&secret) {
            found.push(secret);
        }
    }
    found
}

/// A text as a fact, or why it is none.
pub fn clean(text: &str) -> Result<Fact, Failure> {
    cleaned_by(Fact::clean, text)
}

/// The same by another way to make a fact of it.
pub(crate) fn cleaned_by(
    way: fn(&str) -> Result<Fact, Refused>,
    text: &str,
) -> Result<Fact, Failure> {
    way(text).map_err(|refused| {
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
pub(crate) fn referred(
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
