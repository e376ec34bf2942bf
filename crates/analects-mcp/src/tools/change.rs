//! `update_memory` and `forget_memory`: the verbs `memory edit`, `move` and `forget`.

use analects_engine::change_entry::{Caller, Changed, Wish, change_entry};
use analects_engine::remember::By;
use analects_engine::verbs::Failure;
use analects_engine::verbs::memory::ChangedEntry;
use analects_memory::render::harmless;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Call, Told};

/// What became of an entry.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer {
    /// What became of it, in words: some clients show a model nothing else.
    message: String,
    /// The change.
    #[serde(flatten)]
    changed: ChangedEntry,
}

/// An entry, and what it should say or where it should stand.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UpdateArguments {
    /// The entry: its id, the beginning of its id, or words that only it says.
    entry: String,
    /// What it should say from now on.
    #[serde(default)]
    text: Option<String>,
    /// Where it should stand from now on: `global`, `private`, `project` (the committed file) or a directory of
    /// the project.
    #[serde(default)]
    to: Option<String>,
}

/// An entry.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ForgetArguments {
    /// The entry: its id, the beginning of its id, or words that only it says.
    entry: String,
}

pub(super) fn update(call: &Call<'_>) -> Result<Told, Failure> {
    let arguments: UpdateArguments = call.arguments()?;
    let wish = match (&arguments.text, &arguments.to) {
        (Some(text), None) => Wish::Say(Some(text)),
        (None, Some(to)) => Wish::Move(to),
        (None, None) => return Err(Failure::bad_input("give `text` or `to`")),
        // Two changes, of which a person could decline one.
        (Some(_), Some(_)) => {
            return Err(Failure::bad_input("give `text` or `to`, one at a time"));
        }
    };
    change(call, &arguments.entry, wish)
}

pub(super) fn forget(call: &Call<'_>) -> Result<Told, Failure> {
    let arguments: ForgetArguments = call.arguments()?;
    change(call, &arguments.entry, Wish::Forget)
}

fn change(call: &Call<'_>, entry: &str, wish: Wish<'_>) -> Result<Told, Failure> {
    let caller = Caller {
        by: By::Model,
        who: Some(&call.who),
    };
    let changed = change_entry(call.world, call.flags, entry, wish, &[], caller)?;
    let message = harmless(&words(&changed, wish)).into_owned();
    let mut changed = ChangedEntry::from(changed);
    let said = [&mut changed.before, &mut changed.diff];
    for text in said.into_iter().chain(&mut changed.after) {
        *text = harmless(text).into_owned();
    }
    Ok(Told::new(message.clone(), &Answer { message, changed }))
}

fn words(changed: &Changed, wish: Wish<'_>) -> String {
    let (id, before) = (&changed.was.id, &changed.was.entry.text);
    let now = changed.text.as_deref().unwrap_or_default();
    if changed.decided.is_declined {
        return "It was declined; nothing was changed.".to_owned();
    }
    if changed.decided.diff.is_empty() {
        return format!("Nothing to change: {id} says that already.");
    }
    if changed.decided.is_waiting {
        return "It waits in the user's inbox, and is changed once they say yes.".to_owned();
    }
    if !changed.decided.is_written() {
        return "A dry run: nothing was changed.".to_owned();
    }
    match wish {
        Wish::Forget => format!("Forgotten: {id} \"{before}\""),
        Wish::Say(_) => format!("Changed: {id} says \"{now}\" now"),
        Wish::Move(_) => format!("Moved: {id} stands in {} now", changed.path),
    }
}
