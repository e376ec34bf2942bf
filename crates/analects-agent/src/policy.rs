//! The policy: rules, and what they decide about a tool call.
//!
//! Rules are read from TOML ([`read`]), sorted into a [`Policy`], and asked about every call of a tool ([`decide`]).
//! The format is Gemini CLI's. Two things are not: a call is judged by where its paths really lead, and whatever
//! cannot be understood makes things stricter, never laxer. Hence a rule that allows must *surely* fit the call, while
//! one that denies or asks need only *possibly* fit.
//!
//! Nothing here is a sandbox: a command that is allowed can do whatever that program can.
//!
//! ```
//! use analects_agent::policy::{Asked, Decision, Mode, Places, Policy, decide, shipped};
//! use analects_world::AbsPath;
//! use serde_json::json;
//!
//! let project = AbsPath::new("/repo")?;
//! let places = Places { home: AbsPath::new("/home/u")?, plans: project.join("plans"), project };
//! let policy = Policy::new(shipped(&places), &places);
//! let args = json!({"file_path": "src/lib.rs", "content": "…"});
//! let paths = [places.project.join("src/lib.rs")];
//! let asked = Asked {
//!     tool: "write_file", args: &args, paths: &paths, command: None, subagent: None, mcp_server: None,
//!     annotations: None, mode: Mode::Default, is_interactive: true,
//! };
//! assert_eq!(decide(&policy, &asked).decision, Decision::Ask);
//! assert_eq!(decide(&policy, &Asked { mode: Mode::AutoEdit, ..asked }).decision, Decision::Allow);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod codes;
mod command;
mod decide;
mod field;
mod guess;
mod narrow;
pub(crate) mod pattern;
mod protected;
mod read;
mod rule;
mod say;
mod seen;
mod shipped;
mod tool;

use analects_world::AbsPath;
use serde_json::{Map, Value};

pub use command::programs;
pub use decide::{Policy, Verdict, decide};
pub use narrow::{NARROW_FILE, Narrow};
pub use protected::{ControlFiles, control_file_names};
pub use read::{LIMIT_BYTES, Reading, read, unreadable};
pub use rule::{Plain, Rule, Source};
pub use shipped::shipped;

/// What a rule says, and what comes of a call. The laxest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// It is done.
    Allow,
    /// A person is asked first.
    Ask,
    /// It is not done.
    Deny,
}

impl Decision {
    /// The word in rules.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask_user",
            Self::Deny => "deny",
        }
    }
}

/// Whose rules they are. The weakest first: what a stronger one decides, a weaker one cannot change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Ours.
    Default = 1,
    /// Those of an extension, which may never allow anything.
    Extension = 2,
    /// The project's.
    Workspace = 3,
    /// The user's.
    User = 4,
    /// The administrator's.
    Admin = 5,
}

impl Tier {
    /// The word used in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Extension => "extension",
            Self::Workspace => "workspace",
            Self::User => "user",
            Self::Admin => "admin",
        }
    }
}

/// How much is done without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// What only looks.
    #[default]
    Default,
    /// Edits, too.
    AutoEdit,
    /// Everything.
    Yolo,
    /// Nothing is changed but a plan.
    Plan,
}

impl Mode {
    /// All of them, as rules and flags call them first.
    pub const ALL: [Self; 4] = [Self::Default, Self::AutoEdit, Self::Yolo, Self::Plan];

    /// The mode of that name. `auto-edit`, `auto_edit` and `autoEdit` are one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "default" => Some(Self::Default),
            "autoEdit" | "auto_edit" | "auto-edit" => Some(Self::AutoEdit),
            "yolo" => Some(Self::Yolo),
            "plan" => Some(Self::Plan),
            _ => None,
        }
    }

    /// The word used in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::AutoEdit => "auto-edit",
            Self::Yolo => "yolo",
            Self::Plan => "plan",
        }
    }
}

/// The places that rules can name, links resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// `${project}`, and where relative patterns begin.
    pub project: AbsPath,
    /// `${home}` and `~`.
    pub home: AbsPath,
    /// `${plans}`: where plans of this project lie.
    pub plans: AbsPath,
}

/// A call of a tool that somebody has to decide on.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The tool; one of an MCP server by its whole name, `mcp_server_tool`.
    pub tool: &'a str,
    /// What the model said.
    pub args: &'a Value,
    /// Where the paths among the arguments really lead, links resolved, in the order of the arguments (`file_path`,
    /// `dir_path`, `path`); then what else the call reaches. A tool that starts in the working directory unless told
    /// otherwise says so here.
    pub paths: &'a [AbsPath],
    /// The command line, if it is one.
    pub command: Option<&'a str>,
    /// The sub-agent that asks, if it is one.
    pub subagent: Option<&'a str>,
    /// The server whose tool it is, if it is one.
    pub mcp_server: Option<&'a str>,
    /// What that server says about it.
    pub annotations: Option<&'a Map<String, Value>>,
    /// How much is done without asking.
    pub mode: Mode,
    /// Whether somebody is there who could be asked.
    pub is_interactive: bool,
}

#[cfg(test)]
mod tests;
