//! The walk through a project that a check surveys.

use std::collections::{HashMap, HashSet};

use analects_world::AbsPath;
use analects_world::files::{Files, Found, Kind, Listing, Pick, Subdirs, Trouble};

use super::{Dir, Survey, SurveyOptions, Unreached};
use crate::discover::{self, IgnoreOptions, IgnoreScope, NEVER_ENTERED, Rules};

/// How many directories are listed at once: enough for the door's threads, few enough to hold.
const BATCH: usize = 256;

/// More names than this are not remembered: a project of that size is cut anyway.
const MAX_NAMES: usize = 1_000_000;

/// Files that say that a directory was made by a program and can be made again.
const CACHE_SIGNS: [&str; 2] = ["CACHEDIR.TAG", "pyvenv.cfg"];

/// Files that stand at the root of a package.
const MANIFESTS: [&str; 5] = [
    "package.json",
    "Cargo.toml",
    "pyproject.toml",
    "go.mod",
    "pom.xml",
];

pub(super) fn walk(files: &dyn Files, options: &SurveyOptions) -> Survey {
    let mut walk = Walk::new(files, options);
    let mut frontier = vec![walk.start()];
    let mut left = options.max_dirs;
    while !frontier.is_empty() {
        if frontier.len() > left {
            frontier.truncate(left);
            walk.survey.is_cut = true;
        }
        left -= frontier.len();
        let mut next = Vec::new();
        for batch in frontier.chunks(BATCH) {
            next.extend(walk.visit(batch));
        }
        frontier = next;
    }
    walk.survey.memory.sort();
    walk.survey
}

struct Walk<'a> {
    files: &'a dyn Files,
    options: &'a SurveyOptions,
    /// Names of memory files, and where a memory file may lie as seen from its directory.
    names: Vec<String>,
    spots: Vec<String>,
    /// The directories whose memory no ignore rule keeps out.
    chain: HashSet<AbsPath>,
    pick: Pick,
    n_names: usize,
    survey: Survey,
}

/// A directory to look into.
struct Stop {
    dir: AbsPath,
    /// What git ignores around it.
    git: Rules,
    /// What the scan at start passes over around it.
    load: Rules,
    place: Place,
}

/// Whether the scan at start would come here.
#[derive(Clone, PartialEq, Eq)]
enum Place {
    Open,
    /// A directory on the way here is passed over by an ignore rule.
    Ignored,
    /// A directory of this name on the way here is never entered.
    Shut(&'static str),
}

impl<'a> Walk<'a> {
    fn new(files: &'a dyn Files, options: &'a SurveyOptions) -> Self {
        let plain = |name: &String| discover::plain(name);
        let names: Vec<_> = options.names.iter().filter_map(plain).collect();
        let dotted = names.iter().map(|name| format!(".gemini/{name}"));
        let mut spots: Vec<_> = names.iter().cloned().chain(dotted).collect();
        spots.sort();
        spots.dedup();
        let deeper = spots.iter().filter(|spot| spot.contains('/')).cloned();
        let ancestors = options.cwd.ancestors();
        Self {
            files,
            options,
            chain: ancestors
                .take_while(|dir| dir.is_within(&options.root))
                .collect(),
            pick: Pick {
                names: deeper.chain([".git/info/exclude".to_owned()]).collect(),
                suffix: Some(String::new()),
                subdirs: Subdirs::Report,
            },
            names,
            spots,
            n_names: 0,
            survey: Survey {
                root: options.root.clone(),
                memory: Vec::new(),
                unreached: Vec::new(),
                is_cut: false,
                dirs: Vec::new(),
                by_path: HashMap::new(),
                holders: HashMap::new(),
                named: HashMap::new(),
            },
        }
    }

    fn start(&self) -> Stop {
        let ignore = &self.options.ignore;
        // What is wrong with an ignore file was told by the load.
        let load = Rules::custom(self.files, &self.options.cwd, ignore, &mut Vec::new());
        Stop {
            dir: self.options.root.clone(),
            git: Rules::default(),
            load,
            place: Place::Open,
        }
    }

    /// Looks into some directories; answers with those below them.
    fn visit(&mut self, batch: &[Stop]) -> Vec<Stop> {
        let dirs: Vec<_> = batch.iter().map(|stop| stop.dir.clone()).collect();
        let listings = self.files.list(&dirs, &self.pick);
        let mut next = Vec::new();
        for (stop, listing) in batch.iter().zip(listings) {
            // A directory that cannot be listed is the load's to tell.
            let Ok(listing) = listing else { continue };
            if !self.is_foreign(stop, &listing.found) {
                next.extend(self.enter(stop, listing));
            }
        }
        next
    }

    /// Whether a directory is not a part of this project's own text.
    fn is_foreign(&self, stop: &Stop, found: &[Found]) -> bool {
        if stop.dir == self.options.root {
            return false;
        }
        let has = |name: &str| found.iter().any(|found| found.name == name);
        CACHE_SIGNS.iter().any(|sign| has(sign))
            || self.options.markers.iter().any(|marker| has(marker))
            || (stop.place == Place::Shut("node_modules") && has("package.json"))
    }

