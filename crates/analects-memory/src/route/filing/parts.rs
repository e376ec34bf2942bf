//! Which directories of the project a fact names.
//!
//! A path or a made-up name tells by itself. A plain word tells of a part where `module` or `目录` stands beside it; an
//! uncommon one tells a little without. A common word alone tells nothing: `search the web` is no place.

use std::collections::{BTreeSet, HashMap};

use super::super::lexicon::WORDS;
use super::super::mention::{Words, components, is_made_up, stem_and_ending, uniform};
use super::Project;
use super::lexicon::FILING;

/// The places that a fact names, as written and as directories; the root is an empty path.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Named beyond doubt.
    pub(super) strong: Named,
    /// Named by a word that may mean itself.
    pub(super) weak: Named,
}

/// Some directories, and the first word that named one.
#[derive(Debug, Default)]
pub(super) struct Named {
    pub(super) dirs: BTreeSet<String>,
    pub(super) by: Option<String>,
}

impl Named {
    fn add<'a>(&mut self, by: &str, dirs: impl IntoIterator<Item = &'a String>) {
        let n_before = self.dirs.len();
        self.dirs
            .extend(dirs.into_iter().take(MAX_NAMESAKES).cloned());
        if self.dirs.len() > n_before && self.by.is_none() {
            self.by = Some(by.to_owned());
        }
    }

    /// The one directory that is meant: `src/auth` if `src` is named as well.
    pub(super) fn only(&self) -> Option<&str> {
        let deepest = self.dirs.iter().max_by_key(|dir| dir.len())?;
        let is_above = |dir: &String| {
            dir.is_empty()
                || deepest
                    .strip_prefix(dir.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        (!deepest.is_empty() && self.dirs.iter().all(is_above)).then_some(deepest.as_str())
    }
}

/// A fact that goes on after this many words has said what it is about.
const MAX_WORDS: usize = 256;
/// A name that stands for more directories than this names none of them.
const MAX_NAMESAKES: usize = 256;

/// Finds the parts of `project` that `fact` names.
pub(super) fn parts(fact: &str, project: &Project<'_>) -> Parts {
    let layout = Layout::of(project);
    let words = Words::of(fact);
    let mut parts = Parts::default();
    for (at, word) in words.words.iter().enumerate().take(MAX_WORDS) {
        let beside = Beside::of(&words, fact, at, word);
        name_by_word(word, &beside, &layout, &mut parts);
    }
    for name in FILING.names_without_blanks() {
        let is_part = stands_beside(&words.dense, name, "part");
        let is_folder = stands_beside(&words.dense, name, "folder");
        if is_part || is_folder {
            let dirs = layout.parts_named(name, is_folder);
            parts.strong.add(name, &dirs);
        }
    }
    parts
}

/// What stands around a word.
struct Beside {
    /// `module`, `服务`, or marks of code around it.
    is_part: bool,
    /// `directory`, `目录`, or `under`.
    is_folder: bool,
}

impl Beside {
    fn of(words: &Words, fact: &str, at: usize, word: &str) -> Self {
        let near = |at: Option<usize>| {
            let word = at.and_then(|at| words.words.get(at));
            word.map(|word| word.to_lowercase()).unwrap_or_default()
        };
        let (before, after) = (near(at.checked_sub(1)), near(Some(at + 1)));
        let is = |class: &str| FILING.has(class, &before) || FILING.has(class, &after);
        let is_shared = ["and", "or", "/"].contains(&after.as_str()) && {
            // `the auth and billing modules` are two.
            FILING.has("part", &near(Some(at + 3)))
        };
        let lower = word.to_lowercase();
        let is_code = fact.contains(&format!("`{word}`"));
        Self {
            is_part: is("part")
                || is_shared
                || is_code
                || stands_beside(&words.dense, &lower, "part"),
            is_folder: is("folder")
                || FILING.has("inside", &before)
                || stands_beside(&words.dense, &lower, "folder"),
        }
    }
}

/// Whether a Chinese word of a class stands right before or behind `word`.
fn stands_beside(dense: &str, word: &str, class: &str) -> bool {
    let mut marks = FILING.words(class).filter(|mark| !mark.is_ascii());
    dense.contains(word)
        && marks.any(|mark| {
            dense.contains(&format!("{word}{mark}"))
                || (word.is_ascii() && dense.contains(&format!("{mark}{word}")))
        })
}

fn name_by_word(word: &str, beside: &Beside, layout: &Layout, parts: &mut Parts) {
    let lower = word.replace('\\', "/").to_lowercase();
    if lower.contains('/') || lower.contains("::") {
        parts.strong.add(word, &layout.by_path(&lower));
        return;
    }
    let bare = uniform(lower.strip_suffix("'s").unwrap_or(&lower));
    if WORDS.everywhere.contains(lower.as_str()) {
        let root = layout.files.get(&bare).filter(|dirs| dirs.contains(""));
        parts.weak.add(word, root.into_iter().flatten().take(1));
        return;
    }
    if stem_and_ending(&bare).1.is_some() {
        let dirs = layout.files.get(&bare).into_iter().flatten();
        // `orchard.models`, as some languages name their modules.
        let dir = layout.dirs.get(&bare.replace('.', "/"));
        parts.strong.add(word, dirs.chain(dir));
        return;
    }
    let is_path_only = WORDS.path_only.contains(lower.as_str());
    if beside.is_folder || (beside.is_part && !is_path_only) {
        let dirs = layout.parts_named(&bare, beside.is_folder);
        parts.strong.add(word, &dirs);
    } else if is_made_up(word) && !is_acronym(word) {
        parts.strong.add(word, &layout.plain(&bare));
    } else if !is_path_only && bare.len() > 3 && !means_itself(&lower) {
        parts.weak.add(word, &layout.plain(&bare));
    }
}

fn is_acronym(word: &str) -> bool {
    word.chars().all(char::is_uppercase)
}

/// Whether a word is more likely to mean what it says than a part of the project.
fn means_itself(word: &str) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    [word, singular].into_iter().any(|word| {
        let is_listed = |class| FILING.phrases(class).any(|phrase| phrase == word);
        WORDS.common.contains(word)
            || ["site", "topic", "style", "manner"]
                .into_iter()
                .any(is_listed)
    })
}

