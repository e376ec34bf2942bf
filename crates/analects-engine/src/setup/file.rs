//! One file of a host's: what it should hold with us, and what without.

use analects_world::files::Files;
use analects_world::{AbsPath, Agent};

use super::draft::Draft;
use super::ours;
use super::record::{Entry, Record};
use super::rewire::{self, Made, rewire};
use super::wanted::{Config, Format};
use crate::jsonc::Bad;
use crate::verbs::Failure;

/// A file of a host's, as it was found.
#[derive(Debug, Clone, Copy)]
pub(super) struct File<'a> {
    pub(super) host: Agent,
    pub(super) config: &'a Config,
    pub(super) old: Option<&'a str>,
    /// What we remember about it.
    pub(super) entry: Option<&'a Entry>,
}

impl File<'_> {
    /// What the file should hold once we are wired; the record then tells the way back.
    pub(super) fn install(
        &self,
        door: &dyn Files,
        record: &mut Record,
    ) -> Result<Option<String>, Failure> {
        let config = self.config;
        let bad = |bad: Bad| refusal(&config.path, &bad);
        if self.old.is_none() && config.server.is_none() && config.hooks.is_empty() {
            return Ok(None);
        }
        // A file that we make ends with a line break.
        let begun = self.old.unwrap_or(match config.format {
            Format::Commented | Format::Json => "\n",
            Format::Toml => "",
        });
        let new = rewire(begun, self.host, config, &self.made()).map_err(bad)?;
        if self.old == Some(new.as_str()) {
            return Ok(Some(new));
        }
        // What nobody remembers was there before us, whatever it looks like.
        let base = match self.entry {
            Some(_) => self.without_us().map_err(bad)?,
            None => self.old.map(str::to_owned),
        };
        let root = |text: &str| Draft::new(config.format, text).and_then(|draft| draft.root());
        let before = root(base.as_deref().unwrap_or_default()).map_err(bad)?;
        let after = root(&new).map_err(bad)?;
        let mut entry = Entry::between(base.as_deref(), &new);
        entry.made = rewire::made(&before, &after, config);
        entry.dirs = self.dirs(door);
        entry.former = match self.entry {
            Some(entry) => entry.former.clone(),
            None => rewire::former(&before, config),
        };
        record.set(&config.path, Some(&entry))?;
        Ok(Some(new))
    }

    /// What the file should hold once we are gone; nothing is remembered of it then.
    pub(super) fn uninstall(&self, record: &mut Record) -> Result<Option<String>, Failure> {
        let base = self.without_us();
        let base = base.map_err(|bad| refusal(&self.config.path, &bad))?;
        record.set(&self.config.path, None)?;
        Ok(base)
    }

    /// What the file would hold had we never been there: exactly what it held, if it is as we left it;
    /// else what it holds now, without us.
    fn without_us(&self) -> Result<Option<String>, Bad> {
        let Some(old) = self.old else {
            return Ok(None);
        };
        if let Some(before) = self.entry.and_then(|entry| entry.undo(old)) {
            return Ok(before);
        }
        let root = Draft::new(self.config.format, old)?.root()?;
        if !ours::is_wired(&root, self.host, self.config) {
            return Ok(Some(old.to_owned()));
        }
        let mut config = self.config.without_us();
        let former = self.entry.and_then(|entry| entry.former.as_ref());
        let old = match former {
            Some(former) => {
                // It is not to be taken out then.
                config.table = None;
                rewire::give_back(old, self.config, former)?
            }
            None => old.to_owned(),
        };
        let rest = rewire(&old, self.host, &config, &self.made())?;
        let is_bare = matches!(rest.trim(), "" | "{}");
        let is_gone = is_bare && self.entry.is_some_and(Entry::is_new_file);
        Ok((!is_gone).then_some(rest))
    }

    /// Whether a text starts us.
    pub(super) fn is_wired_in(&self, text: &str) -> bool {
        let root = Draft::new(self.config.format, text).and_then(|draft| draft.root());
        root.is_ok_and(|root| ours::is_wired(&root, self.host, self.config))
    }

    /// What we made around our entries. Without a record it may be somebody's.
    fn made(&self) -> Made {
        self.entry
            .map(|entry| entry.made.clone())
            .unwrap_or_default()
    }

    /// The directories that are ours, as they are made for the file.
    fn dirs(&self, door: &dyn Files) -> Vec<AbsPath> {
        match (self.entry, self.old) {
            (Some(entry), _) => entry.dirs.clone(),
            (None, Some(_)) => Vec::new(),
            (None, None) => {
                let path = led(door, &self.config.path);
                let above = path.ancestors().skip(1);
                above.take_while(|dir| door.real(dir).is_err()).collect()
            }
        }
    }
}

/// Where a file is made if a link stands at its path that leads nowhere yet.
fn led(door: &dyn Files, path: &AbsPath) -> AbsPath {
    let mut path = path.clone();
    for _ in 0..MAX_LINKS {
        let (Ok(Some(target)), Some(dir)) = (door.link(&path), path.parent()) else {
            break;
        };
        path = dir.join(&target);
    }
    path
}

/// A system follows about so many links, too.
const MAX_LINKS: usize = 40;

/// What is wrong with a file, and where.
pub(super) fn located(path: &AbsPath, bad: &Bad) -> String {
    let line = bad.line.map(|line| format!(", line {line}"));
    format!("`{path}`{}: {}", line.unwrap_or_default(), bad.message)
}

fn refusal(path: &AbsPath, bad: &Bad) -> Failure {
    Failure::failed(format!("cannot change {}", located(path, bad)))
        .hint("repair the file first; nothing was changed")
}
