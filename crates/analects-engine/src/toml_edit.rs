//! Changes single values of a TOML file and nothing else: comments, order and line ends stay.
//!
//! Works on the text itself, as [`json_edit`](crate::json_edit) does: a document that is printed anew
//! would lose the order of dotted keys and the line ends of other systems. New tables are appended.

mod find;
mod lines;
mod section;

use crate::json_edit::{Json, Step, no, shown};
use crate::jsonc::{Bad, Item};
use crate::mark::Mark;
use crate::sequence::{self, Comments, Shape, Style};
use find::{Found, Kind};

/// A TOML text that is being changed; at every moment it can be parsed.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    mark: Mark,
    text: String,
}

impl Draft {
    /// A text that can be parsed; an empty one can.
    pub(crate) fn new(text: &str) -> Result<Self, Bad> {
        let (mark, text) = Mark::split(text);
        let text = text.to_owned();
        let draft = Self { mark, text };
        draft.root()?;
        Ok(draft)
    }

    /// What the text says.
    pub(crate) fn root(&self) -> Result<Item, Bad> {
        find::read(&self.text)
    }

    /// The text as it is now.
    pub(crate) fn into_text(self) -> String {
        self.mark.before(self.text)
    }

    /// Sets a value. Tables that are missing on the way are made, elements are not.
    pub(crate) fn set(&mut self, path: &[Step<'_>], value: &Json) -> Result<(), Bad> {
        match find::find(&self.text, path)? {
            Some(Found {
                kind: Kind::Value | Kind::Inline(_),
                range,
                ..
            }) => {
                self.text.replace_range(range, &section::in_line(value));
                Ok(())
            }
            Some(_) => {
                self.remove(path)?;
                self.add(path, value)
            }
            None => self.add(path, value),
        }
    }

    /// Adds an element at the end of a list.
    pub(crate) fn push(&mut self, list: &[Step<'_>], value: &Json) -> Result<(), Bad> {
        match find::find(&self.text, list)? {
            Some(found) => match &found.kind {
                Kind::Inline(sequence) if !found.is_table => {
                    self.insert(sequence, &section::in_line(value));
                    Ok(())
                }
                Kind::Tables => self.append(list, &Json::List(vec![value.clone()])),
                _ => Err(no(&format!("{} is not a list", shown(list)))),
            },
            None => self.add(list, &Json::List(vec![value.clone()])),
        }
    }

    /// Removes a value, wherever its parts are written. Nothing there is fine.
    pub(crate) fn remove(&mut self, path: &[Step<'_>]) -> Result<(), Bad> {
        let Some((last, parents)) = path.split_last() else {
            return Ok(());
        };
        let Some(found) = find::find(&self.text, path)? else {
            return Ok(());
        };
        let parent = find::find(&self.text, parents)?;
        let Some(Kind::Inline(sequence)) = parent.as_ref().map(|parent| &parent.kind) else {
            lines::remove(&mut self.text, &found.statements);
            return Ok(());
        };
        let index = match last {
            Step::At(index) => Some(*index),
            Step::Key(_) => sequence
                .parts
                .iter()
                .position(|part| part.end == found.range.end),
        };
        if let Some(index) = index {
            sequence::remove(&mut self.text, sequence, index, Comments::Hash);
        }
        Ok(())
    }

    /// Adds a value that is not there.
    fn add(&mut self, path: &[Step<'_>], value: &Json) -> Result<(), Bad> {
        let Some((Step::Key(name), parents)) = path.split_last() else {
            return Err(no("there is no such element"));
        };
        let line = format!("{} = {}", section::key(name), section::in_line(value));
        match find::find(&self.text, parents)? {
            Some(parent) => match &parent.kind {
                Kind::Inline(sequence) if parent.is_table => {
                    self.insert(sequence, &line);
                    Ok(())
                }
                Kind::Header if !section::is_section(value) => {
                    lines::insert_after(&mut self.text, &parent.range, &line);
                    Ok(())
                }
                Kind::Header | Kind::Implied => self.append(path, value),
                Kind::Inline(_) | Kind::Value | Kind::Tables => {
                    Err(no(&format!("{} is not a table", shown(parents))))
                }
            },
            None => self.append(path, value),
        }
    }

    /// Adds tables at the end.
    fn append(&mut self, path: &[Step<'_>], value: &Json) -> Result<(), Bad> {
        let cannot = || no(&format!("{} cannot be added to this file", shown(path)));
        let blocks = section::blocks(path, value).ok_or_else(cannot)?;
        let mut text = self.text.clone();
        for block in blocks {
            lines::append(&mut text, &block);
        }
        // A name that is spoken for in another manner cannot be extended by a header.
        find::read(&text).map_err(|_| cannot())?;
        self.text = text;
        Ok(())
    }

    fn insert(&mut self, sequence: &sequence::Sequence, part: &str) {
        let style = Style {
            comments: Comments::Hash,
            newline: sequence::newline_of(&self.text),
            unit: "  ",
        };
        let render = |_: Shape<'_>| part.to_owned();
        sequence::insert(&mut self.text, sequence, style, &render);
    }
}

#[cfg(test)]
mod tests;
