//! Looking through a tree in memory, the plain way: all of it, one file after the other.
//!
//! It lacks threads, limits for memory, and whatever hides in files with bytes of zero.

use analects_text::decode::{Cut, decode};
use analects_world::files::{Files, Kind, Pick, Trouble, Want, Within};
use analects_world::search::{
    Case, Grepped, GreppedLine, Listed, ListedEntry, NoGrep, Search, Seek, Tree, Walked,
    WalkedFile, told,
};
use analects_world::{AbsPath, Cancel};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use regex_automata::meta::Regex;
use regex_automata::util::syntax;

const EXCLUDE: &str = ".git/info/exclude";

/// Looks through the trees of any disk.
#[derive(Clone, Copy)]
pub struct FakeSearch<'a>(&'a dyn Files);

impl<'a> FakeSearch<'a> {
    /// Looks through the trees of this disk.
    #[must_use]
    pub fn new(files: &'a dyn Files) -> Self {
        Self(files)
    }
}

impl Search for FakeSearch<'_> {
    fn list(&self, tree: &Tree<'_>, _: &Cancel) -> Result<Listed, Trouble> {
        let mut walk = Walk::new(self.0, tree).map_err(Trouble::Other)?;
        self.0.require_dir(tree.at)?;
        let Some(rules) = walk.begin()? else {
            return Ok(Listed {
                n_ignored: 1,
                ..Listed::default()
            });
        };
        let mut entries: Vec<_> = walk
            .names(&walk.real)
            .into_iter()
            .filter(|(name, kind)| walk.tells(&walk.real.join(name), *kind))
            .filter(|(name, kind)| walk.wants(name, *kind, &rules))
            .collect();
        entries.sort_by_key(|(_, kind)| *kind != Kind::Dir);
        let n_more = entries.len().saturating_sub(tree.limit);
        entries.truncate(tree.limit);
        let entry = |(name, kind): (String, Kind)| ListedEntry {
            len: (kind == Kind::File).then(|| walk.measure(&name).len),
            name,
            kind,
        };
        Ok(Listed {
            entries: entries.into_iter().map(entry).collect(),
            n_more,
            n_ignored: walk.n_ignored.get(),
            n_unread: 0,
        })
    }

    fn walk(&self, tree: &Tree<'_>, cancel: &Cancel) -> Result<Walked, Trouble> {
        let mut walk = Walk::new(self.0, tree).map_err(Trouble::Other)?;
        let mut found = walk.files()?;
        let is_cut = found.len() > tree.limit || cancel.is_cancelled();
        found.truncate(tree.limit);
        let file = |below: &String| WalkedFile {
            path: tree.at.join(below),
            written_ns: walk.measure(below).written_ns,
        };
        Ok(Walked {
            files: found.iter().map(file).collect(),
            n_ignored: walk.n_ignored.get(),
            n_unread: 0,
            is_cut,
        })
    }

    fn grep(&self, tree: &Tree<'_>, seek: &Seek<'_>, cancel: &Cancel) -> Result<Grepped, NoGrep> {
        let pattern = match seek.is_literal {
            true => seek
                .pattern
                .chars()
                .map(|c| format!(r"\x{{{:X}}}", u32::from(c)))
                .collect(),
            false => seek.pattern.to_owned(),
        };
        let wanted = regex(&pattern, seek.case).map_err(NoGrep::Pattern)?;
        let except = seek
            .except
            .map(|except| regex(except, seek.case))
            .transpose();
        let except = except.map_err(NoGrep::Pattern)?;
        let mut walk = Walk::new(self.0, tree).map_err(NoGrep::Pattern)?;
        let sought = Sought {
            wanted,
            except,
            seek,
        };
        let mut grepped = Grepped::default();
        for below in walk.files().map_err(NoGrep::Tree)? {
            let text = walk.text(&below);
            sought.add(&tree.at.join(&below), &text, tree.limit, &mut grepped);
            if grepped.is_cut {
                break;
            }
        }
        grepped.is_cut |= cancel.is_cancelled();
        Ok(grepped)
    }
}

/// What is sought.
struct Sought<'a> {
    wanted: Regex,
    except: Option<Regex>,
    seek: &'a Seek<'a>,
}

