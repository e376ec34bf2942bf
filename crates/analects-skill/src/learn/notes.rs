//! What one session has to teach: the commands that were run, how they ended, and what the person said in between.
//!
//! A transcript is read once and let go; what stays is small, and holds no secret.

use analects_session::transcript::{Outcome, Role, ToolUse, Transcript, Turn, is_shell};
use analects_text::redact;
use analects_text::truncate::head_bytes;

use super::copies::{self, Print};
use super::fetched::Fetched;
use super::step::{self, Step};
use super::trace::{self, Source};
use super::withheld;
use crate::eligible::safe_id;
use crate::origin::{Origin, of_tool};

/// What one session has to teach.
#[derive(Debug, Clone)]
pub struct Notes {
    /// The session, by a name that is safe to write down.
    pub(super) session: String,
    /// When something was last said in it.
    pub(super) updated_ms: u64,
    /// What was done, in order.
    pub(super) deeds: Vec<Deed>,
    /// What the person said.
    pub(super) prompts: Vec<Prompt>,
    /// Fingerprints of what was taken out of commands.
    pub(super) withheld: Vec<u64>,
}

/// Something that was done.
#[derive(Debug, Clone)]
pub(super) struct Deed {
    /// How many prompts came before.
    pub(super) n_prompts: usize,
    /// The number of the tool's call in the session.
    pub(super) call: usize,
    /// The message of the model that did it.
    pub(super) message: String,
    /// Which message it was done in, wherever that stands.
    pub(super) print: Option<Print>,
    /// What was done.
    pub(super) what: What,
    /// How it ended.
    pub(super) ended: Ended,
    /// The lines that may tell why it failed.
    pub(super) errors: Vec<String>,
    /// Who said before that it should be done.
    pub(super) source: Source,
    /// Whether it does what no skill should hold.
    pub(super) is_reckless: bool,
}

/// What was done.
#[derive(Debug, Clone)]
pub(super) enum What {
    /// A command was run.
    Ran(Step),
    /// A file was changed.
    Edited(String),
}

impl Deed {
    /// The command, if it was one.
    pub(super) fn step(&self) -> Option<&Step> {
        match &self.what {
            What::Ran(step) => Some(step),
            What::Edited(_) => None,
        }
    }
}

/// How something ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// Well.
    Fine,
    /// Badly.
    Failed,
    /// Nobody knows.
    Unknown,
}

/// Something the person said.
#[derive(Debug, Clone)]
pub(super) struct Prompt {
    /// The message.
    pub(super) message: String,
    /// Which message it is, wherever that stands.
    pub(super) print: Option<Print>,
    /// The beginning of it.
    pub(super) text: String,
    /// How many deeds came before.
    pub(super) n_deeds: usize,
    /// Whether something had to be taken out of it.
    pub(super) held_secret: bool,
}

/// How much of a prompt is looked at.
const MAX_PROMPT_BYTES: usize = 4 * 1024;
/// How much of a command.
const MAX_COMMAND_BYTES: usize = 4 * 1024;
/// How many deeds of a session are kept; the last ones, as they tell how it ended.
const MAX_DEEDS: usize = 600;
/// How many prompts.
const MAX_PROMPTS: usize = 600;
/// How much of either end of an output tells how it ended.
const END_BYTES: usize = 2 * 1024;
/// A line of an error is cut here.
const MAX_ERROR_BYTES: usize = 240;

