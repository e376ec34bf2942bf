//! Listing a directory for the names one asks for.

use std::fs::{self, FileType};
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use analects_world::AbsPath;
use analects_world::files::{Found, Kind, Listing, Pick, Subdirs, Trouble};

use super::trouble;

/// A `Pick`, prepared once for many directories.
pub(super) struct Plan<'a> {
    pick: &'a Pick,
    /// Wanted names without a slash.
    direct: Vec<&'a str>,
    /// Wanted names with one: the first directory on the way, and the whole name.
    deeper: Vec<(&'a str, &'a str)>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(pick: &'a Pick) -> Self {
        let mut plan = Self {
            pick,
            direct: Vec::new(),
            deeper: Vec::new(),
        };
        for name in &pick.names {
            match name.split_once('/') {
                Some((first, _)) => plan.deeper.push((first, name)),
                None => plan.direct.push(name),
            }
        }
        plan
    }

    pub(super) fn list(&self, dir: &AbsPath) -> Result<Listing, Trouble> {
        if self.pick.subdirs == Subdirs::Skip && self.pick.suffix.is_none() {
            self.look_up(dir)
        } else {
            self.scan(dir)
        }
    }

    /// Asks for each name alone: cheaper than reading a directory of thousands.
    fn look_up(&self, dir: &AbsPath) -> Result<Listing, Trouble> {
        let mut found = Vec::new();
        for name in &self.pick.names {
            found.extend(probe(dir, name)?);
        }
        if found.is_empty() {
            // Nothing there, or no such directory? Only the second is trouble.
            let meta = fs::metadata(dir.as_str()).map_err(trouble)?;
            if !meta.is_dir() {
                return Err(Trouble::NotDir);
            }
        }
        Ok(Listing {
            found,
            ..Listing::default()
        })
    }

    fn scan(&self, dir: &AbsPath) -> Result<Listing, Trouble> {
        let mut listing = Listing::default();
        for entry in fs::read_dir(dir.as_str()).map_err(trouble)? {
            let entry = entry.map_err(trouble)?;
            // The entry's kind comes with the listing on every usual file system: no call per file.
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let raw = entry.file_name();
            let Some(name) = raw.to_str() else {
                let name = raw.to_string_lossy();
                let is_subdir = kind.is_dir() && self.pick.subdirs == Subdirs::Report;
                if is_subdir || self.ends_as_wanted(&name) {
                    listing.unspeakable.push(name.into_owned());
                }
                continue;
            };
            if self.wants(name) {
                listing.found.push(Found {
                    name: name.to_owned(),
                    kind: kind_of(kind),
                });
            }
            if kind.is_dir() || kind.is_symlink() {
                for (_, whole) in self.deeper.iter().filter(|(first, _)| *first == name) {
                    listing.found.extend(probe(dir, whole)?);
                }
            }
            if kind.is_dir() && self.pick.subdirs == Subdirs::Report {
                listing.subdirs.push(name.to_owned());
            }
        }
        Ok(listing)
    }

    fn wants(&self, name: &str) -> bool {
        self.direct.contains(&name) || self.ends_as_wanted(name)
    }

    fn ends_as_wanted(&self, name: &str) -> bool {
        let suffix = self.pick.suffix.as_ref();
        suffix.is_some_and(|suffix| name.ends_with(suffix))
    }
}

/// What stands under one name, if anything.
fn probe(dir: &AbsPath, name: &str) -> Result<Option<Found>, Trouble> {
    let found = |kind| {
        Ok(Some(Found {
            name: name.to_owned(),
            kind,
        }))
    };
    match fs::symlink_metadata(Path::new(dir.as_str()).join(name)) {
        Ok(meta) => found(kind_of(meta.file_type())),
        // Behind a closed door further down: whoever opens it will hear the same.
        Err(error) if is_denied(&error) && name.contains('/') => found(Kind::File),
        Err(error) if is_denied(&error) => Err(Trouble::Denied),
        Err(_) => Ok(None),
    }
}

fn is_denied(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

fn kind_of(kind: FileType) -> Kind {
    if kind.is_file() {
        Kind::File
    } else if kind.is_dir() {
        Kind::Dir
    } else if kind.is_symlink() {
        Kind::Link
    } else {
        debug_assert!(
            kind.is_fifo() || kind.is_socket() || kind.is_block_device() || kind.is_char_device()
        );
        Kind::Special
    }
}
