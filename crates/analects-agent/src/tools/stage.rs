//! For tests: a workspace in memory with everything a tool works with.

use analects_testkit::{FakeFiles, FakeSearch, Fixture};
use analects_world::files::Trouble;
use analects_world::search::{Grepped, Listed, NoGrep, Search, Seek, Tree, Walked};
use analects_world::{AbsPath, Cancel, Profile};

use super::{Bench, Output, Refusal, Seen, Workspace};

/// A workspace at `/repo`.
pub(crate) struct Stage {
    pub(crate) files: FakeFiles,
    pub(crate) seen: Seen,
    workspace: Workspace,
    cancel: Cancel,
}

pub(crate) fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

impl Stage {
    pub(crate) fn new(fixture: &Fixture) -> Self {
        Self {
            files: FakeFiles::new(fixture),
            seen: Seen::new(),
            workspace: Workspace {
                cwd: path("/repo"),
                roots: vec![path("/repo")],
                readable: vec![path("/out")],
                writable: vec![path("/plans")],
                scope: None,
            },
            cancel: Cancel::new(),
        }
    }

    pub(crate) fn parse(tree: &str) -> Self {
        Self::new(&Fixture::parse(tree))
    }

    pub(crate) fn bench(&self) -> Bench<'_> {
        Bench {
            files: &self.files,
            search: self,
            workspace: &self.workspace,
            ignore_files: &[],
            heeds_git: true,
            measures: analects_chat::reading::Measures::USUAL,
            profile: Profile::Analects,
            cancel: &self.cancel,
        }
    }
}

/// What the model reads, and what a person sees.
pub(crate) fn show(result: &Result<Output, Refusal>) -> String {
    match result {
        Ok(output) => {
            let n_media = output.media.len();
            let media = match n_media {
                0 => String::new(),
                _ => format!(" +{n_media} media"),
            };
            format!("{}\n<{}{media}>\n", output.text, output.shown)
        }
        Err(refusal) => format!("{}: {refusal}\n", refusal.kind.as_str()),
    }
}

impl Search for Stage {
    fn walk(&self, tree: &Tree<'_>, cancel: &Cancel) -> Result<Walked, Trouble> {
        FakeSearch::new(&self.files).walk(tree, cancel)
    }

    fn list(&self, tree: &Tree<'_>, cancel: &Cancel) -> Result<Listed, Trouble> {
        FakeSearch::new(&self.files).list(tree, cancel)
    }

    fn grep(&self, tree: &Tree<'_>, seek: &Seek<'_>, cancel: &Cancel) -> Result<Grepped, NoGrep> {
        FakeSearch::new(&self.files).grep(tree, seek, cancel)
    }
}
