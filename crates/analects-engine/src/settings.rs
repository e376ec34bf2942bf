//! Settings: read from five scopes, each value with its origin.
//!
//! Weakest first: built-in defaults, system defaults, user, workspace, system; then a few environment
//! variables. In each scope `analects.json` overrules `settings.json` beside it. Only files are named
//! here; what a key means is in [`keys`].

mod authority;
pub(crate) mod called;
pub(crate) mod expand;
mod gemini;
pub mod keys;
mod kind;
mod known;
mod raw;
pub(crate) mod servers;

use std::collections::{BTreeMap, HashSet};

use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::Profile;

use crate::jsonc::{self, Item};
use crate::load_memory::root::holds_home;
use crate::{World, codes};
use authority::AdmittedValue;
pub use gemini::memory_names;
use keys::{Key, Kind, Merge, Setting, SettingAuthority};
pub(crate) use raw::raw;

/// Where a value comes from. Weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Built in.
    Default,
    /// The administrator's suggestions.
    SystemDefaults,
    /// `~/.gemini`.
    User,
    /// The working directory's `.gemini`, if it is trusted.
    Workspace,
    /// The administrator's orders.
    System,
    /// An environment variable.
    Environment,
}

impl Scope {
    /// The word used in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::SystemDefaults => "system-defaults",
            Self::User => "user",
            Self::Workspace => "workspace",
            Self::System => "system",
            Self::Environment => "environment",
        }
    }
}

/// What set a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The scope.
    pub scope: Scope,
    /// The file, or the environment variable's name.
    pub source: Option<String>,
    /// The line in the file.
    pub line: Option<usize>,
}

/// One setting in force.
#[derive(Debug, Clone)]
pub struct InForce {
    /// Which setting.
    pub key: &'static Key,
    /// Its value.
    pub value: Setting,
    /// What set it; for merged lists, the strongest file that added to it.
    pub origin: Origin,
    /// What it would be without the project, where that is what set it.
    without_project: Option<Setting>,
    /// What the project says about what it brings itself; the value does not contain it.
    own_items: Option<Vec<String>>,
}

/// All settings in force.
#[derive(Debug, Clone)]
pub struct Settings {
    values: Vec<InForce>,
    servers: Vec<servers::ServerEntry>,
    /// The profile, which decides the defaults of the others.
    pub profile: Profile,
}

/// A settings file that was read.
#[derive(Debug)]
pub struct SettingsFile {
    scope: Scope,
    path: AbsPath,
    kind: FileKind,
    root: Item,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Gemini,
    Analects,
}

/// Whether the workspace's own settings count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workspace {
    /// It is trusted: they count.
    Counts,
    /// It is not, or nobody knows yet: they are not even read.
    Skipped,
}

/// Reads the settings files that exist, weakest first.
#[must_use]
pub fn read(world: &World<'_>, workspace: Workspace) -> (Vec<SettingsFile>, Vec<Problem>) {
    read_at(world, places(world, workspace))
}

/// Adds the workspace's own files, once it turned out that they count; the others are not read again.
#[must_use]
pub fn with_workspace(
    world: &World<'_>,
    mut files: Vec<SettingsFile>,
) -> (Vec<SettingsFile>, Vec<Problem>) {
    let mut local = places(world, Workspace::Counts);
    local.retain(|(scope, _, _)| *scope == Scope::Workspace);
    let (more, problems) = read_at(world, local);
    files.extend(more);
    files.sort_by_key(|file| file.scope);
    (files, problems)
}

fn read_at(
    world: &World<'_>,
    places: Vec<(Scope, AbsPath, FileKind)>,
) -> (Vec<SettingsFile>, Vec<Problem>) {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for (scope, path, kind) in places {
        match jsonc::read_object(world.files, &path) {
            None => {}
            Some(Ok(root)) => files.push(SettingsFile {
                scope,
                path,
                kind,
                root,
            }),
            Some(Err(bad)) => {
                let mut problem = Problem::new(&codes::BAD_SETTINGS, bad.message).in_file(&path);
                problem.line = bad.line;
                problems.push(problem);
            }
        }
    }
    (files, problems)
}

