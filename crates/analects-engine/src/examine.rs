//! Examines everything that a load, a write or a model call depends on, for `doctor`. Changes nothing.

mod providers;

use analects_memory::discover::Trust;
use analects_text::problem::{Problem, Severity};
use analects_world::AbsPath;
use analects_world::files::Trouble;

use crate::World;
use crate::book::Book;
use crate::identity;
use crate::load_memory::Prepared;
use crate::trust::Reason;
use crate::verbs::doctor::{Finding, KeySource, Model, Probe};

/// What was found.
#[derive(Debug)]
pub(crate) struct Examination {
    /// Every finding, good and bad.
    pub findings: Vec<Finding>,
    /// The model that would be asked.
    pub model: Option<Model>,
    /// What it said, if it was asked.
    pub probe: Option<Probe>,
    /// Keys and addresses that are set.
    pub keys: Vec<KeySource>,
}

/// What somebody wants to know about models.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About<'a> {
    /// The model, if one is named.
    pub model: Option<&'a str>,
    /// Whether it is asked, or only looked up.
    pub asking: Asking,
}

/// Whether a model is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asking {
    /// It is, one short question.
    Once,
    /// It is not.
    Never,
}

/// Looks at everything.
#[must_use]
pub(crate) fn examine(world: &World<'_>, prepared: &Prepared, about: About<'_>) -> Examination {
    let mut findings = paths(world, prepared);
    findings.extend(notes(world));
    findings.push(trust(prepared));
    findings.extend(problems("settings", prepared.problems()));
    findings.extend(registry(world, prepared));
    findings.push(commits(world));
    findings.extend(journal(world));
    findings.extend(foreign_locks(world));
    let providers = providers::look(world, &prepared.settings, about);
    findings.extend(providers.findings);
    findings.push(budget(world, prepared));
    Examination {
        findings,
        ..providers
    }
}

fn finding(severity: &str, topic: &str, message: String, hint: Option<String>) -> Finding {
    Finding {
        severity: severity.to_owned(),
        topic: topic.to_owned(),
        message,
        hint,
    }
}

fn ok(topic: &str, message: String) -> Finding {
    finding("ok", topic, message, None)
}

fn paths(world: &World<'_>, prepared: &Prepared) -> Vec<Finding> {
    let around = world.around;
    let global = around.global_dir();
    let home = match world.files.require_dir(&global) {
        Ok(()) => ok("paths", format!("global memory in {global}")),
        Err(trouble) if trouble != Trouble::Missing => finding(
            "error",
            "paths",
            format!("cannot use {global}: {trouble}"),
            Some("nothing can be remembered until that is a directory of yours".to_owned()),
        ),
        Err(_) => finding(
            "note",
            "paths",
            format!("there is no {global} yet"),
            Some("it is made by the first command that writes".to_owned()),
        ),
    };
    let (folders, _) = identity::private_folders(
        world,
        &[prepared.root.clone(), around.cwd.clone()],
        prepared.decision.trust,
    );
    let private = match folders.first() {
        Some(folder) => ok("paths", format!("private memory in {folder}")),
        None => finding(
            "note",
            "paths",
            "this project has no private folder yet".to_owned(),
            Some("`analects doctor --adopt` gives it one".to_owned()),
        ),
    };
    vec![
        home,
        ok("paths", format!("project root {}", prepared.root)),
        private,
    ]
}

/// Our own notes on entries, if they cannot be used: then nothing can be remembered, found or forgotten.
fn notes(world: &World<'_>) -> Option<Finding> {
    let failure = match Book::read(world, world.files) {
        Ok(book) if book.is_rebuilt() => {
            let path = world.around.state_dir().join("entries.json");
            let message = format!("`{path}` is damaged; what the journal has of it is used");
            let hint = "the next change of memory keeps the damaged file and writes a new one";
            return Some(finding("warning", "paths", message, Some(hint.to_owned())));
        }
        Ok(_) => return None,
        Err(failure) => failure,
    };
    let hint = (!failure.hints.is_empty()).then(|| failure.hints.join("; "));
    let message = format!("{}; no memory can be changed like that", failure.message);
    Some(finding("error", "paths", message, hint))
}

fn exists(world: &World<'_>, dir: &AbsPath) -> bool {
    world.files.require_dir(dir).is_ok()
}

fn trust(prepared: &Prepared) -> Finding {
    let decision = &prepared.decision;
    match (decision.trust, &decision.reason) {
        (Trust::Trusted, _) => ok("trust", "this folder is trusted".to_owned()),
        (Trust::Untrusted, Reason::Undecided) => finding(
            "note",
            "trust",
            "nobody has decided whether to trust this folder; its own memory is not loaded"
                .to_owned(),
            Some(
                "`analects trust add` trusts it, `analects trust deny` settles the question"
                    .to_owned(),
            ),
        ),
        (Trust::Untrusted, Reason::BadFile) => finding(
            "error",
            "trust",
            "the trust rules cannot be read, so no folder is trusted".to_owned(),
            Some("repair the file named below".to_owned()),
        ),
        (Trust::Untrusted, Reason::OtherRepository(about)) => finding(
            "warning",
            "trust",
            format!("`{about}` is not the repository that you trusted there"),
            Some("`analects trust add` trusts this one".to_owned()),
        ),
        (Trust::Untrusted, Reason::ForeignOwner(dir)) => finding(
            "warning",
            "trust",
            format!("others own or may write `{dir}`, so nothing of it is loaded"),
            Some("take it over, or name its owner in `security.trustedOwners`".to_owned()),
        ),
        (Trust::Untrusted, _) => ok("trust", "this folder is denied trust".to_owned()),
    }
}

