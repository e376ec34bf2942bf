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

/// How what a hook said begins where a user speaks, and how it ends. Every bracket in it is escaped, so the first end is
/// its own.
const HOOK: (&str, &str) = ("<hook_context>", "</hook_context>");

/// What the user wrote of a text that hooks spoke in front of: Gemini CLI sets both in one. A section that is never
/// closed, and one that nothing follows, is all there is: then the text stays as it is.
#[must_use]
pub fn after_hooks(text: &str) -> &str {
    let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    let mut rest = text;
    loop {
        let told = rest.trim_start_matches(is_blank).strip_prefix(HOOK.0);
        match told.and_then(|told| told.split_once(HOOK.1)) {
            Some((_, after)) => rest = after.trim_start_matches(is_blank),
            None if rest.is_empty() => return text,
            None => return rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hooks_said_in_front_of_a_prompt_is_taken_off() {
        for (text, own) in [
            ("fix it", "fix it"),
            ("  fix it", "  fix it"),
            ("<hook_context>a</hook_context>\n\nfix it", "fix it"),
            (
                "\u{feff}<hook_context>a</hook_context> <hook_context>b</hook_context>\nfix </hook_context>",
                "fix </hook_context>",
            ),
            (
                "fix <hook_context>a</hook_context>",
                "fix <hook_context>a</hook_context>",
            ),
        ] {
            assert_eq!(after_hooks(text), own, "{text}");
        }
    }

    #[test]
    fn what_is_never_closed_or_ends_the_text_stays() {
        for text in [
            "<hook_context>a fix it",
            "<hook_context>a</hook_context>",
            "<hook_context>a</hook_context>\n \n",
            "",
        ] {
            assert_eq!(after_hooks(text), text);
        }
    }
}
