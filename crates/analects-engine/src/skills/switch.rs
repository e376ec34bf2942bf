//! Switching a skill off and on: one name in a list that Gemini CLI reads too.

use analects_memory::discover::Trust;
use analects_skill::catalog::safe;
use analects_world::AbsPath;
use analects_world::changes::{Change, Changes};
use analects_world::files::Files;

use super::{Skills, is_of_project, named};
use crate::World;
use crate::json_edit::{Draft, Json, Step};
use crate::jsonc::{Bad, Item};
use crate::load_memory::Prepared;
use crate::verbs::{Failure, Flags};
use crate::write::{self, Written};

/// Whose settings are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The user's.
    User,
    /// Those of the working directory.
    Project,
}

/// What was switched.
#[derive(Debug)]
pub struct Switch {
    /// The skill.
    pub name: String,
    /// The settings that say so.
    pub paths: Vec<AbsPath>,
    /// What became of them.
    pub written: Written,
}

const LIST: [Step<'static>; 2] = [Step::Key("skills"), Step::Key("disabled")];

/// Switches a skill off, for the user or for a project.
pub fn disable(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    skills: &Skills,
    (name, scope): (&str, Scope),
) -> Result<Switch, Failure> {
    let skill = named(skills, name)?;
    let name = skill.name.clone();
    let path = match scope {
        Scope::User => world.around.global_dir().join("settings.json"),
        Scope::Project => project(world, prepared)?.join("settings.json"),
    };
    if scope == Scope::Project && !is_of_project(skill) {
        let message =
            format!("`{name}` is not a skill of this project, so its settings cannot disable it");
        return Err(Failure::bad_input(message)
            .hint("without `--scope` it is disabled for you, everywhere"));
    }
    let add = |draft: &mut Draft| {
        let root = draft.root()?;
        let list = list(&root);
        if list.is_some_and(|list| places(list, &name).next().is_some()) {
            return Ok(());
        }
        let value = Json::Text(name.clone());
        match list {
            Some(_) => draft.push(&LIST, &value),
            None => draft.set(&LIST, &Json::List(vec![value])),
        }
    };
    let paths = vec![path];
    let written = edit(
        world,
        flags,
        prepared,
        &paths,
        (&name, "skill disable"),
        &add,
    )?;
    Ok(Switch {
        name,
        paths,
        written,
    })
}

/// Switches a skill on again, whoever of user and project switched it off.
pub fn enable(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    skills: &Skills,
    name: &str,
) -> Result<Switch, Failure> {
    // What is gone from the disk may still stand in a list.
    let wanted = name.trim().to_lowercase();
    let mut listed = skills.disabled.iter().chain(&skills.disabled_in_project);
    let is_listed = listed.any(|name| *name == wanted);
    let name = match named(skills, name) {
        Ok(skill) => skill.name.clone(),
        Err(_) if is_listed && safe(name).is_some() => name.trim().to_owned(),
        Err(failure) => return Err(failure),
    };
    let mut dirs = vec![world.around.global_dir()];
    dirs.extend(project(world, prepared));
    let files = ["settings.json", "analects.json"];
    let paths: Vec<_> = dirs
        .iter()
        .flat_map(|dir| files.map(|file| dir.join(file)))
        .filter(|path| world.files.real(path).is_ok())
        .collect();
    let remove = |draft: &mut Draft| {
        let root = draft.root()?;
        let list = list(&root).unwrap_or_default();
        let places: Vec<_> = places(list, &name).collect();
        for at in places.into_iter().rev() {
            let [skills, disabled] = LIST;
            draft.remove(&[skills, disabled, Step::At(at)])?;
        }
        Ok(())
    };
    let written = edit(
        world,
        flags,
        prepared,
        &paths,
        (&name, "skill enable"),
        &remove,
    )?;
    Ok(Switch {
        name,
        paths,
        written,
    })
}

/// Where the settings of the project lie, if they count.
fn project(world: &World<'_>, prepared: &Prepared) -> Result<AbsPath, Failure> {
    let around = world.around;
    let is_home = world.files.real_or_same(&around.cwd) == world.files.real_or_same(&around.home);
    if is_home {
        return Err(Failure::bad_input("home is no project")
            .hint("without `--scope` it is disabled for you, everywhere"));
    }
    if prepared.decision.trust != Trust::Trusted {
        return Err(
            Failure::bad_input("this folder is not trusted, so its settings do not count")
                .hint("trust it with `analects trust add`"),
        );
    }
    Ok(around.cwd.join(".gemini"))
}

fn list(root: &Item) -> Option<&[Item]> {
    root.get("skills")?.get("disabled")?.list()
}

/// Where in a list a name stands, whatever its case.
fn places<'a>(list: &'a [Item], name: &str) -> impl Iterator<Item = usize> + use<'a> {
    let name = name.to_lowercase();
    let is_meant = move |item: &Item| {
        let text = item.text().map(|text| text.trim().to_lowercase());
        text.as_deref() == Some(&name)
    };
    let found = list.iter().enumerate();
    found.filter_map(move |(at, item)| is_meant(item).then_some(at))
}

/// Changes files of settings in their own text. One that cannot be read is not touched.
fn edit(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    paths: &[AbsPath],
    (name, who): (&str, &str),
    change: &dyn Fn(&mut Draft) -> Result<(), Bad>,
) -> Result<Written, Failure> {
    let mut plan = |files: &dyn Files| {
        let mut changes = Vec::new();
        for path in paths {
            let old = write::text_of(files, path)?;
            let bad = |bad: Bad| {
                Failure::failed(format!("cannot change `{path}`: {}", bad.message))
                    .hint("repair the file first; nothing was changed")
            };
            let mut draft = Draft::new(old.as_deref().unwrap_or_default()).map_err(bad)?;
            change(&mut draft).map_err(bad)?;
            let new = draft.into_text();
            if old.as_deref().unwrap_or_default() != new {
                let old = old.as_deref().map(str::as_bytes);
                changes.push(Change::new(path, old, Some(new.into_bytes())));
            }
        }
        let changes = write::hold(world, files, &prepared.root, changes)?;
        Ok(Changes::new(who, format!("{who} {name}"), changes))
    };
    write::write(world, flags, &[], &mut plan)
}
