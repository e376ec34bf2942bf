//! What went wrong with a server, in words that name no secret.

use std::error::Error;

use analects_world::servers::{Reach, Server, Trouble};
use reqwest::Url;
use rmcp::ServiceError;
use rmcp::service::ClientInitializeError;
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::carrier::Lost;
use super::sieve::Sieve;
use crate::http_models::scrub;

/// Variables that every program has; there are no secrets in them, and paths are full of their values.
const OPEN: [&str; 13] = [
    "HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "PWD", "SHELL", "SHLVL", "TERM", "TMPDIR", "TZ",
    "USER", "_",
];
/// What is shorter stands in many words, and keeps no secret.
const MIN_BYTES: usize = 6;

/// What must not be repeated, the longest first.
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    pub(super) fn of(server: &Server) -> Self {
        let mut all: Vec<String> = match &server.reach {
            Reach::Program { vars, .. } => {
                let vars = vars.iter();
                let kept = vars.filter(|(name, _)| !OPEN.contains(&name.as_str()));
                kept.map(|(_, value)| value.clone()).collect()
            }
            Reach::Http { url, headers } => {
                let whole = headers.values().map(String::as_str);
                let words = headers.values().flat_map(|value| value.split_whitespace());
                let mut all: Vec<_> = whole.chain(words).map(str::to_owned).collect();
                all.extend(Url::parse(url).ok().iter().flat_map(in_address));
                all
            }
        };
        all.retain(|secret| secret.len() >= MIN_BYTES);
        all.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        all.dedup();
        Self(all)
    }

    /// The trouble, without anything that must not be repeated.
    pub(super) fn scrubbed(&self, trouble: Trouble) -> Trouble {
        let clean = |words: String| scrub::without(&words, self.0.iter().map(String::as_str));
        match trouble {
            Trouble::Unreachable(words) => Trouble::Unreachable(clean(words)),
            Trouble::Gone(words) => Trouble::Gone(clean(words)),
            Trouble::Nonsense(words) => Trouble::Nonsense(clean(words)),
            Trouble::Refused(words) => Trouble::Refused(clean(words)),
            Trouble::TimedOut(_) | Trouble::Cancelled => trouble,
        }
    }

    /// The trouble with a program that is gone, with the last that it complained of.
    pub(super) fn with_complaint(&self, trouble: Trouble, complaint: &str) -> Trouble {
        let last = complaint.lines().rev().find(|line| !line.trim().is_empty());
        match (trouble, last) {
            (Trouble::Gone(words), Some(last)) => {
                self.scrubbed(Trouble::Gone(format!("{words}; it said: {last}")))
            }
            (trouble, _) => trouble,
        }
    }
}

fn in_address(url: &Url) -> Vec<String> {
    let mut all: Vec<String> = url.query().map(str::to_owned).into_iter().collect();
    all.extend(url.query_pairs().map(|(_, value)| value.into_owned()));
    all.extend(url.password().map(str::to_owned));
    all.push(url.username().to_owned());
    all
}

/// Why no hands were shaken.
pub(super) fn of_meeting(error: &ClientInitializeError, sieve: &Sieve) -> Trouble {
    if let Some(why) = sieve.ended() {
        return Trouble::Nonsense(why);
    }
    match error {
        ClientInitializeError::JsonRpcError(error) => Trouble::Refused(error.message.to_string()),
        ClientInitializeError::ConnectionClosed(_) => {
            Trouble::Gone("it ended before it said what it is".to_owned())
        }
        ClientInitializeError::TransportError { error, .. } => of_transport(error),
        ClientInitializeError::ConflictInitResponseId(..)
        | ClientInitializeError::UncorrelatedErrorResponse { .. } => {
            Trouble::Nonsense("it answers what nobody asked".to_owned())
        }
        ClientInitializeError::Cancelled => Trouble::Cancelled,
        _ => Trouble::Nonsense("it does not say what it is".to_owned()),
    }
}

/// Why nothing came of a request.
pub(super) fn of_request(error: &ServiceError, sieve: &Sieve) -> Trouble {
    if let Some(why) = sieve.ended() {
        return Trouble::Nonsense(why);
    }
    match error {
        ServiceError::McpError(error) => Trouble::Refused(error.message.to_string()),
        ServiceError::TransportSend(error) => of_transport(error),
        ServiceError::TransportClosed => gone(),
        ServiceError::Cancelled { .. } => Trouble::Cancelled,
        _ => Trouble::Nonsense("it answers something else".to_owned()),
    }
}

pub(super) fn gone() -> Trouble {
    Trouble::Gone("it hung up".to_owned())
}

fn of_transport(error: &DynamicTransportError) -> Trouble {
    let error: &(dyn Error + 'static) = error.error.as_ref();
    match error.downcast_ref::<StreamableHttpError<Lost>>() {
        Some(StreamableHttpError::Client(Lost::Refused(words))) => Trouble::Refused(words.clone()),
        Some(StreamableHttpError::Client(lost)) => Trouble::Unreachable(lost.to_string()),
        Some(StreamableHttpError::SessionExpired) => {
            Trouble::Gone("it does not know us any more".to_owned())
        }
        Some(_) => Trouble::Nonsense("its answer is no MCP".to_owned()),
        None => gone(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn no_header_no_variable_and_no_part_of_an_address_is_repeated() {
        let map = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
            let pairs = pairs.iter();
            pairs
                .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
                .collect()
        };
        let server = |reach| Server {
            name: "pond".to_owned(),
            reach,
            roots: Vec::new(),
            timeout_ms: 1,
        };
        let http = server(Reach::Http {
            url: "http://me:passwort@a.example/mcp?key=q-geheim".to_owned(),
            headers: map(&[("Authorization", "Bearer t-geheim")]),
        });
        let program = server(Reach::Program {
            command: "x".to_owned(),
            args: Vec::new(),
            dir: analects_world::AbsPath::root(),
            vars: map(&[("TOKEN", "v-geheim"), ("HOME", "/home/u")]),
        });
        for (server, said, shown) in [
            (
                &http,
                "no: t-geheim, key=q-geheim, q-geheim, passwort",
                "no: [key], [key], [key], [key]",
            ),
            (&http, "Bearer t-geheim\n", "[key]"),
            (
                &program,
                "bad v-gehe\u{200b}im in /home/u/x.py",
                "bad [key] in /home/u/x.py",
            ),
        ] {
            let trouble = Secrets::of(server).scrubbed(Trouble::Gone(said.to_owned()));
            assert_eq!(trouble, Trouble::Gone(shown.to_owned()));
        }
    }

    #[test]
    fn a_program_that_is_gone_has_the_last_word() {
        let secrets = Secrets(vec!["v-geheim".to_owned()]);
        let gone = Trouble::Gone("it hung up".to_owned());
        let told = secrets.with_complaint(gone, "Traceback\nKeyError: v-geheim\n\n");
        let expected = "it hung up; it said: KeyError: [key]".to_owned();
        assert_eq!(told, Trouble::Gone(expected));
        assert_eq!(
            secrets.with_complaint(Trouble::TimedOut(3), "x"),
            Trouble::TimedOut(3)
        );
    }
}
