//! Every setting Analects reads: name, kind, default, meaning. The reference is generated from here.

pub(crate) mod context;
pub(crate) mod hooks;
pub(crate) mod learn;
pub(crate) mod model;
pub(crate) mod policy;
pub(crate) mod servers;
pub(crate) mod skills;

use analects_world::Profile;

use super::authority::SettingAuthority::{UserOnly, Workspace, WorkspaceMayTighten};
pub use super::authority::{SettingAuthority, TighteningRule, WordRanks};
pub use super::kind::{Kind, Setting};

/// One setting.
#[derive(Debug)]
pub struct Key {
    /// Dotted name, as in `settings.json`.
    pub name: &'static str,
    /// Older or other names that are read too.
    pub aliases: &'static [&'static str],
    /// An environment variable that overrules every file.
    pub variable: Option<&'static str>,
    /// What values it takes.
    pub kind: Kind,
    /// How a stronger scope adds to a weaker one.
    pub merge: Merge,
    /// The value without any file.
    pub default: fn(Profile) -> Setting,
    /// Who may set it. What guards against a workspace may not be set by it.
    pub authority: SettingAuthority,
    /// Who else reads it.
    pub reader: Reader,
    /// One sentence for the reference.
    pub meaning: &'static str,
}

/// Who reads a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// Gemini CLI and Analects: it belongs in `settings.json`.
    Both,
    /// Analects alone: it belongs in `analects.json`.
    Analects,
}

/// How values of several scopes are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// The strongest wins.
    Replace,
    /// Lists are joined, weakest first, without repetition.
    Append,
}

fn list(names: &[&str]) -> Setting {
    Setting::List(names.iter().map(|&name| name.to_owned()).collect())
}

/// A key that only Analects reads. The other fields have their most common values; name and authority have none, so every
/// key states them.
const fn own(name: &'static str, authority: SettingAuthority) -> Key {
    Key {
        name,
        aliases: &[],
        variable: None,
        kind: Kind::Flag,
        merge: Merge::Replace,
        default: |_| Setting::Unset,
        authority,
        reader: Reader::Analects,
        meaning: "",
    }
}

/// A key that Gemini CLI reads too.
const fn shared(name: &'static str, authority: SettingAuthority) -> Key {
    Key {
        reader: Reader::Both,
        ..own(name, authority)
    }
}

/// Whose behaviour is wanted.
pub static PROFILE: Key = Key {
    kind: Kind::Word(&["analects", "seed", "head"]),
    default: |_| Setting::Text("analects".to_owned()),
    meaning: "Whose constants and behaviours apply: ours, those of the documents Analects grew from \
              (`seed`), or the current Gemini CLI's (`head`).",
    ..own("context.profile", UserOnly)
};

/// Names of memory files.
pub static FILE_NAME: Key = Key {
    aliases: &["memoryFiles", "contextFileName"],
    variable: Some("ANALECTS_CONTEXT_FILES"),
    kind: Kind::FileNames,
    default: |profile| match profile {
        Profile::Analects => list(&["GEMINI.md", "AGENTS.md", "CLAUDE.md"]),
        Profile::Seed | Profile::Head => list(&["GEMINI.md"]),
    },
    meaning: "Names of memory files, in order. Replaces the default list.",
    ..shared(
        "context.fileName",
        WorkspaceMayTighten(TighteningRule::MarkdownFiles),
    )
};

/// How imports are shown.
pub static IMPORT_FORMAT: Key = Key {
    aliases: &["memoryImportFormat"],
    kind: Kind::Word(&["tree", "flat"]),
    default: |_| Setting::Text("tree".to_owned()),
    meaning: "Whether an imported file stands in place of its `@path` (`tree`) or in a block of its own \
              (`flat`).",
    ..shared("context.importFormat", UserOnly)
};

/// Where imports may lie.
pub static IMPORT_SCOPE: Key = Key {
    kind: Kind::Word(&["project", "directory"]),
    default: |profile| {
        let scope = if profile == Profile::Seed {
            "directory"
        } else {
            "project"
        };
        Setting::Text(scope.to_owned())
    },
    meaning: "Whether an import may lie anywhere in the project, or only below the importing file's \
              directory.",
    ..own("context.importScope", UserOnly)
};

