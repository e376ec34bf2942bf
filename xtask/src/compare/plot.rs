//! The figures as a picture: a bar for each ratio, on a logarithmic scale.
//!
//! It brings its own background and follows the colour scheme of whoever looks; what a bar says stands beside it, so
//! that no meaning hangs on colour.

use std::fmt::Write;

use super::figures::{Promise, Row, Versus};
use super::page::times;

const WIDTH: f64 = 960.0;
const LABELS: f64 = 400.0;
const BARS: f64 = 460.0;
const ROW: f64 = 22.0;
const HEAD: f64 = 30.0;
const MARGIN: f64 = 24.0;
/// A bar that would go further ends here; its ratio says how far.
const LEAST: f64 = 0.05;

/// One panel beside peers, one beside what the machine takes at least.
pub(super) fn plot(rows: &[Row]) -> String {
    let mut body = String::new();
    let mut y = MARGIN + 10.0;
    let panels = [
        (
            Versus::Peer,
            "How many times better than the peer",
            "further right is better",
        ),
        (
            Versus::Limit,
            "How many times what the machine takes at least",
            "further left is better",
        ),
    ];
    for (versus, title, hint) in panels {
        let rows: Vec<_> = rows.iter().filter(|row| row.versus == versus).collect();
        y = panel(&mut body, &rows, title, hint, y) + 34.0;
    }
    let legend = "◆ is the promised ratio. A striped bar falls short of something that is promised. A bar at the left edge goes on.";
    let _ = writeln!(
        body,
        "<text class='hint' x='{MARGIN}' y='{}'>{legend}</text>",
        y - 12.0
    );
    let height = y + 4.0;
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height}' role='img' \
         aria-label='Ratios beside peers and limits'>\n{STYLE}<rect class='page' width='{WIDTH}' height='{height}' \
         rx='8'/>\n{body}</svg>\n"
    )
}

