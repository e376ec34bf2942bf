//! Uninstalling: a skill goes from where the person's own skills lie. Of one that is linked only the link goes.

use analects_memory::discover::Trust;
use analects_skill::catalog::{Skill, Tier};
use analects_skill::inbox::Settled;
use analects_skill::{install, skill};
use analects_text::frontmatter::shown;
use analects_world::AbsPath;
use analects_world::files::{Files, Kind, Pick};

use super::{agree, failure, lost_secret, proposed};
use crate::consent::Decided;
use crate::load_memory::Prepared;
use crate::secrets::Guarded;
use crate::skills::Scope;
use crate::verbs::{Failure, Flags};
use crate::{World, skills};

/// What was taken away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Uninstalled {
    /// What it was called.
    pub name: String,
    /// Whose it was.
    pub scope: Scope,
    /// Where it was; more than one if it was there twice.
    pub paths: Vec<AbsPath>,
    /// Whether only a link was taken away.
    pub is_link: bool,
    /// What speaks against it.
    pub doubts: Vec<String>,
    /// Whether it is done.
    pub decided: Decided,
}

/// Takes away the skill of that name; without a scope, wherever it is the only one.
pub(crate) fn uninstall(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    name: &str,
    scope: Option<Scope>,
    who: &str,
) -> Result<Uninstalled, Failure> {
    let found = find(world, prepared, name);
    let in_scope = |(whose, _): &&(Scope, AbsPath)| scope.is_none_or(|scope| scope == *whose);
    let meant: Vec<_> = found.iter().filter(in_scope).collect();
    let Some((whose, _)) = meant.first() else {
        return Err(missing(world, prepared, name, &found));
    };
    if meant.iter().any(|(other, _)| other != whose) {
        let paths: Vec<_> = meant.iter().map(|(_, path)| path.as_str()).collect();
        return Err(Failure::bad_input(format!(
            "`{}` is there twice: {}",
            shown(name),
            paths.join(", ")
        ))
        .hint("say which one: `--scope user` or `--scope project`"));
    }
    let paths: Vec<_> = meant.iter().map(|(_, path)| path.clone()).collect();
    let title = format!("Uninstall the skill {}", shown(name));
    let why = format!("uninstall the skill {}", shown(name));
    let is_link = paths.iter().all(|path| is_link(world.files, path));
    let mut doubts = Vec::new();
    let mut plan = |files: &dyn Files| {
        let mut all = Settled {
            changes: Vec::new(),
            emptied: Vec::new(),
            doubts: Vec::new(),
        };
        for path in &paths {
            let settled = install::uninstall(files, path);
            let settled = settled.map_err(|refused| failure(name, &refused))?;
            all.changes.extend(settled.changes);
            all.emptied.extend(settled.emptied);
            all.doubts.extend(settled.doubts);
        }
        let mut proposed = proposed(&title, &why, who, all);
        proposed
            .doubts
            .extend(lost_secret(files, &proposed.changes)?);
        doubts.clone_from(&proposed.doubts);
        Ok(proposed)
    };
    let guarded = Guarded { allowed: &[] };
    let decided = agree(world, flags, &guarded, name, &mut plan)?;
    Ok(Uninstalled {
        name: name.to_owned(),
        scope: *whose,
        paths: paths.clone(),
        is_link,
        doubts,
        decided,
    })
}

/// The folders and links that hold a skill of that name and may be taken away.
fn find(world: &World<'_>, prepared: &Prepared, name: &str) -> Vec<(Scope, AbsPath)> {
    let mut dirs = skills::user_dirs(world)
        .map(|dir| (Scope::User, dir))
        .to_vec();
    let is_trusted = prepared.decision.trust == Trust::Trusted;
    if is_trusted
        && world.files.real_or_same(&prepared.root) != world.files.real_or_same(&world.around.home)
    {
        dirs.extend(skills::project_dirs(&prepared.root).map(|dir| (Scope::Project, dir)));
    }
    let mut found: Vec<(Scope, AbsPath)> = Vec::new();
    let catalog = skills::find(world, prepared).catalog;
    let all = || catalog.skills.iter().chain(&catalog.overruled);
    for (scope, dir) in dirs {
        // By its folder, too: what is broken is in no catalog.
        let folder = is_plain(name).then(|| dir.join(name));
        let folder = folder.filter(|folder| is_folder_or_link(world.files, folder));
        let is_called = |skill: &&Skill| skill.name == name;
        let named = all()
            .filter(is_called)
            .filter_map(|skill| skill.path()?.parent());
        let named = named.filter(|folder| folder.parent().as_ref() == Some(&dir));
        for path in folder.into_iter().chain(named) {
            if !found.iter().any(|(_, other)| *other == path) {
                found.push((scope, path));
            }
        }
    }
    found
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
}

fn kind(files: &dyn Files, path: &AbsPath) -> Option<Kind> {
    let names = Pick::names(vec![path.file_name().to_owned()]);
    let listing = files.list_one(&path.parent()?, &names).ok()?;
    listing.found.first().map(|found| found.kind)
}

fn is_folder_or_link(files: &dyn Files, path: &AbsPath) -> bool {
    matches!(kind(files, path), Some(Kind::Dir | Kind::Link))
}

fn is_link(files: &dyn Files, path: &AbsPath) -> bool {
    kind(files, path) == Some(Kind::Link)
}

/// Why there is nothing to take away.
fn missing(
    world: &World<'_>,
    prepared: &Prepared,
    name: &str,
    elsewhere: &[(Scope, AbsPath)],
) -> Failure {
    let said = shown(name);
    if let Some((_, path)) = elsewhere.first() {
        return Failure::bad_input(format!(
            "`{said}` is not there, but it is elsewhere: {path}"
        ))
        .hint("leave out `--scope`, or name the other one");
    }
    let found = skills::find(world, prepared);
    let Some(skill) = found.catalog.find(name) else {
        let failure = Failure::bad_input(format!("there is no skill called `{said}`"));
        let failure = match prepared.decision.trust {
            Trust::Trusted => failure,
            Trust::Untrusted => {
                failure.hint("this folder is not trusted, so its skills were not looked at")
            }
        };
        return failure.hint("`analects skill list --all` names all of them");
    };
    let off = format!(
        "to have it out of the way: `analects skill disable {}`",
        skill.name
    );
    match skill.tier {
        Tier::Bundled => {
            Failure::bad_input(format!("`{}` is part of Analects, and stays", skill.name)).hint(off)
        }
        Tier::Extension => Failure::bad_input(format!(
            "`{}` belongs to an extension: {}",
            skill.name,
            skill.location()
        ))
        .hint("it goes with the extension: `gemini extensions uninstall`")
        .hint(off),
        Tier::User | Tier::UserAgents | Tier::Project | Tier::ProjectAgents => {
            Failure::bad_input(format!("`{}` has no folder of its own", skill.name)).hint(format!(
                "remove its {} by hand: {}",
                skill::FILE,
                skill.location()
            ))
        }
    }
}
