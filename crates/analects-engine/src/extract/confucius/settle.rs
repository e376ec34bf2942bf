//! Settles what the agent wrote: each draft is judged on its own, and the good ones are committed together.

use std::collections::BTreeMap;

use analects_agent::subagent::confucius;
use analects_skill::footing::{Footing, Ground};
use analects_skill::inbox::{look, waiting};
use analects_skill::{quarantine, skill};
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes};
use analects_world::files::Files;

use super::evidence::with_evidence;
use super::reach::Reach;
use super::reads::{Reads, Told};
use crate::book::Book;
use crate::extract::{Job, Made};
use crate::remember;
use crate::secrets::Guarded;
use crate::talk::staged::Staged;
use crate::verbs::Failure;
use crate::{codes, write};

/// Judges what waits on the stage, commits what is good, and notes in `made` what came of each.
pub(super) fn settle(
    job: &Job<'_>,
    reach: &Reach,
    staged: &Staged<'_>,
    reads: &Reads<'_>,
    made: &mut Made,
) -> Result<(), Failure> {
    let drafts = drafts(reach, staged);
    if drafts.is_empty() {
        return Ok(());
    }
    let told: Vec<_> = reads.touched().collect();
    let judge = Judge::new(job, reach, staged, told)?;
    let mut kept = Vec::new();
    for mut draft in drafts {
        match judge.judge(&mut draft) {
            Ok(place) => kept.push((draft, place)),
            Err(why) => {
                let message = format!("`{}` was left out: {why}", draft.id);
                made.problems
                    .push(Problem::new(&codes::DRAFT_DROPPED, message));
            }
        }
    }
    commit(job, reach, &kept, made)
}

/// Something that the agent wrote, as one thing that a person decides about.
struct Draft {
    /// As the inbox calls it: `skills/deploy`, `skills/docs.patch`, `private/extraction.patch`.
    id: String,
    files: Vec<DraftFile>,
}

struct DraftFile {
    path: AbsPath,
    base: Option<Vec<u8>>,
    text: String,
}

/// Where a draft goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Where things wait.
    Inbox,
    /// Where only somebody finds it who looks for it.
    Quarantine,
}

impl Draft {
    /// The name of the skill; none of a patch.
    fn skill(&self) -> Option<&str> {
        let name = self.id.strip_prefix("skills/")?;
        (!name.ends_with(".patch")).then_some(name)
    }

    fn manifest(&mut self) -> Option<&mut DraftFile> {
        let mut files = self.files.iter_mut();
        files.find(|file| file.path.file_name() == skill::FILE)
    }
}

/// Why something is left out that a person said no to.
const DISMISSED: &str = "it was dismissed before";

/// What was written, thing by thing. What is no text cannot be staged by the agent's tools.
fn drafts(reach: &Reach, staged: &Staged<'_>) -> Vec<Draft> {
    let mut all: BTreeMap<String, Vec<DraftFile>> = BTreeMap::new();
    for (path, base, text) in staged.texts() {
        let id = match (
            path.relative_to(&reach.skills),
            path.relative_to(&reach.inbox),
        ) {
            (Some(below), _) => below.split('/').next().map(|name| format!("skills/{name}")),
            (None, Some(below)) => Some(below.to_owned()),
            (None, None) => None,
        };
        let (Some(id), false) = (id, base.as_ref() == Some(&text)) else {
            continue;
        };
        let text = String::from_utf8_lossy(&text).into_owned();
        all.entry(id)
            .or_default()
            .push(DraftFile { path, base, text });
    }
    let all = all.into_iter();
    all.map(|(id, files)| Draft { id, files }).collect()
}

/// What drafts are judged by.
struct Judge<'a> {
    reach: &'a Reach,
    staged: &'a Staged<'a>,
    allowed: Vec<String>,
    book: Book,
    /// The sessions that the agent looked into.
    told: Vec<&'a Told>,
    /// What was said and run in them, in the same order.
    ground: Ground,
}

