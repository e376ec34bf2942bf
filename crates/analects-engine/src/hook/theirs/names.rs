//! Which names a host looks for, as its own settings have it.

use analects_memory::discover::Trust;
use analects_world::{AbsPath, Agent};

use crate::hook::host::Manners;
use crate::host;
use crate::load_memory::Prepared;
use crate::settings::{self, Workspace};
use crate::{World, jsonc};

/// The names that a host goes by, as its own settings have it.
pub(super) struct Names {
    pub(super) home: AbsPath,
    pub(super) in_home: Vec<String>,
    pub(super) in_project: Vec<String>,
    pub(super) instead: Vec<String>,
    /// Whether `instead` counts beside the others.
    pub(super) instead_too: bool,
}

impl Names {
    /// `None` if the host was told to load nothing.
    pub(super) fn of(world: &World<'_>, prepared: &Prepared, host: Agent) -> Option<Self> {
        let loads = &Manners::of(host).loads;
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let around = world.around;
        if host == Agent::Gemini {
            let workspace = match prepared.decision.trust {
                Trust::Trusted => Workspace::Counts,
                Trust::Untrusted => Workspace::Skipped,
            };
            let names = settings::memory_names(world, workspace);
            return Some(Self {
                home: host::dir(host, around),
                in_home: names.clone(),
                in_project: names,
                instead: Vec::new(),
                instead_too: false,
            });
        }
        let mut names = Self {
            home: host::dir(host, around),
            in_home: list(loads.in_home),
            in_project: list(loads.in_project),
            instead: list(loads.instead),
            instead_too: false,
        };
        if names.instead.is_empty() {
            return Some(names);
        }
        match claudes_choice(world, &names.home).as_deref() {
            Some("managed-only") => return None,
            Some("claude-md") => names.instead.clear(),
            Some("claude-md-and-agents-md") => names.instead_too = true,
            _ => {}
        }
        Some(names)
    }
}

/// What Claude Code was told about `AGENTS.md`, if anything. Where the model is somebody else's service, it
/// does not read that file.
fn claudes_choice(world: &World<'_>, home: &AbsPath) -> Option<String> {
    let services = ["BEDROCK", "VERTEX", "FOUNDRY"];
    let mut services = services
        .map(|name| format!("CLAUDE_CODE_USE_{name}"))
        .into_iter();
    if services.any(|variable| world.around.var(&variable).is_some()) {
        return Some("claude-md".to_owned());
    }
    let settings = jsonc::read_object(world.files, &home.join("settings.json"))?.ok()?;
    let options = settings
        .get("pluginConfigs")?
        .get("agents-md@builtin")?
        .get("options")?;
    Some(options.get("instructionFiles")?.text()?.to_owned())
}
