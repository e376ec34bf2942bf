//! Rules that stand in settings: `tools.allowed` and its kin.
//!
//! They rank as in Gemini CLI. A project's count as rules of the project, whatever the merged settings say.

use analects_agent::policy::{
    Decision, Mode, Places, Plain, Reading, Rule, Source, Tier, unreadable,
};
use analects_agent::tools::of_server;
use analects_text::problem::Problem;

use crate::jsonc::Value;
use crate::load_memory::Prepared;
use crate::settings::keys::{Key, policy as key};
use crate::settings::{Settings, servers};

/// How the settings rank among the rules of their tier.
const EXCLUDED: u16 = 400;
const CONFIRMED: u16 = 350;
const ALLOWED: u16 = 300;
const CORE: u16 = 250;
const TRUSTED: u16 = 200;

/// How much lower the rest ranks that a narrow setting shuts out.
const REST: u16 = 10;

/// `tools.core` says nothing about plan mode, where other rules hold.
const NOT_PLAN: [Mode; 3] = [Mode::Default, Mode::AutoEdit, Mode::Yolo];

/// The tool that runs commands, and what it was called before.
const SHELL: [&str; 2] = ["run_shell_command", "ShellTool"];

/// The rules that stand in settings.
pub(super) fn rules(prepared: &Prepared, places: &Places) -> (Vec<Rule>, Vec<Problem>) {
    let mut rules = Vec::new();
    let settings = &prepared.settings;
    for tier in [Tier::User, Tier::Workspace] {
        let list = |key: &Key| match tier {
            Tier::Workspace => settings.list_of_project(key),
            _ => settings.list_without_project(key),
        };
        let mut making = Making {
            tier,
            rules: &mut rules,
        };
        for entry in list(&key::EXCLUDED).unwrap_or_default() {
            making.add(Decision::Deny, entry, EXCLUDED, &key::EXCLUDED, &[]);
        }
        for entry in list(&key::CONFIRMED).unwrap_or_default() {
            making.add(Decision::Ask, entry, CONFIRMED, &key::CONFIRMED, &[]);
        }
        making.allowed(list(&key::ALLOWED).unwrap_or_default());
        if let Some(core) = list(&key::CORE) {
            for entry in core {
                making.add(Decision::Allow, entry, CORE, &key::CORE, &NOT_PLAN);
            }
            making.add(Decision::Deny, "*", CORE - REST, &key::CORE, &NOT_PLAN);
        }
    }
    trusted_servers(settings, &mut rules);
    let (more, problems) = doubts(prepared, places);
    rules.extend(more);
    (rules, problems)
}

/// Servers that the user trusts: their tools are used without asking, though not while only a plan is made. What a
/// project says of its servers is no reason to trust them; they are asked for like any tool.
fn trusted_servers(settings: &Settings, rules: &mut Vec<Rule>) {
    for entry in servers::own(settings) {
        let is_trusted = matches!(
            entry.item.get("trust").map(|trust| &trust.value),
            Some(Value::Flag(true))
        );
        let rule = Plain {
            decision: Decision::Allow,
            tool: &format!("{}{}_*", of_server::PREFIX, entry.name),
            command_prefix: None,
            modes: &NOT_PLAN,
            source: Source {
                file: format!("settings `mcpServers.{}.trust`", entry.name),
                line: None,
                tier: Tier::User,
                priority: TRUSTED,
            },
        };
        rules.extend(rule.rule().filter(|_| is_trusted));
    }
}

struct Making<'a> {
    tier: Tier,
    rules: &'a mut Vec<Rule>,
}

impl Making<'_> {
    /// As in the original, whoever allows some commands shuts out the others.
    fn allowed(&mut self, entries: &[String]) {
        for entry in entries {
            self.add(Decision::Allow, entry, ALLOWED, &key::ALLOWED, &[]);
        }
        if entries.iter().any(|entry| command_prefix(entry).is_some()) {
            let [shell, _] = SHELL;
            self.add(Decision::Deny, shell, ALLOWED - REST, &key::ALLOWED, &[]);
        }
    }

    fn add(&mut self, decision: Decision, entry: &str, priority: u16, key: &Key, modes: &[Mode]) {
        let tool = entry.split_once('(').map_or(entry, |(tool, _)| tool).trim();
        let plain = Plain {
            decision,
            tool,
            command_prefix: command_prefix(entry),
            modes,
            source: Source {
                file: format!("settings `{}`", key.name),
                line: None,
                tier: self.tier,
                priority,
            },
        };
        let wide = Plain {
            command_prefix: None,
            ..plain.clone()
        };
        match (plain.rule(), decision) {
            (Some(rule), _) => self.rules.push(rule),
            // `run_shell_command()`: nothing is allowed by it, and everything denied.
            (None, Decision::Allow) => {}
            (None, Decision::Ask | Decision::Deny) => self.rules.extend(wide.rule()),
        }
    }
}

/// What a command begins with, in `run_shell_command(git status)`.
fn command_prefix(entry: &str) -> Option<&str> {
    let (tool, rest) = entry.split_once('(')?;
    let is_shell = SHELL.contains(&tool.trim());
    let prefix = rest.trim_end().strip_suffix(')').unwrap_or(rest);
    is_shell.then_some(prefix)
}

/// Settings that shut something out and cannot be read could have shut out anything.
fn doubts(prepared: &Prepared, places: &Places) -> (Vec<Rule>, Vec<Problem>) {
    let keys = [&key::EXCLUDED, &key::CONFIRMED, &key::CORE];
    let own = keys.iter().find_map(|key| prepared.doubt_about(key.name));
    let mut projects = keys.iter();
    let projects = projects.find_map(|key| prepared.project_doubt_about(key.name));
    let doubts = [(Tier::User, own), (Tier::Workspace, projects)];
    let (mut rules, mut problems) = (Vec::new(), Vec::new());
    for (tier, doubt) in doubts {
        let Some(doubt) = doubt else { continue };
        let reading = Reading {
            tier,
            file: doubt.path.as_deref().unwrap_or("settings"),
            places,
        };
        let why = "settings that could shut out tools make no sense";
        let (more, found) = unreadable(why, doubt.line, &reading);
        rules.extend(more);
        problems.extend(found);
    }
    (rules, problems)
}
