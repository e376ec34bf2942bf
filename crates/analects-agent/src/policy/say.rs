//! How a decision is explained to the model and to the person.

use super::decide::Answer;
use super::field::shown;
use super::{Asked, Decision, Mode, Policy, Tier, Verdict};

/// How our own rule ranks that lets edits through.
const AUTO_EDIT: u16 = 15;

/// The verdict for an answer. Where nobody can be asked, what would have been asked is denied.
pub(super) fn verdict(policy: &Policy, asked: &Asked<'_>, answer: &Answer<'_>) -> Verdict {
    let is_nobody_there = answer.decision == Decision::Ask && !asked.is_interactive;
    let (decision, message) = match answer.decision {
        Decision::Allow => (Decision::Allow, String::new()),
        Decision::Ask if is_nobody_there => (Decision::Deny, nobody(policy, asked, answer)),
        Decision::Ask => (Decision::Ask, reason(asked, answer)),
        Decision::Deny => (Decision::Deny, denied(asked, answer)),
    };
    Verdict {
        decision,
        rule: answer.rule.map(|rule| rule.source.clone()),
        message,
    }
}

fn denied(asked: &Asked<'_>, answer: &Answer<'_>) -> String {
    let tool = shown(asked.tool);
    let reason = reason(asked, answer);
    match reason.is_empty() {
        true => format!(
            "The policy does not allow `{tool}` here. Do not try to do the same in another way."
        ),
        false => reason,
    }
}

/// What the rule itself says, and where it stands unless it is ours.
fn reason(asked: &Asked<'_>, answer: &Answer<'_>) -> String {
    let Some(rule) = answer.rule else {
        return String::new();
    };
    let said = rule.reason(asked);
    match (rule.source.tier, said.is_empty(), rule.decision) {
        (Tier::Default, _, _) => said.to_owned(),
        (_, false, _) => format!("{said} (Rule: {}.)", rule.source),
        (_, true, Decision::Deny) => format!(
            "A rule does not allow this: {}. Do not try to do the same in another way.",
            rule.source
        ),
        (_, true, _) => format!("A rule wants this to be asked for: {}.", rule.source),
    }
}

fn nobody(policy: &Policy, asked: &Asked<'_>, answer: &Answer<'_>) -> String {
    let tool = shown(asked.tool);
    let rule = answer.rule.map(|rule| &rule.source);
    let is_edit = matches!(asked.tool, "write_file" | "replace");
    let way_out = match rule {
        Some(rule) if rule.tier > Tier::Default => {
            format!("by changing the rule that wants it, {rule}")
        }
        _ => {
            // What asks although it is an edit, still asks when edits do not.
            let is_plain_edit = is_edit && rule.is_some_and(|rule| rule.priority < AUTO_EDIT);
            let mode = match asked.mode {
                Mode::Default if is_plain_edit => "auto-edit",
                _ => "yolo",
            };
            let trust = match policy.is_trusted() {
                true => "",
                false => "by trusting this folder (`analects trust add`) together ",
            };
            format!(
                "{trust}with `--approval-mode {mode}`, or with a rule in `~/.gemini/policies/*.toml`"
            )
        }
    };
    let why = match answer.rule {
        Some(rule) if rule.guards_control_files() => format!("{} ", rule.reason(asked)),
        _ => String::new(),
    };
    format!(
        "{why}`{tool}` needs somebody to agree, and nobody is there to be asked. Go on without it, and say what is left to \
         do. Whoever started this can allow it {way_out}."
    )
}
