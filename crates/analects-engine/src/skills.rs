//! The skills of a project: where they are, and which of them are switched off.
//!
//! What a skill is, and which of two counts, is for `analects-skill` to say. Here it is decided where to look, and what
//! the settings and the trust in a folder leave of it.

mod activate;
mod activated;
mod check;
mod offered;
mod switch;

use analects_memory::discover::Trust;
use analects_skill::catalog::{self, Catalog, Shelf, Skill, Tier};
use analects_text::problem::Problem;
use analects_world::AbsPath;

use crate::load_memory::{self, Prepared};
use crate::settings::keys;
use crate::verbs::{Failure, Flags};
use crate::{World, extensions};

pub use activate::{activate, open, usable};
pub use activated::{active_in, pin, request, stands_in};
pub use analects_skill::codes::CATALOG as CODES;
pub use check::{Checked, check};
pub use offered::lines;
pub use switch::{Scope, Switch, disable, enable};

/// Where skills lie in the directory of an extension, of a user or of a project.
const DIR: &str = "skills";

/// All skills that were found, and which of them may be used.
#[derive(Debug, Clone, Default)]
pub struct Skills {
    /// What was found.
    pub catalog: Catalog,
    /// Whether skills are offered at all.
    pub is_on: bool,
    disabled: Vec<String>,
    /// Those that the project switches off: only skills of its own.
    disabled_in_project: Vec<String>,
    /// What is wrong with some of them.
    pub problems: Vec<Problem>,
}

/// Finds the skills of a project.
#[must_use]
pub fn find(world: &World<'_>, prepared: &Prepared) -> Skills {
    let (catalog, problems) =
        catalog::gather(&prepared.owned_files(world), &shelves(world, prepared));
    let of_project = prepared.settings.list_of_project(&keys::skills::DISABLED);
    Skills {
        catalog,
        is_on: prepared.settings.flag(&keys::skills::ENABLED),
        disabled: lowercase(prepared.settings.list(&keys::skills::DISABLED)),
        disabled_in_project: lowercase(of_project.unwrap_or_default()),
        problems,
    }
}

impl Skills {
    /// Whether a skill may be used.
    #[must_use]
    pub fn is_enabled(&self, skill: &Skill) -> bool {
        let name = skill.name.to_lowercase();
        let is_off_here = is_of_project(skill) && self.disabled_in_project.contains(&name);
        self.is_on && !is_off_here && !self.disabled.contains(&name)
    }

    /// Those that may be used, by name.
    pub fn enabled(&self) -> impl Iterator<Item = &Skill> {
        let skills = self.catalog.skills.iter();
        skills.filter(|skill| self.is_enabled(skill))
    }
}

/// The skills that a person can follow by a command of their own, each with what it is for: those that are enabled and
/// no part of the program.
#[must_use]
pub fn commands(world: &World<'_>, flags: &Flags) -> Vec<(String, String)> {
    let Ok(prepared) = load_memory::prepare(world, flags) else {
        return Vec::new();
    };
    let found = find(world, &prepared);
    let skills = found.enabled().filter(|skill| skill.tier != Tier::Bundled);
    skills
        .map(|skill| (skill.name.clone(), skill.description.clone()))
        .collect()
}

/// The skill that somebody means, whether it may be used or not.
pub fn named<'s>(skills: &'s Skills, name: &str) -> Result<&'s Skill, Failure> {
    skills.catalog.find(name).ok_or_else(|| {
        let shown = analects_text::frontmatter::shown(name);
        Failure::bad_input(format!("there is no skill `{shown}`"))
            .hint("`analects skill list --all` names all that were found")
    })
}

/// True for a skill that the project brings.
fn is_of_project(skill: &Skill) -> bool {
    matches!(skill.tier, Tier::Project | Tier::ProjectAgents)
}

fn lowercase(names: &[String]) -> Vec<String> {
    let names = names.iter();
    names.map(|name| name.trim().to_lowercase()).collect()
}

/// The directories in which skills may lie; they need not be there.
#[must_use]
pub fn dirs(world: &World<'_>, prepared: &Prepared) -> Vec<AbsPath> {
    let shelves = shelves(world, prepared).into_iter();
    shelves.map(|shelf| shelf.dir).collect()
}

/// Where skills may lie, weakest first.
fn shelves(world: &World<'_>, prepared: &Prepared) -> Vec<Shelf> {
    let around = world.around;
    let off = prepared.settings.list(&keys::EXTENSIONS_DISABLED);
    let mut shelves: Vec<_> = extensions::roots(world, off)
        .into_iter()
        .map(|root| Shelf {
            tier: Tier::Extension,
            dir: root.join(DIR),
            within: Some(world.files.real_or_same(&root)),
        })
        .collect();
    let [gemini, agents] = user_dirs(world);
    shelves.extend([(Tier::User, gemini), (Tier::UserAgents, agents)].map(own));
    // Home is nobody's project: what lies there is the user's own, and was looked at.
    let root = world.files.real_or_same(&prepared.root);
    let is_home = root == world.files.real_or_same(&around.home);
    if prepared.root_trust == Trust::Trusted && !is_home {
        let [gemini, agents] = project_dirs(&prepared.root);
        let tiers = [(Tier::Project, gemini), (Tier::ProjectAgents, agents)];
        shelves.extend(tiers.map(|(tier, dir)| Shelf {
            tier,
            dir,
            within: Some(root.clone()),
        }));
    }
    shelves
}

/// What is the user's own may be a link to anywhere.
fn own((tier, dir): (Tier, AbsPath)) -> Shelf {
    Shelf {
        tier,
        dir,
        within: None,
    }
}

/// Where a user's own skills lie: for Gemini CLI and us, and for agents of every kind.
#[must_use]
pub fn user_dirs(world: &World<'_>) -> [AbsPath; 2] {
    let around = world.around;
    let agents = around.home.join(".agents");
    [around.global_dir().join(DIR), agents.join(DIR)]
}

/// Where the skills of a project lie: for Gemini CLI and us, and for agents of every kind.
#[must_use]
pub fn project_dirs(root: &AbsPath) -> [AbsPath; 2] {
    [".gemini", ".agents"].map(|dir| root.join(dir).join(DIR))
}

#[cfg(test)]
mod tests;
