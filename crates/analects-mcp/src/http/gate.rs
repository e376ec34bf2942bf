//! Who may come in over HTTP, and what is said to those who may not.

use std::convert::Infallible;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, HOST, HeaderMap, HeaderValue, ORIGIN, WWW_AUTHENTICATE};
use hyper::http::uri::Authority;
use hyper::{Method, Response, StatusCode};
use rmcp::model::ProtocolVersion;

use crate::setup::TestTools;

/// Where the server is found.
pub(super) const PATH: &str = "/mcp";

/// What this machine calls itself.
pub(super) const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// An answer.
pub(super) type Reply = Response<BoxBody<Bytes, Infallible>>;

/// Who may come in.
pub(super) struct Gate {
    pub(super) token: String,
    pub(super) test_tools: TestTools,
}

/// Why somebody may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It believes that this is another machine: a name was bent to lead here.
    Host,
    /// It comes from a page of another machine.
    Origin,
    /// It does not know the token.
    Token,
    /// There is nothing here.
    Path,
    /// Too many clients are here.
    Full,
}

impl Gate {
    /// Whether a request may come in, by its path and its headers.
    pub(super) fn judge(&self, path: &str, headers: &HeaderMap) -> Result<(), Refusal> {
        // Two of a kind are one too many: who comes after us might look at the other one.
        let one = |name| {
            let mut all = headers.get_all(name).iter();
            (all.next(), all.next().is_some())
        };
        match one(HOST) {
            (Some(host), false) if is_here(host) => {}
            _ => return Err(Refusal::Host),
        }
        match one(ORIGIN) {
            (None, _) => {}
            (Some(origin), false) if comes_from_here(origin) => {}
            _ => return Err(Refusal::Origin),
        }
        let bearer = match one(AUTHORIZATION) {
            (Some(value), false) => bearer(value),
            _ => None,
        };
        // The conformance suite can send no header of ours.
        let in_path = path
            .strip_prefix("/mcp/")
            .filter(|_| self.test_tools == TestTools::Offered);
        let said = in_path.or(bearer).unwrap_or_default();
        if !is_same(said.as_bytes(), self.token.as_bytes()) {
            return Err(Refusal::Token);
        }
        match path == PATH || in_path.is_some() {
            true => Ok(()),
            false => Err(Refusal::Path),
        }
    }
}

/// Whether a request may begin a session: it names none, and speaks a protocol that has them.
pub(super) fn may_begin(method: &Method, headers: &HeaderMap) -> bool {
    let version = headers.get("mcp-protocol-version");
    let version = version.and_then(|version| version.to_str().ok());
    let has_sessions = version
        .and_then(|version| serde_json::from_value::<ProtocolVersion>(version.into()).ok())
        .is_none_or(|version| version.has_initialize());
    method == Method::POST && !headers.contains_key("mcp-session-id") && has_sessions
}

fn is_here(host: &HeaderValue) -> bool {
    host.to_str().is_ok_and(is_loopback_name)
}

fn comes_from_here(origin: &HeaderValue) -> bool {
    let origin = origin.to_str().unwrap_or_default();
    let host = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    host.is_some_and(is_loopback_name)
}

fn is_loopback_name(authority: &str) -> bool {
    let parsed = authority.parse::<Authority>();
    // A name before an `@` is not the host.
    parsed.is_ok_and(|parsed| {
        !authority.contains('@')
            && LOOPBACK
                .iter()
                .any(|name| parsed.host().eq_ignore_ascii_case(name))
    })
}

fn bearer(value: &HeaderValue) -> Option<&str> {
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Compares in a time that does not tell how much was right.
fn is_same(said: &[u8], token: &[u8]) -> bool {
    let pairs = said.iter().zip(token);
    let difference = pairs.fold(0, |difference, (a, b)| difference | (a ^ b));
    !token.is_empty() && said.len() == token.len() && difference == 0
}

impl Refusal {
    pub(super) fn reply(self) -> Reply {
        let (status, text) = match self {
            Self::Host => (StatusCode::FORBIDDEN, "this machine is not called so"),
            Self::Origin => (
                StatusCode::FORBIDDEN,
                "pages from elsewhere have no business here",
            ),
            Self::Token => (
                StatusCode::UNAUTHORIZED,
                "send the token that was printed at start",
            ),
            Self::Path => (StatusCode::NOT_FOUND, "the server is at /mcp"),
            Self::Full => (
                StatusCode::SERVICE_UNAVAILABLE,
                "256 sessions are open, and there is no room for more: end one of them with DELETE, \
                 or start the server anew; who says nothing for an hour is forgotten",
            ),
        };
        let mut reply = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
        *reply.status_mut() = status;
        if self == Self::Token {
            let scheme = HeaderValue::from_static("Bearer realm=\"analects\"");
            reply.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        }
        reply
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(path: &str, headers: &[(&'static str, &str)]) -> Result<(), Refusal> {
        let gate = |test_tools| Gate {
            token: "secret".to_owned(),
            test_tools,
        };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        gate(TestTools::Hidden).judge(path, &map)
    }

    #[test]
    fn host_origin_and_token_are_asked_for_in_this_order() {
        let host = ("host", "127.0.0.1:8080");
        let token = ("authorization", "Bearer secret");
        assert_eq!(judge("/mcp", &[host, token]), Ok(()));
        assert_eq!(
            judge(
                "/mcp",
                &[("host", "LocalHost"), ("authorization", "bearer secret")]
            ),
            Ok(())
        );
        for origin in [
            "http://localhost:3000",
            "https://127.0.0.1",
            "http://[::1]:1",
        ] {
            assert_eq!(
                judge("/mcp", &[host, ("origin", origin), token]),
                Ok(()),
                "{origin}"
            );
        }
        assert_eq!(judge("/", &[host, token]), Err(Refusal::Path));
        assert_eq!(judge("/mcp/secret", &[host]), Err(Refusal::Token));
        assert_eq!(judge("/mcp", &[host]), Err(Refusal::Token));
        for wrong in [
            "Bearer secre",
            "Bearer secrets",
            "Basic secret",
            "secret",
            "Bearer ",
        ] {
            assert_eq!(
                judge("/mcp", &[host, ("authorization", wrong)]),
                Err(Refusal::Token),
                "{wrong}"
            );
        }
        for wrong in [
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost@evil.example",
            "127.0.0.2",
            "",
        ] {
            assert_eq!(
                judge("/mcp", &[("host", wrong), token]),
                Err(Refusal::Host),
                "{wrong}"
            );
        }
        assert_eq!(judge("/mcp", &[token]), Err(Refusal::Host));
        assert_eq!(
            judge("/mcp", &[host, ("host", "evil.example"), token]),
            Err(Refusal::Host)
        );
        for wrong in [
            "http://evil.example",
            "null",
            "http://localhost.evil.example",
            "http://localhost@evil.example",
            "ftp://localhost",
            "",
        ] {
            assert_eq!(
                judge("/mcp", &[host, ("origin", wrong), token]),
                Err(Refusal::Origin),
                "{wrong}"
            );
        }
    }
}
