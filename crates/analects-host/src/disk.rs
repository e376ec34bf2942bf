//! This machine's disk, for reading.

mod entries;
pub(crate) mod handle;
mod list;

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::UNIX_EPOCH;

use analects_world::AbsPath;
use analects_world::files::{
    Blob, FileId, Files, Identity, Listing, Measure, Pick, Trouble, Want, Within,
};
use analects_world::ownership::Ownership;

/// The real file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

/// Threads a batch is spread over. More than a few only queue up at the disk.
const MAX_THREADS: usize = 8;
/// Below this many items a thread costs more than it brings.
const MIN_ITEMS_A_THREAD: usize = 16;

impl Files for Disk {
    fn list(&self, dirs: &[AbsPath], pick: &Pick) -> Vec<Result<Listing, Trouble>> {
        let plan = list::Plan::new(pick);
        spread(dirs, |dir| plan.list(dir))
    }

    fn read(&self, wants: &[Want<'_>]) -> Vec<Result<Blob, Trouble>> {
        spread(wants, read)
    }

    fn real(&self, path: &AbsPath) -> Result<AbsPath, Trouble> {
        let real = fs::canonicalize(path.as_str()).map_err(trouble)?;
        handle::speakable(real)
    }

    fn link(&self, path: &AbsPath) -> Result<Option<String>, Trouble> {
        match fs::read_link(path.as_str()) {
            Ok(target) => {
                let target = target.into_os_string().into_string();
                target.map(Some).map_err(|_| Trouble::Unspeakable)
            }
            // What the system says of everything that is no link.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(None),
            Err(error) => Err(trouble(error)),
        }
    }

    fn identify(&self, path: &AbsPath) -> Result<Identity, Trouble> {
        let meta = fs::metadata(path.as_str()).map_err(trouble)?;
        let born = meta.created().ok();
        let born = born.and_then(|born| born.duration_since(UNIX_EPOCH).ok());
        Ok(Identity {
            id: FileId {
                dev: meta.dev(),
                ino: meta.ino(),
            },
            born: born.map(|born| born.as_nanos()),
        })
    }

    fn ownership(&self, paths: &[AbsPath]) -> Vec<Result<Ownership, Trouble>> {
        let of = |path: &AbsPath| fs::metadata(path.as_str()).map(|meta| ownership(&meta));
        paths.iter().map(|path| of(path).map_err(trouble)).collect()
    }

    fn measure(&self, paths: &[AbsPath]) -> Vec<Result<Measure, Trouble>> {
        spread(paths, measure)
    }

    fn piece(&self, path: &AbsPath, start: u64, limit_bytes: usize) -> Result<Vec<u8>, Trouble> {
        let (mut file, _) = handle::open(path)?;
        file.seek(SeekFrom::Start(start)).map_err(trouble)?;
        let mut bytes = Vec::new();
        let piece = File::take(file, limit_bytes as u64).read_to_end(&mut bytes);
        piece.map(|_| bytes).map_err(trouble)
    }
}

fn measure(path: &AbsPath) -> Result<Measure, Trouble> {
    let meta = fs::metadata(path.as_str()).map_err(trouble)?;
    match meta.file_type() {
        kind if kind.is_dir() => return Err(Trouble::IsDir),
        kind if !kind.is_file() => return Err(Trouble::Special),
        _ => {}
    }
    let written = meta.modified().ok();
    let written = written.and_then(|written| written.duration_since(UNIX_EPOCH).ok());
    let written_ns = written.and_then(|written| u64::try_from(written.as_nanos()).ok());
    Ok(Measure {
        id: FileId {
            dev: meta.dev(),
            ino: meta.ino(),
        },
        len: meta.len(),
        written_ns: written_ns.unwrap_or(0),
    })
}

/// Does `job` for every item, on several threads if there are many; answers in the order of the items.
fn spread<Item: Sync, Answer: Send>(
    items: &[Item],
    job: impl Fn(&Item) -> Answer + Sync,
) -> Vec<Answer> {
    let worth_it = items.len() / MIN_ITEMS_A_THREAD;
    // To ask for the cores costs a dozen calls on Linux: only where the answer matters.
    let n_threads = match worth_it {
        0 | 1 => 1,
        _ => worth_it
            .min(MAX_THREADS)
            .min(thread::available_parallelism().map_or(1, usize::from)),
    };
    if n_threads < 2 {
        return items.iter().map(job).collect();
    }
    // Threads fetch the next few items as they go: no one waits for a slow half.
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let start = next.fetch_add(MIN_ITEMS_A_THREAD, Ordering::Relaxed);
            let Some(rest) = items.get(start..).filter(|rest| !rest.is_empty()) else {
                return done;
            };
            let few = rest.iter().take(MIN_ITEMS_A_THREAD);
            done.push((start, few.map(&job).collect::<Vec<_>>()));
        }
    };
    let mut done = thread::scope(|scope| {
        let helpers: Vec<_> = (1..n_threads).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for helper in helpers {
            done.extend(
                helper
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            );
        }
        done
    });
    done.sort_unstable_by_key(|(start, _)| *start);
    done.into_iter().flat_map(|(_, answers)| answers).collect()
}

