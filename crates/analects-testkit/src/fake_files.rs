//! A disk in memory. It knows links, pipes, permissions and identities; it lacks hard links, races and
//! everything about writing. A directory with U+FFFD in its name stands for one whose name is not UTF-8.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use analects_world::AbsPath;
use analects_world::files::{
    Blob, FileId, Files, Found, Identity, Kind, Listing, Measure, Pick, Subdirs, Trouble, Want,
    Within,
};

use analects_world::ownership::Ownership;

use crate::{Entry, Fixture};

/// How many links may follow one another; as on Linux.
const MAX_HOPS: usize = 40;
/// How long one name may be; as on Linux.
const MAX_NAME_BYTES: usize = 255;

/// A disk in memory that also counts what was asked of it.
#[derive(Debug, Default)]
pub struct FakeFiles {
    nodes: BTreeMap<String, Node>,
    /// Sub-directories and names of each directory, so that listing one does not scan the disk.
    children: BTreeMap<String, Vec<String>>,
    last_ino: u64,
    /// Files that exist and cannot be read for now.
    troubled: BTreeMap<String, Trouble>,
    dirs_listed: AtomicUsize,
    files_read: AtomicUsize,
}

#[derive(Debug, Clone)]
struct Node {
    entry: Entry,
    ino: u64,
    /// When it was written: in 1970, unless somebody says otherwise.
    written_ns: u64,
    /// Whether others may read it: not unless somebody says so.
    is_public: bool,
    ownership: Ownership,
}

/// Whose everything is, unless a test says otherwise.
const USER: u32 = 1000;

impl FakeFiles {
    /// Builds the tree; missing parents become directories.
    #[must_use]
    pub fn new(fixture: &Fixture) -> Self {
        let mut disk = Self::default();
        disk.put(&AbsPath::root(), Entry::Dir);
        for (path, entry) in &fixture.entries {
            disk.put(&AbsPath::new(path).unwrap(), entry.clone());
        }
        disk
    }

    /// Puts an entry at `path`, replacing what was there: a new file with a new identity, as editors do
    /// that write beside a file and rename.
    pub fn put(&mut self, path: &AbsPath, entry: Entry) {
        if let Some(parent) = path.parent() {
            if !self.nodes.contains_key(parent.as_str()) {
                self.put(&parent, Entry::Dir);
            }
            let siblings = self.children.entry(parent.to_string()).or_default();
            if !siblings.iter().any(|name| name == path.file_name()) {
                siblings.push(path.file_name().to_owned());
            }
        }
        self.last_ino += 1;
        let ino = self.last_ino;
        let node = Node {
            entry,
            ino,
            written_ns: 0,
            is_public: false,
            ownership: Ownership {
                owner: USER,
                group: USER,
                mode: 0o755,
                user: USER,
            },
        };
        self.nodes.insert(path.to_string(), node);
    }

    /// Says when the file at `path` was written.
    pub fn date(&mut self, path: &AbsPath, written_ms: u64) {
        if let Some(node) = self.nodes.get_mut(path.as_str()) {
            node.written_ns = written_ms * 1_000_000;
        }
    }

    /// Lets others read the file at `path`.
    pub fn publish(&mut self, path: &AbsPath) {
        if let Some(node) = self.nodes.get_mut(path.as_str()) {
            node.is_public = true;
        }
    }

    /// Works for another user from now on.
    pub fn become_user(&mut self, user: u32) {
        for node in self.nodes.values_mut() {
            node.ownership.user = user;
        }
    }

    /// Gives what stands at `path` to another user, with these permissions.
    pub fn give(&mut self, path: &AbsPath, owner: u32, mode: u32) {
        if let Some(node) = self.nodes.get_mut(path.as_str()) {
            node.ownership = Ownership {
                owner,
                group: owner,
                mode,
                ..node.ownership
            };
        }
    }

    /// Removes what stands at `path`.
    pub fn remove(&mut self, path: &AbsPath) {
        self.nodes.remove(path.as_str());
        let parent = path.parent().unwrap_or_else(AbsPath::root);
        if let Some(siblings) = self.children.get_mut(parent.as_str()) {
            siblings.retain(|name| name != path.file_name());
        }
    }

    /// Removes a directory if nothing is in it.
    pub fn remove_empty(&mut self, dir: &AbsPath) {
        let is_empty = self.children.get(dir.as_str()).is_none_or(Vec::is_empty);
        let is_dir = matches!(self.nodes.get(dir.as_str()), Some(node) if node.entry == Entry::Dir);
        if is_empty && is_dir {
            self.remove(dir);
        }
    }

