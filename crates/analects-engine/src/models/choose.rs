//! Chooses which model is asked, and where.
//!
//! In this order: what somebody asks for now (`gemini:…`, or a name that tells whose it is), `model.provider`,
//! `model.name`, the first key that is set (Gemini, Anthropic, OpenAI), the first address without a key, and last a
//! server on this machine that answers. Nobody is looked for while something is set. A model that is asked for now and
//! cannot be had is a failure; one that a setting names, which other programs read too, is a problem. A project may name
//! a model, and not where it is asked.

mod local;
mod offer;
mod refusal;
mod server;
mod wish;

use analects_text::problem::Problem;
use analects_world::models::{Endpoint, Patience, Wire};

use super::keys::{self, Keys};
use super::known::{self, Tier};
use crate::settings::Settings;
use crate::settings::keys::model as setting;
use crate::verbs::Failure;
use crate::{World, codes};
use server::{Provider, Server, Shelf};
use wish::Wish;

/// The model that is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chosen {
    /// Whom to ask.
    pub endpoint: Endpoint,
    /// The model, as its server calls it.
    pub model: String,
    /// The alias that it was asked for by.
    pub alias: Option<String>,
    /// Who runs it, for people: `gemini`, `ollama at 127.0.0.1:11434`.
    pub provider: String,
    /// How much it takes at once; `context.windowTokens` still overrules it.
    pub window_tokens: usize,
    /// How long its answer may be, where that is known.
    pub output_tokens: Option<u32>,
    /// Why this one, as a fragment.
    pub why: String,
    /// What is wrong with keys, addresses and settings.
    pub problems: Vec<Problem>,
}

impl Chosen {
    /// In the place of a model where there is none. Nobody asks it.
    pub(crate) fn nobody(window_tokens: usize) -> Self {
        Self {
            endpoint: Endpoint {
                wire: Wire::Gemini,
                base_url: String::new(),
                key: None,
                proxy: None,
                patience: Patience::TALK,
            },
            model: "no model".to_owned(),
            alias: None,
            provider: String::new(),
            window_tokens,
            output_tokens: None,
            why: String::new(),
            problems: Vec::new(),
        }
    }
}

/// Chooses. `wanted` is what somebody asks for right now, as with `--model`.
pub(crate) fn choose(
    world: &World<'_>,
    settings: &Settings,
    wanted: Option<&str>,
) -> Result<Chosen, Failure> {
    let (keys, problems) = keys::read(world);
    let mut choice = Choice {
        settings,
        keys,
        problems,
    };
    let wanted = wanted.map(|text| Wish::read(text, settings)).transpose()?;
    let (place, wish, led) = choice.way(wanted)?;
    let (server, listed, led) = match place {
        Place::SetUp(server) => (server, None, led),
        Place::AnyLocal => {
            let (server, listed) = local::find(world, settings, &wish, &mut choice.problems)?;
            let led = led.unwrap_or_else(|| "no key is set".to_owned());
            (server, Some(listed), Some(led))
        }
    };
    let mut chosen = offer::at(world, settings, &server, &wish, listed)?;
    if let Some(led) = led {
        chosen.why = format!("{led}, and {}", chosen.why);
    }
    choice.problems.append(&mut chosen.problems);
    chosen.problems = choice.problems;
    Ok(chosen)
}

