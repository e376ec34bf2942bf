//! Rewrites our entries in a file and leaves everything else as it was.

use analects_world::Agent;

use super::draft::Draft;
use super::ours::{self, NAME, Spot};
use super::wanted::{Config, Hook, object};
use crate::json_edit::{Json, Step};
use crate::jsonc::{Bad, Item};

/// What was made around our entries: the ways to objects and lists that were not there before.
pub(super) type Made = Vec<Vec<String>>;

/// What a server of our name said before us, where we changed it.
pub(super) type Former = Vec<(String, Json)>;

/// A text that says what `config` wants; the same text if it said so before.
///
/// What holds nothing once our entries are gone goes too if `made` names it.
pub(super) fn rewire(text: &str, host: Agent, config: &Config, made: &Made) -> Result<String, Bad> {
    let mut draft = Draft::new(config.format, text)?;
    remove_unwanted(&mut draft, host, config, made)?;
    if let (Some(table), Some(members)) = (config.table, &config.server) {
        wire_server(&mut draft, table, members)?;
    }
    for hook in &config.hooks {
        wire_hook(&mut draft, host, hook)?;
    }
    Ok(draft.into_text())
}

/// What a server of our name that is somebody's own says where we are about to change it.
pub(super) fn former(before: &Item, config: &Config) -> Option<Former> {
    let known = ours::server(before, config)?;
    let ours = config.server.as_ref()?;
    // One that is started keeps what we do not name; any other gives way as a whole.
    let is_started = known.get("command").is_some();
    let is_changed = |name: &str| !is_started || ours.iter().any(|(ours, _)| *ours == name);
    let members = known.object()?.iter();
    let members = members.filter(|(name, _)| is_changed(name));
    members
        .map(|(name, item)| Some((name.clone(), Json::of(item)?)))
        .collect()
}

/// A text in which our server is again what it was before us; the same text if it is not ours any more.
pub(super) fn give_back(text: &str, config: &Config, former: &Former) -> Result<String, Bad> {
    let mut draft = Draft::new(config.format, text)?;
    let root = draft.root()?;
    let server = ours::server(&root, config).filter(|server| ours::is_our_server(server));
    let (Some(table), Some(server)) = (config.table, server) else {
        return Ok(text.to_owned());
    };
    let way = |name| [Step::Key(table), Step::Key(NAME), Step::Key(name)];
    for (name, value) in former {
        if !server
            .get(name)
            .is_some_and(|known| value.is_said_by(known))
        {
            draft.set(&way(name), value)?;
        }
    }
    for (name, _) in config.server.iter().flatten() {
        let is_former = former.iter().any(|(former, _)| former == name);
        if !is_former && server.get(name).is_some() {
            draft.remove(&way(name))?;
        }
    }
    Ok(draft.into_text())
}

/// The objects and lists around our entries that `after` has and `before` has not.
pub(super) fn made(before: &Item, after: &Item, config: &Config) -> Made {
    let table = config.table.map(|table| vec![table]);
    let lists = config.hooks.iter().map(|hook| vec!["hooks", hook.event]);
    let ways = table.into_iter().chain([vec!["hooks"]]).chain(lists);
    ways.filter(|way| at(before, way).is_none() && at(after, way).is_some())
        .map(|way| way.into_iter().map(str::to_owned).collect())
        .collect()
}

fn remove_unwanted(
    draft: &mut Draft,
    host: Agent,
    config: &Config,
    made: &Made,
) -> Result<(), Bad> {
    let root = draft.root()?;
    let mut emptied: Vec<Vec<String>> = Vec::new();
    let spots = ours::spots(&root, host);
    let is_wanted = |index: usize, spot: &Spot| {
        let is_first = !spots.iter().take(index).any(|s| s.event == spot.event);
        is_first && config.hooks.iter().any(|hook| hook.event == spot.event)
    };
    // From the last to the first, so that those before keep their places.
    for (index, spot) in spots.iter().enumerate().rev() {
        if !is_wanted(index, spot) {
            remove_hook(draft, host, spot)?;
            emptied.push(vec!["hooks".to_owned(), spot.event.clone()]);
            emptied.push(vec!["hooks".to_owned()]);
        }
    }
    let server = ours::server(&root, config).filter(|server| ours::is_our_server(server));
    if let (Some(table), None, Some(_)) = (config.table, &config.server, server) {
        draft.remove(&[Step::Key(table), Step::Key(NAME)])?;
        emptied.push(vec![table.to_owned()]);
    }
    emptied.sort_by_key(|way| std::cmp::Reverse(way.len()));
    for way in emptied.iter().filter(|way| made.contains(way)) {
        let way: Vec<_> = way.iter().map(|name| Step::Key(name)).collect();
        if draft.is_bare(&way)? {
            draft.remove(&way)?;
        }
    }
    Ok(())
}

