//! What models were asked for, as an answer.

use schemars::JsonSchema;
use serde::Serialize;

use crate::World;
use crate::models::ledger::{self, Purpose, Spent};
use crate::settings::Settings;
use crate::settings::keys::model as setting;
use crate::when;

/// What models were asked for, and what it cost.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Spending {
    /// The first call that is still known, in UTC.
    pub since: Option<String>,
    /// The last seven days, by purpose, today last. Days without a call are left out.
    pub days: Vec<SpentOn>,
    /// All calls that are still known, by purpose.
    pub totals: Vec<SpentFor>,
    /// How many tokens went today into what nobody waits for.
    pub background_tokens_today: u64,
    /// How many may (`model.backgroundDailyTokens`).
    pub background_daily_tokens: u64,
    /// How many lines of the log made no sense.
    pub unreadable: usize,
}

/// What a day came to.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct SpentOn {
    /// The day, in UTC.
    pub date: String,
    /// What it came to.
    #[serde(flatten)]
    pub spent: SpentFor,
}

/// What a purpose came to.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct SpentFor {
    /// `chat`, `subagent`, `compress`, `summarize`, `loop-check`, `route`, `learn` or `probe`.
    pub purpose: String,
    /// How many calls.
    pub calls: u64,
    /// How many of them were not answered.
    pub failures: u64,
    /// How many tokens were read, with what came from a cache; guessed where no server told.
    pub prompt_tokens: u64,
    /// How many of them came from a cache.
    pub cached_tokens: u64,
    /// How many tokens were written, thoughts included.
    pub answer_tokens: u64,
    /// How long it took, in milliseconds.
    pub ms: u64,
}

impl Spending {
    pub(super) fn now(world: &World<'_>, settings: &Settings) -> Self {
        let spending = ledger::spending(world);
        let ceiling = settings.count(&setting::BACKGROUND_DAILY_TOKENS);
        let on = |(&(day_ms, purpose), spent): (&(u64, Purpose), &Spent)| SpentOn {
            date: when::date(day_ms),
            spent: of(purpose, spent),
        };
        let totals = spending.totals.iter();
        Self {
            since: spending.since_ms.map(when::utc),
            days: spending.days.iter().map(on).collect(),
            totals: totals.map(|(purpose, spent)| of(*purpose, spent)).collect(),
            background_tokens_today: spending.background_tokens_today,
            background_daily_tokens: ceiling.unwrap_or(0) as u64,
            unreadable: spending.n_unreadable,
        }
    }
}

fn of(purpose: Purpose, spent: &Spent) -> SpentFor {
    SpentFor {
        purpose: purpose.as_str().to_owned(),
        calls: spent.calls,
        failures: spent.failures,
        prompt_tokens: spent.prompt_tokens,
        cached_tokens: spent.cached_tokens,
        answer_tokens: spent.answer_tokens,
        ms: spent.ms,
    }
}
