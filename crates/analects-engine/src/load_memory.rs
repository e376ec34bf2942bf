//! Loading the memory that applies in a directory: settings, trust, places, then the memory room.

pub(crate) mod owners;
pub(crate) mod root;

use analects_memory::discover::{
    self, Denied, Depth, DiscoverOptions, IgnoreOptions, IgnoreScope, Include, Places, Trust,
};
use analects_memory::import::{Format, ImportOptions, Scope};
use analects_memory::label::Labels;
use analects_memory::load;
use analects_memory::load::{LoadOptions, Loaded, Loader};
use analects_memory::nearby::{self, Nearby};
use analects_memory::stack::{self, MemoryStack};
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::Profile;
use analects_world::ownership::{OwnedFiles, TrustedOwners};

use crate::settings::{self, Settings, Workspace, called, keys};
use crate::trust::{self, Decision, Given, Reason};
use crate::verbs::{Failure, Flags};
use crate::{World, codes, extensions, identity, write};

/// Everything that is known before a memory file is opened.
#[derive(Debug)]
pub struct Prepared {
    /// The settings in force.
    pub settings: Settings,
    /// Whether the folder is trusted.
    pub decision: Decision,
    /// The project's root.
    pub root: AbsPath,
    /// Whether what lies in the root may speak: a folder in it can be trusted where the root is not.
    pub(crate) root_trust: Trust,
    /// Further directories of the workspace, links resolved.
    pub(crate) included: Vec<AbsPath>,
    pub(crate) places: Places,
    pub(crate) discover: DiscoverOptions,
    pub(crate) load: LoadOptions,
    format: Format,
    /// What a layer may cost.
    pub layer_limit_tokens: usize,
    pub(crate) no_memory: bool,
    problems: Vec<Problem>,
}

impl Prepared {
    /// Why it is not sure what the user or the administrator set there: a value that makes no sense, or a file that cannot
    /// be read. The project's own files cast no doubt on what the user set.
    #[must_use]
    pub fn doubt_about(&self, setting: &str) -> Option<&Problem> {
        self.doubts(setting)
            .find(|problem| !self.is_in_project_settings(problem))
    }

    /// Like `doubt_about`, but for the project's own settings.
    pub(crate) fn project_doubt_about(&self, setting: &str) -> Option<&Problem> {
        self.doubts(setting)
            .find(|problem| self.is_in_project_settings(problem))
    }

    fn doubts(&self, setting: &str) -> impl Iterator<Item = &Problem> {
        let is_doubt = move |problem: &&Problem| match problem.code {
            code if *code == codes::BAD_SETTINGS => true,
            code if *code == codes::BAD_SETTING => problem.message.contains(setting),
            _ => false,
        };
        self.problems.iter().filter(is_doubt)
    }

    fn is_in_project_settings(&self, problem: &Problem) -> bool {
        let dir = self.places.cwd.join(".gemini");
        let path = problem.path.as_deref().map(AbsPath::new);
        let path = path.and_then(Result::ok);
        dir != self.places.home.join(".gemini") && path.is_some_and(|path| path.is_within(&dir))
    }
}

/// Start-up memory, and a loader that goes on from there.
pub struct Started<'a> {
    /// The layers as they enter the context.
    pub stack: MemoryStack,
    /// The files behind them.
    pub loaded: Vec<Loaded>,
    /// Everything that went wrong so far.
    pub problems: Vec<Problem>,
    prepared: &'a Prepared,
    world: World<'a>,
    pub(crate) loader: Loader<'a>,
}

