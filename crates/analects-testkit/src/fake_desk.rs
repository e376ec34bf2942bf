//! A commit point in memory, over a disk in memory.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use analects_world::changes::{Base, Change, Changes, ContentHash, Form};
use analects_world::desk::{
    CommitError, Desk, Guard, JournalDamage, MAX_DAMAGED_LINES, Plan, Receipt, Repaired, Status,
};
use analects_world::files::{
    Blob, Files, Identity, Kind, Listing, Measure, Pick, Trouble, Want, Within,
};
use analects_world::log::{Logged, LoggedFile};
use analects_world::programs::{Checkout, Remote};
use analects_world::progress::Silent;
use analects_world::{AbsPath, Cancel, Clock, Programs, Surroundings, World, ask};

use crate::{
    Entry, FakeClaims, FakeFiles, FakeIndex, FakePerson, FakeTapes, Fixture, LiveFiles,
    ScriptedModels,
};

/// A disk that can be read and, through its commit point, written. It never fails and never crashes:
/// that is what the real one is tested for.
#[derive(Default)]
pub struct FakeDesk {
    disk: Arc<LiveFiles>,
    /// Where records go.
    pub tapes: FakeTapes,
    /// Who is at which work.
    pub claims: FakeClaims,
    /// Where words are looked up.
    pub index: FakeIndex,
    /// What time it is, in milliseconds since 1970.
    pub now_ms: AtomicU64,
    commits: RwLock<Vec<(Changes, Vec<Guard>)>>,
    /// One second apart, the first one second after 1970.
    log: RwLock<Vec<Logged>>,
    /// What programs answer: the directory, and the text.
    answers: RwLock<Vec<(AbsPath, String)>>,
    /// What repositories hold: the URL, and a directory of this disk.
    repositories: RwLock<Vec<(String, AbsPath)>>,
    /// Which models answer.
    pub models: ScriptedModels,
    /// Who is asked.
    pub person: FakePerson,
    always: ask::Always,
}

impl FakeDesk {
    /// A desk over a tree in the notation of fixtures.
    #[must_use]
    pub fn parse(tree: &str) -> Self {
        Self::new(FakeFiles::new(&Fixture::parse(tree)))
    }

    /// A desk over this disk.
    #[must_use]
    pub fn new(disk: FakeFiles) -> Self {
        let disk = Arc::new(LiveFiles::new(disk));
        Self {
            tapes: FakeTapes::new(Arc::clone(&disk)),
            claims: FakeClaims::new(Arc::clone(&disk)),
            disk,
            ..Self::default()
        }
    }

    /// A world of which this desk is every door.
    #[must_use]
    pub fn world<'a>(&'a self, around: &'a Surroundings) -> World<'a> {
        World {
            files: self,
            search: &*self.disk,
            desk: self,
            tapes: &self.tapes,
            claims: &self.claims,
            index: &self.index,
            progress: &Silent,
            clock: self,
            programs: self,
            models: &self.models,
            person: &self.person,
            always: &self.always,
            around,
        }
    }

