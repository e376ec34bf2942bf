//! Every kind of problem found while preparing a load (settings, trust, extensions, identity), while writing, while
//! choosing a model, and while talking to one.

pub use analects_text::problem::Code;
use analects_text::problem::Severity::{Error, Note, Warning};

/// A settings file cannot be parsed.
pub const BAD_SETTINGS: Code = Code {
    name: "bad-settings",
    severity: Error,
    meaning: "A settings file could not be read or is not a JSON object; all of it was ignored.",
};

/// A setting has a value of the wrong kind.
pub const BAD_SETTING: Code = Code {
    name: "bad-setting",
    severity: Warning,
    meaning: "A setting has a value it cannot have; the next weaker value counts.",
};

/// A key nobody knows.
pub const UNKNOWN_SETTING: Code = Code {
    name: "unknown-setting",
    severity: Warning,
    meaning: "A settings file holds a key that neither Analects nor Gemini CLI knows; check its spelling.",
};

/// A workspace sets what it may not.
pub const WORKSPACE_SETTING: Code = Code {
    name: "workspace-setting",
    severity: Warning,
    meaning: "A workspace's own settings hold a value that only you may set, or that would widen what the workspace may \
              do; that value was ignored. The [settings](settings.md) say what a workspace may set; put the value into \
              `~/.gemini/settings.json` if you want it.",
};

/// A root that would hold the user's home.
pub const ROOT_REFUSED: Code = Code {
    name: "root-refused",
    severity: Note,
    meaning: "A boundary marker such as `.git` lies in your home directory or above it. That is never a project; the \
              working directory is the root instead.",
};

/// A folder of somebody else.
pub const FOREIGN_FOLDER: Code = Code {
    name: "foreign-folder",
    severity: Warning,
    meaning: "A folder belongs to another user of this machine, or others may write it. What it says is not loaded, though \
              you trust it: they could have written it. Take it over (`chown`, `chmod go-w`), or name its owner in \
              `security.trustedOwners` of your own settings.",
};

/// A rule about a folder that holds another repository by now.
pub const OTHER_REPOSITORY: Code = Code {
    name: "other-repository",
    severity: Warning,
    meaning: "At this path lies another repository than the one that you trusted, or noted something about: another \
              first commit and another remote. Neither trust nor private notes are passed on to it. `analects trust \
              add` trusts this one.",
};

/// The trust file cannot be parsed.
pub const BAD_TRUST_FILE: Code = Code {
    name: "bad-trust-file",
    severity: Error,
    meaning: "`trustedFolders.json` could not be read; no folder is trusted until it is repaired.",
};

/// A trust rule that says nothing known.
pub const BAD_TRUST_RULE: Code = Code {
    name: "bad-trust-rule",
    severity: Warning,
    meaning: "A rule of `trustedFolders.json` has an unknown level and counts as DO_NOT_TRUST, or names \
              no absolute path and is ignored.",
};

/// The project registry cannot be parsed.
pub const BAD_REGISTRY: Code = Code {
    name: "bad-registry",
    severity: Warning,
    meaning: "`projects.json` could not be read; projects are recognised by their markers instead.",
};

/// An extension cannot be used.
pub const BAD_EXTENSION: Code = Code {
    name: "bad-extension",
    severity: Warning,
    meaning: "An extension's manifest or enablement rules could not be read, or name a context file \
              outside of the extension.",
};

/// A change that was begun and not finished.
pub const UNFINISHED: Code = Code {
    name: "unfinished-change",
    severity: Warning,
    meaning: "A program died while it changed memory, so some files are changed and others not yet. The next command that \
              writes finishes it or takes it back; `analects doctor` tells of it, too.",
};

/// An include directory was left out.
pub const INCLUDE_UNTRUSTED: Code = Code {
    name: "include-untrusted",
    severity: Warning,
    meaning: "A directory of `context.includeDirectories` is not trusted; its memory was not loaded. One that only the \
              project names is no part of the workspace either.",
};

/// All codes of a load, for the reference.
pub const ALL: [&Code; 13] = [
    &BAD_SETTINGS,
    &BAD_SETTING,
    &UNKNOWN_SETTING,
    &WORKSPACE_SETTING,
    &ROOT_REFUSED,
    &FOREIGN_FOLDER,
    &OTHER_REPOSITORY,
    &BAD_TRUST_FILE,
    &BAD_TRUST_RULE,
    &BAD_REGISTRY,
    &BAD_EXTENSION,
    &INCLUDE_UNTRUSTED,
    &UNFINISHED,
];

/// A fact that is remembered already.
pub const ALREADY_KNOWN: Code = Code {
    name: "already-known",
    severity: Note,
    meaning: "The file says the same already, word for word; nothing was written.",
};

