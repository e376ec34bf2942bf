//! Which hooks there are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use analects_agent::hook::{Disabled, ExitCodes, Hook, Reading, Source, codes, read};
use analects_agent::tools::shell::environment;
use analects_memory::discover::Trust;
use analects_text::problem::Problem;
use analects_world::AbsPath;

use super::seen;
use super::{Hooks, Shared};
use crate::load_memory::Prepared;
use crate::project_variables::ProjectVariables;
use crate::settings::expand::{Secrets, is_secret, variables};
use crate::settings::{self, Scope, Workspace, keys};
use crate::verbs::Flags;
use crate::{World, extensions, jsonc};

/// Where an extension finds itself: its own hooks name this.
const EXTENSION_DIR: &str = "GEMINI_EXTENSION_DIR";

/// The hooks of the settings and of extensions. Those of a project are not even read where it is not trusted.
pub(in crate::talk) fn gather(
    world: &World<'_>,
    prepared: &Prepared,
    flags: &Flags,
    session: &str,
) -> (Hooks, Vec<Problem>) {
    let set = &prepared.settings;
    let disabled = Disabled {
        everywhere: set.list(&keys::hooks::DISABLED).to_vec(),
        in_project: set
            .list_of_project(&keys::hooks::DISABLED)
            .unwrap_or_default()
            .to_vec(),
    };
    let mut problems = Vec::new();
    let allowed = ProjectVariables::new(world, prepared);
    let mut hooks = match set.flag(&keys::hooks::ENABLED) {
        true => all(world, prepared, &allowed, &mut problems),
        false => Vec::new(),
    };
    if flags.dry_run && !hooks.is_empty() {
        hooks.clear();
        let message = "hooks do not run in a dry run";
        problems.push(Problem::new(&codes::HOOKS_OFF, message));
    }
    problems.extend(seen::note(world, flags, &hooks));
    let shared = Shared {
        session: session.to_owned(),
        hooks,
        disabled,
        codes: match set.text(&keys::hooks::EXIT_CODES) {
            "original" => ExitCodes::Original,
            _ => ExitCodes::Documented,
        },
        vars: vars(world),
        project_vars: environment(&allowed.visible(&world.around.vars)),
        stopped: Mutex::new(None),
    };
    let hooks = Hooks {
        shared: Arc::new(shared),
        offered: None,
    };
    (hooks, problems)
}

fn all(
    world: &World<'_>,
    prepared: &Prepared,
    allowed: &ProjectVariables,
    problems: &mut Vec<Problem>,
) -> Vec<Hook> {
    let workspace = match prepared.decision.trust {
        Trust::Trusted => Workspace::Counts,
        Trust::Untrusted => Workspace::Skipped,
    };
    let owned = prepared.owned_files(world);
    let world = &World {
        files: &owned,
        ..*world
    };
    let mut all = Vec::new();
    for raw in settings::raw(world, workspace, "hooks") {
        let source = match raw.scope {
            Scope::Workspace => Source::Project,
            Scope::User => Source::User,
            Scope::Default | Scope::SystemDefaults | Scope::System | Scope::Environment => {
                Source::System
            }
        };
        let reading = Reading {
            source,
            file: raw.path.as_str(),
        };
        let (hooks, found) = read(&raw.value, &reading);
        problems.extend(found);
        all.extend(hooks);
    }
    let disabled = prepared.settings.list(&keys::EXTENSIONS_DISABLED);
    for root in extensions::roots(world, disabled) {
        all.extend(of_extension(world, &root, problems));
    }
    for hook in &mut all {
        expand(world, allowed, hook);
    }
    all
}

/// What an extension has in `hooks/hooks.json`. Its places are put into the environment and not into the line, where a
/// directory with an unfortunate name would be a part of the command.
fn of_extension(world: &World<'_>, root: &AbsPath, problems: &mut Vec<Problem>) -> Vec<Hook> {
    let file = root.join("hooks/hooks.json");
    let value = match jsonc::read_object(world.files, &file) {
        None => return Vec::new(),
        Some(Ok(item)) => item.get("hooks").map(jsonc::Item::to_json),
        Some(Err(bad)) => {
            problems.push(Problem::new(&codes::BAD_HOOK, bad.message).in_file(&file));
            return Vec::new();
        }
    };
    let reading = Reading {
        source: Source::Extension,
        file: file.as_str(),
    };
    let (mut hooks, found) = read(&value.unwrap_or_default(), &reading);
    problems.extend(found);
    let in_line = [
        ("${extensionPath}", "${GEMINI_EXTENSION_DIR}"),
        ("${workspacePath}", "${GEMINI_CWD}"),
        ("${/}", "/"),
        ("${pathSeparator}", "/"),
    ];
    let in_env = [
        ("${extensionPath}", root.as_str()),
        ("${workspacePath}", world.around.cwd.as_str()),
        ("${/}", "/"),
        ("${pathSeparator}", "/"),
    ];
    let filled = |text: &str, places: &[(&str, &str)]| {
        let fill = |text: String, (name, value): &(&str, &str)| text.replace(name, value);
        places.iter().fold(text.to_owned(), fill)
    };
    for hook in &mut hooks {
        hook.command = filled(&hook.command, &in_line);
        for value in hook.env.values_mut() {
            *value = filled(value, &in_env);
        }
        hook.env.insert(EXTENSION_DIR.to_owned(), root.to_string());
    }
    hooks
}

/// Fills in the variables that a hook's own environment names. Hooks of the user and the administrator may name secrets;
/// those of a project only what [`ProjectVariables`] allows.
fn expand(world: &World<'_>, allowed: &ProjectVariables, hook: &mut Hook) {
    let vars = &world.around.vars;
    for value in hook.env.values_mut() {
        *value = match hook.source {
            Source::User | Source::System => variables(value, vars, Secrets::Told),
            Source::Extension => variables(value, vars, Secrets::Withheld),
            Source::Project => variables(value, &allowed.visible(vars), Secrets::Told),
        };
    }
}

/// What every hook finds in its environment: what commands of the model find, without what is called like a secret.
fn vars(world: &World<'_>) -> BTreeMap<String, String> {
    let mut vars = environment(&world.around.vars);
    vars.retain(|name, _| !is_secret(name));
    vars
}
