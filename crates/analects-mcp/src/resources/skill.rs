//! `memory://skills/NAME`: what a skill says.

use analects_engine::World;
use analects_engine::skills;
use analects_engine::verbs::{Failure, FailureKind, Flags};
use rmcp::ErrorData;
use rmcp::model::{
    Annotations, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate, Role,
};
use rmcp::service::{RequestContext, RoleServer};

use super::{MIME, failed};
use crate::rounds::Brought;
use crate::server::Server;
use crate::work::Done;

const SCHEME: &str = "memory://skills/";

/// The address that skills have.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{SCHEME}{{name}}"), "skill")
        .with_title("A skill")
        .with_description("Instructions for one kind of task, by the skill's name")
        .with_mime_type(MIME)
}

/// The name in an address.
pub(super) fn name(uri: &str) -> Option<&str> {
    let name = uri.strip_prefix(SCHEME)?;
    (!name.is_empty() && !name.contains('/')).then_some(name)
}

/// The skills that somebody put there, each a resource. What is part of the program can be read, and needs no list.
pub(super) fn listed(world: &World<'_>, flags: &Flags) -> Vec<Resource> {
    let described = |(name, description): (String, String)| {
        Resource::new(format!("{SCHEME}{name}"), name)
            .with_description(description)
            .with_mime_type(MIME)
            .with_annotations(Annotations::default().with_audience(vec![Role::Assistant]))
    };
    let skills = skills::commands(world, flags).into_iter();
    skills.map(described).collect()
}

/// What a skill says, as a model is told it.
pub(super) async fn read(
    server: &Server,
    name: String,
    request: ReadResourceRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<ReadResourceResponse, ErrorData> {
    let brought = Brought::new(request.request_state.as_deref(), request.input_responses);
    let job = move |world: &World<'_>, flags: &Flags| text(world, flags, &name);
    match server.work(context, &brought, job).await? {
        Done::Answered(Ok(text)) => {
            let contents = ResourceContents::text(text, request.uri).with_mime_type(MIME);
            Ok(ReadResourceResult::new(vec![contents]).into())
        }
        Done::Answered(Err(failure)) if failure.kind == FailureKind::BadInput => {
            let data = serde_json::json!({ "uri": request.uri });
            let message = failure.to_string();
            Err(ErrorData::resource_not_found(message, Some(data)))
        }
        Done::Answered(Err(failure)) => Err(failed(&failure)),
        Done::Asked(question) => Ok(question.into()),
    }
}

fn text(world: &World<'_>, flags: &Flags, name: &str) -> Result<String, Failure> {
    let found = skills::usable(world, flags)?;
    skills::open(world, &found, name).map(|opened| opened.told())
}
