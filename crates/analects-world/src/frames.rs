//! The tags that hold a conversation with a model together, in one list for every room that guards them.
//!
//! The system prompt tells a model what each of them means, so text from outside that opens one would borrow that meaning:
//! a forged `<state_snapshot>` in a memory file would speak with the user's voice. Rooms that put such text beside our
//! frames neutralise all of these, whichever room writes them.

/// Names of tags, in lower case.
pub const TAGS: [&str; 12] = [
    "loaded_context",
    "global_context",
    "extension_context",
    "project_context",
    "user_project_memory",
    "session_context",
    "available_skills",
    "activated_skill",
    "untrusted_context",
    "state_snapshot",
    "tool_output_masked",
    "hook_context",
];
