//! Servers on this machine that nobody set up: whoever answers on a usual port.

use std::thread;

use analects_text::problem::Problem;
use analects_world::Cancel;
use analects_world::models::{Listed, Patience};

use super::offer;
use super::refusal::{self, Seen};
use super::server::{Provider, Server};
use super::wish::Wish;
use crate::models::address::Address;
use crate::settings::Settings;
use crate::settings::keys::model as setting;
use crate::verbs::Failure;
use crate::{World, codes};

/// More than this many are not looked for.
const MAX_SERVERS: usize = 16;

/// The first server in the order of `model.localServers` that answers and has what is wanted, with what it has.
///
/// All are asked at once: one that takes a connection and says nothing costs the time of one, not of all.
pub(super) fn find(
    world: &World<'_>,
    settings: &Settings,
    wish: &Wish,
    problems: &mut Vec<Problem>,
) -> Result<(Server, Vec<Listed>), Failure> {
    let mut doors = Vec::new();
    for server in servers(settings, problems) {
        let endpoint = server.endpoint(settings, Patience::KNOCK)?;
        doors.push((server, endpoint));
    }
    let mut seen = Vec::new();
    let cancel = Cancel::new();
    let found = thread::scope(|scope| {
        let (models, cancel) = (world.models, &cancel);
        let knocked: Vec<_> = doors
            .iter()
            .map(|(_, endpoint)| scope.spawn(move || models.list(endpoint, cancel)))
            .collect();
        let mut found = None;
        for (idx, knocked) in knocked.into_iter().enumerate() {
            let answer = knocked
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            match answer {
                _ if found.is_some() => {}
                Ok(listed) if offer::has(wish, &listed) => {
                    cancel.cancel();
                    found = Some((idx, listed));
                }
                Ok(listed) => seen.push((idx, listed)),
                Err(_) => {}
            }
        }
        found
    });
    let mut servers: Vec<_> = doors.into_iter().map(|(server, _)| server).collect();
    match found {
        Some((idx, listed)) => Ok((servers.swap_remove(idx), listed)),
        None => {
            let seen = seen.into_iter().filter_map(|(idx, listed)| {
                let name = servers.get(idx)?.name();
                Some(Seen { name, listed })
            });
            let places: Vec<_> = servers
                .iter()
                .map(|server| server.address.place())
                .collect();
            let only_here = wish.prefix == Some(Provider::Local)
                || Provider::named(settings.text(&setting::PROVIDER)) == Some(Provider::Local);
            let seen: Vec<_> = seen.collect();
            Err(refusal::nobody(wish, only_here, &places, &seen))
        }
    }
}

fn servers(settings: &Settings, problems: &mut Vec<Problem>) -> Vec<Server> {
    let mut servers = Vec::new();
    for text in settings
        .list(&setting::LOCAL_SERVERS)
        .iter()
        .take(MAX_SERVERS)
    {
        match Address::parse(text) {
            Ok(address) => {
                let because = format!("it answers at {}", address.place());
                servers.push(Server::local(address, because));
            }
            Err(wrong) => {
                let message = format!("an entry of `model.localServers` is no address: {wrong}");
                problems.push(Problem::new(&codes::BAD_SERVER, message));
            }
        }
    }
    servers
}
