//! Which files of a tree are wanted, by their paths; and into which directories one need not look for them.

use analects_world::search::{Case, Tree};
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// Longer ones are no patterns but attempts to make us busy.
const MAX_GLOB_BYTES: usize = 4096;

/// The globs of a tree. Paths are those below its beginning.
pub(super) struct Globs {
    only: Option<GlobSet>,
    reaches: Vec<Reach>,
    never: GlobSet,
    /// What `never` says of directories: `**/x` for `**/x/**`.
    never_in: GlobSet,
}

/// Where the files can lie that one pattern matches.
struct Reach {
    /// The directories that it names without any doubt.
    way: Vec<String>,
    /// How many names a path has at most.
    max_depth: Option<usize>,
    case: Case,
}

impl Globs {
    /// Fails with a reason if one of the globs makes no sense.
    pub(super) fn new(tree: &Tree<'_>) -> Result<Self, String> {
        let only: Vec<_> = tree.only.iter().map(|glob| clean(glob)).collect();
        let never: Vec<_> = tree.never.iter().map(|glob| clean(glob)).collect();
        let inner = never.iter().filter_map(|glob| glob.strip_suffix("/**"));
        Ok(Self {
            reaches: only
                .iter()
                .map(|glob| Reach::new(glob, tree.case))
                .collect(),
            only: match only.is_empty() {
                true => None,
                false => Some(set(only.iter().copied(), tree.case)?),
            },
            never_in: set(inner, tree.case)?,
            never: set(never.iter().copied(), tree.case)?,
        })
    }

    /// Whether a file is wanted.
    pub(super) fn takes(&self, path: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.is_match(path)) && !self.never.is_match(path)
    }

    /// Whether a directory is not wanted, whatever lies in it.
    pub(super) fn shuns(&self, dir: &str) -> bool {
        self.never.is_match(dir) || self.never_in.is_match(dir)
    }

    /// Whether a wanted file can lie in a directory.
    pub(super) fn reaches(&self, dir: &str) -> bool {
        self.only.is_none() || self.reaches.iter().any(|reach| reach.includes(dir))
    }
}

impl Reach {
    fn new(glob: &str, case: Case) -> Self {
        let is_plain = |name: &&str| !name.contains(['*', '?', '[', ']', '{', '}', '!', '\\']);
        // Beyond ASCII we do not guess which letters are the same.
        let is_sure = |name: &&str| case == Case::Sensitive || name.is_ascii();
        let dirs = glob.rsplit_once('/').map_or("", |(dirs, _)| dirs);
        let way = dirs
            .split('/')
            .filter(|name| !name.is_empty())
            .take_while(|name| is_plain(name) && is_sure(name));
        let n_slashes = glob.matches('/').count();
        let is_open = glob.contains("**") || (glob.contains('{') && n_slashes > 0);
        Self {
            way: way.map(str::to_owned).collect(),
            max_depth: (!is_open).then_some(n_slashes + 1),
            case,
        }
    }

    fn includes(&self, dir: &str) -> bool {
        let is_same = |(mine, theirs): (&String, &str)| match self.case {
            Case::Sensitive => mine == theirs,
            Case::Insensitive => mine.eq_ignore_ascii_case(theirs),
        };
        let depth = dir.split('/').count();
        self.max_depth.is_none_or(|max| depth < max)
            && self.way.iter().zip(dir.split('/')).all(is_same)
    }
}

/// A glob, seen from the beginning of the tree.
fn clean(glob: &str) -> &str {
    let glob = glob.trim_start_matches("./");
    glob.strip_prefix('/').unwrap_or(glob)
}

fn set<'a>(globs: impl Iterator<Item = &'a str>, case: Case) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(build(glob, case)?);
    }
    set.build().map_err(|error| error.kind().to_string())
}

fn build(glob: &str, case: Case) -> Result<Glob, String> {
    if glob.len() > MAX_GLOB_BYTES {
        return Err(format!("a glob of more than {MAX_GLOB_BYTES} bytes"));
    }
    let built = GlobBuilder::new(glob)
        .literal_separator(true)
        .empty_alternates(true)
        .case_insensitive(case == Case::Insensitive)
        .build();
    built.map_err(|error| format!("`{glob}`: {}", error.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use analects_world::AbsPath;
    use analects_world::search::Ignore;

    fn globs(only: &[&str], never: &[&str], case: Case) -> Result<Globs, String> {
        let owned = |globs: &[&str]| globs.iter().map(|&glob| glob.to_owned()).collect();
        let (only, never): (Vec<String>, Vec<String>) = (owned(only), owned(never));
        Globs::new(&Tree {
            at: &AbsPath::root(),
            within: &AbsPath::root(),
            only: &only,
            never: &never,
            case,
            ignore: Ignore {
                git: false,
                files: &[],
            },
            sieve: None,
            limit: 1,
        })
    }

    #[test]
    fn stars_stay_within_a_name() {
        let globs = globs(&["*.rs", "./src/**/*.{ts,tsx}"], &[], Case::Sensitive).unwrap();
        for path in ["a.rs", "src/a.ts", "src/a/b.tsx"] {
            assert!(globs.takes(path), "{path}");
        }
        for path in ["a/b.rs", "a.RS", "a.ts", "x/src/a.ts"] {
            assert!(!globs.takes(path), "{path}");
        }
    }

    #[test]
    fn one_looks_only_where_something_can_lie() {
        let reaches = |only: &[&str], dir: &str, case| globs(only, &[], case).unwrap().reaches(dir);
        for (only, dir, expected) in [
            ("*.md", "src", false),
            ("*/*.md", "src", true),
            ("*/*.md", "src/a", false),
            ("src/**/*.rs", "src/a/b", true),
            ("src/**/*.rs", "target", false),
            ("{src,lib}/*.rs", "lib/x", true),
            ("Src/*.rs", "src", false),
            ("**", "a/b/c", true),
        ] {
            let case = Case::Sensitive;
            assert_eq!(reaches(&[only], dir, case), expected, "{only} {dir}");
        }
        assert!(reaches(&["Src/*.rs"], "src", Case::Insensitive));
        assert!(reaches(&["STRAßE/*.rs"], "straße", Case::Insensitive));
        assert!(reaches(&[], "src", Case::Sensitive));
    }

    #[test]
    fn a_directory_that_is_never_wanted_is_not_entered() {
        let globs = globs(&[], &["**/node_modules/**", "out"], Case::Sensitive).unwrap();
        assert!(globs.shuns("a/node_modules") && globs.shuns("node_modules") && globs.shuns("out"));
        assert!(!globs.shuns("a/out") && !globs.shuns("node_modules_2"));
        assert!(!globs.takes("a/node_modules/b"));
    }

    #[test]
    fn a_glob_without_sense_is_told_with_its_reason() {
        let error = |glob: &str| globs(&[glob], &[], Case::Sensitive).err().unwrap();
        assert!(error("a[").contains("`a[`"));
        assert!(error(&"{".repeat(4000)).len() < 5000);
        assert_eq!(error(&"x".repeat(5000)), "a glob of more than 4096 bytes");
    }
}
