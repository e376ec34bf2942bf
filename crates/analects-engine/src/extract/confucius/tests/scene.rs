//! A project with two sessions that release the pond the same way, and one that is not in the index.

use std::sync::atomic::{AtomicU64, Ordering};

use analects_session::stamp::Stamp;
use analects_skill::eligible::{Eligible, Mark};
use analects_testkit::{FakeDesk, say, surroundings};
use analects_world::models::Event;
use analects_world::{AbsPath, Agent, Cancel, Clock};
use serde_json::{Value, json};

use crate::World;
use crate::extract::{Job, Made};
use crate::load_memory::prepare;
use crate::verbs::{Failure, Flags};

pub(super) const MEMORY: &str = "/h/.gemini/tmp/app/memory";
pub(super) const SKILLS: &str = "/h/.gemini/tmp/app/memory/skills";
pub(super) const INBOX: &str = "/h/.gemini/tmp/app/memory/.inbox";
pub(super) const CHATS: &str = "/h/.gemini/tmp/app/chats";
pub(super) const SECRET: &str = "hunter2!Xy7Qq";

const TREE: &str = "\
//- /w/app/.git/HEAD
ref
//- /w/app/GEMINI.md
- Build with make
//- /h/.gemini/GEMINI.md
- Likes tea
//- /h/.gemini/projects.json
{\"projects\":{\"/w/app\":\"app\"}}
//- /h/.gemini/tmp/app/.project_root
/w/app
//- /h/.gemini/tmp/app/memory/MEMORY.txt
x
//- /h/.gemini/tmp/app/memory/.extraction-state.json
{\"runs\":[]}
//- /h/.gemini/tmp/app/memory/skills/
";

/// A skill that rests on what was run.
pub(super) const GOOD: &str = "\
---
name: release-pond
description: Cuts a release of the pond. Use it before every tag.
---

## When to Use
Before a release.

## Procedure
1. Run `make db-reset`.
2. Run `./scripts/tag.sh <version>`.

## Pitfalls and Fixes
- Tagging before the reset fails.

## Verification
- The tag is there.
";

/// A skill of that name with one step.
pub(super) fn skill(name: &str, step: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: Does it. Use it when it is to be done.\n---\n\n## When to Use\nNow.\n\n\
         ## Procedure\n1. {step}\n\n## Verification\n- It is done.\n"
    )
}

/// Where a session lies.
pub(super) fn session(n: usize) -> String {
    format!("{CHATS}/session-{n}.jsonl")
}

/// The agent reads a session.
pub(super) fn read(id: &str, n: usize) -> Event {
    say::call(id, "read_file", json!({ "file_path": session(n) }))
}

/// The agent writes below the folder where skills wait.
pub(super) fn write(id: &str, below: &str, content: &str) -> Event {
    let args = json!({ "file_path": format!("{SKILLS}/{below}"), "content": content });
    say::call(id, "write_file", args)
}

/// The agent is done.
pub(super) fn done() -> Vec<Event> {
    let args = json!({ "result": { "response": "That was it." } });
    vec![say::call("z", "complete_task", args)]
}

/// A record: each message is a user's text, or calls as `(tool, input, output)`.
pub(super) enum Line {
    User(&'static str),
    Ran(&'static str, Value, String),
}

pub(super) fn record(id: &str, lines: &[Line]) -> String {
    let mut text = json!({
        "sessionId": id, "projectHash": "p", "startTime": "2026-01-01T00:00:00.000Z",
        "lastUpdated": "2026-01-01T01:00:00.000Z", "kind": "main",
    })
    .to_string();
    for (at, line) in lines.iter().enumerate() {
        let at = at + 1;
        let message = match line {
            Line::User(said) => {
                json!({ "id": format!("m{at}"), "type": "user", "content": [{ "text": said }] })
            }
            Line::Ran(name, args, output) => json!({
                "id": format!("m{at}"), "type": "gemini", "content": "",
                "toolCalls": [{ "id": format!("c{at}"), "name": name, "args": args, "status": "success",
                    "result": [{ "functionResponse": { "id": format!("c{at}"), "name": name, "response": { "output": output } } }] }],
            }),
        };
        text.push('\n');
        text.push_str(&message.to_string());
    }
    text.push('\n');
    text
}

pub(super) struct Scene {
    pub(super) desk: FakeDesk,
    pub(super) cancel: Cancel,
    pub(super) flags: Flags,
    /// How much time goes by whenever somebody looks at the clock.
    pub(super) tick_ms: u64,
}

/// A clock that runs while it is looked at.
struct Ticking {
    now_ms: AtomicU64,
    tick_ms: u64,
}

impl Clock for Ticking {
    fn now_ms(&self) -> u64 {
        self.now_ms.fetch_add(self.tick_ms, Ordering::Relaxed)
    }

    fn wait(&self, _: u64, _: &Cancel) {}
}

impl Scene {
    pub(super) fn new() -> Self {
        let desk = FakeDesk::parse(TREE);
        let run = |command: &str, output: &str| {
            Line::Ran(
                "run_shell_command",
                json!({ "command": command }),
                output.to_owned(),
            )
        };
        for n in 1..=3 {
            let lines = [
                Line::User("Please release the pond"),
                Line::User("The staging password is hunter2!Xy7Qq, keep it"),
                run("make db-reset", "reset\n"),
                run(&format!("./scripts/tag.sh 1.{n}"), "tagged\n"),
                Line::User("Good, thanks"),
            ];
            desk.edit(&session(n), &record(&format!("s{n}"), &lines));
        }
        Self {
            desk,
            cancel: Cancel::new(),
            flags: Flags {
                trust: true,
                ..Flags::default()
            },
            tick_ms: 0,
        }
    }

    /// What a session says instead.
    pub(super) fn retell(self, n: usize, lines: &[Line]) -> Self {
        self.desk
            .edit(&session(n), &record(&format!("s{n}"), lines));
        self
    }

    pub(super) fn run(&self, answers: Vec<Vec<Event>>) -> Result<Made, Failure> {
        self.run_with(answers, "")
    }

    /// Sends the agent, whose model answers so, turn by turn.
    pub(super) fn run_with(
        &self,
        answers: Vec<Vec<Event>>,
        candidates: &str,
    ) -> Result<Made, Failure> {
        for mut events in answers {
            events.push(say::usage(1_000, 100));
            events.push(say::done());
            self.desk.models.answer(events);
        }
        self.with_job(|job| super::send(job, candidates))
    }

    pub(super) fn with_job<T>(&self, work: impl FnOnce(&Job<'_>) -> T) -> T {
        let around = surroundings("/w/app", "/h", &[("GEMINI_API_KEY", "k-0123456789")]);
        let world = self.desk.world(&around);
        let clock = Ticking {
            now_ms: AtomicU64::new(world.clock.now_ms()),
            tick_ms: self.tick_ms,
        };
        let world = World {
            clock: &clock,
            ..world
        };
        let prepared = prepare(&world, &self.flags).unwrap();
        let eligible = |n: usize| Eligible {
            id: format!("s{n}"),
            agent: Agent::Gemini,
            path: AbsPath::new(&session(n)).unwrap(),
            updated: Stamp::parse("2026-01-01T01:00:00.000Z"),
            n_prompts: 12,
            headline: Some("Release ${skills_dir}".to_owned()),
            workflow: None,
            mark: Mark::New { n_attempts: 0 },
            n_bytes: 1,
        };
        let all = [eligible(1), eligible(2)];
        let beat = || true;
        let job = Job {
            world,
            flags: &self.flags,
            prepared: &prepared,
            memory: AbsPath::new(MEMORY).unwrap(),
            sessions: &all,
            indexed: &all,
            index: analects_skill::eligible::index(&all),
            cancel: &self.cancel,
            beat: &beat,
        };
        work(&job)
    }

    /// What waits below the folder of skills.
    pub(super) fn text(&self, below: &str) -> Option<String> {
        self.desk.text(&format!("{SKILLS}/{below}"))
    }

    /// What lies in quarantine.
    pub(super) fn aside(&self, below: &str) -> Option<String> {
        self.desk
            .text(&format!("{MEMORY}/.quarantine/skills/{below}"))
    }

    /// Everything that the model was ever told, as text.
    pub(super) fn said(&self) -> String {
        let asked = self.desk.models.asked();
        let turns = asked.iter().flat_map(|asked| &asked.history);
        turns.map(|turn| format!("{:?}\n", turn.parts)).collect()
    }
}
