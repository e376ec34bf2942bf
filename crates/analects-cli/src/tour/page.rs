//! How the tour looks to a person, at any width and without colour, too.

use std::io::{self, Write};

use analects_world::AbsPath;

use super::chapters::{Chapter, Line, Shown};
use super::stage::{Came, Stage};
use crate::ui::{Screen, wrapped, wrapped_with};

/// Everything but titles is set in by this many columns.
const INDENT: usize = 2;
/// Longer answers are shown in part, unless a line of the table says otherwise.
const MAX_LINES: usize = 20;

/// How wide the output of a command may be.
pub(super) fn columns(screen: &Screen) -> usize {
    screen.width.saturating_sub(INDENT)
}

/// What is about to happen, and where.
pub(super) fn begin(out: &mut dyn Write, screen: &Screen, stage: &Stage) -> io::Result<()> {
    writeln!(out, "{}", screen.bold("The life of a memory"))?;
    let said = format!(
        "Everything below really runs: in a home and a repository made for this tour, without a model, a key or the \
         network. Nothing of yours is read or written. `~` is {}.",
        stage.home
    );
    paragraph(out, screen, &said)
}

/// The heading of a chapter.
pub(super) fn chapter(
    out: &mut dyn Write,
    screen: &Screen,
    (n, n_all): (usize, usize),
    chapter: &Chapter,
) -> io::Result<()> {
    let title = format!("{n}/{n_all}  {}", chapter.title);
    writeln!(out, "\n{}", screen.bold(&title))?;
    paragraph(out, screen, chapter.why)
}

/// What is typed; before it is done, so that a person sees what takes its time.
pub(super) fn typed(out: &mut dyn Write, screen: &Screen, line: &Line) -> io::Result<()> {
    let prompt = format!("$ {}", line.typed);
    writeln!(out, "\n{:INDENT$}{}", "", screen.bold(&prompt))?;
    out.flush()
}

/// What came of it.
pub(super) fn came(
    out: &mut dyn Write,
    screen: &Screen,
    stage: &Stage,
    line: &Line,
    came: &Came,
) -> io::Result<()> {
    let text = format!("{}{}", came.stdout, came.stderr);
    let text = text.replace(stage.home.as_str(), "~");
    let (before, shown, after) = excerpt(&text, line.shown);
    let left_out = |out: &mut dyn Write, n: usize, where_: &str| match n {
        0 => Ok(()),
        1 => note(out, screen, &format!("… 1 line {where_}")),
        n => note(out, screen, &format!("… {n} lines {where_}")),
    };
    left_out(out, before, "before this")?;
    for line in shown {
        for part in wrapped(line, columns(screen)) {
            let part = format!("{:INDENT$}{part}", "");
            writeln!(out, "{}", part.trim_end())?;
        }
    }
    left_out(out, after, "more")?;
    match came.code {
        0 => Ok(()),
        code => note(out, screen, &format!("(exit code {code})")),
    }
}

/// Where to go from here.
pub(super) fn end(out: &mut dyn Write, screen: &Screen, kept: Option<&AbsPath>) -> io::Result<()> {
    writeln!(out, "\n{}", screen.bold("That was all of it"))?;
    let became = match kept {
        Some(dir) => format!("The home and the repository of this tour are in {dir}."),
        None => "The home and the repository of this tour are gone again.".to_owned(),
    };
    paragraph(out, screen, &format!("{became} In a project of your own:"))?;
    for (typed, why) in [
        ("analects memory list --trust", "which memory applies there"),
        ("analects", "a chat with an agent that works by it"),
        (
            "analects setup gemini",
            "the same memory in Gemini CLI (or claude, codex)",
        ),
        ("analects doctor", "is everything in order"),
    ] {
        writeln!(out, "{:INDENT$}{typed:30}{}", "", screen.dim(why))?;
    }
    Ok(())
}

fn paragraph(out: &mut dyn Write, screen: &Screen, text: &str) -> io::Result<()> {
    for line in wrapped_with("", text, screen.width) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn note(out: &mut dyn Write, screen: &Screen, text: &str) -> io::Result<()> {
    writeln!(out, "{:INDENT$}{}", "", screen.dim(text))
}

/// The lines that are shown, how many stand before them, and how many behind.
fn excerpt(text: &str, shown: Shown) -> (usize, Vec<&str>, usize) {
    let lines: Vec<_> = text.lines().collect();
    let (from, most) = match shown {
        Shown::All => (0, MAX_LINES),
        Shown::Head(most) => (0, most),
        Shown::From(words, most) => {
            let found = lines.iter().position(|line| line.contains(words));
            (found.unwrap_or(0), most)
        }
    };
    let part: Vec<_> = lines.iter().skip(from).take(most).copied().collect();
    let after = lines.len() - from - part.len();
    (from, part, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted() {
        let text = "a\nb\nc\nd\n";
        let all = excerpt(text, Shown::All);
        assert_eq!(all, (0, vec!["a", "b", "c", "d"], 0));
        assert_eq!(excerpt(text, Shown::Head(1)), (0, vec!["a"], 3));
        assert_eq!(excerpt(text, Shown::From("b", 2)), (1, vec!["b", "c"], 1));
        assert_eq!(
            excerpt(text, Shown::From("x", 9)),
            (0, vec!["a", "b", "c", "d"], 0)
        );
        assert_eq!(excerpt("", Shown::All), (0, vec![], 0));
    }
}
