//! Gathers the rules that are in force: ours, those of extensions, of the project, of the user, of the administrator.
//!
//! What the rules mean is the business of `analects_agent::policy`. A project's rules are read only where the folder is
//! trusted. Whatever is there and cannot be read makes things stricter, never laxer.

mod control_files;
mod settings;

use analects_agent::policy::{
    self, LIMIT_BYTES, Mode, NARROW_FILE, Narrow, Places, Policy, Reading, Rule, Tier, unreadable,
};
use analects_memory::discover::Trust;
use analects_text::decode::without_mark;
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::files::{Kind, Pick, Trouble, Want, Within};

use crate::load_memory::Prepared;
use crate::load_memory::root::holds_home;
use crate::settings::keys;
use crate::verbs::Failure;
use crate::{World, extensions};

pub use analects_agent::policy::codes;

/// A directory may hold this many files of rules.
const MAX_FILES: usize = 64;

/// The rules that are in force for a project whose plans lie in `plans`.
#[must_use]
pub fn gather(world: &World<'_>, prepared: &Prepared, plans: &AbsPath) -> (Policy, Vec<Problem>) {
    let owned = prepared.owned_files(world);
    let world = &World {
        files: &owned,
        ..*world
    };
    let around = world.around;
    let real = |path: &AbsPath| world.files.real_or_same(path);
    let places = Places {
        project: real(&prepared.root),
        home: real(&around.home),
        plans: real(plans),
    };
    let mut gathering = Gathering {
        world,
        places: &places,
        rules: policy::shipped(&places),
        problems: Vec::new(),
    };
    let disabled = prepared.settings.list(&keys::EXTENSIONS_DISABLED);
    for root in extensions::roots(world, disabled) {
        gathering.directory(Tier::Extension, &root.join("policies"), Within::Root(&root));
    }
    for root in workspace_roots(world, prepared) {
        let dir = root.join(".gemini/policies");
        gathering.directory(Tier::Workspace, &dir, Within::Root(&root));
    }
    let user = around.global_dir().join("policies");
    gathering.directory(Tier::User, &user, Within::Anywhere);
    for dir in admin_directories(world) {
        gathering.directory(Tier::Admin, &dir, Within::Anywhere);
    }
    let Gathering {
        mut rules,
        mut problems,
        ..
    } = gathering;
    let (more, found) = settings::rules(prepared, &places);
    rules.extend(more);
    rules.push(control_files::rule(world, prepared));
    problems.extend(found);
    let policy = Policy::new(rules, &places);
    let policy = match prepared.decision.trust == Trust::Trusted {
        true => policy,
        false => policy.untrusted(),
    };
    (policy, problems)
}

/// What the rules of people let an agent have of what it was given: a file each, all of which count. The project's are
/// read only where the folder is trusted.
#[must_use]
pub fn narrows(world: &World<'_>, prepared: &Prepared, agent: &str) -> (Vec<Narrow>, Vec<Problem>) {
    let owned = prepared.owned_files(world);
    let world = &World {
        files: &owned,
        ..*world
    };
    let projects = workspace_roots(world, prepared);
    let project = projects.iter().map(|root| {
        let dir = root.join(".gemini/policies");
        (dir, Within::Root(root))
    });
    let user = [world.around.global_dir().join("policies")];
    let others = user.into_iter().chain(admin_directories(world));
    let all = project.chain(others.map(|dir| (dir, Within::Anywhere)));
    let (mut narrows, mut problems) = (Vec::new(), Vec::new());
    for (dir, within) in all {
        let Some((narrow, found)) = narrow(world, &dir, within, agent) else {
            continue;
        };
        narrows.push(narrow);
        problems.extend(found);
    }
    (narrows, problems)
}

/// What a directory of rules says about an agent. A link to nowhere is a file that cannot be read.
fn narrow(
    world: &World<'_>,
    dir: &AbsPath,
    within: Within<'_>,
    agent: &str,
) -> Option<(Narrow, Vec<Problem>)> {
    let path = dir.join(NARROW_FILE);
    let file = path.as_str();
    let name = Pick::names(vec![NARROW_FILE.to_owned()]);
    match world.files.list_one(dir, &name) {
        Ok(listing) if listing.found.is_empty() => return None,
        Err(Trouble::Missing) => return None,
        Err(trouble) => return Some(Narrow::unreadable(&trouble.to_string(), file)),
        Ok(_) => {}
    }
    let want = Want {
        path: &path,
        within,
        limit_bytes: LIMIT_BYTES + 1,
    };
    Some(match world.files.read_one(want) {
        Err(trouble) => Narrow::unreadable(&trouble.to_string(), file),
        Ok(blob) => match std::str::from_utf8(&blob.bytes) {
            Ok(text) => Narrow::read(without_mark(text), agent, file),
            Err(_) => Narrow::unreadable("not UTF-8, or too long", file),
        },
    })
}

