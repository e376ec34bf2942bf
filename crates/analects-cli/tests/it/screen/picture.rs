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
        let folders = [
            (format!("{}/home", self.real), "/home/ada"),
            (format!("{}/repo", self.real), "/home/ada/pond"),
        ];
        self.keeps(path, |state| {
            let varying = varying(&state.screen().contents());
            let stand_ins: Vec<_> = folders.iter().cloned().chain(varying).collect();
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

/// What is another in every run, and what is shown in its place: the ports of servers, the ids of sessions, and how
/// full a window is, of which the name of a temporary folder takes part.
pub(super) fn varying(text: &str) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for (at, host) in text.match_indices("127.0.0.1:") {
        let rest = text.get(at + host.len()..).unwrap_or_default();
        let port: String = rest.chars().take_while(char::is_ascii_digit).collect();
        found.push((format!("{host}{port}"), "127.0.0.1:54321"));
    }
    for (at, word) in text.match_indices("context ") {
        let rest = text.get(at + word.len()..).unwrap_or_default();
        let Some((full, _)) = rest.split_once(" of ") else {
            continue;
        };
        if full.len() < 20 && !full.starts_with("0 %") {
            found.push((format!("{word}{full} of "), "context 69 % (5.5k of "));
        }
    }
    let is_hex = |word: &&str| {
        word.len() == 8
            && word
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let ids = text.split(|c: char| !c.is_alphanumeric()).filter(is_hex);
    found.extend(ids.map(|id| (id.to_owned(), "0123abcd")));
    found
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it")
}
