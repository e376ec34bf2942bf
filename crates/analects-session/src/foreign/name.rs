//! What the names of files say: which are records of conversations, and of which.

use crate::transcript::Kind;

use super::resume::is_safe;

/// A file that holds a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The conversation's name: letters, digits, `_` and `-`.
    pub id: String,
    /// Whose conversation it is, as far as the name says.
    pub kind: Kind,
    /// How its bytes are stored.
    pub form: Form,
}

/// How a record is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As lines of JSON.
    Plain,
    /// The same, compressed: see [`codex::unpack`](super::codex::unpack).
    Zstd,
}

/// A path below a folder of `~/.claude/projects/`, with `/` between its parts.
///
/// `ID.jsonl` is a conversation, `ID/subagents/agent-ID.jsonl` one that it had held; older versions put the
/// latter beside the former.
#[must_use]
pub fn claude(path: &str) -> Option<Named> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let id = file.strip_suffix(".jsonl").filter(|id| is_safe(id))?;
    let parent = match folder.split_once('/') {
        None if matches!(folder, "" | "subagents") => None,
        Some((parent, "subagents")) if is_safe(parent) => Some(parent.to_owned()),
        // Workflows put theirs into folders below.
        Some((parent, below)) if is_safe(parent) && below.starts_with("subagents/") => {
            Some(parent.to_owned())
        }
        _ => return None,
    };
    let is_subagent = id.starts_with("agent-");
    if !folder.is_empty() && !is_subagent {
        return None;
    }
    let kind = if is_subagent {
        Kind::Subagent { parent }
    } else {
        Kind::Main
    };
    Some(Named {
        id: id.to_owned(),
        kind,
        form: Form::Plain,
    })
}

/// Whether a folder of `~/.claude/projects/` may belong to this directory. Others may share it: records say
/// exactly where they come from.
#[must_use]
pub fn is_claude_folder(name: &str, cwd: &str) -> bool {
    // Claude Code counts in UTF-16, and puts a hash behind what it cuts off.
    let dashed: String = cwd
        .encode_utf16()
        .map(|unit| u8::try_from(unit).ok().filter(u8::is_ascii_alphanumeric))
        .map(|byte| byte.map_or('-', char::from))
        .collect();
    match dashed.get(..MAX_FOLDER_CHARS) {
        Some(start) if dashed.len() > MAX_FOLDER_CHARS => {
            let rest = name.strip_prefix(start);
            rest.is_some_and(|rest| rest.starts_with('-'))
        }
        _ => name == dashed,
    }
}

/// Where Claude Code cuts the names of folders.
const MAX_FOLDER_CHARS: usize = 200;

/// A path below `${CODEX_HOME}`, with `/` between its parts.
///
/// `sessions/YYYY/MM/DD/rollout-YYYY-MM-DDThh-mm-ss-ID[_ID].jsonl[.zst]`, or the same in `archived_sessions/`.
/// The second id names a file, not a conversation: one that goes on from an earlier point of the same.
#[must_use]
pub fn codex(path: &str) -> Option<Named> {
    let (folder, file) = path.rsplit_once('/')?;
    let is_dated = |folder: &str| {
        let parts: Vec<_> = folder.split('/').collect();
        matches!(parts[..], [year, month, day] if is_number(year, 4) && is_number(month, 2) && is_number(day, 2))
    };
    let is_there = folder == "archived_sessions"
        || folder.strip_prefix("sessions/").is_some_and(is_dated)
        || folder
            .strip_prefix("archived_sessions/")
            .is_some_and(is_dated);
    if !is_there {
        return None;
    }
    let (file, form) = match file.strip_suffix(".zst") {
        Some(file) => (file, Form::Zstd),
        None => (file, Form::Plain),
    };
    let rest = file.strip_prefix("rollout-")?.strip_suffix(".jsonl")?;
    let (date, id) = rest.split_at_checked("2026-11-16T02-49-39-".len())?;
    let id = id.split_once('_').map_or(id, |(thread, _file)| thread);
    (is_date(date) && is_safe(id)).then(|| Named {
        id: id.to_owned(),
        kind: Kind::Main,
        form,
    })
}

