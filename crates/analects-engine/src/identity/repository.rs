//! Which repository lies in a folder, told by its files alone: no program of it is run.
//!
//! A path says where a repository lies, not which one. Another one at the same path must not inherit what the user
//! decided and noted about the first.

use analects_world::AbsPath;
use analects_world::files::{Files, Want, Within};

use super::kin;
use crate::jsonc::Item;

/// How much of a repository's configuration is read.
const LIMIT_BYTES: usize = 64 * 1024;

/// What tells one repository from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RepositoryIdentity {
    /// The folder itself: which directory it is.
    folder: String,
    /// Its `.git`; none in a folder without git.
    git: Option<String>,
    /// Where its `origin` lies, without credentials.
    remote: Option<String>,
    /// Its first commit, as far as the log of `HEAD` tells it.
    root_commit: Option<String>,
}

/// The names of the parts in records.
const FOLDER: &str = "folder";
const GIT: &str = "git";
const REMOTE: &str = "remote";
const ROOT_COMMIT: &str = "rootCommit";

impl RepositoryIdentity {
    /// Reads what lies in a folder; none if there is no such folder.
    pub(crate) fn read(files: &dyn Files, folder: &AbsPath) -> Option<Self> {
        let identity = files.identify(folder).ok()?;
        let mut found = Self {
            folder: identity.to_string(),
            git: None,
            remote: None,
            root_commit: None,
        };
        let git_dir = match kin::git_identity(files, folder) {
            Some(git) => {
                found.git = Some(git);
                folder.join(".git")
            }
            None => match kin::main_checkout(files, folder) {
                Some(main) => {
                    found.git = kin::git_identity(files, &main);
                    main.join(".git")
                }
                // A submodule, or a `.git` borrowed from elsewhere: it is what its pointer says, and no more.
                None => {
                    let pointer = kin::line(files, &folder.join(".git"));
                    found.git = pointer.map(|pointer| format!("file:{pointer}"));
                    return Some(found);
                }
            },
        };
        let config = text(files, &git_dir.join("config"));
        found.remote = config.as_deref().and_then(origin);
        let log = kin::line(files, &git_dir.join("logs/HEAD"));
        found.root_commit = log.as_deref().and_then(initial_commit);
        Some(found)
    }

    /// True if this is the repository, or the folder without one, that was recorded.
    pub(crate) fn is_same(&self, recorded: &Self) -> bool {
        let equal = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
        match (&self.git, &recorded.git) {
            (None, None) => true,
            // Git was set up in the folder, or taken away.
            (None, Some(_)) | (Some(_), None) => self.folder == recorded.folder,
            (Some(_), Some(_)) => {
                equal(&self.git, &recorded.git)
                    || equal(&self.remote, &recorded.remote)
                    || equal(&self.root_commit, &recorded.root_commit)
                    // Neither has a remote or a commit yet: like folders without git, they keep what they have. So does
                    // one that was restored from a copy.
                    || (self.is_blank() && recorded.is_blank())
            }
        }
    }

    /// True if nothing in the repository tells it from a new one.
    fn is_blank(&self) -> bool {
        self.remote.is_none() && self.root_commit.is_none()
    }

    /// True if git knows the folder.
    pub(crate) fn has_git(&self) -> bool {
        self.git.is_some()
    }

    /// Where its `origin` lies.
    pub(crate) fn remote(&self) -> Option<&str> {
        self.remote.as_deref()
    }

    /// Its parts, by the names that records give them.
    pub(crate) fn parts(&self) -> [(&'static str, Option<&str>); 4] {
        [
            (FOLDER, Some(&self.folder)),
            (GIT, self.git.as_deref()),
            (REMOTE, self.remote.as_deref()),
            (ROOT_COMMIT, self.root_commit.as_deref()),
        ]
    }

    /// Reads a record.
    pub(crate) fn parse(item: &Item) -> Option<Self> {
        item.object()?;
        let text = |name| item.get(name).and_then(Item::text).map(str::to_owned);
        Some(Self {
            folder: text(FOLDER).unwrap_or_default(),
            git: text(GIT),
            remote: text(REMOTE),
            root_commit: text(ROOT_COMMIT),
        })
    }
}

fn text(files: &dyn Files, path: &AbsPath) -> Option<String> {
    let want = Want {
        path,
        within: Within::Anywhere,
        limit_bytes: LIMIT_BYTES,
    };
    String::from_utf8(files.read_one(want).ok()?.bytes).ok()
}

/// The address of `origin` in a git configuration. The last one counts, as for git.
fn origin(config: &str) -> Option<String> {
    let (mut is_origin, mut found) = (false, None);
    for line in config.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.split(']').next().unwrap_or_default();
            let (kind, name) = section.split_once(' ').unwrap_or((section, ""));
            is_origin = kind.eq_ignore_ascii_case("remote") && name.trim() == "\"origin\"";
        } else if let Some((key, value)) = line.split_once('=')
            && is_origin
            && key.trim().eq_ignore_ascii_case("url")
        {
            found = Some(value.trim().trim_matches('"'));
        }
    }
    found
        .map(plain_address)
        .filter(|address| !address.is_empty())
}

