//! What a model reads of what its tools did.

use analects_agent::activity::Happening;
use analects_agent::tools::{Output, Refusal, RefusalKind, activate_skill, read_file};
use analects_chat::keep::{Kept, Label};
use analects_chat::shorten;
use analects_session::message::Status;
use analects_world::model::{Body, Part, Response};
use analects_world::{AbsPath, Surroundings};
use serde_json::{Map, json};

use super::Ticket;
use super::perform::Done;
use crate::events::{Weights, What};
use crate::save_memory;
use crate::secrets::Guarded;
use crate::settings::keys;
use crate::talk::Tell;
use crate::talk::keep::keep;
use crate::talk::record::Used;
use crate::talk::run::Run;
use crate::talk::stats::{Outcome, ToolCall};
use analects_text::tokens;

impl Run<'_, '_> {
    /// The responses to all calls, with the rules that come along, recorded and told.
    pub(super) fn answer_all(&mut self, tickets: Vec<Ticket>) -> Vec<Part> {
        let mut used = Vec::new();
        for ticket in tickets {
            used.push(self.answer_one(ticket));
        }
        let parts = used.iter().flat_map(|used| used.parts.clone()).collect();
        let model = self
            .answered
            .as_ref()
            .map_or("", |(model, _)| model)
            .to_owned();
        let problem = self.record.used(&self.world, &model, used);
        self.tell_new(problem.into_iter().collect());
        parts
    }

    fn answer_one(&mut self, ticket: Ticket) -> Used {
        let Ticket {
            call,
            job,
            done,
            notes,
            decision,
            ..
        } = ticket;
        let id = call.id.clone().unwrap_or_default();
        let was_made = job.is_ok();
        let done = match (job, done) {
            (Err(refusal), _) => Done::refused(refusal),
            (Ok(_), Some(done)) => done,
            // Its thread is gone without a word.
            (Ok(_), None) => {
                Done::refused(Refusal::new(RefusalKind::Failed, "The tool broke down."))
            }
        };
        let (outcome, status) = outcome(&done);
        self.stats.tool(&ToolCall {
            name: &call.name,
            ms: done.ms,
            outcome,
            decision: done.decision.or(decision),
        });
        if let Some((added, removed)) = done.lines {
            self.stats.wrote(added, removed);
        }
        self.noticed(Happening::ToolCallCompleted);
        let agent_id = done.agent_id;
        let (part, shown) = match done.result {
            Ok(output) => self.answer(&id, &call.name, output, &notes),
            Err(mut refusal) => {
                // What a refused call was to be made with is said in the refusal.
                if was_made {
                    push(&mut refusal.message, &notes);
                }
                (self.tell)(Tell::Used {
                    id: &id,
                    result: Err(&refusal),
                    shown: "",
                });
                let shown = refusal.message.clone();
                let response = json!({ "error": refusal.message });
                (Part::response(&*id, &*call.name, response), shown)
            }
        };
        Used {
            id,
            name: call.name,
            args: call.args,
            parts: vec![part],
            status,
            shown,
            agent_id,
        }
    }

    fn answer(&mut self, id: &str, name: &str, output: Output, notes: &[String]) -> (Part, String) {
        let allowed = self.prepared.settings.list(&keys::ALLOWED_SECRETS);
        let guarded = Guarded { allowed };
        // Masked before it is shortened: half of a token is not recognised any more.
        let text = match tells_memory_or_sessions(name, &output.touched, self.world.around) {
            true => guarded.mask(&output.text),
            false => output.text,
        };
        let mut text = self.shortened(id, name, text);
        push(&mut text, notes);
        if !output.touched.is_empty() && self.part.remembers() {
            let along = self
                .memory
                .touch(&self.world, self.prepared, id, &output.touched);
            if let Some(along) = along {
                self.stats.came_along(along.n_files, along.tokens);
                self.tell_new(along.problems);
                text.push_str("\n\n");
                text.push_str(&guarded.mask(&along.text));
            }
        }
        (self.tell)(Tell::Used {
            id,
            result: Ok(&text),
            shown: &output.shown,
        });
        let part = Part::new(Body::Response(Response {
            id: Some(id.to_owned()),
            name: name.to_owned(),
            response: json!({ "output": text }),
            parts: output.media,
            rest: Map::new(),
        }));
        (part, output.shown)
    }

    /// An output that is too long is kept whole on disk and shown in part.
    fn shortened(&mut self, id: &str, name: &str, text: String) -> String {
        let label = Label {
            tool: name,
            call_id: Some(id),
        };
        // Half of what a skill says may be worse than nothing; it was bounded before.
        if name == activate_skill::NAME {
            return text;
        }
        if let Some(told) = self.condensed(label, &text) {
            return told;
        }
        let cap = self.course.dialogue().cap();
        // A page of a file says which lines it holds: cut by lines once more, it would hold others.
        let cap = match name == read_file::NAME {
            true => cap.of_page(),
            false => cap,
        };
        let Some(plan) = shorten::plan(&text, label, &self.course.dialogue().shelf(), &cap) else {
            return text;
        };
        let kept = keep(&self.world, &self.flags, std::slice::from_ref(&plan.keep));
        let kept = kept.first().copied().unwrap_or(Kept::Failed);
        let shown = shorten::apply(plan, kept);
        let what = What::Shortened {
            count: 1,
            tokens: Weights {
                before: tokens::estimate(&text) as u64,
                after: tokens::estimate(&shown) as u64,
            },
        };
        let problem = self.count(what);
        self.tell_new(problem.into_iter().collect());
        shown
    }
}

/// True if a tool answers with memory, skills or records of sessions. Other files are the user's work: an
/// agent that edits them must see them as they are.
fn tells_memory_or_sessions(tool: &str, touched: &[AbsPath], around: &Surroundings) -> bool {
    let is_record = |path: &AbsPath| {
        let is_below = |dir: &str| path.is_within(&around.home.join(dir));
        is_below(".claude/projects")
            || is_below(".codex/sessions")
            || is_below(".codex/archived_sessions")
            || is_below(".gemini/analects")
            || (is_below(".gemini/tmp") && path.as_str().contains("/chats"))
    };
    [activate_skill::NAME, save_memory::NAME].contains(&tool) || touched.iter().any(is_record)
}

/// Puts what else is to be known behind an answer.
fn push(text: &mut String, notes: &[String]) {
    for note in notes {
        text.push_str("\n\n");
        text.push_str(note);
    }
}

impl Done {
    fn refused(refusal: Refusal) -> Self {
        Self {
            result: Err(refusal),
            ms: 0,
            lines: None,
            wrote: None,
            was_stopped: false,
            agent_id: None,
            decision: None,
            waited_ms: 0,
        }
    }
}

fn outcome(done: &Done) -> (Outcome, Status) {
    match &done.result {
        Ok(_) if done.was_stopped => (Outcome::Failed, Status::Cancelled),
        Ok(_) => (Outcome::Done, Status::Success),
        Err(refusal) if refusal.kind == RefusalKind::Cancelled => {
            (Outcome::Failed, Status::Cancelled)
        }
        Err(_) => (Outcome::Failed, Status::Error),
    }
}
