//! Directories that nobody else may look into.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Makes a directory and those above it, closed to others. What is there already stays as it is.
///
/// Whoever comes first makes the directory of our state, and others lie in it: all of them make it like this. Else another
/// user could open the lock in it, and hold it.
pub(crate) fn create_private_dir(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use analects_world::tape::{Opening, Tapes};
    use analects_world::{AbsPath, Desk};

    use crate::commit::{CommitDesk, OpenGate};
    use crate::{DiskTapes, edit};

    /// The mode of what is first made in a home that Gemini CLI made before us, open to everybody.
    fn mode_of_state(make: impl Fn(&AbsPath)) -> u32 {
        let home = tempfile::tempdir().unwrap();
        let gemini = home.path().join(".gemini");
        fs::create_dir(&gemini).unwrap();
        fs::set_permissions(&gemini, fs::Permissions::from_mode(0o755)).unwrap();
        let state = AbsPath::new(gemini.join("analects").to_str().unwrap()).unwrap();
        make(&state);
        let lock = fs::metadata(state.join("lock").as_str());
        let is_open = |lock: fs::Metadata| lock.permissions().mode() & 0o077 != 0;
        assert!(!lock.is_ok_and(is_open), "the lock is ours alone");
        fs::metadata(state.as_str()).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn whoever_makes_the_state_first_keeps_others_out() {
        let log = |state: &AbsPath| {
            let tape = DiskTapes.open(&state.join("events.jsonl"), Opening::Shared);
            drop(tape.unwrap());
        };
        let draft = |state: &AbsPath| {
            edit("true", &state.join("drafts"), "entry.md", "a word").unwrap();
        };
        let commit = |state: &AbsPath| {
            let desk = CommitDesk::new(state, &OpenGate);
            let _ = desk.commit(&[], &mut |_| None);
        };
        assert_eq!(mode_of_state(log), 0o700);
        assert_eq!(mode_of_state(draft), 0o700);
        assert_eq!(mode_of_state(commit), 0o700);
    }
}
