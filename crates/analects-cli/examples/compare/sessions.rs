//! Reading records of sessions, and the list of those that can be learned from.

use std::time::Duration;

use analects_engine::verbs::skill::Extract;
use analects_engine::verbs::{Flags, Verb};
use analects_host::commit::{CommitDesk, OpenGate};
use analects_host::{
    Disk, DiskClaims, DiskSearch, DiskTapes, HttpModels, LazyIndex, RealPrograms, WallClock,
};
use analects_session::history::history;
use analects_session::replay::{self, Replayed};
use analects_testkit::FakePerson;
use analects_world::ask::Always;
use analects_world::files::{Files, Want, Within};
use analects_world::progress::Silent;
use analects_world::{AbsPath, World};
use serde_json::{Value, json};

use crate::{Request, timed};

/// Reads a record and finds its messages.
pub(crate) fn replay(request: &Request) -> (Duration, Value) {
    timed(
        request.times,
        || replayed(&request.file),
        |replayed| json!({ "messages": replayed.n_messages(), "prompts": replayed.n_user_messages() }),
    )
}

/// The same, and takes every message apart for a model that is to go on with it.
pub(crate) fn resume(request: &Request) -> (Duration, Value) {
    let job = || history(&replayed(&request.file));
    timed(request.times, job, |turns| {
        let ids: Vec<_> = turns.iter().map(|turn| turn.id.as_str()).collect();
        json!({ "turns": turns.len(), "ids": ids })
    })
}

fn replayed(file: &str) -> Replayed {
    let want = Want {
        path: &AbsPath::new(file).unwrap(),
        within: Within::Anywhere,
        limit_bytes: 512 * 1024 * 1024,
    };
    let files: &dyn Files = &Disk;
    replay::replay(files.read_one(want).unwrap().bytes)
}

/// Only reads the file.
pub(crate) fn read(request: &Request) -> (Duration, Value) {
    let job = || std::fs::read(&request.file).unwrap();
    timed(request.times, job, |bytes| json!(bytes.len()))
}

/// The list of sessions that an agent which writes skills is shown.
pub(crate) fn index(request: &Request) -> (Duration, Value) {
    let at = |name: &str| Some(format!("{}/{name}", request.dir).into());
    let around = analects_host::surroundings(at("repo"), at("home")).unwrap();
    let flags = Flags {
        trust: true,
        dry_run: true,
        ..Flags::default()
    };
    let job = || {
        let desk = CommitDesk::new(&around.state_dir(), &OpenGate);
        let index = LazyIndex::new(around.state_dir().join("index.sqlite"));
        let world = World {
            files: &Disk,
            search: &DiskSearch,
            desk: &desk,
            tapes: &DiskTapes,
            claims: &DiskClaims,
            index: &index,
            progress: &Silent,
            clock: &WallClock,
            programs: &RealPrograms,
            models: &HttpModels::default(),
            person: &FakePerson::default(),
            always: &Always::default(),
            around: &around,
        };
        Extract::default().run(&world, &flags).unwrap()
    };
    timed(request.times, job, |answer| {
        let lines = answer.indexed.iter().map(|session| {
            let mark = if session.is_new { "NEW" } else { "old" };
            let title = session.title.as_deref().unwrap_or_default();
            format!("[{mark}] {title} ({} user msgs)", session.prompts)
        });
        json!(lines.collect::<Vec<_>>())
    })
}
