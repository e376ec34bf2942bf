//! Listing a directory for the names one asks for.

use std::fs;
use std::io;
use std::path::Path;

use analects_world::AbsPath;
use analects_world::files::{Found, Kind, Listing, Pick, Subdirs, Trouble};

use super::entries::{entries, kind_of};
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
        entries(Path::new(dir.as_str()), |raw, kind| {
            let is_subdir = kind == Kind::Dir && self.pick.subdirs == Subdirs::Report;
            let Ok(name) = str::from_utf8(raw) else {
                let name = String::from_utf8_lossy(raw);
                if is_subdir || self.ends_as_wanted(&name) {
                    listing.unspeakable.push(name.into_owned());
                }
                return Ok(());
            };
            if self.wants(name) {
                let name = name.to_owned();
                listing.found.push(Found { name, kind });
            }
            if matches!(kind, Kind::Dir | Kind::Link) {
                for (_, whole) in self.deeper.iter().filter(|(first, _)| *first == name) {
                    listing.found.extend(probe(dir, whole)?);
                }
            }
            if is_subdir {
                listing.subdirs.push(name.to_owned());
            }
            Ok(())
        })?;
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
