//! What every `Search` door promises.

use analects_world::files::{Kind, Trouble};
use analects_world::search::{Case, Grepped, Ignore, NoGrep, Search, Seek, Sieve, Tree};
use analects_world::{AbsPath, Cancel};

use crate::Fixture;

/// The tree the contract is checked on; all paths lie below `/T`.
const TREE: &str = "\
//- /T/.gitignore
*
//- /T/ws/.gitignore
*.log
/Build/
//- /T/ws/.git/config
needle
//- /T/ws/.git/info/exclude
excluded.rs
//- /T/ws/.geminiignore
  SECRET/
!seen.log
//- /T/ws/a.txt
before
a Needle, a (needle)
after
//- /T/ws/a/one.rs
fn needle() {}\r
//- /T/ws/a/two.rs
needle 1
two
needle 3
needle 4, not this
five
six
needle 7
//- /T/ws/a/.hidden.rs
needle
//- /T/ws/a/excluded.rs
needle
//- /T/ws/a/x.log
needle
//- /T/ws/a/seen.log
needle
//- /T/ws/a/deep/.gitignore
!x.log
//- /T/ws/a/deep/x.log
needle
//- /T/ws/a-b/three.rs
//- /T/ws/build/out.rs
needle
//- /T/ws/a/build/out.rs
//- /T/ws/secret/key.rs
needle
//- /T/ws/empty/
//- /T/ws/link.rs -> a/one.rs
//- /T/ws/loop -> .
//- /T/ws/out -> ../outside
//- /T/ws/pipe (special)
//- /T/outside/o.rs
needle
//- /T/way-in -> ws
";

/// The tree that [`check`] wants.
#[must_use]
pub fn tree() -> Fixture {
    let utf16: Vec<u8> = "\u{FEFF}ein needle\r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    Fixture::parse(TREE)
        .file("/T/ws/wide.txt", utf16)
        .file("/T/ws/binary", b"\0\0needle\n\0")
        .file(
            "/T/ws/long.txt",
            format!("{}needle{}", "x".repeat(500), "y".repeat(500)),
        )
}

/// Checks the whole contract on a door over [`tree`], given where `/T` really is.
pub fn check(door: &dyn Search, top: &AbsPath) {
    let case = Check { door, top };
    case.all_files_are_walked_in_order();
    case.rules_decide_what_is_passed_over();
    case.globs_say_which_files_are_wanted();
    case.a_walk_is_cut_at_its_limit();
    case.a_tree_begins_where_it_may();
    case.words_are_found_line_by_line();
    case.context_stands_around_what_was_found();
    case.what_is_found_is_cut_at_its_limits();
    case.senseless_patterns_are_told();
    case.directories_are_listed_first();
    case.only_what_passes_the_sieve_is_told_of();
}

struct Check<'a> {
    door: &'a dyn Search,
    top: &'a AbsPath,
}

/// What a test asks for.
#[derive(Clone, Copy)]
struct Wish<'a> {
    at: &'a str,
    only: &'a [&'a str],
    never: &'a [&'a str],
    case: Case,
    heeds_rules: bool,
    sieve: Option<&'a dyn Sieve>,
    limit: usize,
}

const ALL: Wish<'_> = Wish {
    at: "ws",
    only: &[],
    never: &[],
    case: Case::Sensitive,
    heeds_rules: false,
    sieve: None,
    limit: 1000,
};

/// Lets few files through, and no directory but those on the way to them.
#[derive(Debug)]
struct Few<'a>(&'a AbsPath);

impl Sieve for Few<'_> {
    fn tells(&self, path: &AbsPath, kind: Kind) -> bool {
        match kind {
            Kind::Dir => self.enters(path),
            Kind::File => ["one.rs", "x.log"].contains(&path.file_name()),
            Kind::Link | Kind::Special => false,
        }
    }

    fn enters(&self, dir: &AbsPath) -> bool {
        ["ws/a", "ws/a/deep"]
            .iter()
            .any(|way| *dir == self.0.join(way))
    }
}

const NEEDLE: Seek<'_> = Seek {
    pattern: "needle",
    is_literal: false,
    except: None,
    case: Case::Insensitive,
    context: (0, 0),
    per_file: None,
    names_only: false,
    max_line_bytes: 100,
};

