//! Wiring hosts on a disk in memory.

mod any_json;
mod any_toml;
mod hosts;
mod noise;
mod refused;
mod seen;
mod users;

use std::fmt::Write;

use analects_testkit::{FakeDesk, surroundings};
use analects_world::{Agent, Surroundings};

use super::*;
use crate::jsonc::{Item, Value};
use crate::verbs::{Failure, Flags};

const RECORD: &str = "/h/.gemini/analects/setup.json";

/// A home `/h` and a project `/w/app`.
struct Bench {
    desk: FakeDesk,
    around: Surroundings,
    flags: Flags,
}

impl Bench {
    fn new(tree: &str) -> Self {
        Self::on(FakeDesk::parse(&format!("//- /w/app/.git/\n{tree}")))
    }

    /// A home in which one file has exactly these bytes.
    fn with(path: &str, text: &str) -> Self {
        let bench = Self::new("");
        bench.desk.edit(path, text);
        bench
    }

    fn on(desk: FakeDesk) -> Self {
        Self {
            desk,
            around: surroundings("/w/app", "/h", &[]),
            flags: Flags {
                trust: true,
                ..Flags::default()
            },
        }
    }

    fn change(&self, host: Agent, scope: Scope, to: Direction) -> Result<Changed, Failure> {
        let world = self.desk.world(&self.around);
        change(&world, &self.flags, host, scope, to)
    }

    fn install(&self, host: Agent) -> Changed {
        self.change(host, Scope::User, Direction::Install).unwrap()
    }

    fn uninstall(&self, host: Agent) -> Changed {
        self.change(host, Scope::User, Direction::Uninstall)
            .unwrap()
    }

    fn text(&self, path: &str) -> String {
        self.desk.text(path).unwrap()
    }
}

/// What a file says, without its layout; members in the order of the file.
fn said(item: &Item) -> String {
    let mut text = String::new();
    say(item, &mut text);
    text
}

fn say(item: &Item, text: &mut String) {
    match &item.value {
        Value::Object(members) => {
            text.push('{');
            for (name, item) in members {
                write!(text, "{name:?}:").unwrap();
                say(item, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::List(items) => {
            text.push('[');
            for item in items {
                say(item, text);
                text.push(',');
            }
            text.push(']');
        }
        other => write!(text, "{other:?}").unwrap(),
    }
}
