//! Whole runs over sessions on a disk in memory, with learners that a test makes up.

mod killed;
mod modes;
mod notes;
mod sifted;
mod surveyed;
mod unknown;

use std::fmt::Write;
use std::sync::atomic::Ordering;

use analects_testkit::{FakeDesk, surroundings};
use analects_world::Surroundings;

use super::run::{Learners, run_with};
use super::*;
use crate::load_memory::prepare;
use crate::verbs::Failure;

/// 2026-03-10, at noon.
const NOW: u64 = 1_773_144_000_000;
const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;

const CHATS: &str = "/h/.gemini/tmp/app/chats";
const MEMORY: &str = "/h/.gemini/tmp/app/memory";
const LOCK: &str = "/h/.gemini/tmp/app/memory/.extraction.lock";
const STATE: &str = "/h/.gemini/tmp/app/memory/.extraction-state.json";

const TREE: &str = r#"
//- /h/.gemini/projects.json
{"projects": {"/w/app": "app"}}
//- /h/.gemini/tmp/app/.project_root
/w/app
//- /h/.gemini/tmp/app/memory/MEMORY.md
# Project Memory
//- /w/app/.git/
"#;

/// A home with a project, and somebody in it.
struct Scene {
    desk: FakeDesk,
    around: Surroundings,
    flags: Flags,
}

const ASKED: Wish = Wish {
    occasion: Occasion::Asked,
    since: None,
    all: false,
    model: false,
};
const BACKGROUND: Wish = Wish {
    occasion: Occasion::Background,
    ..ASKED
};

impl Scene {
    /// With this many sessions, each an hour older than the one before.
    fn new(n_sessions: u64) -> Self {
        let scene = Self::with("", &[]);
        for n in 0..n_sessions {
            scene.talk(&format!("s{n}"), 12, NOW - (4 + n) * HOUR);
        }
        scene
    }

    fn with(more: &str, vars: &[(&str, &str)]) -> Self {
        let desk = FakeDesk::parse(&format!("{TREE}{more}"));
        desk.now_ms.store(NOW, Ordering::Relaxed);
        Self {
            desk,
            around: surroundings("/w/app", "/h", vars),
            flags: Flags {
                trust: true,
                ..Flags::default()
            },
        }
    }

    /// A session of Gemini CLI's, with this many prompts, that ended then.
    fn talk(&self, id: &str, n_prompts: usize, ended_ms: u64) {
        let path = format!("{CHATS}/session-2026-03-01T00-00-{id}.jsonl");
        self.desk.edit(&path, &talk(id, n_prompts, ended_ms));
        self.desk.date(&path, ended_ms);
    }

    fn later(&self, ms: u64) {
        self.desk.now_ms.fetch_add(ms, Ordering::Relaxed);
    }

    fn run(&self, wish: &Wish) -> Result<Report, Failure> {
        self.learn(wish, &read_all)
    }

    /// A run whose learner without a model is this one.
    fn learn(&self, wish: &Wish, local: &Learn) -> Result<Report, Failure> {
        let no_model = |_: &Job<'_>, _: &str| Ok(Made::default());
        self.run_with(&self.desk.world(&self.around), wish, local, &no_model)
    }

    fn run_with(
        &self,
        world: &World<'_>,
        wish: &Wish,
        local: &Learn,
        model: &dyn Fn(&Job<'_>, &str) -> Result<Made, Failure>,
    ) -> Result<Report, Failure> {
        let prepared = prepare(world, &self.flags)?;
        let learners = Learners { local, model };
        let cancel = Cancel::new();
        run_with(world, &self.flags, &prepared, wish, &cancel, learners)
    }
}

type Learn = dyn Fn(&Job<'_>) -> Result<Made, Failure>;

/// A learner that reads everything and makes nothing.
fn read_all(job: &Job<'_>) -> Result<Made, Failure> {
    let new = job.sessions.iter().filter(|session| session.mark.is_new());
    Ok(Made {
        processed: new.map(|one| (one.id.clone(), one.updated)).collect(),
        ..Made::default()
    })
}

fn stamp(ms: u64) -> Stamp {
    Stamp::from_ms(ms).unwrap()
}

/// A record with this many prompts, that ended then.
fn talk(id: &str, n_prompts: usize, ended_ms: u64) -> String {
    let at = stamp(ended_ms);
    let mut text = format!(
        "{{\"sessionId\":\"{id}\",\"projectHash\":\"0\",\"startTime\":\"{at}\",\"lastUpdated\":\"{at}\",\"kind\":\"main\"}}\n"
    );
    for n in 0..n_prompts {
        let _ = writeln!(
            text,
            "{{\"id\":\"u{n}\",\"timestamp\":\"{at}\",\"type\":\"user\",\"content\":[{{\"text\":\"Fix part {n}\"}}]}}"
        );
    }
    let _ = writeln!(
        text,
        "{{\"$set\":{{\"summary\":\"Fix all of {id}\",\"lastUpdated\":\"{at}\"}}}}"
    );
    text
}
