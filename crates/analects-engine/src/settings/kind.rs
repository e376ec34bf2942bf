//! What a value of a setting may be.

use std::collections::BTreeMap;

use crate::jsonc::{Item, Value};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// None was given and there is no fixed default.
    Unset,
    /// A switch.
    Flag(bool),
    /// A whole number.
    Count(usize),
    /// A word.
    Text(String),
    /// A part of a whole, between 0 and 1.
    Share(f64),
    /// A list of words.
    List(Vec<String>),
    /// Tokens, by the name of a tool or a model.
    Budgets(BTreeMap<String, usize>),
    /// Texts, by name.
    Texts(BTreeMap<String, String>),
}

/// What values a setting takes.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// A whole number in this range.
    Count {
        /// Smallest.
        min: usize,
        /// Largest.
        max: usize,
    },
    /// A whole number up to this one; 0 and -1 are no limit at all.
    Limit {
        /// Largest.
        max: usize,
    },
    /// A number above 0 and up to 1; 0 is as usual, as in Gemini CLI.
    Share,
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of these words; a switch, as an older name may have been, stands for one of two of them.
    WordOrFlag {
        /// The words.
        words: &'static [&'static str],
        /// What `false` and `true` stand for.
        off_on: [&'static str; 2],
    },
    /// A list of texts, or a single one.
    Names,
    /// The same for names of files, of which there is at least one.
    FileNames,
    /// A whole number of levels, or `"all"`.
    Levels,
    /// How long: a number and `h`, `d`, `w` or `m`.
    Duration,
    /// An object with a `tokenBudget` for each tool.
    Budgets,
    /// A single text, in which no variable is replaced.
    Text,
    /// An object with a text for each name, in which no variable is replaced either.
    Texts,
    /// An object with a whole number of tokens for each name.
    Tokens,
}

/// Largest number a file may ask for; far above anything useful, far below any overflow.
const MAX_COUNT: usize = 1 << 32;

impl Kind {
    /// The value of `item` if it is of this kind; else what would be.
    pub(crate) fn accept(
        self,
        item: &Item,
        expand: &dyn Fn(&str) -> String,
    ) -> Result<Setting, String> {
        match (self, &item.value) {
            (Self::Flag, Value::Flag(flag)) => Ok(Setting::Flag(*flag)),
            (Self::Count { min, max }, Value::Number(number)) => whole(*number)
                .filter(|count| (min..=max).contains(count))
                .map(Setting::Count)
                .ok_or_else(|| format!("expected a whole number from {min} to {max}")),
            (Self::Limit { .. }, Value::Number(-1.0)) => Ok(Setting::Unset),
            (Self::Limit { max }, Value::Number(number)) => match whole(*number) {
                Some(0) => Ok(Setting::Unset),
                Some(count) if count <= max => Ok(Setting::Count(count)),
                Some(_) | None => Err(self.expectation()),
            },
            (Self::Share, Value::Number(0.0)) => Ok(Setting::Unset),
            (Self::Share, Value::Number(share)) if *share > 0.0 && *share <= 1.0 => {
                Ok(Setting::Share(*share))
            }
            (Self::Budgets, Value::Object(tools)) => self.each(tools, budget).map(Setting::Budgets),
            // Word for word: what stands here is sent and noted, and a variable may hold a key.
            (Self::Text, Value::Text(text)) => Ok(Setting::Text(text.trim().to_owned())),
            (Self::Texts, Value::Object(members)) => {
                let text = |item: &Item| Some(item.text()?.trim().to_owned());
                self.each(members, text).map(Setting::Texts)
            }
            (Self::Tokens, Value::Object(members)) => {
                self.each(members, tokens).map(Setting::Budgets)
            }
            (Self::Levels, Value::Number(number)) => whole(*number)
                .map(Setting::Count)
                .ok_or_else(|| self.expectation()),
            (Self::Levels, Value::Text(text)) if text == "all" => Ok(Setting::Text(text.clone())),
            (Self::Word(words) | Self::WordOrFlag { words, .. }, Value::Text(text))
                if words.contains(&text.as_str()) =>
            {
                Ok(Setting::Text(text.clone()))
            }
            // Whoever goes by it must hear of one that makes no sense: then nothing is deleted.
            (Self::Duration, Value::Text(text)) => Ok(Setting::Text(text.clone())),
            (Self::WordOrFlag { off_on, .. }, Value::Flag(flag)) => {
                Ok(Setting::Text(off_on[usize::from(*flag)].to_owned()))
            }
            (Self::Names | Self::FileNames, Value::Text(text)) => {
                self.named(names([text.as_str()], expand))
            }
            (Self::Names | Self::FileNames, Value::List(items))
                if items.iter().all(|item| item.text().is_some()) =>
            {
                self.named(names(items.iter().filter_map(Item::text), expand))
            }
            _ => Err(self.expectation()),
        }
    }

