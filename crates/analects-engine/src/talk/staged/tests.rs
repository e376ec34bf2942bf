//! What waits is seen by whoever wrote it, and by nobody else.

mod proposed;

use analects_agent::tools::scope::MemoryPlaces;
use analects_agent::tools::{
    Bench, Scope, Seen, Wanted, Workspace, glob, grep_search, list_directory, read_file, replace,
    write_file,
};
use analects_chat::reading::Measures;
use analects_testkit::{Entry, FakeDesk, FakeFiles, FakeSearch, Fixture, contract};
use analects_world::{Cancel, Profile};
use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::*;

pub(super) fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

/// The workspace of an agent that keeps memory.
pub(super) fn workspace() -> Workspace {
    let names = ["GEMINI.md".to_owned()];
    Workspace {
        cwd: path("/w"),
        roots: vec![path("/w")],
        readable: Vec::new(),
        writable: Vec::new(),
        scope: Some(Scope::of_memory(&MemoryPlaces {
            global_dir: &path("/h/.gemini"),
            global_files: &[path("/h/.gemini/GEMINI.md")],
            roots: &[path("/w")],
            names: &names,
        })),
    }
}

/// Uses a tool on what waits; what a model reads.
pub(super) fn call(staged: &Staged<'_>, seen: &Seen, tool: &str, args: &Value) -> String {
    let (workspace, cancel) = (workspace(), Cancel::new());
    let bench = Bench {
        files: staged.files(),
        search: staged.search(),
        workspace: &workspace,
        ignore_files: &[],
        heeds_git: true,
        measures: Measures::USUAL,
        profile: Profile::Analects,
        cancel: &cancel,
    };
    let wrote = |plan: &dyn Fn(&dyn Files) -> Result<Planned, Refusal>| {
        let planned = staged.stage(7, plan)?;
        planned.note(seen);
        Ok(planned.output)
    };
    let said = match Wanted::read(tool, args).unwrap() {
        Wanted::ReadFile(args) => read_file::run(&args, &bench, seen),
        Wanted::ListDirectory(args) => list_directory::run(&args, &bench),
        Wanted::Glob(args) => glob::run(&args, &bench, 0),
        Wanted::GrepSearch(args) => grep_search::run(&args, &bench),
        Wanted::WriteFile(args) => wrote(&|files| write_file::plan(&args, files, &workspace, seen)),
        Wanted::Replace(args) => wrote(&|files| replace::plan(&args, files, &workspace)),
        other => panic!("{other:?}"),
    };
    match said {
        Ok(output) => output.text,
        Err(refusal) => format!("{}: {refusal}", refusal.kind.as_str()),
    }
}

fn check(tree: &str, calls: &[(&str, Value)], expected: Expect) {
    let desk = FakeDesk::parse(tree);
    let search = FakeSearch::new(&desk);
    let staged = Staged::new(&desk, &search, Vec::new());
    let seen = Seen::new();
    let told = calls.iter().map(|(tool, args)| {
        let said = call(&staged, &seen, tool, args);
        format!("> {tool} {args}\n{}\n", said.trim_end())
    });
    expected.assert_eq(&told.collect::<String>());
    assert!(desk.commits().is_empty());
}

