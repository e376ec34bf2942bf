//! An examination as people see it.

use std::io::{self, Write};

use analects_engine::verbs::doctor::{Examined, Usage};
use analects_text::sanitize;

use super::{Human, Screen, ago, number, pad};

impl Human for Examined {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        if let Some(adopted) = &self.adopted {
            write!(out, "{}", sanitize::for_terminal(&adopted.diff))?;
            let word = if adopted.written {
                "now"
            } else {
                "would be, or already is,"
            };
            writeln!(
                out,
                "This project's private folder is {word} `{}`.\n",
                adopted.folder
            )?;
        }
        writeln!(out, "analects {}", self.version)?;
        for finding in &self.findings {
            let severity = pad(&finding.severity, "warning".len());
            let severity = match finding.severity.as_str() {
                "ok" => screen.dim(&severity).into_owned(),
                _ => screen.bold(&severity).into_owned(),
            };
            let topic = pad(&finding.topic, "providers".len());
            writeln!(
                out,
                "{severity}  {topic}  {}",
                sanitize::one_line(&finding.message)
            )?;
            if let Some(hint) = &finding.hint {
                writeln!(out, "{:20}hint: {}", "", sanitize::one_line(hint))?;
            }
        }
        self.usage
            .as_ref()
            .map_or(Ok(()), |usage| counted(usage, out, screen))
    }
}

fn counted(usage: &Usage, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
    let Some(since) = &usage.since else {
        return writeln!(out, "\nNothing was counted yet.");
    };
    let day: String = since.chars().take("2026-01-01".len()).collect();
    let saved = large(usage.tokens_saved);
    let head = format!("Since {day}: {saved} tokens that need not be sent any more");
    writeln!(out, "\n{}", screen.bold(&head))?;
    for of in &usage.kinds {
        let kind = pad(&of.kind, "compression_failed".len());
        let last = pad(&ago(&of.last, &usage.now), 12);
        let days: Vec<_> = of.days.iter().map(|day| day.count.to_string()).collect();
        let count = large(of.count);
        writeln!(
            out,
            "{kind}  {count:>7}  {last}  7 days: {}",
            days.join(" ")
        )?;
        if of.tokens_saved > 0 {
            writeln!(out, "{:20}{} tokens saved", "", large(of.tokens_saved))?;
        }
        if of.max_ms > 0 {
            let (mean, max) = (large(of.mean_ms), large(of.max_ms));
            writeln!(out, "{:20}{mean} ms on average, {max} ms at most", "")?;
        }
        for (sort, count) in &of.sorts {
            let line = format!("{:20}{:>7}  {sort}", "", large(*count));
            writeln!(out, "{}", screen.dim(&line))?;
        }
    }
    match usage.unreadable {
        0 => Ok(()),
        n => writeln!(out, "{} lines of the log make no sense", number(n)),
    }
}

fn large(count: u64) -> String {
    number(usize::try_from(count).unwrap_or(usize::MAX))
}
