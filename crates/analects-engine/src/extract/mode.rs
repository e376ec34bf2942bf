//! Whether anything is learned here, and by whom.

use analects_skill::eligible::Rules;

use crate::World;
use crate::load_memory::Prepared;
use crate::settings::Settings;
use crate::settings::keys::{self, learn};

/// Who learns. The least first: a project may ask for less than its user, never for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Nobody.
    Off,
    /// The learner without a model.
    Local,
    /// That one, and then a model.
    Model,
}

impl Mode {
    const ALL: [Self; 3] = [Self::Off, Self::Local, Self::Model];

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Local => "local",
            Self::Model => "model",
        }
    }

    fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == word)
    }
}

/// Set to anything but `0` or `false`, this stops all learning, whatever else is set.
pub const KILL_SWITCH: &str = "ANALECTS_DISABLE_LEARNING";

/// Who learns here, by all that is set.
#[must_use]
pub fn mode(world: &World<'_>, prepared: &Prepared) -> Mode {
    let killed = world.around.var(KILL_SWITCH);
    let is_killed = killed.is_some_and(|value| !matches!(value.trim(), "0" | "false"));
    match is_killed || prepared.no_memory {
        true => Mode::Off,
        false => wanted(&prepared.settings),
    }
}

fn wanted(settings: &Settings) -> Mode {
    let in_force = settings.text(&learn::MODE);
    let without_project = settings.text_without_project(&learn::MODE);
    let own = Mode::named(without_project.unwrap_or(in_force));
    let of_gemini = [&learn::AUTO_MEMORY, &learn::MEMORY_MANAGER];
    let own = own.unwrap_or(match of_gemini.iter().any(|key| settings.flag(key)) {
        true => Mode::Model,
        false => Mode::Local,
    });
    let of_project = without_project.and_then(|_| Mode::named(in_force));
    of_project.map_or(own, |wish| wish.min(own))
}

/// What makes a session worth a look.
pub(super) fn rules(settings: &Settings) -> Rules {
    let count = |key: &keys::Key| settings.count(key).unwrap_or_default();
    Rules {
        min_prompts: count(&learn::MIN_PROMPTS),
        min_idle_ms: (count(&learn::IDLE_HOURS) as u64).saturating_mul(60 * 60 * 1000),
    }
}

/// How long after a run the next one may begin by itself.
pub(super) fn interval_ms(settings: &Settings) -> u64 {
    let minutes = settings.count(&learn::INTERVAL_MINUTES).unwrap_or_default();
    (minutes as u64).saturating_mul(60 * 1000)
}