impl Notes {
    /// Takes notes of a session. `root` is where the project lies; `updated_ms` counts where the record tells no time.
    #[must_use]
    pub fn take(transcript: &Transcript, root: Option<&str>, updated_ms: u64) -> Self {
        let mut notes = Self {
            session: safe_id(&transcript.head.id),
            updated_ms,
            deeds: Vec::new(),
            prompts: Vec::new(),
            withheld: Vec::new(),
        };
        let mut n_calls = 0;
        let mut fetched = Fetched::default();
        for turn in &transcript.turns {
            match turn.role {
                Role::User => notes.hear(turn),
                Role::Model => {
                    for tool in &turn.tools {
                        let n_before = notes.deeds.len();
                        notes.see(turn, tool, root, n_calls);
                        if is_shell(&tool.name) && fetched.is_run_by(&tool.input) {
                            let made = notes.deeds.iter_mut().skip(n_before);
                            made.for_each(|deed| deed.is_reckless = true);
                        }
                        n_calls += 1;
                    }
                }
                Role::Program => {}
            }
        }
        notes.forget_beginning();
        trace::trace(&mut notes, transcript);
        notes
    }

    /// Calls the session by the name that others know it by.
    pub fn rename(&mut self, session: &str) {
        self.session = safe_id(session);
    }

    fn hear(&mut self, turn: &Turn) {
        let own = head_bytes(turn.text.trim(), MAX_PROMPT_BYTES);
        if own.is_empty() || own.starts_with(['/', '?']) {
            return;
        }
        let (text, held_secret) = without_secrets(own);
        self.prompts.push(Prompt {
            message: safe_id(&turn.id),
            print: copies::print(turn, own),
            text,
            n_deeds: self.deeds.len(),
            held_secret,
        });
    }

    fn see(&mut self, turn: &Turn, tool: &ToolUse, root: Option<&str>, call: usize) {
        let ended = ended(tool);
        let deed = |what, ended, errors| Deed {
            n_prompts: self.prompts.len(),
            call,
            message: safe_id(&turn.id),
            print: copies::print(turn, &tool.input),
            what,
            ended,
            errors,
            source: Source::Own,
            is_reckless: false,
        };
        if is_shell(&tool.name) {
            let line = head_bytes(&tool.input, MAX_COMMAND_BYTES);
            let withheld = withheld::values(line);
            let (line, _) = without_secrets(line);
            let taken = step::steps(&line, root);
            let n = taken.steps.len();
            // What a stranger may have written is not told as what a command says.
            let errors = match (ended, stranger(tool)) {
                (Ended::Failed, None) => error_lines(&tool.output),
                _ => Vec::new(),
            };
            let mut made = Vec::new();
            for (at, step) in taken.steps.into_iter().enumerate() {
                // Which command of a line failed is not on record; the last one is the best guess.
                let is_last = at + 1 == n;
                let ended = match ended {
                    Ended::Failed if !is_last => Ended::Unknown,
                    ended => ended,
                };
                let errors = if is_last { errors.clone() } else { Vec::new() };
                let mut deed = deed(What::Ran(step), ended, errors);
                deed.is_reckless = taken.is_reckless;
                made.push(deed);
            }
            self.deeds.extend(made);
            self.withheld.extend(withheld);
        } else if is_edit(&tool.name) {
            let mut made = Vec::new();
            for path in tool.paths.iter().take(4) {
                let (path, _) = without_secrets(head_bytes(relative(path, root), 240));
                made.push(deed(What::Edited(path), ended, Vec::new()));
            }
            self.deeds.extend(made);
        }
    }

    fn forget_beginning(&mut self) {
        let n_gone = self.deeds.len().saturating_sub(MAX_DEEDS);
        let n_quiet = self.prompts.len().saturating_sub(MAX_PROMPTS);
        self.forget(n_gone, n_quiet);
    }

    /// Forgets the first deeds and the first prompts.
    pub(super) fn forget(&mut self, n_gone: usize, n_quiet: usize) {
        self.deeds.drain(..n_gone.min(self.deeds.len()));
        self.prompts.drain(..n_quiet.min(self.prompts.len()));
        for prompt in &mut self.prompts {
            prompt.n_deeds = prompt.n_deeds.saturating_sub(n_gone);
        }
        for deed in &mut self.deeds {
            deed.n_prompts = deed.n_prompts.saturating_sub(n_quiet);
        }
    }

