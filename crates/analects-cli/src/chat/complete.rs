//! Tab completion: commands, their verbs, paths, ids.

use analects_world::files::{Files, Pick, Subdirs};
use analects_world::{AbsPath, Surroundings};
use reedline::{Completer, Span, Suggestion};

use super::commands;
use crate::args::Global;
use crate::desk::{self, Doors};
use crate::person::Nobody;
use analects_engine::skills;
use analects_engine::verbs::{Verb, memory, session, skill};
use analects_text::sanitize::one_line;
use analects_world::progress::Silent;

/// Completes a line. Looks at the disk only for the directory that is being typed.
pub(crate) struct Words {
    pub(crate) around: Surroundings,
    pub(crate) files: &'static (dyn Files + Send + Sync),
    /// Finds what ids there are, by the command they are meant for.
    pub(crate) ids: FindIds,
}

/// Finds ids for a command, each with what it stands for.
type FindIds = Box<dyn Fn(&str) -> Vec<(String, String)> + Send>;

/// More are not shown.
const MAX_SHOWN: usize = 100;

impl Completer for Words {
    fn complete(&mut self, line: &str, at: usize) -> reedline::CompletionResult {
        let before = line.get(..at).unwrap_or(line);
        let start = before
            .rfind(char::is_whitespace)
            .map_or(0, |space| space + 1);
        let word = before.get(start..).unwrap_or_default();
        let found = self.found(before, word);
        let span = Span::new(start, at);
        let suggestions = found
            .into_iter()
            .take(MAX_SHOWN)
            .map(|(value, about)| Suggestion {
                // A directory goes on.
                append_whitespace: !value.ends_with('/'),
                value,
                description: (!about.is_empty()).then_some(about),
                span,
                ..Suggestion::default()
            });
        reedline::CompletionResult::fresh(suggestions.collect::<Vec<_>>())
    }
}

/// Finds ids for commands that take one: of sessions, and of entries of memory.
pub(crate) fn ids(global: &Global) -> FindIds {
    let global = global.clone();
    Box::new(move |command| found_ids(&global, command).unwrap_or_default())
}

fn found_ids(global: &Global, command: &str) -> Option<Vec<(String, String)>> {
    let (around, desk) = desk::open(global).ok()?;
    let doors = Doors::new(desk, &around);
    let world = doors.world(&Nobody, &Silent);
    let flags = global.flags();
    let words: Vec<_> = command.split_whitespace().collect();
    match &*words {
        ["resume" | "chats", ..] | ["session" | "sessions", ..] => {
            let listed = session::List::default().run(&world, &flags).ok()?;
            let all = listed.sessions.into_iter();
            Some(all.map(|session| (session.id, session.title)).collect())
        }
        ["forget", ..] | ["memory", "forget" | "edit" | "move", ..] => {
            let list = memory::List { entries: true };
            let listed = list.run(&world, &flags).ok()?;
            let entries = listed.entries.into_iter().flatten();
            Some(entries.map(|entry| (entry.id, entry.text)).collect())
        }
        ["skill" | "skills", ..] => {
            let listed = skill::List { all: true }.run(&world, &flags).ok()?;
            let all = listed.skills.into_iter();
            let all = all.filter(|skill| !skill.is_overruled);
            Some(all.map(|skill| (skill.name, skill.description)).collect())
        }
        // Commands that are no commands of ours: skills.
        [] => Some(skills::commands(&world, &flags)),
        _ => None,
    }
}

impl Words {
    fn found(&self, before: &str, word: &str) -> Vec<(String, String)> {
        if let Some(path) = word.strip_prefix('@') {
            let paths = self.paths(path);
            return paths
                .into_iter()
                .map(|path| (format!("@{path}"), String::new()))
                .collect();
        }
        let Some(command) = before.strip_prefix('/') else {
            return Vec::new();
        };
        let earlier: Vec<_> = command.split_whitespace().collect();
        let n_before = earlier.len() - usize::from(!word.is_empty() && !earlier.is_empty());
        match (n_before, &*earlier) {
            (0, _) => {
                let typed = word.strip_prefix('/').unwrap_or(word);
                let told = commands::COMMANDS.iter();
                let named = told.filter_map(|told| Some((told.names.first()?, told.about)));
                let fit = named.filter(|(name, _)| name.starts_with(typed));
                let fit = fit.map(|(name, about)| (format!("/{name}"), about.to_owned()));
                let is_command =
                    |name: &str| commands::COMMANDS.iter().any(|it| it.names.contains(&name));
                let skills = (self.ids)("").into_iter();
                let skills =
                    skills.filter(|(name, _)| name.starts_with(typed) && !is_command(name));
                let skills =
                    skills.map(|(name, about)| (format!("/{name}"), one_line(&about).into_owned()));
                fit.chain(skills).collect()
            }
            (_, ["context", ..]) => self
                .paths(word)
                .into_iter()
                .map(|path| (path, String::new()))
                .collect(),
            (1, [noun, ..]) if !commands::verbs_of(noun).is_empty() => {
                let verbs = commands::verbs_of(noun).into_iter();
                let fit = verbs.filter(|verb| verb.starts_with(word));
                fit.map(|verb| (verb, String::new())).collect()
            }
            (_, words) => {
                let what = words
                    .iter()
                    .take(n_before)
                    .copied()
                    .collect::<Vec<_>>()
                    .join(" ");
                let ids = (self.ids)(&what).into_iter();
                ids.filter(|(id, _)| id.starts_with(word)).collect()
            }
        }
    }

    /// What lies where this path leads, as it would be typed on.
    fn paths(&self, typed: &str) -> Vec<String> {
        let (dir, begin) = match typed.rsplit_once('/') {
            Some((dir, begin)) => (format!("{dir}/"), begin),
            None => (String::new(), typed),
        };
        let at: AbsPath = match dir.as_str() {
            "" => self.around.cwd.clone(),
            dir => self.around.resolve(dir),
        };
        let pick = Pick {
            subdirs: Subdirs::Report,
            ..Pick::ending("")
        };
        let listed = self.files.list(std::slice::from_ref(&at), &pick).pop();
        let Some(Ok(listing)) = listed else {
            return Vec::new();
        };
        let is_wanted = |name: &str| {
            let is_hidden = name.starts_with('.') && !begin.starts_with('.');
            let is_plain = !name.chars().any(|c| c.is_control() || c.is_whitespace());
            name.starts_with(begin) && !is_hidden && is_plain
        };
        let dirs = listing.subdirs.iter().filter(|name| is_wanted(name));
        let dirs: Vec<_> = dirs.map(|name| format!("{dir}{name}/")).collect();
        let files = listing.found.iter().map(|found| found.name.as_str());
        let files =
            files.filter(|name| is_wanted(name) && !listing.subdirs.iter().any(|it| it == name));
        let files = files.map(|name| format!("{dir}{name}"));
        let mut all: Vec<_> = dirs.into_iter().chain(files).collect();
        all.sort_unstable();
        all
    }
}
