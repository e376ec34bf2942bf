//! What each host does by itself, and how it wants to be spoken to: the one place that knows.
//!
//! Seen by running Gemini CLI 0.61, Claude Code 2.1.325 and Codex 0.166.

use analects_memory::layer::Layer;
use analects_memory::load::Imports;
use analects_world::Agent;

use super::input::Event;

/// How a host is spoken to.
#[derive(Debug)]
pub(super) struct Manners {
    /// Its word for the start of a session.
    session_start: &'static str,
    /// Its word for a prompt.
    before_agent: &'static str,
    /// Its word for a tool that has run.
    after_tool: &'static str,
    /// Whether it knows `suppressOutput`; to Codex that is an error.
    pub(super) may_suppress: bool,
    /// What a session has to be told about our tools, because the host does not tell.
    pub(super) tools: Option<&'static str>,
    /// How much it takes at once.
    pub(super) room: Room,
    /// Which memory files it loads.
    pub(super) loads: Loads,
}

/// How much a host takes at once; of anything longer the model sees a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) limit: usize,
    pub(super) unit: Unit,
}

/// What a host counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Bytes of UTF-8.
    Bytes,
    /// Characters as JavaScript counts them.
    Utf16,
}

/// Which memory files a host loads, and how.
#[derive(Debug)]
pub(super) struct Loads {
    /// What it looks for there.
    pub(super) in_home: &'static [&'static str],
    /// What it looks for in the directories of a project.
    pub(super) in_project: &'static [&'static str],
    /// What it looks for instead, where no directory on the way has any of those.
    pub(super) instead: &'static [&'static str],
    /// How many of the names it takes in one directory.
    pub(super) takes: Takes,
    /// Where its way to the working directory begins.
    pub(super) begins: Begins,
    /// What it does about directories below the working directory.
    pub(super) below: Below,
    /// What it makes of `@path`.
    pub(super) imports: Imports,
    /// Layers of ours that it loads besides.
    pub(super) layers: &'static [Layer],
    /// How many bytes of project files it loads; the rest is cut off silently.
    pub(super) limit_bytes: Option<u64>,
}

/// How many of its names a host takes in one directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    All,
    First,
}

/// Where a host begins its way to the working directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begins {
    /// At the project's root.
    AtRoot,
    /// At the top of the disk.
    AtTop,
}

/// What a host does about directories below the working directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Below {
    /// It loads their files when one of these tools of its own touches something there. After all others, the shell
    /// first of all, it loads nothing.
    WhenTouchedBy(&'static [&'static str]),
    /// Nothing.
    Never,
}

static GEMINI: Manners = Manners {
    session_start: "SessionStart",
    before_agent: "BeforeAgent",
    after_tool: "AfterTool",
    may_suppress: true,
    tools: None,
    // More arrives, but nobody should be told a book.
    room: Room {
        limit: 400_000,
        unit: Unit::Utf16,
    },
    loads: Loads {
        in_home: &[],
        in_project: &[],
        instead: &[],
        takes: Takes::All,
        begins: Begins::AtRoot,
        below: Below::WhenTouchedBy(&[
            "read_file",
            "read_many_files",
            "list_directory",
            "write_file",
            "replace",
        ]),
        imports: Imports::Expanded,
        layers: &[Layer::Private, Layer::Extension],
        limit_bytes: None,
    },
};

static CLAUDE: Manners = Manners {
    session_start: "SessionStart",
    before_agent: "UserPromptSubmit",
    after_tool: "PostToolUse",
    may_suppress: true,
    tools: None,
    room: Room {
        limit: 10_000,
        unit: Unit::Utf16,
    },
    loads: Loads {
        in_home: &["CLAUDE.md"],
        in_project: &["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"],
        instead: &["AGENTS.md"],
        takes: Takes::All,
        begins: Begins::AtTop,
        below: Below::WhenTouchedBy(&["Read"]),
        imports: Imports::Expanded,
        layers: &[],
        limit_bytes: None,
    },
};

/// Codex hides the tools of servers behind a script until a model looks for them.
const CODEX_TOOLS: &str = "--- Memory tools ---
The MCP server `analects` keeps memory across sessions. Its tools: save_memory, search_memory, get_memory, \
update_memory, forget_memory, get_context. Inside of `exec` they are called \
`tools.mcp__analects__save_memory({fact: \"…\"})` and so on. Save what the user asks to remember; search before \
you ask the user something they may have told before.
--- End of memory tools ---";

static CODEX: Manners = Manners {
    session_start: "SessionStart",
    before_agent: "UserPromptSubmit",
    after_tool: "PostToolUse",
    may_suppress: false,
    tools: Some(CODEX_TOOLS),
    room: Room {
        limit: 10_000,
        unit: Unit::Bytes,
    },
    loads: Loads {
        in_home: &["AGENTS.override.md", "AGENTS.md"],
        in_project: &["AGENTS.override.md", "AGENTS.md"],
        instead: &[],
        takes: Takes::First,
        begins: Begins::AtRoot,
        below: Below::Never,
        imports: Imports::AsWritten,
        layers: &[],
        limit_bytes: Some(32 * 1024),
    },
};

impl Manners {
    /// How this host is spoken to.
    pub(super) fn of(host: Agent) -> &'static Self {
        match host {
            Agent::Gemini => &GEMINI,
            Agent::Claude => &CLAUDE,
            Agent::Codex => &CODEX,
        }
    }

    /// Its word for an event.
    pub(super) fn event(&self, event: Event) -> &'static str {
        match event {
            Event::SessionStart => self.session_start,
            Event::BeforeAgent => self.before_agent,
            Event::AfterTool => self.after_tool,
            Event::PreCompact | Event::SessionEnd | Event::Other => "",
        }
    }
}

impl Below {
    /// Whether the files of a directory are loaded when this tool touches something there.
    pub(super) fn follows(self, tool: Option<&str>) -> bool {
        match self {
            Self::WhenTouchedBy(tools) => tool.is_some_and(|tool| tools.contains(&tool)),
            Self::Never => false,
        }
    }
}

impl Room {
    /// How much of the room a text takes.
    pub(super) fn taken_by(self, text: &str) -> usize {
        match self.unit {
            Unit::Bytes => text.len(),
            Unit::Utf16 => text.chars().map(char::len_utf16).sum(),
        }
    }
}
