//! Recognises our entries in a host's file: a server of our name, and hooks that run us.

use analects_world::Agent;

use super::wanted::Config;
use crate::jsonc::Item;

/// The name of our server.
pub(super) const NAME: &str = "analects";

/// A hook that runs us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) event: String,
    /// Which element of the event's list.
    pub(super) group: usize,
    /// Which handler of that element.
    pub(super) handler: usize,
    /// Whether no other handler shares the element.
    pub(super) is_alone: bool,
}

/// Whether a command is one of our hooks: `…/analects hook <host> …`, by whatever path.
///
/// The program's name counts too: others say `hook <host>` as well.
pub(super) fn is_ours(command: &str, host: Agent) -> bool {
    let words = format!(" hook {} ", host.as_str());
    let Some((program, _)) = command.split_once(&words) else {
        return false;
    };
    let program = program.trim_end_matches(['\'', '"']);
    let name = program.rsplit(['/', '\\', ' ', '\'', '"']).next();
    name.is_some_and(|name| name.starts_with(NAME))
}

/// All our hooks in a file, in the order of the file.
pub(super) fn spots(root: &Item, host: Agent) -> Vec<Spot> {
    let mut spots = Vec::new();
    for (event, groups) in root.get("hooks").and_then(Item::object).unwrap_or_default() {
        for (group, item) in groups.list().unwrap_or_default().iter().enumerate() {
            let handlers = item.get("hooks").and_then(Item::list).unwrap_or_default();
            let is_ours = |handler: &Item| {
                let command = handler.get("command").and_then(Item::text);
                command.is_some_and(|command| is_ours(command, host))
            };
            let is_alone = handlers.len() == 1;
            let found = handlers.iter().enumerate().filter(|(_, h)| is_ours(h));
            spots.extend(found.map(|(handler, _)| Spot {
                event: event.clone(),
                group,
                handler,
                is_alone,
            }));
        }
    }
    spots
}

/// Our server in a file.
pub(super) fn server<'a>(root: &'a Item, config: &Config) -> Option<&'a Item> {
    root.get(config.table?)?.get(NAME)
}

/// The group and the handler of a spot.
pub(super) fn hook_at<'a>(root: &'a Item, spot: &Spot) -> Option<(&'a Item, &'a Item)> {
    let group = element(root.get("hooks")?.get(&spot.event)?, spot.group)?;
    Some((group, element(group.get("hooks")?, spot.handler)?))
}

/// Whether a file holds anything of ours.
pub(super) fn is_wired(root: &Item, host: Agent, config: &Config) -> bool {
    server(root, config).is_some() || !spots(root, host).is_empty()
}

fn element(list: &Item, index: usize) -> Option<&Item> {
    list.list()?.get(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_hooks_are_known_by_program_and_words() {
        for (command, is_it) in [
            ("/opt/bin/analects hook codex SessionStart", true),
            ("analects hook codex Stop", true),
            ("'/my bin/analects' hook codex Stop", true),
            ("/x/analects-0.1 hook codex Stop", true),
            ("/opt/bin/borg hook codex Stop", false),
            ("/opt/bin/analects hook gemini SessionStart", false),
            ("/opt/bin/analects mcp", false),
            ("/opt/analects/run hook codex Stop", false),
        ] {
            assert_eq!(is_ours(command, Agent::Codex), is_it, "{command}");
        }
    }
}
