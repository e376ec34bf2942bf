//! The picker as numbered lines: for terminals that cannot be drawn on, and for screen readers.
//!
//! Items keep their numbers while the list lives, so that a number that was read stays true after others are gone.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufRead, Read, Write};

use super::keys::name;
use super::list::Row;
use super::text::{Sheet, Tone, one_line};
use super::{Action, After, Item, Key, Outcome, Picked, Takes};
use crate::ui::Screen;

/// How many are listed at once.
const N_LISTED: usize = 20;
/// Whoever is not understood this often in a row does not want to choose.
const MAX_TRIES: usize = 3;
/// Nobody types a longer line.
const MAX_BYTES: u64 = 16 * 1024;

/// Where lines are written and read.
pub(crate) struct Lines<'a> {
    pub(crate) screen: &'a Screen,
    pub(crate) hear: &'a mut dyn BufRead,
    pub(crate) say: &'a mut dyn Write,
}

/// Lists items with numbers and hears what is to be done with which, until an action ends it or somebody leaves.
pub(crate) fn ask_by_number(
    lines: Lines<'_>,
    title: &str,
    items: Vec<Item>,
    actions: &[Action],
    preview: &mut dyn FnMut(&str) -> String,
    act: &mut dyn FnMut(Action, &[String]) -> Outcome,
) -> io::Result<Picked> {
    let mut asking = Asking {
        lines,
        actions,
        items: numbered(items),
        query: String::new(),
        listed: 0,
    };
    asking.title(title)?;
    asking.list()?;
    let mut n_tries = 0;
    while n_tries < MAX_TRIES {
        let Some(line) = asking.hear()? else {
            return Ok(Picked::Gone);
        };
        match asking.understand(&line) {
            Said::Leave => return Ok(Picked::Left),
            Said::Help => asking.help()?,
            Said::More => asking.list()?,
            Said::Search(query) => {
                asking.query = query;
                asking.listed = 0;
                asking.list()?;
            }
            Said::Show(number) => asking.show(number, preview)?,
            Said::Do(action, numbers) => {
                let items = asking.ids(&numbers);
                if action.after == After::Ends {
                    return Ok(Picked::Chose { action, items });
                }
                if !asking.heed(act(action, &items))? {
                    return Ok(Picked::Left);
                }
            }
            Said::Nonsense(why) => {
                n_tries += 1;
                writeln!(asking.lines.say, "{why}")?;
                continue;
            }
        }
        n_tries = 0;
    }
    Ok(Picked::Left)
}

fn numbered(items: Vec<Item>) -> BTreeMap<usize, Row> {
    (1..).zip(items.into_iter().map(Row::new)).collect()
}

/// What a line means.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Leave,
    Help,
    More,
    Search(String),
    Show(usize),
    Do(Action, Vec<usize>),
    /// And why it is none.
    Nonsense(String),
}

struct Asking<'l, 'a> {
    lines: Lines<'l>,
    actions: &'a [Action],
    items: BTreeMap<usize, Row>,
    query: String,
    /// The last number that was listed.
    listed: usize,
}

impl Asking<'_, '_> {
    fn title(&mut self, title: &str) -> io::Result<()> {
        let title = format!("{}: {}", one_line(title), self.items.len());
        writeln!(self.lines.say, "{}", self.lines.screen.bold(&title))
    }

    /// Lists the next items that the search shows.
    fn list(&mut self) -> io::Result<()> {
        let query = self.query.to_lowercase();
        let words: Vec<_> = query.split_whitespace().collect();
        let after = self.listed.saturating_add(1)..;
        let mut found = self.items.range(after).filter(|(_, row)| row.has(&words));
        let mut n_listed = 0;
        for (number, row) in found.by_ref().take(N_LISTED) {
            write!(self.lines.say, "  {number}. {}", row.title)?;
            match row.detail.as_str() {
                "" => writeln!(self.lines.say)?,
                detail => writeln!(self.lines.say, "  {}", self.lines.screen.dim(detail))?,
            }
            self.listed = *number;
            n_listed += 1;
        }
        match (n_listed, found.count()) {
            (0, _) => writeln!(self.lines.say, "nothing more"),
            (_, 0) => Ok(()),
            (_, n) => writeln!(self.lines.say, "{n} more: type + to see them"),
        }
    }

    /// A line that somebody typed; `None` at the end of input.
    fn hear(&mut self) -> io::Result<Option<String>> {
        write!(
            self.lines.say,
            "Your choice (number, ? for help, q to leave): "
        )?;
        self.lines.say.flush()?;
        let line = line(self.lines.hear)?;
        if line.is_none() {
            writeln!(self.lines.say)?;
        }
        Ok(line)
    }

    fn understand(&self, line: &str) -> Said {
        match line {
            "" => return Said::Nonsense("type a number, or ? for help".to_owned()),
            "?" => return Said::Help,
            "+" => return Said::More,
            _ => {}
        }
        if let Some(query) = line.strip_prefix('/') {
            return Said::Search(query.trim().to_owned());
        }
        if let Some(number) = line.strip_prefix('?') {
            return match self.numbers(number).as_deref() {
                Ok([number]) => Said::Show(*number),
                Ok(_) => Said::Nonsense("one number at a time".to_owned()),
                Err(why) => Said::Nonsense(why.clone()),
            };
        }
        let digits = line.find(|c: char| c.is_ascii_digit());
        let (word, numbers) = line.split_at(digits.unwrap_or(line.len()));
        let word = word.trim();
        let called = |word: &str| self.actions.iter().copied().find(|a| is_called(*a, word));
        let action = called(word).or_else(|| called(&word.to_lowercase()));
        match (action, self.numbers(numbers)) {
            (None, _) if matches!(word, "q" | "Q" | "quit") => Said::Leave,
            (None, _) if !word.is_empty() => {
                Said::Nonsense("that is none of the letters: type ?".to_owned())
            }
            (_, Err(why)) => Said::Nonsense(why),
            (None, Ok(numbers)) => match numbers.as_slice() {
                [number] => Said::Show(*number),
                _ => Said::Nonsense("one number at a time".to_owned()),
            },
            (Some(action), Ok(numbers)) => self.may_do(action, numbers),
        }
    }