/// A fact that is nearly remembered already.
pub const SIMILAR: Code = Code {
    name: "similar-entry",
    severity: Warning,
    meaning: "Another entry says nearly the same; `analects memory edit` changes it, `forget` removes it.",
};

/// A fact that was forgotten on purpose.
pub const FORGOTTEN: Code = Code {
    name: "forgotten-before",
    severity: Warning,
    meaning: "Somebody had this forgotten; it is not learned again without being asked for.",
};

/// A fact that was changed before it was written down.
pub const FACT_CHANGED: Code = Code {
    name: "fact-changed",
    severity: Warning,
    meaning: "Hidden characters, secrets or look-alikes of our own tags were taken out of a fact.",
};

/// A layer that grows beyond its budget.
pub const OVER_BUDGET: Code = Code {
    name: "over-budget",
    severity: Warning,
    meaning: "A layer costs more than `context.layerMaxTokens`; its longest files are cut when they are \
              loaded. Forget or shorten the entries named.",
};

/// A fact that cannot hold beside another.
pub const CLASHING: Code = Code {
    name: "clashing-entry",
    severity: Warning,
    meaning: "Another entry says the opposite, or gives the same thing another value; `analects memory edit` changes \
              it, `forget` removes it.",
};

/// A place that nobody confirmed.
pub const PLACE_ASSUMED: Code = Code {
    name: "place-assumed",
    severity: Warning,
    meaning: "A fact could belong in one place or in a wider one, and nobody was there to ask; it went to the \
              narrower. `analects memory move` takes it elsewhere.",
};

/// A fact of a project that may not be written to.
pub const KEPT_PRIVATE: Code = Code {
    name: "kept-private",
    severity: Warning,
    meaning: "A fact belongs in a file of a project that is not trusted, which is never written; it went to your own \
              notes on that project.",
};

/// Something that was chosen, and cannot be done any more.
pub const MOVED_ON: Code = Code {
    name: "moved-on",
    severity: Warning,
    meaning: "A file changed while you were choosing what to tidy, and a step no longer fits what it says. That step was \
              not done; run `memory tidy` again.",
};

/// A secret that is not moved.
pub const SECRET_LEFT: Code = Code {
    name: "secret-left",
    severity: Warning,
    meaning: "A step of `memory tidy` would have taken what looks like a secret to another file, and was not offered. \
              Remove the secret, or allow it in `memory.allowedSecrets`.",
};

/// No model could be asked.
pub const BY_RULES: Code = Code {
    name: "by-rules",
    severity: Warning,
    meaning: "Memory was to be tidied by the agent that keeps it, which needs a model. None could be asked, or the agent did \
              not finish, so that rules decided.",
};

/// A change that stays.
pub const NO_WAY_BACK: Code = Code {
    name: "no-way-back",
    severity: Warning,
    meaning: "What looks like a secret stands among what was changed in a file, or a file was too large to be kept. The journal \
              has no copy of these, so `memory undo` cannot bring them back.",
};

/// All codes of a write, for the reference.
pub const WRITING: [&Code; 12] = [
    &ALREADY_KNOWN,
    &SIMILAR,
    &FORGOTTEN,
    &FACT_CHANGED,
    &OVER_BUDGET,
    &CLASHING,
    &PLACE_ASSUMED,
    &KEPT_PRIVATE,
    &MOVED_ON,
    &SECRET_LEFT,
    &BY_RULES,
    &NO_WAY_BACK,
];

/// A record that is longer than we read.
pub const RECORD_CUT: Code = Code {
    name: "record-cut",
    severity: Warning,
    meaning: "The record of a session is longer than any that Analects reads; what comes after was left out.",
};

/// A record that cannot be opened.
pub const RECORD_UNREADABLE: Code = Code {
    name: "record-unreadable",
    severity: Warning,
    meaning: "The record of a session could not be opened; it is left out of lists and searches.",
};

/// A session was changed while somebody may be in it.
pub const SESSION_LIVE: Code = Code {
    name: "session-live",
    severity: Note,
    meaning: "A session was compressed that had just been written to: an agent that has it open goes on with what \
              it remembers, and sees the change when the session is resumed.",
};

/// A copy that no longer follows what it was made of.
pub const COPY_APART: Code = Code {
    name: "copy-apart",
    severity: Warning,
    meaning: "A session of another agent went on after it was copied, and the copy was changed since: compressed, taken \
              back, or gone on with. What was said there meanwhile is not in the copy. `analects session delete` with \
              the copy's id makes way for a new one.",
};

/// Rules that could not be put into the inbox.
pub const NOT_PROPOSED: Code = Code {
    name: "not-proposed",
    severity: Note,
    meaning: "What the user said in a session could not be proposed for memory: memory takes no proposals here, or the \
              inbox cannot be written.",
};

