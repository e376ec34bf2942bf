//! A private log: lines of our own in `~/.gemini/analects`, which nobody else may read.
//!
//! Many processes append at the same time, a line each. Nobody waits for the disk, and once the log is too long, its
//! oldest lines go.

use analects_world::AbsPath;
use analects_world::changes::{Change, Changes, Trace};
use analects_world::files::{Files, Trouble};
use analects_world::tape::Opening;

use crate::{World, write};

/// A log, by the name of its file.
pub(crate) struct PrivateLog {
    /// The name.
    pub(crate) name: &'static str,
    /// Of which sort a line is; `None` if it makes no sense, and need not be kept.
    pub(crate) sort: fn(&str) -> Option<Sort>,
}

/// Sorts of lines. Each has a share of the log, so that what is frequent does not push out what is rare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// What there is much of.
    Usual,
    /// What is rarer and tells more.
    Special,
}

/// A log is made smaller once it is longer than this.
pub(crate) const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Then this many bytes are kept of each sort.
pub(crate) const KEPT_BYTES: usize = 1024 * 1024;

/// However long a log claims to be, this much of its end is read.
const LIMIT_BYTES: usize = 16 * 1024 * 1024;

impl PrivateLog {
    pub(crate) fn path(&self, world: &World<'_>) -> AbsPath {
        world.around.state_dir().join(self.name)
    }

    /// Appends a line, which has its end; else says why not.
    pub(crate) fn append(&self, world: &World<'_>, line: &str) -> Result<(), String> {
        let path = self.path(world);
        let tape = world.tapes.open(&path, Opening::Shared);
        let appended = tape.and_then(|mut tape| tape.append(line.as_bytes()));
        appended.map_err(|error| error.to_string())?;
        let measure = world.files.measure(std::slice::from_ref(&path)).pop();
        match measure {
            Some(Ok(measure)) if measure.len > MAX_BYTES => self.trim(world, &path),
            _ => Ok(()),
        }
    }

    /// Its lines, the oldest first; none if there is no log yet.
    pub(crate) fn read(&self, world: &World<'_>) -> Result<String, Trouble> {
        let path = self.path(world);
        let measure = world.files.measure(std::slice::from_ref(&path)).pop();
        let len = match measure.unwrap_or(Err(Trouble::Missing)) {
            Ok(measure) => measure.len,
            Err(Trouble::Missing | Trouble::NotDir) => return Ok(String::new()),
            Err(trouble) => return Err(trouble),
        };
        let start = len.saturating_sub(LIMIT_BYTES as u64);
        let bytes = world.files.piece(&path, start, LIMIT_BYTES)?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(match start {
            0 => text.into_owned(),
            // It begins in the middle of a line.
            _ => text
                .split_once('\n')
                .map_or("", |(_, whole)| whole)
                .to_owned(),
        })
    }

    fn trim(&self, world: &World<'_>, path: &AbsPath) -> Result<(), String> {
        let mut problem = None;
        let mut plan = |files: &dyn Files| match write::bytes_of(files, path) {
            Ok(old) => {
                let old = old.unwrap_or_default();
                let new = newest(&String::from_utf8_lossy(&old), self.sort);
                let mut change = Change::new(path, Some(&old), Some(new.into_bytes())).owner_only();
                change.trace = Trace::Nothing;
                Some(Changes::new(self.name, "the oldest go", vec![change]))
            }
            Err(failure) => {
                problem = Some(failure.message);
                None
            }
        };
        let committed = world.desk.commit(&[], &mut plan);
        match (problem, committed) {
            (Some(problem), _) => Err(problem),
            (None, Err(error)) => Err(error.to_string()),
            (None, Ok(_)) => Ok(()),
        }
    }
}

/// The newest lines of each sort, in order.
fn newest(log: &str, sort: fn(&str) -> Option<Sort>) -> String {
    let (mut usual, mut special) = (KEPT_BYTES, KEPT_BYTES);
    let mut kept = Vec::new();
    for line in log.lines().rev() {
        let purse = match sort(line) {
            Some(Sort::Usual) => &mut usual,
            Some(Sort::Special) => &mut special,
            None => continue,
        };
        let n_bytes = line.len() + 1;
        match purse.checked_sub(n_bytes) {
            Some(left) => {
                *purse = left;
                kept.push(line);
            }
            // Nothing older of its sort is kept either.
            None => *purse = 0,
        }
    }
    kept.reverse();
    kept.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use analects_testkit::{FakeDesk, surroundings};
    use analects_world::changes::Access;
    use proptest::prelude::*;

    use super::*;

    fn sort(line: &str) -> Option<Sort> {
        match line.chars().next()? {
            'u' => Some(Sort::Usual),
            's' => Some(Sort::Special),
            _ => None,
        }
    }

    #[test]
    fn a_log_that_is_too_long_keeps_the_newest_of_each_sort() {
        let log = PrivateLog {
            name: "some.jsonl",
            sort,
        };
        let old = format!("s rare\nnonsense\n{}", "u often\n".repeat(600_000));
        let desk = FakeDesk::parse("");
        desk.edit("/h/.gemini/analects/some.jsonl", &old);
        let around = surroundings("/w", "/h", &[]);
        let world = desk.world(&around);
        assert_eq!(log.append(&world, "u last\n"), Ok(()));
        let kept = log.read(&world).unwrap();
        assert!(kept.starts_with("s rare\nu often\n") && kept.ends_with("u often\nu last\n"));
        assert!((KEPT_BYTES - 10..KEPT_BYTES + 10).contains(&kept.len()));
        let commits = desk.commits();
        let change = &commits[0].0.files[0];
        assert_eq!(
            (change.access, change.trace),
            (Access::OwnerOnly, Trace::Nothing)
        );
    }

    #[test]
    fn a_log_that_nobody_wrote_is_empty_and_one_that_nobody_may_read_is_not() {
        let log = PrivateLog {
            name: "some.jsonl",
            sort,
        };
        let around = surroundings("/w", "/h", &[]);
        let desk = FakeDesk::parse("");
        assert_eq!(log.read(&desk.world(&around)), Ok(String::new()));
        let desk = FakeDesk::parse("//- /h/.gemini/analects/some.jsonl (denied)\n");
        assert_eq!(log.read(&desk.world(&around)), Err(Trouble::Denied));
    }

    proptest! {
        #[test]
        fn no_line_is_made_up(log in "([us]? ?[a-zé]{0,3}\\r?\\n){0,20}") {
            let kept = newest(&log, sort);
            prop_assert!(kept.lines().all(|line| sort(line).is_some() && log.lines().any(|old| old == line)));
        }
    }
}
