//! What a server's answer is: a stream, a document, a refusal, or something else altogether.

use std::time::SystemTime;

use analects_world::models::{Fault, Kind};
use reqwest::Url;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, LOCATION};
use serde_json::Value;

use super::call::Begun;
use super::guard::too_long;
use super::{address, crowd, refusal};

/// More of a refusal is not read.
const MAX_REFUSAL_BYTES: usize = 64 << 10;
/// More of what is no answer is not looked at.
const MAX_GLANCE_BYTES: usize = 1 << 10;
/// More models than anybody has.
const MAX_DOCUMENT_BYTES: usize = 8 << 20;

/// An answer, by how it comes.
pub(super) enum Answer {
    /// As events.
    Stream(Begun),
    /// As one JSON document.
    Document(Begun),
}

/// Looks at the head of an answer. Whatever is none becomes a fault.
pub(super) async fn answer(begun: Begun) -> Result<Answer, Fault> {
    let status = begun.response.status();
    if status.is_redirection() {
        return Err(redirected(&begun));
    }
    if !status.is_success() {
        return Err(refused(begun).await);
    }
    let is_packed = header(&begun, CONTENT_ENCODING.as_str())
        .is_some_and(|encoding| !encoding.eq_ignore_ascii_case("identity"));
    let kind = header(&begun, CONTENT_TYPE.as_str()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    match kind.to_ascii_lowercase().as_str() {
        _ if is_packed => Err(garbled(&begun, "it is compressed, which nobody asked for")),
        "text/event-stream" => Ok(Answer::Stream(begun)),
        "application/json" => Ok(Answer::Document(begun)),
        other => Err(strange(begun, other.to_owned()).await),
    }
}

/// The document that an answer is.
pub(super) async fn document(begun: Begun) -> Result<Value, Fault> {
    let place = begun.place.clone();
    let Answer::Document(begun) = answer(begun).await? else {
        let message = format!("{place} answers with a stream where nobody asked for one");
        return Err(Fault::new(Kind::Garbled, message));
    };
    let text = text(begun, MAX_DOCUMENT_BYTES).await?;
    crowd::look(&text)?;
    serde_json::from_str(&text).map_err(|error| {
        let message = format!("{place} answers with JSON that is none: {error}");
        Fault::new(Kind::Garbled, message)
    })
}

/// The text of an answer that comes whole.
pub(super) async fn text(begun: Begun, limit_bytes: usize) -> Result<String, Fault> {
    let fault = garbled(&begun, "it is not UTF-8");
    let whole = begun.whole(limit_bytes).await?;
    let whole = whole.ok_or_else(|| too_long("an answer", limit_bytes))?;
    String::from_utf8(whole).map_err(|_| fault)
}

/// Only the other host is told: what stands behind it may be anything.
fn redirected(begun: &Begun) -> Fault {
    let place = &begun.place;
    let from = begun.response.url();
    let to = header(begun, LOCATION.as_str()).and_then(|to| from.join(to).ok());
    let message = match to.as_ref().map(Url::host_str) {
        Some(Some(host)) if to.as_ref().map(address::place).as_ref() != Some(place) => {
            format!("{place} points to {host}, where no key is carried")
        }
        Some(_) => format!("{place} points to another address of its own: is this one right?"),
        None => format!("{place} points elsewhere without saying where"),
    };
    Fault::new(Kind::Redirected, message)
}

async fn refused(begun: Begun) -> Fault {
    let status = begun.response.status().as_u16();
    let after = refusal::asked_for(begun.response.headers(), SystemTime::now());
    let body = begun.beginning(MAX_REFUSAL_BYTES).await;
    let mut fault = refusal::refused(status, &body);
    fault.retry_after_ms = after.or(fault.retry_after_ms);
    fault
}

async fn strange(begun: Begun, kind: String) -> Fault {
    let place = begun.place.clone();
    let beginning = begun.beginning(MAX_GLANCE_BYTES).await;
    let what = match kind.as_str() {
        "text/html" | "application/xhtml+xml" => "a web page".to_owned(),
        _ if refusal::looks_like_a_page(&beginning) => "a web page".to_owned(),
        "" => "something of no content type".to_owned(),
        kind => format!("the content type {kind}"),
    };
    let message = format!("{place} answers with {what}: is its address right?");
    Fault::new(Kind::Garbled, message)
}

fn garbled(begun: &Begun, why: &str) -> Fault {
    let message = format!(
        "{} answers with something that nobody can read: {why}",
        begun.place
    );
    Fault::new(Kind::Garbled, message)
}

fn header<'a>(begun: &'a Begun, name: &str) -> Option<&'a str> {
    begun.response.headers().get(name)?.to_str().ok()
}
