//! Asking the person whose files these are.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::AbsPath;

/// The person at the other end, if there is one.
pub trait Ask: Sync {
    /// Shows what is about to be done and waits for an answer. No lock is held meanwhile.
    fn consent(&self, proposal: &Proposal<'_>) -> Answer;

    /// Lets the person change a text; an error says why there is no changed one.
    fn edit(&self, draft: &Draft<'_>) -> Result<String, String>;

    /// Asks something that only the person knows, and waits for the answer.
    fn question(&self, question: &Question<'_>) -> Reply;

    /// Lets the person take some of many changes and leave the others; each stands for itself. The answer has a
    /// word for each of them, in their order; `None` if there is nobody to ask.
    fn pick(&self, title: &str, choices: &[Choice]) -> Option<Vec<Pick>>;

    /// How the person is reached.
    fn reach(&self) -> Reach {
        Reach::Shell
    }
}

/// How a person is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// They gave a command themselves, and could have given it otherwise.
    Shell,
    /// Through another agent, which shows them every change.
    Agent,
    /// Not at all: another agent has agreed to whatever will be written.
    Approved,
}

/// Something that only the person knows.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The question, in a sentence that stands on its own.
    pub text: &'a str,
    /// Answers to choose from; without them the person answers in words.
    pub options: &'a [Choosable],
}

/// An answer to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choosable {
    /// The answer in a few words.
    pub label: String,
    /// What follows from it; empty if that is clear.
    pub detail: String,
}

/// What a person said to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// One of the options, by its place.
    Chose(usize),
    /// Something in words; never blank.
    Said(String),
    /// The person does not want to say.
    Declined,
    /// There is nobody to ask, or nobody any more.
    Nobody,
}

/// One of many changes that a person may take or leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What it is about, in a few words.
    pub title: String,
    /// The change as a unified diff.
    pub diff: String,
    /// What speaks against it, a sentence each.
    pub doubts: Vec<String>,
}

/// What a person said to one of many changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    /// Make it.
    Take,
    /// Do not.
    Leave,
}

/// What a person is asked to agree to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Files are written.
    Write,
    /// Something is deleted for good.
    Delete,
    /// A command is run.
    Run,
    /// A tool is used.
    Use,
}

/// What is about to be done.
#[derive(Debug, Clone, Copy)]
pub struct Proposal<'a> {
    /// What sort of thing it is.
    pub deed: Deed,
    /// What it is about, in a few words.
    pub title: &'a str,
    /// The change as a unified diff; else what is to be done, in words.
    pub diff: &'a str,
    /// What "always" would mean, in a few words; empty if it cannot be said.
    pub always: &'a str,
    /// What speaks against it, a sentence each.
    pub doubts: &'a [String],
    /// Whether the person once decided otherwise, so that nobody may agree in their place.
    pub is_unwanted: bool,
    /// Whether it was shown before and had to be made anew, because the files changed meanwhile.
    pub is_anew: bool,
    /// Whether the person may change the text.
    pub may_edit: bool,
}

/// What a person said to a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Do it.
    Yes,
    /// Leave everything as it is.
    No,
    /// Do it, and do not ask again for such things as long as this process lives.
    Always,
    /// Let me change it first.
    Edit,
    /// There is nobody to ask.
    Nobody,
}

/// A text that a person may change.
#[derive(Debug, Clone, Copy)]
pub struct Draft<'a> {
    /// The name of the file it is meant for; its ending tells an editor the language.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// The files a person said "always" to, for the life of the process.
#[derive(Debug, Default)]
pub struct Always(Mutex<BTreeSet<AbsPath>>);

impl Always {
    /// Whether all of these files, links resolved, need no question any more.
    #[must_use]
    pub fn covers<'a>(&self, mut files: impl Iterator<Item = &'a AbsPath>) -> bool {
        let said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.all(|file| said.contains(file))
    }

    /// Notes that these files, links resolved, need no question any more.
    pub fn add(&self, files: impl IntoIterator<Item = AbsPath>) {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        said.extend(files);
    }
}
