//! Text of strangers inside the user messages of each agent.

use analects_session::foreign::{Limits, claude, codex, name};
use analects_session::from_gemini::transcript;
use analects_session::replay::replay;
use analects_session::transcript::{Role, Transcript};
use analects_world::Agent;
use analects_world::provenance::{split_prompt, user_text};
use serde_json::{Value, json};

/// What the user types in every message here.
const TYPED: &str = "MINE";

/// What a stranger writes to be found again.
const FORGED: &str = "EVIL";

const SMALL: Limits = Limits {
    text_bytes: 40,
    tool_bytes: 20,
};

/// Wrappers of Claude Code that can carry what a stranger wrote.
const CLAUDE_TAGS: [&str; 7] = [
    "system-reminder",
    "ide_selection",
    "ide_opened_file",
    "user-prompt-submit-hook",
    "local-command-stdout",
    "bash-stdout",
    "new-diagnostics",
];

/// Wrappers of Codex that can carry what a stranger wrote.
const CODEX_TAGS: [&str; 5] = [
    "user_instructions",
    "environment_context",
    "skill",
    "hook_prompt",
    "permissions instructions",
];

/// Whatever a stranger wrote inside a wrapper, the user's text is what the user typed outside of it, or nothing.
pub fn provenance(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let wrap = |tag: &str| format!("<{tag}>{text}</{tag}>");
    for tag in CLAUDE_TAGS {
        claude_block(&format!("{}\n{TYPED}", wrap(tag)));
        claude_block(&format!("{TYPED}\n{}", wrap(tag)));
        claude_block(&format!("{}{TYPED}{}", wrap("ide_selection"), wrap(tag)));
    }
    for tag in CODEX_TAGS {
        codex_block(&format!("{}\n{TYPED}", wrap(tag)));
    }
    codex_block(&format!(
        "# AGENTS.md instructions for /r\n\n<INSTRUCTIONS>\n{text}\n</INSTRUCTIONS>"
    ));
    codex_block(&format!(
        "# Context from my IDE setup:\n\n## Active selection of the file:\n{text}\n\n## My request for Codex:\n{TYPED}"
    ));
    gemini_parts(&[TYPED, "\n--- Content from referenced files ---", &text]);
    gemini_parts(&["<session_context>\n", &text]);
    gemini_parts(&[&format!(
        "{TYPED}\n--- Content from referenced files ---\n{text}"
    )]);
    let escaped = text.replace('<', "&lt;").replace('>', "&gt;");
    gemini_parts(&[&format!(
        "<hook_context>{escaped}</hook_context>\n\n{TYPED}"
    )]);
    gemini_parts(&[TYPED, &wrap("hook_context")]);
    recorded(&text);
    for agent in Agent::ALL {
        covers(agent, &text);
    }
}

/// A text without wrappers is the user's, and spans never add anything.
fn covers(agent: Agent, text: &str) {
    let spans = split_prompt(agent, text);
    let n_bytes: usize = spans.iter().map(|span| span.text.len()).sum();
    assert!(n_bytes <= text.len() + 2, "{agent:?}: {text:?}");
    let is_plain = !text.contains(['<', '[', '#', '-', 'C', 'H', 'T', 'S']);
    assert!(
        !is_plain || user_text(&spans) == text,
        "{agent:?}: {text:?}"
    );
}

fn check(spoken: &Transcript, message: &str) {
    let turns = spoken.turns.iter().filter(|turn| turn.role == Role::User);
    for turn in turns {
        assert_eq!(turn.text.trim(), TYPED, "{message:?}");
    }
}

/// A reader that keeps only the ends of a long text still takes none of what was wrapped for the user's.
fn check_cut(spoken: &Transcript, message: &str) {
    let mut turns = spoken.turns.iter();
    let is_forged = turns.any(|turn| turn.role == Role::User && turn.text.contains(FORGED));
    assert!(!is_forged, "{message:?}");
}

fn claude_block(text: &str) {
    let line = json!({ "type": "user", "uuid": "1", "message": { "content": [{ "type": "text", "text": text }] } });
    let bytes = line.to_string().into_bytes();
    let named = name::claude("5f2e.jsonl").unwrap();
    check(
        &claude::read(&bytes, &named, Limits::USUAL).0.transcript,
        text,
    );
    check_cut(&claude::read(&bytes, &named, SMALL).0.transcript, text);
}

fn codex_block(text: &str) {
    let item = json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": text }] });
    let line = json!({ "type": "response_item", "payload": item });
    let event =
        json!({ "type": "event_msg", "payload": { "type": "user_message", "message": text } });
    let named = name::claude("5f2e.jsonl").unwrap();
    for lines in [format!("{line}\n"), format!("{line}\n{event}\n")] {
        check(
            &codex::read(lines.as_bytes(), &named, Limits::USUAL)
                .0
                .transcript,
            text,
        );
        check_cut(
            &codex::read(lines.as_bytes(), &named, SMALL).0.transcript,
            text,
        );
    }
}

fn gemini_parts(texts: &[&str]) {
    let parts: Vec<_> = texts.iter().map(|text| json!({ "text": text })).collect();
    let message = json!({ "id": "m", "type": "user", "content": parts });
    check(&gemini(&message), &texts.concat());
}

/// A recorded author counts, whatever the text says.
fn recorded(text: &str) {
    let parts = json!([{ "text": text }, { "text": TYPED }]);
    for author in ["file", "editor", "hook", "tool", "system", "model"] {
        let authors = json!({ "authors": [author, "user"] });
        let message = json!({ "id": "m", "type": "user", "content": parts, "analects": authors });
        check(&gemini(&message), text);
    }
}

fn gemini(message: &Value) -> Transcript {
    let header = json!({ "sessionId": "s", "projectHash": "p" });
    transcript(&replay(format!("{header}\n{message}\n").into_bytes()))
}