/// Who is asked instead if this one cannot answer: a model at the same place, so that nothing goes elsewhere.
#[must_use]
pub(crate) fn fallback(settings: &Settings, chosen: &Chosen) -> Option<Chosen> {
    let wire = chosen.endpoint.wire;
    let is_makers = server::is_makers(wire, &chosen.endpoint.base_url);
    let (model, why) = match settings.text(&setting::FALLBACK) {
        "off" => return None,
        "" => {
            let is_pro = known::tier(wire, &chosen.model) == Some(Tier::Pro);
            let flash = (is_makers && is_pro).then(|| known::best(wire, Tier::Flash))?;
            (
                flash.to_owned(),
                format!("it is the flash beside {}", chosen.model),
            )
        }
        text => {
            let wish = Wish::read(text, settings).ok()?;
            let is_its = wish
                .provider()
                .is_none_or(|provider| provider.wire() == wire);
            let model = match (is_makers, wish.is_alias) {
                (true, _) => is_its.then(|| wish.name_at(wire))?,
                (false, false) => wish.name,
                // A server of one's own has no aliases.
                (false, true) => return None,
            };
            (model, "`model.fallback` names it".to_owned())
        }
    };
    let size = is_makers.then(|| known::size(wire, &model));
    let window = offer::window(settings, &model).or(size.map(|size| size.window));
    (model != chosen.model).then(|| Chosen {
        window_tokens: window.unwrap_or(chosen.window_tokens),
        output_tokens: size.and_then(|size| size.output),
        alias: None,
        model,
        why,
        problems: Vec::new(),
        ..chosen.clone()
    })
}

/// Where to ask.
enum Place {
    /// At a server that is set up.
    SetUp(Server),
    /// At whichever answers on this machine.
    AnyLocal,
}

/// Where to ask, for what, and what led there.
type Way = (Place, Wish, Option<String>);

/// A choice that is being made.
struct Choice<'a> {
    settings: &'a Settings,
    keys: Keys,
    problems: Vec<Problem>,
}

