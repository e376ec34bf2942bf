//! What the official conformance suite expects of a server, for `--test-tools` only.
//!
//! The suite calls tools, resources and prompts by fixed names. None of them touches memory or the disk.
#![expect(
    deprecated,
    reason = "the suite asks for what the newest protocol calls old"
)]

mod fixed;

use std::sync::Arc;
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientResult, ContentBlock, CreateMessageRequestParams,
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationSchema, JsonObject, LoggingLevel,
    LoggingMessageNotificationParam, ProgressNotificationParam, SamplingMessage,
    ServerCapabilities, ServerRequest, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

pub(crate) use fixed::{knows, prompt, prompts, read, resource_templates, resources};

/// What a tool pauses for, as the suite wants it.
const PAUSE: Duration = Duration::from_millis(50);

/// The tools, and which arguments they need.
const TOOLS: [(&str, &str, &[&str]); 14] = [
    ("test_simple_text", "Answers with a text", &[]),
    ("test_image_content", "Answers with an image", &[]),
    ("test_audio_content", "Answers with a sound", &[]),
    ("test_embedded_resource", "Answers with a resource", &[]),
    (
        "test_multiple_content_types",
        "Answers with several things",
        &[],
    ),
    ("test_tool_with_logging", "Logs while it works", &[]),
    ("test_tool_with_progress", "Tells how far it is", &[]),
    ("test_error_handling", "Fails", &[]),
    (
        "test_reconnection",
        "Answers on a stream that may be taken up again",
        &[],
    ),
    ("test_sampling", "Asks the client's model", &["prompt"]),
    ("test_elicitation", "Asks the person", &["message"]),
    (DEFAULTS, "Asks the person, with answers filled in", &[]),
    (ENUMS, "Asks the person to choose", &[]),
    (SCHEMA, "Has a schema with references", &[]),
];

const DEFAULTS: &str = "test_elicitation_sep1034_defaults";
const ENUMS: &str = "test_elicitation_sep1330_enums";
const SCHEMA: &str = "json_schema_2020_12_tool";

/// Adds what the suite expects to be announced.
pub(crate) fn extend(capabilities: &mut ServerCapabilities) {
    capabilities.logging = Some(JsonObject::new());
    capabilities.completions = Some(JsonObject::new());
}

/// Whether this is a tool of the suite.
pub(crate) fn is_one(name: &str) -> bool {
    TOOLS.iter().any(|tool| tool.0 == name)
}

/// All tools of the suite.
pub(crate) fn tools() -> Vec<Tool> {
    let tool = |(name, about, needed): &(&'static str, &'static str, &[&str])| {
        let schema = match *name {
            SCHEMA => fixed::referring_schema(),
            _ => {
                let text = |name: &&str| ((*name).to_owned(), json!({ "type": "string" }));
                let properties: JsonObject = needed.iter().map(text).collect();
                json!({ "type": "object", "properties": properties, "required": needed })
            }
        };
        Tool::new(*name, *about, Arc::new(object(schema)))
    };
    TOOLS.iter().map(tool).collect()
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

/// Calls a tool of the suite.
pub(crate) async fn call(
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let arguments = request.arguments.unwrap_or_default();
    let argument = |name: &str| {
        let text = arguments.get(name).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let content = match request.name.as_ref() {
        "test_image_content" => vec![fixed::image()],
        "test_audio_content" => vec![fixed::audio()],
        "test_embedded_resource" => vec![fixed::embedded()],
        "test_multiple_content_types" => fixed::mixed(),
        "test_tool_with_logging" => log(&context).await,
        "test_tool_with_progress" => progress(&context).await,
        "test_sampling" => return Ok(sample(&context, argument("prompt")).await),
        "test_elicitation" => {
            return Ok(elicit(
                &context,
                argument("message"),
                fixed::form(),
                "User response: ",
            )
            .await);
        }
        DEFAULTS => return Ok(complete(&context, fixed::form_with_defaults()).await),
        ENUMS => return Ok(complete(&context, fixed::form_with_enums()).await),
        "test_error_handling" => {
            return Ok(error(
                "This tool intentionally returns an error for testing",
            ));
        }
        _ => vec![ContentBlock::text(
            "This is a simple text response for testing.",
        )],
    };
    Ok(CallToolResult::success(content))
}

fn error(message: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(message)])
}

async fn log(context: &RequestContext<RoleServer>) -> Vec<ContentBlock> {
    for message in [
        "Tool execution started",
        "Tool processing data",
        "Tool execution completed",
    ] {
        let logged = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(message));
        let _ = context.peer.notify_logging_message(logged).await;
        tokio::time::sleep(PAUSE).await;
    }
    vec![ContentBlock::text("Logged three times.")]
}

async fn progress(context: &RequestContext<RoleServer>) -> Vec<ContentBlock> {
    for percent in [0.0, 50.0, 100.0] {
        if let Some(token) = context.meta.get_progress_token() {
            let progress = ProgressNotificationParam::new(token, percent).with_total(100.0);
            let _ = context.peer.notify_progress(progress).await;
        }
        tokio::time::sleep(PAUSE).await;
    }
    vec![ContentBlock::text("Told progress three times.")]
}

async fn sample(context: &RequestContext<RoleServer>, prompt: String) -> CallToolResult {
    let messages = vec![SamplingMessage::user_text(prompt)];
    let asked = CreateMessageRequestParams::new(messages, 100);
    match context.peer.create_message(asked).await {
        Ok(said) => {
            let said = serde_json::to_value(&said.message.content).unwrap_or_default();
            let first = said.get(0).unwrap_or(&said);
            let text = first
                .get("text")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let text = format!("LLM response: {text}");
            CallToolResult::success(vec![ContentBlock::text(text)])
        }
        Err(problem) => error(problem.to_string()),
    }
}

async fn complete(context: &RequestContext<RoleServer>, form: Value) -> CallToolResult {
    let message = "Please look at the form and accept it".to_owned();
    elicit(context, message, form, "Elicitation completed: ").await
}

async fn elicit(
    context: &RequestContext<RoleServer>,
    message: String,
    form: Value,
    before: &str,
) -> CallToolResult {
    match ask(context, message, form).await {
        Ok(result) => {
            let action = serde_json::to_value(&result.action).unwrap_or_default();
            let action = action.as_str().unwrap_or_default().to_owned();
            let content = result.content.unwrap_or_default();
            let text = format!("{before}action={action}, content={content}");
            CallToolResult::success(vec![ContentBlock::text(text)])
        }
        Err(problem) => error(problem),
    }
}

async fn ask(
    context: &RequestContext<RoleServer>,
    message: String,
    form: Value,
) -> Result<ElicitResult, String> {
    let can_ask = context
        .client_capabilities()
        .is_some_and(|can| can.elicitation.is_some());
    if !can_ask {
        return Err("the client cannot ask".to_owned());
    }
    let schema =
        ElicitationSchema::from_json_schema(object(form)).map_err(|error| error.to_string())?;
    let request = ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message,
        requested_schema: schema,
    });
    let asked = context
        .peer
        .send_request(ServerRequest::ElicitRequest(request));
    match asked.await.map_err(|error| error.to_string())? {
        ClientResult::ElicitResult(result) => Ok(result),
        _ => Err("the client answered something else".to_owned()),
    }
}
