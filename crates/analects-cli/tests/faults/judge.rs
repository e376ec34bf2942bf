//! What must hold after every fault, said once.
//!
//! A story is what a writer does when nothing goes wrong. After a fault, a place must tell its beginning or its end:
//! every file whole, all of them or none, and the next command must work without help, wherever the fault struck.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use analects_world::changes::ContentHash;
use serde_json::Value;

use crate::place::{Node, Place, Ran, Thing, Tree};
use crate::sound::{
    age_locks, ended_well, is_beside_lock, is_litter, is_ours, is_registry, is_state,
    journal_is_true, journaled, lines_are_whole, n_logged, next, no_litter, show, worked,
};
use crate::writers::{Commits, WRITERS, Writer};

/// What a writer does when nothing goes wrong.
pub(crate) struct Story {
    /// Before it began.
    pub(crate) before: Tree,
    /// When it is done.
    after: Tree,
    /// The same two after somebody else has written, and has taken that back.
    settled: [Tree; 2],
    /// After the writer's own change was taken back, too.
    undone: Option<Tree>,
    /// How many changes the log tells of at both ends.
    n_logged: [usize; 2],
    /// Files that no two runs write alike, as they hold times or names made up on the spot.
    restless: BTreeSet<String>,
    /// Files whose own names are made up on the spot.
    fleeting: BTreeSet<String>,
}

/// A place, and the story that is told in it.
pub(crate) struct Stage {
    pub(crate) place: Place,
    pub(crate) story: Story,
}

/// The stage of a writer: its story is learned once, and the faults come one after the other.
pub(crate) fn stage(writer: &Writer) -> MutexGuard<'static, Stage> {
    static STAGES: [OnceLock<Mutex<Stage>>; WRITERS.len()] =
        [const { OnceLock::new() }; WRITERS.len()];
    let at = WRITERS.iter().position(|it| it.name == writer.name);
    let stage = STAGES.get(at.unwrap()).unwrap().get_or_init(|| {
        let place = Place::new();
        let story = Story::learn(&place, writer);
        Mutex::new(Stage { place, story })
    });
    // Whoever stumbled here left nothing that is not put back first.
    stage.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a place looked like in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    Beginning,
    End,
    /// Some of several commits.
    Between,
}

impl Story {
    /// Lets a writer do its work twice, and sees that all of it can be taken back.
    pub(crate) fn learn(place: &Place, writer: &Writer) -> Self {
        writer.furnish(place);
        let before = place.tree();
        let once = Self::happen(place, writer, &before);
        place.restore(&before);
        let twice = Self::happen(place, writer, &before);
        let mut story = once;
        for (one, other) in story.trees().into_iter().zip(twice.trees()) {
            for name in one.keys().chain(other.keys()).cloned() {
                match (one.get(&name), other.get(&name)) {
                    (Some(one), Some(other)) if one.thing == other.thing => false,
                    (Some(_), Some(_)) => story.restless.insert(name),
                    _ => story.restless.insert(name.clone()) | story.fleeting.insert(name),
                };
            }
        }
        assert!(
            story.after.keys().any(|name| {
                let (old, new) = (story.before.get(name), story.after.get(name));
                !is_ours(name) && old.map(|node| &node.thing) != new.map(|node| &node.thing)
            }) || story
                .before
                .keys()
                .any(|name| !story.after.contains_key(name)),
            "{}: it changes nothing, so nothing could be lost",
            writer.name
        );
        place.restore(&story.before);
        story
    }

    fn happen(place: &Place, writer: &Writer, before: &Tree) -> Self {
        let done = writer.run(place);
        assert_eq!(done.code, Some(0), "{}: {}", writer.name, done.err);
        let after = place.tree();
        let n_after = n_logged(place).unwrap();
        next(place).unwrap();
        let settled_after = place.tree();
        let undone = writer.is_taken_back.then(|| {
            let undone = place.run(&["memory", "undo", "--yes"]);
            assert_eq!(undone.code, Some(0), "{}: {}", writer.name, undone.err);
            let now = place.tree();
            let theirs = |(name, node): &(&String, &Node)| {
                !is_state(name) && !is_registry(name) && node.thing != Thing::Directory
            };
            let files = |tree: &Tree| -> Vec<_> {
                let files = tree.iter().filter(theirs);
                files
                    .map(|(name, node)| (name.clone(), show(node)))
                    .collect()
            };
            assert_eq!(
                files(&now),
                files(before),
                "{}: not taken back",
                writer.name
            );
            now
        });
        place.restore(before);
        let n_before = n_logged(place).unwrap();
        next(place).unwrap();
        Self {
            before: before.clone(),
            after,
            settled: [place.tree(), settled_after],
            undone,
            n_logged: [n_before, n_after],
            restless: BTreeSet::new(),
            fleeting: BTreeSet::new(),
        }
    }

