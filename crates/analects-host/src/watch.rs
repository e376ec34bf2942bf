//! Changes on this machine's disk, as the system reports them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use analects_world::AbsPath;
use analects_world::watch::{Hear, Watch, Watching};
use notify::event::EventKind;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

/// The system's own way to tell of changes; nothing is polled.
///
/// A system has few such watchers to give to all programs of a user, so all watches of one door share one,
/// which is given back with the last of them.
#[derive(Debug, Clone, Default)]
pub struct DiskWatch(Arc<Shared>);

/// What all watches share.
///
/// Two locks: who listens is asked for on the watcher's own thread, which a call to the watcher waits for.
#[derive(Default)]
struct Shared {
    watcher: Mutex<Option<RecommendedWatcher>>,
    listeners: Arc<Mutex<Listeners>>,
}

/// Who listens, each with a number of its own.
#[derive(Default)]
struct Listeners {
    n_so_far: u64,
    all: BTreeMap<u64, Listener>,
}

struct Listener {
    hear: Hear,
    dirs: BTreeSet<AbsPath>,
}

impl Watch for DiskWatch {
    fn start(&self, hear: Hear) -> Result<Box<dyn Watching>, String> {
        let shared = Arc::clone(&self.0);
        let mut watcher = locked(&shared.watcher);
        if watcher.is_none() {
            let listeners = Arc::clone(&shared.listeners);
            let started =
                notify::recommended_watcher(move |event| tell(event, &locked(&listeners)));
            *watcher = Some(started.map_err(|error| error.to_string())?);
        }
        let mut listeners = locked(&shared.listeners);
        listeners.n_so_far += 1;
        let number = listeners.n_so_far;
        let dirs = BTreeSet::new();
        listeners.all.insert(number, Listener { hear, dirs });
        // Both at the same time until here: the last watch to end must not take the watcher along.
        drop((listeners, watcher));
        Ok(Box::new(Over { shared, number }))
    }
}

/// One watch, by its number.
struct Over {
    shared: Arc<Shared>,
    number: u64,
}

impl Watching for Over {
    fn over(&mut self, dirs: &[AbsPath]) -> Vec<(AbsPath, String)> {
        let wanted: BTreeSet<_> = dirs.iter().cloned().collect();
        let mut watcher = locked(&self.shared.watcher);
        let Some(watcher) = watcher.as_mut() else {
            return Vec::new();
        };
        let mut refused = Vec::new();
        let mut now = BTreeSet::new();
        for dir in wanted {
            // Watched once more even if it was before: it may have been removed and made anew.
            let path = Path::new(dir.as_str());
            match watcher.watch(path, RecursiveMode::NonRecursive) {
                Ok(()) => drop(now.insert(dir)),
                Err(error) => refused.push((dir, error.to_string())),
            }
        }
        unwatch(
            watcher,
            &locked(&self.shared.listeners).replace(self.number, now),
        );
        refused
    }
}

impl Drop for Over {
    fn drop(&mut self) {
        let mut watcher = locked(&self.shared.watcher);
        let (unwanted, is_last) = {
            let mut listeners = locked(&self.shared.listeners);
            let unwanted = listeners.replace(self.number, BTreeSet::new());
            listeners.all.remove(&self.number);
            (unwanted, listeners.all.is_empty())
        };
        match watcher.as_mut() {
            Some(_) if is_last => *watcher = None,
            Some(watcher) => unwatch(watcher, &unwanted),
            None => {}
        }
    }
}

impl Listeners {
    /// One of them listens to these directories instead. Answers those that nobody listens to any more.
    fn replace(&mut self, number: u64, dirs: BTreeSet<AbsPath>) -> Vec<AbsPath> {
        let listener = self.all.get_mut(&number);
        let before = listener.map(|listener| std::mem::replace(&mut listener.dirs, dirs));
        let is_unwanted = |dir: &AbsPath| !self.all.values().any(|it| it.dirs.contains(dir));
        let before = before.unwrap_or_default().into_iter();
        before.filter(is_unwanted).collect()
    }
}

