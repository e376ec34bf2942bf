//! A temporary directory that is removed when dropped.

use std::env;
use std::fs::{self, File};
use std::io;
use std::time::{Duration, SystemTime};

use analects_world::AbsPath;

use crate::private_dir::create_new_private_dir;

/// A directory that goes, with everything in it, when nobody needs it any more.
#[derive(Debug)]
pub struct Scratch {
    dir: AbsPath,
    is_kept: bool,
}

impl Scratch {
    /// A new directory where this machine keeps what is not to last, for nobody else to look into.
    pub fn new(name: &str) -> io::Result<Self> {
        let temporary = fs::canonicalize(env::temp_dir())?;
        for n in 0_u32.. {
            let dir = temporary.join(format!("{name}-{}-{n}", std::process::id()));
            match create_new_private_dir(&dir) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && n < 1000 => {}
                Err(error) => return Err(error),
                Ok(()) => {
                    let path = dir.to_str().and_then(|dir| AbsPath::new(dir).ok());
                    let Some(dir) = path else {
                        fs::remove_dir(&dir)?;
                        break;
                    };
                    return Ok(Self {
                        dir,
                        is_kept: false,
                    });
                }
            }
        }
        Err(io::Error::other("the path of its place is not UTF-8"))
    }

    /// Where it is, links resolved.
    #[must_use]
    pub fn dir(&self) -> &AbsPath {
        &self.dir
    }

    /// Lets a file in it look as if it had been written at another time, in milliseconds since 1970.
    pub fn date(&self, file: &AbsPath, written_ms: u64) -> io::Result<()> {
        let written = SystemTime::UNIX_EPOCH + Duration::from_millis(written_ms);
        File::options()
            .append(true)
            .open(file.as_str())?
            .set_modified(written)
    }

    /// Leaves it where it is, for good.
    #[must_use]
    pub fn keep(mut self) -> AbsPath {
        self.is_kept = true;
        self.dir.clone()
    }

    /// Removes it, and says why it cannot be.
    pub fn remove(mut self) -> io::Result<()> {
        self.is_kept = true;
        fs::remove_dir_all(self.dir.as_str())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = fs::remove_dir_all(self.dir.as_str());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::*;

    #[test]
    fn a_scratch_is_ones_own_and_goes_with_all_that_is_in_it() {
        let (one, two) = (Scratch::new("test").unwrap(), Scratch::new("test").unwrap());
        assert_ne!(one.dir(), two.dir());
        let mode = fs::metadata(one.dir().as_str())
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o700);
        let file = one.dir().join("a/b");
        fs::create_dir(one.dir().join("a").as_str()).unwrap();
        fs::write(file.as_str(), "x").unwrap();
        one.date(&file, 1_000).unwrap();
        let written = fs::metadata(file.as_str()).unwrap().modified().unwrap();
        assert_eq!(written, SystemTime::UNIX_EPOCH + Duration::from_secs(1));
        let gone = one.dir().clone();
        drop(one);
        assert!(!Path::new(gone.as_str()).exists());
        let kept = two.keep();
        assert!(Path::new(kept.as_str()).is_dir());
        fs::remove_dir(kept.as_str()).unwrap();
    }

    #[test]
    fn whoever_removes_it_hears_of_it() {
        let scratch = Scratch::new("test").unwrap();
        fs::remove_dir(scratch.dir().as_str()).unwrap();
        assert!(scratch.remove().is_err());
    }
}
