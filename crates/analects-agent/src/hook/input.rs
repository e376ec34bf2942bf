//! The JSON that a hook reads on stdin.

use analects_text::truncate;
use serde_json::{Map, Value, json};

use super::Event;

/// A hook that only looks at what a tool or a model said is told this much of it. Whatever it may decide on or change, it is
/// told as a whole.
const MAX_TOLD_BYTES: usize = 1024 * 1024;

/// What every hook is told.
#[derive(Debug, Clone, Copy)]
pub struct Base<'a> {
    /// The session.
    pub session_id: &'a str,
    /// Its record; empty as long as there is none.
    pub transcript_path: &'a str,
    /// The working directory.
    pub cwd: &'a str,
    /// The time, as JavaScript writes it.
    pub timestamp: &'a str,
}

/// What a tool answered.
#[derive(Debug, Clone, Copy)]
pub struct ToolResponse<'a> {
    /// What the model reads.
    pub text: &'a str,
    /// What a person sees.
    pub shown: &'a str,
    /// What went wrong: a word for it and a sentence.
    pub error: Option<(&'a str, &'a str)>,
}

/// What a hook runs for.
#[derive(Debug, Clone, Copy)]
pub enum Occasion<'a> {
    /// A session begins: `startup` or `resume`.
    SessionStart(&'a str),
    /// The user has said this.
    BeforeAgent(&'a str),
    /// A model is about to be asked this.
    BeforeModel(&'a Value),
    /// The same, before it is offered its tools.
    BeforeToolSelection(&'a Value),
    /// It was asked the first and answered the second.
    AfterModel(&'a Value, &'a Value),
    /// A tool is about to be used.
    BeforeTool {
        /// Which.
        tool: &'a str,
        /// For what.
        input: &'a Value,
        /// Whose it is, if it is that of a server.
        mcp: Option<&'a Value>,
    },
    /// Somebody would have to agree to a call.
    Notification {
        /// What is wanted, in a sentence.
        message: &'a str,
        /// The call.
        details: &'a Value,
    },
    /// A tool was used.
    AfterTool {
        /// Which.
        tool: &'a str,
        /// For what.
        input: &'a Value,
        /// What it answered.
        response: ToolResponse<'a>,
        /// Whose it is, if it is that of a server.
        mcp: Option<&'a Value>,
    },
    /// A history is about to be compressed: `auto` or `manual`.
    PreCompress(&'a str),
    /// It was.
    PostCompress {
        /// `auto` or `manual`.
        trigger: &'a str,
        /// What it cost before.
        before_tokens: usize,
        /// What it costs now.
        after_tokens: usize,
    },
    /// The model has answered the user.
    AfterAgent {
        /// What the user said.
        prompt: &'a str,
        /// What it answered.
        response: &'a str,
        /// Whether it is the answer to what such a hook said before.
        is_again: bool,
    },
    /// The session is over: `exit` or `other`.
    SessionEnd(&'a str),
}

impl<'a> Occasion<'a> {
    /// The event.
    #[must_use]
    pub fn event(&self) -> Event {
        match self {
            Self::SessionStart(_) => Event::SessionStart,
            Self::BeforeAgent(_) => Event::BeforeAgent,
            Self::BeforeModel(_) => Event::BeforeModel,
            Self::BeforeToolSelection(_) => Event::BeforeToolSelection,
            Self::AfterModel(..) => Event::AfterModel,
            Self::BeforeTool { .. } => Event::BeforeTool,
            Self::Notification { .. } => Event::Notification,
            Self::AfterTool { .. } => Event::AfterTool,
            Self::PreCompress(_) => Event::PreCompress,
            Self::PostCompress { .. } => Event::PostCompress,
            Self::AfterAgent { .. } => Event::AfterAgent,
            Self::SessionEnd(_) => Event::SessionEnd,
        }
    }

    /// What matchers are compared with.
    #[must_use]
    pub fn subject(&self) -> Option<&'a str> {
        match self {
            Self::BeforeTool { tool, .. } | Self::AfterTool { tool, .. } => Some(tool),
            Self::SessionStart(word)
            | Self::SessionEnd(word)
            | Self::PreCompress(word)
            | Self::PostCompress { trigger: word, .. } => Some(word),
            _ => None,
        }
    }
}

/// What a hook is told of an occasion: one object.
#[must_use]
pub fn input(base: &Base<'_>, occasion: &Occasion<'_>) -> Map<String, Value> {
    let mut told = Map::new();
    let mut say = |name: &str, value: Value| told.insert(name.to_owned(), value);
    say("session_id", base.session_id.into());
    say("transcript_path", base.transcript_path.into());
    say("cwd", base.cwd.into());
    say("hook_event_name", occasion.event().as_str().into());
    say("timestamp", base.timestamp.into());
    match *occasion {
        Occasion::SessionStart(source) => drop(say("source", source.into())),
        Occasion::SessionEnd(reason) => drop(say("reason", reason.into())),
        Occasion::BeforeAgent(prompt) => drop(say("prompt", prompt.into())),
        Occasion::BeforeModel(request) | Occasion::BeforeToolSelection(request) => {
            say("llm_request", request.clone());
        }
        Occasion::AfterModel(request, response) => {
            say("llm_request", request.clone());
            say("llm_response", response.clone());
        }
        Occasion::BeforeTool { tool, input, mcp } => {
            say("tool_name", tool.into());
            say("tool_input", input.clone());
            mcp.map(|mcp| say("mcp_context", mcp.clone()));
        }
        Occasion::AfterTool {
            tool,
            input,
            response,
            mcp,
        } => {
            say("tool_name", tool.into());
            say("tool_input", input.clone());
            say("tool_response", response_of(&response));
            mcp.map(|mcp| say("mcp_context", mcp.clone()));
        }
        Occasion::Notification { message, details } => {
            say("notification_type", "ToolPermission".into());
            say("message", message.into());
            say("details", details.clone());
        }
        Occasion::PreCompress(trigger) => drop(say("trigger", trigger.into())),
        Occasion::PostCompress {
            trigger,
            before_tokens,
            after_tokens,
        } => {
            say("trigger", trigger.into());
            say("tokens_before", before_tokens.into());
            say("tokens_after", after_tokens.into());
        }
        Occasion::AfterAgent {
            prompt,
            response,
            is_again,
        } => {
            say("prompt", prompt.into());
            say(
                "prompt_response",
                truncate::head_bytes(response, MAX_TOLD_BYTES).into(),
            );
            say("stop_hook_active", is_again.into());
        }
    }
    told
}

fn response_of(response: &ToolResponse<'_>) -> Value {
    json!({
        "llmContent": truncate::head_bytes(response.text, MAX_TOLD_BYTES),
        "returnDisplay": truncate::head_bytes(response.shown, MAX_TOLD_BYTES),
        "error": response.error.map(|(kind, message)| json!({ "type": kind, "message": message })),
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn every_event_has_its_own_words() {
        let base = Base {
            session_id: "s",
            transcript_path: "",
            cwd: "/w",
            timestamp: "T",
        };
        let (args, request) = (json!({"file_path": "a"}), json!({"model": "m"}));
        let response = ToolResponse {
            text: "out",
            shown: "1 line",
            error: None,
        };
        let failed = ToolResponse {
            text: "",
            shown: "",
            error: Some(("file_not_found", "no such file")),
        };
        let (tool, server) = ("read_file", json!({"server_name": "web"}));
        let occasions = [
            Occasion::SessionStart("startup"),
            Occasion::BeforeAgent("hi"),
            Occasion::BeforeModel(&request),
            Occasion::BeforeToolSelection(&request),
            Occasion::AfterModel(&request, &request),
            Occasion::BeforeTool {
                tool,
                input: &args,
                mcp: None,
            },
            Occasion::BeforeTool {
                tool,
                input: &args,
                mcp: Some(&server),
            },
            Occasion::Notification {
                message: "may it?",
                details: &args,
            },
            Occasion::AfterTool {
                tool,
                input: &args,
                response,
                mcp: None,
            },
            Occasion::AfterTool {
                tool,
                input: &args,
                response: failed,
                mcp: None,
            },
            Occasion::PreCompress("auto"),
            Occasion::PostCompress {
                trigger: "auto",
                before_tokens: 9,
                after_tokens: 3,
            },
            Occasion::AfterAgent {
                prompt: "hi",
                response: "ho",
                is_again: false,
            },
            Occasion::SessionEnd("exit"),
        ];
        let mut told = String::new();
        for occasion in &occasions {
            let all = input(&base, occasion);
            let own: Vec<_> = all
                .iter()
                .skip(3)
                .filter(|(name, _)| *name != "timestamp")
                .collect();
            let own: Vec<_> = own
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            told += &(own.join(" ") + "\n");
        }
        expect![[r#"
            hook_event_name="SessionStart" source="startup"
            hook_event_name="BeforeAgent" prompt="hi"
            hook_event_name="BeforeModel" llm_request={"model":"m"}
            hook_event_name="BeforeToolSelection" llm_request={"model":"m"}
            hook_event_name="AfterModel" llm_request={"model":"m"} llm_response={"model":"m"}
            hook_event_name="BeforeTool" tool_name="read_file" tool_input={"file_path":"a"}
            hook_event_name="BeforeTool" tool_name="read_file" tool_input={"file_path":"a"} mcp_context={"server_name":"web"}
            hook_event_name="Notification" notification_type="ToolPermission" message="may it?" details={"file_path":"a"}
            hook_event_name="AfterTool" tool_name="read_file" tool_input={"file_path":"a"} tool_response={"llmContent":"out","returnDisplay":"1 line","error":null}
            hook_event_name="AfterTool" tool_name="read_file" tool_input={"file_path":"a"} tool_response={"llmContent":"","returnDisplay":"","error":{"type":"file_not_found","message":"no such file"}}
            hook_event_name="PreCompress" trigger="auto"
            hook_event_name="PostCompress" trigger="auto" tokens_before=9 tokens_after=3
            hook_event_name="AfterAgent" prompt="hi" prompt_response="ho" stop_hook_active=false
            hook_event_name="SessionEnd" reason="exit"
        "#]]
        .assert_eq(&told);
        let whole = Value::Object(input(&base, &occasions[0])).to_string();
        expect![[r#"{"session_id":"s","transcript_path":"","cwd":"/w","hook_event_name":"SessionStart","timestamp":"T","source":"startup"}"#]].assert_eq(&whole);
    }

    #[test]
    fn what_is_only_looked_at_is_cut() {
        let long = "字".repeat(MAX_TOLD_BYTES);
        let response = ToolResponse {
            text: &long,
            shown: "",
            error: None,
        };
        let told = response_of(&response);
        assert!(told["llmContent"].as_str().unwrap().len() <= MAX_TOLD_BYTES);
    }
}
