//! Screens that are kept: as text beside the tests, and as pictures in the guide.
//!
//! `UPDATE_EXPECT=1` writes what is seen once nothing more comes; else a screen has time to become as it is kept.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use expect_test::expect_file;

use super::line::State;
use super::{PATIENCE, Screen, svg};

/// How long nothing is written before a screen is taken to be complete; only while files are written anew.
const CALM: Duration = Duration::from_millis(700);

impl Screen {
    /// Waits until the screen is as `tests/it/screens/NAME.txt` has it.
    pub(crate) fn shows(&self, name: &str) -> &Self {
        let path = tests().join("screens").join(name).with_extension("txt");
        self.keeps(path, |state| self.shown(state.screen()))
    }

    /// Waits until the screen is as the picture `docs/guide/screens/NAME.svg` has it.
    pub(crate) fn pictured(&self, name: &str, title: &str) -> &Self {
        let guide = tests().join("../../../../docs/guide/screens");
        let path = guide.join(name).with_extension("svg");
        let stand_ins = [
            (format!("{}/home", self.real), "/home/ada"),
            (format!("{}/repo", self.real), "/home/ada/pond"),
        ];
        self.keeps(path, |state| {
            svg::draw(&svg::Picture {
                screen: state.screen(),
                title,
                stand_ins: &stand_ins,
            })
        })
    }

    fn keeps(&self, path: PathBuf, draw: impl Fn(&State) -> String) -> &Self {
        if env::var_os("UPDATE_EXPECT").is_some() {
            self.settle();
            fs::create_dir_all(path.parent().unwrap()).unwrap();
        } else {
            let kept = fs::read_to_string(&path).unwrap_or_default();
            // What differs is told below.
            let _ = self.line.wait(PATIENCE, |state| draw(state) == kept);
        }
        let drawn = draw(&self.line.state());
        expect_file![path].assert_eq(&drawn);
        self
    }

    /// Waits until nothing more comes.
    fn settle(&self) {
        loop {
            let n_bytes = self.line.state().raw.len();
            let more = |state: &State| state.raw.len() > n_bytes;
            if self.line.wait(CALM, more).is_err() {
                return;
            }
        }
    }
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it")
}
