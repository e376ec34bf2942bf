//! Skills from elsewhere: installed, linked, and taken away again.
//!
//! A skill is instructions that an agent will follow. So all of it is shown before it is written, secrets are not
//! stored, and every commit can be taken back with `memory undo`.

mod gather;
mod link;
mod source;
mod uninstall;

use analects_memory::discover::Trust;
use analects_skill::Refused;
use analects_skill::catalog::Tier;
use analects_skill::inbox::Settled;
use analects_skill::install::{self, Shelf};
use analects_skill::offer::Offer;
use analects_text::sanitize::one_line;
use analects_world::AbsPath;
use analects_world::changes::Changes;
use analects_world::files::Files;

use crate::consent::{self, Decided, Proposed};
use crate::load_memory::Prepared;
use crate::secrets::{self, Guarded, Refusal};
use crate::skills::Scope;
use crate::verbs::{Failure, Flags};
use crate::write::Before;
use crate::{World, remember, skills};

pub(crate) use analects_skill::install::Over;
pub(crate) use gather::{Kind, Origin};
pub(crate) use link::link;
pub(crate) use uninstall::uninstall;

/// What is to be installed, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish<'a> {
    /// A directory, a repository or a package, as the person names it.
    pub source: &'a str,
    /// The branch or tag of a repository.
    pub reference: Option<&'a str>,
    /// The directory inside it to look in.
    pub path: Option<&'a str>,
    /// Whose it becomes.
    pub scope: Scope,
    /// What becomes of a skill of that name.
    pub over: Over,
    /// Fingerprints of findings that are no secrets.
    pub allowed: &'a [String],
    /// Who asks, for the journal.
    pub who: &'a str,
}

/// What was installed, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Installed {
    /// Where it came from.
    pub origin: Origin,
    /// One skill after the other.
    pub outcomes: Vec<Outcome>,
    /// What is worth knowing of the source, a fragment each.
    pub notes: Vec<String>,
}

/// What became of one skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// What it is called; where it lies in its source, if it has no name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Where it is then.
    pub path: Option<AbsPath>,
    /// What speaks against it.
    pub doubts: Vec<String>,
    /// Whether it was written, or why not.
    pub result: Result<Decided, Failure>,
}

/// Installs every skill of a source, each one by itself: it is shown, the person agrees, and one commit writes it.
///
/// What goes wrong with the only one is a failure; with one of many it is told, and the others are installed.
pub(crate) fn install(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    wish: Wish<'_>,
) -> Result<Installed, Failure> {
    let shelf = shelf(world, prepared, wish.scope)?;
    let source = source::understand(world, wish.source, wish.reference)?;
    let gathered = gather::gather(world, &source, wish.path)?;
    let asking = Asking {
        world,
        flags,
        prepared,
        shelf: &shelf,
        scope: wish.scope,
        who: wish.who,
    };
    let allowed = remember::allowed(prepared, wish.allowed);
    let guarded = Guarded { allowed: &allowed };
    let mut outcomes: Vec<Outcome> = Vec::new();
    for (place, offer) in &gathered.offers {
        let outcome = match offer {
            Err(refused) => unnamed(place, failure(place, refused)),
            Ok(offer) if outcomes.iter().any(|other| other.name == offer.name) => {
                let why = format!(
                    "another skill of this source is called `{}`, too",
                    offer.name
                );
                unnamed(
                    place,
                    Failure::failed(why).hint("choose one of them with `--path`"),
                )
            }
            Ok(offer) => {
                let why = format!(
                    "install the skill {} from {}",
                    offer.name,
                    gathered.origin.told()
                );
                asking.outcome(
                    "Install",
                    About::from(offer),
                    &why,
                    &guarded,
                    &mut |files| {
                        let settled = install::install(files, &shelf, offer, wish.over);
                        settled.map_err(|refused| failure(&offer.name, &refused))
                    },
                )
            }
        };
        outcomes.push(outcome);
    }
    only_failure(&outcomes)?;
    Ok(Installed {
        origin: gathered.origin,
        outcomes,
        notes: gathered.notes,
    })
}

/// What goes wrong with the only one of its kind is a failure of the whole.
fn only_failure(outcomes: &[Outcome]) -> Result<(), Failure> {
    match outcomes {
        [
            Outcome {
                result: Err(failure),
                ..
            },
        ] => Err(failure.clone()),
        _ => Ok(()),
    }
}

fn unnamed(place: &str, failure: Failure) -> Outcome {
    Outcome {
        name: place.to_owned(),
        description: String::new(),
        path: None,
        doubts: Vec::new(),
        result: Err(failure),
    }
}

/// All that is the same for every skill that somebody is asked about.
struct Asking<'a> {
    world: &'a World<'a>,
    flags: &'a Flags,
    prepared: &'a Prepared,
    shelf: &'a Shelf,
    scope: Scope,
    who: &'a str,
}

/// What a skill says of itself.
#[derive(Clone, Copy)]
struct About<'a> {
    name: &'a str,
    description: &'a str,
}

impl<'a> From<&'a Offer> for About<'a> {
    fn from(offer: &'a Offer) -> Self {
        Self {
            name: &offer.name,
            description: &offer.description,
        }
    }
}

