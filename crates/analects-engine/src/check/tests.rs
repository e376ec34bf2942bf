//! Small repositories that are broken, and others that are not.

mod broken;
mod broken_load;
mod clean;
mod fixing;

use std::collections::BTreeSet;
use std::fmt::Write;

use analects_testkit::{FakeDesk, FakeFiles, Fixture, surroundings};

use super::*;
use crate::verbs::Verb;
use crate::verbs::check::{Check, Found};

/// A repository in `/repo`, checked by user `u`.
struct Repo {
    name: &'static str,
    tree: &'static str,
    /// Files that are no text.
    bytes: &'static [(&'static str, &'static [u8])],
    flags: Flags,
}

const TRUSTED: Flags = Flags {
    trust: true,
    no_memory: false,
    dry_run: false,
    yes: false,
};

const fn repo(name: &'static str, tree: &'static str) -> Repo {
    Repo {
        name,
        tree,
        bytes: &[],
        flags: TRUSTED,
    }
}

impl Repo {
    fn desk(&self) -> FakeDesk {
        let mut fixture = Fixture::parse("//- /repo/.git/HEAD\n");
        fixture.entries.extend(Fixture::parse(self.tree).entries);
        for (path, bytes) in self.bytes {
            fixture = fixture.file(path, bytes);
        }
        FakeDesk::new(FakeFiles::new(&fixture))
    }

    fn found(&self) -> Found {
        run(&self.desk(), &Check { fix: false }, &self.flags)
    }

    /// Every finding as `code path:line`.
    fn findings(&self) -> Vec<String> {
        places(&self.found())
    }
}

fn run(desk: &FakeDesk, verb: &Check, flags: &Flags) -> Found {
    let around = surroundings("/repo", "/home/u", &[]);
    verb.run(&desk.world(&around), flags).unwrap()
}

fn places(found: &Found) -> Vec<String> {
    let place = |finding: &crate::verbs::check::Finding| {
        let problem = &finding.problem;
        let path = problem.path.as_deref().unwrap_or("-");
        match problem.line {
            Some(line) => format!("{} {path}:{line}", problem.code),
            None => format!("{} {path}", problem.code),
        }
    };
    found.findings.iter().map(place).collect()
}

/// A repository, and what is found in it, one finding per line.
type Case = (Repo, &'static str);

fn check_all(cases: &[Case]) {
    let mut wrong = String::new();
    for (repo, expected) in cases {
        let found = repo.findings().join("\n");
        if found != expected.trim() {
            writeln!(wrong, "\n== {}\n{found}", repo.name).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_code_has_a_repository_that_is_broken_like_that() {
    let cases: Vec<_> = broken::cases()
        .into_iter()
        .chain(broken_load::cases())
        .collect();
    assert!(cases.len() >= 32, "{}", cases.len());
    let found: BTreeSet<_> = cases
        .iter()
        .flat_map(|(_, expected)| expected.lines())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let all = analects_memory::codes::ALL
        .iter()
        .chain(&check::codes::ALL)
        .chain(&crate::codes::ALL);
    // A walk that was cut is told beside the findings: nobody can mend it.
    let all = all.filter(|code| **code != &check::codes::WALK_CUT);
    // Of hidden characters a lint tells more than the load does, and what somebody denied is no mistake.
    let all = all.filter(|code| **code != &analects_memory::codes::HIDDEN_LEFT_OUT);
    let all = all.filter(|code| **code != &analects_memory::codes::DENIED);
    // What a program left unfinished is no fault of any file, and told beside the findings, too.
    let all = all.filter(|code| **code != &crate::codes::UNFINISHED);
    // Nor is a repository in somebody's home, or whose something is: `load_memory::tests` has these.
    let of_places = [
        &crate::codes::ROOT_REFUSED,
        &crate::codes::FOREIGN_FOLDER,
        &crate::codes::OTHER_REPOSITORY,
        &analects_memory::codes::FOREIGN_FILE,
    ];
    let all = all.filter(|code| !of_places.contains(code));
    let all: BTreeSet<_> = all.map(|code| code.name).collect();
    assert_eq!(found, all);
}

#[test]
fn no_two_problems_have_the_same_code() {
    let all = analects_memory::codes::ALL
        .into_iter()
        .chain(check::codes::ALL)
        .chain(crate::codes::ALL)
        .chain(crate::codes::WRITING)
        .chain(crate::codes::SESSIONS)
        .chain(crate::codes::MODELS)
        .chain(crate::policies::codes::ALL)
        .chain(crate::codes::TALK)
        .chain(crate::codes::LEARN)
        .chain(crate::talk::hook_codes::ALL)
        .chain(crate::talk::agent_codes::ALL)
        .chain(analects_session::codes::ALL)
        .chain(analects_session::foreign::codes::ALL);
    let mut names = BTreeSet::new();
    for code in all {
        assert!(names.insert(code.name), "twice: {}", code.name);
    }
}

#[test]
fn a_project_that_is_too_large_is_checked_as_far_as_we_looked() {
    let mut disk = FakeFiles::new(&Fixture::parse("//- /repo/GEMINI.md\nSee `src/gone.rs`.\n"));
    for i in 0..150 {
        for j in 0..150 {
            let path = AbsPath::new(&format!("/repo/src/d{i}/e{j}")).unwrap();
            disk.put(&path, analects_testkit::Entry::Dir);
        }
    }
    let found = run(&FakeDesk::new(disk), &Check { fix: false }, &TRUSTED);
    assert_eq!(places(&found), Vec::<String>::new());
    let codes: Vec<_> = found.problems.iter().map(|p| p.code.as_str()).collect();
    assert_eq!(codes, ["walk-cut"]);
}
