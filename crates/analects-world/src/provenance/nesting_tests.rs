//! Random nestings of every wrapper that an agent writes: what is inside one is never the user's.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{Author, claude, codex, gemini, user_text};

/// What a stranger writes, to be found again.
const FORGED: &str = "FORGED";
/// What the user types.
const TYPED: &str = "TYPED";

const CLAUDE_TAGS: [&str; 12] = [
    "system-reminder",
    "ide_selection",
    "ide_opened_file",
    "ide_diagnostics",
    "user-prompt-submit-hook",
    "session-start-hook",
    "local-command-stdout",
    "bash-stdout",
    "bash-input",
    "command-name",
    "command-args",
    "task-notification",
];

const CODEX_TAGS: [&str; 8] = [
    "user_instructions",
    "INSTRUCTIONS",
    "environment_context",
    "skill",
    "hook_prompt",
    "turn_aborted",
    "permissions instructions",
    "subagent_notification",
];

const GEMINI_TAGS: [&str; 6] = [
    "hook_context",
    "session_context",
    "state_snapshot",
    "untrusted_context",
    "activated_skill",
    "project_context",
];

const HEADINGS: [&str; 5] = [
    "\n## My request for Codex:\n",
    "\n# AGENTS.md instructions for /r\n",
    "\n--- Content from referenced files ---\n",
    "\n--- End of content ---\n",
    "\n",
];

/// Opening and closing tags, headings and forged words in any order.
fn soup(tags: &'static [&'static str]) -> impl Strategy<Value = String> {
    let tag = prop::sample::select(tags);
    let piece = prop_oneof![
        3 => Just(FORGED.to_owned()),
        3 => tag.clone().prop_map(|tag| format!("<{tag}>")),
        3 => tag.clone().prop_map(|tag| format!("</{tag}>")),
        1 => tag.prop_map(|tag| format!("<{tag} a=\"b\">")),
        2 => prop::sample::select(&HEADINGS[..]).prop_map(str::to_owned),
        1 => "[<>/a-z ]{0,6}",
    ];
    vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Wrappers with soup inside, as an agent writes them one after another.
fn wrappers(
    tags: &'static [&'static str],
    n: std::ops::Range<usize>,
) -> impl Strategy<Value = String> {
    // What was typed as a command is the user's by the format itself.
    let is_typed = |tag: &&str| *tag == "bash-input" || tag.starts_with("command-");
    let foreign: Vec<_> = tags.iter().copied().filter(|tag| !is_typed(tag)).collect();
    let one = (prop::sample::select(foreign), soup(tags));
    let one = one.prop_map(|(tag, inside)| format!("<{tag}>{inside}</{tag}>\n"));
    vec(one, n).prop_map(|all| all.concat())
}

/// The user's text holds nothing forged, and nothing but what was typed.
fn check(user: &str, message: &str) -> Result<(), TestCaseError> {
    prop_assert!(!user.contains(FORGED), "{message:?} -> {user:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn nothing_inside_a_wrapper_of_claude_code_is_the_users(
        before in wrappers(&CLAUDE_TAGS, 0..3),
        after in wrappers(&CLAUDE_TAGS, 0..3),
        is_typed in any::<bool>(),
    ) {
        let typed = if is_typed { TYPED } else { "" };
        let message = format!("{before}{typed}\n{after}");
        check(&user_text(&claude::split_text(&message, None)), &message)?;
    }

    #[test]
    fn nothing_inside_a_wrapper_of_codex_is_the_users(
        before in wrappers(&CODEX_TAGS, 0..3),
        after in wrappers(&CODEX_TAGS, 0..2),
        selection in soup(&CODEX_TAGS),
    ) {
        let message = format!("{before}{TYPED}\n{after}");
        check(&user_text(&codex::split_text(&message, None)), &message)?;
        let message = format!(
            "# Context from my IDE setup:\n\n## Active selection of the file:\n{selection}\n\n## My request for Codex:\n{TYPED}"
        );
        let user = user_text(&codex::split_text(&message, None));
        prop_assert_eq!(user.trim(), TYPED, "{:?}", message);
    }

    #[test]
    fn nothing_inside_a_wrapper_of_gemini_cli_is_the_users(
        before in wrappers(&GEMINI_TAGS, 0..3),
        after in wrappers(&GEMINI_TAGS, 0..3),
        file in soup(&GEMINI_TAGS),
    ) {
        let message = format!("{before}{TYPED}\n{after}");
        check(&user_text(&gemini::split_parts([(None, &*message)])), &message)?;
        let parts = [TYPED, "\n--- Content from referenced files ---", &file, &after];
        let user = user_text(&gemini::split_parts(parts.map(|part| (None, part))));
        prop_assert_eq!(user.trim(), TYPED, "{:?}", parts);
        let recorded = [(Some(Author::File), &*file), (Some(Author::User), TYPED)];
        prop_assert_eq!(user_text(&gemini::split_parts(recorded)), TYPED);
    }

    /// The other half: what is typed is not lost where the wrappers around it hold plain text.
    #[test]
    fn what_is_typed_beside_plain_wrappers_is_the_users(
        tag in prop::sample::select(&CLAUDE_TAGS[..5]),
        inside in "[a-z ]{0,20}",
        typed in "[a-zA-Z0-9 .,?!äß中文]{1,40}",
        is_before in any::<bool>(),
    ) {
        let wrapped = format!("<{tag}>{inside}</{tag}>");
        let message = if is_before {
            format!("{wrapped}\n{typed}")
        } else {
            format!("{typed}\n{wrapped}")
        };
        let user = user_text(&claude::split_text(&message, None));
        prop_assert_eq!(user.trim(), typed.trim());
    }
}
