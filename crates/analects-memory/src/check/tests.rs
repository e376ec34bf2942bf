//! Trees with something wrong in them, and trees that only look like it.
//!
//! Every memory file of a tree is a page, and so is every file in a directory `notes` or `memory`; the
//! answer shows the findings, with a `+` before those that can be mended.

mod commands;
mod comparing;
mod fixing;
mod paths;
mod repetition;
mod secrets;
mod unreached;
mod whole;

use std::fmt::Write;

use analects_testkit::{FakeFiles, Fixture};
use analects_world::AbsPath;
use analects_world::files::{Want, Within};
use expect_test::Expect;

use super::*;
use crate::discover::{IgnoreOptions, IgnoreScope};
use crate::layer::Layer;

const NAMES: [&str; 3] = ["GEMINI.md", "AGENTS.md", "CLAUDE.md"];

/// A tree, and how to look at it.
struct Look {
    disk: FakeFiles,
    pages: Vec<Page>,
    survey: SurveyOptions,
    options: CheckOptions,
}

impl Look {
    fn at(fixture: &str) -> Self {
        Self::on(&Fixture::parse(fixture))
    }

    fn on(fixture: &Fixture) -> Self {
        let disk = FakeFiles::new(fixture);
        let pages = fixture.entries.iter();
        let pages = pages.filter_map(|(path, _)| page(&disk, path)).collect();
        let labels = Labels {
            profile: Profile::Analects,
            root: abs("/repo"),
            cwd: abs("/repo"),
            home: abs("/home/u"),
        };
        Self {
            disk,
            pages,
            survey: SurveyOptions {
                root: abs("/repo"),
                cwd: abs("/repo"),
                names: NAMES.map(str::to_owned).into(),
                markers: vec![".git".to_owned()],
                ignore: IgnoreOptions {
                    git: false,
                    gemini: true,
                    custom: Vec::new(),
                    scope: IgnoreScope::FromRoot,
                },
                max_dirs: 1000,
            },
            options: CheckOptions {
                profile: Profile::Analects,
                labels,
                large_tokens: 10_000,
                project: Some("acme-shop".to_owned()),
                allowed_secrets: Vec::new(),
            },
        }
    }

    fn findings(&self) -> Vec<Finding> {
        let survey = survey(&self.disk, &self.survey);
        check(
            &self.disk,
            Some(&survey),
            &self.pages,
            Vec::new(),
            &self.options,
        )
    }

    fn check(&self, expected: Expect) {
        let mut shown = String::new();
        for Finding {
            problem,
            is_fixable,
        } in self.findings()
        {
            let sign = if is_fixable { '+' } else { '!' };
            writeln!(shown, "{sign} {}: {problem}", problem.code.name).unwrap();
        }
        expected.assert_eq(&shown);
    }
}

/// The page of a memory file, or of a file in a place for notes or imports.
fn page(disk: &FakeFiles, path: &str) -> Option<Page> {
    let path = abs(path);
    let files: &dyn Files = disk;
    let is_note = path.as_str().contains("/notes/") || path.as_str().contains("/memory/");
    if !NAMES.contains(&path.file_name()) && !is_note {
        return None;
    }
    let want = Want {
        path: &path,
        within: Within::Anywhere,
        limit_bytes: usize::MAX,
    };
    let text = String::from_utf8(files.read_one(want).ok()?.bytes).unwrap();
    let layer = match () {
        () if path.as_str().contains("/.gemini/tmp/") => Layer::Private,
        () if path.is_within(&abs("/home/u/.gemini")) => Layer::Global,
        () => Layer::Project,
    };
    // Notes are imported by the memory file at the root.
    let top = if is_note {
        abs("/repo/GEMINI.md")
    } else {
        path.clone()
    };
    Some(Page::new(path, layer, &top, text))
}

fn abs(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}

fn check_tree(fixture: &str, expected: Expect) {
    Look::at(fixture).check(expected);
}
