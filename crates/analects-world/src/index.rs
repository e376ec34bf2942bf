//! An index over what was said: which files it holds, and in which of them a word occurs.
//!
//! It is a copy that can be thrown away: everything in it comes from files and is put in again from them.
//! The text itself is not kept. What is a word, and which place is better than another, is for the room
//! that asks; here are only places.

use std::fmt;
use std::ops::Range;

use crate::AbsPath;
use crate::files::Measure;

/// A full-text index. Several processes may hold the same one.
pub trait Index: Send + Sync {
    /// Where it lives.
    fn standing(&self) -> Standing;

    /// The files it holds, in no particular order.
    fn known(&self) -> Result<Vec<Known>, IndexError>;

    /// Holds this of a file from now on, and nothing of what it held before; all of it or nothing.
    ///
    /// Documents that are as they were are left alone: a file that grew costs what is new in it.
    fn put(&self, file: &Entry) -> Result<(), IndexError>;

    /// Holds nothing of these files any more, and keeps nothing of them on the disk.
    fn forget(&self, paths: &[AbsPath]) -> Result<(), IndexError>;

    /// Takes from the disk what is left of words that files no longer hold; costs nothing if there is nothing left.
    ///
    /// To be called after [`Self::put`] of files that may have been rewritten.
    fn purge(&self) -> Result<(), IndexError>;

    /// Where words occur.
    fn places(&self, asked: &Asked) -> Result<Places, IndexError>;

    /// What is known about documents, in the order they are asked for; `None` for one that is gone.
    fn documents(&self, ids: &[DocId]) -> Result<Vec<Option<Document>>, IndexError>;
}

/// A file in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The file.
    pub path: AbsPath,
    /// How it was when it was put in.
    pub measure: Measure,
}

/// What the index is to hold of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The file.
    pub path: AbsPath,
    /// How it was when it was read.
    pub measure: Measure,
    /// The conversation in it.
    pub session: Session,
    /// What was said, in the order of the turns.
    pub docs: Vec<Doc>,
}

/// A conversation, as far as a list of hits tells of it and filters ask for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its name.
    pub id: String,
    /// Whose record it is.
    pub agent: String,
    /// What somebody called it.
    pub title: Option<String>,
    /// The directory it worked in.
    pub project: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub started_ms: Option<u64>,
    /// When something was last said.
    pub updated_ms: Option<u64>,
}

/// One turn, taken apart into words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doc {
    /// Which turn of the conversation, from 0. No two of a file are the same turn.
    pub turn: u32,
    /// The turn's name.
    pub name: String,
    /// Who said it, by the number that the caller gives them: 0 to 3.
    pub role: u8,
    /// When, in milliseconds since 1970.
    pub at_ms: Option<u64>,
    /// Where in the file it stands, in bytes.
    pub span: Range<u64>,
    /// The words, with blanks between them. A word is of ASCII letters and digits, `.`, `_`, `-`, and
    /// whatever is not ASCII.
    pub words: Vec<(Field, String)>,
    /// The tools that were used.
    pub tools: Vec<String>,
    /// The files they named.
    pub paths: Vec<String>,
}

/// In which part of a turn a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// What the conversation is called; it stands with the first turn.
    Title,
    /// What a person said.
    Prompt,
    /// What a model or the program said.
    Answer,
    /// What a tool was asked.
    Input,
    /// What a tool answered.
    Output,
}

impl Field {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 5] = [
        Self::Title,
        Self::Prompt,
        Self::Answer,
        Self::Input,
        Self::Output,
    ];
}

/// A turn in the index, and what can be known about it without looking it up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocId {
    /// The number of its file in the index. Files put in later have higher numbers.
    pub file: u32,
    /// Which turn of the conversation.
    pub turn: u32,
    /// About how many words it has, to a quarter.
    pub n_words: u32,
    /// Who said it.
    pub role: u8,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The words to look for.
    pub words: Vec<Sought>,
    /// Rows of words: a turn must have each of them, one word right behind the other.
    pub phrases: Vec<Vec<String>>,
    /// Rows of words: a turn must have none of them.
    pub without: Vec<Vec<String>>,
    /// Which turns are wanted at all.
    pub filter: Filter,
}

/// A word to look for, and how much it may cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sought {
    /// The word.
    pub word: Word,
    /// In more places than this it is common, and not listed in full.
    pub most_places: usize,
    /// What to do with it then.
    pub common: Common,
}

/// What to do with a common word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Common {
    /// It is left out.
    Skip,
    /// It is told where it stands beside other words, and where it is newest.
    Beside,
}

/// What is looked for in the index.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Word {
    /// This one.
    Whole(String),
    /// All that begin like this.
    Begins(String),
}

/// Which turns are wanted. What is not said, does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of conversations that worked in this directory or below it.
    pub project: Option<String>,
    /// Of this agent.
    pub agent: Option<String>,
    /// Of this conversation.
    pub session: Option<String>,
    /// Said by this one.
    pub role: Option<u8>,
    /// Not before this time, in milliseconds since 1970. A turn without a time counts as its session's end.
    pub since_ms: Option<u64>,
    /// Before this time.
    pub until_ms: Option<u64>,
    /// Which used this tool.
    pub tool: Option<String>,
    /// Which named a file of this path to a tool, or the end or a middle part of its path.
    pub path: Option<String>,
}

/// Where the words occur.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Places {
    /// How many turns the index holds.
    pub n_docs: u64,
    /// How many words a turn has on average.
    pub mean_words: f64,
    /// For each word, in the order of the question.
    pub words: Vec<WordPlaces>,
}

/// Where one word occurs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WordPlaces {
    /// In how many turns, whatever the filter says.
    pub n_docs: u64,
    /// Where, ordered. Of a common word only some, or none.
    pub places: Vec<Place>,
}

/// One place of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The turn.
    pub doc: DocId,
    /// The part of it and the number of the word therein; not told of common words.
    pub spot: Option<(Field, u32)>,
}

/// What is known about a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The file.
    pub path: AbsPath,
    /// The conversation.
    pub session: Session,
    /// The turn's name.
    pub name: String,
    /// When, in milliseconds since 1970.
    pub at_ms: Option<u64>,
    /// Where in the file it stands, in bytes.
    pub span: Range<u64>,
}

/// Where an index lives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// On the disk.
    Kept,
    /// On a disk that cannot be written: it answers, but takes nothing in.
    ReadOnly,
    /// In memory, and gone with the process.
    Passing(Why),
}

/// Why an index is not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// It was asked for like this.
    Wished,
    /// A newer Analects has written the one on the disk; it was left alone.
    Newer {
        /// The version it is written in.
        version: u32,
    },
    /// The disk refused.
    Refused(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wished => f.write_str("as asked for"),
            Self::Newer { version } => write!(
                f,
                "the index is of a newer version ({version}) and was left alone"
            ),
            Self::Refused(message) => f.write_str(message),
        }
    }
}

/// Why an index did not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// Another process is writing and did not end in time.
    #[error("the index is busy")]
    Busy,
    /// It was broken and has been thrown away: it holds nothing now and can be filled again.
    #[error("the index was broken and is empty now")]
    Lost,
    /// It cannot be written.
    #[error("the index cannot be written")]
    ReadOnly,
    /// The disk or the database said something else.
    #[error("{0}")]
    Other(String),
}
