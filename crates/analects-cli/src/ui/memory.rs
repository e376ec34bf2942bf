//! Memory as people see it.

use std::io::{self, Write};

use analects_engine::verbs::answer::{File, LayerName, Problem, TrustAnswer, Via};
use analects_engine::verbs::memory::{Costs, Listed, Reloaded, Shown};
use analects_text::sanitize;
use unicode_width::UnicodeWidthStr;

use super::{Human, Screen, entries, fit, number, pad, size};

impl Human for Listed {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let rows = rows(self, screen);
        if rows.is_empty() {
            return writeln!(out, "No memory applies here.");
        }
        let columns = Columns::of(&rows, screen.width);
        for layer in self.layers.iter().filter(|layer| !layer.files.is_empty()) {
            writeln!(out, "{}", screen.bold(title(layer.layer)))?;
            for row in rows.iter().filter(|row| row.layer == layer.layer) {
                let name = pad(&fit(&row.name, columns.name), columns.name);
                let tokens = format!("{:>width$} tokens", row.tokens, width = columns.tokens);
                writeln!(out, "{name}  {tokens}  {}", screen.dim(&row.size))?;
            }
        }
        if let Some(entries) = &self.entries {
            entries::show(entries, Some(&self.root), out, screen)?;
        }
        for duplicate in &self.duplicates {
            let short = |path| screen.short(path, Some(&self.root));
            let line = format!(
                "{} says the same as {}",
                short(&duplicate.path),
                short(&duplicate.same_as)
            );
            writeln!(out, "{}", screen.dim(&line))?;
        }
        writeln!(out, "{}", total(self))
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn trust(&self) -> Option<(bool, &TrustAnswer)> {
        Some((self.trusted, &self.trust))
    }
}

impl Human for Reloaded {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let short = |path: &String| screen.short(path, Some(&self.listed.root));
        for (sign, paths) in [
            ("+", &self.added),
            ("~", &self.changed),
            ("-", &self.removed),
        ] {
            for path in paths {
                writeln!(out, "{sign} {}", short(path))?;
            }
        }
        let is_same = self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty();
        if is_same && !self.is_first {
            writeln!(out, "Nothing has changed.")?;
        }
        writeln!(
            out,
            "{}, {} characters",
            total(&self.listed),
            number(self.characters)
        )
    }

    fn problems(&self) -> &[Problem] {
        self.listed.problems()
    }

    fn trust(&self) -> Option<(bool, &TrustAnswer)> {
        self.listed.trust()
    }
}

impl Human for Shown {
    fn show(&self, out: &mut dyn Write, _: &Screen) -> io::Result<()> {
        if self.text.is_empty() {
            return writeln!(out, "No memory applies here.");
        }
        writeln!(out, "{}", sanitize::for_terminal(&self.text))
    }

    fn problems(&self) -> &[Problem] {
        self.listed.problems()
    }

    fn trust(&self) -> Option<(bool, &TrustAnswer)> {
        self.listed.trust()
    }
}

impl Human for Costs {
    fn show(&self, out: &mut dyn Write, screen: &Screen) -> io::Result<()> {
        let listed = &self.listed;
        let share = percent(listed.total_tokens, self.window_tokens);
        let window = number(self.window_tokens);
        writeln!(out, "{}, {share} of a window of {window}", total(listed))?;
        let bars = bars(self, screen);
        if bars.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        let name_width = bars
            .iter()
            .map(|bar| bar.name.width())
            .max()
            .unwrap_or(0)
            .min(screen.width / 2);
        let tokens_width = bars
            .iter()
            .map(|bar| number(bar.tokens).len())
            .max()
            .unwrap_or(0);
        let most = bars.iter().map(|bar| bar.tokens).max().unwrap_or(1).max(1);
        let room = screen.width.saturating_sub(name_width + tokens_width + 11);
        for bar in &bars {
            let name = pad(&fit(&bar.name, name_width), name_width);
            let name = if bar.is_layer {
                screen.bold(&name).into_owned()
            } else {
                name
            };
            let tokens = format!("{:>tokens_width$}", number(bar.tokens));
            let share = format!("{:>6}", percent(bar.tokens, listed.total_tokens));
            let drawn = if screen.is_terminal {
                draw(bar.tokens, most, room)
            } else {
                String::new()
            };
            writeln!(
                out,
                "{}",
                format!("{name}  {tokens} {share}  {drawn}").trim_end()
            )?;
        }
        Ok(())
    }

