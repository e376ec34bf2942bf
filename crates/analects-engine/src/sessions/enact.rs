//! Records a conversation that was written by hand, as if it had been held: for a tour, where no model is.

use analects_memory::discover::Trust;
use analects_session::message::{Content, MessageKind, Status, ToolCall};
use analects_session::ours::Ours;
use analects_session::record::{By, Recorder, Saying, Start, ours};
use analects_session::stamp::Stamp;
use analects_text::problem::Problem;
use analects_world::AbsPath;
use analects_world::changes::ContentHash;
use serde_json::{Map, json};

use super::Recording;
use crate::verbs::{Failure, Flags};
use crate::{World, identity};

/// A conversation that was written by hand.
#[derive(Debug, Clone)]
pub struct Play {
    /// The name of the conversation.
    pub session: String,
    /// When it began, in milliseconds since 1970.
    pub began_ms: u64,
    /// What happens in it.
    pub acts: Vec<Act>,
}

/// One thing that happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// A person asked for something.
    Asked(String),
    /// The model said something.
    Said(String),
    /// The model ran a command.
    Ran {
        /// The command line.
        command: String,
        /// What it printed.
        output: String,
        /// Its exit code.
        code: i32,
    },
}

/// Where a play was recorded, and when it would have been over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enacted {
    /// The record.
    pub path: AbsPath,
    /// When the last thing happened, in milliseconds since 1970.
    pub ended_ms: u64,
}

/// Things happen this far apart.
const STEP_MS: u64 = 20_000;
/// Who would have answered.
const MODEL: &str = "gemini-3-pro";
/// The tool that runs commands.
const SHELL: &str = "run_shell_command";

/// Records a play as a session of `project`. It stands where every other session of that project does.
pub fn enact(world: &World<'_>, project: &AbsPath, play: &Play) -> Result<Enacted, Failure> {
    // Nobody has decided about the project, so nothing in it is asked.
    let flags = Flags::default();
    let claimed = identity::claim(world, &flags, project, None, Trust::Untrusted, "tour")?;
    let folder = claimed.memory.parent().unwrap_or_else(AbsPath::root);
    let stamp = |ms| Stamp::from_ms(ms).ok_or_else(|| Failure::failed("no session is so old"));
    let start = Start {
        session_id: &play.session,
        project_hash: &ContentHash::of(project.as_str().as_bytes()).to_string(),
        at: stamp(play.began_ms)?,
        by: By::Person,
    };
    let recording = Recording::start(world, &folder, start);
    let mut recording = recording.map_err(|error| Failure::failed(error.to_string()))?;
    recording.note(|_| ours(&Ours::new(project.as_str(), None)));
    let mut now_ms = play.began_ms;
    for (n, act) in play.acts.iter().enumerate() {
        now_ms = now_ms.saturating_add(STEP_MS);
        let at = stamp(now_ms)?;
        recording.note(|recorder| match act {
            Act::Asked(text) => recorder.say(MessageKind::User, saying(n, at, text)),
            Act::Said(text) => recorder.answer(MODEL, saying(n, at, text)),
            Act::Ran {
                command,
                output,
                code,
            } => ran(recorder, n, at, command, &told(output, *code)),
        });
    }
    recording.settle();
    match recording.take_problem() {
        Some(Problem { message, .. }) => Err(Failure::failed(message)),
        None => Ok(Enacted {
            path: recording.path().clone(),
            ended_ms: now_ms,
        }),
    }
}

fn saying(n: usize, at: Stamp, text: &str) -> Saying {
    Saying {
        id: format!("m{n}"),
        at,
        content: Content::Text(text.to_owned()),
    }
}

/// What a model is told of a command, as its tool tells it.
fn told(output: &str, code: i32) -> String {
    match code {
        0 => format!("Output: {output}"),
        code => format!("Output: {output}\nExit Code: {code}"),
    }
}

fn ran(
    recorder: &mut Recorder,
    n: usize,
    at: Stamp,
    command: &str,
    told: &str,
) -> analects_session::record::Lines {
    let id = format!("{SHELL}-{n}");
    let mut call = ToolCall::new(&id, SHELL, json!({ "command": command }), at);
    call.result = Some(json!([{
        "functionResponse": { "id": id, "name": SHELL, "response": { "output": told } }
    }]));
    call.status = Some(Status::Success);
    call.rest = Map::from_iter([("resultDisplay".to_owned(), told.into())]);
    recorder.use_tools(MODEL, &format!("m{n}"), at, vec![call])
}
