//! Findings as people and editors read them: `path:line: severity: message [code]`.

use std::io::{self, Write};

use analects_engine::verbs::answer::{Problem, TrustAnswer};
use analects_engine::verbs::check::{Finding, Found};
use analects_text::sanitize;
use unicode_width::UnicodeWidthStr;

use super::{Human, Screen, counted, unpainted};

impl Human for Found {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if let Some(diff) = &self.diff {
            write!(out, "{}", sanitize::for_terminal(diff))?;
        }
        for fixed in &self.fixed {
            let path = screen.short(&fixed.path, Some(&self.root));
            let done = fixed.done.join(", ");
            writeln!(out, "{path}: {done}")?;
        }
        if !self.fixed.is_empty() && !self.written {
            writeln!(out, "Nothing was written: this was a dry run.")?;
        }
        let files = self
            .findings
            .chunk_by(|a, b| a.problem.path == b.problem.path);
        for (index, findings) in files.enumerate() {
            if index > 0 && screen.is_terminal {
                writeln!(out)?;
            }
            for finding in findings {
                write_finding(out, screen, finding, &self.root)?;
            }
        }
        writeln!(out, "{}", summary(self))
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn has_findings(&self) -> bool {
        !self.findings.is_empty()
    }

    fn trust(&self) -> Option<(bool, &TrustAnswer)> {
        Some((self.trusted, &self.trust))
    }
}

/// One finding. In a pipe it stays on one line, for tools that read it; a terminal gets it in columns.
fn write_finding(
    out: &mut dyn Write,
    screen: &Screen,
    finding: &Finding,
    root: &str,
) -> io::Result<()> {
    write_problem(out, screen, &finding.problem, root)
}

/// The same for what nobody could mend.
pub(super) fn write_problem(
    out: &mut dyn Write,
    screen: &Screen,
    problem: &Problem,
    root: &str,
) -> io::Result<()> {
    let Problem {
        severity,
        code,
        path,
        line,
        message,
    } = problem;
    let path = path.as_deref().map(|path| screen.short(path, Some(root)));
    let place = match (path, line) {
        (Some(path), Some(line)) => format!("{path}:{line}: "),
        (Some(path), None) => format!("{path}: "),
        (None, _) => String::new(),
    };
    let message = sanitize::one_line(message);
    let text = format!("{place}{severity}: {message} [{code}]");
    let lines = match screen.is_terminal {
        true => wrapped(&text, screen.width),
        false => vec![text],
    };
    for (index, line) in lines.iter().enumerate() {
        match line.strip_prefix(&place).filter(|_| index == 0) {
            Some(rest) => writeln!(out, "{}{rest}", screen.bold(&place))?,
            None => writeln!(out, "{line}")?,
        }
    }
    Ok(())
}

/// `text` in lines of at most `width` columns, broken at blanks; all but the first are set in.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    wrapped_with("    ", text, width)
}

/// The same, with something else before all lines but the first.
pub(crate) fn wrapped_with(indent: &str, text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) => lines.push(format!("{indent}{word}")),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// How wide a text is that may be painted.
fn columns(text: &str) -> usize {
    unpainted(text).width()
}

fn summary(found: &Found) -> String {
    let n_findings = found.findings.len();
    let findings = match n_findings {
        0 => "nothing wrong".to_owned(),
        n => counted(n, "finding", "findings"),
    };
    let files = counted(found.files_checked, "memory file", "memory files");
    let n_fixable = found.findings.iter().filter(|f| f.fixable).count();
    let hint = match n_fixable {
        0 => String::new(),
        n if n == n_findings => "; `--fix` mends all of it".to_owned(),
        n => format!("; `--fix` mends {n}"),
    };
    format!("{files} checked: {findings}{hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_blanks() {
        assert_eq!(wrapped("a bb ccc", 80), ["a bb ccc"]);
        assert_eq!(wrapped("aaaa bbbb cc", 9), ["aaaa bbbb", "    cc"]);
        assert_eq!(wrapped("", 9), [""]);
        let painted = "\u{1b}[1maaaa\u{1b}[0m bbbb cc";
        let lines = ["\u{1b}[1maaaa\u{1b}[0m bbbb", "    cc"];
        assert_eq!(wrapped(painted, 9), lines, "colour takes no room");
        assert_eq!(wrapped_with("", "aaaa bbbb cc", 9), ["aaaa bbbb", "cc"]);
    }
}
