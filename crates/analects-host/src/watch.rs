//! Changes on this machine's disk, as the system reports them.

use std::collections::BTreeSet;
use std::path::Path;

use analects_world::AbsPath;
use analects_world::watch::{Hear, Watch, Watching};
use notify::event::EventKind;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

/// The system's own way to tell of changes; nothing is polled.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskWatch;

impl Watch for DiskWatch {
    fn start(&self, hear: Hear) -> Result<Box<dyn Watching>, String> {
        let watcher = notify::recommended_watcher(move |event| tell(event, &hear));
        Ok(Box::new(Over {
            watcher: watcher.map_err(|error| error.to_string())?,
            dirs: BTreeSet::new(),
        }))
    }
}

/// A watch and the directories it is over.
struct Over {
    watcher: RecommendedWatcher,
    dirs: BTreeSet<AbsPath>,
}

impl Watching for Over {
    fn over(&mut self, dirs: &[AbsPath]) -> Vec<(AbsPath, String)> {
        let wanted: BTreeSet<_> = dirs.iter().cloned().collect();
        for gone in self.dirs.difference(&wanted) {
            // A directory that was removed is not watched any more anyway.
            let _ = self.watcher.unwatch(Path::new(gone.as_str()));
        }
        let mut refused = Vec::new();
        let mut now = BTreeSet::new();
        for dir in wanted {
            // Watched once more even if it was before: it may have been removed and made anew.
            let path = Path::new(dir.as_str());
            match self.watcher.watch(path, RecursiveMode::NonRecursive) {
                Ok(()) => drop(now.insert(dir)),
                Err(error) => refused.push((dir, error.to_string())),
            }
        }
        self.dirs = now;
        refused
    }
}

fn tell(event: notify::Result<notify::Event>, hear: &Hear) {
    let event = match event {
        // To read a file is no change of it; who listens here reads the files.
        Ok(event) if matches!(event.kind, EventKind::Access(_)) => return,
        Ok(event) if !event.need_rescan() => event,
        // Something was missed: it may have been anything.
        _ => return hear(AbsPath::root()),
    };
    for path in event.paths {
        if let Some(path) = path.to_str().and_then(|path| AbsPath::new(path).ok()) {
            hear(path);
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
        let (told, heard) = mpsc::channel();
        let hear = move |path| told.send(path).unwrap_or_default();
        let mut watching = DiskWatch.start(Box::new(hear)).unwrap();
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
}
