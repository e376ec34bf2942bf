//! Searches the entries that apply here, without an index: they are few.

use analects_memory::codes;
use analects_memory::discover::Trust;
use analects_memory::layer::Layer;
use analects_memory::page::Page;
use analects_text::problem::Problem;
use analects_text::script::is_unspaced;
use analects_world::AbsPath;

use crate::World;
use crate::book::Book;
use crate::check;
use crate::entries::{self, Noted};
use crate::load_memory::{self, Prepared, Started};
use crate::verbs::{Failure, Flags};
use crate::write;

/// All entries that apply here.
#[cfg(test)]
pub(crate) fn all(world: &World<'_>, flags: &Flags) -> Result<Vec<Noted>, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    of(world, &prepared.start(*world))
}

/// All entries of memory that was loaded.
pub(crate) fn of(world: &World<'_>, started: &Started<'_>) -> Result<Vec<Noted>, Failure> {
    let book = Book::read(world, world.files)?;
    Ok(named_by(&book, world, started))
}

/// The same for whoever has read the book already.
pub(crate) fn named_by(book: &Book, world: &World<'_>, started: &Started<'_>) -> Vec<Noted> {
    entries::entries(&entries::pages(world.files, started), book)
}

/// The one entry that a person means. Where nothing that applies here is it, the files deeper in the project are looked
/// through as well.
pub(crate) fn one(world: &World<'_>, prepared: &Prepared, wanted: &str) -> Result<Noted, Failure> {
    let book = Book::read(world, world.files)?;
    let mut started = prepared.start(*world);
    let all = named_by(&book, world, &started);
    if let Some(noted) = entries::find(world, &all, wanted)? {
        return Ok(noted.clone());
    }
    let mut problems = started.problems.clone();
    if let Some(found) = deepen(world, prepared, &mut started) {
        let all = named_by(&book, world, &started);
        if let Some(noted) = entries::find(world, &all, wanted)? {
            return Ok(noted.clone());
        }
        problems.extend(found);
    }
    let failure = Failure::bad_input(format!("there is no entry `{}` here", wanted.trim()))
        .hint("`analects memory search` finds entries by their words");
    let unread = unread(prepared, &problems);
    Err(unread.into_iter().fold(failure, Failure::hint))
}

/// At most this many files are told that were not looked through.
const MAX_UNREAD: usize = 5;

/// Why an entry may be there all the same: whose words were not looked through.
fn unread(prepared: &Prepared, problems: &[Problem]) -> Vec<String> {
    let mut told = Vec::new();
    if prepared.decision.trust == Trust::Untrusted && !prepared.no_memory {
        told.push(
            "this folder's own memory was not looked through, for it is not trusted; `analects trust add` trusts it"
                .to_owned(),
        );
    }
    let files = problems.iter().filter(|problem| hides_entries(problem));
    let files = files.take(MAX_UNREAD);
    told.extend(files.map(|problem| format!("not looked through: {problem}")));
    told
}

/// Whether the entries of a file have no names because of this: such a file is not written to.
fn hides_entries(problem: &Problem) -> bool {
    let codes = [
        &codes::UNREADABLE,
        &codes::NOT_UTF8,
        &codes::UTF16,
        &codes::NUL_BYTES,
    ];
    codes.contains(&problem.code)
}

/// The entries of one file, by the names that they have among all others.
pub(crate) fn in_file(
    world: &World<'_>,
    flags: &Flags,
    layer: Layer,
    path: &AbsPath,
) -> Result<Vec<Noted>, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    let book = Book::read(world, world.files)?;
    let mut started = prepared.start(*world);
    let here = |all: Vec<Noted>| -> Vec<Noted> {
        let all = all.into_iter();
        all.filter(|noted| noted.path == *path).collect()
    };
    let mut found = here(named_by(&book, world, &started));
    if found.is_empty() && deepen(world, &prepared, &mut started).is_some() {
        found = here(named_by(&book, world, &started));
    }
    if found.is_empty() {
        let text = write::text_of(world.files, path)?.unwrap_or_default();
        let page = Page::new(path.clone(), layer, path, text);
        found = entries::entries(&[page], &book);
    }
    Ok(found)
}

/// Brings in what is remembered deeper in the project, and says which files there cannot be looked through; `None` if
/// there is no project to look at.
fn deepen(
    world: &World<'_>,
    prepared: &Prepared,
    started: &mut Started<'_>,
) -> Option<Vec<Problem>> {
    let survey = check::survey(world, prepared, check::MAX_DIRS)?;
    let mut problems = check::touch_all(world, prepared, started, &survey);
    // Whatever else is wrong with files elsewhere is no matter of an entry.
    problems.retain(hides_entries);
    problems.retain(|problem| !started.problems.contains(problem));
    Some(problems)
}

/// What a search found.
#[derive(Debug)]
pub(crate) struct Found {
    /// The entries, the best first.
    pub(crate) entries: Vec<Noted>,
    /// What went wrong, above all which files could not be looked through.
    pub(crate) problems: Vec<Problem>,
}

