//! Telling once of each program that a project brings along.
//!
//! What was told stands in `~/.gemini/trusted_hooks.json`, in the form that Gemini CLI reads and writes: a list of
//! `name:command` for each project.

use std::collections::BTreeSet;

use analects_agent::hook::{Hook, Source, codes};
use analects_text::problem::Problem;
use analects_text::{sanitize, truncate};
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes};
use analects_world::files::Files;

use crate::json_edit::{Draft, Json, Step};
use crate::jsonc::{self, Bad, Item};
use crate::verbs::{Failure, Flags};
use crate::{World, write};

/// How many of them are named.
const MAX_NAMED: usize = 20;

/// Tells of the project's hooks that were not there before, and notes them. A file that cannot be read is not touched; then
/// they are told of again.
pub(super) fn note(world: &World<'_>, flags: &Flags, hooks: &[Hook]) -> Vec<Problem> {
    let of_project: Vec<_> = hooks
        .iter()
        .filter(|it| it.source == Source::Project)
        .collect();
    if of_project.is_empty() {
        return Vec::new();
    }
    let (path, project) = (path(world), world.around.cwd.as_str());
    let known = match jsonc::read_object(world.files, &path) {
        Some(Ok(root)) => keys(&root, project),
        Some(Err(_)) | None => BTreeSet::new(),
    };
    let mut names = BTreeSet::new();
    for hook in of_project
        .iter()
        .filter(|hook| !known.contains(&hook.key()))
    {
        names.insert(named(hook));
    }
    if names.is_empty() {
        return Vec::new();
    }
    let mut problems = vec![warning(&names).in_file(&of_project[0].file)];
    let new = of_project.iter().map(|hook| hook.key());
    if let Err(failure) = add(world, flags, &path, project, &new.collect()) {
        let message = format!("that they were told of could not be noted: {failure}");
        problems.push(Problem::new(&codes::NEW_HOOKS, message));
    }
    problems
}

fn path(world: &World<'_>) -> AbsPath {
    world.around.global_dir().join("trusted_hooks.json")
}

fn keys(root: &Item, project: &str) -> BTreeSet<String> {
    let known = root.get(project).and_then(Item::list).unwrap_or_default();
    known
        .iter()
        .filter_map(Item::text)
        .map(str::to_owned)
        .collect()
}

fn named(hook: &Hook) -> String {
    let short = |text: &str| sanitize::one_line(truncate::head_bytes(text, 200)).into_owned();
    let command = short(&hook.command);
    match &hook.name {
        // The name alone says nothing about what is run.
        Some(name) => format!("`{}` (`{command}`)", short(name)),
        None => format!("`{command}`"),
    }
}

fn warning(names: &BTreeSet<String>) -> Problem {
    let told: Vec<_> = names.iter().take(MAX_NAMED).map(String::as_str).collect();
    let more = match names.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        n_more => format!(", and {n_more} more"),
    };
    let message = format!(
        "this project runs programs of its own, as hooks: {}{more}",
        told.join(", ")
    );
    Problem::new(&codes::NEW_HOOKS, message)
}

fn add(
    world: &World<'_>,
    flags: &Flags,
    path: &AbsPath,
    project: &str,
    new: &BTreeSet<String>,
) -> Result<(), Failure> {
    let mut plan = |files: &dyn Files| {
        let old = write::text_of(files, path)?;
        let text = with(old.as_deref().unwrap_or_default(), project, new)
            .map_err(|bad| Failure::failed(format!("cannot change `{path}`: {}", bad.message)))?;
        let old = old.as_deref().map(str::as_bytes);
        let change = Change::new(path, old, Some(text.into_bytes())).owner_only();
        Ok(Changes::new(
            "talk",
            format!("hooks of {project}"),
            vec![change],
        ))
    };
    write::write(world, flags, &[], &mut plan).map(drop)
}

/// The file with these keys added to those of the project.
fn with(text: &str, project: &str, new: &BTreeSet<String>) -> Result<String, Bad> {
    let mut draft = Draft::new(text)?;
    let mut all = keys(&draft.root()?, project);
    all.extend(new.iter().cloned());
    let list = Json::List(all.into_iter().map(Json::Text).collect());
    draft.set(&[Step::Key(project)], &list)?;
    Ok(draft.into_text())
}