/// Finds out where memory is and what may be read of it.
pub fn prepare(world: &World<'_>, flags: &Flags) -> Result<Prepared, Failure> {
    let around = world.around;
    require_directory(world, &around.cwd)?;
    let (files, mut problems) = settings::read(world, Workspace::Skipped);
    let (mut settings, mut found) = settings::resolve(world, &files);
    let rules = trust::Rules::read(world);
    let given = Given {
        flag: flags.trust,
        feature_on: settings.flag(&keys::FOLDER_TRUST),
    };
    let (trusted_owners, found_owners) = owners::trusted_owners(world, &settings);
    problems.extend(found_owners);
    let owned_files = OwnedFiles {
        files: world.files,
        owners: &trusted_owners,
    };
    let owned = World {
        files: &owned_files,
        ..*world
    };
    let decision = rules.decide(world, &around.cwd, given);
    rules.record(world, flags, &decision);
    problems.extend(trust::replaced_repository(&decision));
    let markers = settings.list(&keys::BOUNDARY_MARKERS).to_vec();
    let (decision, refused) =
        trust::doubt_ownership(world, &trusted_owners, decision, &around.cwd, &markers);
    problems.extend(refused);
    if decision.trust == Trust::Trusted {
        let (files, unread) = settings::with_workspace(&owned, files);
        problems.extend(unread);
        (settings, found) = settings::resolve(world, &files);
    }
    problems.extend(found);
    problems.extend(rules.problems.iter().cloned());
    if let Some(id) = write::unfinished(world) {
        let message = format!(
            "commit {id} is unfinished, so memory may say too much or too little until the next change to it"
        );
        problems.push(Problem::new(&codes::UNFINISHED, message));
    }
    let discover = discover_options(world, &settings);
    let (marked, found) = root::marked_root(world, &discover.markers);
    problems.extend(found);
    let (marked, found) = match decision.trust {
        Trust::Trusted => root::owned_root(world, &trusted_owners, &discover.markers, marked),
        Trust::Untrusted => (marked, None),
    };
    problems.extend(found);
    let root = root::trusted_root(world, &rules, &decision, &marked);
    let denied = rules.denied(world, &around.cwd, given);
    let is_denied = denied.closest(&world.files.real_or_same(&root)).is_some();
    let root_trust = if is_denied || root::holds_home(world, &root) {
        Trust::Untrusted
    } else {
        decision.trust
    };
    // Private notes are the user's own: those on the whole repository count in a part of it, too.
    let projects = [marked, root.clone(), around.cwd.clone()];
    let (mut private, found) = identity::private_folders(world, &projects, root_trust);
    if matches!(decision.reason, Reason::OtherRepository(_)) {
        // They may be about the repository that was trusted here before.
        private.clear();
    }
    problems.extend(found);
    let disabled = settings.list(&keys::EXTENSIONS_DISABLED);
    let (extensions, found) = extensions::context_files(&owned, disabled);
    problems.extend(found);
    let included = include_directories(world, &settings, &root, &mut problems);
    let said = (&rules, &denied, given);
    let include = include_memory(world, &settings, said, &included, &mut problems);
    let places = Places {
        cwd: around.cwd.clone(),
        home: around.home.clone(),
        private,
        extensions,
        include,
        top: Some(root.clone()),
        trust: decision.trust,
        denied: denied.clone(),
    };
    let window = settings.count(&keys::WINDOW_TOKENS).unwrap_or(usize::MAX);
    let share = settings
        .count(&keys::LAYER_MAX_TOKENS)
        .unwrap_or(window / 10);
    Ok(Prepared {
        load: load_options(world, &settings, &root, denied, trusted_owners.clone()),
        format: match settings.text(&keys::IMPORT_FORMAT) {
            "flat" => Format::Flat,
            _ => Format::Tree,
        },
        layer_limit_tokens: share,
        settings,
        decision,
        root,
        root_trust,
        places,
        discover,
        included,
        no_memory: flags.no_memory,
        problems,
    })
}

impl Prepared {
    /// Loads the memory that is there at start.
    #[must_use]
    pub fn start<'a>(&'a self, world: World<'a>) -> Started<'a> {
        let mut problems = self.problems.clone();
        let mut loader = Loader::new(world.files, &self.load);
        let mut loaded = Vec::new();
        if !self.no_memory {
            let discovered = discover::discover(world.files, &self.places, &self.discover);
            problems.extend(discovered.problems);
            let (read, found) = loader.load(&discovered.candidates, self.format);
            loaded = read;
            problems.extend(found);
        }
        let stack = stack::stack(&loaded, self.layer_limit_tokens);
        problems.extend(stack.problems.iter().cloned());
        Started {
            stack,
            loaded,
            problems,
            prepared: self,
            world,
            loader,
        }
    }

    /// Where memory is looked for.
    #[must_use]
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// What went wrong before any memory file was opened.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl Started<'_> {
    /// Adds what is memory and stands in no file: the words of servers.
    pub(crate) fn add(&mut self, words: &[Loaded]) {
        if words.is_empty() || self.prepared.no_memory {
            return;
        }
        self.loaded.extend_from_slice(words);
        self.stack = stack::stack(&self.loaded, self.prepared.layer_limit_tokens);
        for problem in &self.stack.problems {
            if !self.problems.contains(problem) {
                self.problems.push(problem.clone());
            }
        }
    }

    /// What a tool that touches `path` brings in beyond what was loaded so far.
    pub fn touch(&mut self, path: &AbsPath) -> Nearby {
        self.touch_all(std::slice::from_ref(path))
    }

    /// The same for all paths that one call of a tool touches.
    pub fn touch_all(&mut self, paths: &[AbsPath]) -> Nearby {
        let prepared = self.prepared;
        if prepared.no_memory {
            return Nearby::default();
        }
        nearby::nearby(
            self.world.files,
            &prepared.places,
            &prepared.discover,
            &mut self.loader,
            paths,
            prepared.layer_limit_tokens,
        )
    }

    /// What was known before a memory file was opened.
    #[must_use]
    pub fn prepared(&self) -> &Prepared {
        self.prepared
    }