/// Something about a session that could not be written down.
pub const NOT_RECORDED: Code = Code {
    name: "not-recorded",
    severity: Warning,
    meaning: "Nothing more can be written to the record of a session: the disk is full or refuses, or another \
              program is writing there.",
};

/// The index over sessions does not work as it should.
pub const INDEX: Code = Code {
    name: "index",
    severity: Warning,
    meaning: "The index over sessions cannot be kept or written. It holds nothing that is not in the records, and \
              may be deleted at any time: `~/.gemini/analects/index.sqlite`.",
};

/// An event that is missing from the log.
pub const NOT_COUNTED: Code = Code {
    name: "not-counted",
    severity: Note,
    meaning: "An event could not be noted in `~/.gemini/analects/events.jsonl`, so `doctor --usage` counts one \
              less. Nothing else depends on it.",
};

/// All codes of sessions, for the reference.
pub const SESSIONS: [&Code; 8] = [
    &RECORD_CUT,
    &RECORD_UNREADABLE,
    &SESSION_LIVE,
    &COPY_APART,
    &NOT_PROPOSED,
    &NOT_RECORDED,
    &INDEX,
    &NOT_COUNTED,
];

/// A key or an address that cannot be one.
pub const BAD_KEY: Code = Code {
    name: "bad-key",
    severity: Warning,
    meaning: "A variable that should hold a key or an address holds spaces, line breaks or other characters that \
              neither has; it counts as unset.",
};

/// The file of keys cannot be used.
pub const BAD_KEY_FILE: Code = Code {
    name: "bad-key-file",
    severity: Warning,
    meaning: "`~/.gemini/.env` is no regular file, may not be read, or is far too large; none of its keys count.",
};

/// Others may read the keys.
pub const OPEN_KEYS: Code = Code {
    name: "open-keys",
    severity: Warning,
    meaning: "Other users of this machine may read or change `~/.gemini/.env`, so neither keys nor addresses in it count: \
              `chmod 600 ~/.gemini/.env`.",
};

/// Others may read along.
pub const OPEN_WIRE: Code = Code {
    name: "open-wire",
    severity: Warning,
    meaning: "A server on another machine is spoken to over plain http: whoever is on the way can read along. A key \
              is only sent like this with `model.allowInsecure`.",
};

/// A model that cannot be had.
pub const MODEL_IGNORED: Code = Code {
    name: "model-ignored",
    severity: Warning,
    meaning: "`model.name` names a model of a provider that is not set up, or not the one of `model.provider`; \
              another one is asked.",
};

/// A local server whose address makes no sense.
pub const BAD_SERVER: Code = Code {
    name: "bad-server",
    severity: Warning,
    meaning: "An entry of `model.localServers` is no address of a server; it is not looked for.",
};

/// A call that is missing from the ledger.
pub const NOT_BOOKED: Code = Code {
    name: "not-booked",
    severity: Warning,
    meaning: "A call of a model could not be noted in `~/.gemini/analects/models.jsonl`, so neither `doctor --usage` \
              nor the daily ceiling of `model.backgroundDailyTokens` knows of it.",
};

/// A snapshot without a model.
pub const NO_PROSE: Code = Code {
    name: "no-prose",
    severity: Warning,
    meaning: "The model that was to write a snapshot did not answer, or wrote nothing that can be used; the digest, \
              which needs no model, stands alone.",
};

/// A headline without a model.
pub const NO_HEADLINE: Code = Code {
    name: "no-headline",
    severity: Warning,
    meaning: "The model that was to say what a session was about did not answer, or said nothing that can be used; the \
              headline that follows from the prompts, which needs no model, stands.",
};

/// All codes of models, for the reference.
pub const MODELS: [&Code; 9] = [
    &BAD_KEY,
    &BAD_KEY_FILE,
    &OPEN_KEYS,
    &OPEN_WIRE,
    &MODEL_IGNORED,
    &BAD_SERVER,
    &NOT_BOOKED,
    &NO_PROSE,
    &NO_HEADLINE,
];

/// An editor that cannot be heard.
pub const IDE_CONTEXT: Code = Code {
    name: "ide-context",
    severity: Warning,
    meaning: "The file in which an editor says what is open in it is missing, broken or far too large; the model is told \
              nothing of the editor until it can be read.",
};

/// `latest` is wanted, and there is none.
pub const NO_SESSION: Code = Code {
    name: "no-session",
    severity: Note,
    meaning: "The latest session was to go on, and there is none: a new one begins.",
};

/// A history was compressed.
pub const COMPRESSED: Code = Code {
    name: "compressed",
    severity: Note,
    meaning: "A conversation had grown too long, and a snapshot stands for its past now. The record has all of it.",
};

/// Another model answers than before.
pub const ROUTED: Code = Code {
    name: "model-routed",
    severity: Note,
    meaning: "`model.name` is `auto`, and another model was chosen for this prompt than for the one before.",
};

