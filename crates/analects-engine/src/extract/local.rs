//! The learner that needs no model: reads all sessions one after the other, keeps notes, and puts what it is sure of
//! into the inbox. What rests on a stranger's text goes where no inbox of Gemini CLI looks.

use analects_session::stamp::Stamp;
use analects_skill::learn::{Lesson, Notes, Options, learn as look};
use analects_skill::{folder, quarantine, skill};
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes};
use analects_world::files::{Files, Pick};

use super::{Job, Made};
use crate::book::Book;
use crate::verbs::Failure;
use crate::{codes, sessions, skills, write};

/// Learns from all sessions at once, and puts what it is sure of into the inbox.
pub(crate) fn learn(job: &Job<'_>) -> Result<Made, Failure> {
    let mut made = Made::default();
    let Some(notes) = read(job, &mut made) else {
        // Stopped: what was read is read again another time.
        return Ok(Made::default());
    };
    let known = Known::read(job)?;
    let options = Options {
        now_ms: job.world.clock.now_ms(),
        taken: &known.names,
        known: &known.texts,
    };
    let mut lessons = look(&notes, options);
    lessons.retain(|lesson| !known.book.is_buried_as(&waiting_id(lesson)));
    if lessons.is_empty() {
        return Ok(made);
    }
    let mut plan = |files: &dyn Files| {
        let mut changes = Vec::new();
        for lesson in &lessons {
            changes.extend(changes_of(files, &job.memory, lesson)?);
        }
        Ok(Changes::new(
            "learner",
            "what sessions taught waits for a yes",
            changes,
        ))
    };
    write::write(&job.world, job.flags, &[], &mut plan)?;
    for lesson in lessons {
        match lesson.taint {
            None => made.skills.push(lesson.name),
            Some(_) => made.quarantined.push(lesson.name),
        }
    }
    Ok(made)
}

/// Notes of all sessions; nothing if somebody wants it to stop.
fn read(job: &Job<'_>, made: &mut Made) -> Option<Vec<Notes>> {
    let world = &job.world;
    let root = job.prepared.root.as_str();
    let mut all = Vec::with_capacity(job.sessions.len());
    for (n_done, session) in job.sessions.iter().enumerate() {
        if !job.goes_on() {
            return None;
        }
        world
            .progress
            .tell("sessions learned from", n_done, job.sessions.len());
        let stored = sessions::at(world, session.agent, &session.path);
        let opened = stored.map(|stored| sessions::open(world, &stored));
        match opened {
            Some(Ok(opened)) => {
                let updated_ms = session.updated.map_or(0, Stamp::as_ms);
                let mut notes = Notes::take(&opened.transcript, Some(root), updated_ms);
                notes.rename(&session.id);
                all.push(notes);
                if session.mark.is_new() {
                    made.processed.push((session.id.clone(), session.updated));
                }
            }
            Some(Err(trouble)) => {
                let problem =
                    Problem::new(&codes::NOT_LEARNED, format!("it cannot be read: {trouble}"));
                made.problems.push(problem.in_file(&session.path));
            }
            // Gone since it was found: nothing to learn from, nothing to tell.
            None => {}
        }
    }
    world.progress.tell(
        "sessions learned from",
        job.sessions.len(),
        job.sessions.len(),
    );
    Some(all)
}

/// What need not be proposed.
struct Known {
    names: Vec<String>,
    texts: Vec<String>,
    book: Book,
}

impl Known {
    fn read(job: &Job<'_>) -> Result<Self, Failure> {
        let world = &job.world;
        let found = skills::find(world, job.prepared);
        let catalog = &found.catalog;
        let mut names: Vec<_> = catalog
            .skills
            .iter()
            .map(|skill| skill.name.clone())
            .collect();
        let mut dirs: Vec<_> = catalog
            .skills
            .iter()
            .chain(&catalog.overruled)
            .filter_map(|skill| skill.dir().cloned())
            .collect();
        let shelves = [job.memory.join("skills"), quarantine::shelf(&job.memory)];
        let listings = world.files.list(&shelves, &Pick::subdirs());
        for (shelf, listing) in shelves.iter().zip(listings) {
            for name in listing.map(|listing| listing.subdirs).unwrap_or_default() {
                dirs.push(shelf.join(&name));
                names.push(name);
            }
        }
        let texts = dirs.iter().filter_map(|dir| {
            let path = dir.join(skill::FILE);
            let text = write::text_of(world.files, &path).ok().flatten()?;
            (text.len() <= folder::MAX_FILE_BYTES).then_some(text)
        });
        Ok(Self {
            texts: texts.collect(),
            names,
            book: Book::read(world, world.files)?,
        })
    }
}

/// What a lesson is called where it waits.
fn waiting_id(lesson: &Lesson) -> String {
    format!("skills/{}", lesson.name)
}

/// The files of a lesson, where it is to wait.
fn changes_of(
    files: &dyn Files,
    memory: &AbsPath,
    lesson: &Lesson,
) -> Result<Vec<Change>, Failure> {
    let shelf = match lesson.taint {
        None => memory.join("skills"),
        Some(_) => quarantine::shelf(memory),
    };
    // A link on the way would lead elsewhere, to skills that are in use.
    let real = files.real_or_same(memory);
    let below = shelf.relative_to(memory).unwrap_or_default();
    let dir = real.join(below).join(&lesson.name);
    let mut changes = Vec::new();
    for (name, text) in &lesson.files {
        let path = dir.join(name);
        let old = write::bytes_of(files, &path)?;
        // A draft of somebody else is theirs.
        if old.is_none() {
            let change = Change::new(&path, None, Some(text.clone().into_bytes()));
            changes.push(change.inside(&real).owner_only());
        }
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use analects_skill::learn::Kind;
    use analects_testkit::{FakeFiles, Fixture};

    use super::*;

    #[test]
    fn a_draft_never_follows_a_link_to_skills_that_are_in_use() {
        let files = FakeFiles::new(&Fixture::default().file("/m/MEMORY.md", ""));
        let memory = AbsPath::new("/m").unwrap();
        let lesson = Lesson {
            name: "deploy".to_owned(),
            kind: Kind::Workflow,
            files: vec![(skill::FILE.to_owned(), "x".to_owned())],
            steps: Vec::new(),
            sessions: Vec::new(),
            score: 80,
            taint: None,
        };
        let changes = changes_of(&files, &memory, &lesson).unwrap();
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0].path.as_str(), "/m/skills/deploy/SKILL.md");
        assert_eq!(changes[0].within.as_ref(), Some(&memory));
    }
}
