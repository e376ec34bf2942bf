//! `session summarize`.

use analects_world::Cancel;
use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::World;
use crate::load_memory;
use crate::sessions::{self, Exactness, Teller};
use crate::verbs::answer::Problem;
use crate::verbs::{Failure, Flags, SCHEMA_VERSION, Verb};

/// Write down what sessions were about: a headline, and what was done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Summarize {
    /// One session, by its id or the beginning of it; all of this project that need it, if none.
    #[arg(value_name = "SESSION")]
    pub session: Option<String>,
    /// Let this model write the headline, in a sentence; `flash-lite`, another alias or `provider:model`. Without it none
    /// is asked.
    #[arg(short, long, value_name = "NAME")]
    pub model: Option<String>,
}

/// What sessions were about.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct SummarizeAnswer {
    /// The version of this answer.
    pub schema_version: u32,
    /// One a session.
    pub summaries: Vec<Summary>,
    /// What could not be written.
    pub problems: Vec<Problem>,
}

/// What a session was about.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Its id.
    pub id: String,
    /// The headline.
    pub title: String,
    /// What was done, in few words.
    pub workflow: Option<String>,
    /// The model that wrote the headline, if one was asked now.
    pub told_by: Option<String>,
    /// Whether it was written down.
    pub written: bool,
}

/// Who asks for a sentence waits this long for it, and no longer.
const PATIENCE_MS: u64 = 30_000;

impl Verb for Summarize {
    const NAME: &'static str = "session summarize";
    type Answer = SummarizeAnswer;

    fn run(&self, world: &World<'_>, flags: &Flags) -> Result<SummarizeAnswer, Failure> {
        let prepared = load_memory::prepare(world, flags)?;
        let trust = prepared.decision.trust;
        let cancel = Cancel::new();
        let settings = &prepared.settings;
        let teller = self.model.as_ref();
        let teller = teller.map(|name| Teller::new(world, settings, name, PATIENCE_MS, &cancel));
        let teller = teller.transpose()?;
        let (summaries, mut problems) = match &self.session {
            None => sessions::summarize_all(world, flags, &prepared, teller.as_ref()),
            Some(wanted) => {
                let exactness = Exactness::Beginning;
                let found = sessions::find(world, &prepared.root, trust, wanted, exactness)?;
                let (summary, problems) =
                    sessions::summarize_one(world, flags, &found, teller.as_ref())?;
                (vec![summary], problems)
            }
        };
        problems.extend(teller.iter().flat_map(|teller| teller.problems().to_vec()));
        let summary = |summary: sessions::Summary| Summary {
            id: summary.id,
            title: summary.title,
            workflow: summary.workflow,
            told_by: summary.told_by,
            written: summary.is_written,
        };
        Ok(SummarizeAnswer {
            schema_version: SCHEMA_VERSION,
            summaries: summaries.into_iter().map(summary).collect(),
            problems: problems.iter().map(Problem::from).collect(),
        })
    }
}