/// Removes a handler, and the element around it once no handler is left.
fn remove_hook(draft: &mut Draft, host: Agent, spot: &Spot) -> Result<(), Bad> {
    let event = [Step::Key("hooks"), Step::Key(&spot.event)];
    let group = [event[0], event[1], Step::At(spot.group)];
    // Another of ours in the same element may be gone by now.
    let root = draft.root()?;
    let now = ours::spots(&root, host).into_iter();
    let is_alone = now
        .filter(|now| {
            (&now.event, now.group, now.handler) == (&spot.event, spot.group, spot.handler)
        })
        .any(|now| now.is_alone);
    if is_alone {
        draft.remove(&group)
    } else {
        let handlers = Step::Key("hooks");
        draft.remove(&[
            group[0],
            group[1],
            group[2],
            handlers,
            Step::At(spot.handler),
        ])
    }
}

fn wire_server(
    draft: &mut Draft,
    table: &str,
    members: &[(&'static str, Json)],
) -> Result<(), Bad> {
    let way = [Step::Key(table), Step::Key(NAME)];
    let root = draft.root()?;
    let known = root.get(table).and_then(|table| table.get(NAME));
    match known {
        // What the user added to it stays; a server that is reached otherwise is another one.
        Some(known) if known.get("command").is_some() => set_members(draft, &way, known, members),
        _ => draft.set(&way, &object(&members.to_vec())),
    }
}

fn wire_hook(draft: &mut Draft, host: Agent, hook: &Hook) -> Result<(), Bad> {
    let list = [Step::Key("hooks"), Step::Key(hook.event)];
    let root = draft.root()?;
    let mut spots = ours::spots(&root, host).into_iter();
    let spot = spots.find(|spot| spot.event == hook.event);
    let Some(spot) = spot else {
        if at(&root, &["hooks", hook.event]).is_some() {
            return draft.push(&list, &hook.group());
        }
        return draft.set(&list, &Json::List(vec![hook.group()]));
    };
    let Some((group, handler)) = ours::hook_at(&root, &spot) else {
        return Ok(());
    };
    let way = [list[0], list[1], Step::At(spot.group)];
    let matcher = [way[0], way[1], way[2], Step::Key("matcher")];
    match (hook.matcher, group.get("matcher")) {
        // The others who share the element have a say in when it counts.
        _ if !spot.is_alone => {}
        (Some(wanted), known) => {
            let wanted = Json::Text(wanted.to_owned());
            if !known.is_some_and(|known| wanted.is_said_by(known)) {
                draft.set(&matcher, &wanted)?;
            }
        }
        (None, Some(_)) => draft.remove(&matcher)?,
        (None, None) => {}
    }
    let handlers = [
        way[0],
        way[1],
        way[2],
        Step::Key("hooks"),
        Step::At(spot.handler),
    ];
    let members = ours::wanted_of(handler, hook, host);
    set_members(draft, &handlers, handler, &members)
}

/// Sets those members that say something else.
fn set_members(
    draft: &mut Draft,
    way: &[Step<'_>],
    known: &Item,
    members: &[(&'static str, Json)],
) -> Result<(), Bad> {
    for (name, value) in members {
        let known = known.get(name);
        if !known.is_some_and(|known| value.is_said_by(known)) {
            let way: Vec<_> = way.iter().copied().chain([Step::Key(name)]).collect();
            draft.set(&way, value)?;
        }
    }
    Ok(())
}

fn at<'a>(root: &'a Item, way: &[&str]) -> Option<&'a Item> {
    way.iter().try_fold(root, |item, name| item.get(name))
}
