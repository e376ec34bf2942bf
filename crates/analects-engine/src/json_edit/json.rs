//! A value to be written into a JSON file.

use std::fmt::Write;

use crate::jsonc::{Item, Value};
use crate::sequence::Style;

/// A value as we write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Json {
    Text(String),
    Number(u64),
    Flag(bool),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Json {
    /// A value that was read, if we could write it: there are no nulls and no fractions among ours.
    pub(crate) fn of(item: &Item) -> Option<Self> {
        Some(match &item.value {
            Value::Text(text) => Self::Text(text.clone()),
            Value::Flag(flag) => Self::Flag(*flag),
            Value::Number(number) => {
                let whole = *number as u64;
                (whole as f64 == *number).then_some(Self::Number(whole))?
            }
            Value::List(items) => Self::List(items.iter().map(Self::of).collect::<Option<_>>()?),
            Value::Object(members) => {
                let member = |(name, item): &(String, Item)| Some((name.clone(), Self::of(item)?));
                Self::Object(members.iter().map(member).collect::<Option<_>>()?)
            }
            Value::Null => return None,
        })
    }

    /// Whether a value that was read says the same.
    pub(crate) fn is_said_by(&self, item: &Item) -> bool {
        match (self, &item.value) {
            (Self::Text(ours), Value::Text(theirs)) => ours == theirs,
            (Self::Number(ours), Value::Number(theirs)) => *ours as f64 == *theirs,
            (Self::Flag(ours), Value::Flag(theirs)) => ours == theirs,
            (Self::List(ours), Value::List(theirs)) => {
                ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| a.is_said_by(b))
            }
            (Self::Object(ours), Value::Object(theirs)) => {
                let is_said = |(name, value): &(String, Self)| {
                    item.get(name).is_some_and(|item| value.is_said_by(item))
                };
                ours.len() == theirs.len() && ours.iter().all(is_said)
            }
            _ => false,
        }
    }

    /// The value in one line.
    pub(super) fn in_line(&self) -> String {
        match self {
            Self::Text(text) => quoted(text),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::List(values) => {
                let values: Vec<_> = values.iter().map(Self::in_line).collect();
                format!("[{}]", values.join(", "))
            }
            Self::Object(members) => {
                let member = |(name, value): &(String, Self)| {
                    format!("{}: {}", quoted(name), value.in_line())
                };
                let members: Vec<_> = members.iter().map(member).collect();
                format!("{{{}}}", members.join(", "))
            }
        }
    }

    /// The value on as many lines as it has members; those after the first begin with `indent`.
    pub(super) fn lines(&self, style: Style<'_>, indent: &str) -> String {
        let inner = format!("{indent}{}", style.unit);
        let (open, lines, close): (_, Vec<_>, _) = match self {
            Self::List(values) if values.iter().any(Self::is_nested) => {
                let lines = values.iter().map(|value| value.lines(style, &inner));
                ('[', lines.collect(), ']')
            }
            Self::Object(members) if !members.is_empty() => {
                let line = |(name, value): &(String, Self)| {
                    format!("{}: {}", quoted(name), value.lines(style, &inner))
                };
                ('{', members.iter().map(line).collect(), '}')
            }
            _ => return self.in_line(),
        };
        let between = format!(",{}{inner}", style.newline);
        let newline = style.newline;
        format!(
            "{open}{newline}{inner}{}{newline}{indent}{close}",
            lines.join(&between)
        )
    }

    fn is_nested(&self) -> bool {
        matches!(self, Self::List(_) | Self::Object(_))
    }
}

/// A text between quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c < ' ' || c == '\u{7F}' => {
                // Writing into a text cannot fail.
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
