//! One request and its answer, phase by phase, each with the patience it is given.

use std::time::Duration;

use analects_world::models::{Endpoint, Fault, Kind, Patience, Secret, Wire};
use bytes::Bytes;
use futures_util::stream::{self, StreamExt};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url};
use tokio::time::{Instant, timeout, timeout_at};

use super::address;
use super::guard::ByteStream;
use super::trouble;
use super::wire::Letter;

/// A request that is ready to go.
pub(super) struct Call {
    /// Where it goes.
    pub(super) url: Url,
    /// Where it goes, as a person is told.
    pub(super) place: String,
    /// How long to wait for it.
    pub(super) patience: Patience,
    headers: HeaderMap,
    body: Option<Vec<u8>>,
}

/// An answer that has begun.
pub(super) struct Begun {
    /// Its head.
    pub(super) response: Response,
    /// Where it comes from, as a person is told.
    pub(super) place: String,
    patience: Patience,
    /// Until when its first byte must be there.
    first_by: Instant,
}

impl Call {
    /// Puts a letter into its envelope. The key goes into the head, and there alone.
    pub(super) fn new(at: &Endpoint, letter: Letter) -> Result<Self, Fault> {
        let url = address::address(&at.base_url, &letter.path)?;
        let mut headers = HeaderMap::new();
        for (name, value) in letter.headers {
            let value = HeaderValue::from_str(&value).map_err(|_| unfit(name))?;
            headers.insert(HeaderName::from_static(name), value);
        }
        if let Some(key) = &at.key {
            let (name, value) = key_header(at.wire, key)?;
            headers.insert(name, value);
        }
        let body = letter.body.map(|body| body.to_string().into_bytes());
        if body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        Ok(Self {
            place: address::place(&url),
            url,
            patience: at.patience,
            headers,
            body,
        })
    }

    /// Sends it, and waits for the head of the answer.
    pub(super) async fn send(self, client: &Client) -> Result<Begun, Fault> {
        let Self {
            url,
            place,
            patience,
            headers,
            body,
        } = self;
        let first_by = after(patience.first_ms);
        let request = match body {
            Some(body) => client.post(url).body(body),
            None => client.get(url),
        };
        match timeout_at(first_by, request.headers(headers).send()).await {
            Ok(Ok(response)) => Ok(Begun {
                response,
                place,
                patience,
                first_by,
            }),
            Ok(Err(error)) => Err(trouble::on_the_way(&error, &place, patience)),
            Err(_) => Err(trouble::no_first_byte(&place, patience)),
        }
    }
}

impl Begun {
    /// The bytes of the answer as they come.
    pub(super) fn bytes(self) -> ByteStream {
        stream::unfold(Some((self, true)), |state| async {
            let (mut begun, is_first) = state?;
            let next = begun.next(is_first).await.transpose()?;
            // After a fault there is nothing more.
            let state = next.is_ok().then_some((begun, false));
            Some((next, state))
        })
        .boxed()
    }

    /// The answer as a whole; `None` if it is longer than that.
    pub(super) async fn whole(self, limit_bytes: usize) -> Result<Option<Vec<u8>>, Fault> {
        let mut bytes = self.bytes();
        let mut whole = Vec::new();
        while let Some(chunk) = bytes.next().await.transpose()? {
            if whole.len() + chunk.len() > limit_bytes {
                return Ok(None);
            }
            whole.extend_from_slice(&chunk);
        }
        Ok(Some(whole))
    }

    /// The beginning of the answer, as far as it comes, in whatever characters it has. It says more about
    /// what went wrong than the fault that cuts it short would.
    pub(super) async fn beginning(self, limit_bytes: usize) -> String {
        let mut bytes = self.bytes();
        let mut beginning = Vec::new();
        while let Some(Ok(chunk)) = bytes.next().await {
            let room = limit_bytes - beginning.len();
            beginning.extend(chunk.iter().take(room));
            if beginning.len() == limit_bytes {
                break;
            }
        }
        String::from_utf8_lossy(&beginning).into_owned()
    }

    async fn next(&mut self, is_first: bool) -> Result<Option<Bytes>, Fault> {
        let idle = Duration::from_millis(self.patience.idle_ms);
        let chunk = if is_first {
            let chunk = timeout_at(self.first_by, self.response.chunk()).await;
            chunk.map_err(|_| trouble::no_first_byte(&self.place, self.patience))?
        } else {
            let chunk = timeout(idle, self.response.chunk()).await;
            chunk.map_err(|_| trouble::silent(&self.place, self.patience))?
        };
        chunk.map_err(|error| trouble::in_the_answer(&error, &self.place))
    }
}

/// The moment after this many milliseconds. Patience without end is patience for a year.
pub(super) fn after(ms: u64) -> Instant {
    const YEAR_MS: u64 = 365 * 24 * 60 * 60 * 1_000;
    Instant::now() + Duration::from_millis(ms.min(YEAR_MS))
}

fn key_header(wire: Wire, key: &Secret) -> Result<(HeaderName, HeaderValue), Fault> {
    let key = key.expose();
    if key.is_empty() {
        return Err(Fault::new(Kind::Key, "the key is empty"));
    }
    if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        let message =
            "the key has characters that no key has, such as a space or the end of a line";
        return Err(Fault::new(Kind::Key, message));
    }
    let (name, value) = match wire {
        Wire::Gemini => (HeaderName::from_static("x-goog-api-key"), key.to_owned()),
        Wire::OpenAi => (AUTHORIZATION, format!("Bearer {key}")),
        Wire::Anthropic => (HeaderName::from_static("x-api-key"), key.to_owned()),
    };
    let mut value = HeaderValue::from_str(&value).map_err(|_| unfit(name.as_str()))?;
    value.set_sensitive(true);
    Ok((name, value))
}

fn unfit(name: &str) -> Fault {
    let message = format!("the header {name} has characters that it may not have");
    Fault::new(Kind::Refused, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(wire: Wire, key: &str) -> Result<Call, Fault> {
        let at = Endpoint {
            wire,
            base_url: "https://a.example/v1".to_owned(),
            key: Some(Secret::new(key)),
            proxy: None,
            patience: Patience::KNOCK,
        };
        let letter = Letter {
            path: "/m".to_owned(),
            headers: vec![("x-version", "1".to_owned())],
            body: None,
        };
        Call::new(&at, letter)
    }

    #[test]
    fn the_key_stands_in_the_header_of_its_wire_and_is_shown_nowhere() {
        for (wire, name, value) in [
            (Wire::Gemini, "x-goog-api-key", "sk-1"),
            (Wire::OpenAi, "authorization", "Bearer sk-1"),
            (Wire::Anthropic, "x-api-key", "sk-1"),
        ] {
            let call = call(wire, "sk-1").unwrap();
            assert_eq!(call.headers[name], value);
            assert!(call.headers[name].is_sensitive());
            assert_eq!(call.headers["x-version"], "1");
            assert!(!format!("{:?}", call.headers).contains("sk-1"));
            assert_eq!(call.url.as_str(), "https://a.example/v1/m");
        }
    }

    #[test]
    fn a_key_that_cannot_be_one_is_said_to_be_none() {
        for key in ["", " \n", "sk-1\n", "sk\r\nx-evil: 1", "schlüssel", "a\0b"] {
            for (_, wire) in Wire::NAMES {
                let fault = call(wire, key).err().unwrap();
                assert_eq!(fault.kind, Kind::Key);
                assert!(!fault.message.contains("sk"), "{}", fault.message);
            }
        }
    }
}