impl<'a> Judge<'a> {
    fn new(
        job: &Job<'_>,
        reach: &'a Reach,
        staged: &'a Staged<'a>,
        told: Vec<&'a Told>,
    ) -> Result<Self, Failure> {
        let read = told.into_iter().filter_map(|told| {
            let transcript = told.transcript(job)?;
            Some((told, transcript))
        });
        let (told, sessions): (Vec<_>, Vec<_>) = read.unzip();
        Ok(Self {
            reach,
            staged,
            allowed: remember::allowed(job.prepared, &[]),
            book: Book::read(&job.world, job.world.files)?,
            told,
            ground: Ground::new(&sessions),
        })
    }

    /// Where a draft goes, its evidence in it; else why it is left out.
    fn judge(&self, draft: &mut Draft) -> Result<Place, String> {
        self.look(&draft.id)?;
        if draft.skill().is_some() && self.book.is_buried_as(&draft.id) {
            return Err(DISMISSED.to_owned());
        }
        let guarded = Guarded {
            allowed: &self.allowed,
        };
        for file in &draft.files {
            if let Some(secret) = guarded.find(&file.text).first() {
                return Err(format!("it looks as if it held a secret ({})", secret.kind));
            }
            if self.book.is_buried(&file.text) {
                return Err(DISMISSED.to_owned());
            }
        }
        match draft.skill() {
            Some(_) => self.skill(draft),
            None => self.patch(draft),
        }
    }

    /// The judgement of the inbox itself, on the disk as it would be.
    fn look(&self, id: &str) -> Result<(), String> {
        let files = self.staged.files();
        let all = waiting(files, &self.reach.shelf.memory);
        let one = all.into_iter().find(|waiting| waiting.id == id);
        let Some(one) = one else {
            return Err(format!("it has no `{}`", skill::FILE));
        };
        let item = look(files, &self.reach.shelf, &[one]).pop();
        let problem = item.and_then(|item| item.problems.into_iter().next());
        problem.map_or(Ok(()), |problem| Err(problem.message))
    }

    fn skill(&self, draft: &mut Draft) -> Result<Place, String> {
        let scripts: Vec<_> = draft
            .files
            .iter()
            .filter(|file| file.path.file_name() != skill::FILE)
            .map(|file| file.text.clone())
            .collect();
        for text in draft.files.iter().map(|file| &file.text) {
            if let Some(harm) = harm(text) {
                return Err(format!("it would run `{harm}`"));
            }
        }
        if self.told.is_empty() {
            return Err("no session was read for it".to_owned());
        }
        let scripts: Vec<_> = scripts.iter().map(String::as_str).collect();
        // A script that is written alone belongs to a skill that waits already, and is judged with it.
        let Some(manifest) = draft.manifest() else {
            return Err(format!("its `{}` was not written anew", skill::FILE));
        };
        let footing = self.ground.footing(&manifest.text, &scripts);
        manifest.text = with_evidence(&manifest.text, &footing, &self.told);
        match self.book.is_buried(&manifest.text) {
            true => Err(DISMISSED.to_owned()),
            false => Ok(place(&footing)),
        }
    }

    fn patch(&self, draft: &Draft) -> Result<Place, String> {
        let added = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.starts_with("+++"));
            let lines = lines.filter_map(|line| line.strip_prefix('+'));
            lines.map(|line| line.trim().to_owned()).collect()
        };
        let (mut new, mut old) = (Vec::new(), Vec::new());
        for file in &draft.files {
            new.extend(added(&file.text));
            let base = file.base.as_deref().unwrap_or_default();
            old.extend(added(&String::from_utf8_lossy(base)));
        }
        if !old.iter().all(|line| new.contains(line)) {
            return Err("it would drop what waits in it already".to_owned());
        }
        new.retain(|line| !old.contains(line));
        let footing = self.ground.footing(&new.join("\n"), &[]);
        match footing.is_tainted_only() || footing.has_tainted_command() {
            true => Ok(Place::Quarantine),
            false => Ok(Place::Inbox),
        }
    }
}

/// A skill waits in the inbox if something of it was said or run, and no command of it comes from strangers alone.
fn place(footing: &Footing) -> Place {
    match footing.n_sound() > 0 && !footing.has_tainted_command() {
        true => Place::Inbox,
        false => Place::Quarantine,
    }
}