fn is_date(text: &str) -> bool {
    let shape = "0000-00-00T00-00-00-";
    let fits = |(c, like): (char, char)| {
        if like == '0' {
            c.is_ascii_digit()
        } else {
            c == like
        }
    };
    text.len() == shape.len() && text.chars().zip(shape.chars()).all(fits)
}

fn is_number(text: &str, n_digits: usize) -> bool {
    text.len() == n_digits && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(named: Option<Named>) -> String {
        let Some(Named { id, kind, form }) = named else {
            return "no".to_owned();
        };
        match kind {
            Kind::Main => format!("{id} {form:?}"),
            Kind::Subagent { parent } => format!("{id} {form:?} for {parent:?}"),
        }
    }

    #[test]
    fn claudes_names_say_who_held_the_conversation() {
        for (path, expected) in [
            ("7f56-e1.jsonl", "7f56-e1 Plain"),
            (
                "7f56/subagents/agent-a4.jsonl",
                "agent-a4 Plain for Some(\"7f56\")",
            ),
            (
                "7f56/subagents/w1/agent-a4.jsonl",
                "agent-a4 Plain for Some(\"7f56\")",
            ),
            ("subagents/agent-a4.jsonl", "agent-a4 Plain for None"),
            ("agent-a4.jsonl", "agent-a4 Plain for None"),
            ("7f56/subagents/agent-a4.meta.json", "no"),
            ("7f56/subagents/other.jsonl", "no"),
            ("7f56/tool-results/b1.txt", "no"),
            ("7f56/tool-results/b1.jsonl", "no"),
            ("memory/MEMORY.md", "no"),
            ("../evil.jsonl", "no"),
            ("../subagents/agent-1.jsonl", "no"),
            ("a b.jsonl", "no"),
            ("-rf.jsonl", "no"),
            (".jsonl", "no"),
        ] {
            assert_eq!(show(claude(path)), expected, "{path}");
        }
    }

    #[test]
    fn codex_names_say_which_thread_it_is() {
        for (path, expected) in [
            (
                "sessions/2026/11/16/rollout-2026-11-16T02-49-39-01a1-e2.jsonl",
                "01a1-e2 Plain",
            ),
            (
                "sessions/2026/11/16/rollout-2026-11-16T02-49-39-01a1.jsonl.zst",
                "01a1 Zstd",
            ),
            (
                "archived_sessions/rollout-2026-11-16T02-49-39-01a1_77.jsonl",
                "01a1 Plain",
            ),
            ("sessions/rollout-2026-11-16T02-49-39-01a1.jsonl", "no"),
            (
                "sessions/2026/11/xx/rollout-2026-11-16T02-49-39-01a1.jsonl",
                "no",
            ),
            ("sessions/2026/11/16/rollout-2026-11-16-01a1.jsonl", "no"),
            (
                "sessions/2026/11/16/rollout-2026-11-16T02-49-39-.jsonl",
                "no",
            ),
            (
                "sessions/2026/11/16/rollout-2026-11-16T02-49-39-a$b.jsonl",
                "no",
            ),
            (
                "sessions/2026/11/16/rollout-2026-11-1€T02-49-3-01a1.jsonl",
                "no",
            ),
            ("session_index.jsonl", "no"),
        ] {
            assert_eq!(show(codex(path)), expected, "{path}");
        }
    }

    #[test]
    fn a_folder_of_claude_belongs_to_a_directory() {
        assert!(is_claude_folder("-home-u-my-repo", "/home/u/my.repo"));
        assert!(!is_claude_folder("-home-u", "/home/u/repo"));
        assert!(is_claude_folder("--", "/é"));
        let long = format!("/{}", "a".repeat(300));
        let folder = format!("-{}-e9nd31", "a".repeat(199));
        assert!(is_claude_folder(&folder, &long));
        assert!(!is_claude_folder(folder.trim_end_matches("-e9nd31"), &long));
    }
}
