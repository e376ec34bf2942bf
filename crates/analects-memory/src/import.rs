//! Expands `@path` in memory files.
//!
//! Two formats: *tree* puts the imported text in place of the token, *flat* leaves the token and lists
//! every file once. Each file is opened once and judged by its handle, so no link or race leads out of
//! the root; a file is expanded once per load, so that a diamond or a wide chain costs linear time.

mod flat;
mod token;
mod tree;

use std::collections::HashMap;

use analects_text::lines::LineIndex;
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::Profile;
use analects_world::files::{Files, Trouble, Want, Within};

use crate::codes;
use crate::discover::{Denied, is_text_name};
use crate::load::{Purse, Seen, Source, Sources, Stands};

/// How imports are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// In place, between two comments.
    Tree,
    /// One block a file, after the file that asked for it.
    Flat,
}

/// Where an imported file may lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Anywhere below the root of the file that started the import.
    Root,
    /// Below the directory of the importing file: the stricter rule of `Profile::Seed`.
    Directory,
}

/// How to import.
#[derive(Debug, Clone, Copy)]
pub struct ImportOptions {
    /// Whose rules apply.
    pub profile: Profile,
    /// Where imported files may lie.
    pub scope: Scope,
    /// How many levels are followed.
    pub max_depth: usize,
}

/// A memory file with its imports in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The text, our own delimiters in it made harmless.
    pub text: String,
    /// The files that came in, as a tree.
    pub imports: Vec<ImportNode>,
}

/// A file that was imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportNode {
    /// The file.
    pub path: AbsPath,
    /// Its length on disk.
    pub bytes: u64,
    /// What its own text costs, without what it imported.
    pub tokens: usize,
    /// What it imported in turn.
    pub imports: Vec<Self>,
}

impl ImportNode {
    fn new(source: &Source, imports: Vec<Self>) -> Self {
        let tokens = analects_text::tokens::estimate(&source.text);
        Self {
            path: source.path.clone(),
            bytes: source.bytes,
            tokens,
            imports,
        }
    }
}

/// The file whose imports are expanded.
pub(crate) struct Top<'a> {
    pub(crate) source: &'a Source,
    /// Where imports must lie.
    pub(crate) root: &'a AbsPath,
    /// Directories that they must not come from, if the file is the project's.
    pub(crate) denied: Option<&'a Denied>,
}

/// Whether a text may mean something else in another directory.
pub(crate) fn may_import(text: &str, profile: Profile) -> bool {
    !token::shaped(text, profile).is_empty()
}

/// The files that a text in `dir` asks for, with the places of their tokens.
pub(crate) fn wanted(text: &str, dir: &AbsPath, profile: Profile) -> Vec<(usize, AbsPath)> {
    token::tokens(text, profile)
        .iter()
        .map(|token| (token.at, dir.join(&token.path(profile))))
        .collect()
}

/// Everything an expansion shares with the rest of the load.
pub(crate) struct Importer<'a> {
    pub(crate) files: &'a dyn Files,
    pub(crate) options: ImportOptions,
    pub(crate) format: Format,
    pub(crate) sources: &'a Sources<'a>,
    pub(crate) seen: &'a mut Seen,
    pub(crate) purse: &'a mut Purse,
    pub(crate) problems: &'a mut Vec<Problem>,
    /// What each path turned out to be, so that a token repeated a thousand times is opened once.
    known: HashMap<(AbsPath, AbsPath), Outcome>,
}

/// What became of a path.
#[derive(Debug, Clone)]
enum Outcome {
    /// It is in the load already.
    Loaded,
    /// It cannot be loaded, for this reason.
    Failed(Reason),
}

/// Why an import did not load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reason {
    Trouble(Trouble),
    Outside,
    Denied,
    TooDeep,
    NoBudget,
}

impl Reason {
    /// The short reason that stands in the prompt and in the problem.
    fn short(&self) -> String {
        match self {
            Self::Trouble(trouble) => trouble.to_string(),
            Self::Outside => "outside the allowed directory".to_owned(),
            Self::Denied => "from a folder marked DO_NOT_TRUST".to_owned(),
            Self::TooDeep => "imports nested too deeply".to_owned(),
            Self::NoBudget => "the memory limit is used up".to_owned(),
        }
    }

    /// What the original writes: the message of Node's error, absolute path included.
    fn as_node(&self, path: &AbsPath) -> String {
        match self {
            Self::Trouble(Trouble::Missing) => {
                format!("ENOENT: no such file or directory, access '{path}'")
            }
            Self::Trouble(Trouble::Denied) => format!("EACCES: permission denied, access '{path}'"),
            Self::Trouble(Trouble::NotDir) => format!("ENOTDIR: not a directory, access '{path}'"),
            Self::Trouble(Trouble::TooLong) => {
                format!("ENAMETOOLONG: name too long, access '{path}'")
            }
            Self::Trouble(Trouble::IsDir) => {
                "EISDIR: illegal operation on a directory, read".to_owned()
            }
            Self::Outside | Self::Trouble(Trouble::Outside | Trouble::Loop) => {
                "Path traversal attempt".to_owned()
            }
            Self::Trouble(_) | Self::Denied | Self::TooDeep | Self::NoBudget => self.short(),
        }
    }
}

/// What following a token led to.
enum Followed {
    /// A file to expand now.
    New(Source),
    /// A file that is in the load already.
    Again,
    /// Nothing.
    Failed(Reason),
}

