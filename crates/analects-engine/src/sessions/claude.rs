//! Claude Code's records: `~/.claude/projects/<directory>/`.

use analects_session::foreign::name;
use analects_session::transcript::Kind;
use analects_world::{AbsPath, Agent};

use super::{Stored, Subagents, Which, dirs_in, files_in};
use crate::World;
use crate::host;

pub(super) fn places(world: &World<'_>, which: &Which<'_>) -> Vec<Stored> {
    let projects = host::dir(Agent::Claude, world.around).join("projects");
    let mut folders = dirs_in(world.files, &[projects]);
    if let Some(project) = which.project {
        folders.retain(|folder| may_belong(folder.file_name(), project));
    }
    let mut places = Vec::new();
    for folder in folders {
        let mut dirs = vec![folder.clone()];
        if which.subagents == Subagents::Along {
            let sessions = dirs_in(world.files, std::slice::from_ref(&folder));
            let theirs: Vec<_> = sessions.iter().map(|dir| dir.join("subagents")).collect();
            dirs.extend(dirs_in(world.files, &theirs));
            dirs.extend(theirs);
        }
        for dir in dirs {
            for file in files_in(world.files, &dir) {
                places.extend(placed(&folder, dir.join(&file)));
            }
        }
    }
    places
}

/// What a path says about a record that lies there.
pub(super) fn place(world: &World<'_>, path: &AbsPath) -> Option<Stored> {
    let projects = host::dir(Agent::Claude, world.around).join("projects");
    let (folder, _) = path.relative_to(&projects)?.split_once('/')?;
    placed(&projects.join(folder), path.clone())
}

fn placed(folder: &AbsPath, path: AbsPath) -> Option<Stored> {
    let named = name::claude(path.relative_to(folder)?)?;
    Some(Stored {
        is_subagent: named.kind != Kind::Main,
        named: Some(named),
        ..Stored::anywhere(Agent::Claude, path)
    })
}

/// Whether a folder may be that of a directory in this project. The name does not tell for sure: the records
/// in it do.
fn may_belong(folder: &str, project: &AbsPath) -> bool {
    let ends = folder.match_indices('-').map(|(end, _)| end);
    ends.chain([folder.len()]).any(|end| {
        let start = folder.get(..end).unwrap_or_default();
        name::is_claude_folder(start, project.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_may_belong_to_a_directory_below() {
        let project = AbsPath::new("/home/u/my.repo").unwrap();
        assert!(may_belong("-home-u-my-repo", &project));
        assert!(may_belong("-home-u-my-repo-sub-dir", &project));
        assert!(!may_belong("-home-u-my", &project));
        assert!(!may_belong("-home-u-my-repository", &project));
    }
}
