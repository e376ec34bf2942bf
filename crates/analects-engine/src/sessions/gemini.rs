//! Gemini CLI's records, and ours: `~/.gemini/tmp/<project>/chats/`.

use analects_world::{AbsPath, Agent};

use super::{Stored, Subagents, Which, dirs_in, files_in};
use crate::World;
use crate::identity;

pub(super) fn places(world: &World<'_>, which: &Which<'_>) -> Vec<Stored> {
    let mut places = Vec::new();
    for (folder, project) in folders(world, which) {
        let chats = folder.join("chats");
        let place = |path: AbsPath, is_subagent: bool| Stored {
            project: project.clone(),
            is_subagent,
            ..Stored::anywhere(Agent::Gemini, path)
        };
        let names = files_in(world.files, &chats);
        let sessions = names.iter().filter(|name| is_session(name));
        places.extend(sessions.map(|name| place(chats.join(name), false)));
        if which.subagents == Subagents::Left {
            continue;
        }
        for dir in dirs_in(world.files, std::slice::from_ref(&chats)) {
            let names = files_in(world.files, &dir);
            let runs = names.iter().filter(|name| name.ends_with(".jsonl"));
            places.extend(runs.map(|name| place(dir.join(name), true)));
        }
    }
    places
}

/// The folders of projects, with the project where it is known.
fn folders(world: &World<'_>, which: &Which<'_>) -> Vec<(AbsPath, Option<AbsPath>)> {
    if let Some(project) = which.project {
        let of_project = identity::session_folders(world, project, which.trust);
        return of_project
            .into_iter()
            .map(|folder| (folder, Some(project.clone())))
            .collect();
    }
    let tmp = world.around.global_dir().join("tmp");
    let owners = identity::owners(world);
    let folders = dirs_in(world.files, &[tmp]).into_iter();
    folders
        .map(|folder| {
            let owner = owners.get(folder.file_name()).cloned();
            (folder, owner)
        })
        .collect()
}

fn is_session(name: &str) -> bool {
    let has_ending = name.ends_with(".json") || name.ends_with(".jsonl");
    name.starts_with("session-") && has_ending
}

/// What a path says about a record that lies there.
pub(super) fn place(world: &World<'_>, path: &AbsPath) -> Option<Stored> {
    let tmp = world.around.global_dir().join("tmp");
    let below: Vec<_> = path.relative_to(&tmp)?.split('/').collect();
    let is_subagent = match below.as_slice() {
        [_, "chats", name] if is_session(name) => false,
        [_, "chats", _, name] if name.ends_with(".jsonl") => true,
        _ => return None,
    };
    let owners = identity::owners(world);
    let owner = below.first().and_then(|folder| owners.get(*folder));
    Some(Stored {
        project: owner.cloned(),
        is_subagent,
        ..Stored::anywhere(Agent::Gemini, path.clone())
    })
}
