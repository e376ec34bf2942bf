//! The status line before each prompt, and the larger views that `/context` and the like show.

use std::io::{self, Write};

use analects_engine::inbox::Count;
use analects_engine::talk::Stats;
use analects_engine::talk::conversation::{Standing, Window};
use analects_text::sanitize::one_line;

use crate::ui::Screen;

/// The line: the model, its window, what memory takes of it, what waits, and whether it is recorded.
pub(crate) fn line(standing: &Standing, inbox: Count) -> String {
    let percent = percent(standing.used_tokens, standing.window_tokens);
    let mut parts = vec![
        one_line(&standing.model).into_owned(),
        format!(
            "context {percent} % ({} of {}, memory {})",
            short(standing.used_tokens),
            short(standing.window_tokens),
            short(standing.memory_tokens)
        ),
    ];
    match inbox {
        Count { n_all: 0, .. } => {}
        Count { n_all, n_new: 0 } => parts.push(format!("inbox {n_all}")),
        Count { n_all, n_new } => parts.push(format!("inbox {n_all}, {n_new} new")),
    }
    parts.push(match standing.is_recorded {
        true => "recorded".to_owned(),
        false => "not recorded".to_owned(),
    });
    parts.join(" · ")
}

/// A picture of the window: a bar for each part.
pub(crate) fn window(out: &mut dyn Write, window: &Window, screen: &Screen) -> io::Result<()> {
    let all = window.window_tokens.max(1);
    let title = format!("The window holds {} tokens", short(all));
    writeln!(out, "{}", screen.bold(&title))?;
    let free = window.free_tokens();
    let parts = window.parts.iter().filter(|part| part.tokens > 0);
    let parts = parts.map(|part| (part.by.name(), part.tokens));
    for (name, tokens) in parts.chain([("free", free)]) {
        let n_full = (tokens * BAR).div_ceil(all).min(BAR);
        let bar = match name {
            "free" => format!("{:<BAR$}", "·".repeat(n_full)),
            _ => format!("{:<BAR$}", "#".repeat(n_full)),
        };
        let percent = percent(tokens, all);
        let line = format!("  {name:<18} {bar} {percent:>3} % {:>7}", short(tokens));
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Columns of a bar.
const BAR: usize = 32;

/// What a conversation took, in a few lines.
pub(crate) fn stats(out: &mut dyn Write, stats: &Stats, screen: &Screen) -> io::Result<()> {
    for (model, of) in &stats.models {
        let (api, tokens) = (&of.api, &of.tokens);
        let line = format!(
            "{}: {} requests, {} failed, {:.1} s",
            one_line(model),
            api.total_requests,
            api.total_errors,
            seconds(api.total_latency_ms)
        );
        writeln!(out, "{}", screen.bold(&line))?;
        writeln!(
            out,
            "  read {} (cached {}), wrote {}, thought {}",
            short_u64(tokens.prompt),
            short_u64(tokens.cached),
            short_u64(tokens.candidates),
            short_u64(tokens.thoughts)
        )?;
    }
    if stats.models.is_empty() {
        writeln!(out, "No model was asked yet.")?;
    }
    let tools = &stats.tools;
    writeln!(
        out,
        "tools: {} calls, {} failed, {:.1} s; you agreed to {}, declined {}",
        tools.total_calls,
        tools.total_fail,
        seconds(tools.total_duration_ms),
        tools.total_decisions.accept,
        tools.total_decisions.reject,
    )?;
    let files = &stats.files;
    writeln!(
        out,
        "files: +{} -{} lines",
        files.total_lines_added, files.total_lines_removed
    )
}

/// What one turn took, in a line; what all turns before took is given.
pub(crate) fn turn(before: &Stats, after: &Stats) -> String {
    let sum = |stats: &Stats| {
        let all = stats.models.values();
        all.fold((0, 0, 0), |(prompt, wrote, ms): (u64, u64, u64), of| {
            (
                prompt.saturating_add(of.tokens.prompt),
                wrote.saturating_add(of.tokens.candidates),
                ms.saturating_add(of.api.total_latency_ms),
            )
        })
    };
    let (was, is) = (sum(before), sum(after));
    let read = short_u64(is.0.saturating_sub(was.0));
    let wrote = short_u64(is.1.saturating_sub(was.1));
    let took = seconds(is.2.saturating_sub(was.2));
    format!("read {read}, wrote {wrote} tokens, {took:.1} s")
}

fn percent(part: usize, all: usize) -> usize {
    match all {
        0 => 0,
        all => (part.saturating_mul(100)).div_ceil(all),
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a tenth of a second is precise enough"
)]
fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

fn short_u64(tokens: u64) -> String {
    short(usize::try_from(tokens).unwrap_or(usize::MAX))
}

/// A number as people say it: 950, 1.2k, 128k, 1.0M.
pub(crate) fn short(tokens: usize) -> String {
    match tokens {
        0..1_000 => tokens.to_string(),
        1_000..10_000 => format!("{}.{}k", tokens / 1_000, tokens % 1_000 / 100),
        10_000..1_000_000 => format!("{}k", tokens / 1_000),
        _ => format!("{}.{}M", tokens / 1_000_000, tokens % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1_000, "1.0k"),
            (9_999, "9.9k"),
            (128_000, "128k"),
            (1_048_576, "1.0M"),
        ];
        for (tokens, shown) in cases {
            assert_eq!(short(tokens), shown);
        }
        assert_eq!(
            (percent(0, 0), percent(1, 1_000), percent(500, 1_000)),
            (0, 1, 50)
        );
    }
}
