//! The first turn of a talk: when and where it takes place, and what lies there.
//!
//! It holds no memory: that stands in the system prompt. It is built once, when a talk begins or goes on, so that what
//! a model has cached of the beginning stays good. Records may hold one, as those of Gemini CLI do; a history that is
//! read from them has none.

mod tree;

use analects_memory::discover::IgnoreOptions;
use analects_memory::render;
use analects_session::stamp::Stamp;
use analects_text::sanitize;
use analects_world::AbsPath;
use analects_world::model::{Content, Role, stable_id};

use crate::World;
use crate::load_memory::Prepared;
use crate::prompt::fill::fill;

const TEMPLATE: &str = include_str!("../../prompts/session-context.md");

/// Where a talk takes place, as far as the doors do not tell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene<'a> {
    /// The operating system, as a model knows it: `linux`.
    pub os: &'a str,
    /// The directories that tools may reach.
    pub roots: &'a [AbsPath],
    /// Where the project's temporary files may go, if it has a place for them.
    pub temp_dir: Option<&'a AbsPath>,
    /// What is not looked at.
    pub ignore: &'a IgnoreOptions,
}

/// The turn that tells the model where it is. Its name is that of the original.
#[must_use]
pub(crate) fn turn(world: &World<'_>, prepared: &Prepared, scene: &Scene<'_>) -> Content {
    let day = Stamp::from_ms(world.clock.now_ms()).unwrap_or(Stamp::MAX);
    let cwd = &world.around.cwd;
    let text = fill(TEMPLATE.trim_end(), "{", |name| {
        Some(match name {
            "date" => day.day(),
            "os" => harmless(scene.os),
            "cwd" => harmless(cwd.as_str()),
            "root" => harmless(prepared.root.as_str()),
            "temp_dir" => scene.temp_dir.map_or_else(String::new, |dir| {
                format!(
                    "- Directory for temporary files: {}\n",
                    harmless(dir.as_str())
                )
            }),
            "max_entries" => tree::MAX_ENTRIES.to_string(),
            "tree" => tree::tree(world.files, cwd, scene),
            _ => return None,
        })
    });
    Content::text(stable_id(&["environment-context"]), Role::User, text)
}

/// A name from the disk on a line of ours.
fn harmless(name: &str) -> String {
    render::harmless(&sanitize::one_line(name)).into_owned()
}

#[cfg(test)]
mod tests;
