//! A session as Gemini CLI records it, with the noise of its real files.

use serde_json::{Map, Value, json};

use super::episode::{Call, End, Episode, Reply, Turn};
use super::moment::iso;
use super::random::Random;

/// Which of the many ways of writing a record this one uses.
#[derive(Debug, Clone)]
pub(super) struct Style {
    /// One pretty object instead of lines, as before April 2026.
    pub(super) is_legacy: bool,
    /// What tools answered stands in messages of the user, too.
    answers_as_user: bool,
    /// A message is written again whenever something is added to it.
    is_repeated: bool,
    has_thoughts: bool,
    has_times: bool,
    has_bootstrap: bool,
    /// The last line was not finished.
    pub(super) is_torn: bool,
    /// So was one in the middle, and the next one followed it.
    has_scar: bool,
    /// The program itself said something in between.
    has_notes: bool,
    /// All messages once more in one line, as compression leaves them.
    has_checkpoint: bool,
    has_summary: bool,
    shell: Shell,
}

/// How what a command printed is told to the model.
#[derive(Debug, Clone, Copy)]
enum Shell {
    Sections,
    Short,
    Tagged,
    Bare,
}

impl Style {
    pub(super) fn any(random: &mut Random) -> Self {
        let is_legacy = random.chance(15);
        Self {
            is_legacy,
            answers_as_user: !is_legacy && random.chance(50),
            is_repeated: random.chance(60),
            has_thoughts: random.chance(50),
            has_times: random.chance(85),
            has_bootstrap: random.chance(50),
            is_torn: !is_legacy && random.chance(15),
            has_scar: !is_legacy && random.chance(10),
            has_notes: random.chance(30),
            has_checkpoint: !is_legacy && random.chance(8),
            has_summary: random.chance(40),
            shell: [Shell::Sections, Shell::Short, Shell::Tagged, Shell::Bare][random.below(4)],
        }
    }
}

/// Who a session is.
#[derive(Debug, Clone)]
pub(super) struct Head<'a> {
    pub(super) id: &'a str,
    pub(super) project_hash: &'a str,
    pub(super) kind: &'static str,
    pub(super) start_ms: u64,
    pub(super) updated_ms: u64,
}

/// The bytes of a session.
pub(super) fn write(
    random: &mut Random,
    head: &Head<'_>,
    style: &Style,
    episodes: &[Episode],
) -> Vec<u8> {
    let mut tape = Tape {
        random,
        style,
        head,
        now_ms: head.start_ms,
        lines: Vec::new(),
        messages: Vec::new(),
    };
    tape.begin();
    let mut carried: Option<String> = None;
    for episode in episodes {
        let first = tape.messages.len();
        if episode.is_rewound {
            for turn in &episode.turns {
                tape.turn(turn, None);
            }
            tape.rewind(first);
            continue;
        }
        for turn in &episode.turns {
            tape.turn(turn, carried.take());
        }
        carried.clone_from(&episode.carry);
    }
    if let Some(said) = carried {
        let turn = Turn {
            prompt: said,
            brought: None,
            replies: vec![Reply::Say("👍".to_owned())],
        };
        tape.turn(&turn, None);
    }
    tape.end()
}

struct Tape<'a> {
    random: &'a mut Random,
    style: &'a Style,
    head: &'a Head<'a>,
    now_ms: u64,
    lines: Vec<Value>,
    /// What the lines amount to.
    messages: Vec<Value>,
}