    /// Many only where the action takes them and each of them may be one of many.
    fn may_do(&self, action: Action, numbers: Vec<usize>) -> Said {
        if numbers.len() > 1 {
            if action.takes == Takes::One {
                return Said::Nonsense(format!("{}: one number at a time", action.word));
            }
            let is_bulk = |number: &&usize| self.items.get(number).is_some_and(|row| row.is_bulk);
            if let Some(number) = numbers.iter().find(|number| !is_bulk(number)) {
                return Said::Nonsense(format!("{number} is decided on its own, not among many"));
            }
        }
        Said::Do(action, numbers)
    }

    /// The items that `1 3,5-7` names, each once; or what is wrong with it.
    fn numbers(&self, text: &str) -> Result<Vec<usize>, String> {
        let mut numbers = Vec::new();
        for part in text.split([' ', ',']).filter(|part| !part.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) else {
                return Err(format!("{} is no number", one_line(part)));
            };
            for end in [first, last] {
                if !self.items.contains_key(&end) {
                    return Err(format!("there is no {end}"));
                }
            }
            if first > last {
                return Err(format!("{first} comes after {last}"));
            }
            // Between the ends some may be gone already: whoever says so means those that are there.
            numbers.extend(self.items.range(first..=last).map(|(number, _)| *number));
        }
        numbers.sort_unstable();
        numbers.dedup();
        match numbers.is_empty() {
            true => Err("which number?".to_owned()),
            false => Ok(numbers),
        }
    }

    fn ids(&self, numbers: &[usize]) -> Vec<String> {
        let id = |number: &usize| self.items.get(number).map(|row| row.id.clone());
        numbers.iter().filter_map(id).collect()
    }

    fn show(&mut self, number: usize, preview: &mut dyn FnMut(&str) -> String) -> io::Result<()> {
        let Some(row) = self.items.get(&number) else {
            return Ok(());
        };
        let title = format!("{number}. {}", row.title);
        writeln!(self.lines.say, "{}", self.lines.screen.bold(&title))?;
        for (tone, line) in Sheet::new(&preview(&row.id)).lines() {
            let style = match tone {
                Tone::Plain => "0",
                Tone::Place => "1",
                Tone::Added => "32",
                Tone::Removed => "31",
            };
            writeln!(self.lines.say, "{}", self.lines.screen.paint(style, line))?;
        }
        Ok(())
    }

    fn help(&mut self) -> io::Result<()> {
        for action in self.actions {
            let example = match (action.key, action.takes) {
                (Key::Enter, _) => "3".to_owned(),
                (key, Takes::One) => format!("{} 3", name(key)),
                (key, Takes::Many) => format!("{} 1 3-5", name(key)),
            };
            writeln!(self.lines.say, "{example:<10} {}", action.word)?;
        }
        let shows = if self.has_enter() { "?3" } else { "3" };
        for (example, word) in [
            (shows, "show it"),
            ("+", "list more"),
            ("/word", "list what has this word in it; / alone lists all"),
            ("q", "leave"),
        ] {
            writeln!(self.lines.say, "{example:<10} {word}")?;
        }
        Ok(())
    }

    fn has_enter(&self) -> bool {
        self.actions.iter().any(|action| action.key == Key::Enter)
    }

    /// Says what came of it; `false` if that was the last thing.
    fn heed(&mut self, outcome: Outcome) -> io::Result<bool> {
        match outcome {
            Outcome::Leave => return Ok(false),
            Outcome::Gone { ids, said } => {
                let gone: HashSet<_> = ids.into_iter().collect();
                self.items.retain(|_, row| !gone.contains(&row.id));
                writeln!(self.lines.say, "{}", one_line(&said))?;
            }
            Outcome::Renewed { items, said } => {
                writeln!(self.lines.say, "{}", one_line(&said))?;
                self.items = numbered(items);
                self.listed = 0;
                self.list()?;
            }
        }
        Ok(true)
    }
}

/// Whether an action is meant: by its letter, by its words, or by no word at all where a number alone is enough.
fn is_called(action: Action, word: &str) -> bool {
    let by_key = match action.key {
        Key::Enter => word.is_empty(),
        Key::Letter(c) => {
            let mut chars = word.chars();
            chars.next() == Some(c) && chars.next().is_none()
        }
    };
    by_key || word.eq_ignore_ascii_case(action.word)
}

/// One line, without what cannot be typed; `None` when nobody is there any more.
fn line(hear: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let n_read = hear.take(MAX_BYTES).read_until(b'\n', &mut bytes)?;
    if n_read == 0 {
        return Ok(None);
    }
    // The rest of a line that is too long must not be taken for the next one.
    let mut is_whole = bytes.ends_with(b"\n");
    while !is_whole {
        let mut rest = Vec::new();
        let n_read = hear.take(MAX_BYTES).read_until(b'\n', &mut rest)?;
        is_whole = n_read == 0 || rest.ends_with(b"\n");
    }
    let text = String::from_utf8_lossy(&bytes);
    let typed = |c: char| if c.is_control() { ' ' } else { c };
    let text: String = text.chars().map(typed).collect();
    Ok(Some(text.trim().to_owned()))
}