    fn problems(&self) -> &[Problem] {
        self.listed.problems()
    }

    fn trust(&self) -> Option<(bool, &TrustAnswer)> {
        self.listed.trust()
    }
}

fn title(layer: LayerName) -> &'static str {
    match layer {
        LayerName::Global => "Global",
        LayerName::UserProject => "Private",
        LayerName::Extension => "Extension",
        LayerName::Project => "Project",
    }
}

fn total(listed: &Listed) -> String {
    let n_files: usize = listed.layers.iter().map(|layer| layer.files.len()).sum();
    let files = if n_files == 1 { "file" } else { "files" };
    format!(
        "{} tokens from {n_files} {files}",
        number(listed.total_tokens)
    )
}

/// One line of a listing.
struct Row {
    layer: LayerName,
    name: String,
    tokens: String,
    size: String,
}

fn rows(listed: &Listed, screen: &Screen) -> Vec<Row> {
    let mut rows = Vec::new();
    for layer in &listed.layers {
        for file in &layer.files {
            add_rows(&mut rows, layer.layer, file, &listed.root, 1, screen);
        }
    }
    rows
}

// Imports nest at most as deep as the setting allows, which is bounded.
fn add_rows(
    rows: &mut Vec<Row>,
    layer: LayerName,
    file: &File,
    root: &str,
    depth: usize,
    screen: &Screen,
) {
    let sign = if file.via == Via::Import { "@ " } else { "" };
    let cut = if file.cut_tokens > 0 { ", cut" } else { "" };
    rows.push(Row {
        layer,
        name: format!(
            "{}{sign}{}",
            "  ".repeat(depth),
            screen.short(&file.path, Some(root))
        ),
        tokens: number(file.tokens),
        size: format!("{}{cut}", size(file.bytes)),
    });
    for import in &file.imports {
        add_rows(rows, layer, import, root, depth + 1, screen);
    }
}

struct Columns {
    name: usize,
    tokens: usize,
}

impl Columns {
    fn of(rows: &[Row], width: usize) -> Self {
        let tokens = rows.iter().map(|row| row.tokens.len()).max().unwrap_or(0);
        let size = rows.iter().map(|row| row.size.len()).max().unwrap_or(0);
        let room = width.saturating_sub(tokens + size + " tokens".len() + 4);
        let name = rows
            .iter()
            .map(|row| row.name.width())
            .max()
            .unwrap_or(0)
            .min(room);
        Self { name, tokens }
    }
}

/// One line of a cost chart.
struct Bar {
    name: String,
    tokens: usize,
    is_layer: bool,
}

fn bars(costs: &Costs, screen: &Screen) -> Vec<Bar> {
    let listed = &costs.listed;
    let mut bars = Vec::new();
    for layer in listed.layers.iter().filter(|layer| !layer.files.is_empty()) {
        let limit = percent(layer.tokens, costs.layer_limit_tokens);
        let name = format!("{} ({limit} of its budget)", title(layer.layer));
        bars.push(Bar {
            name,
            tokens: layer.tokens,
            is_layer: true,
        });
        let file_bar = |file: &File| Bar {
            name: format!("  {}", screen.short(&file.path, Some(&listed.root))),
            tokens: file.tokens,
            is_layer: false,
        };
        bars.extend(layer.files.iter().map(file_bar));
    }
    bars
}

/// A bar of up to `room` columns, in eighths of a column.
fn draw(tokens: usize, most: usize, room: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = tokens * room * 8 / most;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "0.0%".to_owned();
    }
    let tenths = part * 1000 / whole;
    format!("{}.{}%", tenths / 10, tenths % 10)
}
