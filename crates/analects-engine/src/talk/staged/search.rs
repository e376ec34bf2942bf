//! Trees with what waits in them. Of files that wait, only the new text is looked at.

use std::collections::{BTreeMap, BTreeSet};

use analects_world::files::{Files, Kind, Trouble};
use analects_world::search::{
    Case, Grepped, Listed, ListedEntry, NoGrep, Search, Seek, Sieve, Tree, Walked, WalkedFile,
};
use analects_world::{AbsPath, Cancel};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::grep::{self, Sought};
use super::{Sheet, Staged};

impl Search for Staged<'_> {
    fn list(&self, tree: &Tree<'_>, cancel: &Cancel) -> Result<Listed, Trouble> {
        let below = self.search.list(tree, cancel);
        let waiting = self.waiting(tree).map_err(Trouble::Other)?;
        let Some(waiting) = waiting else { return below };
        let mut listed = match below {
            Err(Trouble::Missing) if waiting.is_dir() => Listed::default(),
            Err(Trouble::Missing) => return Err(Trouble::NotDir),
            below => below?,
        };
        for entry in &mut listed.entries {
            let sheet = waiting.files.get(&waiting.at.join(&entry.name));
            entry.len = sheet.map_or(entry.len, |sheet| Some(sheet.text.len() as u64));
        }
        let children = self.children(&waiting.at).into_iter();
        let new = children.filter(|child| {
            let path = waiting.at.join(&child.name);
            let is_there = self.files.real(&path).is_ok();
            !is_there
                && waiting.globs.lists(&child.name, child.kind)
                && tells(tree, &path, child.kind)
        });
        listed.entries.extend(new.map(|child| {
            ListedEntry {
                len: waiting
                    .files
                    .get(&waiting.at.join(&child.name))
                    .map(|sheet| sheet.text.len() as u64),
                name: child.name,
                kind: child.kind,
            }
        }));
        let rank = |entry: &ListedEntry| (entry.kind != Kind::Dir, entry.name.clone());
        listed.entries.sort_by_key(rank);
        listed.n_more += listed.entries.len().saturating_sub(tree.limit);
        listed.entries.truncate(tree.limit);
        Ok(listed)
    }

    fn walk(&self, tree: &Tree<'_>, cancel: &Cancel) -> Result<Walked, Trouble> {
        let below = self.search.walk(tree, cancel);
        let waiting = self.waiting(tree).map_err(Trouble::Other)?;
        let Some(waiting) = waiting else { return below };
        let mut walked = match below {
            Err(Trouble::Missing) => Walked::default(),
            below => below?,
        };
        for file in &mut walked.files {
            if let Some(sheet) = waiting.files.get(&file.path) {
                file.written_ns = sheet.written_ns;
            }
        }
        let found = waiting.wanted(tree);
        let new = found.filter(|(path, _)| self.files.real(path).is_err());
        walked.files.extend(new.map(|(path, sheet)| WalkedFile {
            path: waiting.said(tree, path),
            written_ns: sheet.written_ns,
        }));
        walked.files.sort_by(|a, b| a.path.cmp(&b.path));
        walked.is_cut |= walked.files.len() > tree.limit;
        walked.files.truncate(tree.limit);
        Ok(walked)
    }

    fn grep(&self, tree: &Tree<'_>, seek: &Seek<'_>, cancel: &Cancel) -> Result<Grepped, NoGrep> {
        let waiting = self.waiting(tree).map_err(NoGrep::Pattern)?;
        let Some(waiting) = waiting else {
            return self.search.grep(tree, seek, cancel);
        };
        let others = Others {
            sieve: tree.sieve,
            waiting: waiting.files.keys().collect(),
        };
        let rest = Tree {
            sieve: Some(&others),
            ..*tree
        };
        let below = match self.search.grep(&rest, seek, cancel) {
            Err(NoGrep::Tree(Trouble::Missing)) => Grepped::default(),
            below => below?,
        };
        let sought = Sought::new(seek).map_err(NoGrep::Pattern)?;
        let mut mine = Vec::new();
        for (path, sheet) in waiting.wanted(tree) {
            mine.push(sought.lines(&waiting.said(tree, path), &sheet.text));
        }
        Ok(grep::merged(below, mine, seek, tree.limit))
    }
}

/// What waits in a tree: at least one file.
struct Waiting {
    /// Where the tree really begins.
    at: AbsPath,
    files: BTreeMap<AbsPath, Sheet>,
    globs: Globs,
}

