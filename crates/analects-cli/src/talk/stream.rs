//! One JSON object per line, as things happen: the events of Gemini CLI's `stream-json`.
//!
//! A model's words are told when they are whole: pieces that came before a connection broke would have to be taken
//! back, and no event says so.

use std::collections::BTreeMap;
use std::io::{self, Write};

use analects_engine::talk::stats::{ContextStats, CostStats, FilesStats, MemoryStats, TokenStats};
use analects_engine::talk::{Stats, Tell};
use analects_text::problem::{Problem, Severity};
use analects_world::Clock;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::once::Once;
use super::over::{Over, Trouble};
use super::voice::Form;

/// Writes events as they come.
pub(super) struct Stream<'a> {
    out: Box<dyn Write + 'a>,
    prompt: Option<&'a str>,
    clock: &'a dyn Clock,
    began_ms: u64,
    known: Once,
}

/// A line.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: String,
    #[serde(flatten)]
    event: Event<'a>,
}

/// What happened. The names of the fields are Gemini CLI's.
#[derive(Serialize)]
#[serde(untagged)]
enum Event<'a> {
    /// The session begins.
    Init { session_id: &'a str, model: &'a str },
    /// Somebody has said something: the user or the model.
    Message {
        role: &'static str,
        content: &'a str,
    },
    /// A tool is about to be used.
    ToolUse {
        tool_name: &'a str,
        tool_id: &'a str,
        parameters: &'a Value,
    },
    /// It was used, or refused.
    ToolResult {
        tool_id: &'a str,
        status: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        output: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<ToolError<'a>>,
    },
    /// Something went wrong; it goes on all the same.
    Error {
        severity: &'static str,
        message: String,
    },
    /// It is over; always the last one.
    Result {
        status: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<&'a Trouble>,
        #[serde(skip_serializing_if = "Option::is_none")]
        stats: Option<StreamStats<'a>>,
    },
}

#[derive(Serialize)]
struct ToolError<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    message: &'a str,
}

/// The stats in the words of Gemini CLI's events, and ours beside them.
#[derive(Serialize)]
struct StreamStats<'a> {
    #[serde(flatten)]
    tokens: StreamTokens,
    duration_ms: u64,
    tool_calls: u64,
    models: BTreeMap<&'a str, StreamTokens>,
    files: &'a FilesStats,
    memory: &'a MemoryStats,
    context: &'a ContextStats,
    cost: &'a BTreeMap<String, CostStats>,
}

#[derive(Serialize)]
struct StreamTokens {
    total_tokens: u64,
    input_tokens: u64,
    output_tokens: u64,
    cached: u64,
    input: u64,
}

impl<'a> Stream<'a> {
    pub(super) fn new(
        out: Box<dyn Write + 'a>,
        prompt: Option<&'a str>,
        clock: &'a dyn Clock,
    ) -> Self {
        let began_ms = clock.now_ms();
        Self {
            out,
            prompt,
            clock,
            began_ms,
            known: Once::default(),
        }
    }

    fn write(&mut self, kind: &'static str, event: Event<'_>) -> io::Result<()> {
        let line = Line {
            kind,
            timestamp: timestamp(self.clock.now_ms()),
            event,
        };
        let mut line = serde_json::to_vec(&line)?;
        line.push(b'\n');
        // One write a line: whoever reads along never sees half of one.
        self.out.write_all(&line)?;
        self.out.flush()
    }
}

impl Form for Stream<'_> {
    fn tell(&mut self, told: &Tell<'_>) -> io::Result<()> {
        match *told {
            Tell::Began { session, model } => {
                let session_id = session;
                self.write("init", Event::Init { session_id, model })?;
                match self.prompt {
                    Some(prompt) => self.message("user", prompt),
                    None => Ok(()),
                }
            }
            Tell::Said { text } if !text.is_empty() => self.message("assistant", text),
            Tell::Uses { id, name, args } => self.write(
                "tool_use",
                Event::ToolUse {
                    tool_name: name,
                    tool_id: id,
                    parameters: args,
                },
            ),
            Tell::Used { id, result, .. } => self.write(
                "tool_result",
                Event::ToolResult {
                    tool_id: id,
                    status: status(result.is_ok()),
                    output: result.ok(),
                    error: result.err().map(|refusal| ToolError {
                        kind: refusal.kind.as_str(),
                        message: &refusal.message,
                    }),
                },
            ),
            Tell::Notice(problem) => self.notice(problem),
            Tell::StartOver { why } => {
                self.error("warning", format!("the model is asked again: {why}"))
            }
            Tell::Piece(_)
            | Tell::Said { .. }
            | Tell::Prints { .. }
            | Tell::Agent { .. }
            | Tell::Busy(_) => Ok(()),
        }
    }

    fn end(&mut self, over: &Over) -> io::Result<()> {
        for problem in over.ended.iter().flat_map(|ended| &ended.problems) {
            self.notice(problem)?;
        }
        let duration_ms = self.clock.now_ms().saturating_sub(self.began_ms);
        let stats = over.ended.as_ref().map(|ended| &ended.stats);
        self.write(
            "result",
            Event::Result {
                status: status(over.error.is_none()),
                error: over.error.as_ref(),
                stats: stats.map(|stats| stream_stats(stats, duration_ms)),
            },
        )
    }
}

impl Stream<'_> {
    fn message(&mut self, role: &'static str, content: &str) -> io::Result<()> {
        self.write("message", Event::Message { role, content })
    }

    fn notice(&mut self, problem: &Problem) -> io::Result<()> {
        let severity = match problem.code.severity {
            // No event says that something is merely worth knowing.
            Severity::Note => return Ok(()),
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        match self.known.is_new(problem) {
            true => self.error(severity, problem.to_string()),
            false => Ok(()),
        }
    }

    fn error(&mut self, severity: &'static str, message: String) -> io::Result<()> {
        self.write("error", Event::Error { severity, message })
    }
}

fn status(is_fine: bool) -> &'static str {
    if is_fine { "success" } else { "error" }
}

fn stream_stats(stats: &Stats, duration_ms: u64) -> StreamStats<'_> {
    let models = stats.models.iter();
    StreamStats {
        tokens: StreamTokens::from(&stats.tokens()),
        duration_ms,
        tool_calls: stats.tools.total_calls,
        models: models
            .map(|(name, model)| (&**name, StreamTokens::from(&model.tokens)))
            .collect(),
        files: &stats.files,
        memory: &stats.memory,
        context: &stats.context,
        cost: &stats.cost,
    }
}

impl From<&TokenStats> for StreamTokens {
    fn from(tokens: &TokenStats) -> Self {
        Self {
            total_tokens: tokens.total,
            input_tokens: tokens.prompt,
            output_tokens: tokens.candidates,
            cached: tokens.cached,
            input: tokens.input,
        }
    }
}

/// Milliseconds since 1970 as JavaScript writes them.
fn timestamp(at_ms: u64) -> String {
    let at = i64::try_from(at_ms).ok();
    let at = at.and_then(|at_ms| Timestamp::from_millisecond(at_ms).ok());
    let at = at.unwrap_or(Timestamp::MAX);
    at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}
