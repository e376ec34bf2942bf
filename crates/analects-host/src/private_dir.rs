//! Directories and files for their owner only, whatever the umask says.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

const DIR_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

/// Creates a directory and its missing parents with mode 0700. Existing ones stay as they are.
///
/// All code that may be the first to create the state directory calls this. Otherwise another user could open the
/// lock in it and hold it.
pub(crate) fn create_private_dir(dir: &Path) -> io::Result<()> {
    match (create_one(dir), dir.parent()) {
        (Err(error), Some(parent)) if error.kind() == io::ErrorKind::NotFound => {
            create_private_dir(parent)?;
            create_one(dir)
        }
        (created, _) => created,
    }
}

/// Like `create_private_dir`, for a directory of our own: closes it to others if an earlier version left it open.
///
/// A file system without modes is not an error.
pub(crate) fn secure_private_dir(dir: &Path) -> io::Result<()> {
    create_private_dir(dir)?;
    if fs::metadata(dir)?.permissions().mode() & 0o777 != DIR_MODE {
        let _ = fs::set_permissions(dir, Permissions::from_mode(DIR_MODE));
    }
    Ok(())
}

/// Opens a file of our own, and gives it mode 0600 if it has another.
pub(crate) fn open_private_file(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.mode(FILE_MODE).open(path)?;
    if file.metadata()?.permissions().mode() & 0o777 != FILE_MODE {
        let _ = file.set_permissions(Permissions::from_mode(FILE_MODE));
    }
    Ok(file)
}

/// Creates one directory with mode 0700; fails if it exists.
pub(crate) fn create_new_private_dir(dir: &Path) -> io::Result<()> {
    DirBuilder::new().mode(DIR_MODE).create(dir)?;
    // A umask takes rights away from the owner, too.
    fs::set_permissions(dir, Permissions::from_mode(DIR_MODE))
}

