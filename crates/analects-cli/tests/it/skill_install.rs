//! Skills that come and go: real repositories, packages made by another program, links on a real disk.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::sandbox::{Ran, Sandbox};

const SKILL: &str = "---\nname: deploy\ndescription: Deploys it on Thursdays.\n---\nDo it.\n";
const HERE: &str = "home/.gemini/skills/deploy/SKILL.md";

/// A home with a skill beside it.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("src/skills/deploy/SKILL.md", SKILL);
    sandbox.write("src/skills/deploy/scripts/run.sh", "#!/bin/sh\necho hi\n");
    sandbox
}

/// The binary with the programs of this machine.
fn run(sandbox: &Sandbox, args: &[&str]) -> Ran {
    let mut command = sandbox.command(args);
    command.env("PATH", std::env::var_os("PATH").unwrap());
    sandbox.ran(command.output().unwrap())
}

fn json(sandbox: &Sandbox, args: &[&str]) -> serde_json::Value {
    let args: Vec<_> = args.iter().copied().chain(["--json"]).collect();
    let ran = run(sandbox, &args);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

fn git(dir: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            command.env_remove(name);
        }
    }
    command
        .args(["-c", "user.name=x", "-c", "user.email=x@example.org"])
        .args(args)
        .current_dir(dir);
    assert!(command.status().unwrap().success(), "git {args:?}");
}

/// Makes a repository of what lies in `src`.
fn commit(sandbox: &Sandbox) {
    let dir = sandbox.path("src");
    git(&dir, &["init", "-q", "-b", "main"]);
    git(&dir, &["add", "-A"]);
    git(&dir, &["commit", "-qm", "skills"]);
}

fn there(sandbox: &Sandbox, path: &str) -> bool {
    fs::symlink_metadata(sandbox.path(path)).is_ok()
}

#[test]
fn a_directory_is_installed_listed_uninstalled_and_all_of_it_taken_back() {
    let sandbox = sandbox();
    let asked = run(&sandbox, &["skill", "install", "../src"]);
    assert_eq!(asked.code, 1);
    assert!(
        asked.err.contains("Deploys it on Thursdays."),
        "{}",
        asked.err
    );
    assert!(asked.err.contains("consent with `--yes`"), "{}", asked.err);
    let dry = run(&sandbox, &["skill", "install", "../src", "--dry-run"]);
    assert!(dry.out.contains("+echo hi"), "{}", dry.out);
    assert!(
        dry.out.contains("it brings scripts that an agent may run"),
        "{}",
        dry.out
    );
    assert!(!there(&sandbox, HERE));
    let answer = json(&sandbox, &["skill", "install", "../src", "--yes"]);
    assert_eq!(answer["source"]["kind"], "directory");
    assert_eq!(answer["skills"][0]["outcome"], "written");
    assert_eq!(fs::read_to_string(sandbox.path(HERE)).unwrap(), SKILL);
    let listed = json(&sandbox, &["skill", "list"]);
    let names: Vec<_> = listed["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| &skill["name"])
        .collect();
    assert!(names.iter().any(|name| *name == "deploy"), "{names:?}");
    let twice = run(&sandbox, &["skill", "install", "../src", "--yes"]);
    assert_eq!(twice.code, 1);
    assert!(twice.err.contains("--force"), "{}", twice.err);
    let gone = run(&sandbox, &["skill", "uninstall", "deploy", "--yes"]);
    assert!(
        gone.out.starts_with("Gone: ~/.gemini/skills/deploy\n"),
        "{}",
        gone.out
    );
    assert!(!there(&sandbox, "home/.gemini/skills/deploy"));
    json(&sandbox, &["memory", "undo", "--yes"]);
    assert_eq!(fs::read_to_string(sandbox.path(HERE)).unwrap(), SKILL);
    json(&sandbox, &["memory", "undo", "--yes"]);
    assert!(!there(&sandbox, "home/.gemini/skills/deploy"));
}

#[test]
fn a_repository_is_fetched_told_with_its_commit_and_nothing_of_it_is_left() {
    let sandbox = sandbox();
    commit(&sandbox);
    let dir = sandbox.path("src");
    git(&dir, &["checkout", "-q", "-b", "next"]);
    sandbox.write(
        "src/skills/deploy/SKILL.md",
        SKILL.replace("Do it.", "Do it well."),
    );
    git(&dir, &["commit", "-qam", "next"]);
    git(&dir, &["checkout", "-q", "main"]);
    git(
        &sandbox.path("."),
        &["clone", "-q", "--bare", "src", "bare.git"],
    );
    let url = format!("file://{}#next", sandbox.path("src").display());
    let answer = json(&sandbox, &["skill", "install", &url, "--yes"]);
    assert_eq!(answer["source"]["kind"], "repository");
    assert_eq!(answer["source"]["ref"], "next");
    assert_eq!(answer["source"]["commit"].as_str().unwrap().len(), 40);
    assert!(
        fs::read_to_string(sandbox.path(HERE))
            .unwrap()
            .contains("Do it well.")
    );
    assert!(!there(&sandbox, "home/.gemini/skills/deploy/.git"));
    let args = [
        "skill",
        "install",
        "../bare.git",
        "--path",
        "skills/deploy",
        "--force",
        "--yes",
    ];
    let ran = run(&sandbox, &args);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("From /T/bare.git at "), "{}", ran.out);
    assert_eq!(fs::read_to_string(sandbox.path(HERE)).unwrap(), SKILL);
    let fetched = sandbox.path("home/.gemini/analects/fetched");
    assert!(!fetched.exists(), "nothing of the repository is left");
    let none = run(&sandbox, &["skill", "install", "../bare.git#none", "--yes"]);
    assert_eq!(none.code, 1);
    assert!(
        none.err.contains("Remote branch none not found"),
        "{}",
        none.err
    );
    assert!(!fetched.exists(), "also where it failed");
    let evil = run(&sandbox, &["skill", "install", "ext::sh -c id", "--yes"]);
    assert_eq!(evil.code, 42, "{}", evil.err);
}

