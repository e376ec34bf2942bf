//! The disk with what waits on it.

use analects_world::AbsPath;
use analects_world::files::{
    Blob, Files, Found, Identity, Kind, Listing, Measure, Pick, Subdirs, Trouble, Want, Within,
};

use analects_world::ownership::Ownership;

use super::{Sheet, Staged};

impl Files for Staged<'_> {
    fn list(&self, dirs: &[AbsPath], pick: &Pick) -> Vec<Result<Listing, Trouble>> {
        let below = self.files.list(dirs, pick);
        if self.is_empty() {
            return below;
        }
        let both = below.into_iter().zip(dirs);
        both.map(|(listing, dir)| self.listing(listing, dir, pick))
            .collect()
    }

    fn read(&self, wants: &[Want<'_>]) -> Vec<Result<Blob, Trouble>> {
        if self.is_empty() {
            return self.files.read(wants);
        }
        let mine: Vec<_> = wants.iter().map(|want| self.blob(want)).collect();
        let open = wants.iter().zip(&mine).filter(|(_, mine)| mine.is_none());
        let open: Vec<_> = open.map(|(want, _)| *want).collect();
        let mut theirs = self.files.read(&open).into_iter();
        let answer = |mine: Option<_>| {
            mine.or_else(|| theirs.next())
                .unwrap_or(Err(Trouble::Missing))
        };
        mine.into_iter().map(answer).collect()
    }

    fn real(&self, path: &AbsPath) -> Result<AbsPath, Trouble> {
        match self.files.real(path) {
            Err(Trouble::Missing) if !self.is_empty() => {
                let would_be = self.would_be(path)?;
                let sheets = self.sheets();
                let is_there = sheets.keys().any(|file| file.is_within(&would_be));
                is_there.then_some(would_be).ok_or(Trouble::Missing)
            }
            real => real,
        }
    }

    fn link(&self, path: &AbsPath) -> Result<Option<String>, Trouble> {
        self.files.link(path)
    }

    fn identify(&self, path: &AbsPath) -> Result<Identity, Trouble> {
        match self.files.identify(path) {
            Err(Trouble::Missing) => {
                let (_, sheet) = self.sheet(path).ok_or(Trouble::Missing)?;
                Ok(Identity {
                    id: sheet.id,
                    born: None,
                })
            }
            identity => identity,
        }
    }

    fn ownership(&self, paths: &[AbsPath]) -> Vec<Result<Ownership, Trouble>> {
        let below = self.files.ownership(paths).into_iter();
        let both = below.zip(paths);
        // What waits to be written is ours.
        let answer = |(below, path): (_, &AbsPath)| match below {
            Err(Trouble::Missing) if self.sheet(path).is_some() => Ok(Ownership::own()),
            below => below,
        };
        both.map(answer).collect()
    }

    fn measure(&self, paths: &[AbsPath]) -> Vec<Result<Measure, Trouble>> {
        let below = self.files.measure(paths);
        if self.is_empty() {
            return below;
        }
        let both = below.into_iter().zip(paths);
        both.map(|(measure, path)| self.measured(measure, path))
            .collect()
    }

    fn piece(&self, path: &AbsPath, start: u64, limit_bytes: usize) -> Result<Vec<u8>, Trouble> {
        let Some((_, sheet)) = self.sheet(path) else {
            return self.files.piece(path, start, limit_bytes);
        };
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let rest = sheet.text.get(start..).unwrap_or_default();
        Ok(rest.iter().copied().take(limit_bytes).collect())
    }
}

/// Something that waits directly in a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Child {
    pub(super) name: String,
    pub(super) kind: Kind,
}