    /// Where the private notes on this project lie, unless memory is off.
    pub(crate) fn private_folders(&self) -> &[AbsPath] {
        match self.prepared.no_memory {
            true => &[],
            false => &self.prepared.places.private,
        }
    }

    /// The files that were left out because another one says the same.
    #[must_use]
    pub fn duplicates(&self) -> &[load::Duplicate] {
        self.loader.duplicates()
    }
}

fn require_directory(world: &World<'_>, dir: &AbsPath) -> Result<(), Failure> {
    match world.files.require_dir(dir) {
        Ok(()) => Ok(()),
        Err(trouble) => Err(
            Failure::bad_input(format!("cannot work in `{dir}`: {trouble}"))
                .hint("name an existing directory with `--cwd`"),
        ),
    }
}

fn discover_options(world: &World<'_>, settings: &Settings) -> DiscoverOptions {
    let custom = settings.list(&keys::CUSTOM_IGNORE_FILES).iter();
    DiscoverOptions {
        profile: settings.profile,
        names: settings.list(&keys::FILE_NAME).to_vec(),
        own_names: Some(called::own(settings)),
        markers: settings.list(&keys::BOUNDARY_MARKERS).to_vec(),
        startup_depth: match settings.count(&keys::STARTUP_DEPTH) {
            Some(levels) => Depth::Levels(levels),
            None => Depth::All,
        },
        max_dirs: settings.count(&keys::DISCOVERY_MAX_DIRS).unwrap_or(200),
        ignore: IgnoreOptions {
            git: settings.flag(&keys::RESPECT_GIT_IGNORE),
            gemini: settings.flag(&keys::RESPECT_GEMINI_IGNORE),
            custom: custom.map(|path| world.around.resolve(path)).collect(),
            scope: match settings.profile {
                Profile::Analects => IgnoreScope::FromRoot,
                Profile::Seed | Profile::Head => IgnoreScope::FromCwd,
            },
        },
    }
}

fn load_options(
    world: &World<'_>,
    settings: &Settings,
    root: &AbsPath,
    denied: Denied,
    owners: TrustedOwners,
) -> LoadOptions {
    let profile = settings.profile;
    LoadOptions {
        import: ImportOptions {
            profile,
            scope: match settings.text(&keys::IMPORT_SCOPE) {
                "directory" => Scope::Directory,
                _ => Scope::Root,
            },
            max_depth: settings.count(&keys::IMPORT_MAX_DEPTH).unwrap_or(10),
        },
        file_limit_bytes: settings.count(&keys::MAX_FILE_BYTES).unwrap_or(512 * 1024),
        load_limit_bytes: settings.count(&keys::MAX_LOAD_BYTES).unwrap_or(1024 * 1024),
        labels: Labels {
            profile,
            root: root.clone(),
            cwd: world.around.cwd.clone(),
            home: world.around.home.clone(),
        },
        denied,
        owners,
    }
}

/// Include directories that belong to the workspace: those that the user names, and those inside the project. A project
/// cannot widen the workspace, so a directory outside of it that only the project names is left out.
fn include_directories(
    world: &World<'_>,
    settings: &Settings,
    root: &AbsPath,
    problems: &mut Vec<Problem>,
) -> Vec<AbsPath> {
    let users = settings.list_without_project(&keys::INCLUDE_DIRECTORIES);
    let users = users.unwrap_or_default();
    let here = world.files.real_or_same(root);
    let mut included = Vec::new();
    for text in settings.list(&keys::INCLUDE_DIRECTORIES) {
        let dir = world.files.real_or_same(&world.around.resolve(text));
        if users.contains(text) || dir.is_within(&here) {
            included.push(dir);
        } else {
            let message =
                "the project includes this directory, which lies outside of it: it is left out";
            problems.push(Problem::new(&codes::INCLUDE_UNTRUSTED, message).in_file(&dir));
        }
    }
    included
}

/// Those whose memory is wanted and trusted, each as far up as the rule about it reaches.
fn include_memory(
    world: &World<'_>,
    settings: &Settings,
    (rules, denied, given): (&trust::Rules, &Denied, Given),
    included: &[AbsPath],
    problems: &mut Vec<Problem>,
) -> Vec<Include> {
    if !settings.flag(&keys::LOAD_FROM_INCLUDE) {
        return Vec::new();
    }
    let mut trusted = Vec::new();
    for dir in included {
        let decision = rules.decide(world, dir, given);
        if decision.trust == Trust::Trusted && denied.closest(dir).is_none() {
            let top = match decision.reason {
                Reason::Rule(about) => Some(about),
                _ => None,
            };
            let dir = dir.clone();
            trusted.push(Include { dir, top });
        } else {
            let message = "include directory is not trusted, its memory is not loaded";
            problems.push(Problem::new(&codes::INCLUDE_UNTRUSTED, message).in_file(dir));
        }
    }
    trusted
}

#[cfg(test)]
mod tests;
