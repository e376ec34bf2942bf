//! Which hooks run, and in what order.

use std::collections::HashSet;

use super::{Event, Hook, Source};

/// Hooks that somebody switched off, by name; those without a name by their command.
#[derive(Debug, Clone, Default)]
pub struct Disabled {
    /// Whoever's they are.
    pub everywhere: Vec<String>,
    /// If they are the project's: a project switches off its own hooks only.
    pub in_project: Vec<String>,
}

/// The hooks that run now.
#[derive(Debug)]
pub struct Selected<'a> {
    /// The hooks, those of the project first.
    pub hooks: Vec<&'a Hook>,
    /// How they run.
    pub order: Order,
}

/// How hooks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// All at once.
    Together,
    /// One after the other, each told what those before it changed.
    InSequence,
}

/// The hooks that run at an event; `subject` is the tool, or the word that says what kind of event it is.
#[must_use]
pub fn select<'a>(
    hooks: &'a [Hook],
    event: Event,
    subject: Option<&str>,
    disabled: &Disabled,
) -> Selected<'a> {
    let wanted = hooks
        .iter()
        .filter(|hook| hook.event == event && hook.matcher.fits(subject) && !disabled.covers(hook));
    let mut wanted: Vec<_> = wanted.collect();
    wanted.sort_by_key(|hook| hook.source);
    // A project that names a program of the user's must not be able to run it in the user's place, with another time or
    // environment.
    let is_projects = |hook: &Hook| hook.source == Source::Project;
    let others = wanted.iter().filter(|hook| !is_projects(hook));
    let others: HashSet<_> = others.map(|hook| hook.key()).collect();
    let mut keys = HashSet::new();
    wanted.retain(|hook| {
        let key = hook.key();
        !(is_projects(hook) && others.contains(&key)) && keys.insert(key)
    });
    let is_sequential = wanted.iter().any(|hook| hook.is_sequential);
    Selected {
        hooks: wanted,
        order: match is_sequential {
            true => Order::InSequence,
            false => Order::Together,
        },
    }
}

impl Disabled {
    fn covers(&self, hook: &Hook) -> bool {
        let names = |names: &[String]| names.iter().any(|name| name == hook.label());
        names(&self.everywhere) || (hook.source == Source::Project && names(&self.in_project))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::hook::{Reading, read};

    fn hooks(source: Source, hooks: &Value) -> Vec<Hook> {
        let reading = Reading { source, file: "f" };
        read(hooks, &reading).0
    }

    fn one(command: &str) -> Value {
        json!({"hooks": [{"type": "command", "command": command}]})
    }

    fn labels<'a>(selected: &Selected<'a>) -> Vec<&'a str> {
        selected.hooks.iter().map(|hook| hook.label()).collect()
    }

    #[test]
    fn the_projects_come_first_and_the_same_hook_runs_once() {
        let mut all = hooks(
            Source::Extension,
            &json!({"BeforeAgent": [one("e"), one("u1")]}),
        );
        all.extend(hooks(Source::System, &json!({"BeforeAgent": [one("s")]})));
        all.extend(hooks(
            Source::User,
            &json!({"BeforeAgent": [one("u2"), one("u1"), one("u2")], "AfterAgent": [one("x")]}),
        ));
        all.extend(hooks(
            Source::Project,
            &json!({"BeforeAgent": [one("p"), one("s"), one("p")]}),
        ));
        let selected = select(&all, Event::BeforeAgent, None, &Disabled::default());
        assert_eq!(labels(&selected), ["p", "u2", "u1", "s", "e"]);
        let sources: Vec<_> = selected
            .hooks
            .iter()
            .map(|hook| hook.source.as_str())
            .collect();
        assert_eq!(sources, ["project", "user", "user", "system", "extension"]);
        assert_eq!(selected.order, Order::Together);
    }

    #[test]
    fn one_that_wants_a_sequence_gets_it_for_all_if_it_runs() {
        let all = json!({"BeforeTool": [
            {"matcher": "write", "sequential": true, "hooks": [{"type": "command", "command": "a"}]},
            one("b"),
        ]});
        let all = hooks(Source::User, &all);
        let order = |tool| select(&all, Event::BeforeTool, Some(tool), &Disabled::default()).order;
        assert_eq!(order("write_file"), Order::InSequence);
        assert_eq!(order("read_file"), Order::Together);
    }

    #[test]
    fn a_project_switches_off_its_own_hooks_only() {
        let named = json!({"BeforeAgent": [{"hooks": [
            {"type": "command", "command": "./check.sh", "name": "check"}, {"type": "command", "command": "./other.sh"},
        ]}]});
        let both = |disabled: &Disabled| {
            let mut both = hooks(Source::Project, &named);
            let left = select(&both, Event::BeforeAgent, None, disabled)
                .hooks
                .len();
            both = hooks(Source::User, &named);
            (
                left,
                select(&both, Event::BeforeAgent, None, disabled)
                    .hooks
                    .len(),
            )
        };
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let everywhere = Disabled {
            everywhere: list(&["check"]),
            in_project: Vec::new(),
        };
        assert_eq!(both(&everywhere), (1, 1));
        let by_command = Disabled {
            everywhere: list(&["./check.sh", "./other.sh"]),
            in_project: Vec::new(),
        };
        assert_eq!(
            both(&by_command),
            (1, 1),
            "one with a name is known by its name"
        );
        let in_project = Disabled {
            everywhere: Vec::new(),
            in_project: list(&["check", "./other.sh"]),
        };
        assert_eq!(both(&in_project), (0, 2));
    }
}