/// The names of a project, in lower case, and the directories they stand for.
struct Layout {
    name: String,
    /// Directories by their whole paths.
    dirs: HashMap<String, String>,
    /// Directories by their last components.
    bases: HashMap<String, BTreeSet<String>>,
    /// Directories by the files in them.
    files: HashMap<String, BTreeSet<String>>,
    /// The same, by the names of the files without endings.
    stems: HashMap<String, BTreeSet<String>>,
    /// Directories by the whole paths of the files in them.
    paths: HashMap<String, String>,
}

impl Layout {
    fn of(project: &Project<'_>) -> Self {
        let mut layout = Self {
            name: uniform(project.name),
            dirs: HashMap::new(),
            bases: HashMap::new(),
            files: HashMap::new(),
            stems: HashMap::new(),
            paths: HashMap::new(),
        };
        for dir in project.dirs {
            let path = components(dir);
            if let Some(base) = path.last() {
                let places = layout.bases.entry(base.clone()).or_default();
                places.insert(dir.clone());
                layout.dirs.insert(path.join("/"), dir.clone());
            }
        }
        for file in project.files {
            let path = components(file);
            let Some(base) = path.last() else { continue };
            let dir = file.rsplit_once('/').map_or("", |(dir, _)| dir).to_owned();
            let stem = stem_and_ending(base).0.to_owned();
            layout.stems.entry(stem).or_default().insert(dir.clone());
            let places = layout.files.entry(base.clone()).or_default();
            places.insert(dir.clone());
            layout.paths.insert(path.join("/"), dir);
        }
        layout
    }