/// How deep imports nest.
pub static IMPORT_MAX_DEPTH: Key = Key {
    kind: Kind::Count { min: 0, max: 64 },
    default: |profile| Setting::Count(if profile == Profile::Head { 5 } else { 10 }),
    meaning: "How many levels of imports are followed.",
    ..own("context.importMaxDepth", UserOnly)
};

/// How deep the start-up scan goes.
pub static STARTUP_DEPTH: Key = Key {
    kind: Kind::Levels,
    default: |profile| Setting::Count(usize::from(profile != Profile::Head)),
    meaning: "How many levels below the working directory are searched at start; `\"all\"` for the whole \
              tree. Deeper memory comes just in time.",
    ..own("context.startupDepth", Workspace)
};

/// How many directories a scan visits.
pub static DISCOVERY_MAX_DIRS: Key = Key {
    aliases: &["memoryDiscoveryMaxDirs"],
    kind: Kind::Count {
        min: 1,
        max: 10_000_000,
    },
    default: |_| Setting::Count(200),
    meaning: "At most so many directories are searched at start.",
    ..shared(
        "context.discoveryMaxDirs",
        WorkspaceMayTighten(TighteningRule::SmallerNumber),
    )
};

/// What marks a project's root.
pub static BOUNDARY_MARKERS: Key = Key {
    kind: Kind::Names,
    default: |_| list(&[".git"]),
    meaning: "Names of files or directories that mark a project's root. An empty list makes the working \
              directory the root.",
    ..shared("context.memoryBoundaryMarkers", UserOnly)
};

/// Further workspace directories.
pub static INCLUDE_DIRECTORIES: Key = Key {
    aliases: &["includeDirectories"],
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Further directories that belong to the workspace.",
    ..shared(
        "context.includeDirectories",
        WorkspaceMayTighten(TighteningRule::PathsInside),
    )
};

/// Whether their memory is loaded.
pub static LOAD_FROM_INCLUDE: Key = Key {
    aliases: &["loadMemoryFromIncludeDirectories"],
    default: |profile| Setting::Flag(profile == Profile::Head),
    meaning: "Whether the memory of include directories is loaded, where they are trusted.",
    ..shared("context.loadMemoryFromIncludeDirectories", UserOnly)
};

/// Whether `.gitignore` counts.
pub static RESPECT_GIT_IGNORE: Key = Key {
    aliases: &["fileFiltering.respectGitIgnore"],
    default: |profile| Setting::Flag(profile == Profile::Head),
    meaning: "Whether the start-up scan obeys `.gitignore`.",
    ..shared(
        "context.fileFiltering.respectGitIgnore",
        WorkspaceMayTighten(TighteningRule::SwitchOn),
    )
};

/// Whether `.geminiignore` counts.
pub static RESPECT_GEMINI_IGNORE: Key = Key {
    aliases: &["fileFiltering.respectGeminiIgnore"],
    default: |_| Setting::Flag(true),
    meaning: "Whether the start-up scan obeys `.geminiignore`.",
    ..shared(
        "context.fileFiltering.respectGeminiIgnore",
        WorkspaceMayTighten(TighteningRule::SwitchOn),
    )
};

/// Further ignore files.
pub static CUSTOM_IGNORE_FILES: Key = Key {
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Further ignore files, seen from the working directory; the first one is the strongest.",
    ..shared(
        "context.fileFiltering.customIgnoreFilePaths",
        WorkspaceMayTighten(TighteningRule::PathsInside),
    )
};

/// The limit for one file.
pub static MAX_FILE_BYTES: Key = Key {
    kind: Kind::Count {
        min: 1024,
        max: 64 * 1024 * 1024,
    },
    default: |_| Setting::Count(512 * 1024),
    meaning: "At most so many bytes of one memory file are loaded.",
    ..own("context.maxFileBytes", UserOnly)
};

/// The limit for all files.
pub static MAX_LOAD_BYTES: Key = Key {
    kind: Kind::Count {
        min: 1024,
        max: 256 * 1024 * 1024,
    },
    default: |_| Setting::Count(1024 * 1024),
    meaning: "At most so many bytes of memory are loaded at start.",
    ..own("context.maxLoadBytes", UserOnly)
};

/// The context window.
pub static WINDOW_TOKENS: Key = Key {
    aliases: &["context.window"],
    kind: Kind::Count {
        min: 1000,
        max: 100_000_000,
    },
    default: |_| Setting::Count(1_048_576),
    meaning: "The size of the model's context window, by which budgets are set.",
    ..own("context.windowTokens", UserOnly)
};