fn create_one(dir: &Path) -> io::Result<()> {
    match create_new_private_dir(dir) {
        Err(_) if dir.is_dir() => Ok(()),
        created => created,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use analects_world::changes::{Change, Changes};
    use analects_world::claim::Claims;
    use analects_world::desk::Guard;
    use analects_world::tape::{Opening, Tapes};
    use analects_world::{AbsPath, Desk};
    use rustix::process::umask;

    use super::*;
    use crate::commit::{CommitDesk, OpenGate};
    use crate::{DiskClaims, DiskTapes, edit};

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

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    /// Every directory and file below one, with its mode.
    fn modes(top: &Path) -> Vec<(String, u32)> {
        let mut found = Vec::new();
        let mut todo = vec![top.to_owned()];
        while let Some(dir) = todo.pop() {
            for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
                let path = entry.path();
                let name = path.strip_prefix(top).unwrap().display().to_string();
                found.push((name, mode(&path)));
                if path.is_dir() {
                    todo.push(path);
                }
            }
        }
        found.sort();
        found
    }

    #[test]
    fn private_directories_and_files_are_private_whatever_the_umask() {
        for mask in ["000", "022", "027", "777"] {
            let dir = tempfile::tempdir().unwrap();
            let mut command = Command::new(std::env::current_exe().unwrap());
            let test = "private_dir::tests::writes_under_a_umask";
            command.args(["--exact", test, "--nocapture", "--test-threads=1"]);
            command.env("ANALECTS_TEST_DIR", dir.path());
            command.env("ANALECTS_TEST_UMASK", mask);
            assert!(command.output().unwrap().status.success(), "{mask}");
            let found = modes(&dir.path().join("home"));
            assert!(found.len() > 15, "{found:?}");
            for (name, mode) in found {
                let is_dir = dir.path().join("home").join(&name).is_dir();
                let expected = if is_dir { DIR_MODE } else { FILE_MODE };
                assert_eq!(mode, expected, "umask {mask}: {name} is {mode:o}");
            }
            let shared = mode(&dir.path().join("work/GEMINI.md"));
            let mask = u32::from_str_radix(mask, 8).unwrap();
            assert_eq!(shared, 0o666 & !mask, "the umask holds for a project");
        }
    }

    /// Not a test of its own: a child process of the one above, with a umask of its own.
    #[test]
    fn writes_under_a_umask() {
        let (Ok(dir), Ok(mask)) = (
            std::env::var("ANALECTS_TEST_DIR"),
            std::env::var("ANALECTS_TEST_UMASK"),
        ) else {
            return;
        };
        let top = AbsPath::new(&dir).unwrap();
        fs::create_dir(top.join("work").as_str()).unwrap();
        let mask = u32::from_str_radix(&mask, 8).unwrap();
        umask(rustix::fs::Mode::from_raw_mode(mask));
        let gemini = top.join("home/.gemini");
        let state = gemini.join("analects");
        let memory = gemini.join("tmp/app/memory");
        let change = |path: &AbsPath| Change::new(path, None, Some(b"x".to_vec()));
        let desk = CommitDesk::new(&state, &OpenGate);
        let changes = vec![
            change(&gemini.join("projects.json")),
            change(&memory.join("MEMORY.md")),
            change(&gemini.join("history/app/.project_root")).inside(&top),
            change(&state.join("entries.json")).owner_only(),
            change(&top.join("work/GEMINI.md")),
        ];
        let changes = Changes::new("test", "", changes);
        let guard = Guard(gemini.join("projects.json"));
        desk.commit(&[guard], &mut |_| Some(changes.clone()))
            .unwrap();
        for opening in [Opening::New, Opening::Shared] {
            let name = format!("chats/{opening:?}.jsonl");
            drop(
                DiskTapes
                    .open(&gemini.join("tmp/app").join(&name), opening)
                    .unwrap(),
            );
        }
        assert!(DiskClaims.put(&memory.join("skills/.lock"), b"x").unwrap());
        edit("false", &state.join("drafts"), "entry.md", "a word").unwrap_err();
        drop(crate::index::SqliteIndex::open(&state.join("index.sqlite")));
    }

    #[test]
    fn a_state_directory_that_was_open_is_closed_by_the_next_commit() {
        let home = tempfile::tempdir().unwrap();
        let state = home.path().join("state");
        fs::create_dir(&state).unwrap();
        fs::set_permissions(&state, Permissions::from_mode(0o777)).unwrap();
        for name in ["lock", "journal.jsonl"] {
            fs::write(state.join(name), "").unwrap();
            fs::set_permissions(state.join(name), Permissions::from_mode(0o666)).unwrap();
        }
        let desk_state = AbsPath::new(state.to_str().unwrap()).unwrap();
        let desk = CommitDesk::new(&desk_state, &OpenGate);
        let _ = desk.commit(&[], &mut |_| None);
        assert_eq!(mode(&state), DIR_MODE);
        assert!(modes(&state).iter().all(|(_, mode)| *mode == FILE_MODE));
    }

    #[test]
    fn directories_above_and_behind_a_link_keep_their_modes() {
        let dir = tempfile::tempdir().unwrap();
        let real = dir.path().join("real");
        fs::create_dir(&real).unwrap();
        fs::set_permissions(&real, Permissions::from_mode(0o755)).unwrap();
        symlink(&real, dir.path().join("link")).unwrap();
        create_private_dir(&dir.path().join("link/a/b")).unwrap();
        create_private_dir(&dir.path().join("link")).unwrap();
        assert_eq!(mode(&real), 0o755);
        assert_eq!(mode(&real.join("a")), DIR_MODE);
        assert!(create_private_dir(&dir.path().join("link/a/b/../../../gone/x")).is_ok());
        fs::write(dir.path().join("file"), "").unwrap();
        assert!(create_private_dir(&dir.path().join("file/x")).is_err());
        assert!(create_private_dir(&dir.path().join("file")).is_err());
    }
}
