//! Finds the memory files that apply to a directory.
//!
//! Four layers, each with its own places. Reads no memory, only ignore files: see `load`. The order of
//! the answer depends on names and depth alone, never on the order in which a disk lists its entries.

mod boundary;
mod candidate;
mod denied;
mod ignored;
mod scan;

use std::collections::HashMap;

use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::Profile;
use analects_world::files::{Files, Found, Kind, Pick, Trouble};

pub(crate) use boundary::is_text_name;
pub use boundary::{plain, project_root};
pub use candidate::{Candidate, Home};
pub use denied::Denied;
pub use ignored::{IgnoreOptions, IgnoreScope, Rules};
pub use scan::NEVER_ENTERED;

use crate::codes;
use crate::layer::Layer;

/// Where to look, as far as the caller knows it.
#[derive(Debug, Clone)]
pub struct Places {
    /// The working directory.
    pub cwd: AbsPath,
    /// The directory that holds `.gemini`.
    pub home: AbsPath,
    /// Private folders of this project, in reading order.
    pub private: Vec<AbsPath>,
    /// Context files of active extensions, in reading order.
    pub extensions: Vec<ExtensionFile>,
    /// Further workspace directories, already known to be trusted.
    pub include: Vec<Include>,
    /// The highest directory that may be the project's root: what lies above it was not trusted. None if only the
    /// markers decide.
    pub top: Option<AbsPath>,
    /// Whether the project's own text may be read at all.
    pub trust: Trust,
    /// Directories whose text is not read even so.
    pub denied: Denied,
}

/// A further directory of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Include {
    /// The directory.
    pub dir: AbsPath,
    /// The directory that was trusted: what lies above it was not, though it be the same project. None if it is not
    /// known to end anywhere.
    pub top: Option<AbsPath>,
}

impl From<AbsPath> for Include {
    /// A directory whose project is trusted as a whole.
    fn from(dir: AbsPath) -> Self {
        Self { dir, top: None }
    }
}

/// A context file that an extension declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtensionFile {
    /// The file.
    pub path: AbsPath,
    /// The extension's directory, which the file must not leave.
    pub root: AbsPath,
}

/// Whether a project is trusted, so that its own files may be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Its files are read.
    Trusted,
    /// Nothing below its root is read.
    Untrusted,
}

/// How to look.
#[derive(Debug, Clone)]
pub struct DiscoverOptions {
    /// Whose rules apply.
    pub profile: Profile,
    /// Names of memory files, in order.
    pub names: Vec<String>,
    /// Their names in the user's own folders, in order, where these are others: a project may call its own files as it
    /// likes, but there its names could mean anything, keys among them.
    pub own_names: Option<Vec<String>>,
    /// Names that mark a project's root.
    pub markers: Vec<String>,
    /// How far below the working directory to look at start.
    pub startup_depth: Depth,
    /// At most this many directories are scanned.
    pub max_dirs: usize,
    /// What the scan passes over.
    pub ignore: IgnoreOptions,
}

/// How far below the working directory a scan goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// How many levels.
    Levels(usize),
    /// Everything.
    All,
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Discovered {
    /// The project's root: the nearest boundary, or the working directory itself.
    pub root: AbsPath,
    /// All candidates in reading order.
    pub candidates: Vec<Candidate>,
    /// What could not be looked at.
    pub problems: Vec<Problem>,
}

/// The root of the project that `dir` belongs to: the nearest boundary, or `dir` itself.
#[must_use]
pub fn root_of(
    files: &dyn Files,
    dir: &AbsPath,
    home: &AbsPath,
    options: &DiscoverOptions,
) -> AbsPath {
    let (root, _) = boundary::project_root(files, dir, &options.markers, Some(home));
    root.unwrap_or_else(|| dir.clone())
}

/// `top` where it lies between `root` and `dir`, else `root`.
fn lowered(root: AbsPath, dir: &AbsPath, top: Option<&AbsPath>) -> AbsPath {
    let top = top.filter(|top| top.is_within(&root) && dir.is_within(top));
    top.cloned().unwrap_or(root)
}

