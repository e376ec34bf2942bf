//! Claude Code's records: `~/.claude/projects/<directory>/`.

use analects_session::foreign::claude::{self as reader, File};
use analects_session::transcript::Agent;
use analects_world::AbsPath;

use super::{Place, Subagents, Which, dirs_in, files_in};
use crate::World;
use crate::host::Host;

pub(super) fn places(world: &World<'_>, which: &Which<'_>) -> Vec<Place> {
    let projects = Host::Claude.dir(world.around).join("projects");
    let mut folders = dirs_in(world.files, &[projects]);
    if let Some(project) = which.project {
        // The name of a folder does not tell its directory for sure; the record does.
        let start = reader::folder_of(project.as_str());
        folders.retain(|folder| folder.file_name().starts_with(&start));
    }
    let mut places = Vec::new();
    let place = |path: AbsPath, is_subagent: bool| Place {
        agent: Agent::Claude,
        path,
        project: None,
        is_subagent,
    };
    for folder in folders {
        for name in files_in(world.files, &folder) {
            match reader::file(&name) {
                Some(File::Session) => places.push(place(folder.join(&name), false)),
                Some(File::Subagent) => places.push(place(folder.join(&name), true)),
                None => {}
            }
        }
        if which.subagents == Subagents::Along {
            for session in dirs_in(world.files, &[folder]) {
                let dir = session.join("subagents");
                let names = files_in(world.files, &dir).into_iter();
                places.extend(names.map(|name| place(dir.join(&name), true)));
            }
        }
    }
    places
}
