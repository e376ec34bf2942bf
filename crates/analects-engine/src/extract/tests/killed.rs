//! Runs that die at every single step, and the one that comes after.
//!
//! Whoever is killed does nothing any more: from one of its writes on, every door refuses, and what is undone at the
//! end of a run that lives is not.

use std::sync::atomic::AtomicUsize;

use analects_world::claim::{ClaimError, Claims, Pulse, Who};
use analects_world::desk::{CommitError, Guard, JournalDamage, Plan, Receipt, Repaired, Status};
use analects_world::log::Logged;
use analects_world::{Desk, ask};

use super::*;

/// Doors that let this many writes through, and then none.
struct Mortal<'a> {
    scene: &'a Scene,
    n_left: AtomicUsize,
}

impl Mortal<'_> {
    fn is_alive(&self) -> bool {
        let left = self
            .n_left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
        left.is_ok()
    }
}

impl Desk for Mortal<'_> {
    fn commit(&self, guards: &[Guard], plan: &mut Plan<'_>) -> Result<Receipt, CommitError> {
        match self.is_alive() {
            true => self.scene.desk.commit(guards, plan),
            false => Err(CommitError::Abandoned),
        }
    }

    fn repair(&self) -> Result<Vec<Repaired>, CommitError> {
        Ok(Vec::new())
    }

    fn status(&self) -> Status {
        Status::default()
    }

    fn log(&self, visit: &mut dyn FnMut(Logged) -> bool) -> Result<(), CommitError> {
        self.scene.desk.log(visit)
    }

    fn check_journal(&self) -> Result<JournalDamage, CommitError> {
        self.scene.desk.check_journal()
    }
}

impl Claims for Mortal<'_> {
    fn who(&self) -> Who {
        // Another process than the one that comes after.
        Who {
            pid: 99,
            ..self.scene.desk.claims.who()
        }
    }

    fn put(&self, path: &AbsPath, text: &[u8]) -> Result<bool, ClaimError> {
        match self.is_alive() {
            true => self.scene.desk.claims.put(path, text),
            false => Err(dead(path)),
        }
    }

    fn swap(&self, path: &AbsPath, old: &[u8], new: Option<&[u8]>) -> Result<bool, ClaimError> {
        match self.is_alive() {
            true => self.scene.desk.claims.swap(path, old, new),
            false => Err(dead(path)),
        }
    }

    fn pulse(&self, pid: u32) -> Pulse {
        self.scene.desk.claims.pulse(pid)
    }
}

fn dead(path: &AbsPath) -> ClaimError {
    ClaimError {
        path: path.clone(),
        message: "dead".to_owned(),
    }
}

/// A learner that writes one skill through the commit point.
fn write_skill(job: &Job<'_>) -> Result<Made, Failure> {
    let path = job.memory.join("skills/deploy/SKILL.md");
    let text = "---\nname: deploy\ndescription: Deploys.\n---\nDo it.\n";
    let mut plan = |files: &dyn analects_world::Files| {
        let old = crate::write::bytes_of(files, &path)?;
        let new = Some(text.as_bytes().to_vec());
        let change = analects_world::changes::Change::new(&path, old.as_deref(), new);
        let changes = analects_world::changes::Changes::new("test", "a skill", vec![change]);
        Ok(changes)
    };
    crate::write::write(&job.world, job.flags, &[], &mut plan)?;
    read_all(job)
}

#[test]
fn wherever_a_run_is_killed_the_next_one_does_the_work() {
    let no_model = |_: &Job<'_>, _: &str| Ok(Made::default());
    let mut n_died = 0;
    for n_left in 0.. {
        let scene = Scene::new(2);
        let mortal = Mortal {
            scene: &scene,
            n_left: AtomicUsize::new(n_left),
        };
        let always = ask::Always::default();
        let world = World {
            desk: &mortal,
            claims: &mortal,
            always: &always,
            ..scene.desk.world(&scene.around)
        };
        let killed = scene.run_with(&world, &ASKED, &write_skill, &no_model);
        let is_whole = scene.desk.text(LOCK).is_none() && killed.is_ok();
        n_died += usize::from(!is_whole);
        // Whatever is there makes sense to everybody who reads it.
        if let Some(state) = scene.desk.text(STATE) {
            assert!(analects_skill::ledger::Ledger::parse(state.as_bytes()).is_some());
        }
        let after = scene.learn(&ASKED, &write_skill).unwrap();
        match killed.is_ok() {
            true => assert_eq!(after.outcome, Outcome::NothingNew, "{n_left}"),
            false => assert_eq!(after.outcome, Outcome::Done, "{n_left}"),
        }
        assert_eq!(scene.desk.text(LOCK), None);
        let skill = format!("{MEMORY}/skills/deploy/SKILL.md");
        assert!(scene.desk.text(&skill).is_some(), "{n_left}");
        let state = scene.desk.text(STATE).unwrap();
        let n_runs = state.matches("\"LOCAL\"").count();
        assert_eq!(n_runs, 1, "{n_left}: {state}");
        if is_whole {
            break;
        }
    }
    // The lock, the note that it begins, the skill, the note that it is over, the lock again.
    assert_eq!(n_died, 5);
}

#[test]
fn a_killed_run_counts_as_a_failure() {
    let scene = Scene::new(1);
    let mortal = Mortal {
        scene: &scene,
        n_left: AtomicUsize::new(2),
    };
    let world = World {
        desk: &mortal,
        claims: &mortal,
        ..scene.desk.world(&scene.around)
    };
    let no_model = |_: &Job<'_>, _: &str| Ok(Made::default());
    assert!(
        scene
            .run_with(&world, &ASKED, &write_skill, &no_model)
            .is_err()
    );
    assert!(scene.desk.text(STATE).unwrap().contains("LOCAL_UNFINISHED"));
    let resting = scene.run(&BACKGROUND).unwrap().outcome;
    assert!(matches!(resting, Outcome::Resting { .. }), "{resting:?}");
}
