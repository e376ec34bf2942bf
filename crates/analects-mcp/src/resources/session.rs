//! `session://ID`: a whole conversation, as Markdown.

use analects_engine::World;
use analects_engine::verbs::session::Show;
use analects_engine::verbs::{Failure, FailureKind, Flags, Verb};
use analects_memory::render::harmless;
use analects_text::truncate;
use rmcp::ErrorData;
use rmcp::model::{
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents,
    ResourceTemplate,
};
use rmcp::service::{RequestContext, RoleServer};

use super::{MIME, failed};
use crate::rounds::Brought;
use crate::server::Server;
use crate::work::Done;

const SCHEME: &str = "session://";

/// No model reads more at once; what is left out is said.
const MAX_BYTES: usize = 400 * 1024;

/// The address that sessions have.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{SCHEME}{{id}}"), "session")
        .with_title("A past session")
        .with_description("What was said and done in a session of any agent, by its id")
        .with_mime_type(MIME)
}

/// The id in an address. A file's path is none: whoever asks may not read whatever they like.
pub(super) fn id(uri: &str) -> Option<&str> {
    let id = uri.strip_prefix(SCHEME)?;
    (!id.is_empty() && !id.contains('/')).then_some(id)
}

/// A session, by its id or the beginning of it.
pub(super) async fn read(
    server: &Server,
    id: String,
    request: ReadResourceRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<ReadResourceResponse, ErrorData> {
    let brought = Brought::new(request.request_state.as_deref(), request.input_responses);
    let job = move |world: &World<'_>, flags: &Flags| text(world, flags, id);
    match server.work(context, &brought, job).await? {
        Done::Answered(Ok(text)) => {
            let contents = ResourceContents::text(text, request.uri).with_mime_type(MIME);
            Ok(ReadResourceResult::new(vec![contents]).into())
        }
        Done::Answered(Err(failure)) if failure.kind == FailureKind::BadInput => {
            let data = serde_json::json!({ "uri": request.uri });
            Err(ErrorData::resource_not_found(
                failure.to_string(),
                Some(data),
            ))
        }
        Done::Answered(Err(failure)) => Err(failed(&failure)),
        Done::Asked(question) => Ok(question.into()),
    }
}

fn text(world: &World<'_>, flags: &Flags, session: String) -> Result<String, Failure> {
    let show = Show {
        session,
        history: false,
    };
    let whole = show.run(world, flags)?.markdown;
    let whole = harmless(&whole);
    let shown = truncate::head_bytes(&whole, MAX_BYTES);
    let n_more = whole.len() - shown.len();
    Ok(match n_more {
        0 => shown.to_owned(),
        _ => format!("{shown}\n\n… {n_more} more bytes"),
    })
}