impl Check<'_> {
    fn with<T>(&self, wish: Wish<'_>, ask: impl FnOnce(&Tree<'_>, &Cancel) -> T) -> T {
        let owned = |globs: &[&str]| globs.iter().map(|&glob| glob.to_owned()).collect();
        let (only, never): (Vec<String>, Vec<String>) = (owned(wish.only), owned(wish.never));
        let files = [self.top.join("ws/.geminiignore")];
        let ignore = Ignore {
            git: wish.heeds_rules,
            files: if wish.heeds_rules { &files } else { &[] },
        };
        let tree = Tree {
            at: &self.top.join(wish.at),
            within: &self.top.join("ws"),
            only: &only,
            never: &never,
            case: wish.case,
            ignore,
            sieve: wish.sieve,
            limit: wish.limit,
        };
        ask(&tree, &Cancel::new())
    }

    /// The paths of a walk from where it began, in one line.
    fn walk(&self, wish: Wish<'_>) -> Result<(String, usize, bool), Trouble> {
        let walked = self.with(wish, |tree, cancel| self.door.walk(tree, cancel))?;
        let top = self.top.join(wish.at);
        let names = walked
            .files
            .iter()
            .map(|file| file.path.relative_to(&top).unwrap());
        let names: Vec<_> = names.collect();
        Ok((names.join(" "), walked.n_ignored, walked.is_cut))
    }

    fn grep(&self, wish: Wish<'_>, seek: Seek<'_>) -> Result<Grepped, NoGrep> {
        self.with(wish, |tree, cancel| self.door.grep(tree, &seek, cancel))
    }

    /// The lines that were found, `name:number:text` or `name-number-text`.
    fn lines(&self, wish: Wish<'_>, seek: Seek<'_>) -> Vec<String> {
        let line = |grepped: Grepped| {
            let lines = grepped.lines.into_iter().map(|line| {
                let mark = if line.is_match { ':' } else { '-' };
                format!(
                    "{}{mark}{}{mark}{}",
                    line.path.file_name(),
                    line.number,
                    line.text
                )
            });
            lines.collect()
        };
        self.grep(wish, seek).map(line).unwrap()
    }

    fn all_files_are_walked_in_order(&self) {
        let (names, n_ignored, is_cut) = self.walk(ALL).unwrap();
        assert_eq!(
            names,
            ".geminiignore .gitignore a/.hidden.rs a/build/out.rs a/deep/.gitignore a/deep/x.log \
             a/excluded.rs a/one.rs a/seen.log a/two.rs a/x.log a-b/three.rs a.txt binary \
             build/out.rs long.txt secret/key.rs wide.txt",
            "no links, no pipes, nothing of git's own"
        );
        assert_eq!((n_ignored, is_cut), (0, false));
    }

    fn rules_decide_what_is_passed_over(&self) {
        let heeding = Wish {
            heeds_rules: true,
            ..ALL
        };
        let (names, n_ignored, _) = self.walk(heeding).unwrap();
        assert_eq!(
            names,
            ".geminiignore .gitignore a/.hidden.rs a/build/out.rs a/deep/.gitignore a/deep/x.log \
             a/one.rs a/seen.log a/two.rs a-b/three.rs a.txt binary long.txt wide.txt",
            "deeper rules over those above, named files over git's, and nothing above the root"
        );
        assert_eq!(n_ignored, 4, "two files and two directories");
        for at in ["ws/secret", "ws/secret/key.rs", "ws/build"] {
            let asked = Wish { at, ..heeding };
            assert_eq!(self.walk(asked), Ok((String::new(), 1, false)), "{at}");
            assert_eq!(self.lines(asked, NEEDLE), [""; 0], "{at}");
        }
        let deep = Wish {
            at: "ws/a",
            ..heeding
        };
        assert!(
            !self.walk(deep).unwrap().0.contains("excluded"),
            "rules above count"
        );
    }

    fn globs_say_which_files_are_wanted(&self) {
        let walk = |only, never, case| {
            let wish = Wish {
                only,
                never,
                case,
                ..ALL
            };
            self.walk(wish).unwrap().0
        };
        assert_eq!(
            walk(&["*.txt"], &[], Case::Sensitive),
            "a.txt long.txt wide.txt"
        );
        assert_eq!(
            walk(&["a/*.rs"], &["**/.*"], Case::Sensitive),
            "a/excluded.rs a/one.rs a/two.rs"
        );
        assert_eq!(
            walk(&["**/O*.RS"], &[], Case::Insensitive),
            "a/build/out.rs a/one.rs build/out.rs"
        );
        assert_eq!(walk(&["**/O*.RS"], &[], Case::Sensitive), "");
        assert_eq!(
            walk(&["**/*.{log,txt}"], &["a/**", "wide.*"], Case::Sensitive),
            "a.txt long.txt"
        );
        assert_eq!(
            walk(&["**/out.rs"], &["build"], Case::Sensitive),
            "a/build/out.rs"
        );
    }

    fn a_walk_is_cut_at_its_limit(&self) {
        let walk = |limit| {
            let wish = Wish {
                only: &["a/*.rs"],
                limit,
                ..ALL
            };
            let (names, _, is_cut) = self.walk(wish).unwrap();
            (names, is_cut)
        };
        assert_eq!(walk(2), ("a/.hidden.rs a/excluded.rs".to_owned(), true));
        assert!(!walk(4).1);
        assert_eq!(walk(0), (String::new(), true));
    }

    fn a_tree_begins_where_it_may(&self) {
        let walk = |at| self.walk(Wish { at, ..ALL });
        assert_eq!(walk("ws/none"), Err(Trouble::Missing));
        assert_eq!(walk("outside"), Err(Trouble::Outside));
        assert_eq!(walk("ws/out"), Err(Trouble::Outside));
        assert_eq!(walk("ws/pipe"), Err(Trouble::Special));
        assert_eq!(walk("ws/empty"), Ok((String::new(), 0, false)));
        assert_eq!(
            walk("ws/a/one.rs"),
            Ok((String::new(), 0, false)),
            "itself: nothing below it"
        );
        assert_eq!(walk("way-in/a-b").unwrap().0, "three.rs");
        assert!(matches!(
            self.grep(
                Wish {
                    at: "ws/out",
                    ..ALL
                },
                NEEDLE
            ),
            Err(NoGrep::Tree(Trouble::Outside))
        ));
    }

    fn words_are_found_line_by_line(&self) {
        let only = |only| Wish { only, ..ALL };
        assert_eq!(
            self.lines(only(&["a.txt", "a/one.rs", "wide.txt", "binary"]), NEEDLE),
            [
                "one.rs:1:fn needle() {}",
                "a.txt:2:a Needle, a (needle)",
                "wide.txt:1:ein needle"
            ]
        );
        let seek = |pattern, is_literal, case| {
            let seek = Seek {
                pattern,
                is_literal,
                case,
                ..NEEDLE
            };
            self.lines(only(&["a.txt", "a/one.rs"]), seek)
        };
        assert_eq!(
            seek("(NEEDLE)", true, Case::Insensitive),
            ["a.txt:2:a Needle, a (needle)"]
        );
        assert_eq!(seek("^a n", false, Case::Sensitive), [""; 0]);
        assert_eq!(
            seek(r"\{\}$", false, Case::Sensitive),
            ["one.rs:1:fn needle() {}"]
        );
        let file = Wish {
            at: "ws/a/two.rs",
            ..ALL
        };
        assert_eq!(self.lines(file, NEEDLE).len(), 4);
        let long = self.lines(only(&["long.txt"]), NEEDLE).remove(0);
        assert!(long.contains("xneedley") && long.len() < 150, "{long}");
    }

    fn context_stands_around_what_was_found(&self) {
        let seek = |context, except| {
            let wish = Wish {
                only: &["a/two.rs"],
                ..ALL
            };
            let seek = Seek {
                context,
                except,
                ..NEEDLE
            };
            let lines = self.lines(wish, seek);
            let short = lines.iter().filter_map(|line| line.strip_prefix("two.rs"));
            let short: String = short.filter_map(|line| line.get(..2)).collect();
            short
        };
        assert_eq!(seek((0, 0), None), ":1:3:4:7");
        assert_eq!(seek((1, 0), None), ":1-2:3:4-6:7");
        assert_eq!(seek((0, 1), None), ":1-2:3:4-5:7");
        assert_eq!(seek((0, 0), Some("NOT")), ":1:3:7");
        assert_eq!(seek((1, 1), Some("NOT")), ":1-2:3-6:7");
        assert_eq!(seek((3, 2), Some("needle [13]")), "-2:4-5-6:7");
    }

    fn what_is_found_is_cut_at_its_limits(&self) {
        let seek = |limit, per_file, names_only| {
            let wish = Wish {
                only: &["a/*.rs"],
                limit,
                ..ALL
            };
            let seek = Seek {
                per_file,
                names_only,
                ..NEEDLE
            };
            let grepped = self.grep(wish, seek).unwrap();
            assert_eq!(grepped.lines.len(), grepped.n_matches);
            (grepped.n_matches, grepped.is_cut)
        };
        assert_eq!(seek(100, None, false), (7, false));
        assert_eq!(seek(7, None, false), (7, false));
        assert_eq!(seek(6, None, false), (6, true));
        assert_eq!(seek(100, Some(2), false), (5, false));
        assert_eq!(seek(100, None, true), (4, false));
        assert_eq!(seek(3, None, true), (3, true));
        let two = |limit| {
            let wish = Wish {
                only: &["a/two.rs"],
                limit,
                ..ALL
            };
            let seek = Seek {
                context: (1, 1),
                ..NEEDLE
            };
            self.lines(wish, seek).len()
        };
        assert_eq!(
            two(3),
            5,
            "one, two, three, four, five: no context of what is not told"
        );
    }

    fn senseless_patterns_are_told(&self) {
        for pattern in ["(", "a{2,1}", "(?=x)", r"\1"] {
            let seek = Seek { pattern, ..NEEDLE };
            let Err(NoGrep::Pattern(reason)) = self.grep(ALL, seek) else {
                panic!("{pattern}");
            };
            assert!(!reason.is_empty());
        }
        let bad = Wish {
            only: &["a["],
            ..ALL
        };
        assert!(matches!(self.walk(bad), Err(Trouble::Other(_))));
        assert!(matches!(self.grep(bad, NEEDLE), Err(NoGrep::Pattern(_))));
    }

    fn directories_are_listed_first(&self) {
        let list = |wish| self.with(wish, |tree, cancel| self.door.list(tree, cancel));
        let show = |wish| {
            let listed = list(wish).unwrap();
            let names = listed.entries.iter().map(|entry| match entry.kind {
                Kind::Dir => format!("{}/", entry.name),
                Kind::Link => format!("{}@", entry.name),
                Kind::Special => format!("{}|", entry.name),
                Kind::File => format!("{}={}", entry.name, entry.len.unwrap()),
            });
            (
                names.collect::<Vec<_>>().join(" "),
                listed.n_more,
                listed.n_ignored,
            )
        };
        let heeding = Wish {
            heeds_rules: true,
            never: &["*.txt", "empty"],
            ..ALL
        };
        assert_eq!(
            show(heeding),
            (
                "a/ a-b/ .geminiignore=20 .gitignore=14 binary=10 link.rs@ loop@ out@ pipe|"
                    .to_owned(),
                0,
                2
            )
        );
        let few = Wish { limit: 3, ..ALL };
        assert_eq!(show(few), ("a/ a-b/ build/".to_owned(), 12, 0));
        let secret = Wish {
            at: "ws/secret",
            ..heeding
        };
        assert_eq!(show(secret), (String::new(), 0, 1));
        for (at, trouble) in [
            ("ws/a.txt", Trouble::NotDir),
            ("ws/none", Trouble::Missing),
            ("outside", Trouble::Outside),
        ] {
            assert_eq!(list(Wish { at, ..ALL }), Err(trouble), "{at}");
        }
    }

    fn only_what_passes_the_sieve_is_told_of(&self) {
        let few = Wish {
            sieve: Some(&Few(self.top)),
            ..ALL
        };
        let walked = self.walk(few);
        assert_eq!(
            walked,
            Ok(("a/deep/x.log a/one.rs a/x.log".to_owned(), 0, false))
        );
        let heeding = Wish {
            heeds_rules: true,
            ..few
        };
        let (names, n_ignored, _) = self.walk(heeding).unwrap();
        assert_eq!(
            (&*names, n_ignored),
            ("a/deep/x.log a/one.rs", 1),
            "the rest is not counted"
        );
        let lines = self.lines(few, NEEDLE);
        assert_eq!(
            lines,
            [
                "x.log:1:needle",
                "one.rs:1:fn needle() {}",
                "x.log:1:needle"
            ]
        );
        for (at, expected) in [("ws/a.txt", 0), ("ws/a/two.rs", 0), ("ws/a/one.rs", 1)] {
            let one = Wish { at, ..few };
            assert_eq!(self.lines(one, NEEDLE).len(), expected, "{at}");
            let walked = self.with(one, |tree, cancel| self.door.walk(tree, cancel));
            assert_eq!(walked.unwrap().files.len(), expected, "{at}");
        }
        let list = |at: &str| {
            let listed = self.with(Wish { at, ..few }, |tree, cancel| {
                self.door.list(tree, cancel)
            });
            let names = listed.unwrap().entries.into_iter().map(|entry| entry.name);
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!((&*list("ws"), &*list("ws/a")), ("a", "deep one.rs x.log"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FakeFiles, FakeSearch};

    #[test]
    fn the_fake_keeps_the_contract() {
        let files = FakeFiles::new(&tree());
        check(&FakeSearch::new(&files), &AbsPath::new("/T").unwrap());
    }
}
