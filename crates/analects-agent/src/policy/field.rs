//! The fields of a rule, and what is wrong with them.
//!
//! Everything but the decision narrows a rule. A field that cannot be understood is left out, which makes the rule
//! wider, and noted; whoever asked decides what a rule that is too wide may still say.

use serde_json::Value;
use toml::de::{DeTable, DeValue};

use super::pattern::Purse;
use super::{Mode, Places};

/// A field that was read: what it says, or why it makes no sense.
type Read<T> = Result<T, String>;

/// The fields of one rule.
pub(super) struct Fields<'a> {
    table: &'a DeTable<'a>,
    known: Vec<&'static str>,
    /// What is wrong so far.
    pub(super) wrong: Vec<String>,
    pub(super) places: &'a Places,
    pub(super) purse: &'a mut Purse,
}

impl<'a> Fields<'a> {
    pub(super) fn new(table: &'a DeTable<'a>, places: &'a Places, purse: &'a mut Purse) -> Self {
        Self {
            table,
            known: Vec::new(),
            wrong: Vec::new(),
            places,
            purse,
        }
    }

    /// Whether a field is there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.table.contains_key(name)
    }

    /// Passes over a field that says nothing about what a rule does.
    pub(super) fn skip(&mut self, name: &'static str) {
        self.known.push(name);
    }

    /// A field under one of its names; none if it is not there or makes no sense.
    pub(super) fn read<T>(
        &mut self,
        names: &[&'static str],
        read: impl FnOnce(&'a DeValue<'a>, &mut Self) -> Read<T>,
    ) -> Option<T> {
        self.known.extend(names);
        let (name, value) = names
            .iter()
            .find_map(|name| Some((name, self.table.get(*name)?)))?;
        match read(value.get_ref(), self) {
            Ok(read) => Some(read),
            Err(why) => {
                self.wrong.push(format!("`{name}`: {why}"));
                None
            }
        }
    }

    /// Notes every field that nobody asked for.
    pub(super) fn close(&mut self) {
        for (name, _) in self.table {
            let name: &str = name.get_ref();
            if !self.known.contains(&name) {
                self.wrong.push(format!("unknown field `{}`", shown(name)));
            }
        }
    }
}

/// A text that is not empty.
pub(super) fn text<'a>(value: &'a DeValue<'a>) -> Read<&'a str> {
    match value.as_str() {
        Some("") => Err("an empty text".to_owned()),
        Some(text) => Ok(text),
        None => Err("expected a text".to_owned()),
    }
}

/// A text, or a list of some.
pub(super) fn texts<'a>(value: &'a DeValue<'a>) -> Read<Vec<&'a str>> {
    match value {
        DeValue::Array(items) if items.is_empty() => Err("an empty list".to_owned()),
        DeValue::Array(items) => items.iter().map(|item| text(item.get_ref())).collect(),
        _ => text(value).map(|text| vec![text]),
    }
}

pub(super) fn flag(value: &DeValue<'_>) -> Read<bool> {
    value
        .as_bool()
        .ok_or_else(|| "expected true or false".to_owned())
}

pub(super) fn priority(value: &DeValue<'_>) -> Read<u16> {
    let number = match value {
        DeValue::Integer(number) => u16::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    };
    number
        .filter(|number| *number <= 999)
        .ok_or_else(|| "expected a whole number from 0 to 999".to_owned())
}

/// Modes; an empty list is every one, as in the original.
pub(super) fn modes(value: &DeValue<'_>) -> Read<Option<Vec<Mode>>> {
    let items = value.as_array().ok_or("expected a list of modes")?;
    let modes: Result<Vec<_>, String> = items
        .iter()
        .map(|item| {
            let name = text(item.get_ref())?;
            Mode::named(name).ok_or_else(|| {
                format!("`{}` is none of default, autoEdit, yolo, plan", shown(name))
            })
        })
        .collect();
    modes.map(|modes| (!modes.is_empty()).then_some(modes))
}

/// The members of a table as JSON, to be compared with what a server says.
pub(super) fn members(value: &DeValue<'_>) -> Read<Vec<(String, Value)>> {
    let table = value.as_table().ok_or("expected a table")?;
    let member = |(name, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let name: &toml::Spanned<toml::de::DeString<'_>> = name;
        Ok((name.get_ref().to_string(), json(value.get_ref())?))
    };
    table.iter().map(member).collect()
}

/// As deep as the parser lets a file be, which is bounded.
fn json(value: &DeValue<'_>) -> Read<Value> {
    Ok(match value {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Boolean(flag) => Value::from(*flag),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map(Value::from)
            .map_err(|_| "a number that is too large")?,
        DeValue::Array(items) => {
            let items = items.iter().map(|item| json(item.get_ref()));
            Value::Array(items.collect::<Read<_>>()?)
        }
        DeValue::Table(_) => Value::Object(members(value)?.into_iter().collect()),
        DeValue::Float(_) | DeValue::Datetime(_) => {
            return Err("expected texts, switches or whole numbers".to_owned());
        }
    })
}

/// Text of a file in a message: one line, and not much of it.
pub(super) fn shown(text: &str) -> String {
    let text = analects_text::truncate::head_bytes(text, 80);
    analects_text::sanitize::one_line(text).into_owned()
}
