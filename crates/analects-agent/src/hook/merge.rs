//! Merges the answers of several hooks into one.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{Decision, Event, Output, Way};

/// One answer of all, in the order in which the hooks stand.
#[must_use]
pub fn merge(event: Event, outputs: &[Output]) -> Output {
    match event.way() {
        Way::Strictest => strictest(outputs),
        Way::Latest => heeded(latest(outputs, Depth::Members), outputs),
        Way::Union => union(outputs),
        Way::Advice => advice(outputs),
    }
}

fn strictest(outputs: &[Output]) -> Output {
    let mut specific = Map::new();
    for output in outputs {
        lay_over(&mut specific, output.specific.clone());
    }
    set_joined(&mut specific, outputs);
    if outputs.iter().any(wants_a_clear_context) {
        specific.insert("clearContext".to_owned(), true.into());
    }
    let stops = outputs.iter().any(|it| it.goes_on == Some(false));
    let stopping = outputs.iter().filter(|it| it.goes_on == Some(false));
    let decided = outputs.iter().filter_map(|it| it.decision).max();
    Output {
        goes_on: stops.then_some(false),
        stop_reason: joined(stopping.filter_map(|it| it.stop_reason.as_deref())),
        is_quiet: Some(outputs.iter().any(|it| it.is_quiet == Some(true))),
        message: joined(outputs.iter().filter_map(|it| it.message.as_deref())),
        decision: Some(decided.unwrap_or(Decision::Allow)),
        reason: joined(outputs.iter().filter_map(|it| it.reason.as_deref())),
        specific,
    }
}

/// Nobody decides here, whatever they say; but nothing that is said is lost.
fn advice(outputs: &[Output]) -> Output {
    let mut merged = Output {
        goes_on: None,
        decision: None,
        message: joined(outputs.iter().filter_map(|it| it.message.as_deref())),
        ..latest(outputs, Depth::Fields)
    };
    set_joined(&mut merged.specific, outputs);
    merged
}

fn wants_a_clear_context(output: &Output) -> bool {
    output.specific.get("clearContext") == Some(&Value::Bool(true))
}

fn set_joined(specific: &mut Map<String, Value>, outputs: &[Output]) {
    if let Some(context) = joined(outputs.iter().filter_map(Output::context)) {
        specific.insert("additionalContext".to_owned(), context.into());
    }
}

fn joined<'a>(texts: impl Iterator<Item = &'a str>) -> Option<String> {
    let texts: Vec<_> = texts.filter(|text| !text.trim().is_empty()).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// A later word replaces an earlier one, but for a no: a hook that only has something to say must not lift it.
fn heeded(mut merged: Output, outputs: &[Output]) -> Output {
    let mut last = outputs.iter().rev();
    if let Some(stops) = last.clone().find(|it| it.goes_on == Some(false)) {
        merged.goes_on = Some(false);
        merged.stop_reason.clone_from(&stops.stop_reason);
        merged.reason.clone_from(&stops.reason);
    } else if let Some(blocks) = last.find(|it| it.decision == Some(Decision::Block)) {
        merged.decision = Some(Decision::Block);
        merged.stop_reason.clone_from(&blocks.stop_reason);
        merged.reason.clone_from(&blocks.reason);
    }
    merged
}

/// What is replaced by a later word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Whole fields.
    Fields,
    /// The members of what is specific to the event, too.
    Members,
}

fn latest(outputs: &[Output], depth: Depth) -> Output {
    let mut merged = Output::default();
    for output in outputs.iter().cloned() {
        merged.goes_on = output.goes_on.or(merged.goes_on);
        merged.stop_reason = output.stop_reason.or(merged.stop_reason);
        merged.is_quiet = output.is_quiet.or(merged.is_quiet);
        merged.message = output.message.or(merged.message);
        merged.decision = output.decision.or(merged.decision);
        merged.reason = output.reason.or(merged.reason);
        match depth {
            Depth::Fields if output.specific.is_empty() => {}
            Depth::Fields => merged.specific = output.specific,
            Depth::Members => lay_over(&mut merged.specific, output.specific),
        }
    }
    merged
}

/// What hooks change member by member: what one of them changes stays changed, unless a later one means the same member.
const CHANGED: [&str; 2] = ["tool_input", "llm_request"];

fn lay_over(specific: &mut Map<String, Value>, later: Map<String, Value>) {
    for (name, value) in later {
        match (specific.get_mut(&name), value) {
            (Some(Value::Object(members)), Value::Object(new))
                if CHANGED.contains(&name.as_str()) =>
            {
                members.extend(new);
            }
            (_, value) => {
                specific.insert(name, value);
            }
        }
    }
}

/// The tools that any hook wants. One that wants none has the last word; one that wants a call, the second.
fn union(outputs: &[Output]) -> Output {
    let configs: Vec<_> = outputs
        .iter()
        .filter_map(|it| it.specific.get("toolConfig"))
        .collect();
    let merged = latest(outputs, Depth::Fields);
    if configs.is_empty() {
        return merged;
    }
    let has = |mode: &str| {
        configs
            .iter()
            .any(|it| it.get("mode").and_then(Value::as_str) == Some(mode))
    };
    let mode = ["NONE", "ANY"]
        .into_iter()
        .find(|mode| has(mode))
        .unwrap_or("AUTO");
    let lists = configs
        .iter()
        .filter_map(|it| it.get("allowedFunctionNames")?.as_array());
    let names: BTreeSet<_> = lists.flatten().filter_map(Value::as_str).collect();
    let names = if mode == "NONE" {
        BTreeSet::new()
    } else {
        names
    };
    let mut specific = Map::new();
    let config = json!({ "mode": mode, "allowedFunctionNames": names });
    specific.insert("toolConfig".to_owned(), config);
    Output { specific, ..merged }
}

#[cfg(test)]
mod tests;
