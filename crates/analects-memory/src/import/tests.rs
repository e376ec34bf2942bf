//! What becomes of `@path`, in our own profile unless a test says otherwise.
//!
//! Every case is a tree whose `/p/GEMINI.md` is loaded with `/p` as its root; the answer shows the text,
//! the tree of imports and the problems.

mod budget;
mod failures;
mod flat;
mod graphs;
mod once;
mod scope;
mod vectors;

use analects_testkit::{FakeFiles, Fixture, show_problems};
use expect_test::Expect;

use super::*;
use crate::discover::{Candidate, Home};
use crate::label::Labels;
use crate::layer::Layer;
use crate::load::{LoadOptions, Loaded, Loader};

/// A tree and how its `/p/GEMINI.md` is loaded; unless told otherwise, as in a fresh installation.
struct Case {
    disk: FakeFiles,
    format: Format,
    options: LoadOptions,
}

impl Case {
    fn new(fixture: &str) -> Self {
        Self::on(&Fixture::parse(fixture))
    }

    fn on(fixture: &Fixture) -> Self {
        let profile = Profile::Analects;
        let options = LoadOptions {
            import: ImportOptions {
                profile,
                scope: Scope::Root,
                max_depth: 10,
            },
            file_limit_bytes: 512 * 1024,
            load_limit_bytes: 1024 * 1024,
            labels: Labels {
                profile,
                root: abs("/p"),
                cwd: abs("/p"),
                home: abs("/home/u"),
            },
            denied: Denied::default(),
            owners: analects_world::ownership::TrustedOwners::default(),
        };
        Self {
            disk: FakeFiles::new(fixture),
            format: Format::Tree,
            options,
        }
    }

    fn profile(mut self, profile: Profile) -> Self {
        self.options.import.profile = profile;
        self.options.labels.profile = profile;
        self
    }

    fn flat(mut self) -> Self {
        self.format = Format::Flat;
        self
    }

    fn options(mut self, change: impl FnOnce(&mut LoadOptions)) -> Self {
        change(&mut self.options);
        self
    }

    fn load(&self) -> (Vec<Loaded>, Vec<Problem>) {
        let candidate = Candidate {
            path: abs("/p/GEMINI.md"),
            layer: Layer::Project,
            home: Home::Below(abs("/p")),
            import_root: abs("/p"),
        };
        Loader::new(&self.disk, &self.options).load(&[candidate], self.format)
    }

    fn text(&self) -> String {
        self.load().0.remove(0).text
    }

    #[track_caller]
    fn check(self, expected: Expect) {
        let (loaded, problems) = self.load();
        let mut shown = loaded[0].text.clone();
        if !shown.is_empty() && !shown.ends_with('\n') {
            shown.push('\n');
        }
        shown += &tree(&loaded[0].imports, 0);
        shown += &show_problems(&problems);
        expected.assert_eq(&shown);
    }
}

/// The usual case.
#[track_caller]
fn check(fixture: &str, expected: Expect) {
    Case::new(fixture).check(expected);
}

fn tree(nodes: &[ImportNode], depth: usize) -> String {
    let line = |node: &ImportNode| {
        let indent = "  ".repeat(depth);
        format!(
            "= {indent}{} ({} bytes)\n{}",
            node.path,
            node.bytes,
            tree(&node.imports, depth + 1)
        )
    };
    nodes.iter().map(line).collect()
}

fn abs(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}