    /// Where a path leads. One to nowhere still tells of the project if it begins in it.
    fn by_path(&self, path: &str) -> Vec<String> {
        let is_of_machine = path.starts_with(['/', '~']) || path.contains("://");
        let wanted = components(path);
        let inside = wanted.iter().position(|part| *part == self.name);
        let wanted = match (is_of_machine, inside) {
            (true, None) => return Vec::new(),
            (true, Some(at)) => wanted.get(at + 1..).unwrap_or_default(),
            (false, _) => &wanted,
        };
        let whole = wanted.join("/");
        if let Some(dir) = self.dirs.get(&whole).or_else(|| self.paths.get(&whole)) {
            return vec![dir.clone()];
        }
        let ending = self.by_ending(wanted);
        if !ending.is_empty() {
            return ending;
        }
        let begun = (1..wanted.len()).rev().find_map(|n_parts| {
            let dir = self.dirs.get(&wanted.get(..n_parts)?.join("/"))?;
            let is_file = wanted.len() == n_parts + 1
                && wanted
                    .last()
                    .is_some_and(|name| stem_and_ending(name).1.is_some());
            Some(match is_file || n_parts > 1 {
                true => dir.clone(),
                false => String::new(),
            })
        });
        let is_from_here = path.starts_with("./") || is_of_machine;
        let begun = begun.or_else(|| is_from_here.then(String::new));
        begun.into_iter().collect()
    }

    /// The places whose paths end like this, among those whose last component does.
    fn by_ending(&self, wanted: &[String]) -> Vec<String> {
        let Some((base, way)) = wanted.split_last() else {
            return Vec::new();
        };
        if way.is_empty() {
            return Vec::new();
        }
        let whole = format!("/{}", wanted.join("/"));
        let above = format!("/{}", way.join("/"));
        let ends =
            |dir: &str, ending: &str| format!("/{}", components(dir).join("/")).ends_with(ending);
        let dirs = self.bases.get(base).into_iter().flatten();
        let dirs = dirs.take(MAX_NAMESAKES).filter(|dir| ends(dir, &whole));
        let holders = [self.files.get(base), self.stems.get(base)];
        let holders = holders.into_iter().flatten().flatten();
        let holders = holders.take(MAX_NAMESAKES);
        let holders = holders.filter(|dir| ends(dir, &above));
        let found: BTreeSet<_> = dirs.chain(holders).cloned().collect();
        found.into_iter().collect()
    }

    /// The parts of this name, or of another one for the same; of a directory, if it has to be one.
    fn parts_named(&self, name: &str, is_folder: bool) -> Vec<String> {
        let own = self.plain(name);
        if !own.is_empty() {
            return own;
        }
        let same: Vec<_> = FILING
            .same_as(name)
            .filter(|name| name.is_ascii())
            .collect();
        let dirs = same
            .iter()
            .filter_map(|name| self.bases.get(&uniform(name)));
        let found: BTreeSet<_> = dirs.flatten().cloned().collect();
        if !found.is_empty() || is_folder {
            return found.into_iter().collect();
        }
        let held = same
            .iter()
            .filter_map(|name| self.stems.get(&uniform(name)));
        let held: BTreeSet<_> = held.flatten().cloned().collect();
        held.into_iter().collect()
    }

    /// The directories of this name, or else those with a file of this name; one may be the plural of the other.
    fn plain(&self, name: &str) -> Vec<String> {
        let singular = name.strip_suffix('s').filter(|rest| rest.len() > 2);
        let forms = [
            Some(name.to_owned()),
            singular.map(str::to_owned),
            Some(format!("{name}s")),
        ];
        let forms: Vec<_> = forms.into_iter().flatten().collect();
        let look = |names: &HashMap<String, BTreeSet<String>>| {
            let mut found = forms.iter().filter_map(|form| names.get(form));
            found
                .next()
                .map(|dirs| dirs.iter().take(MAX_NAMESAKES).cloned().collect())
        };
        look(&self.bases)
            .or_else(|| look(&self.stems))
            .unwrap_or_default()
    }
}
