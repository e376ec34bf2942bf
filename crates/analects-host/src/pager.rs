//! The person's own pager, for an answer that is longer than a screen.

use std::io::{self, Write};
use std::process::{Command, Stdio};

/// Writes an answer into `pager`, a command line as `$PAGER` holds it, and waits until the person is done.
///
/// `less` is told to leave at once if all fits on the screen, unless the person told it something else.
pub fn page(pager: &str, answer: &[u8]) -> io::Result<()> {
    let mut command = Command::new("sh");
    command.arg("-c").arg(pager).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        match stdin.write_all(answer) {
            // Whoever has seen enough leaves.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            written => written?,
        }
    }
    child.wait().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pager_gets_it_all_or_may_leave_early() {
        let dir = tempfile::tempdir().unwrap();
        let seen = dir.path().join("seen");
        page(&format!("cat > '{}'", seen.display()), b"hello\n").unwrap();
        assert_eq!(std::fs::read(seen).unwrap(), b"hello\n");
        page("true", &vec![b'x'; 1 << 20]).unwrap();
    }
}
