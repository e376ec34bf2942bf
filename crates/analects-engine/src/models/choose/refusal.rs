//! Why no model is asked, in one sentence, and what to do about it. No value of a key or an address is shown.

use analects_world::models::{Fault, Listed};

use super::server::{Provider, Server};
use super::wish::Wish;
use crate::models::keys::Keys;
use crate::verbs::Failure;

const WHERE: &str = "in the environment, or as a line in `~/.gemini/.env` (`chmod 600`)";

/// How many models are named, and no more.
const MAX_NAMED: usize = 8;

/// A server that answered, and has something else.
pub(super) struct Seen {
    pub(super) name: String,
    pub(super) listed: Vec<Listed>,
}

/// The provider of a model is not set up.
pub(super) fn not_set_up(keys: &Keys, provider: Provider, wish: &Wish) -> Failure {
    let (key, _) = provider.variables();
    let (key, name) = (key.unwrap_or_default(), provider.name());
    let said = match wish.provider() {
        Some(_) => format!("`{}` is a model of {name}", wish.said),
        None => format!("`model.provider` is `{name}`"),
    };
    let failure = Failure::failed(format!("{said}, which is not set up: set {key}"));
    let failure = failure.hint(WHERE);
    let has_address =
        |other: &Provider| *other != provider && keys.get(other.variables().1).is_some();
    match Provider::ALL.into_iter().find(has_address) {
        Some(other) if wish.prefix.is_none() => {
            let url = other.variables().1;
            let other = other.name();
            failure.hint(format!(
                "`{other}:{}` asks the server of {url} for it",
                wish.name
            ))
        }
        _ => failure,
    }
}

/// Keys are set, but nobody is known to have such a model.
pub(super) fn nobody_knows(keys: &Keys, wish: &Wish) -> Failure {
    let said = &wish.said;
    let message = format!("nobody who is set up is known to have `{said}`");
    let mut failure = Failure::failed(message);
    for provider in Provider::ALL {
        let (key, _) = provider.variables();
        if key.is_some_and(|key| keys.get(key).is_some()) {
            let name = provider.name();
            failure = failure.hint(format!("`{name}:{said}` asks {name} all the same"));
        }
    }
    failure.hint(format!("`local:{said}` looks for it on this machine"))
}

/// Nothing is set, or only what is on this machine is wanted, and nobody here has what is wanted.
pub(super) fn nobody(wish: &Wish, only_here: bool, places: &[String], seen: &[Seen]) -> Failure {
    let mut failure = match (wish.is_alias, only_here) {
        (true, false) => Failure::failed(
            "no model is set up: set GEMINI_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY, or start a local server",
        )
        .hint(format!("keys stand {WHERE}")),
        (true, true) if seen.is_empty() => {
            Failure::failed("no server on this machine answers: start one")
        }
        (true, true) => Failure::failed("no server on this machine has a model to talk to"),
        (false, _) => Failure::failed(format!("no server on this machine has `{}`", wish.said)),
    };
    for seen in seen {
        let name = &seen.name;
        failure = failure.hint(match seen.listed.is_empty() {
            true => format!("{name} answers and has no model"),
            false => format!("{name} has {}", names(&seen.listed)),
        });
    }
    match places.is_empty() {
        true => failure.hint("`model.localServers` is empty, so none is looked for"),
        false => failure.hint(format!("looked for servers at {}", places.join(", "))),
    }
}

/// A server that is set up does not tell what it has.
pub(super) fn is_silent(server: &Server, fault: &Fault) -> Failure {
    let (because, name) = (&server.because, server.name());
    Failure::failed(format!("{name} does not tell which models it has: {fault}")).hint(format!(
        "{because}; `--model` or `model.name` names a model without asking"
    ))
}

/// A server that is set up has nothing.
pub(super) fn has_none(server: &Server) -> Failure {
    Failure::failed(format!("{} has no model to talk to", server.name()))
}

/// A server that is paid for has many.
pub(super) fn has_many(server: &Server, listed: &[Listed]) -> Failure {
    let message = format!(
        "{} has many models: name one with `--model` or `model.name`",
        server.name()
    );
    Failure::failed(message).hint(format!("it has {}", names(listed)))
}

/// A key would travel in the open.
pub(super) fn in_the_open(key: &str, url: &str) -> Failure {
    Failure::failed(format!(
        "`{url}` is plain http to another machine, and everybody on the way could read {key}"
    ))
    .hint("use https, or a tunnel that ends on this machine")
    .hint("`model.allowInsecure` sends it all the same")
}

fn names(listed: &[Listed]) -> String {
    let shown: Vec<_> = listed
        .iter()
        .take(MAX_NAMED)
        .map(|listed| format!("`{}`", listed.name.chars().take(60).collect::<String>()))
        .collect();
    let more = listed.len().saturating_sub(MAX_NAMED);
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
