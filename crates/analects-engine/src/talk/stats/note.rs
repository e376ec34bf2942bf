//! How the stats grow, as things happen.
//!
//! Names of tools come from a model: they are cut, and there is room for a bounded number of them.

use analects_world::models::Usage;

use super::{DecisionStats, Stats, TokenStats, ToolStats};
use crate::events::What;
use crate::models::ledger::{Purpose, printable};

/// A request to a model, over.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The model.
    pub model: &'a str,
    /// What for.
    pub purpose: Purpose,
    /// How often it was tried.
    pub n_attempts: u32,
    /// How long all attempts took.
    pub ms: u64,
}

/// A call of a tool, over.
#[derive(Debug, Clone, Copy)]
pub struct ToolCall<'a> {
    /// The tool, as the model calls it.
    pub name: &'a str,
    /// How long it took.
    pub ms: u64,
    /// What came of it.
    pub outcome: Outcome,
    /// What was decided before; nothing, if it never came to that.
    pub decision: Option<Decision>,
}

/// What came of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// What was wanted.
    Done,
    /// It was refused, failed, or was cancelled.
    Failed,
}

/// Who let a tool run, or did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// A person agreed.
    Accept,
    /// A person or a rule did not want it.
    Reject,
    /// A person changed it first.
    Modify,
    /// A rule allows it.
    AutoAccept,
}

impl Stats {
    /// A model has answered: every attempt but the last failed.
    pub fn answered(&mut self, call: &Call<'_>, usage: &Usage) {
        let n_failed = call.n_attempts.saturating_sub(1);
        self.asked(call, n_failed);
        let model = self.models.entry(call.model.to_owned()).or_default();
        model.tokens.add(usage);
        let cost = self.cost.entry(call.purpose.as_str().to_owned());
        cost.or_default().tokens.add(usage);
    }

    /// A model has not answered, for a reason in one word.
    pub fn unanswered(&mut self, call: &Call<'_>, why: &'static str) {
        self.asked(call, call.n_attempts.max(1));
        let model = self.models.entry(call.model.to_owned()).or_default();
        add(
            model.api.errors_by_type.entry(why.to_owned()).or_default(),
            1,
        );
    }

    fn asked(&mut self, call: &Call<'_>, n_failed: u32) {
        let n_requests = u64::from(call.n_attempts.max(1));
        let api = &mut self.models.entry(call.model.to_owned()).or_default().api;
        add(&mut api.total_requests, n_requests);
        add(&mut api.total_errors, n_failed.into());
        add(&mut api.total_latency_ms, call.ms);
        let cost = self.cost.entry(call.purpose.as_str().to_owned());
        add(&mut cost.or_default().requests, n_requests);
    }

    /// A tool has answered, or was not let run.
    pub fn tool(&mut self, call: &ToolCall<'_>) {
        let tools = &mut self.tools;
        add(&mut tools.total_calls, 1);
        add(&mut tools.total_duration_ms, call.ms);
        let mut name = printable(call.name);
        if !tools.by_name.contains_key(&name) && tools.by_name.len() >= MAX_TOOLS {
            OTHERS.clone_into(&mut name);
        }
        let one: &mut ToolStats = tools.by_name.entry(name).or_default();
        add(&mut one.count, 1);
        add(&mut one.duration_ms, call.ms);
        let (all, its) = match call.outcome {
            Outcome::Done => (&mut tools.total_success, &mut one.success),
            Outcome::Failed => (&mut tools.total_fail, &mut one.fail),
        };
        add(all, 1);
        add(its, 1);
        if let Some(decision) = call.decision {
            tools.total_decisions.add(decision);
            one.decisions.add(decision);
        }
    }

    /// A sub-agent came back: what it asked of models counts here, too. Its tools were its own.
    pub fn absorb(&mut self, other: &Self) {
        for (name, theirs) in &other.models {
            let ours = self.models.entry(name.clone()).or_default();
            add(&mut ours.api.total_requests, theirs.api.total_requests);
            add(&mut ours.api.total_errors, theirs.api.total_errors);
            add(&mut ours.api.total_latency_ms, theirs.api.total_latency_ms);
            for (why, count) in &theirs.api.errors_by_type {
                let errors = &mut ours.api.errors_by_type;
                add(errors.entry(why.clone()).or_default(), *count);
            }
            ours.tokens.add_all(&theirs.tokens);
        }
        for (purpose, theirs) in &other.cost {
            let ours = self.cost.entry(purpose.clone()).or_default();
            add(&mut ours.requests, theirs.requests);
            ours.tokens.add_all(&theirs.tokens);
        }
        let (added, removed) = (
            other.files.total_lines_added,
            other.files.total_lines_removed,
        );
        add(&mut self.files.total_lines_added, added);
        add(&mut self.files.total_lines_removed, removed);
    }

