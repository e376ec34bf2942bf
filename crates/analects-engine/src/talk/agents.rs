//! Which sub-agents there are: ours, those of the user, those of a project that is trusted.
//!
//! Of two with one name the later counts. An agent that a user defines under the name of ours gets ours out of the way,
//! and nothing that ours could not do.

use analects_agent::subagent::{Definition, LIMIT_BYTES, Reading, memory_agent, read};
use analects_memory::discover::Trust;
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::files::{Kind, Pick, Want, Within};

use crate::World;
use crate::load_memory::Prepared;
use crate::prompt::Writer;

/// A directory may hold this many agents.
const MAX_FILES: usize = 64;

/// The sub-agents that the main agent can send, and what is wrong with those that it cannot.
pub(super) fn gather(world: &World<'_>, prepared: &Prepared) -> (Vec<Definition>, Vec<Problem>) {
    let owned = prepared.owned_files(world);
    let world = &World {
        files: &owned,
        ..*world
    };
    let mut gathering = Gathering {
        world,
        agents: Vec::new(),
        problems: Vec::new(),
    };
    if Writer::of(&prepared.settings) == Writer::Manager {
        gathering.agents.push(memory_agent::definition());
    }
    let own = world.around.global_dir().join("agents");
    gathering.directory(&own, Within::Anywhere);
    let root = &prepared.root;
    let is_home = world.files.real_or_same(root) == world.files.real_or_same(&world.around.home);
    if prepared.root_trust == Trust::Trusted && !is_home {
        gathering.directory(&root.join(".gemini/agents"), Within::Root(root));
    }
    (gathering.agents, gathering.problems)
}

struct Gathering<'a> {
    world: &'a World<'a>,
    agents: Vec<Definition>,
    problems: Vec<Problem>,
}

impl Gathering<'_> {
    /// Reads the files of a directory, in the order of their names.
    fn directory(&mut self, dir: &AbsPath, within: Within<'_>) {
        let Ok(listing) = self.world.files.list_one(dir, &Pick::ending(".md")) else {
            return;
        };
        let mut found = listing.found;
        found.retain(|found| found.kind != Kind::Dir && !found.name.starts_with('_'));
        found.sort();
        let n_more = found.len().saturating_sub(MAX_FILES);
        if n_more > 0 {
            let message = format!("{n_more} agents are left out: there are more than {MAX_FILES}");
            let problem = Problem::new(&crate::codes::AGENTS_LEFT_OUT, message);
            self.problems.push(problem.in_file(dir));
        }
        let paths = found.iter().take(MAX_FILES);
        let paths: Vec<_> = paths.map(|found| dir.join(&found.name)).collect();
        let want = |path| Want {
            path,
            within,
            // One more than may be, so that a file that is too long is seen to be.
            limit_bytes: LIMIT_BYTES + 1,
        };
        let wants: Vec<_> = paths.iter().map(want).collect();
        for (path, blob) in paths.iter().zip(self.world.files.read(&wants)) {
            match blob {
                Ok(blob) => self.file(path, &String::from_utf8_lossy(&blob.bytes)),
                Err(trouble) => {
                    let problem =
                        Problem::new(&crate::codes::AGENT_UNREADABLE, trouble.to_string());
                    self.problems.push(problem.in_file(path));
                }
            }
        }
    }

    fn file(&mut self, path: &AbsPath, text: &str) {
        let offered = analects_agent::tools::offered();
        let tools: Vec<_> = offered.iter().map(|tool| tool.name.as_str()).collect();
        let reading = Reading {
            file: path.as_str(),
            tools: &tools,
        };
        let (agent, problems) = read(text, &reading);
        self.problems.extend(problems);
        let Some(agent) = agent else { return };
        self.agents.retain(|known| known.name != agent.name);
        self.agents.push(agent);
    }
}