    fn enter(&mut self, stop: &Stop, listing: Listing) -> Vec<Stop> {
        let found = &listing.found;
        let git = self.rules(&stop.git, &GIT_ONLY, &stop.dir, found);
        let load = self.rules(&stop.load, &self.options.ignore, &stop.dir, found);
        self.remember(stop, &git, found);
        for found in &listing.found {
            self.judge(stop, &load, found, &listing.found);
        }
        let mut subdirs = listing.subdirs;
        subdirs.sort_unstable();
        let mut next = Vec::new();
        for name in subdirs {
            let dir = stop.dir.join(&name);
            match name.as_str() {
                ".git" => self.look_into_git(&dir),
                // Its memory files were found from here.
                ".gemini" => {}
                _ if git.ignores(&dir, true) => {}
                _ => next.push(Stop {
                    place: place(stop, &load, &dir, &name),
                    dir,
                    git: git.clone(),
                    load: load.clone(),
                }),
            }
        }
        next
    }

    /// The rules inside a directory: of the ignore files that are there, those that count.
    fn rules(
        &self,
        around: &Rules,
        ignore: &IgnoreOptions,
        dir: &AbsPath,
        found: &[Found],
    ) -> Rules {
        let is_top = *dir == self.options.root;
        let names = Rules::names(ignore, is_top);
        let counting: Vec<_> = found
            .iter()
            .filter(|found| names.contains(&found.name))
            .cloned()
            .collect();
        around.enter(
            self.files,
            dir,
            &self.options.root,
            &counting,
            &mut Vec::new(),
        )
    }

    fn remember(&mut self, stop: &Stop, git: &Rules, found: &[Found]) {
        let survey = &mut self.survey;
        let at = survey.dirs.len();
        survey.dirs.push(Dir {
            path: stop.dir.clone(),
            git: git.clone(),
        });
        survey.by_path.insert(stop.dir.clone(), at);
        let name = stop.dir.file_name().to_owned();
        survey.named.entry(name).or_default().push(at);
        for found in found {
            self.n_names += 1;
            if self.n_names > MAX_NAMES {
                survey.is_cut = true;
                break;
            }
            // A real directory is remembered when it is entered; one that is not entered exists, too.
            let holders = survey.holders.entry(found.name.clone()).or_default();
            holders.push(at);
        }
    }

    /// Whether a name that was found is memory, and whether it is reached.
    fn judge(&mut self, stop: &Stop, load: &Rules, found: &Found, beside: &[Found]) {
        // Directories and pipes are the load's to tell.
        if !matches!(found.kind, Kind::File | Kind::Link) {
            return;
        }
        let path = stop.dir.join(&found.name);
        if self.spots.contains(&found.name) {
            match self.obstacle(stop, load, found) {
                None => self.survey.memory.push(path),
                Some(why) => self.survey.unreached.push(Unreached { path, why }),
            }
        } else if let Some(meant) = self.meant(stop, &found.name, beside) {
            let why = format!("not loaded: its name is not `{meant}`");
            self.survey.unreached.push(Unreached { path, why });
        }
    }

    /// What keeps a file with the name of a memory file from being loaded.
    fn obstacle(&self, stop: &Stop, load: &Rules, found: &Found) -> Option<String> {
        let path = stop.dir.join(&found.name);
        if found.kind == Kind::Link && self.files.real(&path) == Err(Trouble::Missing) {
            return Some("not loaded: a link to nothing".to_owned());
        }
        if self.chain.contains(&stop.dir) {
            return None;
        }
        let is_ignored = stop.place == Place::Ignored || load.ignores_in(&stop.dir, &found.name);
        match stop.place {
            Place::Shut(name) => Some(format!("not loaded at start: no scan enters `{name}`")),
            _ if is_ignored => Some("not loaded at start: an ignore file excludes it".to_owned()),
            Place::Open | Place::Ignored => None,
        }
    }

    /// The memory file that somebody meant who wrote `name`.
    fn meant(&self, stop: &Stop, name: &str, beside: &[Found]) -> Option<&str> {
        let doubled = |meant: &str| {
            let rest = name.get(meant.len()..).unwrap_or_default();
            let head = name.get(..meant.len()).unwrap_or_default();
            head.eq_ignore_ascii_case(meant) && matches!(rest, ".md" | ".txt" | ".markdown")
        };
        // Further down, `agents.md` is a page about agents.
        let is_top = || {
            stop.dir == self.options.root
                || beside.iter().any(|f| MANIFESTS.contains(&f.name.as_str()))
        };
        let is_it = |meant: &str| doubled(meant) || (name.eq_ignore_ascii_case(meant) && is_top());
        if stop.place != Place::Open {
            return None;
        }
        self.names
            .iter()
            .map(String::as_str)
            .find(|meant| is_it(meant))
    }

    /// Nobody writes memory there, except by mistake.
    fn look_into_git(&mut self, dir: &AbsPath) {
        let pick = Pick::names(self.names.clone());
        let Ok(listing) = self.files.list_one(dir, &pick) else {
            return;
        };
        for found in listing.found {
            let path = dir.join(&found.name);
            let why = "not loaded at start: no scan enters `.git`".to_owned();
            self.survey.unreached.push(Unreached { path, why });
        }
    }
}

/// Git's own rules, whether or not the scan at start obeys them: what git ignores, nobody wrote.
const GIT_ONLY: IgnoreOptions = IgnoreOptions {
    git: true,
    gemini: false,
    custom: Vec::new(),
    scope: IgnoreScope::FromRoot,
};

fn place(stop: &Stop, load: &Rules, dir: &AbsPath, name: &str) -> Place {
    if stop.place != Place::Open {
        return stop.place.clone();
    }
    match NEVER_ENTERED.iter().find(|&&shut| shut == name) {
        Some(&shut) => Place::Shut(shut),
        None if load.ignores(dir, true) => Place::Ignored,
        None => Place::Open,
    }
}