    /// Writes into the file at `path`, which stays the same file.
    pub fn write(&mut self, path: &AbsPath, bytes: &[u8]) {
        match self.nodes.get_mut(path.as_str()) {
            Some(node) => node.entry = Entry::File(bytes.to_vec()),
            None => self.put(path, Entry::File(bytes.to_vec())),
        }
    }

    /// Makes reading `path` fail, until told otherwise with `None`.
    pub fn trouble(&mut self, path: &AbsPath, trouble: Option<Trouble>) {
        match trouble {
            Some(trouble) => self.troubled.insert(path.to_string(), trouble),
            None => self.troubled.remove(path.as_str()),
        };
    }

    /// Removes what stands at `path`; listings keep naming it, as they do in a race.
    pub fn vanish(&mut self, path: &AbsPath) {
        if let Some(node) = self.nodes.get_mut(path.as_str()) {
            node.entry = Entry::Link("/gone/without/a/trace".to_owned());
        }
    }

    /// How many directories were listed so far.
    pub fn dirs_listed(&self) -> usize {
        self.dirs_listed.load(Ordering::Relaxed)
    }

    /// How many files were read so far.
    pub fn files_read(&self) -> usize {
        self.files_read.load(Ordering::Relaxed)
    }

    /// Follows links name by name.
    fn resolve(&self, path: &AbsPath, last: Last) -> Result<AbsPath, Trouble> {
        let mut todo: Vec<String> = path.as_str().split('/').rev().map(str::to_owned).collect();
        let mut at = AbsPath::root();
        let mut hops = 0;
        while let Some(name) = todo.pop() {
            if name.is_empty() || name == "." {
                continue;
            }
            if name == ".." {
                at = at.parent().unwrap_or(at);
                continue;
            }
            if !matches!(self.entry(&at)?, Entry::Dir) {
                return Err(Trouble::NotDir);
            }
            if name.len() > MAX_NAME_BYTES {
                return Err(Trouble::TooLong);
            }
            let next = at.join(&name);
            match self.entry(&next)? {
                Entry::Link(target) if last == Last::Follow || !todo.is_empty() => {
                    hops += 1;
                    if hops > MAX_HOPS {
                        return Err(Trouble::Loop);
                    }
                    if target.starts_with('/') {
                        at = AbsPath::root();
                    }
                    todo.extend(target.split('/').rev().map(str::to_owned));
                }
                _ => at = next,
            }
        }
        Ok(at)
    }

    fn entry(&self, path: &AbsPath) -> Result<&Entry, Trouble> {
        self.nodes
            .get(path.as_str())
            .map(|node| &node.entry)
            .ok_or(Trouble::Missing)
    }

    fn found(&self, dir: &AbsPath, name: &str) -> Option<Found> {
        let path = self.resolve(&dir.join(name), Last::Keep).ok()?;
        let kind = match self.entry(&path).ok()? {
            Entry::File(_) | Entry::Denied(_) => Kind::File,
            Entry::Dir => Kind::Dir,
            Entry::Link(_) => Kind::Link,
            Entry::Special => Kind::Special,
        };
        Some(Found {
            name: name.to_owned(),
            kind,
        })
    }

    fn list_dir(&self, dir: &AbsPath, pick: &Pick) -> Result<Listing, Trouble> {
        self.dirs_listed.fetch_add(1, Ordering::Relaxed);
        let real = self.resolve(dir, Last::Follow)?;
        if !matches!(self.entry(&real)?, Entry::Dir) {
            return Err(Trouble::NotDir);
        }
        let mut listing = Listing {
            found: pick
                .names
                .iter()
                .filter_map(|name| self.found(&real, name))
                .collect(),
            ..Listing::default()
        };
        for name in self.children.get(real.as_str()).into_iter().flatten() {
            let is_dir = matches!(self.entry(&real.join(name)), Ok(Entry::Dir));
            if is_dir && pick.subdirs == Subdirs::Report {
                match name.contains('\u{FFFD}') {
                    true => listing.unspeakable.push(name.clone()),
                    false => listing.subdirs.push(name.clone()),
                }
            }
            let wanted = pick
                .suffix
                .as_ref()
                .is_some_and(|suffix| name.ends_with(suffix));
            if wanted && !pick.names.contains(name) {
                listing.found.extend(self.found(&real, name));
            }
        }
        Ok(listing)
    }