impl Asking<'_> {
    /// Shows what would have to change, and does it once the person agrees.
    fn outcome(
        &self,
        deed: &str,
        about: About<'_>,
        why: &str,
        guarded: &Guarded<'_>,
        settle: &mut dyn FnMut(&dyn Files) -> Result<Settled, Failure>,
    ) -> Outcome {
        let name = about.name;
        let (whose, what) = (told(self.scope), shortened(about.description));
        let title = format!("{deed} the skill {name} {whose}: {what}");
        let rivals = rivals(self.world, self.prepared, self.scope, name);
        let mut doubts = Vec::new();
        let mut plan = |files: &dyn Files| {
            let mut settled = settle(files)?;
            settled.doubts.extend(rivals.iter().cloned());
            let mut proposed = proposed(&title, why, self.who, settled);
            proposed
                .doubts
                .extend(lost_secret(files, &proposed.changes)?);
            doubts.clone_from(&proposed.doubts);
            Ok(proposed)
        };
        let result = agree(self.world, self.flags, guarded, name, &mut plan);
        Outcome {
            name: name.to_owned(),
            description: about.description.to_owned(),
            path: Some(self.shelf.dir.join(name)),
            doubts,
            result,
        }
    }
}

/// For whom, in a few words.
fn told(scope: Scope) -> &'static str {
    match scope {
        Scope::User => "for every project",
        Scope::Project => "for this project",
    }
}

fn proposed(title: &str, why: &str, who: &str, settled: Settled) -> Proposed {
    let mut changes = Changes::new(who, why, settled.changes);
    changes.emptied = settled.emptied;
    Proposed {
        title: title.to_owned(),
        // A setting never agrees in the person's place: instructions are there to be looked at.
        is_unwanted: false,
        doubts: settled.doubts,
        changes,
    }
}

/// What is said where something goes that the journal does not keep.
fn lost_secret(files: &dyn Files, changes: &Changes) -> Result<Option<String>, Failure> {
    let before = Before::read(files, changes)?;
    let is_lost =
        |(old, change): (Option<&[u8]>, _)| old.is_some() && secrets::touches_secret(old, change);
    let doubt =
        "there is what looks like a secret in it, which is not kept: this cannot be taken back";
    Ok(before.of(changes).any(is_lost).then(|| doubt.to_owned()))
}

/// Shows what `plan` answers, and commits it once the person agrees; nothing that looks like a secret is stored.
fn agree(
    world: &World<'_>,
    flags: &Flags,
    guarded: &Guarded<'_>,
    name: &str,
    plan: &mut dyn FnMut(&dyn Files) -> Result<Proposed, Failure>,
) -> Result<Decided, Failure> {
    let mut checked = |files: &dyn Files| {
        let proposed = plan(files)?;
        refuse_secrets(files, guarded, name, &proposed.changes)?;
        Ok(proposed)
    };
    consent::ask_person(world, flags, guarded, &mut checked)
}

fn refuse_secrets(
    files: &dyn Files,
    guarded: &Guarded<'_>,
    name: &str,
    changes: &Changes,
) -> Result<(), Failure> {
    guarded.refuse_added(files, changes, &|change| Refusal {
        place: format!("`{}` of the skill `{name}`", change.path.file_name()),
        way_out: "take it out of the source first".to_owned(),
    })
}

/// Where skills of that scope lie.
fn shelf(world: &World<'_>, prepared: &Prepared, scope: Scope) -> Result<Shelf, Failure> {
    if scope == Scope::User {
        let [dir, _] = skills::user_dirs(world);
        return Ok(Shelf { dir, within: None });
    }
    let root = &prepared.root;
    if world.files.real_or_same(root) == world.files.real_or_same(&world.around.home) {
        return Err(Failure::bad_input("your home is no project")
            .hint("leave out `--scope`: then the skill is yours, in every project"));
    }
    if prepared.decision.trust != Trust::Trusted {
        let message = "this folder is not trusted, so its skills are not written";
        return Err(Failure::failed(message)
            .hint("trust it with `analects trust add`, or for this run with `--trust`"));
    }
    let [dir, _] = skills::project_dirs(root);
    Ok(Shelf {
        dir,
        within: Some(root.clone()),
    })
}

/// What other skills of that name mean for a new one.
fn rivals(world: &World<'_>, prepared: &Prepared, scope: Scope, name: &str) -> Vec<String> {
    let tier = match scope {
        Scope::User => Tier::User,
        Scope::Project => Tier::Project,
    };
    let found = skills::find(world, prepared);
    let all = found.catalog.skills.iter().chain(&found.catalog.overruled);
    let rivals = all.filter(|skill| skill.name == name && skill.tier != tier);
    let tell = |skill: &analects_skill::catalog::Skill| {
        let place = skill.location();
        match skill.tier > tier {
            true => format!("it is not used here: another one of its name counts ({place})"),
            false => format!("it takes the place of another one of its name ({place})"),
        }
    };
    rivals.map(tell).collect()
}

/// The failure that a refusal is to whoever asked for it.
fn failure(name: &str, refused: &Refused) -> Failure {
    match refused {
        Refused::SkillExists { name, path } => Failure::failed(refused.to_string())
            .hint(format!("see both with `--force --dry-run`; `--force` puts the new one in the place of `{path}`"))
            .hint(format!("or take it away first: `analects skill uninstall {name}`")),
        Refused::Outside { path, why } => Failure::failed(format!("`{path}`: {why}"))
            .hint("leave out `--scope`: then the skill is yours, in every project"),
        Refused::BadSkill(why) => Failure::failed(format!("`{name}` cannot be taken: {why}")).hint(
            "a skill is a SKILL.md with a name and a description, and text files beside it",
        ),
        other => Failure::failed(other.to_string()),
    }
}

/// How much of a description stands in a question.
const MAX_TITLE_CHARS: usize = 160;

fn shortened(description: &str) -> String {
    let line = one_line(description);
    match line.char_indices().nth(MAX_TITLE_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.into_owned(),
    }
}

#[cfg(test)]
mod tests;
