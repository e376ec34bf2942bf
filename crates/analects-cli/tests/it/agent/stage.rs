//! A repository, and a server that plays the model.

use std::process::Stdio;

use analects_testkit::model_server::{Received, Reply, Script, Verb};
use analects_testkit::{ModelServer, say};
use analects_world::models::{Event, Wire};
use serde_json::json;

use crate::models::variables;
use crate::sandbox::{Ran, Sandbox};

/// A repository, and a server that plays the model.
pub(crate) struct Stage {
    pub(crate) sandbox: Sandbox,
    pub(crate) server: ModelServer,
    pub(crate) wire: Wire,
}

impl Stage {
    pub(crate) fn new(wire: Wire, script: impl Into<Script>) -> Self {
        let sandbox = Sandbox::new();
        sandbox.write("repo/GEMINI.md", "Write short sentences.\n");
        sandbox.write("repo/src/GEMINI.md", "Source files end with a newline.\n");
        sandbox.write("repo/src/lib/GEMINI.md", "Library code never prints.\n");
        sandbox.write("repo/src/lib/pond.rs", "fn ducks() -> u32 {\n    7\n}\n");
        sandbox.write("repo/src/lib/heron.rs", "fn herons() -> u32 {\n    1\n}\n");
        Self {
            sandbox,
            server: ModelServer::start(script),
            wire,
        }
    }

    /// The model takes this many tokens.
    pub(crate) fn window(self, tokens: u32) -> Self {
        let settings = json!({ "context": { "windowTokens": tokens } });
        let path = "home/.gemini/analects.json";
        self.sandbox.write(path, settings.to_string());
        self
    }

    pub(crate) fn command(&self, args: &[&str]) -> std::process::Command {
        let args: Vec<_> = ["--trust", "-m", "a-model"]
            .iter()
            .chain(args)
            .copied()
            .collect();
        let mut command = self.sandbox.command(&args);
        command.envs(variables(&self.server, self.wire));
        command.stdin(Stdio::null());
        command
    }

    pub(crate) fn talk(&self, args: &[&str]) -> Ran {
        self.sandbox.ran(self.command(args).output().unwrap())
    }

    /// What the model was asked, request by request, as one text each.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.requests()
            .iter()
            .map(|it| it.json.to_string())
            .collect()
    }

    pub(crate) fn requests(&self) -> Vec<Received> {
        let received = self.server.received();
        let refused: Vec<_> = received
            .iter()
            .filter_map(|it| it.refused.clone())
            .collect();
        assert_eq!(
            refused,
            Vec::<String>::new(),
            "the real service would refuse this"
        );
        let is_ask = |it: &Received| matches!(it.wants(), Some((_, Verb::Ask)));
        received.into_iter().filter(is_ask).collect()
    }
}

pub(crate) fn calls(events: impl IntoIterator<Item = Event>) -> Reply {
    let events = events.into_iter().chain([say::usage(900, 20), say::done()]);
    Reply::say(events)
}

/// The same by a server that counts nothing.
pub(crate) fn quiet(events: impl IntoIterator<Item = Event>) -> Reply {
    Reply::say(events.into_iter().chain([say::done()]))
}

pub(crate) fn says(text: &str) -> Reply {
    Reply::say([say::text(text), say::usage(1_000, 10), say::done()])
}

pub(crate) fn read(id: &str, path: &str) -> Event {
    say::call(id, "read_file", json!({ "file_path": path }))
}

/// On every wire.
pub(crate) fn everywhere(test: impl Fn(Wire)) {
    for (_, wire) in Wire::NAMES {
        test(wire);
    }
}
