//! `session://ID`: a whole conversation, as Markdown.

use analects_engine::World;
use analects_engine::verbs::session::Show;
use analects_engine::verbs::{Failure, Flags, Verb};
use analects_memory::render::harmless;
use analects_text::truncate;
use rmcp::model::ResourceTemplate;

use super::MIME;

/// What its address begins with.
pub(super) const SCHEME: &str = "session://";

/// No model reads more at once; what is left out is said.
const MAX_BYTES: usize = 400 * 1024;

/// The address that sessions have.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{SCHEME}{{id}}"), "session")
        .with_title("A past session")
        .with_description("What was said and done in a session of any agent, by its id")
        .with_mime_type(MIME)
}

/// A session, by its id or the beginning of it.
pub(super) fn text(world: &World<'_>, flags: &Flags, session: String) -> Result<String, Failure> {
    let show = Show {
        session,
        history: false,
        secrets: false,
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
