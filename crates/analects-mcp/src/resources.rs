//! Memory as resources: one for each layer that says something. And every skill by its name, every session by its id.

mod session;
mod skill;

use analects_engine::secrets::Guarded;
use analects_engine::verbs::{Failure, FailureKind, Flags};
use analects_engine::{World, load_memory, remember};
use analects_memory::layer::Layer;
use rmcp::ErrorData;
use rmcp::model::{
    Annotations, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate, Role,
};
use rmcp::service::{RequestContext, RoleServer};

use crate::rounds::Brought;
use crate::server::Server;
use crate::work::Done;

/// The addresses that are no single thing.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    vec![session::template(), skill::template()]
}

/// All layers, in reading order.
pub(crate) const LAYERS: [Layer; 4] = Layer::READING_ORDER;

const MIME: &str = "text/markdown";

/// What clients call a layer.
pub(crate) fn name(layer: Layer) -> &'static str {
    match layer {
        Layer::Global => "global",
        Layer::Private => "private",
        Layer::Extension => "extension",
        Layer::Project => "project",
    }
}

/// The address of a layer.
pub(crate) fn uri(layer: Layer) -> String {
    format!("memory://{}", name(layer))
}

/// The layer at an address.
pub(crate) fn layer(uri: &str) -> Option<Layer> {
    let wanted = uri.strip_prefix("memory://")?;
    let wanted = wanted.strip_suffix('/').unwrap_or(wanted);
    LAYERS.into_iter().find(|layer| name(*layer) == wanted)
}

/// The address of a skill.
pub(crate) fn skill_uri(name: &str) -> String {
    format!("{}{name}", skill::SCHEME)
}

/// Whether changes of what is at an address are told. A session is history.
pub(crate) fn is_watched(uri: &str) -> bool {
    layer(uri).is_some() || under(skill::SCHEME, uri).is_some()
}

/// What is answered to an address that leads nowhere.
pub(crate) fn unknown(uri: &str) -> ErrorData {
    let known = LAYERS.map(self::uri).join(", ");
    let data = serde_json::json!({ "uri": uri });
    let message = format!("there is only {known}, memory://skills/NAME and session://ID");
    ErrorData::resource_not_found(message, Some(data))
}

fn about(layer: Layer) -> (&'static str, &'static str) {
    match layer {
        Layer::Global => ("Global memory", "What the user wants in every project"),
        Layer::Private => (
            "Private notes",
            "The user's own notes on this project; never committed",
        ),
        Layer::Extension => (
            "Extensions' memory",
            "What installed extensions bring along",
        ),
        Layer::Project => (
            "Project memory",
            "What the project says to everyone who works on it",
        ),
    }
}

/// One layer as it enters a context.
pub(crate) struct Page {
    pub(crate) layer: Layer,
    pub(crate) text: String,
}

/// The text of every layer, without secrets; our delimiters in what files say are harmless by then.
pub(crate) fn pages(world: &World<'_>, flags: &Flags) -> Result<Vec<Page>, Failure> {
    let prepared = load_memory::prepare(world, flags)?;
    let started = prepared.start(*world);
    let allowed = remember::allowed(&prepared, &[]);
    let guarded = Guarded { allowed: &allowed };
    let layers = started.stack.layers.iter();
    // Masked here, since a page may be cut later: half of a token is not recognised any more.
    let page = |layer: &analects_memory::stack::LayerText| Page {
        layer: layer.layer,
        text: guarded.mask(&layer.text()),
    };
    Ok(layers.map(page).collect())
}

/// The layers that say something, and the skills.
pub(crate) async fn list(
    server: &Server,
    context: &RequestContext<RoleServer>,
) -> Result<Vec<Resource>, ErrorData> {
    // This request may not come in rounds: without known roots, the server's own directory counts.
    let brought = Brought::nothing_to_come();
    let job = |world: &World<'_>, flags: &Flags| {
        let pages = pages(world, flags)?;
        Ok((pages, skill::listed(world, flags)))
    };
    match server.work(context, &brought, job).await? {
        Done::Answered(Ok((pages, skills))) => {
            let filled = pages.iter().filter(|page| !page.text.is_empty());
            Ok(filled.map(described).chain(skills).collect())
        }
        Done::Answered(Err(failure)) => Err(failed(&failure)),
        Done::Asked(_) => Ok(Vec::new()),
    }
}

