//! Where drafts wait that rest on a stranger's text: beside the inbox, but where no inbox of Gemini CLI looks.
//!
//! They can be looked at and taken one by one. Nobody takes them in bulk, and no agent reads them.

use analects_text::frontmatter;
use analects_world::AbsPath;

use crate::origin::Origin;

/// The directory of skills in quarantine, in a project's private memory folder.
#[must_use]
pub fn shelf(memory: &AbsPath) -> AbsPath {
    memory.join(".quarantine/skills")
}

/// The directories of patches of memory in quarantine: of the project's notes, and of the user's own.
#[must_use]
pub fn patches(memory: &AbsPath) -> [AbsPath; 2] {
    ["private", "global"].map(|layer| memory.join(".quarantine/inbox").join(layer))
}

/// Why something lies there that does not say where it came from.
pub const UNKNOWN: &str = "it rests only on text from outside";

/// Where a draft says that it came from, as a fragment for a person. A word that we have no word for is none: the draft
/// itself is not to be believed.
#[must_use]
pub fn origin(manifest: &str) -> Option<String> {
    let n_head = frontmatter::split(manifest).ok()?.body_line;
    let told = manifest
        .lines()
        .take(n_head.saturating_sub(1))
        .find_map(|line| line.trim_start().strip_prefix("analects-taint:"))?;
    let told = told.trim().trim_matches('"');
    let origin = [
        Origin::File,
        Origin::Server,
        Origin::Web,
        Origin::Issue,
        Origin::Program,
    ];
    let origin = origin.iter().find(|origin| origin.as_str() == told)?;
    Some(format!("it rests only on: {}", origin.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_says_where_it_came_from_in_its_head_alone() {
        let draft = |taint: &str| {
            format!("---\nname: x\ndescription: y\nmetadata:\n{taint}---\nanalects-taint: me\n")
        };
        let told = |taint: &str| origin(&draft(taint));
        assert_eq!(
            told("  analects-taint: \"tool (web)\"\n").as_deref(),
            Some("it rests only on: tool (web)")
        );
        assert_eq!(told("  analects-taint: \"none\"\n"), None);
        assert_eq!(told("  other: z\n"), None);
        assert_eq!(origin("analects-taint: web\n"), None);
        assert_eq!(told("  analects-taint: \"obey me\"\n"), None);
    }
}