/// The budget of a layer.
pub static LAYER_MAX_TOKENS: Key = Key {
    kind: Kind::Count {
        min: 400,
        max: 100_000_000,
    },
    meaning: "At most so many tokens of one memory layer enter the context; a tenth of the window if \
              unset.",
    ..own("context.layerMaxTokens", UserOnly)
};

/// Who writes memory.
pub static WRITER: Key = Key {
    aliases: &["experimental.memoryManager"],
    kind: Kind::WordOrFlag {
        words: &["direct", "manager"],
        off_on: ["direct", "manager"],
    },
    default: |_| Setting::Text("direct".to_owned()),
    meaning: "Who writes memory in a conversation: the model itself, one fact at a time (`direct`), or an \
              agent that keeps the files in order (`manager`).",
    ..own("memory.writer", UserOnly)
};

/// Whether writing memory is asked for.
pub static CONSENT: Key = Key {
    kind: Kind::Word(&["ask", "inbox", "auto", "off"]),
    default: |_| Setting::Text("ask".to_owned()),
    meaning: "Whether a change to memory is shown and asked for (`ask`), waits in the inbox when a model wants \
              it (`inbox`), is only told with its undo (`auto`), or refused when a model wants it (`off`).",
    ..own("memory.consent", UserOnly)
};

/// Whether old sessions may be deleted.
pub static RETENTION_ENABLED: Key = Key {
    kind: Kind::Flag,
    default: |_| Setting::Flag(true),
    meaning: "Whether `session delete --expired` deletes anything.",
    ..shared("general.sessionRetention.enabled", UserOnly)
};

/// How old a session may become.
pub static RETENTION_MAX_AGE: Key = Key {
    kind: Kind::Duration,
    default: |_| Setting::Text("30d".to_owned()),
    meaning: "Sessions that were last used longer ago may go: a number and `h`, `d`, `w` or `m` (30 days).",
    ..shared("general.sessionRetention.maxAge", UserOnly)
};

/// How many sessions a project may have.
pub static RETENTION_MAX_COUNT: Key = Key {
    kind: Kind::Count {
        min: 1,
        max: 1_000_000,
    },
    default: |_| Setting::Unset,
    meaning: "Of more sessions than this in a project the oldest may go.",
    ..shared("general.sessionRetention.maxCount", UserOnly)
};

/// How long a session is kept in any case.
pub static RETENTION_MIN: Key = Key {
    kind: Kind::Duration,
    default: |_| Setting::Text("1d".to_owned()),
    meaning: "Sessions that were used since then stay, whatever else is set.",
    ..shared("general.sessionRetention.minRetention", UserOnly)
};

/// Findings of the secret scanner that are none.
pub static ALLOWED_SECRETS: Key = Key {
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Fingerprints of findings that are no secrets, as `memory add` and `memory check` tell them.",
    ..own("memory.allowedSecrets", UserOnly)
};

/// Whose sessions an MCP client sees.
pub static MCP_SESSIONS: Key = Key {
    kind: Kind::Word(&["project", "all"]),
    default: |_| Setting::Text("project".to_owned()),
    meaning: "Which sessions the clients of our MCP server see: those of the project that the server was started \
              in (`project`), or those of all projects (`all`).",
    ..own("mcp.sessions", UserOnly)
};

/// What a host is told at once.
pub static HOOK_SESSION_TOKENS: Key = Key {
    kind: Kind::Count {
        min: 0,
        max: 200_000,
    },
    default: |_| Setting::Count(8_000),
    meaning: "At most so many tokens of memory are told to a host when a session starts, or after a tool; \
              0 for nothing. A host that takes less gets less.",
    ..own("hook.sessionTokens", UserOnly)
};

/// What a host is told with a prompt.
pub static HOOK_PROMPT_TOKENS: Key = Key {
    kind: Kind::Count {
        min: 0,
        max: 20_000,
    },
    default: |_| Setting::Count(1_000),
    meaning: "At most so many tokens of entries that match a prompt are told to a host; 0 for none.",
    ..own("hook.promptTokens", UserOnly)
};

/// Whether events are counted.
pub static EVENTS_ENABLED: Key = Key {
    default: |_| Setting::Flag(true),
    meaning: "Whether it is counted what the context machinery and the hooks do, for `doctor --usage`: kinds, \
              times and numbers in a file on this machine, never a text, a path or a command.",
    ..own("events.enabled", UserOnly)
};

