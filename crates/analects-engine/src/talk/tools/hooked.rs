//! Hooks around tools.
//!
//! What a hook makes of a call is judged like the call itself: a hook can forbid, never allow.

use analects_agent::hook::{Event, Occasion, ToolResponse, told};
use analects_agent::policy::Decision;
use analects_agent::tools::{Refusal, RefusalKind};
use analects_text::{sanitize, truncate};
use serde_json::{Map, Value, json};

use super::{Judged, Ticket};
use crate::prompt::Audience;
use crate::talk::run::Run;

impl Run<'_, '_> {
    /// Tells hooks of a call that somebody would have to agree to.
    pub(super) fn notify(&mut self, ticket: &Ticket) {
        let is_asked = match &ticket.job {
            Ok(_) => ticket.asks.is_some(),
            Err(_) => self.hooks.has(Event::Notification) && self.would_ask(ticket),
        };
        if !is_asked || !self.hooks.has(Event::Notification) {
            return;
        }
        let call = &ticket.call;
        let message = format!(
            "Tool {} requires permission",
            sanitize::one_line(&call.name)
        );
        let details = json!({ "type": "tool", "title": call.name, "tool_name": call.name, "tool_input": call.args });
        self.fire(&Occasion::Notification {
            message: &message,
            details: &details,
        });
    }

    fn would_ask(&self, ticket: &Ticket) -> bool {
        let (toolbox, call) = (&self.toolbox, &ticket.call);
        let Ok(job) = toolbox.read(call) else {
            return false;
        };
        let Ok(paths) = job.paths(toolbox.files(&self.world), &toolbox.workspace) else {
            return false;
        };
        let verdict = toolbox.verdict(call, &job, &paths, Audience::Present);
        verdict.decision == Decision::Ask
    }

    /// What hooks make of a call that is about to be made.
    pub(super) fn before_tool(&mut self, ticket: &mut Ticket) {
        if ticket.job.is_err() {
            return;
        }
        if let Some(why) = self.hooks.stopped() {
            ticket.job = Err(stopped(&why));
            return;
        }
        let name = &ticket.call.name;
        if let Some(offered) = &self.hooks.offered
            && !offered.contains(name)
        {
            let name = sanitize::one_line(name);
            let message = format!("`{name}` was not offered in this turn: a hook chose the tools.");
            ticket.job = Err(Refusal::new(RefusalKind::Denied, message));
            return;
        }
        let server = self.toolbox.served.identity(name);
        let output = self.fire(&Occasion::BeforeTool {
            tool: name,
            input: &ticket.call.args,
            mcp: server.as_ref(),
        });
        let Some(output) = output else { return };
        if let Some(why) = output.stops() {
            let why = told::said(why);
            self.hooks.stop(format!("a hook stopped the agent: {why}"));
            ticket.job = Err(stopped(&why));
        } else if let Some(why) = output.blocks() {
            let message = format!("Tool execution blocked: {}", told::said(why));
            ticket.job = Err(Refusal::new(RefusalKind::Denied, message));
        } else if let (Some(why), Audience::Present) = (output.asks(), self.toolbox.audience) {
            let why = format!("a hook wants you to agree: {}", told::said(why));
            ticket.asks = Some(why);
        } else if let Some(why) = output.asks() {
            let message = format!(
                "A hook wants somebody to agree to this call, and nobody is there to be asked: {}",
                told::said(why)
            );
            ticket.job = Err(Refusal::new(RefusalKind::Nobody, message));
        } else if let Some(new) = output.tool_input() {
            self.change_call(ticket, new);
        }
    }

    /// Puts other arguments into a call. It is a new call then, and judged as such.
    fn change_call(&mut self, ticket: &mut Ticket, new: &Map<String, Value>) {
        let mut call = ticket.call.clone();
        match call.args.as_object_mut() {
            Some(args) => args.extend(new.clone()),
            None => call.args = Value::Object(new.clone()),
        }
        if call.args == ticket.call.args {
            return;
        }
        let judged = self.toolbox.judge(&self.world, &self.flags, &call);
        (ticket.job, ticket.asks) = Judged::parted(judged);
        self.keep_to_the_plan(ticket);
        let names: Vec<_> = new.keys().map(String::as_str).collect();
        let names = names.join(", ");
        let names = sanitize::one_line(truncate::head_bytes(&names, 200));
        let note = format!("[A hook changed arguments of this call before it was made: {names}]");
        if let Err(refusal) = &mut ticket.job {
            refusal.message = format!("{note}\n\n{}", refusal.message);
        }
        ticket.notes.push(note);
        ticket.made_with = Some(call.args);
    }

    /// What hooks make of what a tool answered.
    pub(super) fn after_tool(&mut self, ticket: &mut Ticket) {
        let (Ok(_), Some(done)) = (&ticket.job, &ticket.done) else {
            return;
        };
        if !self.hooks.has(Event::AfterTool) {
            return;
        }
        let response = match &done.result {
            Ok(output) => ToolResponse {
                text: &output.text,
                shown: &output.shown,
                error: None,
            },
            Err(refusal) => ToolResponse {
                text: &refusal.message,
                shown: "",
                error: Some((refusal.kind.as_str(), &refusal.message)),
            },
        };
        let server = self.toolbox.served.identity(&ticket.call.name);
        let output = self.fire(&Occasion::AfterTool {
            tool: &ticket.call.name,
            input: ticket.made_with.as_ref().unwrap_or(&ticket.call.args),
            response,
            mcp: server.as_ref(),
        });
        let Some(output) = output else { return };
        if let Some(why) = output.stops() {
            let why = told::said(why);
            self.hooks.stop(format!("a hook stopped the agent: {why}"));
        }
        if let (Some(why), Some(done)) = (output.blocks(), &mut ticket.done) {
            let message = format!("Tool result blocked: {}", told::said(why));
            done.result = Err(Refusal::new(RefusalKind::Denied, message));
        }
        if let Some(context) = output.context() {
            ticket.notes.push(told::context(context));
        }
    }
}

fn stopped(why: &str) -> Refusal {
    let message = format!("The run was stopped: {why}");
    Refusal::new(RefusalKind::Stopped, message)
}