#[test]
fn an_agent_reads_what_it_wrote() {
    check(
        "//- /w/GEMINI.md\n# Project\n\n- Use tabs\n//- /w/src/main.rs\nUse tabs\n//- /h/.gemini/settings.json\n{}\n",
        &[
            (
                "replace",
                json!({"file_path": "GEMINI.md", "old_string": "tabs", "new_string": "spaces"}),
            ),
            ("read_file", json!({"file_path": "GEMINI.md"})),
            (
                "replace",
                json!({"file_path": "GEMINI.md", "old_string": "- Use spaces", "new_string": "- Use 4 spaces\n- See src/GEMINI.md"}),
            ),
            (
                "write_file",
                json!({"file_path": "src/GEMINI.md", "content": "- Main use is here\n"}),
            ),
            (
                "write_file",
                json!({"file_path": "new/dir/GEMINI.md", "content": "- Use nothing\n"}),
            ),
            (
                "write_file",
                json!({"file_path": "/h/.gemini/GEMINI.md", "content": "- Use tea\n"}),
            ),
            (
                "read_file",
                json!({"file_path": "./new/../new/dir/GEMINI.md"}),
            ),
            ("list_directory", json!({"dir_path": "."})),
            ("list_directory", json!({"dir_path": "new"})),
            ("list_directory", json!({"dir_path": "/h/.gemini"})),
            ("glob", json!({"pattern": "**/*.md"})),
            ("glob", json!({"pattern": "*.md", "dir_path": "new/dir"})),
            ("grep_search", json!({"pattern": "use", "context": 1})),
            (
                "grep_search",
                json!({"pattern": "use", "dir_path": "new/dir/GEMINI.md"}),
            ),
            (
                "grep_search",
                json!({"pattern": "use", "total_max_matches": 2}),
            ),
            (
                "grep_search",
                json!({"pattern": "(", "fixed_strings": true}),
            ),
        ],
        expect![[r#"
            > replace {"file_path":"GEMINI.md","old_string":"tabs","new_string":"spaces"}
            Changed `GEMINI.md`: 1 replacement at line 3.
            > read_file {"file_path":"GEMINI.md"}
            # Project

            - Use spaces
            > replace {"file_path":"GEMINI.md","old_string":"- Use spaces","new_string":"- Use 4 spaces\n- See src/GEMINI.md"}
            Changed `GEMINI.md`: 1 replacement at line 3.
            > write_file {"file_path":"src/GEMINI.md","content":"- Main use is here\n"}
            Wrote `src/GEMINI.md`, which is new: 1 line.
            > write_file {"file_path":"new/dir/GEMINI.md","content":"- Use nothing\n"}
            Wrote `new/dir/GEMINI.md`, which is new: 1 line.
            > write_file {"file_path":"/h/.gemini/GEMINI.md","content":"- Use tea\n"}
            Wrote `/h/.gemini/GEMINI.md`, which is new: 1 line.
            > read_file {"file_path":"./new/../new/dir/GEMINI.md"}
            - Use nothing
            > list_directory {"dir_path":"."}
            Directory listing for `.`:
            [DIR] new
            [DIR] src
            GEMINI.md (46 bytes)
            > list_directory {"dir_path":"new"}
            Directory listing for `new`:
            [DIR] dir
            > list_directory {"dir_path":"/h/.gemini"}
            Directory listing for `/h/.gemini`:
            GEMINI.md (10 bytes)
            > glob {"pattern":"**/*.md"}
            Found 4 files that match `**/*.md` in the 2 directories of the workspace, new ones first:
            /h/.gemini/GEMINI.md
            GEMINI.md
            new/dir/GEMINI.md
            src/GEMINI.md
            > glob {"pattern":"*.md","dir_path":"new/dir"}
            Found 1 file that matches `*.md` in `new/dir`:
            new/dir/GEMINI.md
            > grep_search {"pattern":"use","context":1}
            Found 3 matches for `use` in `.`:
            ---
            File: GEMINI.md
            L2- 
            L3: - Use 4 spaces
            L4- - See src/GEMINI.md
            ---
            File: new/dir/GEMINI.md
            L1: - Use nothing
            ---
            File: src/GEMINI.md
            L1: - Main use is here
            ---
            > grep_search {"pattern":"use","dir_path":"new/dir/GEMINI.md"}
            Found 1 match for `use` in `new/dir/GEMINI.md`:
            ---
            File: new/dir/GEMINI.md
            L1: - Use nothing
            ---
            > grep_search {"pattern":"use","total_max_matches":2}
            Found 2 matches for `use` in `.`:
            ---
            File: GEMINI.md
            L3: - Use 4 spaces
            ---
            File: new/dir/GEMINI.md
            L1: - Use nothing
            ---
            (There are more. Narrow the search with `dir_path`, `include_pattern` or a more exact pattern, or raise `total_max_matches` (up to 1000).)
            > grep_search {"pattern":"(","fixed_strings":true}
            No matches for `(` in `.`.
        "#]],
    );
}

#[test]
fn what_may_not_be_written_does_not_wait_either() {
    check(
        "//- /w/GEMINI.md\n- a\n//- /w/link/GEMINI.md -> ../main.rs\n//- /w/main.rs\n//- /w/dir/GEMINI.md/x\n",
        &[
            (
                "write_file",
                json!({"file_path": "main.rs", "content": "x"}),
            ),
            (
                "write_file",
                json!({"file_path": "link/GEMINI.md", "content": "x"}),
            ),
            (
                "write_file",
                json!({"file_path": "dir/GEMINI.md", "content": "x"}),
            ),
            (
                "write_file",
                json!({"file_path": "GEMINI.md/GEMINI.md", "content": "x"}),
            ),
            (
                "write_file",
                json!({"file_path": "a/GEMINI.md", "content": "key AKIAIOSFODNN7EXAMPLX and more"}),
            ),
            ("glob", json!({"pattern": "a/*"})),
        ],
        expect![[r#"
            > write_file {"file_path":"main.rs","content":"x"}
            path_not_in_workspace: `main.rs` is no file that this agent may write. What it may use: `**/.gemini/*.md` below `/w`; `*.md` below `/h/.gemini`; `/h/.gemini/GEMINI.md`; `GEMINI.md` in `/w` and at any depth below.
            > write_file {"file_path":"link/GEMINI.md","content":"x"}
            path_not_in_workspace: `link/GEMINI.md` (it leads to `/w/main.rs`) is no file that this agent may write. What it may use: `**/.gemini/*.md` below `/w`; `*.md` below `/h/.gemini`; `/h/.gemini/GEMINI.md`; `GEMINI.md` in `/w` and at any depth below.
            > write_file {"file_path":"dir/GEMINI.md","content":"x"}
            target_is_directory: `dir/GEMINI.md` is a directory. `list_directory` shows what is in it.
            > write_file {"file_path":"GEMINI.md/GEMINI.md","content":"x"}
            path_not_in_workspace: `GEMINI.md/GEMINI.md` is no file that this agent may write. What it may use: `**/.gemini/*.md` below `/w`; `*.md` below `/h/.gemini`; `/h/.gemini/GEMINI.md`; `GEMINI.md` in `/w` and at any depth below.
            > write_file {"file_path":"a/GEMINI.md","content":"key AKIAIOSFODNN7EXAMPLX and more"}
            policy_violation: Nothing was written: this looks like a secret (Amazon Web Services access key ID), and secrets are not stored. Leave it out.
            > glob {"pattern":"a/*"}
            No files match `a/*` in `.`.
        "#]],
    );
}

#[test]
fn there_is_room_for_so_much() {
    let desk = FakeDesk::parse("//- /w/a.rs\n");
    let search = FakeSearch::new(&desk);
    let staged = Staged::new(&desk, &search, Vec::new());
    let seen = Seen::new();
    let write = |dir: usize, n_bytes: usize| {
        let file_path = format!("{dir}/GEMINI.md");
        call(
            &staged,
            &seen,
            "write_file",
            &json!({"file_path": file_path, "content": "x".repeat(n_bytes)}),
        )
    };
    assert!(write(0, MAX_BYTES + 1).starts_with("file_too_large"));
    assert!(write(0, MAX_BYTES - 1).starts_with("Wrote"));
    assert!(write(1, 2).starts_with("file_too_large"));
    assert!(
        write(0, 1).starts_with("Wrote"),
        "it takes the place of the first"
    );
    for dir in 1..MAX_FILES {
        assert!(write(dir, 1).starts_with("Wrote"), "{dir}");
    }
    assert!(write(MAX_FILES, 1).starts_with("file_too_large"));
    assert!(write(1, 2).starts_with("Wrote"));
}

/// A door that lives as long as the test.
fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// What waits over a tree of which these files are missing, or are other ones.
fn over(fixture: &Fixture, waiting: &[&str], is_new: bool) -> Staged<'static> {
    let mut below = fixture.clone();
    let mut sheets = BTreeMap::new();
    for (path, entry) in &mut below.entries {
        if let Entry::File(bytes) = entry
            && waiting.contains(&path.as_str())
        {
            let path = self::path(path);
            let base = (!is_new).then(|| b"needle on the disk\n".to_vec());
            let sheet = Sheet {
                base,
                text: std::mem::replace(bytes, b"needle on the disk\n".to_vec()),
                id: id_of(&path),
                written_ns: 0,
            };
            sheets.insert(path, sheet);
        }
    }
    if is_new {
        below
            .entries
            .retain(|(path, _)| !waiting.contains(&path.as_str()));
    }
    let files = leak(FakeFiles::new(&below));
    let staged = Staged::new(files, leak(FakeSearch::new(files)), Vec::new());
    *staged.sheets() = sheets;
    staged
}

#[test]
fn a_disk_with_something_waiting_keeps_the_contract_of_disks() {
    let waiting = [
        "/T/repo/a/GEMINI.md",
        "/T/repo/a/.gemini/GEMINI.md",
        "/T/repo/a/note.txt",
    ];
    contract::files(|tree| (over(tree, &waiting, false), path("/T")));
}

#[test]
fn trees_with_something_waiting_keep_the_contract_of_trees() {
    let waiting = [
        "/T/ws/a.txt",
        "/T/ws/a/one.rs",
        "/T/ws/a/two.rs",
        "/T/ws/a-b/three.rs",
        "/T/ws/wide.txt",
        "/T/ws/long.txt",
        "/T/ws/binary",
    ];
    for is_new in [true, false] {
        let staged = over(&contract::search::tree(), &waiting, is_new);
        contract::search::check(&staged, &path("/T"));
    }
}