    /// Whether anything of it has happened.
    pub(crate) fn is_begun(&self, place: &Place) -> bool {
        let [beginning, _] = &self.settled;
        self.is(&place.tree(), beginning).is_err()
    }

    /// When it is done.
    pub(crate) fn after(&self) -> &Tree {
        &self.after
    }

    fn trees(&self) -> Vec<Tree> {
        let [one, other] = &self.settled;
        let mut trees = vec![self.after.clone(), one.clone(), other.clone()];
        trees.extend(self.undone.clone());
        trees
    }

    /// Looks at a place after a fault, lets the next command come, and looks again.
    pub(crate) fn judge(&self, place: &Place, writer: &Writer, ran: &Ran) -> Result<Told, String> {
        ended_well(ran)?;
        self.each_is_whole(&place.tree())?;
        let mut is_told = ran.code == Some(0);
        if is_told && ran.err.contains("note") && !writer.extras.is_empty() {
            // The command did what it is for, and told that something beside it could not be done.
            let now = place.tree();
            let is_extra = |name: &String| writer.extras.iter().any(|it| name.starts_with(it));
            is_told = self
                .after
                .keys()
                .all(|name| !is_extra(name) || now.contains_key(name));
        }
        if is_told {
            self.is(&place.tree(), &self.after)
                .map_err(|why| format!("it said that all is done, but {why}"))?;
        }
        let n_logged = n_logged(place)?;
        if !(self.n_logged[0]..=self.n_logged[1].max(self.n_logged[0])).contains(&n_logged) {
            return Err(format!("the log tells of {n_logged} changes"));
        }
        age_locks(place);
        next(place)?;
        let mut now = place.tree();
        // Beside a lock only its next holder tidies up.
        now.retain(|name, _| !is_beside_lock(name));
        no_litter(&now)?;
        journal_is_true(place)?;
        let [beginning, end] = &self.settled;
        let told = match (self.is(&now, beginning), self.is(&now, end)) {
            (Ok(()), _) => Told::Beginning,
            (_, Ok(())) => Told::End,
            (Err(_), Err(_)) if writer.commits == Commits::Several => {
                self.each_is_whole(&now)?;
                Told::Between
            }
            (Err(old), Err(new)) => {
                return Err(format!("neither old ({old}) nor new ({new})"));
            }
        };
        // Of several commits, the last may be refused after the others were done.
        let is_refused = ran.code.is_some_and(|code| code != 0) && writer.commits == Commits::One;
        if is_refused && told == Told::End && !ran.err.contains("finish") {
            return Err(format!(
                "it was done, but it said that it was not: {}",
                ran.err
            ));
        }
        if is_told && told != Told::End {
            return Err("it said that all is done, and the next command took it back".to_owned());
        }
        self.go_on(place, writer, told)?;
        Ok(told)
    }

    /// The same where a command may have had another plan, as it could not see everything: no file is half, nothing is
    /// gone that the journal does not tell of, and the next command works.
    pub(crate) fn judge_loosely(&self, place: &Place, ran: &Ran) -> Result<(), String> {
        ended_well(ran)?;
        self.each_is_known(place)?;
        age_locks(place);
        next(place)?;
        let mut now = place.tree();
        now.retain(|name, _| !is_beside_lock(name));
        no_litter(&now)?;
        journal_is_true(place)?;
        self.each_is_known(place)
    }

    /// Every file is as it was, or as the journal says that it became.
    fn each_is_known(&self, place: &Place) -> Result<(), String> {
        let known = journaled(place);
        let became = |name: &str, print: Option<String>| {
            let path = place.path(name).to_string_lossy().into_owned();
            known.contains(&(path, print))
        };
        let now = place.tree();
        for (name, node) in &now {
            let print = match &node.thing {
                Thing::File(bytes) => ContentHash::of(bytes).to_string(),
                Thing::Link(_) | Thing::Directory => continue,
            };
            let was = self.before.get(name);
            let is_known = is_ours(name)
                || is_litter(name)
                || was.is_some_and(|was| was.thing == node.thing && was.mode == node.mode)
                || became(name, Some(print));
            if !is_known {
                self.is_restless_but_sound(name, node)?;
            }
        }
        let gone = |name: &&String| {
            !now.contains_key(*name)
                && self
                    .before
                    .get(*name)
                    .is_some_and(|it| it.thing != Thing::Directory)
                && !became(name, None)
        };
        match self.before.keys().find(gone) {
            Some(name) => Err(format!("{name} is gone, and the journal does not know")),
            None => Ok(()),
        }
    }

