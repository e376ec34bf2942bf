//! A file being changed, in whichever format it is written.

use super::wanted::Format;
use crate::json_edit::{self, Json, Step};
use crate::jsonc::{Bad, Item};
use crate::toml_edit;

/// A text with a value in it; at every moment it can be parsed.
#[derive(Debug, Clone)]
pub(super) enum Draft {
    Json(json_edit::Draft),
    Toml(toml_edit::Draft),
}

impl Draft {
    pub(super) fn new(format: Format, text: &str) -> Result<Self, Bad> {
        Ok(match format {
            Format::Commented | Format::Json => Self::Json(json_edit::Draft::new(text)?),
            Format::Toml => Self::Toml(toml_edit::Draft::new(text)?),
        })
    }

    /// What the text says.
    pub(super) fn root(&self) -> Result<Item, Bad> {
        match self {
            Self::Json(draft) => draft.root(),
            Self::Toml(draft) => draft.root(),
        }
    }

    pub(super) fn into_text(self) -> String {
        match self {
            Self::Json(draft) => draft.into_text(),
            Self::Toml(draft) => draft.into_text(),
        }
    }

    /// Whether nothing at all is left of a value, not even a comment. In TOML such a value is not there.
    pub(super) fn is_bare(&self, path: &[Step<'_>]) -> Result<bool, Bad> {
        match self {
            Self::Json(draft) => draft.is_bare(path),
            Self::Toml(_) => Ok(false),
        }
    }

    pub(super) fn set(&mut self, path: &[Step<'_>], value: &Json) -> Result<(), Bad> {
        match self {
            Self::Json(draft) => draft.set(path, value),
            Self::Toml(draft) => draft.set(path, value),
        }
    }

    pub(super) fn push(&mut self, list: &[Step<'_>], value: &Json) -> Result<(), Bad> {
        match self {
            Self::Json(draft) => draft.push(list, value),
            Self::Toml(draft) => draft.push(list, value),
        }
    }

    pub(super) fn remove(&mut self, path: &[Step<'_>]) -> Result<(), Bad> {
        match self {
            Self::Json(draft) => draft.remove(path),
            Self::Toml(draft) => draft.remove(path),
        }
    }
}