/// From this length on a file is worth two threads.
const LONG_BYTES: usize = 8 << 20;

fn read(want: &Want<'_>) -> Result<Blob, Trouble> {
    let (mut file, meta) = handle::open(want.path)?;
    match want.within {
        Within::Anywhere => {}
        Within::Root(root) => drop(handle::require_within(&file, want.path, root)?),
        Within::Itself => handle::require_itself(&file, want.path)?,
    }
    // What a file claims to hold is not what it holds: a sparse one can claim terabytes.
    let claimed = usize::try_from(meta.len()).unwrap_or(0);
    let expected = claimed.min(want.limit_bytes);
    let mut bytes = match expected {
        ..LONG_BYTES => Vec::with_capacity(expected.min(1 << 20)),
        _ => read_long(&mut file, expected)?,
    };
    // One byte more than wanted, to notice a file that grew or whose length is not known in advance.
    let limit = (want.limit_bytes as u64).saturating_add(1) - bytes.len() as u64;
    File::take(file, limit)
        .read_to_end(&mut bytes)
        .map_err(trouble)?;
    let len = meta.len().max(bytes.len() as u64);
    bytes.truncate(want.limit_bytes);
    // A file that shrank while it was read is whole as it is.
    let len = if bytes.len() < want.limit_bytes {
        bytes.len() as u64
    } else {
        len
    };
    Ok(Blob {
        id: FileId {
            dev: meta.dev(),
            ino: meta.ino(),
        },
        bytes,
        len,
        is_private: meta.mode() & 0o077 == 0,
        ownership: ownership(&meta),
    })
}

fn ownership(meta: &fs::Metadata) -> Ownership {
    Ownership {
        owner: meta.uid(),
        group: meta.gid(),
        mode: meta.mode() & 0o7777,
        user: rustix::process::geteuid().as_raw(),
    }
}

/// The first bytes of a file that should have this many, each half by a thread: the system takes longer to make room for
/// them than to copy them. Nothing if there are fewer; the file stands behind what was read.
fn read_long(file: &mut File, n_bytes: usize) -> Result<Vec<u8>, Trouble> {
    let mut bytes = vec![0; n_bytes];
    let (first, second) = bytes.split_at_mut(n_bytes / 2);
    let (middle, shared) = (first.len() as u64, &*file);
    let halves = thread::scope(|scope| {
        let second = scope.spawn(move || shared.read_exact_at(second, middle));
        let first = shared.read_exact_at(first, 0);
        first.and(
            second
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        )
    });
    match halves {
        Ok(()) => {}
        // It shrank, or never was this long.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => bytes = Vec::new(),
        Err(error) => return Err(trouble(error)),
    }
    file.seek(SeekFrom::Start(bytes.len() as u64))
        .map_err(trouble)?;
    Ok(bytes)
}

pub(crate) fn trouble(error: io::Error) -> Trouble {
    match error.kind() {
        io::ErrorKind::NotFound => Trouble::Missing,
        io::ErrorKind::PermissionDenied => Trouble::Denied,
        io::ErrorKind::IsADirectory => Trouble::IsDir,
        io::ErrorKind::NotADirectory => Trouble::NotDir,
        io::ErrorKind::InvalidFilename => Trouble::TooLong,
        _ if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => Trouble::Loop,
        // A socket, or a device without a driver, cannot even be opened.
        _ if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => {
            Trouble::Special
        }
        _ => Trouble::Other(error.to_string()),
    }
}

#[cfg(test)]
pub(crate) mod tests;
