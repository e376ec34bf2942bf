//! Taking back the last prompts of a recorded conversation, and all that came of them.
//!
//! The record keeps every word; a line behind it says what no longer counts. Files that were written meanwhile stay as they
//! are: `memory undo` takes those back.

use analects_chat::compress::is_snapshot;
use analects_session::history::history;
use analects_session::record::{Recorder, in_lines, is_summed_up};
use analects_text::problem::Problem;
use analects_world::model::{Body, Content, Role};

use super::compress::{Own, own, replayed, write};
use crate::World;
use crate::load_memory::Prepared;
use crate::verbs::{Failure, Flags};

/// A conversation that stands where it once stood, or would.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewound {
    /// Its id.
    pub id: String,
    /// The prompts that were taken back, the oldest first.
    pub prompts: Vec<String>,
    /// How many turns went with them.
    pub n_turns: usize,
    /// Whether it was written.
    pub is_written: bool,
    /// What a person should know.
    pub problems: Vec<Problem>,
}

/// Takes the last prompts back.
pub fn rewind(
    world: &World<'_>,
    flags: &Flags,
    prepared: &Prepared,
    wanted: &str,
    n_prompts: usize,
) -> Result<Rewound, Failure> {
    let Own {
        found, problems, ..
    } = own(world, flags, prepared, wanted)?;
    let record = replayed(&found)?;
    let standing = in_lines(record);
    let turns = history(&standing);
    let prompts: Vec<_> = (0..turns.len())
        .filter(|at| turns.get(*at).is_some_and(is_prompt) && !is_snapshot(&turns, *at))
        .collect();
    let first = prompts
        .len()
        .checked_sub(n_prompts)
        .filter(|_| n_prompts > 0);
    let Some(taken @ [at, ..]) = first.and_then(|first| prompts.get(first..)) else {
        let n_there = prompts.len();
        return Err(Failure::bad_input(format!(
            "there are {n_there} prompts to take back, not {n_prompts}"
        )));
    };
    let said = taken.iter().filter_map(|at| turns.get(*at));
    let said = said.map(own_words);
    let id = turns.get(*at).map_or("", |turn| turn.id.as_str());
    if is_summed_up(&standing, id) {
        return Err(summed_up(&found.opened.transcript.head.id));
    }
    let (mut recorder, mut lines) = Recorder::resume(record);
    let rewound = recorder.rewind(id);
    if rewound.as_str().is_empty() {
        return Err(Failure::failed(
            "this prompt stands in no message of the record",
        ));
    }
    lines.extend([rewound]);
    let is_written = !flags.dry_run;
    if is_written {
        write(world, &found, record, &lines)?;
    }
    Ok(Rewound {
        id: found.opened.transcript.head.id.clone(),
        prompts: said.collect(),
        n_turns: turns.len() - at,
        is_written,
        problems,
    })
}

/// Returns what the user wrote in a turn.
fn own_words(turn: &Content) -> String {
    let own = turn.user_texts().into_iter().map(str::trim);
    let own: Vec<_> = own.filter(|text| !text.is_empty()).collect();
    own.join("\n")
}

fn summed_up(id: &str) -> Failure {
    let message = "the session was compressed since: the summary would still tell of this prompt";
    let undo = format!("`analects session compress {id} --undo` takes the compression back");
    Failure::bad_input(message).hint(format!(
        "{undo}, and `/compress undo` does so in a chat; then try again"
    ))
}

/// Whether a person said this: tools answer in the same role.
fn is_prompt(turn: &Content) -> bool {
    let answers = turn
        .parts
        .iter()
        .any(|part| matches!(part.body, Body::Response(_)));
    turn.role == Role::User && !answers && turn.texts().next().is_some()
}
