//! Where tools may work.

use analects_text::sanitize::one_line;
use analects_text::units;
use analects_world::files::{Kind, Pick, Trouble};
use analects_world::search::Sieve;
use analects_world::{AbsPath, Files};

use super::{Refusal, RefusalKind, Scope};

/// The directories that tools may reach. Paths are judged by where they really lead.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// Where relative paths begin.
    pub cwd: AbsPath,
    /// What may be read and written, links resolved: the project and what else belongs to the workspace.
    pub roots: Vec<AbsPath>,
    /// What may be read besides, links resolved: whole outputs of tools that lie on disk.
    pub readable: Vec<AbsPath>,
    /// What may be written besides, links resolved: the folder of plans, which need not be there yet.
    pub writable: Vec<AbsPath>,
    /// What an agent was given that may not have all of this. Then nothing of the above counts but where relative
    /// paths begin.
    pub scope: Option<Scope>,
}

/// A path in the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Where it really lies; for something that is not there yet, where it would.
    pub path: AbsPath,
    /// The directory of the workspace that it lies in; while that is not there, the next one above that is.
    pub root: AbsPath,
}

/// What a path is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum For {
    /// A file is to be read.
    Reading,
    /// A directory is to be listed or looked through.
    Listing,
    /// To be written.
    Writing,
}

impl Workspace {
    /// Where a path of the model's leads, if that is in the workspace.
    ///
    /// `.` and `..` are resolved by their words first, then every link of what is there; what is not there yet
    /// is appended. Nothing of it is opened: whoever reads or writes it is told [`Place::root`], and the opened
    /// handle is judged once more.
    pub fn locate(&self, files: &dyn Files, path: &str, what_for: For) -> Result<Place, Refusal> {
        check_words(path)?;
        self.check_tilde(files, path)?;
        let meant = self.cwd.join(path);
        let real = real(files, &meant);
        if let Some(scope) = &self.scope {
            let granted = real.as_ref().ok().and_then(|real| {
                let dir = granted(scope, files, real, what_for)?;
                Some(Place {
                    path: real.clone(),
                    root: standing(files, dir),
                })
            });
            return granted.ok_or_else(|| ungranted(scope, path, &meant, real.ok(), what_for));
        }
        let real = real.map_err(|trouble| lost(path, &trouble))?;
        let besides = match what_for {
            For::Reading | For::Listing => &self.readable,
            For::Writing => &self.writable,
        };
        let dirs = self.roots.iter().chain(besides);
        let holding = dirs.filter(|dir| real.is_within(dir));
        match holding.max_by_key(|dir| dir.depth()) {
            Some(root) => Ok(Place {
                path: real,
                root: standing(files, root),
            }),
            None => Err(self.outside(path, &meant, &real, what_for)),
        }
    }

    /// The directories that hold everything that may be looked at.
    #[must_use]
    pub fn dirs(&self) -> Vec<AbsPath> {
        match &self.scope {
            Some(scope) => scope.roots(),
            None => self.roots.clone(),
        }
    }

    /// What searches may tell of.
    #[must_use]
    pub fn sieve(&self) -> Option<&dyn Sieve> {
        self.scope.as_ref().map(|scope| scope as &dyn Sieve)
    }

    /// A path as a person and a model read it: relative where it lies below the working directory.
    #[must_use]
    pub fn shown(&self, path: &AbsPath) -> String {
        let relative = path.relative_to(&self.cwd);
        let shown = match relative {
            Some("") => ".",
            Some(relative) => relative,
            None => path.as_str(),
        };
        one_line(shown).into_owned()
    }

    /// Only shells know `~`; a directory of that name in the project is rarely what is meant.
    fn check_tilde(&self, files: &dyn Files, path: &str) -> Result<(), Refusal> {
        let is_tilde = path.split('/').next().is_some_and(|name| name == "~");
        if !is_tilde || files.real(&self.cwd.join("~")).is_ok() {
            return Ok(());
        }
        let message = format!(
            "{} cannot be used: `~` is not expanded. Give a path relative to {}, or an absolute one.",
            named(path),
            named(self.cwd.as_str())
        );
        Err(Refusal::new(RefusalKind::BadArguments, message))
    }

    fn outside(&self, path: &str, meant: &AbsPath, real: &AbsPath, what_for: For) -> Refusal {
        let (besides, done) = match what_for {
            For::Reading | For::Listing => (&self.readable, "read"),
            For::Writing => (&self.writable, "written"),
        };
        let leads = match real == meant {
            true => String::new(),
            false => format!(" (it leads to {})", named(real.as_str())),
        };
        let all = self.roots.iter().chain(besides);
        let dirs: Vec<_> = all
            .take(MAX_NAMED_ROOTS)
            .map(|dir| named(dir.as_str()))
            .collect();
        let message = format!(
            "{}{leads} is outside of the workspace. Files can be {done} below {} only; give a path in there.",
            named(path),
            dirs.join(", ")
        );
        Refusal::new(RefusalKind::OutsideWorkspace, message)
    }
}