/// What Python makes of a list of names and texts.
fn package(sandbox: &Sandbox, path: &str, script: &str) {
    let mut python = Command::new("python3");
    let code = format!(
        "import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:\n{script}"
    );
    python.arg("-c").arg(code).arg(sandbox.path(path));
    assert!(python.status().unwrap().success());
}

#[test]
fn a_package_of_another_program_is_installed_and_a_hostile_one_writes_nothing() {
    let sandbox = sandbox();
    let good = format!(
        "    z.writestr('deploy/SKILL.md', {SKILL:?})\n    z.writestr('deploy/references/ä.md', 'x\\n')\n"
    );
    package(&sandbox, "deploy.skill", &good);
    let answer = json(&sandbox, &["skill", "install", "../deploy.skill", "--yes"]);
    assert_eq!(answer["source"]["kind"], "package");
    assert_eq!(fs::read_to_string(sandbox.path(HERE)).unwrap(), SKILL);
    assert!(there(
        &sandbox,
        "home/.gemini/skills/deploy/references/ä.md"
    ));
    json(&sandbox, &["memory", "undo", "--yes"]);
    let start = format!("    z.writestr('SKILL.md', {SKILL:?})\n");
    for evil in [
        "    z.writestr('../../../../escaped', 'x')\n",
        "    z.writestr('/escaped', 'x')\n",
        "    z.writestr('big', '0' * 300_000_000)\n",
        "    i = zipfile.ZipInfo('link'); i.create_system = 3; i.external_attr = 0o120777 << 16\n    z.writestr(i, '/etc/passwd')\n",
        "    z.writestr('skill.md', 'x')\n",
    ] {
        package(&sandbox, "evil.skill", &format!("{start}{evil}"));
        let ran = run(&sandbox, &["skill", "install", "../evil.skill", "--yes"]);
        assert_eq!(ran.code, 1, "{evil}: {}", ran.out);
        assert!(ran.err.contains("cannot be taken"), "{evil}: {}", ran.err);
        assert!(!there(&sandbox, "home/.gemini/skills/deploy"), "{evil}");
        assert!(!there(&sandbox, "escaped") && !there(&sandbox, "home/escaped"));
    }
}

#[test]
fn a_link_is_made_used_and_removed_without_touching_what_it_leads_to() {
    let sandbox = sandbox();
    let args = ["skill", "link", "../src/skills/deploy", "--yes"];
    assert_eq!(run(&sandbox, &args).code, 0);
    let link = sandbox.path("home/.gemini/skills/deploy");
    let target = fs::read_link(&link).unwrap();
    assert_eq!(
        target,
        fs::canonicalize(sandbox.path("src/skills/deploy")).unwrap()
    );
    let listed = run(&sandbox, &["skill", "list"]);
    assert!(listed.out.contains("deploy"), "{}", listed.out);
    assert_eq!(run(&sandbox, &args).code, 1, "a second one of its name");
    let gone = run(&sandbox, &["skill", "uninstall", "deploy", "--yes"]);
    assert!(
        gone.out.contains("what it led to is still there"),
        "{}",
        gone.out
    );
    assert!(fs::symlink_metadata(&link).is_err());
    assert!(there(&sandbox, "src/skills/deploy/scripts/run.sh"));
    json(&sandbox, &["memory", "undo", "--yes"]);
    assert_eq!(fs::read_link(&link).unwrap(), target);
}

#[test]
fn interrupting_a_fetch_ends_git_and_leaves_nothing() {
    let sandbox = sandbox();
    // Says that it runs, and never ends: what `git` runs to reach a host.
    let mark = sandbox.path("mark");
    sandbox.write(
        "bin/ssh",
        format!("#!/bin/sh\necho $$ > {}\nexec sleep 600\n", mark.display()),
    );
    let chmod = Command::new("chmod")
        .arg("+x")
        .arg(sandbox.path("bin/ssh"))
        .status();
    assert!(chmod.unwrap().success());
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", sandbox.path("bin").display());
    let mut command = sandbox.command(&["skill", "install", "git@host.invalid:x.git", "--yes"]);
    // A group of its own stands for the terminal, whose Ctrl-C reaches all who run in it.
    command
        .env("PATH", path)
        .process_group(0)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    while fs::read_to_string(&mark)
        .unwrap_or_default()
        .trim()
        .is_empty()
    {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
        std::thread::yield_now();
    }
    let group = format!("-{}", child.id());
    let killed = Command::new("kill")
        .args(["-s", "INT", "--", &group])
        .status();
    assert!(killed.unwrap().success());
    assert!(!child.wait().unwrap().success());
    let ssh = fs::read_to_string(&mark).unwrap();
    let ssh = Path::new("/proc").join(ssh.trim());
    let fetched = sandbox.path("home/.gemini/analects/fetched");
    // Whoever was told to end does so in its own time.
    let is_left = || fs::read_dir(&fetched).is_ok_and(|left| left.count() > 0);
    while ssh.exists() || is_left() {
        std::thread::yield_now();
    }
    assert!(!there(&sandbox, "home/.gemini/skills"));
}