/// Finds every memory file of all four layers.
#[must_use]
pub fn discover(files: &dyn Files, places: &Places, options: &DiscoverOptions) -> Discovered {
    let mut search = Search::new(files, places, options);
    let root = search.root_of_cwd();
    let mut candidates = search.global();
    candidates.extend(search.private());
    candidates.extend(search.extensions());
    // What belongs to the user comes first, so that a project cannot use up the byte budget of a load.
    candidates.extend(search.private_in_project(&root));
    candidates.extend(search.project(&root));
    Discovered {
        root,
        candidates,
        problems: search.problems,
    }
}

/// One search: the door, the question, and what went wrong on the way.
pub(crate) struct Search<'a> {
    pub(crate) files: &'a dyn Files,
    pub(crate) places: &'a Places,
    pub(crate) options: &'a DiscoverOptions,
    /// Wanted names in order, `<dir>/X` before `<dir>/.gemini/X`.
    pub(crate) spots: Vec<String>,
    pub(crate) problems: Vec<Problem>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        files: &'a dyn Files,
        places: &'a Places,
        options: &'a DiscoverOptions,
    ) -> Self {
        let mut search = Self {
            files,
            places,
            options,
            spots: Vec::new(),
            problems: Vec::new(),
        };
        for name in &options.names {
            let Some(name) = boundary::plain(name) else {
                let message = format!("memory file name `{name}` leads out of its directory");
                search
                    .problems
                    .push(Problem::new(&codes::UNSAFE_NAME, message));
                continue;
            };
            search.add_spot(name.clone());
            if options.profile != Profile::Head {
                search.add_spot(format!(".gemini/{name}"));
            }
        }
        search
    }

    fn add_spot(&mut self, spot: String) {
        if !self.spots.contains(&spot) {
            self.spots.push(spot);
        }
    }

    pub(crate) fn root(&mut self, dir: &AbsPath) -> AbsPath {
        let (root, problems) = boundary::project_root(
            self.files,
            dir,
            &self.options.markers,
            Some(&self.places.home),
        );
        // Every workspace directory is asked with the same markers.
        for problem in problems {
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
        root.unwrap_or_else(|| dir.clone())
    }

    /// Finds the root of the working directory, no higher than the trust in it reaches.
    pub(crate) fn root_of_cwd(&mut self) -> AbsPath {
        let places = self.places;
        let root = self.root(&places.cwd);
        lowered(root, &places.cwd, places.top.as_ref())
    }

    /// Finds the root of a further directory, no higher than the trust in it reaches.
    pub(crate) fn root_of_include(&mut self, include: &Include) -> AbsPath {
        let root = self.root(&include.dir);
        lowered(root, &include.dir, include.top.as_ref())
    }

    fn global(&mut self) -> Vec<Candidate> {
        let dir = self.places.home.join(".gemini");
        let mut names = self.own_names();
        // Only the documents behind `Profile::Seed` mention this one; read where it exists, never written.
        if self.options.profile != Profile::Head {
            names.push("memory.md".to_owned());
        }
        self.own_files(&dir, &names, Layer::Global)
    }

    fn private(&mut self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for dir in &self.places.private {
            let mut names = vec!["MEMORY.md".to_owned()];
            names.extend(self.own_names());
            let mut found = self.own_files(dir, &names, Layer::Private);
            if self.options.profile == Profile::Head && self.has_index(&found) {
                found.truncate(1);
            }
            candidates.extend(found);
        }
        candidates
    }

    /// Whether an index stands first that leads somewhere.
    fn has_index(&self, found: &[Candidate]) -> bool {
        let is_index = |first: &Candidate| {
            first.path.file_name() == "MEMORY.md" && self.files.real(&first.path).is_ok()
        };
        found.first().is_some_and(is_index)
    }

    /// `<root>/.gemini/memory/*.md`: where `Profile::Seed` keeps notes that are not committed.
    fn private_in_project(&mut self, root: &AbsPath) -> Vec<Candidate> {
        let is_read = self.places.trust == Trust::Trusted && self.options.profile != Profile::Head;
        if !is_read || self.is_home(root) {
            return Vec::new();
        }
        let dir = root.join(".gemini/memory");
        let pick = Pick::ending(".md");
        let Some(mut found) = self.list(&dir, &pick) else {
            return Vec::new();
        };
        found.sort();
        self.candidates(&dir, found, Layer::Private, root)
    }

    fn extensions(&self) -> Vec<Candidate> {
        if self.places.trust == Trust::Untrusted && self.options.profile != Profile::Head {
            return Vec::new();
        }
        let candidate = |file: &ExtensionFile| Candidate {
            path: file.path.clone(),
            layer: Layer::Extension,
            home: Home::Below(file.root.clone()),
            import_root: file.root.clone(),
        };
        self.places.extensions.iter().map(candidate).collect()
    }

    fn project(&mut self, root: &AbsPath) -> Vec<Candidate> {
        if self.places.trust == Trust::Untrusted {
            return Vec::new();
        }
        let mut candidates = Vec::new();
        for include in &self.places.include {
            let dir = &include.dir;
            if let Err(trouble) = self.files.require_dir(dir) {
                self.unlisted(dir, &trouble);
                continue;
            }
            let root = self.root_of_include(include);
            candidates.extend(self.workspace(dir, &root));
        }
        candidates.extend(self.workspace(&self.places.cwd, root));
        candidates
    }

    /// The project files of one workspace directory: the chain down to it, then what lies below.
    fn workspace(&mut self, dir: &AbsPath, root: &AbsPath) -> Vec<Candidate> {
        if self.is_home(dir) {
            return Vec::new();
        }
        let mut candidates = self.chain(dir, root);
        candidates.extend(scan::below(self, dir, root));
        candidates
    }

    /// True for home and for what lies around it: neither is ever a project, however it is reached. Gemini CLI dropped
    /// the rule about home itself together with its downward scan.
    pub(crate) fn is_home(&self, dir: &AbsPath) -> bool {
        let has_rule =
            self.options.profile != Profile::Head || self.options.startup_depth != Depth::Levels(0);
        let (dir, home) = (
            self.files.real_or_same(dir),
            self.files.real_or_same(&self.places.home),
        );
        home.is_within(&dir) && (has_rule || dir != home)
    }

    /// Memory files from `root` down to `dir`, outermost first. Not filtered by ignore rules.
    pub(crate) fn chain(&mut self, dir: &AbsPath, root: &AbsPath) -> Vec<Candidate> {
        self.chains(&[(dir.clone(), root.clone())])
    }

    /// Memory files on the way down from each root to its directory: every directory once, outermost
    /// first, and in the order of their paths where they are equally deep.
    pub(crate) fn chains(&mut self, ends: &[(AbsPath, AbsPath)]) -> Vec<Candidate> {
        let global = self.places.home.join(".gemini");
        let mut roots = HashMap::new();
        for (dir, root) in ends {
            let on_the_way = dir
                .ancestors()
                .take_while(|dir| dir.is_within(root) && *dir != global);
            for dir in on_the_way {
                roots.entry(dir).or_insert(root);
            }
        }
        let mut dirs: Vec<_> = roots.keys().cloned().collect();
        dirs.sort_by_cached_key(|dir| (dir.depth(), dir.clone()));
        let pick = Pick::names(self.spots.clone());
        let mut candidates = Vec::new();
        for (dir, listing) in dirs.iter().zip(self.files.list(&dirs, &pick)) {
            let Some(root) = roots.get(dir) else { continue };
            match listing {
                Ok(listing) => {
                    let found = self.in_configured_order(listing.found);
                    candidates.extend(self.candidates(dir, found, Layer::Project, root));
                }
                Err(trouble) => self.unlisted(dir, &trouble),
            }
        }
        candidates
    }

    pub(crate) fn in_configured_order(&self, mut found: Vec<Found>) -> Vec<Found> {
        found.sort_by_key(|found| self.spots.iter().position(|spot| *spot == found.name));
        found
    }

    /// Turns what a listing found into candidates, as far as their directories may speak.
    pub(crate) fn candidates(
        &mut self,
        dir: &AbsPath,
        found: Vec<Found>,
        layer: Layer,
        root: &AbsPath,
    ) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        let names_count = layer != Layer::Project || self.has_project_names(root);
        for found in found {
            let path = dir.join(&found.name);
            let is_named = names_count || self.is_own_name(&found.name);
            if is_named
                && !self.is_denied(&path)
                && self.is_file(&path, found.kind)
                && self.leads_to_text(&path, found.kind, root)
            {
                candidates.push(Candidate {
                    path,
                    layer,
                    home: Home::Below(root.clone()),
                    import_root: root.clone(),
                });
            }
        }
        candidates
    }

    /// Whether the names that the project gives its memory files count below `root`: only in the project itself, not in
    /// other directories that the user made part of the workspace.
    fn has_project_names(&mut self, root: &AbsPath) -> bool {
        if self.options.own_names.is_none() || self.places.include.is_empty() {
            return true;
        }
        let project = self.root_of_cwd();
        root.is_within(&project)
    }

    /// Whether the user's own names have this one, in a directory or in its `.gemini`.
    fn is_own_name(&self, found: &str) -> bool {
        let name = found.strip_prefix(".gemini/").unwrap_or(found);
        let mut own = self.own_names().into_iter();
        own.any(|own| own == name || own == found)
    }

    /// False for a link whose target is not called like a text: a project's `GEMINI.md` must not stand for the `.env`
    /// that its user keeps beside it.
    fn leads_to_text(&mut self, path: &AbsPath, kind: Kind, root: &AbsPath) -> bool {
        if kind != Kind::Link || self.options.profile == Profile::Head {
            return true;
        }
        let real = self.files.real(path).ok();
        let inside = real.filter(|real| real.is_within(&self.files.real_or_same(root)));
        let Some(real) = inside else {
            return true; // reported when it is read
        };
        let name = real.file_name();
        let is_name = |spot: &String| spot.rsplit('/').next() == Some(name);
        if boundary::is_text_name(name) || self.spots.iter().any(is_name) {
            return true;
        }
        let message = "a link to a file that is not called like a text";
        let problem = Problem::new(&codes::LINK_TO_OTHER, message).in_file(path);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
        false
    }

    /// Whether somebody denied the directory of a file; told once for each such directory.
    fn is_denied(&mut self, path: &AbsPath) -> bool {
        let Some(dir) = self.places.denied.behind(self.files, path) else {
            return false;
        };
        let message = "marked DO_NOT_TRUST: its memory is left out";
        let problem = Problem::new(&codes::DENIED, message).in_file(dir);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
        true
    }

    /// The user's own files in a directory of theirs: links may lead anywhere.
    fn own_files(&mut self, dir: &AbsPath, names: &[String], layer: Layer) -> Vec<Candidate> {
        let pick = Pick::names(names.to_vec());
        let Some(mut found) = self.list(dir, &pick) else {
            return Vec::new();
        };
        found.sort_by_key(|found| names.iter().position(|name| *name == found.name));
        // A name given twice is found twice.
        found.dedup();
        let mut candidates = Vec::new();
        for found in found {
            let path = dir.join(&found.name);
            if self.is_file(&path, found.kind) {
                let import_root = dir.clone();
                candidates.push(Candidate {
                    path,
                    layer,
                    home: Home::Anywhere,
                    import_root,
                });
            }
        }
        candidates
    }

    /// The names that count in the user's own folders.
    fn own_names(&self) -> Vec<String> {
        let own = self.options.own_names.as_ref();
        let names = own.unwrap_or(&self.options.names).iter();
        names.filter_map(|name| boundary::plain(name)).collect()
    }

    fn list(&mut self, dir: &AbsPath, pick: &Pick) -> Option<Vec<Found>> {
        match self.files.list_one(dir, pick) {
            Ok(listing) => {
                for name in &listing.unspeakable {
                    let message = format!("not read: `{name}` is not UTF-8");
                    let problem = Problem::new(&codes::UNSPEAKABLE, message).in_file(dir);
                    self.problems.push(problem);
                }
                Some(listing.found)
            }
            Err(Trouble::Missing) => None,
            Err(trouble) => {
                self.unlisted(dir, &trouble);
                None
            }
        }
    }

    fn is_file(&mut self, path: &AbsPath, kind: Kind) -> bool {
        let what = match kind {
            Kind::File | Kind::Link => return true,
            Kind::Dir => "a directory",
            Kind::Special => "not a regular file",
        };
        self.problems
            .push(Problem::new(&codes::NOT_A_FILE, what).in_file(path));
        false
    }

    pub(crate) fn is_known_unlisted(&self, dir: &AbsPath) -> bool {
        let is_it = |problem: &Problem| {
            problem.code == &codes::UNLISTED && problem.path.as_deref() == Some(dir.as_str())
        };
        self.problems.iter().any(is_it)
    }

    pub(crate) fn unlisted(&mut self, dir: &AbsPath, trouble: &Trouble) {
        let message = format!("cannot be listed: {trouble}");
        self.problems
            .push(Problem::new(&codes::UNLISTED, message).in_file(dir));
    }
}

#[cfg(test)]
mod tests;
