//! Servers that somebody set up: by a key, by an address, or by both.

use analects_world::models::{Endpoint, Patience, Secret, Wire};

use super::refusal;
use crate::models::address::Address;
use crate::models::keys::{self, Keys, Told};
use crate::settings::Settings;
use crate::settings::keys::model as setting;
use crate::verbs::Failure;

/// Who runs models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Provider {
    Gemini,
    Anthropic,
    OpenAi,
    /// Somebody on this machine.
    Local,
}

impl Provider {
    /// All of them, in the order in which their keys count.
    pub(super) const ALL: [Self; 4] = [Self::Gemini, Self::Anthropic, Self::OpenAi, Self::Local];

    /// Its name in settings and before a colon.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Gemini => "gemini",
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Local => "local",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|provider| provider.name() == name)
    }

    /// Whose models these are.
    pub(super) fn of(wire: Wire) -> Self {
        match wire {
            Wire::Gemini => Self::Gemini,
            Wire::Anthropic => Self::Anthropic,
            Wire::OpenAi => Self::OpenAi,
        }
    }

    pub(super) fn wire(self) -> Wire {
        match self {
            Self::Gemini => Wire::Gemini,
            Self::Anthropic => Wire::Anthropic,
            Self::OpenAi | Self::Local => Wire::OpenAi,
        }
    }

    /// The variables of its key and of its address.
    pub(super) fn variables(self) -> (Option<&'static str>, &'static str) {
        match self {
            Self::Gemini => (Some(keys::GEMINI_KEY), keys::GEMINI_URL),
            Self::Anthropic => (Some(keys::ANTHROPIC_KEY), keys::ANTHROPIC_URL),
            Self::OpenAi => (Some(keys::OPENAI_KEY), keys::OPENAI_URL),
            Self::Local => (None, keys::OLLAMA_HOST),
        }
    }
}

/// Where the makers of models answer: without the version where their own libraries add it.
fn makers_address(wire: Wire) -> &'static str {
    match wire {
        Wire::Gemini => "https://generativelanguage.googleapis.com",
        Wire::Anthropic => "https://api.anthropic.com",
        Wire::OpenAi => "https://api.openai.com/v1",
    }
}

/// Whether the models of its makers are to be had at an address, under their own names. What is like OpenAI's API has any
/// model elsewhere; the other two wires lead to their makers, if need be through somebody's gateway.
pub(super) fn is_makers(wire: Wire, base_url: &str) -> bool {
    let is_gateway = |address: Address| wire != Wire::OpenAi && !address.is_here();
    base_url == makers_address(wire) || Address::parse(base_url).is_ok_and(is_gateway)
}

/// A server that may be asked.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) provider: Provider,
    pub(super) address: Address,
    pub(super) key: Option<Secret>,
    /// Whether it has the models of the makers of its wire, which we know.
    pub(super) is_makers: bool,
    /// What runs there, if it is not its maker.
    label: &'static str,
    /// Why it may be asked.
    pub(super) because: String,
}

/// What models a server may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shelf {
    /// Those of its maker.
    ItsOwn,
    /// Any.
    Anything,
}

/// The server of a provider; `None` if nobody set one up.
pub(super) fn of(
    keys: &Keys,
    settings: &Settings,
    provider: Provider,
) -> Result<Option<Server>, Failure> {
    let (key, url) = provider.variables();
    let key = key.and_then(|key| keys.get(key));
    let url = keys.get(url);
    let Some(told) = key.or(url) else {
        return Ok(None);
    };
    let address = match (url, provider) {
        (Some(url), Provider::Local) => read(url, Address::ollama)?,
        (Some(url), _) => read(url, Address::parse)?,
        (None, _) => Address::parse(makers_address(provider.wire())).map_err(Failure::failed)?,
    };
    if let (Some(key), true) = (key, address.is_open())
        && !settings.flag(&setting::ALLOW_INSECURE)
    {
        return Err(refusal::in_the_open(key.name, provider.variables().1));
    }
    Ok(Some(Server {
        provider,
        is_makers: is_makers(provider.wire(), &address.to_string()),
        address,
        key: key.map(|told| told.value.clone()),
        label: match provider {
            Provider::Local => "ollama",
            provider => provider.name(),
        },
        because: format!("{} is set ({})", told.name, told.source.as_str()),
    }))
}

fn read(
    url: &Told,
    read: impl Fn(&str) -> Result<Address, &'static str>,
) -> Result<Address, Failure> {
    // The value is not shown: people write passwords into addresses.
    let refuse =
        |wrong| Failure::failed(format!("`{}` is no address of a server: {wrong}", url.name));
    read(url.value.expose()).map_err(refuse)
}

impl Server {
    /// A server that nobody set up, and that needs no key. What runs there is a guess by its port.
    pub(super) fn local(address: Address, because: String) -> Self {
        let label = match address.port() {
            Some(11_434) => "ollama",
            Some(8_080) => "llama.cpp",
            Some(8_000) => "vllm",
            Some(1_234) => "lm studio",
            _ => "a server",
        };
        Self {
            provider: Provider::Local,
            address,
            key: None,
            is_makers: false,
            label,
            because,
        }
    }

    /// What it may have.
    pub(super) fn shelf(&self) -> Shelf {
        match self.is_makers {
            true => Shelf::ItsOwn,
            false => Shelf::Anything,
        }
    }

    /// How people call it.
    pub(super) fn name(&self) -> String {
        match self.address.to_string() == makers_address(self.provider.wire()) {
            true => self.provider.name().to_owned(),
            false => format!("{} at {}", self.label, self.address.place()),
        }
    }

    /// How to reach it.
    pub(super) fn endpoint(
        &self,
        settings: &Settings,
        patience: Patience,
    ) -> Result<Endpoint, Failure> {
        let proxy = settings.text(&setting::PROXY);
        let proxy = match self.address.is_here() || proxy.is_empty() {
            true => None,
            false => Some(Address::parse(proxy).map_err(|wrong| {
                Failure::failed(format!("`model.proxy` is no address of a proxy: {wrong}"))
            })?),
        };
        Ok(Endpoint {
            wire: self.provider.wire(),
            base_url: self.address.to_string(),
            key: self.key.clone(),
            proxy: proxy.map(|proxy| proxy.to_string()),
            patience,
        })
    }
}