/// An address without its scheme, credentials and ending, so that `git@host:a/b.git` and `https://host/a/b` are one.
fn plain_address(address: &str) -> String {
    let address = address.trim_end_matches('/');
    let address = address.strip_suffix(".git").unwrap_or(address);
    let (rest, has_scheme) = match address.split_once("://") {
        Some((scheme, rest)) if scheme != "file" => (rest, true),
        Some((_, path)) => return path.to_owned(),
        None => (address, false),
    };
    let is_path = !has_scheme && rest.starts_with(['/', '.']);
    if is_path {
        return rest.to_owned();
    }
    let (place, path) = rest.split_once('/').unwrap_or((rest, ""));
    let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
    // `host:path` in the short form of ssh; elsewhere a port, which is part of the host.
    let (host, first) = if has_scheme {
        (place, "")
    } else {
        place.split_once(':').unwrap_or((place, ""))
    };
    let parts = [host.to_lowercase(), first.to_owned(), path.to_owned()];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("/")
}

/// The first commit of a repository that was begun here, from the first line of its log.
fn initial_commit(line: &str) -> Option<String> {
    let (head, said) = line.split_once('\t')?;
    let commit = head.split(' ').nth(1)?;
    let is_hash = commit.len() >= 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hash && said.starts_with("commit (initial)")).then(|| commit.to_owned())
}

#[cfg(test)]
mod tests {
    use analects_testkit::FakeDesk;

    use super::*;

    #[test]
    fn addresses_of_one_place_are_one() {
        for address in [
            "https://example.com/team/app.git",
            "https://user:secret@example.com/team/app",
            "git@example.com:team/app.git",
            "ssh://git@Example.com/team/app/",
        ] {
            assert_eq!(plain_address(address), "example.com/team/app", "{address}");
        }
        assert_eq!(plain_address("/srv/git/app.git"), "/srv/git/app");
        assert_eq!(plain_address("file:///srv/git/app"), "/srv/git/app");
        assert_ne!(
            plain_address("https://example.com/other/app"),
            "example.com/team/app"
        );
    }

    #[test]
    fn the_address_of_origin_is_read_and_no_other() {
        let config = "[core]\n\turl = no\n[remote \"fork\"]\n\turl = https://evil.example/x\n\
                      [Remote \"origin\"]\n\tfetch = x\n\tURL = https://example.com/a/b.git\n[branch \"main\"]\n\turl = no\n";
        assert_eq!(origin(config).as_deref(), Some("example.com/a/b"));
        assert_eq!(origin("[remote \"origin\"]\nfetch = x\n"), None);
        assert_eq!(
            origin("url = https://example.com\n[remote]\nurl = x\n"),
            None
        );
    }

    fn identity(tree: &str) -> RepositoryIdentity {
        let desk = FakeDesk::parse(tree);
        RepositoryIdentity::read(&desk, &AbsPath::new("/w").unwrap()).unwrap()
    }

    #[test]
    fn a_clone_anew_is_the_same_and_another_repository_is_not() {
        let of = |url: &str, more: &str| {
            identity(&format!(
                "{more}//- /w/.git/config\n[remote \"origin\"]\nurl = {url}\n"
            ))
        };
        let first = of("https://example.com/a/b.git", "");
        let again = of("git@example.com:a/b", "//- /x/y\n//- /x/z\n");
        assert!(again.git != first.git && again.is_same(&first));
        let other = of("https://example.com/evil/b", "//- /x/y\n//- /x/z\n");
        assert!(!other.is_same(&first));
        let plain = identity("//- /x/y\n//- /w/a\n");
        assert!(plain.is_same(&plain) && !plain.is_same(&first) && !first.is_same(&plain));
    }

    #[test]
    fn a_repository_without_origin_is_known_by_its_first_commit() {
        let zeros = "0".repeat(40);
        let of = |commit: &str, more: &str| {
            let line = format!(
                "{zeros} {} A <a@b> 1 +0\tcommit (initial): x",
                commit.repeat(40)
            );
            identity(&format!(
                "{more}//- /w/.git/logs/HEAD\n{line}\n//- /w/.git/config\n[core]\n"
            ))
        };
        let first = of("a", "");
        assert!(of("a", "//- /x/y\n").is_same(&first));
        assert!(!of("b", "//- /x/y\n").is_same(&first));
    }
}