fn problems(topic: &str, problems: &[Problem]) -> Vec<Finding> {
    let severity = |problem: &Problem| match problem.code.severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let one = |problem: &Problem| {
        let hint = Some(problem.code.meaning.to_owned());
        finding(severity(problem), topic, problem.to_string(), hint)
    };
    problems.iter().map(one).collect()
}

fn registry(world: &World<'_>, prepared: &Prepared) -> Vec<Finding> {
    let mut findings = Vec::new();
    let state = identity::state(world);
    for (slug, path) in &state.contradicted {
        let message =
            format!("`{path}` is registered as `{slug}`, but that folder names another project");
        let hint = format!("run `analects doctor --adopt` in {path}");
        findings.push(finding("warning", "registry", message, Some(hint)));
    }
    for (slug, path) in &state.orphaned {
        let message = format!("`{slug}` holds private memory of {path}, which is gone");
        let hint = format!("if it moved here, run `analects doctor --adopt {slug}`");
        findings.push(finding("warning", "registry", message, Some(hint)));
    }
    if let Some(from) = identity::moved_from(world, &prepared.root, prepared.decision.trust) {
        let message = format!("this project was at {from} before; its private memory is loaded");
        let hint = "`analects doctor --adopt` makes that known to Gemini CLI too".to_owned();
        findings.push(finding("note", "registry", message, Some(hint)));
    }
    if findings.is_empty() {
        findings.push(ok(
            "registry",
            format!("{} projects, no contradiction", state.n_projects),
        ));
    }
    findings
}

fn commits(world: &World<'_>) -> Finding {
    let status = world.desk.status();
    match (status.holder, status.unfinished) {
        (Some(holder), _) => {
            let hint = "a commit takes milliseconds; if this stays, end that process".to_owned();
            finding(
                "note",
                "commits",
                format!("{holder} is writing right now"),
                Some(hint),
            )
        }
        (None, Some(id)) => {
            let hint = "the next command that writes finishes or withdraws it".to_owned();
            finding(
                "warning",
                "commits",
                format!("commit {id} is unfinished"),
                Some(hint),
            )
        }
        (None, None) => ok("commits", "nothing is unfinished".to_owned()),
    }
}

/// Lines of the journal that are damaged: the changes they record cannot be shown or taken back.
fn journal(world: &World<'_>) -> Vec<Finding> {
    let path = world.around.state_dir().join("journal.jsonl");
    let damage = match world.desk.check_journal() {
        Ok(damage) => damage,
        Err(error) => {
            let hint = "`memory log` and `memory undo` need it".to_owned();
            return vec![finding("error", "commits", error.to_string(), Some(hint))];
        }
    };
    let mut findings = Vec::new();
    if damage.n_damaged > 0 {
        let numbers: Vec<_> = damage.lines.iter().map(ToString::to_string).collect();
        let (lines, more) = (numbers.join(", "), damage.n_damaged - numbers.len());
        let and_more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!("damaged lines in {path}: {lines}{and_more}");
        let hint = "the changes in them cannot be taken back; all others can".to_owned();
        findings.push(finding("warning", "commits", message, Some(hint)));
    }
    // While a commit is being written, its line may be half there.
    if damage.is_torn && world.desk.status().holder.is_none() {
        let message = format!("{path} ends in the middle of a line: a commit that never happened");
        let hint = "the next command that writes removes it".to_owned();
        findings.push(finding("note", "commits", message, Some(hint)));
    }
    findings
}

/// Locks of Gemini CLI that are held, or were left behind.
fn foreign_locks(world: &World<'_>) -> Vec<Finding> {
    let global = world.around.global_dir();
    let locks = ["projects.json.lock", "trustedFolders.json.lock"].map(|name| global.join(name));
    let held = locks.into_iter().filter(|lock| exists(world, lock));
    let one = |lock: AbsPath| {
        let hint = "one that nobody touches for ten seconds is taken over".to_owned();
        finding(
            "note",
            "commits",
            format!("{lock} is held by another program"),
            Some(hint),
        )
    };
    held.map(one).collect()
}

fn budget(world: &World<'_>, prepared: &Prepared) -> Finding {
    let started = prepared.start(*world);
    let tokens = started.stack.tokens();
    let heaviest = started
        .stack
        .layers
        .iter()
        .max_by_key(|layer| layer.tokens());
    let over = heaviest.filter(|layer| layer.tokens() * 10 > prepared.layer_limit_tokens * 9);
    match over {
        Some(layer) => finding(
            "warning",
            "budget",
            format!(
                "{} memory is at {} of {} tokens",
                layer.layer.name(),
                layer.tokens(),
                prepared.layer_limit_tokens
            ),
            Some("`analects memory cost` shows the heaviest files".to_owned()),
        ),
        None => ok("budget", format!("memory costs {tokens} tokens at start")),
    }
}
