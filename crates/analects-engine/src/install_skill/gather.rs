//! Everything that a source offers, read into memory: what is shown is what is written, whatever happens to the
//! source meanwhile.

use analects_skill::offer::{self, Offer};
use analects_skill::{Refused, package};
use analects_world::AbsPath;
use analects_world::files::{Files, Want, Within};
use analects_world::programs::Remote;

use super::source::Source;
use crate::World;
use crate::verbs::Failure;

/// How long a repository may take to come.
const FETCH_MS: u64 = 5 * 60 * 1000;

/// Where skills came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// What sort of source it is.
    pub kind: Kind,
    /// Its path or URL, without a password.
    pub location: String,
    /// The branch or tag that was wanted.
    pub reference: Option<String>,
    /// The commit that it was.
    pub commit: Option<String>,
}

/// What sort of thing a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A directory on this disk.
    Directory,
    /// A `.skill` file.
    Package,
    /// A git repository.
    Repository,
}

impl Origin {
    /// All of it in a few words.
    #[must_use]
    pub fn told(&self) -> String {
        let reference = self.reference.as_ref().map(|it| format!("#{it}"));
        let commit = self.commit.as_deref().map(|commit| {
            let short: String = commit.chars().take(12).collect();
            format!(" at {short}")
        });
        let (reference, commit) = (reference.unwrap_or_default(), commit.unwrap_or_default());
        format!("{}{reference}{commit}", self.location)
    }
}

/// What a source offers.
pub(super) struct Gathered {
    pub(super) origin: Origin,
    /// Where each one lies in its source, and what it is.
    pub(super) offers: Vec<(String, Result<Offer, Refused>)>,
    pub(super) notes: Vec<String>,
}

/// Reads all skills of a source, or those in one directory of it.
pub(super) fn gather(
    world: &World<'_>,
    source: &Source,
    inner: Option<&str>,
) -> Result<Gathered, Failure> {
    match source {
        Source::Directory(path) => {
            let origin = Origin {
                kind: Kind::Directory,
                location: path.to_string(),
                reference: None,
                commit: None,
            };
            in_directory(world.files, path, inner, origin)
        }
        Source::Package(path) if inner.is_some() => Err(Failure::bad_input(format!(
            "`{path}` holds one skill: there is nothing to choose with `--path`"
        ))),
        Source::Package(path) => in_package(world.files, path),
        Source::Repository { url, reference } => {
            in_repository(world, url, reference.as_deref(), inner)
        }
    }
}

fn in_directory(
    files: &dyn Files,
    top: &AbsPath,
    inner: Option<&str>,
    origin: Origin,
) -> Result<Gathered, Failure> {
    let dir = match inner {
        None => top.clone(),
        Some(inner) => inside(files, top, inner)?,
    };
    let (found, notes) = offer::find(files, &dir);
    if found.is_empty() {
        let failure = Failure::bad_input(format!("there is no SKILL.md in {}", origin.told()));
        return Err(notes
            .iter()
            .fold(failure, |failure, note| failure.hint(note.clone())));
    }
    let read = |path: &AbsPath| {
        let place = match path.relative_to(top) {
            None | Some("") => origin.location.clone(),
            Some(place) => place.to_owned(),
        };
        (place, offer::from_folder(files, path))
    };
    let offers = found.iter().map(read).collect();
    Ok(Gathered {
        origin,
        offers,
        notes,
    })
}

/// A directory of a source; neither dots nor links lead out of it.
fn inside(files: &dyn Files, top: &AbsPath, inner: &str) -> Result<AbsPath, Failure> {
    let real = files.real_or_same(top);
    let dir = files.real(&top.join(inner.trim_start_matches('/')));
    match dir {
        Ok(dir) if dir.is_within(&real) => Ok(dir),
        Ok(_) => Err(Failure::bad_input(format!(
            "`{inner}` leads out of the source"
        ))),
        Err(trouble) => Err(Failure::bad_input(format!(
            "there is no `{inner}` in the source: {trouble}"
        ))),
    }
}

fn in_package(files: &dyn Files, path: &AbsPath) -> Result<Gathered, Failure> {
    let want = Want {
        path,
        within: Within::Anywhere,
        // One more than it may have, so that too many are noticed.
        limit_bytes: package::MAX_PACKAGE_BYTES + 1,
    };
    let blob = files
        .read_one(want)
        .map_err(|trouble| Failure::bad_input(format!("`{path}` cannot be read: {trouble}")))?;
    let offer = package::read(&blob.bytes).and_then(offer::from_files);
    Ok(Gathered {
        origin: Origin {
            kind: Kind::Package,
            location: path.to_string(),
            reference: None,
            commit: None,
        },
        offers: vec![(path.file_name().to_owned(), offer)],
        notes: Vec::new(),
    })
}

