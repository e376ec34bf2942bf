//! What happens in a session: prompts, and what the model says and does about them.

use serde_json::{Value, json};

use super::mint::Mint;
use super::outputs;
use super::phrases::{Lang, phrase};
use super::step::dressed;

/// Some turns that belong together. A session is a row of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Episode {
    pub(super) turns: Vec<Turn>,
    /// What the person says about it at the start of the next prompt, whatever that is about.
    pub(super) carry: Option<String>,
    /// The record takes it back afterwards.
    pub(super) is_rewound: bool,
}

/// A prompt and what came of it.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    pub(super) prompt: String,
    /// A file that the prompt brought along (`@path`), and what it says.
    pub(super) brought: Option<(String, String)>,
    pub(super) replies: Vec<Reply>,
}

/// What a model does.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    Say(String),
    Call(Call),
}

/// A tool that was used.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) tool: String,
    pub(super) args: Value,
    pub(super) output: String,
    pub(super) end: End,
}

/// How a tool ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Well,
    /// A command with this exit code.
    Exit(i32),
    /// The tool itself says that it failed.
    Failed,
    /// Somebody stopped it.
    Cancelled,
}

/// Where an episode takes place.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    pub(super) mint: &'a mut Mint,
    pub(super) lang: Lang,
    pub(super) root: &'a str,
    /// What everybody runs in a project of this kind: build, test, lint.
    pub(super) generic: &'a [&'static str],
}

impl Episode {
    pub(super) fn ask(&mut self, prompt: impl Into<String>) -> &mut Turn {
        self.turns.push(Turn {
            prompt: prompt.into(),
            brought: None,
            replies: Vec::new(),
        });
        self.turns.last_mut().unwrap()
    }

    /// The last turn; there is one.
    pub(super) fn turn(&mut self) -> &mut Turn {
        self.turns.last_mut().unwrap()
    }

    /// What a person says about it in the end: now, or at the start of the next prompt.
    pub(super) fn close(&mut self, scene: &mut Scene<'_>, occasion: &str) {
        let said = scene.phrase(occasion, &[]);
        if scene.mint.chance(35) {
            self.carry = Some(said);
        } else {
            let reply = scene.mint.pick(match scene.lang {
                Lang::En => &["Glad to hear it.", "Understood.", "OK.", "Noted."][..],
                Lang::Zh => &["好的。", "明白。", "收到。", "嗯。"][..],
            });
            self.ask(said).say(reply);
        }
    }
}

impl Turn {
    pub(super) fn say(&mut self, text: impl Into<String>) -> &mut Self {
        self.replies.push(Reply::Say(text.into()));
        self
    }

    pub(super) fn call(&mut self, call: Call) -> &mut Self {
        self.replies.push(Reply::Call(call));
        self
    }
}

impl Scene<'_> {
    pub(super) fn phrase(&mut self, occasion: &str, blanks: &[(&str, &str)]) -> String {
        phrase(self.mint, occasion, self.lang, blanks)
    }

    /// A phrase about files and modules of this project.
    pub(super) fn small_talk(&mut self, occasion: &str) -> String {
        let (f, g, m) = (self.mint.file(), self.mint.file(), self.mint.module());
        let (b, c) = (self.mint.branch(), self.mint.branch());
        let blanks = [("f", &*f), ("g", &*g), ("m", &*m), ("b", &*b), ("c", &*c)];
        self.phrase(occasion, &blanks)
    }

    /// A command that is run, in some dress.
    pub(super) fn shell(&mut self, command: &str, output: impl Into<String>, end: End) -> Call {
        let command = dressed(self.mint, self.root, command, end == End::Well);
        self.plain_shell(&command, output, end)
    }

    /// A command that is run just so.
    fn plain_shell(&mut self, command: &str, output: impl Into<String>, end: End) -> Call {
        let mut args = json!({ "command": command });
        if self.mint.chance(10) {
            args["dir_path"] = json!(self.root);
        }
        if self.mint.chance(40) {
            args["description"] = json!(self.phrase("plan", &[]));
        }
        Call {
            tool: "run_shell_command".to_owned(),
            args,
            output: output.into(),
            end,
        }
    }

    /// A command that ends well.
    pub(super) fn shell_well(&mut self, command: &str) -> Call {
        let output = outputs::well(self.mint);
        self.shell(command, output, End::Well)
    }

    /// A command that ends badly, in one of the ways in which commands do.
    pub(super) fn shell_badly(&mut self, command: &str, output: impl Into<String>) -> Call {
        let end = match self.mint.below(10) {
            0 => End::Failed,
            1 => End::Exit(2),
            2 => End::Exit(101),
            3 => End::Exit(127),
            _ => End::Exit(1),
        };
        self.shell(command, output, end)
    }

    /// What everybody runs: build, test, lint; it ends well.
    pub(super) fn generic_check(&mut self) -> Call {
        let checks = self.generic.get(1..).unwrap_or_default();
        let command = self.mint.pick(checks);
        let output = outputs::passed(self.mint);
        self.shell(command, output, End::Well)
    }

    /// Some looking around, between two steps or before a first one.
    pub(super) fn look_around(&mut self, turn: &mut Turn, at_most: usize) {
        for _ in 0..self.mint.below(at_most + 1) {
            if self.mint.chance(30) {
                let text = self.phrase("plan", &[]);
                turn.say(text);
            }
            let call = self.look();
            turn.call(call);
        }
    }

    fn look(&mut self) -> Call {
        let file = self.mint.file();
        let path = format!("{}/{file}", self.root);
        let output = outputs::code(self.mint);
        let tool = |tool: &str, args: Value| Call {
            tool: tool.to_owned(),
            args,
            output: output.clone(),
            end: End::Well,
        };
        match self.mint.below(10) {
            0 => tool("read_file", json!({ "file_path": path })),
            1 => tool("list_directory", json!({ "dir_path": self.root })),
            2 => tool("glob", json!({ "pattern": "**/*.toml" })),
            3 => {
                let module = self.mint.module();
                tool("grep_search", json!({ "pattern": module, "dir_path": "." }))
            }
            4 => self.plain_shell("git status", outputs::git_status(&file), End::Well),
            5 => self.plain_shell("ls -la", output, End::Well),
            6 => self.plain_shell(&format!("cat {file}"), output, End::Well),
            7 => self.plain_shell(&format!("git diff {file}"), output, End::Well),
            8 => self.plain_shell("git log --oneline -5", output, End::Well),
            _ => {
                let module = self.mint.module();
                self.plain_shell(&format!("rg -n {module} src"), output, End::Well)
            }
        }
    }

    /// A change to a file.
    pub(super) fn edit(&mut self, file: &str) -> Call {
        let path = format!("{}/{file}", self.root);
        let (old, new) = (outputs::line(self.mint), outputs::line(self.mint));
        let (tool, args) = if self.mint.chance(75) {
            let args = json!({ "file_path": path, "old_string": old, "new_string": new,
                "instruction": self.phrase("plan", &[]) });
            ("replace", args)
        } else {
            let content = outputs::code(self.mint);
            let args = json!({ "file_path": path, "content": content });
            ("write_file", args)
        };
        Call {
            tool: tool.to_owned(),
            args,
            output: format!("Successfully modified file: {path} (1 replacements)."),
            end: End::Well,
        }
    }
}