impl Sought<'_> {
    /// Adds what is found in a file, until there is as much as was asked for.
    fn add(&self, path: &AbsPath, text: &str, limit: usize, grepped: &mut Grepped) {
        let lines: Vec<_> = text.lines().collect();
        let is_left = |line: &str| self.except.as_ref().is_some_and(|it| it.is_match(line));
        let is_hit = |at: &usize| self.wanted.is_match(lines[*at]) && !is_left(lines[*at]);
        let ((before, after), max) = match self.seek.names_only {
            true => ((0, 0), 1),
            false => (self.seek.context, self.seek.per_file.unwrap_or(usize::MAX)),
        };
        let mut hits: Vec<_> = (0..lines.len()).filter(is_hit).take(max).collect();
        let room = limit - grepped.n_matches;
        grepped.is_cut = hits.len() > room;
        hits.truncate(room);
        grepped.n_matches += hits.len();
        let is_near = |&at: &usize| {
            let mut near = hits
                .iter()
                .filter(|&&hit| hit <= at + before && at <= hit + after);
            near.next().is_some() && !is_left(lines[at])
        };
        for at in (0..lines.len()).filter(is_near) {
            let found_at = self.wanted.find(lines[at]).map_or(0, |found| found.start());
            grepped.lines.push(GreppedLine {
                path: path.clone(),
                number: at as u64 + 1,
                text: told(lines[at].as_bytes(), found_at, self.seek.max_line_bytes),
                is_match: hits.contains(&at),
            });
        }
    }
}

/// One look through a tree.
struct Walk<'a> {
    files: &'a dyn Files,
    tree: &'a Tree<'a>,
    real: AbsPath,
    only: GlobSet,
    never: GlobSet,
    n_ignored: std::cell::Cell<usize>,
}

impl<'a> Walk<'a> {
    fn new(files: &'a dyn Files, tree: &'a Tree<'a>) -> Result<Self, String> {
        let inner = tree
            .never
            .iter()
            .filter_map(|glob| glob.strip_suffix("/**"));
        let never = tree.never.iter().map(String::as_str).chain(inner);
        Ok(Self {
            files,
            tree,
            real: tree.at.clone(),
            only: globs(tree.only.iter().map(String::as_str), tree.case)?,
            never: globs(never, tree.case)?,
            n_ignored: std::cell::Cell::new(0),
        })
    }

    /// The paths of all wanted files, sorted.
    fn files(&mut self) -> Result<Vec<String>, Trouble> {
        let Some(rules) = self.begin()? else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        match self.files.require_dir(&self.real) {
            Ok(()) => self.visit("", &rules, &mut found),
            Err(_) if self.takes(self.real.file_name()) && self.tells(&self.real, Kind::File) => {
                found.push(String::new());
            }
            Err(_) => {}
        }
        Ok(found)
    }

    /// The rules at the beginning; `None` if they say to ignore it.
    fn begin(&mut self) -> Result<Option<Rules>, Trouble> {
        self.real = self.files.real(self.tree.at)?;
        let within = self.files.real(self.tree.within)?;
        if !self.real.is_within(&within) {
            return Err(Trouble::Outside);
        }
        match self.files.measure(std::slice::from_ref(&self.real)).pop() {
            Some(Ok(_) | Err(Trouble::IsDir)) | None => {}
            Some(Err(trouble)) => return Err(trouble),
        }
        let named = self.tree.ignore.files.iter();
        let mut rules = Rules {
            named: named.map(|path| self.read_rules(path)).collect(),
            git: Vec::new(),
        };
        if self.tree.ignore.git {
            let exclude = self.read_rules_of(&within, EXCLUDE);
            rules.git.push(exclude);
        }
        let mut way: Vec<_> = self
            .real
            .ancestors()
            .take_while(|dir| dir.is_within(&within))
            .collect();
        way.reverse();
        for dir in way {
            let is_dir = self.files.require_dir(&dir).is_ok();
            if dir != within && rules.ignores(&dir, is_dir) {
                self.n_ignored.set(1);
                return Ok(None);
            }
            self.enter(&dir, &mut rules);
        }
        Ok(Some(rules))
    }

    fn visit(&self, below: &str, rules: &Rules, found: &mut Vec<String>) {
        let dir = self.real.join(below);
        for (name, kind) in self.names(&dir) {
            let path = AbsPath::root().join(below).join(&name);
            let path = path.as_str().trim_start_matches('/').to_owned();
            let real = self.real.join(&path);
            let passes = match kind {
                Kind::File => self.tells(&real, kind),
                Kind::Dir => self.tree.sieve.is_none_or(|sieve| sieve.enters(&real)),
                Kind::Link | Kind::Special => false,
            };
            if !passes || !self.wants(&path, kind, rules) {
                continue;
            }
            if kind == Kind::Dir {
                let mut inner = rules.clone();
                self.enter(&self.real.join(&path), &mut inner);
                self.visit(&path, &inner, found);
            } else {
                found.push(path);
            }
        }
    }

