//! Sending a sub-agent for a call, and what the model reads of what it brings back.

use analects_agent::subagent::{Finished, Reason, memory_agent};
use analects_agent::tools::{Output, Refusal, RefusalKind};
use analects_agent::turn::Want;
use analects_text::truncate;
use analects_world::model::{Call, stable_id};

use super::perform::{Done, Order};
use crate::consent::Decided;
use crate::models::ledger::Purpose;
use crate::talk::Tell;
use crate::talk::errand::{self, Returned, Sender, Task};
use crate::talk::keep_memory::{self, Kept, keep_memory};
use crate::talk::run::Run;

impl Run<'_, '_> {
    /// Sends a sub-agent, and waits for it.
    pub(super) fn send(&mut self, call: &Call, order: &Order) -> Done {
        let began_ms = self.world.clock.now_ms();
        let call_id = call.id.as_deref().unwrap_or_default();
        let id = stable_id(&[&self.session_id, "agent", call_id, &began_ms.to_string()]);
        let sender = Sender {
            world: self.world,
            flags: self.flags,
            prepared: self.prepared,
            cancel: self.cancel.clone(),
            session: self.session.clone(),
            session_id: &self.session_id,
            folder: &self.folder,
            model: Some(&self.chosen),
            hooks: self.hooks.for_agent(),
        };
        let (name, tell) = (&*order.agent.name, &mut *self.tell);
        let mut tell = |told: Tell<'_>| tell(Tell::Agent { name, told: &told });
        let sent = match name {
            memory_agent::NAME => {
                let request = keep_memory::Request {
                    agent: &order.agent,
                    inputs: order.inputs.clone(),
                    id: id.clone(),
                };
                keep_memory(&sender, &self.toolbox, &request, &mut tell)
            }
            _ => {
                let task = Task {
                    definition: &order.agent,
                    inputs: order.inputs.clone(),
                    context: String::new(),
                    memory: Want::Yes,
                    id: id.clone(),
                    record: Want::Yes,
                    purpose: Purpose::Subagent,
                };
                let toolbox = self.toolbox.for_agent(&order.agent);
                errand::send(&sender, toolbox, &task, &mut tell).map(Kept::nothing)
            }
        };
        let result = match sent {
            Ok(Kept { returned, decided }) => {
                self.stats.absorb(&returned.stats);
                let result = brought(name, &returned).map(|output| agreed(output, decided));
                self.tell_new(returned.problems);
                result
            }
            Err(failure) => {
                let message = format!("Nothing came of sending `{name}`: {failure}.");
                Err(Refusal::new(RefusalKind::Failed, message))
            }
        };
        Done {
            result,
            ms: self.world.clock.now_ms().saturating_sub(began_ms),
            lines: None,
            wrote: None,
            was_stopped: self.cancel.is_cancelled(),
            agent_id: Some(id),
            decision: None,
            // An agent that was sent reckons with its own.
            waited_ms: 0,
        }
    }
}

/// What the main model reads of what a sub-agent brings back.
fn brought(name: &str, returned: &Returned) -> Result<Output, Refusal> {
    let Finished {
        reason, n_turns, ..
    } = returned.finished;
    let took = match n_turns {
        1 => "1 turn".to_owned(),
        n_turns => format!("{n_turns} turns"),
    };
    if let Some(text) = answer(&returned.finished) {
        return Ok(Output {
            text: format!("`{name}` completed its task in {took}.\n\n{text}"),
            shown: format!("{name}: done in {took}"),
            ..Output::default()
        });
    }
    let why = match reason {
        Reason::MaxTurns => "it had no turns left",
        Reason::Timeout => "its time was over",
        Reason::NoCompletion => "it stopped before",
        Reason::Aborted => "it was cancelled",
        Reason::Loop => "it went in circles",
        Reason::Overflow => "what it read does not fit into its window",
        Reason::Error | Reason::Goal => "its model did not answer",
    };
    let said = truncate::head_bytes(returned.response.trim(), MAX_LAST_WORDS);
    let said = match said.is_empty() {
        true => String::new(),
        false => format!(" Its last words, unfinished:\n\n{said}"),
    };
    let kind = match reason {
        Reason::Aborted => RefusalKind::Cancelled,
        _ => RefusalKind::Failed,
    };
    let reason = reason.as_str();
    let message = format!("`{name}` did not complete its task ({reason}, {took}): {why}.{said}");
    Err(Refusal::new(kind, message))
}

/// What a sub-agent answered: the words alone, where there is nothing else.
fn answer(finished: &Finished) -> Option<String> {
    let fields = finished.result.as_ref()?.as_object();
    let response = fields.filter(|fields| fields.len() == 1);
    let response = response.and_then(|fields| fields.get("response")?.as_str());
    response.map(str::to_owned).or_else(|| finished.text())
}

/// What became of what the agent that keeps memory wrote: it does not know that itself.
fn agreed(mut output: Output, decided: Option<Decided>) -> Output {
    let Some(decided) = decided else {
        return output;
    };
    let became = if decided.is_declined {
        "The user declined the change: nothing was written."
    } else if decided.is_edited {
        "The user changed the words and agreed; that is written."
    } else if decided.is_waiting {
        "It waits in the user's inbox, and is written once they say yes."
    } else if decided.is_written() {
        // A setting may have agreed in the user's place.
        "It is written."
    } else {
        "Nothing was written."
    };
    output.text.push_str("\n\n");
    output.text.push_str(became);
    output
}

/// How much of what an unfinished agent said last is passed on.
const MAX_LAST_WORDS: usize = 4_000;
