//! Which model would be asked, and why; which keys are set, and by whom. No value is shown.

use analects_world::Cancel;

use super::{About, Asking, Examination, Finding, finding, ok, problems};
use crate::World;
use crate::context_limits;
use crate::models::choose::{self, Chosen};
use crate::models::keys::{self, Keys, Told};
use crate::models::probe::probe;
use crate::settings::Settings;
use crate::verbs::Failure;
use crate::verbs::doctor::{KeySource, Model, Probe};

const TOPIC: &str = "providers";

pub(super) fn look(world: &World<'_>, settings: &Settings, about: About<'_>) -> Examination {
    let (keys, unread) = keys::read(world);
    let mut probe = None;
    let (mut findings, model) = match choose::choose(world, settings, about.model) {
        Ok(chosen) => {
            let model = model(settings, &chosen);
            let mut findings = told(&model);
            findings.extend(problems(TOPIC, &chosen.problems));
            if about.asking == Asking::Once {
                let (probed, told) = probed(world, settings, &chosen);
                findings.push(told);
                probe = Some(probed);
            }
            (findings, Some(model))
        }
        Err(failure) => {
            let is_nothing_set = keys.all().is_empty() && about.model.is_none();
            let is_asked = about.asking == Asking::Once;
            let mut findings = vec![refused(&failure, is_nothing_set && !is_asked)];
            findings.extend(problems(TOPIC, &unread));
            probe = is_asked.then(|| Probe::failed(&failure.message));
            (findings, None)
        }
    };
    findings.extend(set(&keys));
    Examination {
        findings,
        model,
        probe,
        keys: keys.all().iter().map(source).collect(),
    }
}

fn probed(world: &World<'_>, settings: &Settings, chosen: &Chosen) -> (Probe, Finding) {
    match probe(world, settings, chosen, &Cancel::new()) {
        Ok(probed) => {
            let answer = Probe::answered(&probed);
            let told = format!("it was asked, and answered in {} ms", probed.ms);
            (answer, ok(TOPIC, told))
        }
        Err(none) => {
            let hint = (!none.hints.is_empty()).then(|| none.hints.join("; "));
            let answer = Probe::failed(&none.message);
            (answer, finding("error", TOPIC, none.message, hint))
        }
    }
}

fn model(settings: &Settings, chosen: &Chosen) -> Model {
    Model {
        provider: chosen.provider.clone(),
        model: chosen.model.clone(),
        alias: chosen.alias.clone(),
        address: chosen.endpoint.base_url.clone(),
        window_tokens: context_limits::window_tokens(settings, Some(chosen.window_tokens)),
        fallback: choose::fallback(settings, chosen).map(|fallback| fallback.model),
        why: chosen.why.clone(),
    }
}

fn told(model: &Model) -> Vec<Finding> {
    let alias = model.alias.as_ref();
    let alias = alias.map(|alias| format!(" (`{alias}`)"));
    let alias = alias.unwrap_or_default();
    let asked = format!(
        "{}{alias} of {} would be asked: {}",
        model.model, model.provider, model.why
    );
    let fallback = match &model.fallback {
        Some(fallback) => format!("if it cannot answer, {fallback} is asked"),
        None => "if it cannot answer, nobody else is asked".to_owned(),
    };
    let window = model.window_tokens;
    vec![
        ok(TOPIC, asked),
        ok(
            TOPIC,
            format!("it takes {window} tokens at once; {fallback}"),
        ),
    ]
}

/// Where nothing is set up, nothing is wrong: all that is here works without a model.
fn refused(failure: &Failure, is_nothing_set: bool) -> Finding {
    let severity = if is_nothing_set { "note" } else { "warning" };
    let hint = (!failure.hints.is_empty()).then(|| failure.hints.join("; "));
    finding(severity, TOPIC, failure.message.clone(), hint)
}

fn set(keys: &Keys) -> Option<Finding> {
    let all: Vec<_> = keys
        .all()
        .iter()
        .map(|told| format!("{} ({})", told.name, told.source.as_str()))
        .collect();
    (!all.is_empty()).then(|| ok(TOPIC, format!("set: {}", all.join(", "))))
}

fn source(told: &Told) -> KeySource {
    KeySource {
        name: told.name.to_owned(),
        source: told.source.as_str().to_owned(),
    }
}
