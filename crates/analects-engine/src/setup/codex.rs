//! Codex: servers in `config.toml`; hooks in `hooks.json`, or in `config.toml` where others are.

use analects_world::Agent;
use analects_world::files::Files;

use super::draft::Draft;
use super::wanted::{Config, Format, Hook, Place, Scope, is_set};
use crate::host;
use crate::json_edit::Json;
use crate::jsonc::{Item, Value};
use crate::write;

/// What the hooks call its tools: every shell is `Bash`, and files are mostly read through one.
const FILE_TOOLS: &str = "Bash|apply_patch|Edit|Write|read_file|list_dir|grep_files|view_image";

/// No matcher on a start: new sources should count too.
const EVENTS: [(&str, Option<&str>, u64); 5] = [
    ("SessionStart", None, TIMEOUT),
    ("UserPromptSubmit", None, TIMEOUT),
    ("PostToolUse", Some(FILE_TOOLS), TIMEOUT),
    ("PreCompact", None, TIMEOUT),
    // Codex grants three seconds at most, and warns at every start if more is asked for.
    ("SessionEnd", None, 3),
];

/// Seconds.
const TIMEOUT: u64 = 10;

const LOOK: &str = "Codex runs new hooks only after you have looked at them: open `/hooks` in it";
const TRUST: &str = "Codex reads a project's own `.codex` only if it trusts the project";

pub(super) fn notes(scope: Scope) -> &'static [&'static str] {
    match scope {
        Scope::User => &[LOOK],
        Scope::Project => &[LOOK, TRUST],
    }
}

pub(super) fn configs(files: &dyn Files, place: &Place<'_>) -> Vec<Config> {
    let dir = match place.scope {
        Scope::User => host::dir(Agent::Codex, place.around),
        Scope::Project => place.root.join(".codex"),
    };
    let hook = |(event, matcher, timeout): (&'static str, _, _)| Hook {
        event,
        matcher,
        handler: vec![
            ("type", Json::Text("command".to_owned())),
            ("command", place.hook_command(Agent::Codex, event)),
            ("timeout", Json::Number(timeout)),
        ],
    };
    let hooks: Vec<_> = EVENTS.map(hook).into();
    let mut config = Config {
        path: dir.join("config.toml"),
        format: Format::Toml,
        table: Some("mcp_servers"),
        server: Some(place.server().into()),
        hooks: Vec::new(),
        is_locked: false,
        switched_off,
    };
    let mut json = Config {
        path: dir.join("hooks.json"),
        format: Format::Json,
        table: None,
        server: None,
        hooks: Vec::new(),
        is_locked: false,
        switched_off: |_| None,
    };
    // Codex complains at every start about a directory that has hooks in both.
    if has_foreign_hooks(files, &config) && !has_foreign_hooks(files, &json) {
        config.hooks = hooks;
    } else {
        json.hooks = hooks;
    }
    vec![config, json]
}

/// Whether someone else has hooks in a file. `[hooks.state]` is no hook: Codex keeps its notes there.
fn has_foreign_hooks(files: &dyn Files, config: &Config) -> bool {
    let text = write::text_of(files, &config.path).ok().flatten();
    let root = text.and_then(|text| Draft::new(config.format, &text).ok()?.root().ok());
    let is_foreign = |handler: &Item| {
        let command = handler.get("command").and_then(Item::text);
        !command.is_some_and(|command| super::ours::is_ours(command, Agent::Codex))
    };
    let has_foreign = |group: &Item| {
        let handlers = group.get("hooks").and_then(Item::list);
        handlers.unwrap_or_default().iter().any(is_foreign)
    };
    let hooks = root.as_ref().and_then(|root| root.get("hooks")?.object());
    hooks.unwrap_or_default().iter().any(
        |(_, event)| matches!(&event.value, Value::List(groups) if groups.iter().any(has_foreign)),
    )
}

fn switched_off(root: &Item) -> Option<&'static str> {
    let server = root.get("mcp_servers").and_then(|all| all.get("analects"));
    let enabled = server.and_then(|server| server.get("enabled"));
    if is_set(root, ["features", "hooks"], false)
        || is_set(root, ["features", "codex_hooks"], false)
    {
        Some("`features.hooks` switches all hooks off")
    } else if enabled.is_some_and(|enabled| Json::Flag(false).is_said_by(enabled)) {
        Some("`enabled` switches our server off")
    } else {
        None
    }
}
