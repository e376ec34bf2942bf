//! For tests: a workspace in memory with everything a tool works with.

use analects_testkit::{FakeFiles, Fixture};
use analects_world::files::{Files, Kind, Pick, Trouble};
use analects_world::search::{Grepped, NoGrep, Search, Seek, Tree, Walked, WalkedFile};
use analects_world::{AbsPath, Cancel, Profile};
use globset::{GlobBuilder, GlobSetBuilder};

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

/// Walks the tree in memory; a name that begins with `ignored` counts as ignored.
impl Search for Stage {
    fn walk(&self, tree: &Tree<'_>, _: &Cancel) -> Result<Walked, Trouble> {
        let set = |globs: &[String]| {
            let mut set = GlobSetBuilder::new();
            for glob in globs {
                let glob = GlobBuilder::new(glob).literal_separator(true).build();
                set.add(glob.map_err(|error| Trouble::Other(error.to_string()))?);
            }
            set.build()
                .map_err(|error| Trouble::Other(error.to_string()))
        };
        let (only, never) = (set(tree.only)?, set(tree.never)?);
        let files: &dyn Files = &self.files;
        let mut todo = vec![tree.at.clone()];
        let mut walked = Walked::default();
        while let Some(dir) = todo.pop() {
            let pick = Pick {
                subdirs: analects_world::files::Subdirs::Report,
                ..Pick::ending("")
            };
            let listing = files.list_one(&dir, &pick)?;
            todo.extend(listing.subdirs.iter().map(|name| dir.join(name)));
            for found in listing.found {
                let path = dir.join(&found.name);
                let below = path.relative_to(tree.at).unwrap_or_default();
                let is_meant = tree.only.is_empty() || only.is_match(below);
                if found.kind != Kind::File || !is_meant || never.is_match(below) {
                    continue;
                }
                if tree.ignore.git && found.name.starts_with("ignored") {
                    walked.n_ignored += 1;
                } else {
                    let written_ns = 0;
                    walked.files.push(WalkedFile { path, written_ns });
                }
            }
        }
        walked.files.sort_by(|a, b| a.path.cmp(&b.path));
        walked.is_cut = walked.files.len() > tree.limit;
        walked.files.truncate(tree.limit);
        Ok(walked)
    }

    fn grep(&self, _: &Tree<'_>, _: &Seek<'_>, _: &Cancel) -> Result<Grepped, NoGrep> {
        Err(NoGrep::Pattern("nobody greps here".to_owned()))
    }
}
