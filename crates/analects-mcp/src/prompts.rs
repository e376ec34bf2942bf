//! Prompts that a person picks from a client's menu: `remember`, `recall`, `handoff` and `review-inbox`.

mod handoff;
mod review_inbox;

use analects_engine::World;
use analects_engine::verbs::memory::{EntryAnswer, List, Search};
use analects_engine::verbs::{Failure, FailureKind, Flags, Verb};
use analects_memory::render::harmless;
use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, JsonObject, Prompt, PromptArgument,
    PromptMessage, Role,
};
use rmcp::service::{RequestContext, RoleServer};

use crate::rounds::Brought;
use crate::server::Server;
use crate::work::Done;

const REMEMBER: &str = include_str!("../prompts/remember.md");
const RECALL: &str = include_str!("../prompts/recall.md");

/// How many entries go into a prompt.
const MAX_ENTRIES: usize = 50;

/// All prompts.
pub(crate) fn all() -> Vec<Prompt> {
    let argument = |name: &str, about: &str, required| {
        PromptArgument::new(name)
            .with_description(about)
            .with_required(required)
    };
    vec![
        Prompt::new(
            "remember",
            Some("Remember a fact in all later conversations"),
            Some(vec![
                argument("fact", "What to remember, in a sentence", true),
                argument(
                    "scope",
                    "`global` for every project (the default), `project` for this one",
                    false,
                ),
            ]),
        )
        .with_title("Remember"),
        Prompt::new(
            "recall",
            Some("Tell what is remembered"),
            Some(vec![argument(
                "topic",
                "What about; everything, if nothing is named",
                false,
            )]),
        )
        .with_title("Recall"),
        Prompt::new(
            "handoff",
            Some("Go on with what another session, of this agent or another, was at"),
            Some(vec![argument(
                "session",
                "Its id or the beginning of it; the newest of this project, if none is named",
                false,
            )]),
        )
        .with_title("Hand off"),
        Prompt::new(
            "review-inbox",
            Some("Go through what waits for your yes: new skills, changes of skills and of memory"),
            Some(vec![argument(
                "item",
                "One thing, by its id; everything that waits, if none is named",
                false,
            )]),
        )
        .with_title("Review the inbox"),
    ]
}

/// One prompt, filled in.
pub(crate) async fn get(
    server: &Server,
    request: GetPromptRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<GetPromptResponse, ErrorData> {
    let arguments = request.arguments.unwrap_or_default();
    match request.name.as_str() {
        "remember" => remember(&arguments).map(|text| message(text).into()),
        name @ ("recall" | "handoff" | "review-inbox") => {
            let brought = Brought::new(request.request_state.as_deref(), request.input_responses);
            let fill: Fill = match name {
                "recall" => |world, flags, said| recall(world, flags, text(said, "topic")),
                "handoff" => {
                    |world, flags, said| handoff::handoff(world, flags, text(said, "session"))
                }
                _ => |world, flags, said| {
                    review_inbox::review_inbox(world, flags, text(said, "item"))
                },
            };
            let job = move |world: &World<'_>, flags: &Flags| fill(world, flags, &arguments);
            match server.work(context, &brought, job).await? {
                Done::Answered(Ok(text)) => Ok(message(text).into()),
                Done::Answered(Err(failure)) if failure.kind == FailureKind::BadInput => {
                    Err(ErrorData::invalid_params(failure.to_string(), None))
                }
                Done::Answered(Err(failure)) => {
                    Err(ErrorData::internal_error(failure.to_string(), None))
                }
                Done::Asked(question) => Ok(question.into()),
            }
        }
        other => {
            let message = format!("there is no prompt `{other}`");
            Err(ErrorData::invalid_params(message, None))
        }
    }
}

/// Fills a prompt in.
type Fill = fn(&World<'_>, &Flags, &JsonObject) -> Result<String, Failure>;

fn message(text: String) -> GetPromptResult {
    GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)])
}

/// An argument that says something.
fn text(arguments: &JsonObject, name: &str) -> Option<String> {
    let said = arguments.get(name)?.as_str()?.trim();
    (!said.is_empty()).then(|| said.to_owned())
}

fn remember(arguments: &JsonObject) -> Result<String, ErrorData> {
    let fact = text(arguments, "fact").ok_or_else(|| {
        ErrorData::invalid_params("`fact` is missing: what should be remembered?", None)
    })?;
    let scope = text(arguments, "scope").unwrap_or_else(|| "global".to_owned());
    if !["global", "project"].contains(&scope.as_str()) {
        return Err(ErrorData::invalid_params(
            "`scope` is `global` or `project`",
            None,
        ));
    }
    // The fact last: what it says must not be filled in again.
    Ok(REMEMBER
        .trim_end()
        .replace("{scope}", &scope)
        .replace("{fact}", &fact))
}

fn recall(world: &World<'_>, flags: &Flags, topic: Option<String>) -> Result<String, Failure> {
    let mut entries = match &topic {
        Some(topic) => {
            let query = topic.clone();
            let limit = MAX_ENTRIES;
            Search { query, limit }.run(world, flags)?.entries
        }
        None => {
            let listed = List { entries: true }.run(world, flags)?;
            listed.entries.unwrap_or_default()
        }
    };
    entries.truncate(MAX_ENTRIES);
    let line = |entry: &EntryAnswer| format!("- {} [{}]", harmless(&entry.text), entry.id);
    let lines: Vec<_> = entries.iter().map(line).collect();
    let found = match lines.is_empty() {
        true => "(nothing)".to_owned(),
        false => lines.join("\n"),
    };
    let topic = topic.as_deref().unwrap_or("me and this project");
    // What files and people say last: it must not be filled in again.
    let (head, tail) = RECALL
        .trim_end()
        .split_once("{found}")
        .unwrap_or((RECALL, ""));
    Ok([&head.replace("{topic}", topic), found.as_str(), tail].concat())
}