    fn wants(&self, below: &str, kind: Kind, rules: &Rules) -> bool {
        let is_dir = kind == Kind::Dir;
        let is_wanted = match is_dir {
            true => !self.never.is_match(below),
            false => self.takes(below),
        };
        let is_ignored = is_wanted && rules.ignores(&self.real.join(below), is_dir);
        self.n_ignored
            .set(self.n_ignored.get() + usize::from(is_ignored));
        is_wanted && !is_ignored
    }

    fn tells(&self, real: &AbsPath, kind: Kind) -> bool {
        let sieve = self.tree.sieve;
        sieve.is_none_or(|sieve| sieve.tells(real, kind))
    }

    fn takes(&self, below: &str) -> bool {
        (self.only.is_empty() || self.only.is_match(below)) && !self.never.is_match(below)
    }

    /// The names in a directory, sorted, without git's own.
    fn names(&self, dir: &AbsPath) -> Vec<(String, Kind)> {
        let listing = self
            .files
            .list_one(dir, &Pick::ending(""))
            .unwrap_or_default();
        let mut names: Vec<_> = listing
            .found
            .into_iter()
            .map(|found| (found.name, found.kind))
            .collect();
        names.retain(|(name, _)| name != ".git");
        names.sort();
        names
    }

    fn enter(&self, dir: &AbsPath, rules: &mut Rules) {
        if self.tree.ignore.git {
            rules.git.push(self.read_rules_of(dir, ".gitignore"));
        }
    }

    fn read_rules(&self, path: &AbsPath) -> Gitignore {
        let dir = path.parent().unwrap_or_else(AbsPath::root);
        self.read_rules_of(&self.files.real_or_same(&dir), path.file_name())
    }

    /// The rules of a file, seen from `dir`.
    fn read_rules_of(&self, dir: &AbsPath, name: &str) -> Gitignore {
        let mut builder = GitignoreBuilder::new(dir.as_str());
        builder.case_insensitive(true).unwrap();
        let bytes = self.read(&dir.join(name));
        for line in decode(&bytes, Cut::Whole).text.lines() {
            // Git means the blanks in front of a pattern; Gemini CLI's own files do not.
            let is_git = matches!(name, ".gitignore" | EXCLUDE);
            let line = if is_git { line } else { line.trim() };
            builder.add_line(None, line).ok();
        }
        builder.build().unwrap()
    }

    /// The text of a file; none, if it is not one of text.
    fn text(&self, below: &str) -> String {
        let bytes = self.read(&self.real.join(below));
        let is_wide = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
        match is_wide || !bytes.contains(&0) {
            true => decode(&bytes, Cut::Whole).text.into_owned(),
            false => String::new(),
        }
    }

    fn read(&self, path: &AbsPath) -> Vec<u8> {
        let blob = self.files.read_one(Want {
            path,
            within: Within::Anywhere,
            limit_bytes: usize::MAX,
        });
        blob.map(|blob| blob.bytes).unwrap_or_default()
    }

    fn measure(&self, below: &str) -> analects_world::files::Measure {
        let measured = self.files.measure(&[self.real.join(below)]).pop();
        measured.and_then(Result::ok).unwrap_or_default()
    }
}

/// Rules that hold in a directory: the first ones are the strongest, of git's the last ones.
#[derive(Clone)]
struct Rules {
    named: Vec<Gitignore>,
    git: Vec<Gitignore>,
}

impl Rules {
    fn ignores(&self, path: &AbsPath, is_dir: bool) -> bool {
        let path = std::path::Path::new(path.as_str());
        let mut all = self.named.iter().chain(self.git.iter().rev());
        all.find_map(|rules| {
            let opinion = rules.matched(path, is_dir);
            let counts = path.starts_with(rules.path()) && !opinion.is_none();
            counts.then(|| opinion.is_ignore())
        })
        .unwrap_or(false)
    }
}

fn globs<'a>(globs: impl Iterator<Item = &'a str>, case: Case) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let built = GlobBuilder::new(glob)
            .literal_separator(true)
            .empty_alternates(true)
            .case_insensitive(case == Case::Insensitive)
            .build();
        set.add(built.map_err(|error| error.to_string())?);
    }
    set.build().map_err(|error| error.to_string())
}

fn regex(pattern: &str, case: Case) -> Result<Regex, String> {
    let syntax = syntax::Config::new().case_insensitive(case == Case::Insensitive);
    let built = Regex::builder().syntax(syntax).build(pattern);
    built.map_err(|error| error.to_string())
}
