//! Activates a skill for another agent, over MCP, where there is no talk of ours.

use analects_skill::catalog::{self, Opened};

use super::{Skills, find};
use crate::World;
use crate::events::{self, Event, What};
use crate::load_memory;
use crate::verbs::{Failure, Flags};

/// How many are named to whoever has named another one.
const MAX_NAMED: usize = 40;

/// The skills that may be used here, and whether the project's own are among them.
pub fn usable(world: &World<'_>, flags: &Flags) -> Result<Skills, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    Ok(find(world, &prepared))
}

/// Opens a skill that may be used, and counts it.
pub fn activate(world: &World<'_>, flags: &Flags, name: &str) -> Result<Opened, Failure> {
    let opened = open(world, &usable(world, flags)?, name)?;
    if !flags.dry_run && events::is_on_here(world) {
        let event = Event {
            at_ms: world.clock.now_ms(),
            session: None,
            what: What::skill(&opened.name),
        };
        // Whoever cannot count goes on.
        let _ = events::note(world, &event);
    }
    Ok(opened)
}

/// Opens a skill that may be used.
pub fn open(world: &World<'_>, skills: &Skills, name: &str) -> Result<Opened, Failure> {
    let found = skills.catalog.find(name);
    let Some(skill) = found.filter(|skill| skills.is_enabled(skill)) else {
        let shown = analects_text::frontmatter::shown(name);
        let known: Vec<_> = skills
            .enabled()
            .take(MAX_NAMED)
            .map(|it| &*it.name)
            .collect();
        let failure = Failure::bad_input(format!("there is no skill `{shown}`"));
        return Err(match known.is_empty() {
            true => failure.hint("there are no skills here"),
            false => failure.hint(format!("those that are there: {}", known.join(", "))),
        });
    };
    catalog::open(world.files, skill, catalog::MAX_BODY_TOKENS)
        .map_err(|why| Failure::failed(format!("the skill `{}` cannot be read: {why}", skill.name)))
}
