//! Which files are found for a directory, in our own profile.
//!
//! Every case is a tree and the question asked of it; the answer shows the root, each candidate with
//! its layer, and the problems.

mod boundary;
mod denied;
mod depth;
mod ignore_files;
mod ignoring;
mod layers;
mod odd_entries;
mod order;

use std::fmt::Write;

use analects_testkit::{FakeFiles, Fixture, show_problems};
use expect_test::Expect;

use super::*;

/// A tree and a question about it; unless told otherwise, the one a fresh installation asks.
struct Look {
    disk: FakeFiles,
    places: Places,
    options: DiscoverOptions,
}

impl Look {
    /// Looks from `cwd`, as user `u`, at the tree that `fixture` describes.
    fn from(cwd: &str, fixture: &str) -> Self {
        Self::on(FakeFiles::new(&Fixture::parse(fixture)), cwd)
    }

    fn on(disk: FakeFiles, cwd: &str) -> Self {
        let strings = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let places = Places {
            cwd: abs(cwd),
            home: abs("/home/u"),
            private: vec![abs("/home/u/.gemini/tmp/repo/memory")],
            extensions: Vec::new(),
            include: Vec::new(),
            top: None,
            trust: Trust::Trusted,
            denied: Denied::default(),
        };
        let options = DiscoverOptions {
            profile: Profile::Analects,
            names: strings(&["GEMINI.md", "AGENTS.md", "CLAUDE.md"]),
            own_names: None,
            markers: strings(&[".git"]),
            startup_depth: Depth::Levels(1),
            max_dirs: 200,
            ignore: IgnoreOptions {
                git: false,
                gemini: true,
                custom: Vec::new(),
                scope: IgnoreScope::FromRoot,
            },
        };
        Self {
            disk,
            places,
            options,
        }
    }

    fn places(mut self, change: impl FnOnce(&mut Places)) -> Self {
        change(&mut self.places);
        self
    }

    fn options(mut self, change: impl FnOnce(&mut DiscoverOptions)) -> Self {
        change(&mut self.options);
        self
    }

    fn depth(self, depth: Depth) -> Self {
        self.options(|options| options.startup_depth = depth)
    }

    fn names(self, names: &[&str]) -> Self {
        self.options(|options| options.names = names.iter().map(|&name| name.to_owned()).collect())
    }

    fn markers(self, markers: &[&str]) -> Self {
        self.options(|options| {
            options.markers = markers.iter().map(|&marker| marker.to_owned()).collect();
        })
    }

    fn discover(&self) -> Discovered {
        discover(&self.disk, &self.places, &self.options)
    }

    #[track_caller]
    fn check(self, expected: Expect) {
        expected.assert_eq(&shown(&self.discover()));
    }
}

/// The usual question about a tree, asked in `/repo`.
#[track_caller]
fn check(fixture: &str, expected: Expect) {
    Look::from("/repo", fixture).check(expected);
}

fn shown(discovered: &Discovered) -> String {
    let mut shown = format!("root {}\n", discovered.root);
    for candidate in &discovered.candidates {
        writeln!(shown, "{} {}", candidate.layer.name(), candidate.path).unwrap();
    }
    shown + &show_problems(&discovered.problems)
}

fn abs(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}