const STYLE: &str = "<style>
text { font: 13px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 }
.group { font-weight: 600 }
.hint, .tick { fill: #59636e; font-size: 12px }
.value { font-variant-numeric: tabular-nums }
.page { fill: #ffffff }
.grid { stroke: #d1d9e0 }
.one { stroke: #59636e }
.bar { fill: #2f6fbd }
.stripe { stroke: #2f6fbd; stroke-width: 4 }
.mark { fill: #1f2328; stroke: #ffffff }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc }
.hint, .tick { fill: #9198a1 }
.page { fill: #0d1117 }
.grid { stroke: #30363d }
.one { stroke: #9198a1 }
.bar { fill: #6cb0ff }
.stripe { stroke: #6cb0ff }
.mark { fill: #f0f6fc; stroke: #0d1117 }
}
</style>
<defs><pattern id='short' width='6' height='6' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'>\
<line class='stripe' y2='6'/></pattern></defs>
";

/// Draws the rows below one another; answers where it ends.
fn panel(body: &mut String, rows: &[&Row], title: &str, hint: &str, top: f64) -> f64 {
    let _ = writeln!(
        body,
        "<text class='title' x='{MARGIN}' y='{top}'>{title}</text>\n\
         <text class='hint' x='{}' y='{top}' text-anchor='end'>{hint}</text>",
        WIDTH - MARGIN
    );
    let scale = Scale::of(rows);
    let mut lines = Vec::new();
    let mut y = top + 20.0;
    let first = y;
    let mut group = None;
    for row in rows {
        if group.replace(row.group) != Some(row.group) {
            y += HEAD;
            let _ = writeln!(
                lines_of(&mut lines),
                "<text class='group' x='{MARGIN}' y='{}'>{}</text>",
                y - 8.0,
                row.group.title()
            );
        }
        draw(lines_of(&mut lines), row, &scale, y);
        y += ROW;
    }
    for ratio in scale.ticks() {
        let x = scale.x(ratio);
        let class = if ratio == 1.0 { "one" } else { "grid" };
        let _ = writeln!(
            body,
            "<line class='{class}' x1='{x:.1}' x2='{x:.1}' y1='{:.1}' y2='{y:.1}'/>\n\
             <text class='tick' x='{x:.1}' y='{:.1}' text-anchor='middle'>{ratio}×</text>",
            first + 6.0,
            first,
        );
    }
    body.extend(lines);
    y
}

/// Bars stand before the grid.
fn lines_of(lines: &mut Vec<String>) -> &mut String {
    lines.push(String::new());
    lines.last_mut().expect("invariant: one was pushed")
}

fn draw(out: &mut String, row: &Row, scale: &Scale, y: f64) {
    let (one, end) = (scale.x(1.0), scale.x(row.ratio()));
    let (left, right) = (one.min(end), one.max(end));
    let middle = y + ROW / 2.0;
    let holds = row.promises.iter().all(|promise| row.holds(promise));
    let fill = if holds {
        ""
    } else {
        " style='fill: url(#short)'"
    };
    let promised = row.promises.iter().find_map(|promise| match promise {
        Promise::Ratio(ratio) => Some(scale.x(*ratio)),
        _ => None,
    });
    let beyond = promised.filter(|mark| (right..right + 62.0).contains(mark));
    let label = beyond.unwrap_or(right) + if beyond.is_some() { 9.0 } else { 6.0 };
    let _ = writeln!(
        out,
        "<text x='{}' y='{:.1}' text-anchor='end'>{}</text>\n\
         <rect class='bar'{fill} x='{left:.1}' y='{:.1}' width='{:.1}' height='{:.1}' rx='2'/>\n\
         <text class='value' x='{label:.1}' y='{:.1}'>{}</text>",
        LABELS,
        middle + 4.5,
        escaped(&row.name),
        y + 4.0,
        (right - left).max(1.5),
        ROW - 8.0,
        middle + 4.5,
        times(row.ratio()),
    );
    if let Some(x) = promised {
        let _ = writeln!(
            out,
            "<path class='mark' d='M{x:.1} {:.1}l5 6l-5 6l-5-6z'/>",
            middle - 6.0
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// From a ratio to a place, one power of ten after the other.
struct Scale {
    least: f64,
    most: f64,
}

impl Scale {
    /// Wide enough for all rows and for 1, with room for a label behind the longest bar.
    fn of(rows: &[&Row]) -> Self {
        let promised = rows.iter().flat_map(|row| row.promises);
        let promised = promised.filter_map(|promise| match promise {
            Promise::Ratio(ratio) => Some(*ratio),
            _ => None,
        });
        let ratios = rows.iter().map(|row| row.ratio()).chain(promised);
        let ratios: Vec<_> = ratios
            .filter(|ratio| ratio.is_finite() && *ratio > 0.0)
            .collect();
        let least = ratios.iter().copied().fold(0.9, f64::min).max(LEAST);
        let most = ratios.iter().copied().fold(2.0, f64::max);
        Self {
            least: least.log10(),
            most: most.log10(),
        }
    }

    fn x(&self, ratio: f64) -> f64 {
        let share = (ratio.log10() - self.least) / (self.most - self.least);
        LABELS + 16.0 + share.clamp(0.0, 1.0) * BARS
    }

    /// 1, 2, 5, 10, … or powers of ten where that would be too many.
    fn ticks(&self) -> Vec<f64> {
        let steps: &[f64] = match self.most - self.least {
            ..2.2 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        #[expect(
            clippy::cast_possible_truncation,
            reason = "powers of ten, few of them"
        )]
        let decades = (self.least.floor() as i32)..=(self.most.ceil() as i32);
        let all =
            decades.flat_map(|decade| steps.iter().map(move |step| step * 10_f64.powi(decade)));
        all.filter(|tick| (self.least..=self.most).contains(&tick.log10()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::figures::tests::row;

    #[test]
    fn every_row_has_a_bar_with_its_ratio() {
        let rows = [
            row(Versus::Peer, 80.0, &[1.0]),
            row(Versus::Limit, 2.0, &[3.0]),
        ];
        let picture = plot(&rows);
        assert_eq!(picture.matches("<rect class='bar'").count(), 2);
        assert!(picture.contains(">80.0×</text>") && picture.contains(">1.50×</text>"));
    }

    #[test]
    fn what_falls_short_looks_different() {
        let mut row = row(Versus::Peer, 4.0, &[1.0]);
        row.promises = &[Promise::Ratio(3.0)];
        assert!(!plot(std::slice::from_ref(&row)).contains("url(#short)"));
        row.promises = &[Promise::Ratio(5.0)];
        let picture = plot(&[row]);
        assert!(picture.contains("url(#short)") && picture.contains("class='mark'"));
    }

    #[test]
    fn names_cannot_break_the_picture() {
        let mut row = row(Versus::Peer, 4.0, &[1.0]);
        row.name = "a < b & c".to_owned();
        assert!(plot(&[row]).contains("a &lt; b &amp; c"));
    }
}
