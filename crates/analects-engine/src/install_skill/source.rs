//! What a person means by a source: a directory, a package, or a repository.
//!
//! Only what keeps others from changing it on its way, and runs nothing, is a repository for us.

use analects_skill::package;
use analects_skill::skill;
use analects_text::frontmatter::shown;
use analects_world::AbsPath;
use analects_world::files::{Kind, Pick, Subdirs};

use crate::World;
use crate::verbs::Failure;

/// A source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// A directory on this disk.
    Directory(AbsPath),
    /// A zip on this disk.
    Package(AbsPath),
    /// A repository.
    Repository {
        /// What `git` is told.
        url: String,
        /// The branch or tag; its own choice without one.
        reference: Option<String>,
    },
}

/// What somebody means by `said`; `reference` is the branch or tag that was named beside it.
pub(super) fn understand(
    world: &World<'_>,
    said: &str,
    reference: Option<&str>,
) -> Result<Source, Failure> {
    check(said)?;
    if let Some(source) = remote(said, reference)? {
        return Ok(source);
    }
    if is_somewhere(world, said) || !said.contains('#') {
        return local(world, said, reference);
    }
    let (path, fragment) = said.rsplit_once('#').unwrap_or((said, ""));
    local(world, path, Some(one_reference(fragment, reference)?))
}

fn check(said: &str) -> Result<(), Failure> {
    let bad = |why: &str| Failure::bad_input(format!("`{}` is no source: {why}", shown(said)));
    if said.trim().is_empty() {
        return Err(bad("it is empty"));
    }
    if said.starts_with('-') {
        return Err(bad("it looks like an option").hint("for a directory of that name: `./-name`"));
    }
    match said.contains(char::is_control) {
        true => Err(bad("it has hidden characters")),
        false => Ok(()),
    }
}

/// The repository that is meant, if it is one elsewhere.
fn remote(said: &str, reference: Option<&str>) -> Result<Option<Source>, Failure> {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric());
    if let Some((helper, _)) = said.split_once("::")
        && is_word(helper)
    {
        let message = format!("`{helper}::` would run a program, and that is no source");
        return Err(Failure::bad_input(message).hint(USE));
    }
    let scheme = said
        .split_once("://")
        .map(|(scheme, _)| scheme.to_lowercase());
    match scheme.as_deref() {
        Some("https" | "ssh" | "file") => {}
        Some("http" | "git" | "ftp" | "ftps") => {
            let message = "whoever is on the way could change what comes from there";
            return Err(Failure::bad_input(message).hint(USE));
        }
        Some(other) => {
            let message = format!("`{}://` is no way to a repository here", shown(other));
            return Err(Failure::bad_input(message).hint(USE));
        }
        None if is_scp(said) => {}
        None => return Ok(None),
    }
    let (url, fragment) = match said.rsplit_once('#') {
        Some((url, fragment)) => (url, Some(fragment)),
        None => (said, None),
    };
    let reference = match fragment {
        Some(fragment) => Some(one_reference(fragment, reference)?),
        None => reference.map(checked_reference).transpose()?,
    };
    Ok(Some(Source::Repository {
        url: url.to_owned(),
        reference: reference.map(ToOwned::to_owned),
    }))
}

const USE: &str = "use https://, ssh://, git@host:path, a directory, or a .skill file";

/// Whether it is `user@host:path`, as `ssh` has it.
fn is_scp(said: &str) -> bool {
    let Some((host, path)) = said.split_once(':') else {
        return false;
    };
    let Some((user, host)) = host.split_once('@') else {
        return false;
    };
    let is_name = |name: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        !name.is_empty() && !name.starts_with('-') && name.chars().all(is_plain)
    };
    is_name(user) && is_name(host) && !path.is_empty()
}

/// The reference behind the `#`, if none was named beside it as well.
fn one_reference<'a>(fragment: &'a str, beside: Option<&str>) -> Result<&'a str, Failure> {
    match beside {
        Some(beside) if beside != fragment => Err(Failure::bad_input(
            "two branches or tags are named: one behind `#`, one by `--ref`",
        )),
        _ => checked_reference(fragment),
    }
}

fn checked_reference(reference: &str) -> Result<&str, Failure> {
    let is_odd = |c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c);
    let is_bad = reference.is_empty()
        || reference.starts_with('-')
        || reference.contains("..")
        || reference.contains(is_odd);
    match is_bad {
        true => Err(Failure::bad_input(format!(
            "`{}` is no branch or tag",
            shown(reference)
        ))),
        false => Ok(reference),
    }
}

fn is_somewhere(world: &World<'_>, said: &str) -> bool {
    world.files.real(&world.around.resolve(said)).is_ok()
}

/// What lies on this disk.
fn local(world: &World<'_>, said: &str, reference: Option<&str>) -> Result<Source, Failure> {
    let given = world.around.resolve(said);
    let path = world.files.real(&given).map_err(|trouble| {
        let failure = Failure::bad_input(format!("`{given}` cannot be read: {trouble}"));
        match is_short_form(said) {
            true => failure.hint(format!(
                "for the repository on GitHub say `https://github.com/{said}`"
            )),
            false => failure.hint(USE),
        }
    })?;
    let here = |names: [&str; 4]| Pick {
        subdirs: Subdirs::Skip,
        ..Pick::names(names.map(ToOwned::to_owned).to_vec())
    };
    let Ok(listing) = world
        .files
        .list_one(&path, &here([skill::FILE, ".git", "HEAD", "objects"]))
    else {
        return file(&path, reference);
    };
    let has = |name: &str| listing.found.iter().any(|found| found.name == name);
    let is_dir = |name: &str| {
        let mut found = listing.found.iter();
        found.any(|found| found.name == name && found.kind == Kind::Dir)
    };
    let is_bare = has("HEAD") && is_dir("objects") && !has(skill::FILE) && !has(".git");
    match reference {
        Some(reference) if is_bare || has(".git") => Ok(Source::Repository {
            url: path.to_string(),
            reference: Some(checked_reference(reference)?.to_owned()),
        }),
        Some(_) => Err(no_reference(&path)),
        None if is_bare => Ok(Source::Repository {
            url: path.to_string(),
            reference: None,
        }),
        None => Ok(Source::Directory(path)),
    }
}

fn file(path: &AbsPath, reference: Option<&str>) -> Result<Source, Failure> {
    if reference.is_some() {
        return Err(no_reference(path));
    }
    let name = path.file_name().to_lowercase();
    if name.ends_with(package::ENDING) || name.ends_with(".zip") {
        return Ok(Source::Package(path.clone()));
    }
    match path.parent() {
        Some(dir) if path.file_name() == skill::FILE => Ok(Source::Directory(dir)),
        _ => Err(Failure::bad_input(format!("`{path}` is no skill")).hint(USE)),
    }
}

fn no_reference(path: &AbsPath) -> Failure {
    Failure::bad_input(format!(
        "`{path}` has no branches or tags: it is no repository"
    ))
}

/// Whether it is `owner/name`, as other programs take it.
fn is_short_form(said: &str) -> bool {
    let is_name = |name: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain)
    };
    said.split_once('/')
        .is_some_and(|(owner, name)| is_name(owner) && is_name(name))
}
