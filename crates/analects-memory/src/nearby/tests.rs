//! What a path that a tool touches brings in, in our own profile.
//!
//! Start-up memory is loaded first, with nothing below the working directory; then each touched path is
//! shown with what it brought in.

mod again;
mod always;
mod border;
mod live;
mod said;

use std::fmt::Write;

use analects_testkit::{FakeFiles, Fixture, show_problems};
use expect_test::{Expect, expect};

use super::*;
use crate::discover::{Denied, Depth, IgnoreOptions, IgnoreScope, Include, discover};
use crate::import::{Format, ImportOptions, Scope};
use crate::label::Labels;
use crate::load::LoadOptions;

/// A conversation started in a directory.
struct Talk {
    disk: FakeFiles,
    places: Places,
    options: DiscoverOptions,
    limit_tokens: usize,
}

impl Talk {
    fn new(cwd: &str, fixture: &str) -> Self {
        let strings = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let places = Places {
            cwd: abs(cwd),
            home: abs("/home/u"),
            private: Vec::new(),
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
            startup_depth: Depth::Levels(0),
            max_dirs: 200,
            ignore: IgnoreOptions {
                git: true,
                gemini: true,
                custom: Vec::new(),
                scope: IgnoreScope::FromRoot,
            },
        };
        let disk = FakeFiles::new(&Fixture::parse(fixture));
        Self {
            disk,
            places,
            options,
            limit_tokens: 1000,
        }
    }

    fn places(mut self, change: impl FnOnce(&mut Places)) -> Self {
        change(&mut self.places);
        self
    }

    /// Touches the paths one after the other.
    fn touch(&self, paths: &[&str]) -> Vec<Nearby> {
        let discovered = discover(&self.disk, &self.places, &self.options);
        let load = load_options(Profile::Analects, &discovered.root, &self.places);
        let mut loader = Loader::new(&self.disk, &load);
        loader.load(&discovered.candidates, Format::Tree);
        let mut touch = |path: &&str| {
            let path = abs(path);
            nearby(
                &self.disk,
                &self.places,
                &self.options,
                &mut loader,
                &[path],
                self.limit_tokens,
            )
        };
        paths.iter().map(&mut touch).collect()
    }

    /// Touches the paths and lists the files that each brings in.
    #[track_caller]
    fn check(self, paths: &[&str], expected: Expect) {
        let mut shown = String::new();
        for (path, near) in paths.iter().zip(self.touch(paths)) {
            writeln!(shown, "touch {path}").unwrap();
            for fragment in &near.fragments {
                let (layer, path) = (fragment.layer.name(), &fragment.block.path);
                writeln!(shown, "  {layer} {path}").unwrap();
            }
            shown += &show_problems(&near.problems);
        }
        expected.assert_eq(&shown);
    }
}

fn load_options(profile: Profile, root: &AbsPath, places: &Places) -> LoadOptions {
    LoadOptions {
        import: ImportOptions {
            profile,
            scope: Scope::Root,
            max_depth: 10,
        },
        file_limit_bytes: 512 * 1024,
        load_limit_bytes: 1024 * 1024,
        labels: Labels {
            profile,
            root: root.clone(),
            cwd: places.cwd.clone(),
            home: places.home.clone(),
        },
        denied: places.denied.clone(),
        owners: analects_world::ownership::TrustedOwners::default(),
    }
}

/// Touches the paths of a conversation started in `/repo`.
#[track_caller]
fn check(fixture: &str, paths: &[&str], expected: Expect) {
    Talk::new("/repo", fixture).check(paths, expected);
}

fn abs(path: &str) -> AbsPath {
    AbsPath::new(path).unwrap()
}

const REPO: &str = "
//- /repo/.git/
//- /repo/GEMINI.md
root
//- /repo/api/GEMINI.md
api
//- /repo/api/.gemini/GEMINI.md
api, dotted
//- /repo/api/v1/AGENTS.md
v1
//- /repo/api/v1/handler.go
//- /repo/web/CLAUDE.md
web
";

#[test]
fn every_directory_from_the_root_down_to_the_path_speaks_outermost_first() {
    check(
        REPO,
        &["/repo/api/v1/handler.go"],
        expect![[r#"
        touch /repo/api/v1/handler.go
          project /repo/api/GEMINI.md
          project /repo/api/.gemini/GEMINI.md
          project /repo/api/v1/AGENTS.md
    "#]],
    );
}

#[test]
fn what_was_brought_in_once_is_not_brought_in_again() {
    check(
        REPO,
        &[
            "/repo/api/x.go",
            "/repo/api/v1/handler.go",
            "/repo/api/v1/handler.go",
            "/repo/api",
        ],
        expect![[r#"
            touch /repo/api/x.go
              project /repo/api/GEMINI.md
              project /repo/api/.gemini/GEMINI.md
            touch /repo/api/v1/handler.go
              project /repo/api/v1/AGENTS.md
            touch /repo/api/v1/handler.go
            touch /repo/api
        "#]],
    );
}

#[test]
fn what_start_up_loaded_is_not_brought_in_again() {
    Talk::new("/repo/api", REPO).check(
        &["/repo/README.md", "/repo/api/x"],
        expect![[r#"
        touch /repo/README.md
        touch /repo/api/x
    "#]],
    );
}

#[test]
fn a_directory_stands_for_itself() {
    check(
        REPO,
        &["/repo/web", "/repo/api/v1"],
        expect![[r#"
        touch /repo/web
          project /repo/web/CLAUDE.md
        touch /repo/api/v1
          project /repo/api/GEMINI.md
          project /repo/api/.gemini/GEMINI.md
          project /repo/api/v1/AGENTS.md
    "#]],
    );
}

#[test]
fn a_file_that_does_not_exist_yet_counts_where_it_will_be() {
    check(
        REPO,
        &["/repo/web/new/deep/page.tsx", "/repo/api/v1/new.go"],
        expect![[r#"
        touch /repo/web/new/deep/page.tsx
          project /repo/web/CLAUDE.md
        touch /repo/api/v1/new.go
          project /repo/api/GEMINI.md
          project /repo/api/.gemini/GEMINI.md
          project /repo/api/v1/AGENTS.md
    "#]],
    );
}

#[test]
fn a_file_on_the_way_stands_for_its_directory() {
    check(
        REPO,
        &["/repo/api/v1/handler.go/impossible"],
        expect![[r#"
        touch /repo/api/v1/handler.go/impossible
          project /repo/api/GEMINI.md
          project /repo/api/.gemini/GEMINI.md
          project /repo/api/v1/AGENTS.md
    "#]],
    );
}

#[test]
fn ignored_directories_speak_when_they_are_touched() {
    let fixture = format!(
        "{REPO}//- /repo/.geminiignore\nweb/\n//- /repo/.gitignore\nweb/\n//- /repo/node_modules/x/GEMINI.md\nx\n"
    );
    check(
        &fixture,
        &["/repo/web/a.ts", "/repo/node_modules/x/index.js"],
        expect![[r#"
        touch /repo/web/a.ts
          project /repo/web/CLAUDE.md
        touch /repo/node_modules/x/index.js
          project /repo/node_modules/x/GEMINI.md
    "#]],
    );
}
