//! Absolute paths that are cleaned by their words alone.
//!
//! `.` and `..` are resolved lexically, as Gemini CLI does before it compares paths. Names that are not
//! UTF-8 cannot be said here; the doors report them instead.

use std::borrow::Borrow;
use std::fmt;

/// An absolute, normalised, UTF-8 path with `/` between its names and none at its end.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct AbsPath(String);

/// What [`AbsPath::new`] answers for a path that does not start at the root.
#[derive(Debug, thiserror::Error)]
#[error("not an absolute path: `{0}`")]
pub struct NotAbsolute(String);

impl AbsPath {
    /// The root directory.
    #[must_use]
    pub fn root() -> Self {
        Self("/".to_owned())
    }

    /// Cleans an absolute path; a relative one is an error.
    pub fn new(path: &str) -> Result<Self, NotAbsolute> {
        if path.starts_with('/') {
            Ok(Self::root().join(path))
        } else {
            Err(NotAbsolute(path.to_owned()))
        }
    }

    /// The path that `path` names when read in this directory. An absolute `path` replaces this one.
    #[must_use]
    pub fn join(&self, path: &str) -> Self {
        let mut whole = if path.starts_with('/') || self.0 == "/" {
            String::new()
        } else {
            self.0.clone()
        };
        for name in path.split('/') {
            match name {
                "" | "." => {}
                ".." => whole.truncate(whole.rfind('/').unwrap_or(0)),
                _ => {
                    whole.push('/');
                    whole.push_str(name);
                }
            }
        }
        if whole.is_empty() {
            Self::root()
        } else {
            Self(whole)
        }
    }

    /// The directory that holds this path; the root has none.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let cut = self.0.rfind('/').filter(|_| self.0 != "/")?;
        let parent = self
            .0
            .get(..cut)
            .filter(|parent| !parent.is_empty())
            .unwrap_or("/");
        Some(Self(parent.to_owned()))
    }

    /// The last name; empty for the root.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// Whether this path is `dir` or lies below it.
    #[must_use]
    pub fn is_within(&self, dir: &Self) -> bool {
        self.relative_to(dir).is_some()
    }

    /// This path as seen from `dir`: empty if it is `dir`, `None` if it lies elsewhere.
    #[must_use]
    pub fn relative_to(&self, dir: &Self) -> Option<&str> {
        if dir.0 == "/" {
            return self.0.strip_prefix('/');
        }
        let rest = self.0.strip_prefix(&dir.0)?;
        if rest.is_empty() {
            Some(rest)
        } else {
            rest.strip_prefix('/')
        }
    }

    /// How many names the path has; the root has none.
    #[must_use]
    pub fn depth(&self) -> usize {
        if self.0 == "/" {
            0
        } else {
            self.0.matches('/').count()
        }
    }

    /// This path and the directories above it, innermost first.
    pub fn ancestors(&self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self.clone()), Self::parent)
    }

    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Ordered name by name, so that a directory's own files stand before those of `directory-2`.
impl Ord for AbsPath {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.split('/').cmp(other.0.split('/'))
    }
}

impl PartialOrd for AbsPath {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Borrow<str> for AbsPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn path(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    #[test]
    fn paths_are_cleaned_by_their_words() {
        for (given, clean) in [
            ("/a//b/./c/", "/a/b/c"),
            ("/a/../b", "/b"),
            ("/../..", "/"),
            ("/", "/"),
            ("/a/b/..", "/a"),
        ] {
            assert_eq!(path(given).as_str(), clean);
        }
        assert!(AbsPath::new("a/b").is_err());
    }

    #[test]
    fn joining_an_absolute_path_replaces() {
        assert_eq!(path("/a").join("/b/c").as_str(), "/b/c");
        assert_eq!(path("/a").join("../../b").as_str(), "/b");
        assert_eq!(path("/").join("b").as_str(), "/b");
    }

    #[test]
    fn below_means_name_by_name() {
        assert!(path("/a/b").is_within(&path("/a")));
        assert!(path("/a").is_within(&path("/a")));
        assert!(!path("/ab").is_within(&path("/a")));
        assert_eq!(path("/a/b/c").relative_to(&path("/a")), Some("b/c"));
        assert_eq!(path("/a").relative_to(&path("/")), Some("a"));
    }

    #[test]
    fn ancestors_end_at_the_root() {
        let up: Vec<_> = path("/a/b")
            .ancestors()
            .map(|dir| dir.to_string())
            .collect();
        assert_eq!(up, ["/a/b", "/a", "/"]);
        assert_eq!(
            [path("/").depth(), path("/a").depth(), path("/a/b").depth()],
            [0, 1, 2]
        );
    }

    proptest! {
        #[test]
        fn cleaning_is_idempotent(text in "/[a./]{0,30}") {
            let once = path(&text);
            prop_assert_eq!(path(once.as_str()), once.clone());
            prop_assert!(once.as_str() == "/" || !once.as_str().ends_with('/'));
        }
    }
}