/// How much is done without asking: as somebody wants it now, or as it is set. What asks less than usual is not to be had
/// in a folder that is not trusted, nor by a project's own settings.
pub fn mode(prepared: &Prepared, wanted: Option<&str>) -> Result<(Mode, Vec<Problem>), Failure> {
    let mut problems = Vec::new();
    let mode = match wanted {
        Some(name) => Mode::named(name).ok_or_else(|| {
            let known = Mode::ALL.map(Mode::as_str).join(", ");
            Failure::bad_input(format!("there is no approval mode `{name}`"))
                .hint(format!("it is one of {known}"))
        })?,
        None => mode_of_settings(prepared),
    };
    let is_doubtful = prepared.doubt_about(keys::policy::NO_YOLO.name).is_some();
    if mode == Mode::Yolo && (prepared.settings.flag(&keys::policy::NO_YOLO) || is_doubtful) {
        return Err(
            Failure::bad_input("the approval mode `yolo` is switched off here").hint(
                "`security.disableYoloMode` says so; `auto-edit` is the most that can be had",
            ),
        );
    }
    let is_lax = matches!(mode, Mode::AutoEdit | Mode::Yolo);
    if is_lax && prepared.decision.trust != Trust::Trusted {
        let message = format!(
            "`{}` is for trusted folders; here everything is asked for (`analects trust add`)",
            mode.as_str()
        );
        problems.push(Problem::new(&codes::MODE_REFUSED, message));
        return Ok((Mode::Default, problems));
    }
    Ok((mode, problems))
}

fn mode_of_settings(prepared: &Prepared) -> Mode {
    Mode::named(prepared.settings.text(&keys::policy::MODE)).unwrap_or_default()
}

/// Where a project keeps its rules: nowhere, as long as it is not trusted.
fn workspace_roots(world: &World<'_>, prepared: &Prepared) -> Vec<AbsPath> {
    if prepared.decision.trust != Trust::Trusted {
        return Vec::new();
    }
    let real = |path: &AbsPath| world.files.real_or_same(path);
    let mut roots = vec![real(&world.around.cwd)];
    if prepared.root_trust == Trust::Trusted {
        roots.insert(0, real(&prepared.root));
    }
    roots.dedup();
    // At home the rules are the user's, and what lies above it is never a project.
    roots.retain(|root| !holds_home(world, root));
    roots
}

/// Beside the administrator's settings, and where these are unless somebody says otherwise.
fn admin_directories(world: &World<'_>) -> Vec<AbsPath> {
    let etc = AbsPath::root().join("etc/gemini-cli");
    let told = world.around.var("GEMINI_CLI_SYSTEM_SETTINGS_PATH");
    let told = told.and_then(|path| world.around.resolve(path).parent());
    let mut all = vec![etc];
    all.extend(told);
    all.dedup();
    all.iter().map(|dir| dir.join("policies")).collect()
}

struct Gathering<'a> {
    world: &'a World<'a>,
    places: &'a Places,
    rules: Vec<Rule>,
    problems: Vec<Problem>,
}

impl Gathering<'_> {
    /// Reads the files of a directory, in the order of their names.
    fn directory(&mut self, tier: Tier, dir: &AbsPath, within: Within<'_>) {
        let mut found = match self.world.files.list_one(dir, &Pick::ending(".toml")) {
            Ok(listing) => listing.found,
            Err(Trouble::Missing) => return,
            Err(trouble) => return self.unreadable(tier, dir, &trouble.to_string()),
        };
        found.retain(|found| found.kind != Kind::Dir);
        found.sort();
        if found.len() > MAX_FILES {
            let why = format!("more than {MAX_FILES} files of rules");
            return self.unreadable(tier, dir, &why);
        }
        let paths: Vec<_> = found.iter().map(|found| dir.join(&found.name)).collect();
        let want = |path| Want {
            path,
            within,
            // One more than may be, so that a file that is too long is seen to be.
            limit_bytes: LIMIT_BYTES + 1,
        };
        let wants: Vec<_> = paths.iter().map(want).collect();
        for (path, blob) in paths.iter().zip(self.world.files.read(&wants)) {
            match blob {
                Ok(blob) => match std::str::from_utf8(&blob.bytes) {
                    Ok(text) => self.file(tier, path, text),
                    Err(_) if blob.is_cut() => self.unreadable(tier, path, "too long"),
                    Err(_) => self.unreadable(tier, path, "not UTF-8"),
                },
                Err(trouble) => self.unreadable(tier, path, &trouble.to_string()),
            }
        }
    }

    fn file(&mut self, tier: Tier, path: &AbsPath, text: &str) {
        let reading = Reading {
            tier,
            file: path.as_str(),
            places: self.places,
        };
        let text = without_mark(text);
        let (rules, problems) = policy::read(text, &reading);
        self.rules.extend(rules);
        self.problems.extend(problems);
    }

    fn unreadable(&mut self, tier: Tier, path: &AbsPath, why: &str) {
        let reading = Reading {
            tier,
            file: path.as_str(),
            places: self.places,
        };
        let (rules, problems) = unreadable(why, None, &reading);
        self.rules.extend(rules);
        self.problems.extend(problems);
    }
}

#[cfg(test)]
mod tests;