impl<'a> Importer<'a> {
    pub(crate) fn new(
        files: &'a dyn Files,
        (options, format): (ImportOptions, Format),
        sources: &'a Sources<'a>,
        seen: &'a mut Seen,
        purse: &'a mut Purse,
        problems: &'a mut Vec<Problem>,
    ) -> Self {
        let max_depth = options.max_depth.min(MAX_NESTED);
        let options = ImportOptions {
            max_depth,
            ..options
        };
        Self {
            files,
            options,
            format,
            sources,
            seen,
            purse,
            problems,
            known: HashMap::new(),
        }
    }

    /// Expands the imports of one top-level file.
    pub(crate) fn expand(&mut self, top: &Top<'_>) -> Imported {
        match self.format {
            Format::Tree => tree::expand(self, top),
            Format::Flat => flat::expand(self, top),
        }
    }

    /// Opens what a token in `from` names, unless it is in the load already.
    fn follow(&mut self, target: &AbsPath, from: &AbsPath, top: &Top<'_>) -> Followed {
        let root = match self.options.scope {
            Scope::Root => top.root.clone(),
            Scope::Directory => from.parent().unwrap_or_else(AbsPath::root),
        };
        let key = (target.clone(), root);
        match self.known.get(&key) {
            Some(Outcome::Failed(reason)) => return Followed::Failed(reason.clone()),
            Some(Outcome::Loaded) => return Followed::Again,
            None => {}
        }
        let followed = self.open(target, &key.1, top);
        let outcome = match &followed {
            // The original expands a file as often as it is named.
            Followed::New(_) | Followed::Again if self.options.profile == Profile::Head => None,
            Followed::New(_) | Followed::Again => Some(Outcome::Loaded),
            // Not the target's fault: an empty purse says nothing about the file.
            Followed::Failed(Reason::NoBudget) => None,
            Followed::Failed(reason) => Some(Outcome::Failed(reason.clone())),
        };
        self.known.extend(outcome.map(|outcome| (key, outcome)));
        followed
    }

    fn open(&mut self, target: &AbsPath, root: &AbsPath, top: &Top<'_>) -> Followed {
        let block = &top.source.path;
        // Not even opened: to open some devices is to do something.
        if !target.is_within(root) && !target.is_within(&self.files.real_or_same(root)) {
            return Followed::Failed(Reason::Outside);
        }
        let denied = top
            .denied
            .and_then(|denied| denied.behind(self.files, target));
        if denied.is_some() {
            return Followed::Failed(Reason::Denied);
        }
        if !self.purse.may_import() {
            return Followed::Failed(Reason::NoBudget);
        }
        if top.denied.is_some() && !self.leads_to_text(target) {
            return Followed::Failed(Reason::Denied);
        }
        let want = Want {
            path: target,
            within: Within::Root(root),
            limit_bytes: self.sources.file_limit_bytes,
        };
        let profile = self.options.profile;
        let blob = match self.files.read_one(want) {
            Ok(blob) => blob,
            Err(Trouble::Outside) => return Followed::Failed(Reason::Outside),
            Err(trouble) => {
                if profile != Profile::Head {
                    self.seen.miss(block, target, root);
                }
                return Followed::Failed(Reason::Trouble(trouble));
            }
        };
        self.purse.has_read(&blob.bytes);
        if profile == Profile::Head {
            let source = self.sources.source(target, blob, self.purse, self.problems);
            return Followed::New(source);
        }
        let stands = |place: &AbsPath, version| Stands::In(place.clone(), version);
        if let Some((version, place)) = self.seen.of_file(&blob, profile) {
            let stands = stands(place, version);
            self.seen.add(block, target, Some(root), stands);
            return Followed::Again;
        }
        let source = self.sources.source(target, blob, self.purse, self.problems);
        let version = source.version(profile);
        if let Some(place) = self.seen.of_text(&source, &version) {
            let stands = stands(place, version);
            self.seen.add(block, target, Some(root), stands);
            self.purse.refund(&source.text);
            return Followed::Again;
        }
        self.seen.say(block, Some(root), &source, version);
        Followed::New(source)
    }

    /// False for a link whose target is not called like a text, as a `.env` beside the memory of a project.
    fn leads_to_text(&self, target: &AbsPath) -> bool {
        if self.options.profile == Profile::Head {
            return true;
        }
        let real = self.files.real_or_same(target);
        is_text_name(real.file_name()) || real.file_name() == target.file_name()
    }

    /// What becomes of a token that stands too deep to be followed: its file may be in the load already.
    fn too_deep(&self, target: &AbsPath) -> Followed {
        let is_said = || {
            let id = self.files.identify(target).ok()?.id;
            self.seen.of_id(id).map(|_| ())
        };
        // The seeds look at the depth first.
        match self.options.profile == Profile::Analects && is_said().is_some() {
            true => Followed::Again,
            false => Followed::Failed(Reason::TooDeep),
        }
    }

    /// Notes an import that did not load, with the line it stands on.
    fn failed(&mut self, source: &Source, lines: &LineIndex, token: &token::Token<'_>, why: &str) {
        let message = format!("`@{}` did not load: {why}", token.written);
        let problem = Problem::new(&codes::IMPORT_FAILED, message);
        self.problems
            .push(problem.in_file(&source.path).on_line(lines.line(token.at)));
    }

    /// Notes how many more imports of a file did not load.
    fn more_failed(&mut self, source: &Source, n_more: usize) {
        let message = format!("{n_more} more imports of this file did not load");
        self.problems
            .push(Problem::new(&codes::IMPORT_FAILED, message).in_file(&source.path));
    }
}

/// A tree is expanded by recursion; whatever a setting says, it nests no deeper than this.
const MAX_NESTED: usize = 100;

/// At most this many failed imports of one file are reported one by one.
const MAX_REPORTED: usize = 50;

#[cfg(test)]
mod tests;
