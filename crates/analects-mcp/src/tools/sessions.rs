//! `search_sessions`: what was said before, in whichever agent.

use analects_engine::verbs::session::{AgentName, RoleName, Search};
use analects_engine::verbs::{Failure, Verb};
use analects_memory::render::harmless;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Call, Told};

pub(super) use analects_engine::verbs::session::SearchAnswer as Answer;

/// What was said, and where.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    /// Words that were said, as in "port of the staging database"; "in quotes" they must stand together.
    query: String,
    /// Whether only sessions of this project count.
    #[serde(default)]
    here: bool,
    /// Only sessions of this agent.
    agent: Option<AgentName>,
    /// Only what was said by the user or by the model.
    role: Option<RoleName>,
    /// Not before this day, or not longer ago than this: `2026-03-01`, `7d`.
    since: Option<String>,
    /// Before this day, or longer ago than this.
    until: Option<String>,
    /// Only where this tool was used.
    tool: Option<String>,
    /// Only where a tool was pointed at this file or directory.
    path: Option<String>,
    /// How many hits, ten if none is said.
    limit: Option<usize>,
}

/// A model has no use for more.
const MAX_HITS: usize = 50;

pub(super) fn search(call: &Call<'_>) -> Result<Told, Failure> {
    let arguments: Arguments = call.arguments()?;
    let usual = Search::default();
    let verb = Search {
        query: vec![arguments.query],
        here: arguments.here,
        agent: arguments.agent,
        role: arguments.role,
        since: arguments.since,
        until: arguments.until,
        tool: arguments.tool,
        path: arguments.path,
        limit: arguments.limit.unwrap_or(usual.limit).min(MAX_HITS),
    };
    let mut answer = verb.run(call.world, call.flags)?;
    for hit in &mut answer.hits {
        let safe = harmless(&hit.snippet).into_owned();
        // What was made harmless is longer: the marks no longer fit.
        if safe != hit.snippet {
            hit.marks.clear();
            hit.snippet = safe;
        }
        hit.title = harmless(&hit.title).into_owned();
    }
    for memory in &mut answer.memories {
        memory.text = harmless(&memory.text).into_owned();
    }
    Ok(Told::new(words(&answer), &answer))
}

fn words(answer: &Answer) -> String {
    let mut lines = Vec::new();
    for memory in &answer.memories {
        lines.push(format!("- memory {}: {}", memory.id, memory.text));
    }
    for hit in &answer.hits {
        let day = hit.timestamp.as_deref().and_then(|at| at.split('T').next());
        lines.push(format!(
            "- {} in session {} ({}, {}): {}",
            hit.role,
            hit.session,
            hit.agent,
            day.unwrap_or("no date"),
            hit.snippet
        ));
    }
    match lines.is_empty() {
        true => "Nobody said that.".to_owned(),
        false => lines.join("\n"),
    }
}
