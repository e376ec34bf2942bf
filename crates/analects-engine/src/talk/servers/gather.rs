//! Which servers are wanted: the user's own, those of the project, those of extensions.
//!
//! The user's own come first: a project or an extension cannot put another server in the place of one that the user
//! knows by its name. Whatever is not used is told of.

use std::collections::BTreeSet;

use analects_text::problem::Problem;
use analects_text::sanitize::one_line;
use analects_world::AbsPath;

use super::entry::{By, Entry, Reading, is_us};
use super::roots;
use super::vars::{EntryOwner, Vars};
use crate::jsonc::{self, Item};
use crate::load_memory::Prepared;
use crate::project_variables::ProjectVariables;
use crate::settings::keys::{self, servers as key};
use crate::settings::{Settings, servers};
use crate::{World, codes, extensions};

/// How many servers are used.
const MAX_SERVERS: usize = 32;
/// Where Gemini CLI notes which servers are switched off.
const ENABLEMENT: &str = "mcp-server-enablement.json";

/// An entry that nobody has read yet.
struct Found {
    name: String,
    item: Item,
    file: AbsPath,
    by: By,
    /// Where the extension lies, if it is one's.
    root: Option<AbsPath>,
}

/// The servers that are to be reached, and what is wrong with the others.
pub(super) fn gather(world: &World<'_>, prepared: &Prepared) -> (Vec<Entry>, Vec<Problem>) {
    let owned = prepared.owned_files(world);
    let world = &World {
        files: &owned,
        ..*world
    };
    let settings = &prepared.settings;
    let mut gathering = Gathering {
        world,
        prepared,
        variables: ProjectVariables::new(world, prepared),
        names: BTreeSet::new(),
        entries: Vec::new(),
        problems: Vec::new(),
    };
    let mut found = found(world, settings);
    let keys = [&key::ALLOWED, &key::EXCLUDED];
    let doubt = keys.iter().find_map(|key| prepared.doubt_about(key.name));
    let in_project = keys
        .iter()
        .find_map(|key| prepared.project_doubt_about(key.name));
    if in_project.is_some() {
        // The project's settings decide about its own servers only.
        found.retain(|found| found.by != By::Project);
    }
    if doubt.is_some() && !found.is_empty() {
        let message = "no server is used: settings that could shut one out make no sense";
        let problem = Problem::new(&codes::MCP_ENTRY, message);
        return (Vec::new(), vec![problem]);
    }
    let off = switched_off(world);
    for found in found {
        let is_off = off.contains(&found.name.to_lowercase());
        if is_allowed(settings, &found) && !is_off {
            gathering.take(found);
        }
    }
    (gathering.entries, gathering.problems)
}

/// All entries: the user's own, then those of extensions, then the project's. Of two with one name the first counts, so a
/// project replaces no server that the user has.
fn found(world: &World<'_>, settings: &Settings) -> Vec<Found> {
    let entry = |entry: &servers::ServerEntry, by: By| Found {
        name: entry.name.clone(),
        item: entry.item.clone(),
        file: entry.file.clone(),
        by,
        root: None,
    };
    let own = servers::own(settings).into_iter();
    let mut all: Vec<_> = own.map(|it| entry(it, By::Own)).collect();
    let disabled = settings.list(&keys::EXTENSIONS_DISABLED);
    let brought = extensions::servers(world, disabled).into_iter();
    all.extend(brought.map(|it| Found {
        name: it.name,
        item: it.item,
        file: it.manifest,
        by: By::Extension,
        root: Some(it.root),
    }));
    let project = servers::of_project(settings).into_iter();
    all.extend(project.map(|it| entry(it, By::Project)));
    all
}

/// Whether the lists let a server through: those of the user and, for the project's own servers, those of the project.
fn is_allowed(settings: &Settings, found: &Found) -> bool {
    let names = |list: &[String]| list.contains(&found.name);
    let lets_through = |allowed: &[String], excluded: &[String]| {
        (allowed.is_empty() || names(allowed)) && !names(excluded)
    };
    let of_project = |key| settings.list_of_project(key).unwrap_or_default();
    lets_through(settings.list(&key::ALLOWED), settings.list(&key::EXCLUDED))
        && (found.by != By::Project
            || lets_through(of_project(&key::ALLOWED), of_project(&key::EXCLUDED)))
}

/// The servers that somebody switched off with Gemini CLI, in lower case.
fn switched_off(world: &World<'_>) -> BTreeSet<String> {
    let path = world.around.global_dir().join(ENABLEMENT);
    let Some(Ok(root)) = jsonc::read_object(world.files, &path) else {
        return BTreeSet::new();
    };
    let is_off = |item: &Item| {
        let enabled = item.get("enabled").map(|enabled| &enabled.value);
        matches!(enabled, Some(jsonc::Value::Flag(false)))
    };
    let members = root.object().unwrap_or_default().iter();
    let off = members.filter(|(_, item)| is_off(item));
    off.map(|(name, _)| name.to_lowercase()).collect()
}

struct Gathering<'a> {
    world: &'a World<'a>,
    prepared: &'a Prepared,
    /// What entries of the project may see.
    variables: ProjectVariables,
    names: BTreeSet<String>,
    entries: Vec<Entry>,
    problems: Vec<Problem>,
}

impl Gathering<'_> {
    fn take(&mut self, found: Found) {
        let shown = one_line(&found.name).into_owned();
        if is_us(&found.name, &found.item) {
            let message =
                format!("the server `{shown}` is Analects itself, whose tools are there already");
            let problem = Problem::new(&codes::MCP_SKIPPED, message);
            return self
                .problems
                .push(problem.in_file(&found.file).on_line(found.item.line));
        }
        if !self.names.insert(found.name.clone()) {
            let message = format!("there is another server `{shown}`, and this one is not used");
            return self.problem(&found, message);
        }
        if self.entries.len() >= MAX_SERVERS {
            let message =
                format!("there are more than {MAX_SERVERS} servers, and `{shown}` is not used");
            return self.problem(&found, message);
        }
        let mut doubts = Vec::new();
        let reading = Reading {
            name: &found.name,
            item: &found.item,
            file: &found.file,
            by: found.by,
            vars: Vars {
                all: &self.world.around.vars,
                owner: match (found.by, &found.root) {
                    (By::Own, _) => EntryOwner::User,
                    (By::Extension, Some(root)) => EntryOwner::Extension(root),
                    (By::Project | By::Extension, _) => EntryOwner::Project(&self.variables),
                },
                workspace: &self.world.around.cwd,
            },
            cwd: &self.world.around.cwd,
            roots: roots(self.prepared),
        };
        match reading.read(&mut doubts) {
            Ok(entry) => self.entries.push(entry),
            Err(why) => self.problem(&found, format!("the server `{shown}` is not used: {why}")),
        }
        for doubt in doubts {
            self.problem(&found, format!("the server `{shown}`: {doubt}"));
        }
    }

    fn problem(&mut self, found: &Found, message: String) {
        let problem = Problem::new(&codes::MCP_ENTRY, message);
        self.problems
            .push(problem.in_file(&found.file).on_line(found.item.line));
    }
}