    fn read_file(&self, want: &Want<'_>) -> Result<Blob, Trouble> {
        self.files_read.fetch_add(1, Ordering::Relaxed);
        let real = self.resolve(want.path, Last::Follow)?;
        let node = self.nodes.get(real.as_str()).ok_or(Trouble::Missing)?;
        if let Some(trouble) = self.troubled.get(real.as_str()) {
            return Err(trouble.clone());
        }
        let bytes = match &node.entry {
            Entry::File(bytes) => bytes,
            Entry::Denied(_) => return Err(Trouble::Denied),
            Entry::Dir => return Err(Trouble::IsDir),
            Entry::Special => return Err(Trouble::Special),
            Entry::Link(_) => return Err(Trouble::Loop),
        };
        let is_inside = match want.within {
            Within::Anywhere => true,
            Within::Root(root) => real.is_within(&self.resolve(root, Last::Follow)?),
            Within::Itself => real == *want.path,
        };
        if !is_inside {
            return Err(Trouble::Outside);
        }
        Ok(Blob {
            id: FileId {
                dev: 1,
                ino: node.ino,
            },
            bytes: bytes.iter().copied().take(want.limit_bytes).collect(),
            len: bytes.len() as u64,
            is_private: !node.is_public,
            ownership: node.ownership,
        })
    }
}

impl FakeFiles {
    fn measure_file(&self, path: &AbsPath) -> Result<Measure, Trouble> {
        let real = self.resolve(path, Last::Follow)?;
        let node = self.nodes.get(real.as_str()).ok_or(Trouble::Missing)?;
        let bytes = match &node.entry {
            // What may not be read may still be looked at from outside.
            Entry::File(bytes) | Entry::Denied(bytes) => bytes,
            Entry::Dir => return Err(Trouble::IsDir),
            Entry::Special | Entry::Link(_) => return Err(Trouble::Special),
        };
        Ok(Measure {
            id: FileId {
                dev: 1,
                ino: node.ino,
            },
            len: bytes.len() as u64,
            written_ns: node.written_ns,
        })
    }
}

/// Whether the last name of a path is followed if it is a link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Follow,
    Keep,
}

impl Files for FakeFiles {
    fn list(&self, dirs: &[AbsPath], pick: &Pick) -> Vec<Result<Listing, Trouble>> {
        dirs.iter().map(|dir| self.list_dir(dir, pick)).collect()
    }

    fn read(&self, wants: &[Want<'_>]) -> Vec<Result<Blob, Trouble>> {
        wants.iter().map(|want| self.read_file(want)).collect()
    }

    fn real(&self, path: &AbsPath) -> Result<AbsPath, Trouble> {
        self.resolve(path, Last::Follow)
    }

    fn link(&self, path: &AbsPath) -> Result<Option<String>, Trouble> {
        let kept = self.resolve(path, Last::Keep)?;
        let node = self.nodes.get(kept.as_str()).ok_or(Trouble::Missing)?;
        Ok(match &node.entry {
            Entry::Link(target) => Some(target.clone()),
            _ => None,
        })
    }

    fn identify(&self, path: &AbsPath) -> Result<Identity, Trouble> {
        let real = self.resolve(path, Last::Follow)?;
        let node = self.nodes.get(real.as_str()).ok_or(Trouble::Missing)?;
        Ok(Identity {
            id: FileId {
                dev: 1,
                ino: node.ino,
            },
            born: Some(u128::from(node.ino)),
        })
    }

    fn ownership(&self, paths: &[AbsPath]) -> Vec<Result<Ownership, Trouble>> {
        let of = |path: &AbsPath| {
            let real = self.resolve(path, Last::Follow)?;
            let node = self.nodes.get(real.as_str()).ok_or(Trouble::Missing)?;
            Ok(node.ownership)
        };
        paths.iter().map(of).collect()
    }

    fn measure(&self, paths: &[AbsPath]) -> Vec<Result<Measure, Trouble>> {
        paths.iter().map(|path| self.measure_file(path)).collect()
    }

    fn piece(&self, path: &AbsPath, start: u64, limit_bytes: usize) -> Result<Vec<u8>, Trouble> {
        let blob = self.read_file(&Want {
            path,
            within: Within::Anywhere,
            limit_bytes: usize::MAX,
        })?;
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let rest = blob.bytes.get(start..).unwrap_or_default();
        Ok(rest.iter().copied().take(limit_bytes).collect())
    }
}