impl Staged<'_> {
    /// What waits in a tree; `None` if nothing does, or if it begins where it may not.
    fn waiting(&self, tree: &Tree<'_>) -> Result<Option<Waiting>, String> {
        let within = (self as &dyn Files).real_or_same(tree.within);
        let Some(at) = Files::real(self, tree.at).ok() else {
            return Ok(None);
        };
        let files: BTreeMap<_, _> = {
            let sheets = self.sheets();
            let inside = sheets.iter().filter(|(path, _)| path.is_within(&at));
            let copies = inside.map(|(path, sheet)| (path.clone(), sheet.clone()));
            copies.collect()
        };
        if files.is_empty() || !at.is_within(&within) {
            return Ok(None);
        }
        let globs = Globs::new(tree)?;
        Ok(Some(Waiting { at, files, globs }))
    }
}

impl Waiting {
    fn is_dir(&self) -> bool {
        !self.files.contains_key(&self.at)
    }

    /// The files that are wanted and may be looked at.
    fn wanted<'w>(&'w self, tree: &'w Tree<'_>) -> impl Iterator<Item = (&'w AbsPath, &'w Sheet)> {
        self.files.iter().filter(move |(path, _)| {
            let below = match path.relative_to(&self.at) {
                None | Some("") => path.file_name(),
                Some(below) => below,
            };
            self.globs.takes(below) && tells(tree, path, Kind::File)
        })
    }

    /// A path as the tree calls it.
    fn said(&self, tree: &Tree<'_>, path: &AbsPath) -> AbsPath {
        tree.at.join(path.relative_to(&self.at).unwrap_or_default())
    }
}

fn tells(tree: &Tree<'_>, path: &AbsPath, kind: Kind) -> bool {
    tree.sieve.is_none_or(|sieve| sieve.tells(path, kind))
}

/// Everything that may be looked at on the disk: what does not wait.
#[derive(Debug)]
struct Others<'a> {
    sieve: Option<&'a dyn Sieve>,
    waiting: BTreeSet<&'a AbsPath>,
}

impl Sieve for Others<'_> {
    fn tells(&self, path: &AbsPath, kind: Kind) -> bool {
        !self.waiting.contains(path) && self.sieve.is_none_or(|sieve| sieve.tells(path, kind))
    }

    fn enters(&self, dir: &AbsPath) -> bool {
        self.sieve.is_none_or(|sieve| sieve.enters(dir))
    }
}

/// The globs of a tree.
struct Globs {
    only: Option<GlobSet>,
    never: GlobSet,
    never_in: GlobSet,
}

impl Globs {
    fn new(tree: &Tree<'_>) -> Result<Self, String> {
        let inner = tree
            .never
            .iter()
            .filter_map(|glob| glob.strip_suffix("/**"));
        Ok(Self {
            only: match tree.only {
                [] => None,
                only => Some(set(only.iter().map(String::as_str), tree.case)?),
            },
            never: set(tree.never.iter().map(String::as_str), tree.case)?,
            never_in: set(inner, tree.case)?,
        })
    }

    /// Whether a file is wanted, and every directory on the way to it.
    fn takes(&self, below: &str) -> bool {
        let is_wanted = self.only.as_ref().is_none_or(|only| only.is_match(below));
        let dirs = below
            .match_indices('/')
            .filter_map(|(at, _)| below.get(..at));
        is_wanted && !self.never.is_match(below) && !dirs.into_iter().any(|dir| self.shuns(dir))
    }

    fn shuns(&self, dir: &str) -> bool {
        self.never.is_match(dir) || self.never_in.is_match(dir)
    }

    /// Whether a name is listed.
    fn lists(&self, name: &str, kind: Kind) -> bool {
        match kind {
            Kind::Dir => !self.shuns(name),
            Kind::File | Kind::Link | Kind::Special => self.takes(name),
        }
    }
}

fn set<'a>(globs: impl Iterator<Item = &'a str>, case: Case) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let glob = glob.trim_start_matches("./");
        let built = GlobBuilder::new(glob.strip_prefix('/').unwrap_or(glob))
            .literal_separator(true)
            .empty_alternates(true)
            .case_insensitive(case == Case::Insensitive)
            .build();
        set.add(built.map_err(|error| error.kind().to_string())?);
    }
    set.build().map_err(|error| error.kind().to_string())
}