    /// What a file holds, as text.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<String> {
        let path = AbsPath::new(path).unwrap();
        content(&*self.disk, &path).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    /// Everything that was committed, with the locks it was committed under.
    #[must_use]
    pub fn commits(&self) -> Vec<(Changes, Vec<Guard>)> {
        self.commits
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// From now on, any program asked in `dir` prints `text`.
    pub fn answer(&self, dir: &str, text: &str) {
        let dir = AbsPath::new(dir).unwrap();
        let mut answers = self.answers.write().unwrap_or_else(PoisonError::into_inner);
        answers.push((dir, text.to_owned()));
    }

    /// From now on, `url` is a repository with the files of this directory.
    pub fn repository(&self, url: &str, dir: &str) {
        let known = &self.repositories;
        let mut known = known.write().unwrap_or_else(PoisonError::into_inner);
        known.push((url.to_owned(), AbsPath::new(dir).unwrap()));
    }

    fn logged(&self, changes: &Changes) -> Logged {
        let file = |change: &Change| {
            let old = held(&*self.disk, change).unwrap_or_default();
            let after = change.text.as_deref().map(ContentHash::of);
            LoggedFile::of(change, old.as_deref(), after)
        };
        Logged {
            id: String::new(),
            at_ms: 0,
            who: changes.who.clone(),
            why: changes.why.clone(),
            undoes: changes.undoes.clone(),
            files: changes.files.iter().map(file).collect(),
            damage: None,
        }
    }

    /// Damages the journal: `alter` changes the log, the oldest commit first.
    pub fn alter_log(&self, alter: impl FnOnce(&mut Vec<Logged>)) {
        alter(&mut self.log.write().unwrap_or_else(PoisonError::into_inner));
    }

    /// Changes a file behind everybody's back, as an editor does.
    pub fn edit(&self, path: &str, text: &str) {
        self.put(path, Entry::File(text.as_bytes().to_vec()));
    }

    /// Puts anything in the place of what was there, behind everybody's back.
    pub fn put(&self, path: &str, entry: Entry) {
        let path = AbsPath::new(path).unwrap();
        self.disk.edit(|disk| disk.put(&path, entry));
    }

    /// Removes a file behind everybody's back.
    pub fn remove(&self, path: &str) {
        let path = AbsPath::new(path).unwrap();
        self.disk.edit(|disk| disk.remove(&path));
    }

    /// Lets others read a file.
    pub fn publish(&self, path: &str) {
        let path = AbsPath::new(path).unwrap();
        self.disk.edit(|disk| disk.publish(&path));
    }

    /// Gives what stands at a path to another user, with these permissions.
    pub fn give(&self, path: &str, owner: u32, mode: u32) {
        let path = AbsPath::new(path).unwrap();
        self.disk.edit(|disk| disk.give(&path, owner, mode));
    }

    /// Works for another user from now on.
    pub fn become_user(&self, user: u32) {
        self.disk.edit(|disk| disk.become_user(user));
    }

    /// Says when a file was written.
    pub fn date(&self, path: &str, written_ms: u64) {
        let path = AbsPath::new(path).unwrap();
        self.disk.edit(|disk| disk.date(&path, written_ms));
    }
}

fn content(files: &dyn Files, path: &AbsPath) -> Option<Vec<u8>> {
    let want = Want {
        path,
        within: Within::Anywhere,
        limit_bytes: usize::MAX,
    };
    files.read_one(want).ok().map(|blob| blob.bytes)
}

/// What stands where a change is made; an error if it is of another form.
fn held(files: &dyn Files, change: &Change) -> Result<Option<Vec<u8>>, CommitError> {
    let refused = || CommitError::Refused {
        path: change.path.clone(),
        message: "something that is no link stands in its place".to_owned(),
    };
    match change.form {
        Form::File => Ok(content(files, &change.path)),
        Form::Link => match files.link(&change.path) {
            Ok(Some(target)) => Ok(Some(target.into_bytes())),
            Err(Trouble::Missing) => Ok(None),
            _ => Err(refused()),
        },
    }
}

/// Refuses a change that leads out of the directory its file must lie in, or over a link.
fn confine(files: &dyn Files, change: &Change) -> Result<(), CommitError> {
    let Some(root) = &change.within else {
        return Ok(());
    };
    let refused = |message: String| CommitError::Refused {
        path: change.path.clone(),
        message,
    };
    if !change.path.is_within(root) {
        let message = "it leads out of the directory that it must lie in";
        return Err(refused(message.to_owned()));
    }
    // A link that is changed itself is no link on the way.
    let way = change.path.ancestors();
    for dir in way.skip(usize::from(change.form == Form::Link)) {
        match files.real(&dir) {
            // A link that leads nowhere is a link, too.
            Err(Trouble::Missing) if !is_link(files, &dir) => {}
            Ok(real) if real == dir => return Ok(()),
            _ => return Err(refused("a link stands on its way".to_owned())),
        }
    }
    Err(refused("nothing is there".to_owned()))
}

fn is_link(files: &dyn Files, path: &AbsPath) -> bool {
    let name = Pick::names(vec![path.file_name().to_owned()]);
    let dir = path.parent().unwrap_or_else(AbsPath::root);
    let listing = files.list_one(&dir, &name).unwrap_or_default();
    listing.found.iter().any(|found| found.kind == Kind::Link)
}

impl Desk for FakeDesk {
    fn commit(&self, guards: &[Guard], plan: &mut Plan<'_>) -> Result<Receipt, CommitError> {
        let mut restless = AbsPath::root();
        for _ in 0..10 {
            let changes = plan(self).ok_or(CommitError::Abandoned)?;
            changes
                .files
                .iter()
                .try_for_each(|change| confine(self, change))?;
            let mut stale = None;
            for change in &changes.files {
                if Base::of(held(self, change)?.as_deref()) != change.base {
                    stale = stale.or(Some(&change.path));
                }
            }
            if let Some(path) = stale {
                restless = path.clone();
                continue;
            }
            let files: Vec<_> = changes
                .files
                .iter()
                .map(|change| change.path.clone())
                .collect();
            let logged = self.logged(&changes);
            self.disk.edit(|disk| {
                for change in &changes.files {
                    let entry = |text: &Vec<u8>| match change.form {
                        Form::File => Entry::File(text.clone()),
                        Form::Link => Entry::Link(String::from_utf8(text.clone()).unwrap()),
                    };
                    match &change.text {
                        Some(text) => disk.put(&change.path, entry(text)),
                        None => disk.remove(&change.path),
                    }
                }
                for dir in &changes.emptied {
                    disk.remove_empty(dir);
                }
            });
            let mut commits = self.commits.write().unwrap_or_else(PoisonError::into_inner);
            let id = (!files.is_empty()).then(|| format!("commit-{}", commits.len() + 1));
            if let Some(id) = &id {
                let leaves_no_trace = changes.leave_no_trace();
                commits.push((changes, guards.to_vec()));
                let mut log = self.log.write().unwrap_or_else(PoisonError::into_inner);
                let (id, at_ms) = (id.clone(), commits.len() as u64 * 1000);
                if !leaves_no_trace {
                    log.push(Logged {
                        id,
                        at_ms,
                        ..logged
                    });
                }
            }
            return Ok(Receipt {
                id,
                files,
                repaired: Vec::new(),
            });
        }
        Err(CommitError::Restless(restless))
    }

