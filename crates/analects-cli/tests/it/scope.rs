//! An agent that was given memory files reaches nothing else: every tool on a real disk, with links, pipes and decoys.
//!
//! Whatever lies beside memory holds a word that no answer may have, and has to be the same afterwards, to the byte
//! and to the nanosecond. What is granted is said here once more, in other words than those that are tested.

mod attacks;
mod random;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use analects_agent::mention;
use analects_agent::tools::{
    Bench, Output, Planned, Refusal, RefusalKind, Scope, Seen, Wanted, Workspace, glob,
    grep_search, list_directory, read_file, read_many_files, replace, scope::MemoryPlaces, shell,
    write_file,
};
use analects_chat::reading::Measures;
use analects_engine::consent::Consent;
use analects_engine::load_memory;
use analects_engine::secrets::Guarded;
use analects_engine::talk::staged::{Pitch, Staged};
use analects_engine::verbs::{Failure, Flags};
use analects_host::commit::{CommitDesk, OpenGate};
use analects_host::{Disk, DiskSearch, RealShell};
use analects_testkit::{FakeDesk, surroundings};
use analects_world::model::Body;
use analects_world::{AbsPath, Cancel, Desk, Files, Profile, World};
use serde_json::Value;

/// Stands in every file that was not given.
const CANARY: &str = "canary-7f3a";

/// A home, a project, and what must not be reached. `/T` is the directory of the test.
struct Ground {
    dir: tempfile::TempDir,
    workspace: Workspace,
}

impl Ground {
    fn new() -> Self {
        // In memory, where there is such a disk: hundreds of commits wait for it.
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let dir = dir.unwrap();
        let top = fs::canonicalize(dir.path()).unwrap();
        for path in GIVEN {
            put(
                &top.join(path),
                &format!("# Memory\n\n- a fact of {path}\n"),
            );
        }
        for path in NOT_GIVEN {
            put(&top.join(path), &format!("{CANARY} in {path}\nUse tabs.\n"));
        }
        for path in ["repo/dir/GEMINI.md", "repo/empty", "repo/pipe"] {
            fs::create_dir_all(top.join(path)).unwrap();
        }
        put(&top.join("outside/hard.txt"), "one text under two names\n");
        fs::create_dir_all(top.join("repo/hard")).unwrap();
        fs::hard_link(
            top.join("outside/hard.txt"),
            top.join("repo/hard/GEMINI.md"),
        )
        .unwrap();
        for (link, target) in LINKS {
            let link = top.join(link);
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(target, link).unwrap();
        }
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        let pipe = top.join("repo/pipe/GEMINI.md");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        let workspace = workspace(&AbsPath::new(top.to_str().unwrap()).unwrap());
        Self { dir, workspace }
    }

    fn top(&self) -> AbsPath {
        AbsPath::new(fs::canonicalize(self.dir.path()).unwrap().to_str().unwrap()).unwrap()
    }

    /// Everything that was not given: what it is, what it holds, when it was written.
    fn rest(&self) -> BTreeMap<String, String> {
        let mut seen = BTreeMap::new();
        look(Path::new(self.top().as_str()), "", &mut seen);
        seen.retain(|path, _| !is_given(path) && !path.starts_with("home/.gemini/analects"));
        // Directories come to be on the way to what is given.
        seen.retain(|path, what| what != "dir" || !leads_to_given(path));
        seen
    }

    /// Uses a tool; what it writes is committed at once.
    fn call(&self, tool: &str, args: &Value) -> Result<Output, Refusal> {
        let state = self.top().join("home/.gemini/analects");
        let desk = CommitDesk::new(&state, &OpenGate);
        let commit = |plan: Planning<'_>| commit(&desk, plan);
        self.perform(&Disk, &DiskSearch, tool, args, &commit)
    }

    /// Uses a tool; what it writes waits.
    fn call_staged(
        &self,
        staged: &Staged<'_>,
        tool: &str,
        args: &Value,
    ) -> Result<Output, Refusal> {
        let commit = |plan: Planning<'_>| staged.stage(7, plan);
        self.perform(staged.files(), staged.search(), tool, args, &commit)
    }