/// A directory that somebody named is not there.
pub const INCLUDE_MISSING: Code = Code {
    name: "include-missing",
    severity: Warning,
    meaning: "A directory of `--include-directories` is not there, or is no directory.",
};

/// An answer is not whole.
pub const ANSWER_CUT: Code = Code {
    name: "answer-cut",
    severity: Warning,
    meaning: "An answer ended before its end: it reached the greatest length that the model may write, or the server \
              held back the rest of it.",
};

/// Memory is another one than in the request before.
pub const MEMORY_CHANGED: Code = Code {
    name: "memory-changed",
    severity: Note,
    meaning: "Somebody else changed memory while a conversation went on. From now on it goes by what memory says now.",
};

/// A model goes in circles.
pub const LOOP: Code = Code {
    name: "loop",
    severity: Warning,
    meaning: "A model repeated its calls or its words. It is told once; the second time it is stopped.",
};

/// A server whose entry makes no sense.
pub const MCP_ENTRY: Code = Code {
    name: "mcp-entry",
    severity: Warning,
    meaning: "An entry of `mcpServers` makes no sense, wants something that Analects cannot do, or has the name of another \
              one; it is not used, or not all of it.",
};

/// A server that is not used on purpose.
pub const MCP_SKIPPED: Code = Code {
    name: "mcp-skipped",
    severity: Note,
    meaning: "Servers of `mcpServers` are not used: they are Analects itself, the folder is not trusted, or it is a dry run.",
};

/// A server of the project that starts.
pub const PROJECT_SERVER: Code = Code {
    name: "project-server",
    severity: Warning,
    meaning: "A trusted project starts an MCP server of its own. It is a program that runs as you, or an address that is \
              asked; `mcp.excluded` switches it off. It gets only the common environment variables and those that \
              `security.projectVariables` names for the project.",
};

/// A server that does not answer.
pub const MCP_FAILED: Code = Code {
    name: "mcp-failed",
    severity: Warning,
    meaning: "An MCP server could not be started or reached, or did not say what it offers; the talk goes on without it.",
};

/// Tools that are left out.
pub const MCP_CUT: Code = Code {
    name: "mcp-cut",
    severity: Warning,
    meaning: "Not all that an MCP server offers is used: there is too much of it, some of it makes no sense, or two tools \
              would have the same name. `includeTools` of its entry says which tools are wanted.",
};

/// There are more sub-agents than are offered.
pub const AGENTS_LEFT_OUT: Code = Code {
    name: "agents-left-out",
    severity: Warning,
    meaning: "A directory of sub-agents holds more files than are read. Those that come first by name are there.",
};

/// The file of a sub-agent cannot be read.
pub const AGENT_UNREADABLE: Code = Code {
    name: "agent-unreadable",
    severity: Warning,
    meaning: "The file of a sub-agent could not be read, or leads out of the project. The agent is not there.",
};

/// All codes of talks, for the reference.
pub const TALK: [&Code; 15] = [
    &IDE_CONTEXT,
    &NO_SESSION,
    &COMPRESSED,
    &ROUTED,
    &INCLUDE_MISSING,
    &ANSWER_CUT,
    &MEMORY_CHANGED,
    &LOOP,
    &AGENTS_LEFT_OUT,
    &AGENT_UNREADABLE,
    &MCP_ENTRY,
    &MCP_SKIPPED,
    &PROJECT_SERVER,
    &MCP_FAILED,
    &MCP_CUT,
];

/// What earlier extractions did is not known.
pub const BAD_LEDGER: Code = Code {
    name: "bad-ledger",
    severity: Warning,
    meaning: "`.extraction-state.json` makes no sense. It is begun anew: sessions may be learned from once more.",
};

/// A patch that was no use.
pub const PATCH_TAKEN_BACK: Code = Code {
    name: "patch-taken-back",
    severity: Warning,
    meaning: "A run that learned from sessions left a patch that nobody could apply. It is as it was before the run, or gone; \
              `memory log` still has it.",
};

/// A model that could not be asked.
pub const NOT_LEARNED: Code = Code {
    name: "not-learned",
    severity: Warning,
    meaning: "A model could not be asked to learn from sessions, or did not finish. What needs no model was done; the rest is \
              tried again later.",
};

/// A draft that nobody is asked about.
pub const DRAFT_DROPPED: Code = Code {
    name: "draft-dropped",
    severity: Warning,
    meaning: "The agent that drafts skills wrote something that cannot wait in the inbox: it breaks the standard, holds a \
              secret, does harm, or was dismissed before. It was left out, the rest was kept.",
};

/// All codes of learning, for the reference.
pub const LEARN: [&Code; 4] = [&BAD_LEDGER, &PATCH_TAKEN_BACK, &NOT_LEARNED, &DRAFT_DROPPED];
