//! What the files of records are called.

use crate::stamp::Stamp;

/// An id from which no file name can be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no file can be named after the session id `{0}`")]
pub struct NoName(pub String);

/// The name of a new record below `chats/`: when it began, to the minute, and the first eight characters of
/// its id. It tells records apart for people; only the id inside tells them apart for sure.
pub fn file_name(session_id: &str, at: Stamp) -> Result<String, NoName> {
    let id = sanitized(session_id)?;
    let at = at.to_string();
    let minute: String = at.chars().take(16).collect();
    let short: String = id.chars().take(8).collect();
    Ok(format!(
        "session-{}-{short}.jsonl",
        minute.replace(':', "-")
    ))
}

/// The name of a sub-agent's record below `chats/`: in a directory with the name of the conversation that it
/// works for.
pub fn subagent_file_name(parent_id: &str, agent_id: &str) -> Result<String, NoName> {
    let (parent, agent) = (sanitized(parent_id)?, sanitized(agent_id)?);
    Ok(format!("{parent}/{agent}.jsonl"))
}

/// An id as a part of a path: letters, digits, `-` and `_`. Two ids may become one.
pub fn sanitized(id: &str) -> Result<String, NoName> {
    let mut safe = String::with_capacity(id.len());
    for c in id.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => safe.push(c),
            // The original counts in UTF-16.
            c => (0..c.len_utf16()).for_each(|_| safe.push('_')),
        }
    }
    if safe.is_empty() {
        return Err(NoName(id.to_owned()));
    }
    Ok(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_original_and_never_leave_their_directory() {
        let at = Stamp::parse("2026-08-21T10:04:59.999Z").unwrap();
        let name = |id| file_name(id, at).unwrap();
        assert_eq!(
            name("3f1c9a7e-77"),
            "session-2026-08-21T10-04-3f1c9a7e.jsonl"
        );
        assert_eq!(name("../é😀"), "session-2026-08-21T10-04-______.jsonl");
        assert_eq!(name("a"), "session-2026-08-21T10-04-a.jsonl");
        assert_eq!(file_name("", at), Err(NoName(String::new())));
        let subagent = subagent_file_name("top/../id", "..").unwrap();
        assert_eq!(subagent, "top____id/__.jsonl");
    }
}