/// The directory by which a path is granted. What may be looked through is a file that may be read, or a directory on
/// the way to one; whether something else is there is nobody's business.
fn granted<'s>(
    scope: &'s Scope,
    files: &dyn Files,
    real: &AbsPath,
    what_for: For,
) -> Option<&'s AbsPath> {
    let as_file = scope.file(real, what_for);
    let as_dir = || {
        let dir = scope.way(real)?;
        files.require_dir(real).ok()?;
        Some(dir)
    };
    match what_for {
        For::Reading | For::Writing => as_file,
        For::Listing => as_file.or_else(as_dir),
    }
}

/// The same words whatever is there. Where a link leads is told only of one that stands in the place of something
/// granted.
fn ungranted(
    scope: &Scope,
    path: &str,
    meant: &AbsPath,
    real: Option<AbsPath>,
    what_for: For,
) -> Refusal {
    let is_named = scope.file(meant, what_for).is_some();
    let leads = match real.filter(|real| is_named && real != meant) {
        Some(real) => format!(" (it leads to {})", named(real.as_str())),
        None => String::new(),
    };
    let what = match what_for {
        For::Reading => "is no file that this agent may read",
        For::Listing => "is no directory that this agent may look into",
        For::Writing => "is no file that this agent may write",
    };
    let message = format!(
        "{}{leads} {what}. What it may use: {}.",
        named(path),
        scope.told()
    );
    Refusal::new(RefusalKind::OutsideWorkspace, message)
}

/// More are not told to a model.
const MAX_NAMED_ROOTS: usize = 8;
/// No path of any system is longer.
const MAX_PATH_BYTES: usize = 4096;

/// A name that comes from outside, in one line and not too long.
pub(crate) fn named(text: &str) -> String {
    let cut = units::head(text, 160);
    let dots = if cut.len() < text.len() { "…" } else { "" };
    format!("`{}{dots}`", one_line(cut))
}

fn check_words(path: &str) -> Result<(), Refusal> {
    let refuse = |what: String| Err(Refusal::new(RefusalKind::BadArguments, what));
    if path.trim().is_empty() {
        return refuse("The path is empty. Say which file or directory is meant.".to_owned());
    }
    if path.contains(char::is_control) {
        return refuse(format!("{} has control characters in it.", named(path)));
    }
    if path.len() > MAX_PATH_BYTES {
        return refuse(format!(
            "{} is longer than {MAX_PATH_BYTES} bytes.",
            named(path)
        ));
    }
    Ok(())
}

/// A path with the links of all that is there resolved.
fn real(files: &dyn Files, path: &AbsPath) -> Result<AbsPath, Trouble> {
    for dir in path.ancestors() {
        let real = match files.real(&dir) {
            // On the way up from something that is not there, or that lies "below" a file.
            Err(Trouble::Missing) => continue,
            real => real?,
        };
        let rest = path.relative_to(&dir).unwrap_or_default();
        let next = rest.split('/').next().unwrap_or_default();
        // A link that leads nowhere yet leads somewhere once something is made there.
        if !next.is_empty() && is_link(files, &real, next) {
            return Err(Trouble::Outside);
        }
        return Ok(real.join(rest));
    }
    Err(Trouble::Missing)
}

/// A directory, or what is there of the way to it: from there it can be made.
fn standing(files: &dyn Files, dir: &AbsPath) -> AbsPath {
    let mut way = dir.ancestors();
    let there = way.find(|dir| files.real(dir).is_ok());
    there.unwrap_or_else(|| dir.clone())
}

fn is_link(files: &dyn Files, dir: &AbsPath, name: &str) -> bool {
    let listing = files.list_one(dir, &Pick::names(vec![name.to_owned()]));
    listing.is_ok_and(|listing| listing.found.iter().any(|found| found.kind == Kind::Link))
}

fn lost(path: &str, trouble: &Trouble) -> Refusal {
    let (kind, what) = match trouble {
        Trouble::Outside => (RefusalKind::NotFound, "leads over a link to nowhere"),
        Trouble::Loop => (RefusalKind::NotFound, "leads in a circle of links"),
        Trouble::NotDir => (RefusalKind::NotDirectory, "leads through a file"),
        Trouble::TooLong => (RefusalKind::BadArguments, "has a name that is too long"),
        Trouble::Denied => (RefusalKind::Unreadable, "leads where this user may not go"),
        Trouble::Unspeakable => (
            RefusalKind::Unreadable,
            "leads over a name that is not UTF-8",
        ),
        other => {
            let message = format!("{} cannot be looked up: {other}.", named(path));
            return Refusal::new(RefusalKind::Unreadable, message);
        }
    };
    Refusal::new(kind, format!("{} {what}.", named(path)))
}

#[cfg(test)]
mod tests;
