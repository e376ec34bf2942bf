//! Tools of an agent whose writes wait.

use analects_agent::policy::Mode;
use analects_testkit::{FakeDesk, FakeServers, FakeShell, surroundings};
use analects_world::{AbsPath, Cancel};
use serde_json::{Value, json};

use super::*;
use crate::load_memory::prepare;
use crate::talk::ground::Ground;
use crate::talk::memory_scope;

const TREE: &str = "//- /w/.git/\n//- /w/GEMINI.md\n- Use tabs\n//- /w/main.rs\n//- /h/.gemini/\n";

/// What an agent that keeps memory is told, call by call; and that nothing is written.
fn check(tree: &str, flags: Flags, calls: &[(&str, Value)]) -> Vec<Result<String, RefusalKind>> {
    let desk = FakeDesk::parse(tree);
    let around = surroundings("/w", "/h", &[]);
    let world = desk.world(&around);
    let prepared = prepare(&world, &flags).unwrap();
    let shell = FakeShell::default();
    let servers: FakeServers = Default::default();
    let hands = Hands {
        shell: &shell,
        servers: &servers,
    };
    let staged = Staged::new(&desk, world.search, Vec::new());
    let ground = Ground {
        world: &world,
        prepared: &prepared,
        folder: &AbsPath::root().join("h/.gemini/tmp/w"),
        session: "s",
        include: &[],
        audience: Audience::Absent,
    };
    let (mut toolbox, _) = ground.toolbox(hands, Mode::Default, &[]);
    let (scope, _) = memory_scope(&world, &prepared, &toolbox.workspace.roots);
    toolbox.workspace.scope = Some(scope);
    toolbox.staged = Some(&staged);
    toolbox.subagent = Some("save_memory".to_owned());
    let cancel = Cancel::new();
    let performer = Performer {
        world,
        flags,
        toolbox: &toolbox,
        profile: prepared.settings.profile,
        cancel: &cancel,
    };
    let told = calls.iter().map(|(name, args)| {
        let call = Call {
            id: None,
            name: (*name).to_owned(),
            args: args.clone(),
            rest: serde_json::Map::new(),
        };
        let judged = toolbox.judge(&world, &flags, &call);
        let job = judged.map_err(|it| it.kind)?.job;
        let done = performer.perform(&job, &call.args, None, &mut |_| ());
        done.result.map(|it| it.text).map_err(|it| it.kind)
    });
    let told = told.collect();
    assert!(desk.commits().is_empty());
    told
}

const FLAGS: Flags = Flags {
    trust: true,
    yes: false,
    no_memory: false,
    dry_run: false,
};

#[test]
fn writes_wait_and_are_seen_without_anybody_being_asked_on_the_way() {
    for dry_run in [false, true] {
        let flags = Flags { dry_run, ..FLAGS };
        let told = check(
            TREE,
            flags,
            &[
                (
                    "replace",
                    json!({"file_path": "GEMINI.md", "old_string": "tabs", "new_string": "blanks"}),
                ),
                (
                    "write_file",
                    json!({"file_path": "new/GEMINI.md", "content": "- New\n"}),
                ),
                ("read_file", json!({"file_path": "GEMINI.md"})),
                ("list_directory", json!({"dir_path": "new"})),
                ("glob", json!({"pattern": "**/*"})),
            ],
        );
        assert!(told[..2].iter().all(Result::is_ok), "{told:?}");
        assert_eq!(told[2].as_deref(), Ok("- Use blanks\n"));
        assert!(told[3].as_ref().unwrap().contains("GEMINI.md (6 bytes)"));
        assert!(told[4].as_ref().unwrap().contains("new/GEMINI.md"));
    }
}

#[test]
fn what_is_out_of_reach_or_denied_does_not_wait() {
    let deny = "//- /h/.gemini/policies/p.toml\n[[rule]]\nsubagent = 'save_memory'\ntoolName = 'write_file'\n\
                decision = 'deny'\npriority = 9\n";
    let write = json!({"file_path": "GEMINI.md", "content": "x"});
    let told = check(
        &format!("{TREE}{deny}"),
        FLAGS,
        &[
            ("write_file", write),
            (
                "write_file",
                json!({"file_path": "main.rs", "content": "x"}),
            ),
            ("read_file", json!({"file_path": "main.rs"})),
            ("run_shell_command", json!({"command": "cat main.rs"})),
        ],
    );
    let kinds: Vec<_> = told.into_iter().map(Result::unwrap_err).collect();
    let outside = RefusalKind::OutsideWorkspace;
    assert_eq!(
        kinds,
        [RefusalKind::Denied, outside, outside, RefusalKind::Denied]
    );
}