impl Staged<'_> {
    /// What waits directly in a directory, each name once; files, and directories that hold some.
    pub(super) fn children(&self, dir: &AbsPath) -> Vec<Child> {
        let sheets = self.sheets();
        let below = sheets.keys().filter_map(|file| file.relative_to(dir));
        let child = |below: &str| match below.split_once('/') {
            Some((name, _)) => Child {
                name: name.to_owned(),
                kind: Kind::Dir,
            },
            None => Child {
                name: below.to_owned(),
                kind: Kind::File,
            },
        };
        let mut children: Vec<_> = below.filter(|it| !it.is_empty()).map(child).collect();
        children.sort();
        children.dedup();
        children
    }

    /// Where a path leads that is not there: the links of what is there are resolved.
    fn would_be(&self, path: &AbsPath) -> Result<AbsPath, Trouble> {
        for dir in path.ancestors() {
            let real = match self.files.real(&dir) {
                Err(Trouble::Missing) => continue,
                real => real?,
            };
            let rest = path.relative_to(&dir).unwrap_or_default();
            return Ok(real.join(rest));
        }
        Err(Trouble::Missing)
    }

    fn blob(&self, want: &Want<'_>) -> Option<Result<Blob, Trouble>> {
        let (real, sheet) = self.sheet(want.path)?;
        let is_inside = match want.within {
            Within::Anywhere => true,
            Within::Root(root) => real.is_within(&(self as &dyn Files).real_or_same(root)),
            Within::Itself => real == *want.path,
        };
        if !is_inside {
            return Some(Err(Trouble::Outside));
        }
        Some(Ok(Blob {
            id: self.measure_of(&sheet, &real).id,
            bytes: sheet.text.iter().copied().take(want.limit_bytes).collect(),
            len: sheet.text.len() as u64,
            is_private: true,
            ownership: Ownership::own(),
        }))
    }

    fn measured(
        &self,
        below: Result<Measure, Trouble>,
        path: &AbsPath,
    ) -> Result<Measure, Trouble> {
        match self.sheet(path) {
            Some((real, sheet)) => Ok(self.measure_of(&sheet, &real)),
            // A directory that is there only because something waits in it.
            None if below == Err(Trouble::Missing) && Files::real(self, path).is_ok() => {
                Err(Trouble::IsDir)
            }
            None => below,
        }
    }

    fn measure_of(&self, sheet: &Sheet, real: &AbsPath) -> Measure {
        let there = self.files.identify(real);
        Measure {
            id: there.map_or(sheet.id, |identity| identity.id),
            len: sheet.text.len() as u64,
            written_ns: sheet.written_ns,
        }
    }

    fn listing(
        &self,
        below: Result<Listing, Trouble>,
        dir: &AbsPath,
        pick: &Pick,
    ) -> Result<Listing, Trouble> {
        let Ok(real) = Files::real(self, dir) else {
            return below;
        };
        let children = self.children(&real);
        let mut listing = match below {
            Err(Trouble::Missing) if !children.is_empty() => Listing::default(),
            below => below?,
        };
        let mut wanted: Vec<_> = pick
            .names
            .iter()
            .filter_map(|name| {
                let kind = self.kind_of(&real.join(name))?;
                Some((name.clone(), kind))
            })
            .collect();
        for child in children {
            if pick.subdirs == Subdirs::Report
                && child.kind == Kind::Dir
                && !listing.subdirs.contains(&child.name)
            {
                listing.subdirs.push(child.name.clone());
            }
            let ending = pick.suffix.as_deref();
            if ending.is_some_and(|ending| child.name.ends_with(ending)) {
                wanted.push((child.name, child.kind));
            }
        }
        for (name, kind) in wanted {
            if !listing.found.iter().any(|found| found.name == name) {
                listing.found.push(Found { name, kind });
            }
        }
        Ok(listing)
    }

    /// What waits at a path: a file, or a directory that holds some.
    fn kind_of(&self, path: &AbsPath) -> Option<Kind> {
        let sheets = self.sheets();
        let mut below = sheets.keys().filter(|file| file.is_within(path));
        below.next().map(|file| match file == path {
            true => Kind::File,
            false => Kind::Dir,
        })
    }
}
