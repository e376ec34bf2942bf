//! Which of its models a server is asked for, and how much that one takes.

use analects_text::problem::Problem;
use analects_world::Cancel;
use analects_world::models::{Fault, Listed, Patience, Wire};

use super::server::Server;
use super::wish::{self, Wish};
use super::{Chosen, refusal};
use crate::models::known::{self, Size};
use crate::settings::Settings;
use crate::settings::keys::model as setting;
use crate::verbs::Failure;
use crate::{World, codes};

/// The choice, once the server is known. `listed` is what it has, if somebody asked already.
pub(super) fn at(
    world: &World<'_>,
    settings: &Settings,
    server: &Server,
    wish: &Wish,
    listed: Option<Vec<Listed>>,
) -> Result<Chosen, Failure> {
    let endpoint = server.endpoint(settings, talk(settings))?;
    let wire = endpoint.wire;
    let (model, size) = match server.is_makers {
        true => {
            let model = wish.name_at(wire);
            let size = known::size(wire, &model);
            (model, size)
        }
        false => at_ones_own(world, settings, server, wish, listed)?,
    };
    if wire == Wire::Gemini {
        wish::fits_a_path(&model)?;
    }
    let mut problems = Vec::new();
    if server.address.is_open() {
        let message = format!("{} is spoken to over plain http", server.name());
        problems.push(Problem::new(&codes::OPEN_WIRE, message));
    }
    Ok(Chosen {
        endpoint,
        alias: wish.alias.clone(),
        provider: server.name(),
        window_tokens: window(settings, &model).unwrap_or(size.window),
        output_tokens: size.output,
        why: server.because.clone(),
        model,
        problems,
    })
}

/// What somebody set for a model.
pub(super) fn window(settings: &Settings, name: &str) -> Option<usize> {
    settings.budgets(&setting::WINDOWS)?.get(name).copied()
}

/// Whether a server that has these has what is wanted.
pub(super) fn has(wish: &Wish, listed: &[Listed]) -> bool {
    match wish.is_alias {
        true => listed.iter().any(talks),
        false => find(wish, listed).is_some(),
    }
}

/// How long an answer may take.
fn talk(settings: &Settings) -> Patience {
    let secs = settings.count(&setting::TIMEOUT_SECS);
    let whole_ms = secs.map_or(Patience::TALK.whole_ms, |secs| secs as u64 * 1000);
    Patience {
        connect_ms: Patience::TALK.connect_ms.min(whole_ms),
        first_ms: Patience::TALK.first_ms.min(whole_ms),
        idle_ms: Patience::TALK.idle_ms.min(whole_ms),
        whole_ms,
    }
}

/// At a server that may have any model: it is asked which, unless somebody named one that is known.
fn at_ones_own(
    world: &World<'_>,
    settings: &Settings,
    server: &Server,
    wish: &Wish,
    listed: Option<Vec<Listed>>,
) -> Result<(String, Size), Failure> {
    let is_here = server.address.is_here();
    // What a model takes on this machine is for its server to say: memory is dear.
    let known = known::of(&wish.name).filter(|_| !wish.is_alias && !is_here);
    let is_clear = known.is_some() || window(settings, &wish.name).is_some();
    let listed = match listed {
        Some(listed) => Ok(listed),
        None if is_clear => Ok(Vec::new()),
        None => ask(world, settings, server)?,
    };
    let makers = wish.name_at(server.provider.wire());
    let (name, told) = match (wish.is_alias, listed) {
        // Whoever wants a key speaks for a maker, even if it does not tell what it has.
        (true, Err(_)) if server.key.is_some() => return Ok(makers_own(server, makers)),
        (true, Err(fault)) => return Err(refusal::is_silent(server, &fault)),
        (true, Ok(listed)) if server.key.is_some() && is_makers(&listed, &makers) => {
            return Ok(makers_own(server, makers));
        }
        (true, Ok(listed)) => {
            let best = best(server, &listed)?;
            (best.name.clone(), best.window_tokens)
        }
        // It may have models that it does not list, or no list.
        (false, listed) => match find(wish, &listed.unwrap_or_default()) {
            Some(listed) => (listed.name.clone(), listed.window_tokens),
            None => (wish.name.clone(), None),
        },
    };
    let usual = match is_here {
        true => known::LOCAL_WINDOW,
        false => known::size(server.provider.wire(), &name).window,
    };
    let told = told.and_then(|tokens| usize::try_from(tokens).ok());
    let told = told.filter(|tokens| PLAUSIBLE.contains(tokens));
    let size = known.unwrap_or(Size {
        window: told.unwrap_or(usual),
        output: None,
    });
    Ok((name, size))
}

/// The maker's model by its own name, as on the way over a gateway.
fn makers_own(server: &Server, name: String) -> (String, Size) {
    let size = known::size(server.provider.wire(), &name);
    (name, size)
}

/// Whether a list is that of a gateway to the maker: it has the maker's model, or tells of none at all.
fn is_makers(listed: &[Listed], makers: &str) -> bool {
    listed.iter().any(|listed| listed.name == makers) || !listed.iter().any(talks)
}

/// Windows that a server may claim to have.
const PLAUSIBLE: std::ops::RangeInclusive<usize> = 256..=100_000_000;

/// The outer trouble is ours, the inner one the server's.
fn ask(
    world: &World<'_>,
    settings: &Settings,
    server: &Server,
) -> Result<Result<Vec<Listed>, Fault>, Failure> {
    let patience = match server.address.is_here() {
        true => Patience::KNOCK,
        false => ACROSS_THE_NET,
    };
    let endpoint = server.endpoint(settings, patience)?;
    Ok(world.models.list(&endpoint, &Cancel::new()))
}

/// For a list of models from another machine, for which somebody waits.
const ACROSS_THE_NET: Patience = Patience {
    connect_ms: 3_000,
    first_ms: 5_000,
    idle_ms: 5_000,
    whole_ms: 10_000,
};

/// The model that an alias means at a server of one's own: the first one. Where a key is paid for, nobody but the user
/// chooses among many.
fn best<'a>(server: &Server, listed: &'a [Listed]) -> Result<&'a Listed, Failure> {
    let mut talking = listed.iter().filter(|listed| talks(listed));
    match (talking.next(), talking.next()) {
        (None, _) => Err(refusal::has_none(server)),
        (Some(_), Some(_)) if server.key.is_some() => Err(refusal::has_many(server, listed)),
        (Some(first), _) => Ok(first),
    }
}

/// Whether it is a model to talk to. Those that only measure texts stand in the same lists.
fn talks(listed: &Listed) -> bool {
    let name = listed.name.to_lowercase();
    !listed.name.is_empty() && !["embed", "rerank"].iter().any(|word| name.contains(word))
}

fn find<'a>(wish: &Wish, listed: &'a [Listed]) -> Option<&'a Listed> {
    let is_it = |listed: &&Listed| {
        // What Ollama calls `qwen3:latest`, people call `qwen3`.
        let latest = listed.name.strip_suffix(":latest");
        listed.name == wish.name || latest == Some(&wish.name)
    };
    listed.iter().find(is_it)
}
