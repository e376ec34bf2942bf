//! An examination as people see it.

use std::io::{self, Write};

use analects_engine::verbs::doctor::{Examined, Spending, SpentFor, Usage};
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

    /// A model that was asked and did not answer.
    fn has_findings(&self) -> bool {
        self.probe.as_ref().is_some_and(|probe| !probe.is_answered)
    }
}

fn counted(usage: &Usage, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
    let Some(since) = &usage.since else {
        return match usage.models.since {
            Some(_) => spent(&usage.models, out, screen),
            None => writeln!(out, "\nNothing was counted yet."),
        };
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
    unreadable(usage.unreadable, out)?;
    spent(&usage.models, out, screen)
}

/// A table of what models cost: by day, then all in all.
fn spent(spending: &Spending, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
    let Some(since) = &spending.since else {
        return Ok(());
    };
    let since: String = since.chars().take("2026-01-01".len()).collect();
    writeln!(out, "\n{}", screen.bold(&format!("Models, since {since}")))?;
    let head = ["calls", "failed", "read", "cached", "written", "time"];
    writeln!(out, "{}", screen.dim(&columns("day", "purpose", head)))?;
    for day in &spending.days {
        writeln!(out, "{}", line(&day.date, &day.spent))?;
    }
    for total in &spending.totals {
        writeln!(out, "{}", line("in all", total))?;
    }
    let (today, ceiling) = (
        spending.background_tokens_today,
        spending.background_daily_tokens,
    );
    let (today, ceiling) = (large(today), large(ceiling));
    writeln!(out, "in the background today: {today} of {ceiling} tokens")?;
    unreadable(spending.unreadable, out)
}

fn line(day: &str, spent: &SpentFor) -> String {
    let purpose = sanitize::one_line(&spent.purpose);
    let numbers = [
        large(spent.calls),
        large(spent.failures),
        tokens(spent.prompt_tokens),
        tokens(spent.cached_tokens),
        tokens(spent.answer_tokens),
        time(spent.ms),
    ];
    columns(day, &purpose, numbers.each_ref().map(String::as_str))
}

fn columns(day: &str, purpose: &str, numbers: [&str; 6]) -> String {
    let numbers = numbers.map(|number| format!(" {number:>8}"));
    let (day, purpose) = (pad(day, 10), pad(purpose, "loop-check".len()));
    format!("{day}  {purpose}{}", numbers.concat())
}

/// Tokens as people say them once there are many.
fn tokens(count: u64) -> String {
    match count {
        0..100_000 => large(count),
        100_000..10_000_000 => format!("{}k", large(count / 1000)),
        _ => format!("{}M", large(count / 1_000_000)),
    }
}

fn time(ms: u64) -> String {
    match ms {
        0..1000 => format!("{ms} ms"),
        1000..100_000 => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        100_000..6_000_000 => format!("{} min", ms / 60_000),
        _ => format!("{} h", large(ms / 3_600_000)),
    }
}

fn unreadable(n_lines: usize, out: &mut dyn Write) -> io::Result<()> {
    match n_lines {
        0 => Ok(()),
        n => writeln!(out, "{} lines of the log make no sense", number(n)),
    }
}

fn large(count: u64) -> String {
    number(usize::try_from(count).unwrap_or(usize::MAX))
}
