//! Recognises our entries in a host's file: a server of our name that starts us, and hooks that run us and nothing else.

use analects_text::shell_line::{self, StandsFor, Word};
use analects_world::Agent;

use super::wanted::{Config, Hook, Members};
use crate::hook;
use crate::json_edit::Json;
use crate::jsonc::{Item, Value};

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

/// Whether a command is one of our hooks: `[path/]analects hook <host> <event>` with flags of ours, and
/// nothing before, after or around it. What does anything else besides is somebody's own.
pub(super) fn is_ours(command: &str, host: Agent) -> bool {
    flags(command, host).is_some()
}

/// The flags of one of our hooks, as they are written.
pub(super) fn flags(command: &str, host: Agent) -> Option<Vec<String>> {
    let line = shell_line::lex(command).ok()?;
    let [simple] = line.commands.as_slice() else {
        return None;
    };
    let is_plain = !line.redirects && !simple.sets_variables && !simple.is_fed();
    let itself = |word: &Word| (word.stands_for == StandsFor::Itself).then(|| word.text.clone());
    let words: Option<Vec<_>> = simple.words.iter().map(itself).collect();
    let words = words.filter(|_| is_plain)?;
    let [program, hook, agent, event, flags @ ..] = words.as_slice() else {
        return None;
    };
    let is_hook = hook == "hook" && agent == host.as_str() && hook::is_event(event);
    (is_hook && is_program(program) && are_flags(flags)).then(|| flags.to_vec())
}

/// Whether a program is called as we are, or as we and a version.
fn is_program(program: &str) -> bool {
    let name = shell_line::program_name(program);
    let rest = name.strip_prefix(NAME);
    let is_script = SCRIPTS.iter().any(|ending| name.ends_with(ending));
    !is_script && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.']))
}

/// What the names of programs end with that somebody wrote around us.
const SCRIPTS: [&str; 5] = [".sh", ".bash", ".py", ".js", ".rb"];

/// Whether these are flags that a hook of ours takes.
fn are_flags(words: &[String]) -> bool {
    let mut words = words.iter();
    let is_number = |text: &str| text.parse::<usize>().is_ok();
    while let Some(word) = words.next() {
        let is_flag = match word.as_str() {
            "--room" => words.next().is_some_and(|tokens| is_number(tokens)),
            "-v" | "--verbose" | "-q" | "--quiet" => true,
            other => other.strip_prefix("--room=").is_some_and(is_number),
        };
        if !is_flag {
            return false;
        }
    }
    true
}

/// The members that a hook should have, given how it stands there: flags of ours that the user added and
/// the time that the user grants stay.
pub(super) fn wanted_of(handler: &Item, hook: &Hook, host: Agent) -> Members {
    let known = handler.get("command").and_then(Item::text);
    let flags = known
        .and_then(|known| flags(known, host))
        .unwrap_or_default();
    let has_time = || {
        let time = handler.get("timeout").map(|time| &time.value);
        matches!(time, Some(Value::Number(_)))
    };
    let member = |(name, value): &(&'static str, Json)| match (*name, value) {
        ("timeout", _) if has_time() => None,
        ("command", Json::Text(command)) if !flags.is_empty() => {
            let command = format!("{command} {}", flags.join(" "));
            Some((*name, Json::Text(command)))
        }
        _ => Some((*name, value.clone())),
    };
    hook.handler.iter().filter_map(member).collect()
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

/// The server of our name in a file, whoever put it there.
pub(super) fn server<'a>(root: &'a Item, config: &Config) -> Option<&'a Item> {
    root.get(config.table?)?.get(NAME)
}

/// Whether a server of our name is ours: it starts us, to be one.
pub(super) fn is_our_server(server: &Item) -> bool {
    let command = server.get("command").and_then(Item::text);
    let args = server.get("args").and_then(Item::list).unwrap_or_default();
    command.is_some_and(is_program) && args.iter().any(|arg| arg.text() == Some("mcp"))
}

/// The group and the handler of a spot.
pub(super) fn hook_at<'a>(root: &'a Item, spot: &Spot) -> Option<(&'a Item, &'a Item)> {
    let group = element(root.get("hooks")?.get(&spot.event)?, spot.group)?;
    Some((group, element(group.get("hooks")?, spot.handler)?))
}

/// Whether a file holds anything of ours.
pub(super) fn is_wired(root: &Item, host: Agent, config: &Config) -> bool {
    server(root, config).is_some_and(is_our_server) || !spots(root, host).is_empty()
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
            ("analects hook codex SessionStart --room 4000 -v", true),
            ("analects hook codex SessionStart --room=4000", true),
            ("analects hook codex SessionStart --room much", false),
            ("analects hook codex SessionStart --loud", false),
            ("cd /x && analects hook codex Stop", false),
            ("analects hook codex Stop; notify-send hi", false),
            ("A=1 analects hook codex Stop", false),
            ("analects hook codex Stop | tee /tmp/log", false),
            ("analects hook codex Stop > /tmp/log", false),
            ("$HOME/analects hook codex Stop", false),
            ("echo run-analects hook codex Stop", false),
            ("/opt/analects-guard.sh hook codex Stop", false),
            ("/opt/analects-guard hook codex check", false),
            ("/opt/analectsd hook codex Stop", false),
        ] {
            assert_eq!(is_ours(command, Agent::Codex), is_it, "{command}");
        }
    }
}
