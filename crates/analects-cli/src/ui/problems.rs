//! Problems, hints and failures: everything that goes to stderr.

use std::io::{self, Write};

use analects_engine::verbs::Failure;
use analects_engine::verbs::answer::Problem;
use analects_text::sanitize::one_line;

use super::Human;
use crate::args::Global;

/// Writes what a person should know beside the answer.
pub(crate) fn show(err: &mut dyn Write, answer: &impl Human, global: &Global) -> io::Result<()> {
    let is_shown = |problem: &&Problem| match problem.severity.as_str() {
        "error" => true,
        "warning" => !global.quiet,
        _ => global.verbose,
    };
    let mut n_hidden = 0;
    for problem in answer.problems() {
        if is_shown(&problem) {
            writeln!(err, "{}", line(problem))?;
        } else if problem.severity == "note" {
            n_hidden += 1;
        }
    }
    if n_hidden > 0 && !global.quiet {
        let notes = if n_hidden == 1 { "note" } else { "notes" };
        writeln!(err, "{n_hidden} {notes} not shown; -v shows them")?;
    }
    untrusted(err, answer, global)
}

/// Writes why a command failed and what to do about it.
pub(crate) fn failure(err: &mut dyn Write, failure: &Failure) -> io::Result<()> {
    writeln!(err, "error: {}", one_line(&failure.message))?;
    for hint in &failure.hints {
        let mut lines = hint.lines();
        let first = lines.next().unwrap_or_default();
        writeln!(err, "hint: {}", one_line(first))?;
        // What a file says is told in its own lines, set apart from ours.
        for line in lines {
            writeln!(err, "      {}", one_line(line))?;
        }
    }
    Ok(())
}

fn line(problem: &Problem) -> String {
    let place = match (&problem.path, problem.line) {
        (Some(path), Some(line)) => format!("{path}:{line}: "),
        (Some(path), None) => format!("{path}: "),
        (None, _) => String::new(),
    };
    let text = format!("{place}{} [{}]", problem.message, problem.code);
    format!("{}: {}", problem.severity, one_line(&text))
}

fn untrusted(err: &mut dyn Write, answer: &impl Human, global: &Global) -> io::Result<()> {
    let Some((false, why)) = answer.trust() else {
        return Ok(());
    };
    if global.quiet || global.no_memory {
        return Ok(());
    }
    let reason = match (why.reason.as_str(), &why.rule) {
        ("rule", Some(rule)) => format!("a rule about `{rule}` says DO_NOT_TRUST"),
        ("environment", _) => "the environment says so".to_owned(),
        ("bad-file", _) => "the trust rules cannot be read".to_owned(),
        _ => "nobody has decided yet".to_owned(),
    };
    writeln!(
        err,
        "note: this folder's own memory is not loaded, for it is not trusted"
    )?;
    writeln!(err, "note: why: {}", one_line(&reason))?;
    let hint = match why.reason.as_str() {
        // Rules come after both of these, and a file that cannot be read takes no more of them.
        "environment" => {
            "unset GEMINI_RESTRICTED_MODE and GEMINI_CLI_TRUST_WORKSPACE, or `--trust` it for this run"
        }
        "bad-file" => "mend the file of the rules, or `--trust` it for this run",
        _ => "`analects trust add` trusts it from now on, `--trust` for this run",
    };
    writeln!(err, "hint: {hint}")
}