impl Tape<'_> {
    fn begin(&mut self) {
        let head = self.head;
        self.lines.push(json!({ "sessionId": head.id, "projectHash": head.project_hash,
            "startTime": iso(head.start_ms), "lastUpdated": iso(head.start_ms), "kind": head.kind }));
        if self.style.has_bootstrap {
            let text = "<session_context>\nThis is the Gemini CLI. The date is told by the clock.\n\
                My operating system is: linux\n- First run the tests, then read the files.\n</session_context>";
            self.user(json!([{ "text": text }]));
        }
    }

    fn turn(&mut self, turn: &Turn, carried: Option<String>) {
        if self.style.has_notes && self.random.chance(10) {
            let kind = self.random.pick(&["info", "warning", "error"]);
            let mut note = self.message(kind);
            let said = self.random.pick(&[
                "Request cancelled.",
                "No, use /help instead of /h. First read the docs, then try again.",
                "Update available.",
            ]);
            note.insert("content".to_owned(), json!(said));
            self.put(Value::Object(note), true);
        }
        let prompt = match carried {
            Some(said) => format!(
                "{said}{} {}",
                self.random.pick(&[".", "!", ",", "。", "\n"]),
                turn.prompt
            ),
            None => turn.prompt.clone(),
        };
        let mut parts = vec![json!({ "text": prompt })];
        if let Some((path, content)) = &turn.brought {
            for text in [
                "\n--- Content from referenced files ---",
                &format!("\nContent from @{path}:\n"),
                content,
                "\n--- End of content ---",
            ] {
                parts.push(json!({ "text": text }));
            }
        }
        self.user(Value::Array(parts));
        let mut open: Option<Value> = None;
        for reply in &turn.replies {
            match reply {
                Reply::Say(text) => {
                    open = Some(self.gemini(text));
                }
                Reply::Call(call) => {
                    // A model often says something and calls a tool in one message, and often several tools.
                    let message = match open.take() {
                        Some(message) if self.random.chance(70) => message,
                        _ => self.gemini(""),
                    };
                    open = self.call(message, call);
                }
            }
        }
    }

    fn user(&mut self, content: Value) {
        let mut message = self.message("user");
        message.insert("content".to_owned(), content);
        self.put(Value::Object(message), true);
    }

    fn gemini(&mut self, text: &str) -> Value {
        let mut message = self.message("gemini");
        message.insert("content".to_owned(), json!(text));
        let thoughts = if self.style.has_thoughts && self.random.chance(40) {
            json!([{ "subject": "Considering the request", "description": "I should first look, then run it.",
                "timestamp": iso(self.now_ms) }])
        } else {
            json!([])
        };
        message.insert("thoughts".to_owned(), thoughts);
        message.insert("tokens".to_owned(), Value::Null);
        message.insert("model".to_owned(), json!("gemini-3-pro"));
        let message = Value::Object(message);
        self.put(message.clone(), true);
        if self.style.is_repeated && self.random.chance(50) {
            let mut again = message.clone();
            let (input, output) = (
                self.random.between(900, 90_000),
                self.random.between(5, 900),
            );
            again["tokens"] = json!({ "input": input, "output": output, "cached": 0, "thoughts": 0,
                "tool": 0, "total": input + output });
            self.put(again.clone(), false);
            return again;
        }
        message
    }

    /// The message with the call in it, if more may be added to it.
    fn call(&mut self, mut message: Value, call: &Call) -> Option<Value> {
        self.now_ms += u64::try_from(self.random.between(200, 40_000)).unwrap();
        let id = format!("{}-{}", call.tool, self.random.fill("{d13}-{h8}"));
        let (response, status) = self.response(call);
        let answer =
            json!([{ "functionResponse": { "id": id, "name": call.tool, "response": response } }]);
        let is_text = matches!(self.style.shell, Shell::Bare) && self.random.chance(30);
        let result = match (is_text, response.get("output")) {
            (true, Some(text)) => text.clone(),
            _ => answer.clone(),
        };
        let mut done = json!({ "id": id, "name": call.tool, "args": call.args, "result": result, "status": status });
        if self.style.has_times {
            done["timestamp"] = json!(iso(self.now_ms));
        }
        let shown = if call.tool == "run_shell_command" {
            "Shell"
        } else {
            &call.tool
        };
        done["displayName"] = json!(shown);
        done["description"] = json!(shown);
        done["resultDisplay"] = json!(call.output.lines().next().unwrap_or_default());
        done["renderOutputAsMarkdown"] = json!(false);
        if message.get("toolCalls").is_none() {
            message["toolCalls"] = json!([]);
        }
        if self.style.is_repeated && self.random.chance(30) {
            let mut begun = message.clone();
            let mut early = done.clone();
            early["status"] = json!("executing");
            early["result"] = Value::Null;
            begun["toolCalls"].as_array_mut().unwrap().push(early);
            self.put(begun, false);
        }
        message["toolCalls"].as_array_mut().unwrap().push(done);
        self.put(message.clone(), false);
        if self.style.answers_as_user {
            self.user(answer);
            return None;
        }
        Some(message)
    }

    fn response(&mut self, call: &Call) -> (Value, &'static str) {
        let output = &call.output;
        match call.end {
            End::Cancelled => {
                let error = "[Operation Cancelled] Reason: User denied execution.";
                (json!({ "error": error }), "cancelled")
            }
            End::Failed => (json!({ "error": output }), "error"),
            End::Well if call.tool != "run_shell_command" => {
                (json!({ "output": output }), "success")
            }
            End::Well => (json!({ "output": self.told(call, 0) }), "success"),
            End::Exit(code) => (json!({ "output": self.told(call, code) }), "success"),
        }
    }

    fn told(&mut self, call: &Call, code: i32) -> String {
        let output = match &*call.output {
            "" => "(empty)",
            output => output,
        };
        let group = self.random.between(1_000, 99_999);
        let ended = if code == 0 {
            String::new()
        } else {
            format!("\nExit Code: {code}")
        };
        match self.style.shell {
            Shell::Sections => {
                let command = call.args["command"].as_str().unwrap_or_default();
                format!(
                    "Command: {command}\nDirectory: (root)\nOutput: {output}\nError: (none)\n\
                    Exit Code: {code}\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: {group}"
                )
            }
            Shell::Short => format!("Output: {output}{ended}\nProcess Group PGID: {group}"),
            Shell::Tagged => {
                format!("<untrusted_context>\nOutput: {output}\n</untrusted_context>{ended}")
            }
            Shell::Bare if code == 0 => output.to_owned(),
            Shell::Bare => {
                format!("Output: {output}\nError: Command exited with code {code}{ended}")
            }
        }
    }

    fn message(&mut self, kind: &str) -> Map<String, Value> {
        self.now_ms += u64::try_from(self.random.between(900, 90_000)).unwrap();
        let mut message = Map::new();
        message.insert("id".to_owned(), json!(self.random.fill("{uuid}")));
        if self.style.has_times {
            message.insert("timestamp".to_owned(), json!(iso(self.now_ms)));
        }
        message.insert("type".to_owned(), json!(kind));
        message
    }

    /// Writes a message, or writes it again.
    fn put(&mut self, message: Value, is_new: bool) {
        if is_new {
            self.messages.push(message.clone());
        } else if let Some(known) = self.of_id(&message) {
            known.clone_from(&message);
        }
        self.lines.push(message);
        if is_new {
            self.lines
                .push(json!({ "$set": { "lastUpdated": iso(self.now_ms) } }));
        }
    }

    fn of_id(&mut self, message: &Value) -> Option<&mut Value> {
        let mut latest = self.messages.iter_mut().rev();
        latest.find(|it| it["id"] == message["id"])
    }

    fn rewind(&mut self, first: usize) {
        if let Some(message) = self.messages.get(first) {
            self.lines.push(json!({ "$rewindTo": message["id"] }));
        }
        self.messages.truncate(first);
    }

    fn end(mut self) -> Vec<u8> {
        let updated = iso(self.head.updated_ms);
        if self.style.is_legacy {
            return self.legacy(&updated);
        }
        if self.style.has_checkpoint {
            self.lines
                .push(json!({ "$set": { "messages": self.messages } }));
        }
        let mut set = json!({ "lastUpdated": updated });
        if self.style.has_summary {
            set["summary"] = json!("Work on the project, and some questions about it");
        }
        self.lines.push(json!({ "$set": set }));
        let mut bytes = Vec::new();
        let scar = self
            .style
            .has_scar
            .then(|| self.random.below(self.lines.len()));
        for (idx, line) in self.lines.iter().enumerate() {
            if scar == Some(idx) {
                bytes.extend_from_slice(
                    br#"{"id":"lost","type":"gemini","content":"I was going to"#,
                );
                bytes.push(b'\n');
            }
            serde_json::to_writer(&mut bytes, line).unwrap();
            bytes.push(b'\n');
        }
        if self.style.is_torn {
            let mut message = self.message("gemini");
            message.insert(
                "content".to_owned(),
                json!("The last thing that was said 最后一句话"),
            );
            let whole = serde_json::to_vec(&message).unwrap();
            // Somewhere, also in the middle of a character.
            let cut = self.random.between(1, whole.len() - 1);
            bytes.extend_from_slice(whole.get(..cut).unwrap_or_default());
        }
        bytes
    }

    fn legacy(&self, updated: &str) -> Vec<u8> {
        let head = self.head;
        let mut whole = json!({ "sessionId": head.id, "projectHash": head.project_hash,
            "startTime": iso(head.start_ms), "lastUpdated": updated, "messages": self.messages,
            "kind": head.kind });
        if self.style.has_summary {
            whole["summary"] = json!("Work on the project, and some questions about it");
        }
        serde_json::to_vec_pretty(&whole).unwrap()
    }
}
