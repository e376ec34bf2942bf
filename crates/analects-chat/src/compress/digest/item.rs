//! One thing that could be kept.

use analects_text::tokens;

use super::super::snapshot::Section;

/// Where a thing comes from. Each has its share of the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Class {
    /// What it is all about.
    Goal,
    /// The user's own words.
    User,
    /// The steps of a plan.
    Plan,
    /// What became of files.
    File,
    /// What went wrong, word for word.
    Trouble,
    /// Commands and how they ended.
    Command,
    /// What the model said.
    Prose,
    /// What tools printed.
    Output,
}

impl Class {
    pub(super) const ALL: [Self; 8] = [
        Self::Goal,
        Self::User,
        Self::Plan,
        Self::File,
        Self::Trouble,
        Self::Command,
        Self::Prose,
        Self::Output,
    ];

    /// The share of the room that is its own, in percent; what is left over is for all.
    pub(super) fn percent(self) -> usize {
        match self {
            Self::Goal => 4,
            Self::User => 43,
            Self::Plan => 3,
            Self::File => 10,
            Self::Trouble => 7,
            Self::Command => 11,
            Self::Prose => 8,
            Self::Output => 7,
        }
    }

    /// What stands before it in its section, so that a reader knows whose words these are.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::User => "user: ",
            Self::Trouble => "error: ",
            Self::Output => "output: ",
            Self::Goal | Self::Plan | Self::File | Self::Command | Self::Prose => "",
        }
    }
}

/// Stands before words of the model's that begin like one of the labels: they would pass for somebody else's.
pub(super) const OF_MODEL: &str = "model: ";

/// Whether a text begins as if it had a label, however that is written.
pub(super) fn looks_labelled(text: &str) -> bool {
    let labels = Class::ALL.map(Class::label).into_iter().chain([OF_MODEL]);
    let mut labels = labels.map(str::trim_end).filter(|label| !label.is_empty());
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    labels.any(|label| {
        let start = text.get(..label.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(label))
    })
}

/// One thing that could be kept.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) section: Section,
    pub(super) class: Class,
    pub(super) text: String,
    /// The turn it comes from, and its place in there.
    pub(super) at: (usize, usize),
    /// How much it is worth.
    pub(super) value: f32,
}

impl Item {
    /// What it costs in quarter tokens, with the bullet and its share of a label.
    pub(super) fn cost(&self) -> usize {
        tokens::quarters(&self.text) + 4 + self.class.label().len() / 2
    }

    /// What it is worth for its price.
    pub(super) fn density(&self) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "an item is short")]
        let cost = (8 + self.cost()) as f32 / 4.0;
        self.value / cost.powf(0.55)
    }

    pub(super) fn is_constraint(&self) -> bool {
        self.section == Section::Constraints && self.class == Class::User
    }
}
