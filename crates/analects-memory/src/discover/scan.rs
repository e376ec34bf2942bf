//! The breadth-first scan below a working directory.
//!
//! One level at a time: a whole frontier goes through the door at once, which spreads it over threads;
//! the next frontier is built from the answers in order. So the result never depends on timing.

use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::Profile;
use analects_world::files::{Found, Pick, Subdirs};

use super::ignored::{IgnoreOptions, IgnoreScope, Rules};
use super::{Candidate, Depth, Search, boundary};
use crate::codes;
use crate::layer::Layer;

/// Directories that hold no one's rules, by their name alone.
pub const NEVER_ENTERED: [&str; 4] = [".git", "node_modules", "target", ".gemini"];

/// A directory to look into, with the rules in force around it.
struct Stop {
    dir: AbsPath,
    rules: Rules,
}

/// Memory files below `dir`, by depth and then by name.
pub(super) fn below(search: &mut Search<'_>, dir: &AbsPath, root: &AbsPath) -> Vec<Candidate> {
    let levels = match search.options.startup_depth {
        Depth::Levels(0) => return Vec::new(),
        Depth::Levels(levels) => levels,
        Depth::All => usize::MAX,
    };
    let ignore = ignore_options(search, dir);
    let rules = rules_above(search, &ignore, dir, root);
    let mut frontier = vec![Stop {
        dir: dir.clone(),
        rules,
    }];
    let mut left = search.options.max_dirs;
    let mut candidates = Vec::new();
    for level in 0..=levels {
        if frontier.len() > left {
            capped(search, dir);
            frontier.truncate(left);
        }
        left -= frontier.len();
        if frontier.is_empty() {
            break;
        }
        let subdirs = if level < levels {
            Subdirs::Report
        } else {
            Subdirs::Skip
        };
        let (found, next) = visit(search, &ignore, &frontier, root, level, subdirs);
        candidates.extend(found);
        frontier = next;
    }
    candidates
}

/// Looks into every directory of a frontier: its memory files, and the next frontier.
fn visit(
    search: &mut Search<'_>,
    ignore: &IgnoreOptions,
    frontier: &[Stop],
    root: &AbsPath,
    level: usize,
    subdirs: Subdirs,
) -> (Vec<Candidate>, Vec<Stop>) {
    let is_top = level == 0;
    let mut names = Rules::names(ignore, is_top);
    if !is_top {
        // The working directory's own files were found on the way down to it.
        names.extend(search.spots.iter().cloned());
    }
    let pick = Pick {
        names,
        suffix: None,
        subdirs,
    };
    let dirs: Vec<_> = frontier.iter().map(|stop| stop.dir.clone()).collect();
    let (mut candidates, mut next) = (Vec::new(), Vec::new());
    for (stop, listing) in frontier.iter().zip(search.files.list(&dirs, &pick)) {
        let mut listing = match listing {
            Ok(listing) => listing,
            Err(trouble) => {
                // The top was asked on the way down to it: once is enough.
                if !is_top || !search.is_known_unlisted(&stop.dir) {
                    search.unlisted(&stop.dir, &trouble);
                }
                continue;
            }
        };
        let (files, denied) = (search.files, &search.places.denied);
        let is_denied = denied.behind_dir(files, &stop.dir).is_some();
        if is_denied {
            let name = |found: &Found| !Rules::is_ignore_file(&found.name);
            listing.found.retain(name);
        }
        let found = &listing.found;
        let rules = stop
            .rules
            .enter(files, &stop.dir, root, found, &mut search.problems);
        for name in &listing.unspeakable {
            let message = format!("not entered: `{name}` is not UTF-8");
            search
                .problems
                .push(Problem::new(&codes::UNSPEAKABLE, message).in_file(&stop.dir));
        }
        listing.found.retain(|found| {
            !Rules::is_ignore_file(&found.name) && !rules.ignores_in(&stop.dir, &found.name)
        });
        let found = search.in_configured_order(listing.found);
        candidates.extend(search.candidates(&stop.dir, found, Layer::Project, root));
        listing.subdirs.sort_unstable();
        for name in listing.subdirs {
            let dir = stop.dir.join(&name);
            // Below a denied directory only what leads to one that may speak again.
            let is_closed = is_denied && !denied.is_lifted_in(files, &dir);
            let is_passed = is_closed && denied.behind_dir(files, &dir).is_some();
            let may_enter = may_enter(search.options.profile, &name);
            if may_enter && !is_passed && !rules.ignores(&dir, true) {
                next.push(Stop {
                    dir,
                    rules: rules.clone(),
                });
            }
        }
    }
    (candidates, next)
}

/// The ignore rules that count here: git's only inside a repository.
fn ignore_options(search: &Search<'_>, dir: &AbsPath) -> IgnoreOptions {
    let mut ignore = search.options.ignore.clone();
    if ignore.git {
        let repository = [".git".to_owned()];
        ignore.git = boundary::project_root(search.files, dir, &repository, None)
            .0
            .is_some();
    }
    ignore
}

fn may_enter(profile: Profile, name: &str) -> bool {
    match profile {
        // `.gemini` holds settings; its memory files are found from the directory that holds it.
        Profile::Analects | Profile::Seed => !NEVER_ENTERED.contains(&name),
        Profile::Head => name != ".git",
    }
}

/// The rules that hold in the directory above the scan's top: custom files, and every ignore file from
/// the project's root down to there.
fn rules_above(
    search: &mut Search<'_>,
    ignore: &IgnoreOptions,
    dir: &AbsPath,
    root: &AbsPath,
) -> Rules {
    let cwd = &search.places.cwd;
    let mut rules = Rules::custom(search.files, cwd, ignore, &mut search.problems);
    if ignore.scope == IgnoreScope::FromCwd {
        return rules;
    }
    let mut dirs: Vec<_> = dir
        .ancestors()
        .skip(1)
        .take_while(|dir| dir.is_within(root))
        .collect();
    dirs.reverse();
    let pick = Pick::names(Rules::names(ignore, true));
    for (dir, listing) in dirs.iter().zip(search.files.list(&dirs, &pick)) {
        // A directory that cannot be listed was reported on the way down.
        let Ok(listing) = listing else { continue };
        if search.places.denied.behind_dir(search.files, dir).is_some() {
            continue;
        }
        rules = rules.enter(
            search.files,
            dir,
            root,
            &listing.found,
            &mut search.problems,
        );
    }
    rules
}

fn capped(search: &mut Search<'_>, dir: &AbsPath) {
    let max_dirs = search.options.max_dirs;
    let message = format!(
        "the scan stopped after {max_dirs} directories (`context.discoveryMaxDirs`); deeper memory loads just in time"
    );
    search
        .problems
        .push(Problem::new(&codes::SCAN_CAPPED, message).in_file(dir));
}