    /// What is there can be taken back; what is not can be done now.
    fn go_on(&self, place: &Place, writer: &Writer, told: Told) -> Result<(), String> {
        match (told, &self.undone) {
            (Told::End, Some(undone)) => {
                worked(&place.run(&["memory", "undo", "--yes"]))?;
                self.is(&place.tree(), undone)
                    .map_err(|why| format!("undo left something else: {why}"))?;
            }
            (Told::End, None) => {
                if place.tree().keys().any(|name| is_beside_lock(name)) {
                    worked(&writer.run(place))?;
                }
            }
            (Told::Beginning | Told::Between, _) => worked(&writer.run(place))?,
        }
        no_litter(&place.tree())?;
        journal_is_true(place)
    }

    /// Every file is as it was or as it shall be, and no other is there.
    fn each_is_whole(&self, now: &Tree) -> Result<(), String> {
        let [beginning, end] = &self.settled;
        let wanted = [&self.before, &self.after, beginning, end];
        for (name, node) in now {
            if is_ours(name) || is_litter(name) || node.thing == Thing::Directory {
                continue;
            }
            let same = |tree: &&&Tree| {
                tree.get(name)
                    .is_some_and(|wanted| wanted.thing == node.thing && wanted.mode == node.mode)
            };
            if wanted.iter().any(|tree| same(&tree)) {
                continue;
            }
            self.is_restless_but_sound(name, node)?;
        }
        for name in self.before.keys() {
            let may_go = wanted.iter().any(|tree| !tree.contains_key(name));
            if !now.contains_key(name) && !may_go && !is_ours(name) {
                return Err(format!("{name} is gone"));
            }
        }
        Ok(())
    }

    /// All files are as they are there.
    fn is(&self, now: &Tree, wanted: &Tree) -> Result<(), String> {
        let names: BTreeSet<_> = now.keys().chain(wanted.keys()).collect();
        // What only lies about has a judge of its own, who comes later.
        let counts = |name: &&String| !is_ours(name) && !is_litter(name);
        for name in names.into_iter().filter(counts) {
            match (now.get(name), wanted.get(name)) {
                (Some(now), Some(wanted))
                    if now.thing == wanted.thing && now.mode == wanted.mode => {}
                // A directory that was made for nothing holds nothing.
                (Some(node), None) | (None, Some(node)) if node.thing == Thing::Directory => {}
                (Some(now), Some(wanted)) if now.thing == Thing::Directory => {
                    if wanted.thing != Thing::Directory {
                        return Err(format!("{name} is a directory"));
                    }
                }
                (Some(node), Some(_)) => self.is_restless_but_sound(name, node)?,
                (Some(node), None) if self.fleeting.contains(name) => {
                    self.is_restless_but_sound(name, node)?;
                }
                (None, Some(_)) if self.fleeting.contains(name) => {}
                (Some(node), None) => return Err(format!("{name} is there: {}", show(node))),
                (None, _) => return Err(format!("{name} is not there")),
            }
        }
        Ok(())
    }

    /// A file that never is the same twice still is whole: it goes on from where it was, line by line.
    fn is_restless_but_sound(&self, name: &str, node: &Node) -> Result<(), String> {
        let half = || format!("{name} is half: {}", show(node));
        if !self.restless.contains(name) {
            return Err(half());
        }
        let Thing::File(bytes) = &node.thing else {
            return Err(half());
        };
        if name.ends_with(".json") {
            serde_json::from_slice::<Value>(bytes).map_err(|_| half())?;
        }
        if name.ends_with(".jsonl") {
            if let Some(Thing::File(old)) = self.before.get(name).map(|node| &node.thing)
                && !bytes.starts_with(old)
            {
                return Err(format!("{name} does not begin as it did"));
            }
            lines_are_whole(bytes).map_err(|why| format!("{name}: {why}"))?;
        }
        Ok(())
    }
}