fn places(world: &World<'_>, workspace: Workspace) -> Vec<(Scope, AbsPath, FileKind)> {
    let around = world.around;
    let etc = AbsPath::root().join("etc/gemini-cli");
    let system_file = |variable: &str, name: &str| {
        around
            .var(variable)
            .map_or_else(|| etc.join(name), |path| around.resolve(path))
    };
    let beside =
        |path: &AbsPath, name: &str| path.parent().unwrap_or_else(AbsPath::root).join(name);
    let defaults = system_file("GEMINI_CLI_SYSTEM_DEFAULTS_PATH", "system-defaults.json");
    let system = system_file("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "settings.json");
    let user = around.global_dir().join("settings.json");
    let local = around.cwd.join(".gemini/settings.json");
    let mut places = Vec::new();
    let mut add = |scope, path: AbsPath, own_name| {
        let own = beside(&path, own_name);
        places.push((scope, path, FileKind::Gemini));
        places.push((scope, own, FileKind::Analects));
    };
    // Both system files lie in one directory, so the defaults' companion has a name of its own.
    add(Scope::SystemDefaults, defaults, "analects-defaults.json");
    add(Scope::User, user, "analects.json");
    // Home, and what lies around it, is never a workspace.
    if workspace == Workspace::Counts && !holds_home(world, &around.cwd) {
        add(Scope::Workspace, local, "analects.json");
    }
    add(Scope::System, system, "analects.json");
    places
}

/// Puts the files on top of one another.
#[must_use]
pub fn resolve(world: &World<'_>, files: &[SettingsFile]) -> (Settings, Vec<Problem>) {
    let mut problems = unknown_keys(files);
    let profile = match in_force(
        world,
        files,
        &keys::PROFILE,
        Profile::Analects,
        &mut problems,
    )
    .value
    {
        Setting::Text(name) => Profile::NAMES
            .iter()
            .find(|(known, _)| *known == name)
            .map_or(Profile::Analects, |p| p.1),
        _ => Profile::Analects,
    };
    let values = keys::ALL.iter().map(|key| {
        let mut twice = Vec::new(); // the profile's own problems were reported above
        let heard = if std::ptr::eq(*key, &raw const keys::PROFILE) {
            &mut twice
        } else {
            &mut problems
        };
        in_force(world, files, key, profile, heard)
    });
    let values = values.collect();
    let servers = servers::gather(files, &mut problems);
    let settings = Settings {
        values,
        servers,
        profile,
    };
    (settings, problems)
}

fn in_force(
    world: &World<'_>,
    files: &[SettingsFile],
    key: &'static Key,
    profile: Profile,
    problems: &mut Vec<Problem>,
) -> InForce {
    let origin = Origin {
        scope: Scope::Default,
        source: None,
        line: None,
    };
    let mut in_force = InForce {
        key,
        value: (key.default)(profile),
        origin,
        without_project: None,
        own_items: None,
    };
    for file in files {
        let Some(item) = find(&file.root, key) else {
            continue;
        };
        let expand = |text: &str| expand_for(world, file.scope, text);
        match key.kind.accept(item, &expand) {
            Ok(value) => {
                let admitted = admit(&mut in_force, file, item, value, problems);
                let Some(value) = admitted else { continue };
                let source = Some(file.path.to_string());
                if file.scope == Scope::Workspace {
                    in_force
                        .without_project
                        .get_or_insert_with(|| in_force.value.clone());
                } else {
                    // What is added to a list does not take away what the project added before.
                    let without = in_force.without_project.take();
                    in_force.without_project = without
                        .filter(|_| key.merge == Merge::Append)
                        .map(|without| merge(without, value.clone(), key.merge));
                }
                in_force.origin = Origin {
                    scope: file.scope,
                    source,
                    line: Some(item.line),
                };
                in_force.value = merge(in_force.value, value, key.merge);
            }
            Err(message) => {
                let is_users = file.scope == Scope::Workspace
                    && matches!(key.authority, SettingAuthority::UserOnly);
                // A value that would not count anyway must not cast doubt on the user's.
                let (code, reason) = if is_users {
                    (&codes::WORKSPACE_SETTING, authority::USER_ONLY)
                } else {
                    (&codes::BAD_SETTING, message.as_str())
                };
                let problem = Problem::new(code, format!("`{}`: {reason}", key.name));
                problems.push(problem.in_file(&file.path).on_line(item.line));
            }
        }
    }
    if let Some((variable, text)) = key.variable.and_then(|v| Some((v, world.around.var(v)?))) {
        let value = match key.kind {
            Kind::FileNames => kind::file_names(split_names(text)),
            Kind::Names => Some(Setting::List(split_names(text))),
            _ => Some(Setting::Text(text.trim().to_owned())),
        };
        let Some(value) = value else {
            let message = format!("{variable}: {}", key.kind.expectation());
            problems.push(Problem::new(&codes::BAD_SETTING, message));
            return in_force;
        };
        in_force.value = value;
        in_force.origin = Origin {
            scope: Scope::Environment,
            source: Some(variable.to_owned()),
            line: None,
        };
        in_force.without_project = None;
    }
    in_force
}

/// A text of a settings file with its variables. A project's own files see the common ones only: what they say is shown,
/// recorded and sent to a model.
fn expand_for(world: &World<'_>, scope: Scope, text: &str) -> String {
    let vars = &world.around.vars;
    if scope == Scope::Workspace {
        return expand::filled(text, &|name| {
            let value = vars.get(name).filter(|_| expand::is_common(name));
            value.map(String::as_str)
        });
    }
    expand::variables(text, vars, expand::Secrets::Withheld)
}

/// What counts of a value that a file sets; what a workspace may not set is reported.
fn admit(
    in_force: &mut InForce,
    file: &SettingsFile,
    item: &Item,
    value: Setting,
    problems: &mut Vec<Problem>,
) -> Option<Setting> {
    if file.scope != Scope::Workspace {
        return Some(value);
    }
    let key = in_force.key;
    let AdmittedValue {
        value,
        own_items,
        refusals,
    } = key.authority.admit(&in_force.value, value);
    let refusals = refusals.iter().take(MAX_REFUSALS);
    problems.extend(refusals.map(|reason| {
        let message = format!("`{}`: {reason}", key.name);
        let problem = Problem::new(&codes::WORKSPACE_SETTING, message);
        problem.in_file(&file.path).on_line(item.line)
    }));
    if let Some(items) = own_items {
        in_force.own_items.get_or_insert_default().extend(items);
    }
    value
}

/// How many refused parts of one value are reported.
const MAX_REFUSALS: usize = 20;

/// The value of a key in one file: under its own name first, then under its older names.
fn find<'a>(root: &'a Item, key: &Key) -> Option<&'a Item> {
    std::iter::once(&key.name)
        .chain(key.aliases)
        .find_map(|name| name.split('.').try_fold(root, |item, part| item.get(part)))
}

