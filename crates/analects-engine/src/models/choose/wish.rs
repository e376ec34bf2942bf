//! The model that somebody asked for, by flag or setting.

use analects_text::sanitize::is_invisible;
use analects_world::models::Wire;

use super::server::Provider;
use crate::models::known;
use crate::settings::Settings;
use crate::settings::keys::model as setting;
use crate::verbs::Failure;

/// A wish for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wish {
    /// As it was said.
    pub(super) said: String,
    /// Whose model it must be, where that stands before a colon.
    pub(super) prefix: Option<Provider>,
    /// The name, or one of the aliases that every provider knows.
    pub(super) name: String,
    /// Whether it is one of those.
    pub(super) is_alias: bool,
    /// The alias, of either sort, that was said.
    pub(super) alias: Option<String>,
}

/// Names are far shorter, even those that are paths.
const MAX_CHARS: usize = 200;

impl Wish {
    /// Reads a wish: aliases of the user first, which may name whose it is, then ours.
    pub(super) fn read(text: &str, settings: &Settings) -> Result<Self, Failure> {
        let said = text.trim();
        let aliases = settings.texts(&setting::ALIASES);
        let meant = aliases.and_then(|aliases| aliases.get(said));
        let text = meant.map_or(said, |meant| meant.trim());
        let (prefix, name) = match text.split_once(':') {
            Some((before, name)) if Provider::named(before).is_some() => {
                (Provider::named(before), name.trim())
            }
            _ => (None, text),
        };
        let (prefix, name) = match (name, prefix) {
            // Whose it is was all that was said.
            ("", Some(_)) => (prefix, "auto"),
            // What Gemini CLI wrote into its settings for a while.
            ("auto-gemini-3" | "auto-gemini-2.5", None) => (Some(Provider::Gemini), "auto"),
            (name, _) => (prefix, name),
        };
        check(name)?;
        let is_alias = known::ALIASES.contains(&name);
        let is_said = is_alias || meant.is_some();
        Ok(Self {
            said: said.to_owned(),
            prefix,
            name: name.to_owned(),
            is_alias,
            alias: is_said.then(|| if meant.is_some() { said } else { name }.to_owned()),
        })
    }

    /// Any model will do.
    pub(super) fn any(settings: &Settings) -> Self {
        Self::read("auto", settings).unwrap_or_else(|_| Self::auto())
    }

    /// Any model of this provider will do.
    pub(super) fn any_of(provider: Provider, settings: &Settings) -> Self {
        let any = Self::any(settings);
        let is_its = any.provider().is_none_or(|its| its == provider);
        if is_its { any } else { Self::auto() }
    }

    fn auto() -> Self {
        Self {
            said: "auto".to_owned(),
            prefix: None,
            name: "auto".to_owned(),
            is_alias: true,
            alias: Some("auto".to_owned()),
        }
    }

    /// Whose model it is, as far as the wish tells.
    pub(super) fn provider(&self) -> Option<Provider> {
        let maker = || known::maker(&self.name).map(Provider::of);
        self.prefix.or_else(maker)
    }

    /// What its maker calls it.
    pub(super) fn name_at(&self, wire: Wire) -> String {
        let alias = known::alias(wire, &self.name).filter(|_| self.is_alias);
        alias.unwrap_or(&self.name).to_owned()
    }
}

fn check(name: &str) -> Result<(), Failure> {
    if name.is_empty() {
        return Err(Failure::bad_input("no model is named"));
    }
    let is_bad = |c: char| c.is_control() || is_invisible(c);
    if name.chars().count() > MAX_CHARS || name.chars().any(is_bad) {
        return Err(Failure::bad_input("this is no name of a model"));
    }
    Ok(())
}

/// Whether a name can stand in the path of an address, as one wire wants it.
pub(super) fn fits_a_path(name: &str) -> Result<(), Failure> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '/' | '@');
    if name.chars().all(is_plain) && !name.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Ok(());
    }
    Err(Failure::bad_input(format!(
        "`{name}` is no name of a Gemini model"
    )))
}
