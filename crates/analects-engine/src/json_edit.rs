//! Changes single values of a JSON file and nothing else: comments, order and layout stay.
//!
//! Works on the text itself, so that what is not changed keeps its very bytes. A file that Gemini CLI
//! wrote comes out as Gemini CLI would have written it: two spaces, no newline at the end.

mod find;
mod json;

use crate::jsonc::{self, Bad, Item};
use crate::mark::Mark;
use crate::sequence::{self, Comments, Shape, Style};
use find::Found;
pub(crate) use json::{Json, quoted};

/// `text` with the member at `path` set to a text, or removed. Missing objects on the way are made.
pub(crate) fn set(text: &str, path: &[&str], value: Option<&str>) -> Result<String, Bad> {
    let path: Vec<_> = path.iter().map(|key| Step::Key(key)).collect();
    let mut draft = Draft::new(text)?;
    match value {
        Some(value) => draft.set(&path, &Json::Text(value.to_owned()))?,
        None => draft.remove(&path)?,
    }
    Ok(draft.into_text())
}

/// `text` with the member `name` set to an object of texts.
pub(crate) fn set_object<'a>(
    text: &str,
    name: &str,
    members: impl Iterator<Item = (&'a String, &'a String)>,
) -> Result<String, Bad> {
    let member = |(name, value): (&String, &String)| (name.clone(), Json::Text(value.clone()));
    let mut draft = Draft::new(text)?;
    draft.set(
        &[Step::Key(name)],
        &Json::Object(members.map(member).collect()),
    )?;
    Ok(draft.into_text())
}

/// One step on the way to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// Into a member of an object.
    Key(&'a str),
    /// Into an element of a list.
    At(usize),
}

/// A JSON text that is being changed; at every moment it can be parsed.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    mark: Mark,
    text: String,
}

impl Draft {
    /// A text that holds one object, or nothing yet.
    pub(crate) fn new(text: &str) -> Result<Self, Bad> {
        let (mark, text) = Mark::split(text);
        let text = text.to_owned();
        let draft = Self { mark, text };
        draft.root()?;
        Ok(draft)
    }

    /// What the text says.
    pub(crate) fn root(&self) -> Result<Item, Bad> {
        jsonc::parse_object(&self.text)
    }

    /// Whether a value is there and holds nothing, not even a comment.
    pub(crate) fn is_bare(&self, path: &[Step<'_>]) -> Result<bool, Bad> {
        let found = find::find(&self.text, path)?;
        let text = found.map(|found| sequence::part(&self.text, found.range));
        let words: Option<String> = text.map(|text| text.split_whitespace().collect());
        Ok(matches!(words.as_deref(), Some("{}" | "[]")))
    }

    /// The text as it is now.
    pub(crate) fn into_text(self) -> String {
        self.mark.before(self.text)
    }

    /// Sets a value. Members that are missing on the way are made, elements are not.
    pub(crate) fn set(&mut self, path: &[Step<'_>], value: &Json) -> Result<(), Bad> {
        self.begin();
        for n_found in (0..=path.len()).rev() {
            let (known, missing) = path.split_at(n_found);
            let Some(found) = find::find(&self.text, known)? else {
                continue;
            };
            let Some((first, rest)) = missing.split_first() else {
                let indent = sequence::indent_at(&self.text, found.range.start).to_owned();
                let shown = value.lines(self.style(&self.unit()?), &indent);
                self.text.replace_range(found.range, &shown);
                return Ok(());
            };
            let Step::Key(name) = first else {
                return Err(no("there is no such element"));
            };
            let value = rest.iter().rev().try_fold(value.clone(), |value, step| {
                if let Step::Key(name) = step {
                    Ok(Json::Object(vec![((*name).to_owned(), value)]))
                } else {
                    Err(no("there is no such element"))
                }
            })?;
            if !found.is_object {
                return Err(no(&format!("{} is not an object", shown(known))));
            }
            return self.insert(&found, Some(name), &value);
        }
        Ok(())
    }

    /// Adds an element at the end of a list.
    pub(crate) fn push(&mut self, list: &[Step<'_>], value: &Json) -> Result<(), Bad> {
        match find::find(&self.text, list)? {
            Some(found) if !found.is_object && found.sequence.is_some() => {
                self.insert(&found, None, value)
            }
            _ => Err(no(&format!("{} is not a list", shown(list)))),
        }
    }

    /// Removes a member or an element; if a name stands twice, the first one. Nothing there is fine.
    pub(crate) fn remove(&mut self, path: &[Step<'_>]) -> Result<(), Bad> {
        let Some((last, parents)) = path.split_last() else {
            return Ok(());
        };
        let found = find::find(&self.text, parents)?;
        let Some(sequence) = found.as_ref().and_then(|found| found.sequence.as_ref()) else {
            return Ok(());
        };
        let index = match last {
            Step::At(index) => Some(*index),
            Step::Key(name) => found
                .as_ref()
                .and_then(|found| found.names.iter().position(|known| known == name)),
        };
        if let Some(index) = index {
            sequence::remove(&mut self.text, sequence, index, Comments::Slashes);
        }
        Ok(())
    }

    /// Sees to it that there is an object.
    fn begin(&mut self) {
        if self.text.trim().is_empty() {
            let newline = sequence::newline_of(&self.text);
            let end = if self.text.ends_with('\n') {
                newline
            } else {
                ""
            };
            self.text = format!("{{}}{end}");
        } else if find::is_without_value(&self.text) {
            let newline = sequence::newline_of(&self.text);
            let before = if self.text.ends_with('\n') {
                ""
            } else {
                newline
            };
            self.text = format!("{}{before}{{}}{newline}", self.text);
        }
    }

    fn insert(&mut self, found: &Found, name: Option<&str>, value: &Json) -> Result<(), Bad> {
        let Some(sequence) = &found.sequence else {
            return Ok(());
        };
        let unit = self.unit()?;
        let style = self.style(&unit);
        let name = name.map(|name| format!("{}: ", quoted(name)));
        let name = name.unwrap_or_default();
        let render = |shape: Shape<'_>| match shape {
            Shape::Lines(indent) => format!("{name}{}", value.lines(style, indent)),
            Shape::InLine => format!("{name}{}", value.in_line()),
        };
        sequence::insert(&mut self.text, sequence, style, &render);
        Ok(())
    }

    fn style<'a>(&self, unit: &'a str) -> Style<'a> {
        Style {
            comments: Comments::Slashes,
            newline: sequence::newline_of(&self.text),
            unit,
        }
    }

    /// One level of indentation, as the first member of the file has it.
    fn unit(&self) -> Result<String, Bad> {
        let root = find::find(&self.text, &[])?.and_then(|found| found.sequence);
        let first = root.and_then(|root| root.parts.first().map(|part| part.start));
        let unit = first
            .filter(|&start| sequence::begins_line(&self.text, start))
            .map(|start| sequence::indent_at(&self.text, start))
            .filter(|unit| !unit.is_empty());
        Ok(unit.unwrap_or("  ").to_owned())
    }
}

/// A refusal that names no line.
pub(crate) fn no(message: &str) -> Bad {
    Bad {
        message: message.to_owned(),
        line: None,
    }
}

/// A path as people write it: `hooks.SessionStart`.
pub(crate) fn shown(path: &[Step<'_>]) -> String {
    let step = |step: &Step<'_>| match step {
        Step::Key(name) => (*name).to_owned(),
        Step::At(index) => index.to_string(),
    };
    let steps: Vec<_> = path.iter().map(step).collect();
    format!("`{}`", steps.join("."))
}

#[cfg(test)]
mod tests;
