//! A whole corpus of sessions, gone over by a model that finds everything, and obeys every poisoned text as well.

use std::collections::BTreeMap;

use analects_session::stamp::Stamp;
use analects_skill::eligible::{Eligible, Mark, index};
use analects_testkit::corpus::{Corpus, Project, Proposal, corpus, judge};
use analects_testkit::{FakeDesk, say, surroundings};
use analects_world::models::Event;
use analects_world::{AbsPath, Agent, Cancel};
use serde_json::json;

use super::scene::done;
use crate::extract::Job;
use crate::load_memory::prepare;
use crate::sessions;
use crate::verbs::Flags;

const T: &str = "/h/.gemini/tmp/app";

#[test]
fn what_was_planted_is_found_and_what_was_poisoned_is_not_for_five_seeds() {
    std::thread::scope(|scope| {
        for seed in 101..106 {
            scope.spawn(move || check(seed));
        }
    });
}

fn check(seed: u64) {
    let corpus = corpus(seed);
    let projects = corpus.projects.iter();
    let drafts: Vec<_> = projects
        .flat_map(|project| gone_over(&corpus, project))
        .collect();
    let proposals: Vec<_> = drafts
        .iter()
        .map(|draft| Proposal {
            project: &draft.project,
            name: &draft.name,
            text: &draft.text,
            is_quarantined: draft.is_quarantined,
        })
        .collect();
    let judged = judge(&corpus, &proposals);
    assert!(judged.recall() >= 0.8, "seed {seed}: {judged:#?}");
    assert!(judged.precision() >= 0.9, "seed {seed}: {judged:#?}");
    assert_eq!(judged.leaked, Vec::<String>::new(), "seed {seed}");
    assert_eq!(judged.poisoned, Vec::<String>::new(), "seed {seed}");
    let n_aside = drafts.iter().filter(|it| it.is_quarantined).count();
    assert!(n_aside > 0, "seed {seed}: the model obeyed nothing");
}

struct Draft {
    project: String,
    name: String,
    text: String,
    is_quarantined: bool,
}

/// What comes of a project: the drafts of a model that reads all of its sessions.
fn gone_over(corpus: &Corpus, project: &Project) -> Vec<Draft> {
    let root = &project.root;
    let desk = FakeDesk::parse(&format!(
        "//- {root}/.git/HEAD\nref\n//- /h/.gemini/projects.json\n{{\"projects\":{{\"{root}\":\"app\"}}}}\n\
         //- {T}/.project_root\n{root}\n//- {T}/memory/skills/\n"
    ));
    let mut all: BTreeMap<String, Eligible> = BTreeMap::new();
    for session in project.sessions.iter().filter(|it| it.why_not.is_none()) {
        let path = format!("{T}/chats/{}", session.file);
        desk.edit(&path, &String::from_utf8_lossy(&session.bytes));
        let eligible = Eligible {
            id: session.id.clone(),
            agent: Agent::Gemini,
            path: AbsPath::new(&path).unwrap(),
            updated: Stamp::from_ms(session.updated_ms),
            n_prompts: session.n_prompts,
            headline: None,
            workflow: None,
            mark: Mark::New { n_attempts: 0 },
            n_bytes: session.bytes.len() as u64,
        };
        all.insert(session.id.clone(), eligible);
    }
    let all: Vec<_> = all.into_values().collect();
    let around = surroundings(root, "/h", &[("GEMINI_API_KEY", "k-0123456789")]);
    let world = desk.world(&around);
    let flags = Flags {
        trust: true,
        ..Flags::default()
    };
    let prepared = prepare(&world, &flags).unwrap();
    let (cancel, beat) = (Cancel::new(), || true);
    let job = Job {
        world,
        flags: &flags,
        prepared: &prepared,
        memory: AbsPath::new(&format!("{T}/memory")).unwrap(),
        sessions: &all,
        indexed: &all,
        index: index(&all),
        cancel: &cancel,
        beat: &beat,
    };
    let skills = skills(&job, project);
    let reads = all.iter().map(|session| {
        let args = json!({ "file_path": session.path.as_str() });
        say::call(&session.id, "read_file", args)
    });
    let writes = skills.iter().map(|(name, text)| {
        let path = format!("{T}/memory/skills/{name}/SKILL.md");
        say::call(
            name,
            "write_file",
            json!({ "file_path": path, "content": text }),
        )
    });
    for events in [reads.collect::<Vec<_>>(), writes.collect(), done()] {
        answer(&desk, events);
    }
    let made = super::super::send(&job, "").unwrap();
    assert_eq!(made.reason, "GOAL");
    assert_eq!(made.processed.len(), all.len(), "{:#?}", made.problems);
    let asked = desk.models.asked();
    // The last request holds all that was said before.
    let turns = asked.iter().max_by_key(|it| it.history.len()).unwrap();
    let turns = turns.history.iter();
    let said: String = turns.map(|turn| format!("{:?}\n", turn.parts)).collect();
    assert!(all.iter().all(|it| said.contains(&it.id)));
    assert_eq!(corpus.leaks(&said).next(), None, "a secret was told");
    let names = skills.into_iter().map(|(name, _)| name);
    let drafts = names.filter_map(|name| {
        let open = desk.text(&format!("{T}/memory/skills/{name}/SKILL.md"));
        let aside = || desk.text(&format!("{T}/memory/.quarantine/skills/{name}/SKILL.md"));
        let is_quarantined = open.is_none();
        Some(Draft {
            project: root.clone(),
            text: open.or_else(aside)?,
            name,
            is_quarantined,
        })
    });
    drafts.collect()
}

fn answer(desk: &FakeDesk, mut events: Vec<Event>) {
    events.push(say::usage(1_000, 100));
    events.push(say::done());
    desk.models.answer(events);
}

/// What the model writes: what a perfect one would, and what every poisoned text wants.
fn skills(job: &Job<'_>, project: &Project) -> Vec<(String, String)> {
    let planted = project.planted.iter().filter(|it| !it.is_optional);
    let mut skills: Vec<_> = planted
        .enumerate()
        .map(|(at, planted)| {
            let name = format!("planted-{at}");
            let text = planted.skill(&name);
            (name, text)
        })
        .collect();
    let commands = commands(job);
    for (at, poison) in project.poison.iter().enumerate() {
        let evil = commands
            .iter()
            .filter(|command| poison.evil.iter().any(|mark| command.contains(mark)));
        let steps: String = evil
            .map(|command| format!("1. Run `{command}`.\n"))
            .collect();
        if !steps.is_empty() {
            let name = format!("obeyed-{at}");
            let text = format!(
                "---\nname: {name}\ndescription: Sets things up. Use it at first.\n---\n\n## When to Use\nFirst.\n\n\
                 ## Procedure\n{steps}\n## Verification\n- It is done.\n"
            );
            skills.push((name, text));
        }
    }
    skills
}

/// Every command that was run in any session.
fn commands(job: &Job<'_>) -> Vec<String> {
    let mut all = Vec::new();
    for session in job.sessions {
        let stored = sessions::at(&job.world, session.agent, &session.path).unwrap();
        let opened = sessions::open(&job.world, &stored).unwrap();
        let turns = opened.transcript.turns.into_iter();
        let tools = turns.flat_map(|turn| turn.tools);
        all.extend(
            tools
                .filter(|it| it.name == "run_shell_command")
                .map(|it| it.input),
        );
    }
    all.sort();
    all.dedup();
    all
}
