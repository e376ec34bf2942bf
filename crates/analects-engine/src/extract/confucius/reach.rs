//! What the agent can reach: the sessions of the index, the inbox, and what patches in it would change.

use analects_agent::tools::Scope;
use analects_agent::tools::scope::{Access, Grant};
use analects_skill::inbox::Shelf;
use analects_world::AbsPath;
use analects_world::files::Trouble;

use crate::extract::Job;
use crate::inbox;
use crate::verbs::Failure;

/// Where things wait, without links, and where they may go.
pub(super) struct Reach {
    /// Skills that wait.
    pub(super) skills: AbsPath,
    /// Patches of memory that wait.
    pub(super) inbox: AbsPath,
    /// The same as whoever judges what waits sees it.
    pub(super) shelf: Shelf,
}

/// The one patch of each kind that is written.
const PATCHES: [&str; 2] = ["private/extraction.patch", "global/extraction.patch"];

impl Reach {
    /// Fails where a link stands in the way: whoever put it there would have the agent write elsewhere.
    pub(super) fn new(job: &Job<'_>) -> Result<Self, Failure> {
        let files = job.world.files;
        let memory = files.real_or_same(&job.memory);
        for below in ["skills", ".inbox", ".inbox/private", ".inbox/global"] {
            let dir = memory.join(below);
            match files.real(&dir) {
                Ok(real) if real == dir => {}
                Err(Trouble::Missing) => {}
                Ok(_) | Err(_) => {
                    let message = format!("nothing can wait in `{dir}`: it leads elsewhere");
                    return Err(Failure::failed(message).hint("take the link away"));
                }
            }
        }
        let mut shelf = inbox::shelf(&job.world, job.prepared).unwrap_or_else(|| Shelf {
            memory: memory.clone(),
            global_files: Vec::new(),
            user_skills: job.world.around.global_dir().join("skills"),
            root: job.prepared.root.clone(),
            is_trusted: false,
        });
        shelf.memory.clone_from(&memory);
        Ok(Self {
            skills: memory.join("skills"),
            inbox: memory.join(".inbox"),
            shelf,
        })
    }

    /// All that the agent is given, and nothing else.
    pub(super) fn scope<'s>(&self, sessions: impl Iterator<Item = &'s AbsPath>) -> Scope {
        let matching = |dir: &AbsPath, glob: &str, access| {
            let grant = Grant::matching(dir, glob, access);
            grant.expect("invariant: a test builds these globs")
        };
        let shelf = &self.shelf;
        let mut grants: Vec<_> = DRAFTS
            .iter()
            .map(|glob| matching(&self.skills, glob, Access::Write))
            .collect();
        let patches = PATCHES.map(|patch| Grant::one(&self.inbox.join(patch), Access::Write));
        grants.extend(patches);
        grants.push(matching(&self.inbox, "*/*.patch", Access::Read));
        grants.extend(sessions.map(|path| Grant::one(path, Access::Read)));
        // What a patch would change has to be read before it is written.
        grants.push(matching(&shelf.memory, "*.md", Access::Read));
        let global = shelf.global_files.iter();
        grants.extend(global.map(|file| Grant::one(file, Access::Read)));
        grants.push(matching(&shelf.user_skills, "*/SKILL.md", Access::Read));
        if shelf.is_trusted {
            grants.push(matching(
                &shelf.project_skills(),
                "*/SKILL.md",
                Access::Read,
            ));
        }
        Scope::new(grants)
    }
}

/// What a draft is made of, below the folder where skills wait.
const DRAFTS: [&str; 5] = [
    "[a-z0-9]*/SKILL.md",
    "[a-z0-9]*/scripts/[!.]*.sh",
    "[a-z0-9]*/scripts/[!.]*.py",
    "[a-z0-9]*/references/[!.]*.md",
    "[a-z0-9]*.patch",
];
