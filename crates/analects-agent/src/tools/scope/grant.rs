//! One grant: some files below a directory.

use analects_world::AbsPath;
use globset::{GlobBuilder, GlobMatcher};

use crate::tools::For;
use crate::tools::workspace::named;

/// Some files below a directory.
#[derive(Debug, Clone)]
pub struct Grant {
    dir: AbsPath,
    access: Access,
    which: Which,
    never_in: Vec<&'static str>,
    never_written: &'static [&'static str],
}

/// What may be done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It may be read.
    Read,
    /// It may be read and written.
    Write,
}

/// Which files.
#[derive(Debug, Clone)]
enum Which {
    /// The one of this name, in the directory itself.
    One(String),
    /// All of these names, at any depth.
    Named(Vec<String>),
    /// Those whose path below the directory matches.
    Matching { glob: GlobMatcher, way: Way },
}

/// The directories that can hold what a glob matches.
#[derive(Debug, Clone)]
struct Way {
    /// A glob for each name of a path, up to the first `**`.
    names: Vec<GlobMatcher>,
    /// Whether any directory below those can hold it.
    is_open: bool,
}

impl Grant {
    /// One file. Its path is one without links; it need not be there.
    #[must_use]
    pub fn one(file: &AbsPath, access: Access) -> Self {
        let dir = file.parent().unwrap_or_else(AbsPath::root);
        let which = Which::One(file.file_name().to_owned());
        Self::new(&dir, access, which)
    }

    /// The files of these names in a directory and at any depth below it. The directory is one without links; names
    /// that are no names of files grant nothing.
    #[must_use]
    pub fn named(dir: &AbsPath, names: &[String], access: Access) -> Self {
        let is_name =
            |name: &&String| !matches!(name.as_str(), "" | "." | "..") && !name.contains('/');
        let names = names.iter().filter(is_name).cloned().collect();
        Self::new(dir, access, Which::Named(names))
    }

    /// The files whose path below a directory matches a glob, such as `**/.gemini/*.md`: `*` stays within a name,
    /// `**` does not. The directory is one without links.
    pub fn matching(dir: &AbsPath, glob: &str, access: Access) -> Result<Self, String> {
        let way = Way::new(glob)?;
        let glob = build(glob)?;
        Ok(Self::new(dir, access, Which::Matching { glob, way }))
    }

    /// The same, but nothing in directories of these names below its own, whatever the case of their letters: a
    /// disk may not tell them apart. May be said several times.
    #[must_use]
    pub fn never_in(mut self, names: &'static [&'static str]) -> Self {
        self.never_in.extend(names);
        self
    }

    /// The same, but files of these names may only be read, whatever the case of their letters.
    #[must_use]
    pub fn never_written(mut self, names: &'static [&'static str]) -> Self {
        self.never_written = names;
        self
    }

    fn new(dir: &AbsPath, access: Access, which: Which) -> Self {
        Self {
            dir: dir.clone(),
            access,
            which,
            never_in: Vec::new(),
            never_written: &[],
        }
    }

    /// Where it begins.
    pub(super) fn dir(&self) -> &AbsPath {
        &self.dir
    }

    /// Whether a file, by its path without links, is given for this.
    pub(super) fn gives(&self, path: &AbsPath, what_for: For) -> bool {
        let Some(below) = path.relative_to(&self.dir).filter(|it| !it.is_empty()) else {
            return false;
        };
        let (dirs, name) = below.rsplit_once('/').unwrap_or(("", below));
        let may = match what_for {
            For::Reading | For::Listing => true,
            For::Writing => self.access == Access::Write && !is_among(name, self.never_written),
        };
        let is_meant = match &self.which {
            Which::One(one) => below == one,
            Which::Named(names) => names.iter().any(|it| it == name),
            Which::Matching { glob, .. } => glob.is_match(below),
        };
        may && is_meant && !self.bars(dirs)
    }

    /// Whether something that is given can lie in a directory, however deep.
    pub(super) fn reaches(&self, dir: &AbsPath) -> bool {
        let Some(below) = dir.relative_to(&self.dir) else {
            return false;
        };
        let is_on_the_way = match &self.which {
            Which::One(_) => below.is_empty(),
            Which::Named(_) => true,
            Which::Matching { way, .. } => way.leads_through(below),
        };
        is_on_the_way && !self.bars(below)
    }

    /// The grant in words for a model.
    pub(super) fn told(&self) -> String {
        let dir = named(self.dir.as_str());
        let what = match &self.which {
            Which::One(name) => named(self.dir.join(name).as_str()),
            Which::Named(names) => {
                let names: Vec<_> = names.iter().take(MAX_NAMES).map(|it| named(it)).collect();
                format!("{} in {dir} and at any depth below", names.join(", "))
            }
            Which::Matching { glob, .. } => format!("{} below {dir}", named(glob.glob().glob())),
        };
        match self.access {
            Access::Read => format!("{what} (to read)"),
            Access::Write => what,
        }
    }

    fn bars(&self, dirs: &str) -> bool {
        dirs.split('/').any(|name| is_among(name, &self.never_in))
    }
}

/// More names are not told to a model.
const MAX_NAMES: usize = 6;

impl Way {
    fn new(glob: &str) -> Result<Self, String> {
        // Braces may hold slashes: then nobody knows by a look which directories are meant.
        if glob.contains(['{', '\\']) {
            return Ok(Self {
                names: Vec::new(),
                is_open: true,
            });
        }
        let dirs = glob.rsplit_once('/').map_or("", |(dirs, _)| dirs);
        let all: Vec<_> = dirs.split('/').filter(|name| !name.is_empty()).collect();
        let names = all.iter().take_while(|name| !name.contains("**"));
        let names: Vec<_> = names.map(|name| build(name)).collect::<Result<_, _>>()?;
        let is_open = names.len() < all.len() || glob.ends_with("**");
        Ok(Self { names, is_open })
    }

    fn leads_through(&self, below: &str) -> bool {
        let names: Vec<_> = below.split('/').filter(|name| !name.is_empty()).collect();
        let is_short = names.len() <= self.names.len();
        (self.is_open || is_short)
            && self
                .names
                .iter()
                .zip(names)
                .all(|(it, name)| it.is_match(name))
    }
}

fn is_among(name: &str, names: &[&str]) -> bool {
    names.iter().any(|it| it.eq_ignore_ascii_case(name))
}

fn build(glob: &str) -> Result<GlobMatcher, String> {
    let built = GlobBuilder::new(glob).literal_separator(true).build();
    let built = built.map_err(|error| error.kind().to_string())?;
    Ok(built.compile_matcher())
}
