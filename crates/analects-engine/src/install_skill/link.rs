//! Linking: a skill that is being written elsewhere is used from there.

use analects_skill::{Refused, folder, install, offer, skill};
use analects_world::AbsPath;
use analects_world::files::{Files, Want, Within};

use super::{About, Asking, Outcome, failure, only_failure, shelf, unnamed};
use crate::World;
use crate::load_memory::Prepared;
use crate::secrets::Guarded;
use crate::skills::Scope;
use crate::verbs::{Failure, Flags};

/// What was linked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Linked {
    /// The directory that was named, links resolved.
    pub path: AbsPath,
    /// One skill after the other.
    pub outcomes: Vec<Outcome>,
    /// What was not looked into, a fragment each.
    pub notes: Vec<String>,
}

/// Links every skill of a directory, each one by itself. What is there already stays: a second skill of a name is
/// refused.
pub(crate) fn link(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    said: &str,
    scope: Scope,
    who: &str,
) -> Result<Linked, Failure> {
    let shelf = shelf(world, prepared, scope)?;
    let given = world.around.resolve(said);
    let path = world
        .files
        .real(&given)
        .map_err(|trouble| Failure::bad_input(format!("`{given}` cannot be read: {trouble}")))?;
    let (found, notes) = offer::find(world.files, &path);
    if found.is_empty() {
        return Err(
            Failure::bad_input(format!("there is no SKILL.md in `{path}`"))
                .hint("`link` takes the directory of a skill, or one of several skills"),
        );
    }
    let asking = Asking {
        world,
        flags,
        prepared,
        shelf: &shelf,
        scope,
        who,
    };
    // A link stores no text.
    let guarded = Guarded { allowed: &[] };
    let one = |dir: &AbsPath| {
        let head = match head(world.files, dir) {
            Ok(head) => head,
            Err(refused) => return unnamed(dir.as_str(), failure(dir.as_str(), &refused)),
        };
        let about = About {
            name: &head.name,
            description: &head.description,
        };
        let why = format!("link the skill {} to {dir}", head.name);
        asking.outcome("Link", about, &why, &guarded, &mut |files| {
            let settled = install::link(files, &shelf, &head.name, dir);
            settled.map_err(|refused| in_the_way(&head.name, &refused))
        })
    };
    let outcomes: Vec<_> = found.iter().map(one).collect();
    only_failure(&outcomes)?;
    Ok(Linked {
        path,
        outcomes,
        notes,
    })
}

/// A skill in the way of a link is never replaced by it.
fn in_the_way(name: &str, refused: &Refused) -> Failure {
    match refused {
        Refused::SkillExists { .. } => Failure::failed(refused.to_string()).hint(format!(
            "take it away first: `analects skill uninstall {name}`"
        )),
        _ => failure(name, refused),
    }
}

/// What a skill says of itself, if it can be used at all.
fn head(files: &dyn Files, dir: &AbsPath) -> Result<skill::Draft, Refused> {
    let path = dir.join(skill::FILE);
    let want = Want {
        path: &path,
        within: Within::Root(dir),
        limit_bytes: folder::MAX_FILE_BYTES,
    };
    let blob = files
        .read_one(want)
        .map_err(|trouble| Refused::Unreadable {
            path: path.clone(),
            why: trouble.to_string(),
        })?;
    let text = String::from_utf8_lossy(&blob.bytes);
    let name = skill::read(&text, "").name;
    let draft = skill::read(&text, &name);
    if skill::is_name(&draft.name) && !draft.description.is_empty() {
        return Ok(draft);
    }
    let fault = draft.faults.first();
    let fault = fault.map(|fault| format!("{}:{}: {}", skill::FILE, fault.line, fault.why));
    Err(Refused::BadSkill(fault.unwrap_or_default()))
}