/// A command that no skill may have, if there is one in a text.
fn harm(text: &str) -> Option<&'static str> {
    let words: Vec<_> = text.split_whitespace().collect();
    let text = words.join(" ");
    HARM.into_iter().find(|harm| text.contains(harm))
}

/// What cannot be taken back, whoever runs it.
const HARM: [&str; 12] = [
    "rm -rf /",
    "rm -rf ~",
    "rm -rf $HOME",
    "rm -fr /",
    "mkfs.",
    "dd if=/dev/zero",
    "dd if=/dev/random",
    "> /dev/sd",
    "| sudo sh",
    "| sudo bash",
    ":(){ :|:& };:",
    "chmod -R 777 /",
];

/// Writes what was kept, all of it or nothing. What somebody changed meanwhile stays as it is.
fn commit(
    job: &Job<'_>,
    reach: &Reach,
    kept: &[(Draft, Place)],
    made: &mut Made,
) -> Result<(), Failure> {
    if kept.is_empty() || !job.goes_on() {
        return Ok(());
    }
    let mut overtaken: Vec<&str> = Vec::new();
    let mut plan = |files: &dyn Files| {
        overtaken.clear();
        let mut changes = Vec::new();
        for (draft, place) in kept {
            match place {
                Place::Quarantine => changes.extend(aside(reach, files, draft)?),
                Place::Inbox => match changed(reach, files, draft)? {
                    Some(its) => changes.extend(its),
                    None => overtaken.push(&draft.id),
                },
            }
        }
        let why = "drafts from past sessions";
        Ok(Changes::new(confucius::NAME, why, changes))
    };
    write::write(&job.world, job.flags, &[], &mut plan)?;
    for (draft, place) in kept {
        let id = &draft.id;
        if overtaken.contains(&id.as_str()) {
            let message = format!("`{id}` was left out: somebody changed it meanwhile");
            made.problems
                .push(Problem::new(&codes::DRAFT_DROPPED, message));
            continue;
        }
        match (place, draft.skill()) {
            (Place::Quarantine, name) => made.quarantined.push(name.unwrap_or(id).to_owned()),
            (Place::Inbox, Some(name)) => made.skills.push(name.to_owned()),
            (Place::Inbox, None) => made.patches.push(id.clone()),
        }
    }
    Ok(())
}

/// The changes that put a draft where it waits; nothing if a file is no longer what the agent saw.
fn changed(
    reach: &Reach,
    files: &dyn Files,
    draft: &Draft,
) -> Result<Option<Vec<Change>>, Failure> {
    let mut changes = Vec::new();
    for file in &draft.files {
        let now = write::bytes_of(files, &file.path)?;
        if now != file.base {
            return Ok(None);
        }
        let text = file.text.clone().into_bytes();
        let change = Change::new(&file.path, now.as_deref(), Some(text));
        changes.push(change.inside(&reach.shelf.memory).owner_only());
    }
    Ok(Some(changes))
}

/// The changes that put a draft into quarantine, outside all that Gemini CLI's inbox reads.
fn aside(reach: &Reach, files: &dyn Files, draft: &Draft) -> Result<Vec<Change>, Failure> {
    let memory = &reach.shelf.memory;
    let skills = quarantine::shelf(memory);
    let patches = |below: &str| {
        let (layer, name) = below.split_once('/').unwrap_or_default();
        let mut dirs = quarantine::patches(memory).into_iter();
        Some(dirs.find(|dir| dir.file_name() == layer)?.join(name))
    };
    let mut changes = Vec::new();
    for file in &draft.files {
        let of_skill = file.path.relative_to(&reach.skills);
        let of_memory = file.path.relative_to(&reach.inbox);
        let path = match (of_skill, of_memory) {
            (Some(below), _) => Some(skills.join(below)),
            (None, below) => below.and_then(patches),
        };
        let Some(path) = path else {
            continue;
        };
        let now = write::bytes_of(files, &path)?;
        let text = file.text.clone().into_bytes();
        let change = Change::new(&path, now.as_deref(), Some(text));
        changes.push(change.inside(memory).owner_only());
    }
    Ok(changes)
}