    /// A file was written.
    pub fn wrote(&mut self, lines_added: usize, lines_removed: usize) {
        add(&mut self.files.total_lines_added, lines_added as u64);
        add(&mut self.files.total_lines_removed, lines_removed as u64);
    }

    /// The system prompt begins with this much memory.
    pub fn loaded(&mut self, n_files: usize, tokens: usize) {
        self.memory.files = n_files as u64;
        self.memory.tokens = tokens as u64;
    }

    /// The system prompt has new memory, all of it counted again.
    pub fn reloaded(&mut self, n_files: usize, tokens: usize) {
        self.loaded(n_files, tokens);
        add(&mut self.memory.reloads, 1);
    }

    /// Memory came along with what a tool touched.
    pub fn came_along(&mut self, n_files: usize, tokens: usize) {
        add(&mut self.memory.jit_files, n_files as u64);
        add(&mut self.memory.jit_tokens, tokens as u64);
    }

    /// Notes a request: its weight, and the window of its model.
    pub fn sent(&mut self, used_tokens: usize, window_tokens: usize) {
        self.context.used_tokens = used_tokens as u64;
        self.context.window_tokens = window_tokens as u64;
    }

    /// Something was done about the context: the same that is noted as an event.
    pub fn reduced(&mut self, what: &What) {
        let context = &mut self.context;
        let tokens = match what {
            What::Compressed { tokens, .. } => {
                add(&mut context.compressions, 1);
                tokens
            }
            What::Masked { count, tokens } => {
                add(&mut context.masked, *count);
                tokens
            }
            What::Shortened { count, tokens } => {
                add(&mut context.shortened, *count);
                tokens
            }
            What::Loop { .. } => return add(&mut context.loops, 1),
            What::CompressionFailed { .. }
            | What::Uncompressed { .. }
            | What::Overflow { .. }
            | What::Skill { .. }
            | What::Hook { .. } => return,
        };
        let saved = tokens.before.saturating_sub(tokens.after);
        add(&mut context.tokens_saved, saved);
    }

    /// All tokens of all models.
    #[must_use]
    pub fn tokens(&self) -> TokenStats {
        let mut all = TokenStats::default();
        for model in self.models.values() {
            let its = &model.tokens;
            add(&mut all.input, its.input);
            add(&mut all.prompt, its.prompt);
            add(&mut all.candidates, its.candidates);
            add(&mut all.total, its.total);
            add(&mut all.cached, its.cached);
            add(&mut all.thoughts, its.thoughts);
            add(&mut all.tool, its.tool);
        }
        all
    }
}

impl TokenStats {
    fn add(&mut self, usage: &Usage) {
        let told = |count: Option<u64>| count.unwrap_or(0);
        self.add_all(&Self {
            prompt: told(usage.prompt),
            cached: told(usage.cached),
            candidates: told(usage.answer),
            thoughts: told(usage.thoughts),
            ..Self::default()
        });
    }

    fn add_all(&mut self, more: &Self) {
        add(&mut self.prompt, more.prompt);
        add(&mut self.cached, more.cached);
        add(&mut self.candidates, more.candidates);
        add(&mut self.thoughts, more.thoughts);
        self.input = self.prompt.saturating_sub(self.cached);
        let written = self.candidates.saturating_add(self.thoughts);
        self.total = self.prompt.saturating_add(written);
    }
}

impl DecisionStats {
    fn add(&mut self, decision: Decision) {
        let count = match decision {
            Decision::Accept => &mut self.accept,
            Decision::Reject => &mut self.reject,
            Decision::Modify => &mut self.modify,
            Decision::AutoAccept => &mut self.auto_accept,
        };
        add(count, 1);
    }
}

/// Servers may count as they like: a sum that is too large stays the largest there is.
fn add(sum: &mut u64, n: u64) {
    *sum = sum.saturating_add(n);
}

/// There are far fewer tools than this; a model may make up any number of names.
const MAX_TOOLS: usize = 100;

/// Where the rest of the names is counted. No tool is called so.
const OTHERS: &str = "(others)";

#[cfg(test)]
mod tests;