fn merge(weaker: Setting, stronger: Setting, how: Merge) -> Setting {
    match (weaker, stronger, how) {
        (Setting::List(mut all), Setting::List(more), Merge::Append) => {
            for entry in more {
                if !all.contains(&entry) {
                    all.push(entry);
                }
            }
            Setting::List(all)
        }
        (_, stronger, _) => stronger,
    }
}

fn split_names(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// For how many unknown settings a known one is looked for.
const MAX_ADVISED: usize = 20;

fn unknown_keys(files: &[SettingsFile]) -> Vec<Problem> {
    let mut reported = HashSet::new();
    let mut problems = Vec::new();
    for file in files {
        let unknown = match file.kind {
            FileKind::Gemini => known::unknown_in_settings(&file.root),
            FileKind::Analects => known::unknown_in_analects(&file.root),
        };
        for odd in unknown {
            let name = &odd.name;
            let problem = match odd.is_group {
                true => Problem::new(&codes::BAD_SETTING, format!("`{name}`: expected an object")),
                false if reported.contains(name) => continue,
                false => {
                    let is_advised = reported.len() < MAX_ADVISED;
                    let message = match is_advised.then(|| known::nearest(name)).flatten() {
                        Some(near) => format!("unknown setting `{name}`; did you mean `{near}`?"),
                        None => format!("unknown setting `{name}`"),
                    };
                    reported.insert(name.clone());
                    Problem::new(&codes::UNKNOWN_SETTING, message)
                }
            };
            problems.push(problem.in_file(&file.path).on_line(odd.line));
        }
    }
    problems
}

impl Settings {
    /// Every setting, in the order of the reference.
    #[must_use]
    pub fn all(&self) -> &[InForce] {
        &self.values
    }

    /// The servers that anybody names, weakest scope first.
    pub(crate) fn servers(&self) -> &[servers::ServerEntry] {
        &self.servers
    }

    fn value(&self, key: &Key) -> &Setting {
        let found = self
            .values
            .iter()
            .find(|in_force| in_force.key.name == key.name);
        found.map_or(&Setting::Unset, |in_force| &in_force.value)
    }

    /// A switch; unset means off.
    #[must_use]
    pub fn flag(&self, key: &Key) -> bool {
        matches!(self.value(key), Setting::Flag(true))
    }

    /// A number, if one is set.
    #[must_use]
    pub fn count(&self, key: &Key) -> Option<usize> {
        if let Setting::Count(count) = self.value(key) {
            Some(*count)
        } else {
            None
        }
    }

    /// Whether anybody set it: a file or the environment.
    #[must_use]
    pub fn is_set(&self, key: &Key) -> bool {
        let mut values = self.values.iter();
        let found = values.find(|in_force| in_force.key.name == key.name);
        found.is_some_and(|in_force| in_force.origin.scope != Scope::Default)
    }

    /// A part of a whole, if one is set.
    #[must_use]
    pub fn share(&self, key: &Key) -> Option<f64> {
        if let Setting::Share(share) = self.value(key) {
            Some(*share)
        } else {
            None
        }
    }

    /// Tokens by the name of a tool or a model; none if unset.
    #[must_use]
    pub fn budgets(&self, key: &Key) -> Option<&BTreeMap<String, usize>> {
        if let Setting::Budgets(budgets) = self.value(key) {
            Some(budgets)
        } else {
            None
        }
    }

    /// Texts by name; none if unset.
    #[must_use]
    pub fn texts(&self, key: &Key) -> Option<&BTreeMap<String, String>> {
        if let Setting::Texts(texts) = self.value(key) {
            Some(texts)
        } else {
            None
        }
    }

    /// A word; empty if unset.
    #[must_use]
    pub fn text(&self, key: &Key) -> &str {
        if let Setting::Text(text) = self.value(key) {
            text
        } else {
            ""
        }
    }

    /// A word as it would be without the project, if the project set it.
    #[must_use]
    pub fn text_without_project(&self, key: &Key) -> Option<&str> {
        let mut values = self.values.iter();
        let found = values.find(|in_force| in_force.key.name == key.name)?;
        match found.without_project.as_ref()? {
            Setting::Text(text) => Some(text),
            _ => Some(""),
        }
    }

    /// A list without what the project added or put in its place; none if nobody else set it.
    #[must_use]
    pub fn list_without_project(&self, key: &Key) -> Option<&[String]> {
        let mut values = self.values.iter();
        let found = values.find(|in_force| in_force.key.name == key.name)?;
        let value = found.without_project.as_ref().unwrap_or(&found.value);
        match value {
            Setting::List(list) => Some(list),
            _ => None,
        }
    }

    /// A list as the project wants it, if it says anything about it.
    #[must_use]
    pub fn list_of_project(&self, key: &Key) -> Option<&[String]> {
        let mut values = self.values.iter();
        let found = values.find(|in_force| in_force.key.name == key.name)?;
        if let Some(items) = &found.own_items {
            return Some(items);
        }
        found.without_project.as_ref()?;
        match &found.value {
            Setting::List(list) => Some(list),
            _ => None,
        }
    }

    /// A list; empty if unset.
    #[must_use]
    pub fn list(&self, key: &Key) -> &[String] {
        if let Setting::List(list) = self.value(key) {
            list
        } else {
            &[]
        }
    }
}

#[cfg(test)]
mod tests;
