//! Fields of an answer whose type nobody is sure of.

use serde::de::{Deserialize, Deserializer, IgnoredAny};

/// A field, if it is what it should be; whatever else it is means nothing.
pub(super) fn loose<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Loose::deserialize(deserializer)?.known())
}

/// Something that may be anything.
#[derive(serde::Deserialize)]
#[serde(untagged)]
pub(super) enum Loose<T> {
    Known(T),
    Strange(IgnoredAny),
}

impl<T> Loose<T> {
    pub(super) fn known(self) -> Option<T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Strange(_) => None,
        }
    }
}

/// Words, as one text or in parts.
#[derive(serde::Deserialize)]
#[serde(untagged)]
pub(super) enum Words {
    One(String),
    Parts(Vec<Loose<WordsPart>>),
}

/// One of the parts.
#[derive(serde::Deserialize)]
#[serde(untagged)]
pub(super) enum WordsPart {
    Bare(String),
    Text { text: String },
}

impl Words {
    pub(super) fn text(self) -> String {
        let parts = match self {
            Self::One(text) => return text,
            Self::Parts(parts) => parts,
        };
        let texts = parts.into_iter().filter_map(Loose::known).map(|p| match p {
            WordsPart::Bare(text) | WordsPart::Text { text } => text,
        });
        texts.collect()
    }
}