fn in_repository(
    world: &World<'_>,
    url: &str,
    reference: Option<&str>,
    inner: Option<&str>,
) -> Result<Gathered, Failure> {
    let location = without_password(url);
    let what = format!("fetching {location}");
    let remote = Remote {
        url,
        reference,
        into: &world.around.state_dir().join("fetched"),
        limit_ms: FETCH_MS,
    };
    let mut gathered = None;
    let mut hear = |line: &str| {
        if let Some((n_done, n_all)) = counted(line) {
            world.progress.tell(&what, n_done, n_all);
        }
    };
    world.progress.tell(&what, 0, 1);
    let fetched = world
        .programs
        .check_out(&remote, &mut hear, &mut |checkout| {
            let origin = Origin {
                kind: Kind::Repository,
                location: location.clone(),
                reference: reference.map(ToOwned::to_owned),
                commit: Some(checkout.commit.clone()),
            };
            gathered = Some(in_directory(world.files, &checkout.dir, inner, origin));
        });
    world.progress.tell(&what, 1, 1);
    fetched.map_err(|said| not_fetched(&said, url, &location))?;
    gathered.unwrap_or_else(|| Err(Failure::failed(format!("`{location}` is empty"))))
}

fn not_fetched(said: &str, url: &str, location: &str) -> Failure {
    let said = said.replace(url, location);
    let lines: Vec<_> = said.lines().collect();
    // What git calls fatal is the reason; advice follows it.
    let is_fatal = |line: &&str| line.starts_with("fatal: ");
    let reason = lines.iter().find(|line| is_fatal(line)).or(lines.last());
    let reason = reason.copied().unwrap_or_default();
    let words = reason.trim_start_matches("fatal: ");
    let failure = Failure::failed(format!("cannot fetch `{location}`: {words}"));
    let rest = lines.into_iter().filter(|line| *line != reason);
    let failure = rest.fold(failure, |failure, line| failure.hint(line));
    failure.hint("`git` asks for nothing here: set up a credential helper or an SSH key for what is not public")
}

/// A URL as it may be shown and kept.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let (host, path) = match rest.split_once('/') {
        Some((host, path)) => (host, format!("/{path}")),
        None => (rest, String::new()),
    };
    let host = match (host.rsplit_once('@'), scheme) {
        (None, _) => host.to_owned(),
        (Some((user, host)), "ssh") => {
            let user = user.split(':').next().unwrap_or_default();
            format!("{user}@{host}")
        }
        (Some((_, host)), _) => host.to_owned(),
    };
    format!("{scheme}://{host}{path}")
}

/// How much of it is done, where `git` counts: `Receiving objects:  42% (21/50)`.
fn counted(line: &str) -> Option<(usize, usize)> {
    let (_, counts) = line.strip_prefix("Receiving objects:")?.split_once('(')?;
    let (counts, _) = counts.split_once(')')?;
    let (n_done, n_all) = counts.split_once('/')?;
    Some((n_done.trim().parse().ok()?, n_all.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        let check = |url: &str, shown: &str| assert_eq!(without_password(url), shown);
        check("https://me:secret@host/a@b", "https://host/a@b");
        check("https://token@host", "https://host");
        check("ssh://git:secret@host:22/a", "ssh://git@host:22/a");
        check("git@host:a/b", "git@host:a/b");
        check("file:///tmp/a@b", "file:///tmp/a@b");
        let said = "fatal: unable to access 'https://me:pw@h/x'";
        let told = not_fetched(said, "https://me:pw@h/x", "https://h/x");
        assert!(!format!("{told:?}").contains("pw"), "{told:?}");
    }

    #[test]
    fn what_git_calls_fatal_is_the_reason() {
        let reason = |said| not_fetched(said, "https://h/x", "https://h/x").message;
        let said = "remote: hello\nfatal: '/x' is no repository\nfatal: Could not read\n\nPlease make sure\nand try again.";
        assert_eq!(
            reason(said),
            "cannot fetch `https://h/x`: '/x' is no repository"
        );
        assert_eq!(reason("too slow"), "cannot fetch `https://h/x`: too slow");
        assert_eq!(reason(""), "cannot fetch `https://h/x`: ");
    }

    #[test]
    fn what_git_counts_is_read() {
        assert_eq!(counted("Receiving objects:  42% (21/50)"), Some((21, 50)));
        let done = "Receiving objects: 100% (3/3), 1.2 KiB | 1.00 MiB/s, done.";
        assert_eq!(counted(done), Some((3, 3)));
        for other in [
            "",
            "remote: Counting",
            "Receiving objects: (x/y)",
            "Receiving objects: 1%",
        ] {
            assert_eq!(counted(other), None, "{other}");
        }
    }
}