/// Whether trust is asked for.
pub static FOLDER_TRUST: Key = Key {
    aliases: &["folderTrust"],
    default: |_| Setting::Flag(true),
    meaning: "Whether a folder must be trusted before its own memory and settings are read.",
    ..shared("security.folderTrust.enabled", UserOnly)
};

/// Whose files may give instructions.
pub static TRUSTED_OWNERS: Key = Key {
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Whose memory, settings, rules, skills and agents count besides yours and root's: numbers of users, as in \
              `1001`, or of groups that may write such files, as in `group:1005`. `*` checks nothing. A group whose \
              number is that of the file's owner is taken to be private.",
    ..own("security.trustedOwners", UserOnly)
};

/// Extensions that are off.
pub static EXTENSIONS_DISABLED: Key = Key {
    kind: Kind::Names,
    merge: Merge::Append,
    default: |_| list(&[]),
    meaning: "Names of extensions whose memory is not loaded.",
    ..shared("extensions.disabled", UserOnly)
};

/// All settings, in the order of the reference.
pub static ALL: [&Key; 82] = [
    &PROFILE,
    &FILE_NAME,
    &STARTUP_DEPTH,
    &DISCOVERY_MAX_DIRS,
    &BOUNDARY_MARKERS,
    &INCLUDE_DIRECTORIES,
    &LOAD_FROM_INCLUDE,
    &RESPECT_GIT_IGNORE,
    &RESPECT_GEMINI_IGNORE,
    &CUSTOM_IGNORE_FILES,
    &IMPORT_FORMAT,
    &IMPORT_SCOPE,
    &IMPORT_MAX_DEPTH,
    &MAX_FILE_BYTES,
    &MAX_LOAD_BYTES,
    &WINDOW_TOKENS,
    &LAYER_MAX_TOKENS,
    &context::COMPRESS_SHARE,
    &context::PRESERVE_SHARE,
    &context::OVERFLOW_SHARE,
    &context::TOOL_BUDGET_TOKENS,
    &context::PROTECT_TOKENS,
    &context::PRUNE_FROM_TOKENS,
    &context::PROTECT_LATEST_TURN,
    &context::TRUNCATE_OUTPUT,
    &context::TRUNCATE_CHARS,
    &context::TRUNCATE_LINES,
    &context::SUMMARIZE_OUTPUT,
    &context::MAX_FILE_LINES,
    &context::MAX_LINE_CHARS,
    &context::MAX_SELECTED_CHARS,
    &context::DISABLE_LOOP_DETECTION,
    &context::LOOP_EXEMPT_TOOLS,
    &context::MAX_SESSION_TURNS,
    &context::SKIP_NEXT_SPEAKER_CHECK,
    &context::HISTORY_SEARCH_WINDOW,
    &context::HISTORY_TURNS,
    &model::NAME,
    &model::PROVIDER,
    &model::ALIASES,
    &model::WINDOWS,
    &model::FALLBACK,
    &model::LOCAL_SERVERS,
    &model::ALLOW_INSECURE,
    &model::PROXY,
    &model::MAX_ATTEMPTS,
    &model::TIMEOUT_SECS,
    &model::BACKGROUND_DAILY_TOKENS,
    &policy::MODE,
    &policy::NO_YOLO,
    &policy::ALLOWED,
    &policy::CONFIRMED,
    &policy::CORE,
    &policy::EXCLUDED,
    &servers::ALLOWED,
    &servers::EXCLUDED,
    &servers::PROJECT_VARIABLES,
    &WRITER,
    &CONSENT,
    &ALLOWED_SECRETS,
    &MCP_SESSIONS,
    &learn::MODE,
    &learn::AUTO_MEMORY,
    &learn::MEMORY_MANAGER,
    &learn::MIN_PROMPTS,
    &learn::IDLE_HOURS,
    &learn::INTERVAL_MINUTES,
    &RETENTION_ENABLED,
    &RETENTION_MAX_AGE,
    &RETENTION_MAX_COUNT,
    &RETENTION_MIN,
    &HOOK_SESSION_TOKENS,
    &HOOK_PROMPT_TOKENS,
    &hooks::ENABLED,
    &hooks::DISABLED,
    &hooks::EXIT_CODES,
    &skills::ENABLED,
    &skills::DISABLED,
    &EVENTS_ENABLED,
    &FOLDER_TRUST,
    &TRUSTED_OWNERS,
    &EXTENSIONS_DISABLED,
];