/// The entries that say what `query` asks for, the best first. Files deeper in the project are looked through where no
/// other says it.
///
/// An entry with the whole query in it comes before one that has all its words, and that before one with
/// some of them. A word matches where it stands, also inside a longer one; Chinese, which has no blanks,
/// is matched by pairs of characters.
pub(crate) fn search(
    world: &World<'_>,
    prepared: &Prepared,
    query: &str,
) -> Result<Found, Failure> {
    let query = query.trim().to_lowercase();
    if query.is_empty() {
        return Err(Failure::bad_input("what should be searched for?"));
    }
    let terms = terms(&query);
    let scored = |all: Vec<Noted>| -> Vec<_> {
        let all = all.into_iter();
        all.filter_map(|noted| Some((score(&noted, &query, &terms)?, noted)))
            .collect()
    };
    let mut started = prepared.start(*world);
    let mut scored_all = scored(of(world, &started)?);
    let mut problems = started.problems.clone();
    if scored_all.is_empty()
        && let Some(found) = deepen(world, prepared, &mut started)
    {
        scored_all = scored(of(world, &started)?);
        problems.extend(found);
    }
    // Stable: what scores the same stays in reading order.
    scored_all.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let entries = scored_all.into_iter().map(|(_, noted)| noted).collect();
    Ok(Found { entries, problems })
}

fn score(noted: &Noted, query: &str, terms: &[String]) -> Option<usize> {
    let text = noted.entry.text.to_lowercase();
    if noted.id.starts_with(query) || text.contains(query) {
        return Some(usize::MAX);
    }
    let n_found = terms.iter().filter(|term| text.contains(*term)).count();
    // Half of the words at least: a single one of many is chance.
    (n_found > 0 && 2 * n_found >= terms.len()).then_some(n_found)
}

fn terms(query: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for word in query.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-') {
        let chars: Vec<_> = word.chars().collect();
        if chars.len() > 2 && chars.iter().all(|&c| is_unspaced(c)) {
            terms.extend(chars.windows(2).map(|pair| pair.iter().collect()));
        } else if !word.is_empty() {
            terms.push(word.to_owned());
        }
    }
    terms
}

#[cfg(test)]
mod tests {
    use analects_testkit::{Entry, FakeDesk, surroundings};

    use super::*;

    #[test]
    fn notes_beside_a_private_index_are_found_though_no_load_brings_them_in() {
        let desk = FakeDesk::parse(
            "//- /w/app/.git/\n\
             //- /h/.gemini/projects.json\n\
             {\"projects\": {\"/w/app\": \"app\"}}\n\
             //- /h/.gemini/tmp/app/.project_root\n\
             /w/app\n\
             //- /h/.gemini/tmp/app/memory/MEMORY.md\n\
             - Deploying: [deploying.md](deploying.md)\n\
             //- /h/.gemini/tmp/app/memory/deploying.md\n\
             - The turnip service wants the flag kelp\n\
             //- /h/.gemini/tmp/app/memory/.hidden.md\n\
             - The turnip service is hidden\n\
             //- /h/.gemini/tmp/app/memory/notes.txt\n\
             - The turnip service is no Markdown\n",
        );
        let around = surroundings("/w/app", "/h", &[]);
        let world = desk.world(&around);
        let flags = Flags::default();
        let search = |flags: &Flags| {
            let prepared = load_memory::prepare(&world, flags).unwrap();
            search(&world, &prepared, "turnip").unwrap().entries
        };
        let found = search(&flags);
        let texts: Vec<_> = found
            .iter()
            .map(|noted| noted.entry.text.as_str())
            .collect();
        assert_eq!(texts, ["The turnip service wants the flag kelp"]);
        let off = Flags {
            no_memory: true,
            ..flags
        };
        assert!(search(&off).is_empty());
    }

    #[test]
    fn whoever_finds_nothing_hears_that_an_untrusted_folder_was_not_searched() {
        let desk = FakeDesk::parse("//- /w/app/.git/\n//- /w/app/GEMINI.md\n- Port 8081\n");
        let around = surroundings("/w/app", "/h", &[]);
        let world = desk.world(&around);
        let prepared = load_memory::prepare(&world, &Flags::default()).unwrap();
        let failure = one(&world, &prepared, "port").unwrap_err();
        assert!(
            failure
                .hints
                .iter()
                .any(|hint| hint.contains("not trusted")),
            "{failure:?}"
        );
    }

    #[test]
    fn files_whose_entries_cannot_be_named_are_told_at_the_start_and_deeper() {
        for bad in ["GEMINI.md", "src/GEMINI.md"] {
            let desk = FakeDesk::parse("//- /w/app/.git/\n//- /w/app/src/main.rs\n");
            let path = format!("/w/app/{bad}");
            let bytes = b"- Port 8081 \xff\n".to_vec();
            desk.put(&path, Entry::File(bytes));
            let around = surroundings("/w/app", "/h", &[]);
            let world = desk.world(&around);
            let flags = Flags {
                trust: true,
                ..Flags::default()
            };
            let prepared = load_memory::prepare(&world, &flags).unwrap();
            let found = search(&world, &prepared, "port").unwrap();
            assert!(found.entries.is_empty());
            let codes: Vec<_> = found.problems.iter().map(|it| it.code.name).collect();
            assert_eq!(codes, ["not-utf8"], "{bad}");
            let failure = one(&world, &prepared, "port").unwrap_err();
            let hints = failure.hints.join("\n");
            assert!(hints.contains(&path), "{hints}");
        }
    }
}