fn described(page: &Page) -> Resource {
    let (title, description) = about(page.layer);
    Resource::new(uri(page.layer), name(page.layer))
        .with_title(title)
        .with_description(description)
        .with_mime_type(MIME)
        .with_size(page.text.len() as u64)
        .with_annotations(Annotations::default().with_audience(vec![Role::Assistant]))
}

/// What makes the text of a resource.
type Job = Box<dyn FnOnce(&World<'_>, &Flags) -> Result<String, Failure> + Send>;

/// The text at an address: of a session, a skill or a layer.
pub(crate) async fn read(
    server: &Server,
    request: ReadResourceRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<ReadResourceResponse, ErrorData> {
    let uri = request.uri;
    let brought = match layer(&uri) {
        // Wherever the client works, this is the same.
        Some(Layer::Global) => Brought::nothing_to_come(),
        _ => Brought::new(request.request_state.as_deref(), request.input_responses),
    };
    let job = job(&uri).ok_or_else(|| unknown(&uri))?;
    match server.work(context, &brought, job).await? {
        Done::Answered(Ok(text)) => {
            let contents = ResourceContents::text(text, uri).with_mime_type(MIME);
            Ok(ReadResourceResult::new(vec![contents]).into())
        }
        Done::Answered(Err(failure)) if failure.kind == FailureKind::BadInput => {
            let data = serde_json::json!({ "uri": uri });
            let message = failure.to_string();
            Err(ErrorData::resource_not_found(message, Some(data)))
        }
        Done::Answered(Err(failure)) => Err(failed(&failure)),
        Done::Asked(question) => Ok(question.into()),
    }
}

/// What is to be done for an address; `None` if it leads nowhere.
fn job(uri: &str) -> Option<Job> {
    if let Some(id) = under(session::SCHEME, uri) {
        return Some(Box::new(move |world, flags| {
            session::text(world, flags, id)
        }));
    }
    if let Some(name) = under(skill::SCHEME, uri) {
        return Some(Box::new(move |world, flags| {
            skill::text(world, flags, &name)
        }));
    }
    let wanted = layer(uri)?;
    Some(Box::new(move |world, flags| {
        let mut pages = pages(world, flags)?.into_iter();
        let page = pages.find(|page| page.layer == wanted);
        Ok(page.map(|page| page.text).unwrap_or_default())
    }))
}

/// The name in an address. A file's path is none: whoever asks may not read whatever they like.
fn under(scheme: &str, uri: &str) -> Option<String> {
    let name = uri.strip_prefix(scheme)?;
    (!name.is_empty() && !name.contains('/')).then(|| name.to_owned())
}

pub(crate) fn failed(failure: &Failure) -> ErrorData {
    ErrorData::internal_error(failure.to_string(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layer_has_an_address_that_leads_back_to_it() {
        for each in LAYERS {
            assert_eq!(layer(&uri(each)), Some(each));
        }
        for uri in [
            "memory://",
            "memory://user_project",
            "file:///global",
            "global",
        ] {
            assert_eq!(layer(uri), None, "{uri}");
        }
        assert_eq!(layer("memory://global/"), Some(Layer::Global));
    }

    #[test]
    fn a_path_is_no_name() {
        let of = |uri| under(session::SCHEME, uri);
        assert_eq!(of("session://5f2e").as_deref(), Some("5f2e"));
        for uri in [
            "session://",
            "session:///etc/passwd",
            "session://../x",
            "memory://5f2e",
        ] {
            assert_eq!(of(uri), None, "{uri}");
        }
    }
}