    fn perform(
        &self,
        files: &dyn Files,
        search: &dyn analects_world::Search,
        tool: &str,
        args: &Value,
        commit: &dyn Fn(Planning<'_>) -> Result<Planned, Refusal>,
    ) -> Result<Output, Refusal> {
        let (workspace, seen, cancel) = (&self.workspace, Seen::new(), Cancel::new());
        let bench = Bench {
            files,
            search,
            workspace,
            ignore_files: &[],
            heeds_git: true,
            measures: Measures::USUAL,
            profile: Profile::Analects,
            cancel: &cancel,
        };
        if tool == MENTION {
            let brought = mention::bring(args.as_str().unwrap_or_default(), &bench, &seen);
            let parts = brought.parts.iter().skip(1);
            let texts = parts.filter_map(|part| match &part.body {
                Body::Text(text) => Some(text.as_str()),
                _ => None,
            });
            let problems = brought.problems.iter().map(ToString::to_string);
            let text = texts
                .map(ToOwned::to_owned)
                .chain(problems)
                .collect::<Vec<_>>();
            return Ok(Output {
                text: text.join("\n"),
                ..Output::default()
            });
        }
        let wrote = |plan: Planning<'_>| commit(plan).map(|planned| planned.output);
        match Wanted::read(tool, args)? {
            Wanted::ReadFile(args) => read_file::run(&args, &bench, &seen),
            Wanted::ReadManyFiles(args) => read_many_files::run(&args, &bench, &seen, &|_| None),
            Wanted::ListDirectory(args) => list_directory::run(&args, &bench),
            Wanted::Glob(args) => glob::run(&args, &bench, 0),
            Wanted::GrepSearch(args) => grep_search::run(&args, &bench),
            Wanted::WriteFile(args) => {
                wrote(&|files| write_file::plan(&args, files, workspace, &seen))
            }
            Wanted::Replace(args) => wrote(&|files| replace::plan(&args, files, workspace)),
            Wanted::Shell(args) => {
                let runner = shell::Runner {
                    shell: &RealShell::default(),
                    vars: &BTreeMap::new(),
                    idle_ms: Some(1_000),
                    whole_ms: Some(1_000),
                };
                shell::run(&args, &bench, &runner, &mut |_| ())
            }
            other => panic!("{other:?}"),
        }
    }

    /// Proposes what waits to somebody who agrees to everything.
    fn propose(&self, staged: &Staged<'_>) -> Result<(), Failure> {
        let top = self.top();
        let around = surroundings(top.join("repo").as_str(), top.join("home").as_str(), &[]);
        let state = around.state_dir();
        let desk = CommitDesk::new(&state, &OpenGate);
        let others = FakeDesk::parse("");
        let world = World {
            files: &Disk,
            search: &DiskSearch,
            desk: &desk,
            ..others.world(&around)
        };
        let flags = Flags {
            trust: true,
            ..Flags::default()
        };
        let prepared = load_memory::prepare(&world, &flags)?;
        let pitch = Pitch {
            who: "save_memory",
            why: "a test",
            title: "A test",
            prepared: &prepared,
            workspace: &self.workspace,
            consent: Consent::Given,
            guarded: &Guarded { allowed: &[] },
        };
        staged.propose(&world, &flags, &pitch).map(drop)
    }
}

/// `@path` in a prompt, as if it were a tool.
const MENTION: &str = "@";

type Planning<'a> = &'a dyn Fn(&dyn Files) -> Result<Planned, Refusal>;

const GIVEN: [&str; 8] = [
    "repo/GEMINI.md",
    "repo/src/GEMINI.md",
    "repo/src/deep/AGENTS.md",
    "repo/.gemini/GEMINI.md",
    "repo/.gemini/notes.md",
    "home/.gemini/GEMINI.md",
    "home/.gemini/notes.md",
    "home/dotfiles/AGENTS.md",
];

const NOT_GIVEN: [&str; 27] = [
    "repo/README.md",
    "repo/secret.md",
    "repo/gemini.md",
    "repo/GEMINI.md.bak",
    "repo/src/main.rs",
    "repo/.GEMINI/x.md",
    "repo/.gemini/settings.json",
    "repo/.gemini/.env",
    "repo/.gemini/agents/a.md",
    "repo/.gemini/agents/GEMINI.md",
    "repo/.gemini/policies/p.toml",
    "repo/.git/config",
    "repo/.git/GEMINI.md",
    "repo/node_modules/x/GEMINI.md",
    "repo/target/GEMINI.md",
    "home/.bashrc",
    "home/GEMINI.md",
    "home/.ssh/id_rsa",
    "home/.ssh/x.md",
    "home/.gemini/settings.json",
    "home/.gemini/oauth_creds.json",
    "home/.gemini/agents/a.md",
    "home/.gemini/tmp/app/memory/GEMINI.md",
    "home/dotfiles/GEMINI.md",
    "repository/GEMINI.md",
    "outside/GEMINI.md",
    "outside/.gemini/x.md",
];

const LINKS: [(&str, &str); 10] = [
    ("home/.gemini/AGENTS.md", "../dotfiles/AGENTS.md"),
    ("repo/linked/GEMINI.md", "../secret.md"),
    ("repo/.gemini/link.md", "settings.json"),
    ("repo/out", "../home/.ssh"),
    ("repo/in", "src"),
    ("repo/far/.gemini", "../../home/.ssh"),
    ("repo/dangling/GEMINI.md", "/nowhere/at/all"),
    ("repo/loop/GEMINI.md", "GEMINI.md"),
    ("repo/up", ".."),
    ("repo/root", "/"),
];

fn workspace(top: &AbsPath) -> Workspace {
    let names = ["GEMINI.md".to_owned(), "AGENTS.md".to_owned()];
    let home = top.join("home/.gemini");
    let global_files = names.each_ref().map(|name| {
        let files: &dyn Files = &Disk;
        files.real_or_same(&home.join(name))
    });
    let repo = top.join("repo");
    Workspace {
        cwd: repo.clone(),
        roots: vec![AbsPath::root()],
        readable: vec![AbsPath::root()],
        writable: vec![AbsPath::root()],
        scope: Some(Scope::of_memory(&MemoryPlaces {
            global_dir: &home,
            global_files: &global_files,
            roots: &[repo],
            names: &names,
        })),
    }
}

/// Whether a file was given, said otherwise than where it is decided.
fn is_given(path: &str) -> bool {
    let names: Vec<_> = path.split('/').collect();
    let (&file, dirs) = names.split_last().unwrap();
    let is_memory = ["GEMINI.md", "AGENTS.md"].contains(&file);
    let is_note = file.ends_with(".md") && file != "system.md";
    match dirs {
        ["home", ".gemini"] => is_note,
        ["home", "dotfiles"] => file == "AGENTS.md",
        ["repo", inner @ ..] => {
            let shut = [".git", "node_modules", "target"];
            let is_shut = inner.iter().any(|dir| shut.contains(dir));
            let is_beside = inner.last() == Some(&".gemini") && is_note;
            !is_shut && (is_beside || (is_memory && !inner.contains(&".gemini")))
        }
        _ => false,
    }
}

fn leads_to_given(dir: &str) -> bool {
    is_given(&format!("{dir}/GEMINI.md")) || is_given(&format!("{dir}/.gemini/x.md"))
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn look(dir: &Path, below: &str, seen: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{below}{name}");
        let meta = entry.metadata().unwrap();
        let times = (meta.mtime(), meta.mtime_nsec(), meta.ino(), meta.mode());
        let what = match () {
            () if meta.is_dir() => {
                look(&entry.path(), &format!("{path}/"), seen);
                "dir".to_owned()
            }
            () if meta.is_symlink() => {
                format!("{:?} {times:?}", fs::read_link(entry.path()).unwrap())
            }
            () if meta.is_file() => {
                format!("{} {times:?}", fs::read_to_string(entry.path()).unwrap())
            }
            () => format!("pipe {times:?}"),
        };
        seen.insert(path, what);
    }
}

/// Commits what a tool plans, on the real disk.
fn commit(desk: &CommitDesk<'_>, plan: Planning<'_>) -> Result<Planned, Refusal> {
    let mut planned = None;
    let committed = desk.commit(&[], &mut |files| {
        let made = plan(files);
        let changes = made.as_ref().ok().map(|planned| planned.changes.clone());
        planned = Some(made);
        changes
    });
    let planned = planned.unwrap()?;
    match committed {
        Ok(_) => Ok(planned),
        Err(error) => Err(Refusal::new(RefusalKind::Unwritable, error.to_string())),
    }
}
