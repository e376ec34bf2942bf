//! What hooks are told, and what becomes of what they want.

mod around_model;
mod around_tools;
mod gathered;
mod in_time;
mod whole;

use std::collections::BTreeMap;
use std::sync::Arc;

use analects_testkit::{FakeDesk, FakeServers, FakeShell, fed, say, surroundings};
use analects_world::Cancel;
use analects_world::model::{Body, Content};
use analects_world::models::Event as Piece;
use analects_world::shell::Fed;
use serde_json::{Value, json};

use crate::talk::{Ended, Hands, Wish, talk};
use crate::verbs::{Failure, Flags};

const TREE: &str = "\
//- /w/app/.git/HEAD
ref
//- /w/app/pond.txt
seven ducks
//- /w/app/secret.txt
the plan
";

/// A project, a model that follows a script, and programs that answer.
struct Stage {
    desk: Arc<FakeDesk>,
    shell: FakeShell,
    servers: FakeServers,
    vars: Vec<(&'static str, &'static str)>,
    flags: Flags,
    wish: Wish,
    hooks: BTreeMap<String, Vec<Value>>,
}

impl Stage {
    fn new(answers: impl IntoIterator<Item = Vec<Piece>>) -> Self {
        let desk = FakeDesk::parse(TREE);
        desk.now_ms
            .store(1_800_000_000_000, std::sync::atomic::Ordering::Relaxed);
        for mut events in answers {
            events.push(say::done());
            desk.models.answer(events);
        }
        Self {
            desk: Arc::new(desk),
            shell: FakeShell::default(),
            servers: FakeServers::default(),
            vars: vec![
                ("GEMINI_API_KEY", "k-0123456789"),
                ("PATH", "/bin"),
                ("NPM_TOKEN", "t"),
            ],
            flags: Flags {
                trust: true,
                ..Flags::default()
            },
            wish: Wish {
                prompt: "Count the ducks.".to_owned(),
                new_session: "5e551011-0000-4000-8000-000000000001".to_owned(),
                model: Some("gemini-2.5-flash".to_owned()),
                mode: Some("auto-edit".to_owned()),
                ..Wish::default()
            },
            hooks: BTreeMap::new(),
        }
    }

    /// A hook of the user's that answers what it is told.
    fn hook(
        mut self,
        event: &str,
        command: &str,
        answer: impl Fn(&Value) -> Fed + Send + Sync + 'static,
    ) -> Self {
        let hooks = self.hooks.entry(event.to_owned()).or_default();
        hooks.push(json!({"hooks": [{"type": "command", "command": command}]}));
        self.shell.answers(command, move |told| {
            answer(&serde_json::from_str(told).unwrap())
        });
        self
    }

    /// The same, whatever it is told.
    fn says(self, event: &str, command: &str, answer: Value) -> Self {
        self.hook(event, command, move |_| fed(0, &answer.to_string(), ""))
    }

    fn talk(&self) -> Ended {
        self.try_talk().unwrap()
    }

    fn try_talk(&self) -> Result<Ended, Failure> {
        self.talk_until(&Cancel::new())
    }

    fn talk_until(&self, cancel: &Cancel) -> Result<Ended, Failure> {
        let settings = json!({"hooks": self.hooks}).to_string();
        self.desk.edit("/h/.gemini/settings.json", &settings);
        let around = surroundings("/w/app", "/h", &self.vars);
        let world = self.desk.world(&around);
        let hands = Hands {
            shell: &self.shell,
            servers: &self.servers,
        };
        talk(&world, hands, &self.flags, &self.wish, cancel, &mut |_| {})
    }

    /// What a hook was told, each time.
    fn told(&self, command: &str) -> Vec<Value> {
        let ran = self
            .shell
            .ran()
            .into_iter()
            .filter(|ran| ran.line == command);
        ran.filter_map(|ran| serde_json::from_str(&ran.input?).ok())
            .collect()
    }

    /// The events for which hooks ran, in their order.
    fn events(&self) -> Vec<String> {
        let ran = self.shell.ran().into_iter().filter_map(|ran| ran.input);
        let told = ran.map(|told| serde_json::from_str::<Value>(&told).unwrap());
        told.map(|told| told["hook_event_name"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The last thing that the model read before an answer, without what stands at the beginning of every session.
    fn read(&self, request: usize) -> String {
        let asked = self.desk.models.asked();
        let read = last(&asked[request].history);
        match read.split_once("</session_context>\n") {
            Some((_, read)) => read.to_owned(),
            None => read,
        }
    }
}

fn last(history: &[Content]) -> String {
    let parts = history.last().unwrap().parts.iter();
    let texts = parts.map(|part| match &part.body {
        Body::Text(text) => text.clone(),
        Body::Response(it) => {
            let (word, said) = it.response.as_object().unwrap().iter().next().unwrap();
            format!("{word}: {}", said.as_str().unwrap())
        }
        _ => "?".to_owned(),
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn problems(ended: &Ended) -> Vec<String> {
    let told = ended.problems.iter();
    told.map(|problem| format!("{}: {}", problem.code.name, problem.message))
        .collect()
}

fn read_pond() -> Vec<Piece> {
    vec![say::call(
        "c",
        "read_file",
        json!({"file_path": "pond.txt"}),
    )]
}

fn write(path: &str) -> Vec<Piece> {
    vec![say::call(
        "c",
        "write_file",
        json!({"file_path": path, "content": "x"}),
    )]
}

fn seven() -> Vec<Piece> {
    vec![say::text("Seven.")]
}
