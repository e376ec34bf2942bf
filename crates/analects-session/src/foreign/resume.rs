//! The command that goes on with a conversation, in the agent that held it.

use analects_world::Agent;

/// Longer than any agent's ids.
const MAX_ID_BYTES: usize = 128;

/// The shell line that resumes a session; none for an id that is more than a word to a shell or a program.
///
/// ```
/// use analects_session::foreign::resume::resume;
/// use analects_world::Agent;
///
/// assert_eq!(resume(Agent::Claude, "5f2e-1").as_deref(), Some("claude --resume 5f2e-1"));
/// assert_eq!(resume(Agent::Claude, "5f2e; rm -rf ~"), None);
/// assert_eq!(resume(Agent::Codex, "--yolo"), None);
/// ```
#[must_use]
pub fn resume(agent: Agent, id: &str) -> Option<String> {
    let command = match agent {
        Agent::Gemini => "gemini --resume",
        Agent::Claude => "claude --resume",
        Agent::Codex => "codex resume",
    };
    is_safe(id).then(|| format!("{command} {id}"))
}

/// Whether an id is letters, digits, `_` and `-` only, and no option.
#[must_use]
pub fn is_safe(id: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    !id.is_empty() && id.len() <= MAX_ID_BYTES && !id.starts_with('-') && id.chars().all(is_word)
}
