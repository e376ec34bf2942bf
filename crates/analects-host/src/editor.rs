//! The person's own editor, for a text that is about to be written.

use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use analects_world::AbsPath;

use crate::private_dir::{create_new_private_dir, create_private_dir, open_private_file};

/// Opens `text` in `editor`, a command line as `$EDITOR` holds it, and waits for what becomes of it.
///
/// The draft lies in `dir` under a name that ends in `name`. If the editor fails, it stays there and the
/// error names it: nobody's words are lost.
pub fn edit(editor: &str, dir: &AbsPath, name: &str, text: &str) -> Result<String, String> {
    let plain = |error: io::Error| error.to_string();
    let (folder, draft) = lay_out(dir, name, text).map_err(plain)?;
    // As git does it: the command line is the user's own and may hold arguments and quotes.
    let line = format!("{editor} \"$@\"");
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).arg(editor).arg(&draft);
    // What we answer goes to a program then, which does not want to hear from an editor.
    if !io::stdout().is_terminal() {
        command.stdout(io::stderr());
    }
    let status = command.status().map_err(plain)?;
    if !status.success() {
        let place = draft.display();
        return Err(format!("`{editor}` failed; the draft lies in {place}"));
    }
    let edited = fs::read(&draft).map_err(plain)?;
    let edited = String::from_utf8(edited)
        .map_err(|_| format!("the draft in {} is not UTF-8", draft.display()))?;
    // Swap files that the editor left behind stay, and so does the folder then.
    let _ = fs::remove_file(&draft).and_then(|()| fs::remove_dir(&folder));
    Ok(edited)
}

/// A folder of its own for each draft: editors put their own files beside it.
fn lay_out(dir: &AbsPath, name: &str, text: &str) -> io::Result<(PathBuf, PathBuf)> {
    let name = Path::new(name).file_name().unwrap_or_default();
    for n in 0_u32.. {
        let folder = Path::new(dir.as_str()).join(format!("{}-{n}", std::process::id()));
        create_private_dir(Path::new(dir.as_str()))?;
        match create_new_private_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && n < 1000 => {}
            Err(error) => return Err(error),
            Ok(()) => {
                let draft = folder.join(name);
                let mut options = OpenOptions::new();
                let options = options.write(true).create_new(true);
                open_private_file(options, &draft)?.write_all(text.as_bytes())?;
                return Ok((folder, draft));
            }
        }
    }
    Err(io::Error::other("no place for a draft"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dir() -> (tempfile::TempDir, AbsPath) {
        let dir = tempfile::tempdir().unwrap();
        let path = AbsPath::new(dir.path().to_str().unwrap()).unwrap();
        (dir, path.join("drafts"))
    }

    #[test]
    fn an_editor_with_arguments_changes_the_draft_and_leaves_nothing() {
        let (_home, dir) = dir();
        let edited = edit("sed -i 's/old/new words/'", &dir, "GEMINI.md", "- old\n");
        assert_eq!(edited.as_deref(), Ok("- new words\n"));
        assert_eq!(fs::read_dir(dir.as_str()).unwrap().count(), 0);
    }

    #[test]
    fn a_failing_editor_leaves_the_draft_and_names_it() {
        let (_home, dir) = dir();
        let failed = edit("false", &dir, "GEMINI.md", "- mine\n").unwrap_err();
        let place = failed.rsplit(' ').next().unwrap();
        assert!(place.ends_with("/GEMINI.md"), "{failed}");
        assert_eq!(fs::read_to_string(place).unwrap(), "- mine\n");
    }
}
