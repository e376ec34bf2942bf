//! Tools as the agents name them, and what they answer.

use serde_json::{Value, json};

/// Whose tools they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Gemini CLI's.
    Gemini,
    /// Claude Code's.
    Claude,
    /// Codex's: nearly everything is a command.
    Codex,
}

impl Dialect {
    /// The dialect of a seed: every second is Gemini's.
    pub(crate) fn of_seed(seed: u64) -> Self {
        match seed % 4 {
            1 => Self::Claude,
            3 => Self::Codex,
            _ => Self::Gemini,
        }
    }
}

/// A call and what came of it.
#[derive(Debug, Clone)]
pub(crate) struct ToolUse {
    /// The tool.
    pub(crate) name: &'static str,
    /// What it was asked.
    pub(crate) args: Value,
    /// What it answered.
    pub(crate) response: Value,
}

/// A command and what came of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ran<'a> {
    /// The command.
    pub(crate) command: &'a str,
    /// Why it is run.
    pub(crate) why: &'a str,
    /// What it printed.
    pub(crate) output: &'a str,
    /// How it ended.
    pub(crate) exit_code: u8,
}

/// A step of a plan.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    /// What is to be done.
    pub(crate) text: String,
    /// How far it is: `pending`, `in_progress` or `completed`.
    pub(crate) status: &'static str,
}

impl Dialect {
    /// Runs a command.
    pub(crate) fn shell(self, ran: Ran<'_>) -> ToolUse {
        let Ran {
            command,
            why,
            output,
            exit_code,
        } = ran;
        match self {
            Self::Gemini => {
                let exit = match exit_code {
                    0 => String::new(),
                    code => format!("\nExit Code: {code}"),
                };
                ToolUse {
                    name: "run_shell_command",
                    args: json!({ "command": command, "description": why }),
                    response: json!({ "output": format!("Output: {output}{exit}\nProcess Group PGID: 4711") }),
                }
            }
            Self::Claude => {
                let exit = match exit_code {
                    0 => String::new(),
                    code => format!("Exit code {code}\n"),
                };
                ToolUse {
                    name: "Bash",
                    args: json!({ "command": command, "description": why }),
                    response: json!({ "output": format!("{exit}{output}") }),
                }
            }
            Self::Codex => {
                let head = format!("Wall time: 0.4 seconds\nProcess exited with code {exit_code}");
                ToolUse {
                    name: "shell",
                    args: json!({ "command": ["bash", "-lc", command], "workdir": "." }),
                    response: json!({ "output": format!("{head}\nOutput:\n{output}") }),
                }
            }
        }
    }

    /// Reads a file.
    pub(crate) fn read(self, path: &str, text: &str) -> ToolUse {
        match self {
            Self::Gemini => ToolUse {
                name: "read_file",
                args: json!({ "file_path": path }),
                response: json!({ "output": text }),
            },
            Self::Claude => {
                let numbered = text.lines().zip(1..);
                let numbered = numbered.map(|(line, n)| format!("{n:>6}\t{line}"));
                ToolUse {
                    name: "Read",
                    args: json!({ "file_path": path }),
                    response: json!({ "output": numbered.collect::<Vec<_>>().join("\n") }),
                }
            }
            Self::Codex => self.shell(Ran {
                command: &format!("sed -n '1,260p' {path}"),
                why: "",
                output: text,
                exit_code: 0,
            }),
        }
    }

    /// Makes a file.
    pub(crate) fn write(self, path: &str, text: &str) -> ToolUse {
        match self {
            Self::Gemini => ToolUse {
                name: "write_file",
                args: json!({ "file_path": path, "content": text }),
                response: json!({ "output": format!("Successfully created and wrote to new file: {path}.") }),
            },
            Self::Claude => ToolUse {
                name: "Write",
                args: json!({ "file_path": path, "content": text }),
                response: json!({ "output": format!("File created successfully at: {path}") }),
            },
            Self::Codex => {
                let added: String = text.lines().map(|line| format!("+{line}\n")).collect();
                patch(&format!("*** Add File: {path}\n{added}"), "A", path)
            }
        }
    }

    /// Changes a file.
    pub(crate) fn edit(self, path: &str, change: (&str, &str), why: &str) -> ToolUse {
        let (old, new) = change;
        match self {
            Self::Gemini => ToolUse {
                name: "replace",
                args: json!({ "file_path": path, "instruction": why, "old_string": old, "new_string": new }),
                response: json!({ "output": format!("Successfully modified file: {path} (1 replacements).") }),
            },
            Self::Claude => ToolUse {
                name: "Edit",
                args: json!({ "file_path": path, "old_string": old, "new_string": new }),
                response: json!({ "output": format!("The file {path} has been updated.") }),
            },
            Self::Codex => patch(
                &format!("*** Update File: {path}\n@@\n-{old}\n+{new}\n"),
                "M",
                path,
            ),
        }
    }

    /// Searches for something.
    pub(crate) fn grep(self, pattern: &str, dir: &str, output: &str) -> ToolUse {
        let response = json!({ "output": output });
        match self {
            Self::Gemini => ToolUse {
                name: "search_file_content",
                args: json!({ "pattern": pattern, "dir_path": dir }),
                response,
            },
            Self::Claude => ToolUse {
                name: "Grep",
                args: json!({ "pattern": pattern, "path": dir, "output_mode": "content" }),
                response,
            },
            Self::Codex => self.shell(Ran {
                command: &format!("rg -n {pattern} {dir}"),
                why: "",
                output,
                exit_code: 0,
            }),
        }
    }

    /// Lists a directory.
    pub(crate) fn list(self, dir: &str, output: &str) -> ToolUse {
        let response = json!({ "output": output });
        match self {
            Self::Gemini => ToolUse {
                name: "list_directory",
                args: json!({ "dir_path": dir }),
                response,
            },
            Self::Claude => ToolUse {
                name: "LS",
                args: json!({ "path": dir }),
                response,
            },
            Self::Codex => self.shell(Ran {
                command: &format!("ls -la {dir}"),
                why: "",
                output,
                exit_code: 0,
            }),
        }
    }

    /// Notes the plan as it stands.
    pub(crate) fn plan(self, steps: &[Step]) -> ToolUse {
        let (name, list, text) = match self {
            Self::Gemini => ("write_todos", "todos", "description"),
            Self::Claude => ("TodoWrite", "todos", "content"),
            Self::Codex => ("update_plan", "plan", "step"),
        };
        let steps = steps
            .iter()
            .map(|step| json!({ text: step.text, "status": step.status }));
        ToolUse {
            name,
            args: json!({ list: steps.collect::<Vec<_>>() }),
            response: json!({ "output": "Plan updated" }),
        }
    }
}

fn patch(body: &str, mark: &str, path: &str) -> ToolUse {
    let done = format!("Success. Updated the following files:\n{mark} {path}");
    ToolUse {
        name: "apply_patch",
        args: json!({ "input": format!("*** Begin Patch\n{body}*** End Patch") }),
        response: json!({ "output": done }),
    }
}