impl Choice<'_> {
    /// The order of this module.
    fn way(&mut self, wanted: Option<Wish>) -> Result<Way, Failure> {
        match (
            wanted,
            Provider::named(self.settings.text(&setting::PROVIDER)),
        ) {
            (Some(wish), told) => self.way_by_wish(wish, told),
            (None, Some(told)) => {
                let wish = self.fitting(told)?;
                let place = self.must(told, &wish)?;
                Ok((place, wish, Some(by_setting(told))))
            }
            (None, None) => self.way_by_itself(),
        }
    }

    /// Somebody asks for a model right now.
    fn way_by_wish(&mut self, wish: Wish, told: Option<Provider>) -> Result<Way, Failure> {
        if let Some(provider) = wish.provider() {
            let place = self.must(provider, &wish)?;
            let why = by_name(&wish, provider);
            return Ok((place, wish, Some(why)));
        }
        if let Some(told) = told {
            let place = self.must(told, &wish)?;
            return Ok((place, wish, Some(by_setting(told))));
        }
        let place = self.whoever(&wish)?;
        let place = place.ok_or_else(|| refusal::nobody_knows(&self.keys, &wish))?;
        Ok((place, wish, None))
    }

    /// Nobody asks for anything.
    fn way_by_itself(&mut self) -> Result<Way, Failure> {
        let settings = self.settings;
        let name = settings.text(&setting::NAME);
        let Some(own) = settings.text_without_project(&setting::NAME) else {
            return self.way_by_name(name);
        };
        let (place, wish, led) = self.way_by_name(own)?;
        let Some(projects) = self.named(name) else {
            return Ok((place, wish, led));
        };
        let fits = match &place {
            Place::SetUp(server) => fits(&projects, server.provider, server.shelf()),
            Place::AnyLocal => fits(&projects, Provider::Local, Shelf::ItsOwn),
        };
        if fits {
            let led = format!("the project names `{}`", projects.said);
            return Ok((place, projects, Some(led)));
        }
        self.ignore(&projects, "which a project cannot have asked elsewhere");
        Ok((place, wish, led))
    }

    /// Nobody but the user names a model.
    fn way_by_name(&mut self, name: &str) -> Result<Way, Failure> {
        if let Some(wish) = self.named(name) {
            let place = match wish.provider() {
                Some(provider) => self.must(provider, &wish).ok(),
                None => self.whoever(&wish)?,
            };
            if let Some(place) = place {
                let why = wish.provider().map(|provider| by_name(&wish, provider));
                return Ok((place, wish, why));
            }
            let why = match wish.provider() {
                Some(_) => "whose provider is not set up",
                None => "which nobody who is set up is known to have",
            };
            self.ignore(&wish, why);
        }
        let wish = Wish::any(self.settings);
        let place = match wish.provider() {
            Some(provider) => self.must(provider, &wish)?,
            None => self.first()?.map_or(Place::AnyLocal, Place::SetUp),
        };
        Ok((place, wish, None))
    }

    /// What `model.name` says, unless it makes no sense.
    fn named(&mut self, text: &str) -> Option<Wish> {
        let wish = (!text.is_empty()).then(|| Wish::read(text, self.settings))?;
        wish.map_err(|failure| {
            let problem = Problem::new(&codes::MODEL_IGNORED, failure.message);
            self.problems.push(problem);
        })
        .ok()
    }

    /// What `model.name` says, if `model.provider` has such a model.
    fn fitting(&mut self, provider: Provider) -> Result<Wish, Failure> {
        let settings = self.settings;
        let Some(wish) = self.named(settings.text(&setting::NAME)) else {
            return Ok(Wish::any_of(provider, self.settings));
        };
        let shelf = self
            .server(provider)?
            .map_or(Shelf::Anything, |server| server.shelf());
        if fits(&wish, provider, shelf) {
            return Ok(wish);
        }
        self.ignore(&wish, "which is not one of `model.provider`");
        Ok(Wish::any_of(provider, self.settings))
    }

    fn ignore(&mut self, wish: &Wish, why: &str) {
        let message = format!(
            "`model.name` is `{}`, {why}; another one is asked",
            wish.said
        );
        self.problems
            .push(Problem::new(&codes::MODEL_IGNORED, message));
    }

    fn server(&self, provider: Provider) -> Result<Option<Server>, Failure> {
        server::of(&self.keys, self.settings, provider)
    }

    /// This provider, and no other.
    fn must(&self, provider: Provider, wish: &Wish) -> Result<Place, Failure> {
        match self.server(provider)? {
            Some(server) => Ok(Place::SetUp(server)),
            None if provider == Provider::Local => Ok(Place::AnyLocal),
            None => Err(refusal::not_set_up(&self.keys, provider, wish)),
        }
    }

    /// Whoever may know a model whose name tells nothing. Makers know their own, whose names do tell.
    fn whoever(&self, wish: &Wish) -> Result<Option<Place>, Failure> {
        if wish.is_alias {
            let first = self.first()?;
            return Ok(Some(first.map_or(Place::AnyLocal, Place::SetUp)));
        }
        let mut is_any_set = false;
        for provider in Provider::ALL {
            match self.server(provider)? {
                Some(server) if !server.is_makers => return Ok(Some(Place::SetUp(server))),
                Some(_) => is_any_set = true,
                None => {}
            }
        }
        Ok((!is_any_set).then_some(Place::AnyLocal))
    }

    /// The first that has a key; else the first that has an address.
    fn first(&self) -> Result<Option<Server>, Failure> {
        let mut open = None;
        for provider in Provider::ALL {
            match self.server(provider)? {
                Some(server) if server.key.is_some() => return Ok(Some(server)),
                Some(server) => open = open.or(Some(server)),
                None => {}
            }
        }
        Ok(open)
    }
}

/// Whether a provider may have such a model.
fn fits(wish: &Wish, provider: Provider, shelf: Shelf) -> bool {
    match (wish.prefix, shelf) {
        (Some(prefix), _) => prefix == provider,
        (None, Shelf::Anything) => true,
        (None, Shelf::ItsOwn) => wish.provider().is_none_or(|its| its == provider),
    }
}

fn by_name(wish: &Wish, provider: Provider) -> String {
    match provider {
        Provider::Local => format!("`{}` is wanted of this machine", wish.said),
        _ => format!("`{}` is a model of {}", wish.said, provider.name()),
    }
}

fn by_setting(provider: Provider) -> String {
    format!("`model.provider` is `{}`", provider.name())
}

#[cfg(test)]
mod tests;