    fn repair(&self) -> Result<Vec<Repaired>, CommitError> {
        Ok(Vec::new())
    }

    fn status(&self) -> Status {
        Status::default()
    }

    fn log(&self, visit: &mut dyn FnMut(Logged) -> bool) -> Result<(), CommitError> {
        let log = self
            .log
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        log.into_iter().rev().all(visit);
        Ok(())
    }

    fn check_journal(&self) -> Result<JournalDamage, CommitError> {
        let log = self.log.read().unwrap_or_else(PoisonError::into_inner);
        let numbered = log.iter().enumerate();
        let damaged = numbered.filter(|(_, commit)| commit.damage.is_some());
        let lines: Vec<_> = damaged.map(|(at, _)| at + 1).collect();
        Ok(JournalDamage {
            n_damaged: lines.len(),
            lines: lines.into_iter().take(MAX_DAMAGED_LINES).collect(),
            is_torn: false,
        })
    }
}

impl Clock for FakeDesk {
    fn now_ms(&self) -> u64 {
        self.now_ms.load(Ordering::Relaxed)
    }

    /// Nobody waits in a test: it is later at once.
    fn wait(&self, ms: u64, _: &Cancel) {
        self.now_ms.fetch_add(ms, Ordering::Relaxed);
    }
}

impl Programs for FakeDesk {
    fn ask(&self, program: &str, _: &[&str], dir: &AbsPath) -> Result<String, String> {
        let answers = self.answers.read().unwrap_or_else(PoisonError::into_inner);
        let answer = answers.iter().rev().find(|(asked, _)| asked == dir);
        answer
            .map(|(_, text)| text.clone())
            .ok_or_else(|| format!("{program} failed"))
    }

    fn check_out(
        &self,
        remote: &Remote<'_>,
        hear: &mut dyn FnMut(&str),
        look: &mut dyn FnMut(&Checkout),
    ) -> Result<(), String> {
        let known = &self.repositories;
        let known = known.read().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|(url, _)| url == remote.url);
        hear("Receiving objects: 100% (3/3), done.");
        let (_, dir) = found.ok_or_else(|| format!("fatal: no repository at {}", remote.url))?;
        look(&Checkout {
            dir: dir.clone(),
            commit: format!("{:0<40}", "c0ffee"),
        });
        Ok(())
    }
}

impl Files for FakeDesk {
    fn list(&self, dirs: &[AbsPath], pick: &Pick) -> Vec<Result<Listing, Trouble>> {
        self.disk.list(dirs, pick)
    }

    fn read(&self, wants: &[Want<'_>]) -> Vec<Result<Blob, Trouble>> {
        self.disk.read(wants)
    }

    fn real(&self, path: &AbsPath) -> Result<AbsPath, Trouble> {
        self.disk.real(path)
    }

    fn link(&self, path: &AbsPath) -> Result<Option<String>, Trouble> {
        self.disk.link(path)
    }

    fn identify(&self, path: &AbsPath) -> Result<Identity, Trouble> {
        self.disk.identify(path)
    }

    fn ownership(
        &self,
        paths: &[AbsPath],
    ) -> Vec<Result<analects_world::ownership::Ownership, Trouble>> {
        self.disk.ownership(paths)
    }

    fn measure(&self, paths: &[AbsPath]) -> Vec<Result<Measure, Trouble>> {
        self.disk.measure(paths)
    }

    fn piece(&self, path: &AbsPath, start: u64, limit_bytes: usize) -> Result<Vec<u8>, Trouble> {
        self.disk.piece(path, start, limit_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_lie_inside_does() {
        let desk = FakeDesk::parse(
            "//- /r/a\n//- /r/out -> /o\n//- /r/in -> a\n//- /r/gone -> none\n//- /o/a\n",
        );
        let put = |path: &str| {
            let root = AbsPath::new("/r").unwrap();
            let path = AbsPath::new(path).unwrap();
            let old = content(&desk, &path);
            let change = Change::new(&path, old.as_deref(), Some(b"new".to_vec())).inside(&root);
            let plan = Changes::new("test", "", vec![change]);
            desk.commit(&[], &mut |_| Some(plan.clone()))
        };
        assert!(put("/r/a").is_ok() && put("/r/new/b").is_ok());
        for path in [
            "/r/out/a",
            "/r/out/new",
            "/r/in",
            "/r/gone",
            "/o/a",
            "/elsewhere",
        ] {
            let refused = put(path);
            assert!(
                matches!(refused, Err(CommitError::Refused { .. })),
                "{path}"
            );
        }
        assert_eq!(desk.text("/o/a").as_deref(), Some(""));
    }
}
