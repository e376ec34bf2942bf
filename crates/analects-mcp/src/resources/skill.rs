//! `memory://skills/NAME`: what a skill says.

use analects_engine::World;
use analects_engine::skills;
use analects_engine::verbs::{Failure, Flags};
use rmcp::model::{Annotations, Resource, ResourceTemplate, Role};

use super::MIME;

/// What its address begins with.
pub(super) const SCHEME: &str = "memory://skills/";

/// The address that skills have.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{SCHEME}{{name}}"), "skill")
        .with_title("A skill")
        .with_description("Instructions for one kind of task, by the skill's name")
        .with_mime_type(MIME)
}

/// The skills that somebody put there, each a resource. What is part of the program can be read, and needs no list.
pub(super) fn listed(world: &World<'_>, flags: &Flags) -> Vec<Resource> {
    let described = |(name, description): (String, String)| {
        Resource::new(format!("{SCHEME}{name}"), name)
            .with_description(description)
            .with_mime_type(MIME)
            .with_annotations(Annotations::default().with_audience(vec![Role::Assistant]))
    };
    let skills = skills::commands(world, flags).into_iter();
    skills.map(described).collect()
}

/// What a skill says, as a model is told it.
pub(super) fn text(world: &World<'_>, flags: &Flags, name: &str) -> Result<String, Failure> {
    let found = skills::usable(world, flags)?;
    skills::open(world, &found, name).map(|opened| opened.told())
}