fn unwatch(watcher: &mut RecommendedWatcher, dirs: &[AbsPath]) {
    for dir in dirs {
        // A directory that was removed is not watched any more anyway.
        let _ = watcher.unwatch(Path::new(dir.as_str()));
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

fn tell(event: notify::Result<notify::Event>, listeners: &Listeners) {
    let event = match event {
        // To read a file is no change of it; who listens here reads the files.
        Ok(event) if matches!(event.kind, EventKind::Access(_)) => return,
        Ok(event) if !event.need_rescan() => event,
        _ => {
            // Something was missed: it may have been anything.
            let all = listeners.all.values();
            return all.for_each(|listener| (listener.hear)(AbsPath::root()));
        }
    };
    for path in event.paths {
        let Some(path) = path.to_str().and_then(|path| AbsPath::new(path).ok()) else {
            continue;
        };
        let dir = path.parent();
        let is_in = |dirs: &BTreeSet<AbsPath>| {
            dirs.contains(&path) || dir.as_ref().is_some_and(|dir| dirs.contains(dir))
        };
        for listener in listeners.all.values() {
            if is_in(&listener.dirs) {
                (listener.hear)(path.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::mpsc::{self, Receiver};
    use std::time::Duration;

    use super::*;

    /// Long enough for the busiest machine; only a failure takes it.
    const PATIENCE: Duration = Duration::from_secs(30);

    fn watch(dirs: &[AbsPath]) -> (Box<dyn Watching>, Receiver<AbsPath>) {
        watch_with(&DiskWatch::default(), dirs)
    }

    fn watch_with(door: &DiskWatch, dirs: &[AbsPath]) -> (Box<dyn Watching>, Receiver<AbsPath>) {
        let (told, heard) = mpsc::channel();
        let hear = move |path| told.send(path).unwrap_or_default();
        let mut watching = door.start(Box::new(hear)).unwrap();
        assert_eq!(watching.over(dirs), []);
        (watching, heard)
    }

    fn wait_for(heard: &Receiver<AbsPath>, path: &AbsPath) {
        while heard.recv_timeout(PATIENCE).expect("a change is told") != *path {}
    }

    #[test]
    fn what_appears_changes_and_vanishes_is_told_and_what_is_read_is_not() {
        let home = tempfile::tempdir().unwrap();
        let dir = AbsPath::new(home.path().to_str().unwrap()).unwrap();
        let [file, other, now, last] = ["a", "b", "c", "d"].map(|name| dir.join(name));
        let (_watching, heard) = watch(std::slice::from_ref(&dir));
        fs::write(file.as_str(), "one").unwrap();
        wait_for(&heard, &file);
        fs::rename(file.as_str(), other.as_str()).unwrap();
        wait_for(&heard, &other);
        fs::remove_file(other.as_str()).unwrap();
        wait_for(&heard, &other);
        fs::write(file.as_str(), "two").unwrap();
        fs::write(now.as_str(), "").unwrap();
        wait_for(&heard, &now);
        fs::read(file.as_str()).unwrap();
        fs::write(last.as_str(), "").unwrap();
        let next = heard.iter().find(|path| *path != now);
        assert_eq!(next, Some(last), "to read is no change");
    }

    #[test]
    fn directories_come_and_go_and_a_missing_one_is_said() {
        let home = tempfile::tempdir().unwrap();
        let root = AbsPath::new(home.path().to_str().unwrap()).unwrap();
        let [a, b, none] = ["a", "b", "none"].map(|name| root.join(name));
        fs::create_dir(a.as_str()).unwrap();
        fs::create_dir(b.as_str()).unwrap();
        let (mut watching, heard) = watch(std::slice::from_ref(&a));
        let refused = watching.over(&[b.clone(), none.clone()]);
        assert_eq!(
            refused.iter().map(|(dir, _)| dir).collect::<Vec<_>>(),
            [&none]
        );
        fs::write(a.join("unheard").as_str(), "").unwrap();
        fs::write(b.join("heard").as_str(), "").unwrap();
        assert_eq!(heard.recv_timeout(PATIENCE), Ok(b.join("heard")));
    }

    #[test]
    fn watches_share_what_the_system_gives_and_hear_only_what_is_theirs() {
        let home = tempfile::tempdir().unwrap();
        let root = AbsPath::new(home.path().to_str().unwrap()).unwrap();
        let [a, b] = ["a", "b"].map(|name| root.join(name));
        fs::create_dir(a.as_str()).unwrap();
        fs::create_dir(b.as_str()).unwrap();
        let door = DiskWatch::default();
        // More than a system gives to all programs of a user.
        let many: Vec<_> = (0..500)
            .map(|_| watch_with(&door, std::slice::from_ref(&a)))
            .collect();
        let (_one, heard) = watch_with(&door, &[a.clone(), b.clone()]);
        let (_other, heard_there) = watch_with(&door, std::slice::from_ref(&b));
        drop(many);
        fs::write(a.join("x").as_str(), "").unwrap();
        wait_for(&heard, &a.join("x"));
        fs::write(b.join("y").as_str(), "").unwrap();
        wait_for(&heard, &b.join("y"));
        assert_eq!(heard_there.recv_timeout(PATIENCE), Ok(b.join("y")));
    }

    #[test]
    fn the_last_watch_gives_it_back() {
        let door = DiskWatch::default();
        let (one, _heard) = watch_with(&door, &[]);
        let (other, _heard) = watch_with(&door, &[]);
        drop(one);
        assert!(locked(&door.0.watcher).is_some());
        drop(other);
        assert!(locked(&door.0.watcher).is_none());
    }
}