    /// The prompt under which a deed was done.
    pub(super) fn prompt_of(&self, deed: &Deed) -> Option<&Prompt> {
        self.prompts.get(deed.n_prompts.checked_sub(1)?)
    }
}

fn relative<'a>(path: &'a str, root: Option<&str>) -> &'a str {
    let inside = root
        .and_then(|root| path.strip_prefix(root))
        .and_then(|path| path.strip_prefix('/'));
    inside.unwrap_or(path)
}

/// A text with what must not be stored taken out, and whether there was any of it.
pub(super) fn without_secrets(text: &str) -> (String, bool) {
    let found = redact::scan(text);
    let mut masked = String::with_capacity(text.len());
    let mut copied = 0;
    for finding in &found {
        let Some(before) = text.get(copied..finding.range.start) else {
            continue;
        };
        masked.push_str(before);
        masked.push_str("[REDACTED]");
        copied = finding.range.end;
    }
    masked.push_str(text.get(copied..).unwrap_or_default());
    (masked, !found.is_empty())
}

fn is_edit(name: &str) -> bool {
    matches!(
        name,
        "write_file"
            | "replace"
            | "edit"
            | "Write"
            | "Edit"
            | "MultiEdit"
            | "NotebookEdit"
            | "apply_patch"
    )
}

/// How a tool really ended: agents call a command that failed a success of the tool that ran it.
fn ended(tool: &ToolUse) -> Ended {
    if tool.outcome == Outcome::Failed {
        return Ended::Failed;
    }
    let output = tool.output.as_str();
    let head = head_bytes(output, END_BYTES);
    let tail_start = output.ceil_char_boundary(output.len().saturating_sub(END_BYTES));
    let tail = output.get(tail_start..).unwrap_or_default();
    let mut said = None;
    for line in head.lines().chain(tail.lines()) {
        said = exit(line).or(said);
    }
    match (said, tool.outcome) {
        (Some(ended), _) => ended,
        (None, Outcome::Succeeded) => Ended::Fine,
        (None, Outcome::Failed | Outcome::Unknown) => Ended::Unknown,
    }
}

/// What a line says about how a command ended, if it is one that agents write.
fn exit(line: &str) -> Option<Ended> {
    let line = line.trim().trim_start_matches(['(', '[', '<']);
    let lower = head_bytes(line, 120).to_ascii_lowercase();
    let starts = [
        "exit code:",
        "exit code",
        "exit_code:",
        "exitcode:",
        "exit status:",
        "exit status",
        "process exited with code",
        "command exited with code",
        "command failed with exit code",
        "command exited with exit code",
        "exited with code",
        "process exited with status",
        "command exited with",
        "returned exit code",
        "return code:",
    ];
    if lower.starts_with("signal:") && !lower.contains("none") {
        return Some(Ended::Failed);
    }
    if lower.starts_with("error:") && lower.contains("ended after") {
        return Some(Ended::Failed);
    }
    let rest = starts.iter().find_map(|start| lower.strip_prefix(start))?;
    let number: String = rest
        .trim_start_matches([' ', ':', '=', '>'])
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '-')
        .collect();
    match number.parse::<i64>().ok()? {
        0 => Some(Ended::Fine),
        _ => Some(Ended::Failed),
    }
}

const ERRORS: &[&str] = &[
    "error",
    "fail",
    "fatal",
    "panic",
    "exception",
    "cannot",
    "can't",
    "not found",
    "denied",
    "refused",
    "missing",
    "unable",
    "invalid",
    "undefined",
    "unexpected",
    "timed out",
    "no such",
    "out of date",
    "outdated",
    "stale",
    "expired",
    "mismatch",
    "✗",
    "✘",
    "❌",
    "错误",
    "失败",
    "无法",
    "找不到",
    "未找到",
    "过期",
    "缺少",
    "不存在",
];

/// What agents say about a command, beside what it printed.
const FRAMES: &[&str] = &[
    "process group",
    "background pids",
    "signal:",
    "command:",
    "directory:",
    "error: (none)",
    "error: command exited",
    "exited after",
    "</",
    "<untrusted",
];