    fn named(self, names: Vec<String>) -> Result<Setting, String> {
        match self {
            Self::FileNames => file_names(names).ok_or_else(|| self.expectation()),
            _ => Ok(Setting::List(names)),
        }
    }

    /// The members of an object, if every one of them is what it should be.
    fn each<T>(
        self,
        members: &[(String, Item)],
        read: impl Fn(&Item) -> Option<T>,
    ) -> Result<BTreeMap<String, T>, String> {
        let read = members
            .iter()
            .map(|(name, item)| Some((name.clone(), read(item)?)));
        let read = read.collect::<Option<_>>();
        read.ok_or_else(|| self.expectation())
    }

    /// What a value of this kind looks like.
    #[must_use]
    pub fn expectation(self) -> String {
        match self {
            Self::Flag => "expected true or false".to_owned(),
            Self::Count { min, max } => format!("expected a whole number from {min} to {max}"),
            Self::Limit { max } => {
                format!("expected a whole number up to {max}; 0 or -1 for no limit")
            }
            Self::Share => "expected a number above 0 and up to 1; 0 is as usual".to_owned(),
            Self::Budgets => {
                "expected an object as in {\"run_shell_command\": {\"tokenBudget\": 2000}}"
                    .to_owned()
            }
            Self::Text => "expected a text".to_owned(),
            Self::Texts => "expected an object as in {\"fast\": \"gemini-3.8-flash\"}".to_owned(),
            Self::Tokens => "expected an object as in {\"qwen3:8b\": 32768}".to_owned(),
            Self::Word(words) => format!("expected one of: {}", words.join(", ")),
            Self::WordOrFlag {
                words,
                off_on: [off, on],
            } => format!(
                "expected one of: {}; false means {off}, true means {on}",
                words.join(", ")
            ),
            Self::Names => "expected a text or a list of texts".to_owned(),
            Self::FileNames => "expected the name of a file, or a list of such names".to_owned(),
            Self::Duration => "expected a number and one of h, d, w, m, as in \"30d\"".to_owned(),
            Self::Levels => "expected a whole number or \"all\"".to_owned(),
        }
    }
}

/// What Gemini CLI takes for a tool whose budget is not said.
const USUAL_BUDGET: usize = 2000;

fn budget(item: &Item) -> Option<usize> {
    match item
        .object()?
        .iter()
        .rev()
        .find(|(name, _)| name == "tokenBudget")
    {
        None => Some(USUAL_BUDGET),
        Some((_, item)) => tokens(item),
    }
}

fn tokens(item: &Item) -> Option<usize> {
    match item.value {
        Value::Number(number) => whole(number).filter(|&tokens| tokens > 0),
        _ => None,
    }
}

fn whole(number: f64) -> Option<usize> {
    let is_whole = number >= 0.0 && number.fract() == 0.0 && number <= MAX_COUNT as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked above"
    )]
    is_whole.then_some(number as usize)
}

/// Names of files without what leads nowhere in them; `None` if there is no name at all.
pub(super) fn file_names(mut names: Vec<String>) -> Option<Setting> {
    for name in &mut names {
        let top = if name.starts_with('/') { "/" } else { "" };
        let parts = name.split('/').filter(|part| !matches!(*part, "" | "."));
        *name = format!("{top}{}", parts.collect::<Vec<_>>().join("/"));
    }
    names.retain(|name| !name.is_empty());
    (!names.is_empty()).then_some(Setting::List(names))
}

fn names<'a>(
    texts: impl IntoIterator<Item = &'a str>,
    expand: &dyn Fn(&str) -> String,
) -> Vec<String> {
    let expanded = texts.into_iter().map(|text| expand(text).trim().to_owned());
    expanded.filter(|name| !name.is_empty()).collect()
}
