//! Scripted models: each answers as some real one does on some day.
//!
//! A model knows only what it is shown. What it knows of that, it says in its own words, in the form that
//! it is asked for; how much it leaves out depends on the model.

use std::cell::Cell;
use std::fmt::Write;

use analects_world::model::Content;

use super::dice::Dice;
use super::fact::{Fact, Kind};
use super::score::{Text, is_in};

/// Who helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Helper {
    /// Nobody.
    Nobody,
    /// A model that forgets three facts of ten.
    Good,
    /// A model that forgets half of them and is terse.
    Careless,
    /// A model that refuses, says nothing, breaks off or chats.
    Broken,
}

impl Helper {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::Nobody, Self::Good, Self::Careless, Self::Broken];

    /// The word for it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Nobody => "alone",
            Self::Good => "good",
            Self::Careless => "careless",
            Self::Broken => "broken",
        }
    }

    /// How it answers, in a session with these facts. Asked again, it answers the same, but for one that is
    /// broken: it finds another way to be.
    pub(crate) fn answers(
        self,
        seed: u64,
        facts: &[Fact],
    ) -> Option<impl Fn(&str, &[Content]) -> String> {
        if self == Self::Nobody {
            return None;
        }
        let n_asked = Cell::new(seed);
        let answer = move |system: &str, contents: &[Content]| {
            let n = n_asked.replace(n_asked.get() + 1);
            match self {
                Self::Nobody | Self::Broken => broken(n),
                Self::Good => snapshot(seed, facts, &shown(system, contents), 70),
                Self::Careless => snapshot(seed, facts, &shown(system, contents), 50),
            }
        };
        Some(answer)
    }
}

fn shown(system: &str, contents: &[Content]) -> Text {
    let mut shown = Text::default();
    shown.add(system);
    contents
        .iter()
        .for_each(|content| shown.add_content(content));
    shown
}

/// The facts that were shown, but for those that are forgotten.
fn snapshot(seed: u64, facts: &[Fact], shown: &Text, percent: usize) -> String {
    let lines = |kinds: &[Kind]| {
        let mut lines = String::new();
        for (at, fact) in (0..).zip(facts) {
            // The same fact is forgotten each time.
            let is_forgotten = !Dice::new(seed ^ (at << 20)).chance(percent);
            if kinds.contains(&fact.kind) && !is_forgotten && is_in(fact, shown) {
                let _ = writeln!(lines, "- noted: {}", fact.probes.join(", with "));
            }
        }
        lines
    };
    let knowledge = lines(&[Kind::Recall]);
    let constraints = lines(&[Kind::Decision]);
    let trail = lines(&[Kind::Artifact]);
    let plan = lines(&[Kind::Continuation]);
    format!(
        "<scratchpad>I go through the talk from its beginning.</scratchpad>\n<state_snapshot>\n\
         <overall_goal>Carry on with what the user asks for.</overall_goal>\n\
         <active_constraints>\n{constraints}</active_constraints>\n\
         <key_knowledge>\n{knowledge}</key_knowledge>\n\
         <artifact_trail>\n{trail}</artifact_trail>\n\
         <file_system_state>\nCWD: /project\n</file_system_state>\n\
         <recent_actions>\nLooked into several files.\n</recent_actions>\n\
         <current_plan>\n{plan}</current_plan>\n</state_snapshot>"
    )
}

fn broken(n_asked: u64) -> String {
    let answer = match n_asked % 5 {
        0 => "",
        1 => "I'm sorry, but I can't help with that request.",
        2 => "<state_snapshot>\n<overall_goal>Carry on</overall_goal>\n<key_knowledge>\n- the",
        3 => "Sure! Here is what we talked about: some files, some tests. Anything else?",
        _ => "<state_snapshot></state_snapshot>",
    };
    answer.to_owned()
}