/// What logs are full of, whatever happens.
const CHATTER: &[&str] = &[" info ", " debug ", " trace ", "[info]", "[debug]"];

/// Whether a line may tell why something failed. What to do about it is not why.
pub(super) fn sounds_like_an_error(line: &str) -> bool {
    let lower = line.to_lowercase();
    let is_advice = lower.starts_with("hint") || lower.starts_with("help");
    !is_advice && ERRORS.iter().any(|word| lower.contains(word))
}

/// How many lines may say why something failed.
const MAX_ERRORS: usize = 8;

/// The lines of an output that may tell why something failed, the likeliest first.
fn error_lines(output: &str) -> Vec<String> {
    let head = head_bytes(output, 16 * 1024);
    let tail_start = output
        .ceil_char_boundary(output.len().saturating_sub(16 * 1024))
        .max(head.len());
    let tail = output.get(tail_start..).unwrap_or_default();
    let is_said = |line: &&str| {
        let lower = line.to_lowercase();
        let is_chatter = CHATTER.iter().any(|sign| lower.contains(sign));
        !line.is_empty()
            && !is_chatter
            && exit(line).is_none()
            && !FRAMES.iter().any(|frame| lower.starts_with(frame))
    };
    let trim = |line: &'_ str| -> String {
        let line = line.trim().strip_prefix("Output:").unwrap_or(line).trim();
        head_bytes(line, MAX_ERROR_BYTES).to_owned()
    };
    let lines = head
        .lines()
        .chain(tail.lines())
        .map(str::trim)
        .filter(is_said);
    let all: Vec<String> = lines.map(trim).collect();
    let is_error = |line: &&String| sounds_like_an_error(line);
    let (likely, other): (Vec<_>, Vec<_>) = all.iter().partition(is_error);
    let mut found = Vec::new();
    for line in likely
        .into_iter()
        .chain(other.into_iter().rev())
        .take(MAX_ERRORS)
    {
        let (line, held_secret) = without_secrets(line);
        if !held_secret && !found.contains(&line) {
            found.push(line);
        }
    }
    found
}

/// Whether the answer of a tool may have been written by a stranger.
pub(super) fn stranger(tool: &ToolUse) -> Option<Origin> {
    let origin = of_tool(&tool.name, &tool.input);
    origin.is_tainted().then_some(origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(output: &str, outcome: Outcome) -> ToolUse {
        ToolUse {
            name: "run_shell_command".to_owned(),
            input: String::new(),
            output: output.to_owned(),
            outcome,
            paths: Vec::new(),
        }
    }

    #[test]
    fn a_command_that_failed_is_known_by_what_agents_say_of_it() {
        for output in [
            "Output: x\nExit Code: 2",
            "Command exited with code 1",
            "Exit code 127\nfoo: command not found",
            "<untrusted_context>\nOutput: no\n</untrusted_context>\nExit Code: 1",
            "Signal: 9 (SIGKILL)",
        ] {
            assert_eq!(
                ended(&tool(output, Outcome::Succeeded)),
                Ended::Failed,
                "{output}"
            );
        }
        for output in [
            "Output: ok\nExit Code: 0",
            "ok",
            "the exit code is checked below",
        ] {
            assert_eq!(
                ended(&tool(output, Outcome::Succeeded)),
                Ended::Fine,
                "{output}"
            );
        }
        assert_eq!(ended(&tool("", Outcome::Unknown)), Ended::Unknown);
        assert_eq!(ended(&tool("ok", Outcome::Failed)), Ended::Failed);
    }

    #[test]
    fn the_line_of_an_error_is_found_and_harmless() {
        let output = "compiling\nerror[E0]: no such table `users`\nExit Code: 1";
        let lines = error_lines(output);
        assert_eq!(lines, ["error[E0]: no such table `users`", "compiling"]);
        assert_eq!(error_lines("Exit Code: 1"), Vec::<String>::new());
    }
}
