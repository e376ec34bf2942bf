//! Gemini CLI: servers and hooks stand together in `settings.json`.

use analects_world::Agent;

use super::wanted::{Config, Format, Hook, Place, Scope, is_set};
use crate::json_edit::Json;
use crate::jsonc::Item;

/// The tools that touch files, by all names they have had, and the shell. A matcher is a pattern that may match anywhere
/// in a tool's name, so it is tied down on both sides.
const FILE_TOOLS: &str = "^(read_file|read_many_files|write_file|replace|list_directory|glob|\
    grep_search|search_file_content|run_shell_command)$";

/// A start or a compression is matched by its exact source, so these have no matcher: all sources count.
const EVENTS: [(&str, Option<&str>); 5] = [
    ("SessionStart", None),
    ("BeforeAgent", None),
    ("AfterTool", Some(FILE_TOOLS)),
    ("PreCompress", None),
    ("SessionEnd", None),
];

/// Milliseconds.
const TIMEOUT: u64 = 10_000;

pub(super) const NOTES: &[&str] = &["Gemini CLI runs hooks only in folders that it trusts"];

pub(super) fn configs(place: &Place<'_>) -> Vec<Config> {
    let dir = match place.scope {
        Scope::User => place.around.global_dir(),
        Scope::Project => place.root.join(".gemini"),
    };
    let hook = |(event, matcher): (&'static str, _)| Hook {
        event,
        matcher,
        handler: vec![
            // One name for all: `hooksConfig.disabled: ["analects"]` switches all of them off.
            ("name", Json::Text("analects".to_owned())),
            ("type", Json::Text("command".to_owned())),
            ("command", place.hook_command(Agent::Gemini, event)),
            ("timeout", Json::Number(TIMEOUT)),
        ],
    };
    vec![Config {
        path: dir.join("settings.json"),
        format: Format::Commented,
        table: Some("mcpServers"),
        // Not `trust`: that would take the user's own yes to every call away.
        server: Some(place.server().into()),
        hooks: EVENTS.map(hook).into(),
        is_locked: false,
        switched_off,
    }]
}

fn switched_off(root: &Item) -> Option<&'static str> {
    let names_us = |list: &Item| {
        let mut names = list.list().unwrap_or_default().iter();
        names.any(|name| name.text() == Some("analects"))
    };
    let list = |section: &str, name: &str| root.get(section).and_then(|item| item.get(name));
    if is_set(root, ["hooksConfig", "enabled"], false) {
        Some("`hooksConfig.enabled` switches all hooks off")
    } else if list("hooksConfig", "disabled").is_some_and(names_us) {
        Some("`hooksConfig.disabled` names our hooks")
    } else if list("mcp", "excluded").is_some_and(names_us) {
        Some("`mcp.excluded` names our server")
    } else if list("mcp", "allowed").is_some_and(|list| list.list().is_some() && !names_us(list)) {
        Some("`mcp.allowed` does not name our server")
    } else {
        None
    }
}
