//! Claude Code: servers in its state file or `.mcp.json`, hooks in `settings.json`.

use analects_world::files::{Files, Kind, Pick};
use analects_world::{AbsPath, Agent};

use super::wanted::{Config, Format, Hook, Place, Scope};
use crate::host::{self, users_home};
use crate::json_edit::Json;
use crate::jsonc::Item;

/// The tools that touch files, by all names they have had, and the shell; names alone are compared as a
/// whole.
const FILE_TOOLS: &str = "Read|Edit|MultiEdit|Write|NotebookEdit|Glob|Grep|LS|Bash";

/// No matcher on a start: new sources should count too.
const EVENTS: [(&str, Option<&str>); 5] = [
    ("SessionStart", None),
    ("UserPromptSubmit", None),
    ("PostToolUse", Some(FILE_TOOLS)),
    ("PreCompact", None),
    ("SessionEnd", None),
];

/// Seconds.
const TIMEOUT: u64 = 10;

pub(super) fn notes(scope: Scope) -> &'static [&'static str] {
    match scope {
        Scope::User => &[],
        Scope::Project => &["Claude Code asks once before it starts the server of `.mcp.json`"],
    }
}

pub(super) fn configs(files: &dyn Files, place: &Place<'_>) -> Vec<Config> {
    let (servers, settings) = match place.scope {
        Scope::User => user_files(files, place),
        Scope::Project => (
            place.root.join(".mcp.json"),
            place.root.join(".claude/settings.json"),
        ),
    };
    let hook = |(event, matcher): (&'static str, _)| Hook {
        event,
        matcher,
        handler: vec![
            ("type", Json::Text("command".to_owned())),
            ("command", place.hook_command(Agent::Claude, event)),
            ("timeout", Json::Number(TIMEOUT)),
        ],
    };
    let kind = ("type", Json::Text("stdio".to_owned()));
    vec![
        Config {
            path: servers,
            format: Format::Json,
            table: Some("mcpServers"),
            server: Some([kind].into_iter().chain(place.server()).collect()),
            hooks: Vec::new(),
            is_locked: place.scope == Scope::User,
            switched_off: |_| None,
        },
        Config {
            path: settings,
            format: Format::Json,
            table: None,
            server: None,
            hooks: EVENTS.map(hook).into(),
            is_locked: false,
            switched_off,
        },
    ]
}

/// `~/.claude.json` lies beside `~/.claude`, but inside a directory that `CLAUDE_CONFIG_DIR` names. An
/// old `.config.json` comes before it.
fn user_files(files: &dyn Files, place: &Place<'_>) -> (AbsPath, AbsPath) {
    let dir = host::dir(Agent::Claude, place.around);
    let old = ".config.json".to_owned();
    let found = files.list_one(&dir, &Pick::names(vec![old.clone()]));
    let is_file = |kind: Kind| matches!(kind, Kind::File | Kind::Link);
    let has_old = found.is_ok_and(|listing| listing.found.iter().any(|f| is_file(f.kind)));
    let state = if has_old {
        dir.join(&old)
    } else {
        let is_told = place.around.var("CLAUDE_CONFIG_DIR").is_some();
        let beside = || users_home(place.around);
        let home = if is_told { dir.clone() } else { beside() };
        home.join(".claude.json")
    };
    (state, dir.join("settings.json"))
}

fn switched_off(root: &Item) -> Option<&'static str> {
    let switch = root.get("disableAllHooks")?;
    Json::Flag(true)
        .is_said_by(switch)
        .then_some("`disableAllHooks` switches all hooks off")
}
