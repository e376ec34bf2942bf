//! The user's own programs: which of them run at an event, and what they decide together.
//!
//! A settings file names programs for events ([`read`]); [`select`] says which of them run now, and how. What each is told is
//! an [`input`], what it answered is read by [`understand`], and [`merge`] makes one [`Output`] of all answers, which says
//! what happens. The format is Gemini CLI's. Nothing here starts a program, and nothing that a program prints makes
//! anything here fail: what makes no sense is a problem, and has no effect.
//!
//! ```
//! use analects_agent::hook::{Disabled, Event, ExitCodes, Ran, Reading, Source, merge, read, select, understand};
//! use serde_json::json;
//!
//! let hooks = json!({"BeforeTool": [{"matcher": "write_.*", "hooks": [{"type": "command", "command": "./guard.sh"}]}]});
//! let (hooks, problems) = read(&hooks, &Reading { source: Source::User, file: "settings.json" });
//! assert!(problems.is_empty());
//! let selected = select(&hooks, Event::BeforeTool, Some("write_file"), &Disabled::default());
//! assert_eq!(selected.hooks[0].command, "./guard.sh");
//! let ran = Ran { code: 2, stdout: b"", stderr: b"not today\n", is_cut: false };
//! let answer = understand(&ran, ExitCodes::Documented);
//! let output = merge(Event::BeforeTool, &[answer.output.unwrap()]);
//! assert_eq!(output.blocks(), Some("not today"));
//! ```

mod chain;
pub mod codes;
mod event;
mod input;
mod line;
mod matcher;
mod merge;
pub mod model;
mod output;
mod read;
mod select;
pub mod told;
mod understand;

use std::collections::BTreeMap;

use matcher::Matcher;

pub use chain::chain;
pub use event::{Event, Way};
pub use input::{Base, Occasion, ToolResponse, input};
pub use line::{Places, line};
pub use merge::merge;
pub use output::{Decision, Output};
pub use read::{Reading, read};
pub use select::{Disabled, Order, Selected, select};
pub use understand::{Answer, ExitCodes, Ran, understand};

/// How long a hook may take, where nobody says otherwise.
pub const TIMEOUT_MS: u64 = 60_000;

/// Who wants a hook. Those of the first run first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The project. Its hooks run only where it is trusted.
    Project,
    /// The user.
    User,
    /// The administrator.
    System,
    /// An extension.
    Extension,
}

impl Source {
    /// The word for it in what is told.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
            Self::System => "system",
            Self::Extension => "extension",
        }
    }
}

/// A program that runs at an event.
#[derive(Debug, Clone)]
pub struct Hook {
    /// When it runs.
    pub event: Event,
    /// Who wants it.
    pub source: Source,
    /// The file that says so.
    pub file: String,
    /// What somebody calls it.
    pub name: Option<String>,
    /// The command line.
    pub command: String,
    /// How long it may take.
    pub timeout_ms: u64,
    /// What it finds in its environment beyond what all hooks find there.
    pub env: BTreeMap<String, String>,
    matcher: Matcher,
    is_sequential: bool,
}

impl Hook {
    /// By this it is told from others: the same program under the same name is the same hook.
    #[must_use]
    pub fn key(&self) -> String {
        format!(
            "{}:{}",
            self.name.as_deref().unwrap_or_default(),
            self.command
        )
    }

    /// What it is called where somebody reads of it, and where somebody switches it off.
    #[must_use]
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.command)
    }
}
