//! A picture of a screen for the guide: a grid of letters in a plain window, the same on every machine.

use std::fmt::Write;

use vt100::{Cell, Color};

/// A letter takes this much, whatever the font.
const WIDTH: usize = 9;
const HEIGHT: usize = 19;
/// From the top of a row to the line that letters stand on.
const BASE: usize = 14;
const MARGIN: usize = 14;
/// The part of the window above the screen.
const BAR: usize = 32;

const PAPER: &str = "#1b1e23";
const INK: &str = "#d7dae0";

/// The first sixteen colours; the others follow from their numbers.
const COLOURS: [&str; 16] = [
    "#2b2f36", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4",
    "#7f848e", "#ef8a92", "#b1d196", "#f0d399", "#85c4f5", "#d79ae8", "#7fcbd5", "#ffffff",
];

/// What is drawn, and how.
pub(super) struct Picture<'a> {
    pub(super) screen: &'a vt100::Screen,
    pub(super) title: &'a str,
    /// What is shown in place of words that are others in every run.
    pub(super) stand_ins: &'a [(String, &'a str)],
}

/// Draws a screen as SVG.
pub(super) fn draw(picture: &Picture) -> String {
    let Picture { screen, title, .. } = picture;
    let (rows, columns) = screen.size();
    let width = usize::from(columns) * WIDTH + 2 * MARGIN;
    let height = usize::from(rows) * HEIGHT + BAR + MARGIN;
    let mut svg = String::new();
    let title = escaped(title);
    let mut add = |line: std::fmt::Arguments| svg.write_fmt(line).expect("a string takes all");
    add(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, \
         monospace\" font-size=\"15\">\n<title>{title}</title>\n"
    ));
    add(format_args!(
        "<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{PAPER}\"/>\n"
    ));
    for (n, colour) in [COLOURS[1], COLOURS[3], COLOURS[2]].iter().enumerate() {
        let x = MARGIN + 6 + n * 18;
        add(format_args!(
            "<circle cx=\"{x}\" cy=\"16\" r=\"5\" fill=\"{colour}\"/>\n"
        ));
    }
    let middle = width / 2;
    add(format_args!(
        "<text x=\"{middle}\" y=\"21\" text-anchor=\"middle\" fill=\"{}\" font-size=\"13\">{title}</text>\n",
        COLOURS[8]
    ));
    for row in 0..rows {
        let y = BAR + usize::from(row) * HEIGHT;
        let mut x = MARGIN;
        for mut run in runs(screen, row) {
            run.stand_in(picture.stand_ins);
            run.draw(x, y, &mut add);
            x += run.n_columns * WIDTH;
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Cells beside each other that look alike.
struct Run {
    n_columns: usize,
    look: Look,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Look {
    ink: String,
    paper: Option<String>,
    is_bold: bool,
    is_dim: bool,
    is_italic: bool,
    is_underlined: bool,
}

fn runs(screen: &vt100::Screen, row: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for column in 0..screen.size().1 {
        let Some(cell) = screen.cell(row, column) else {
            continue;
        };
        if cell.is_wide_continuation() {
            if let Some(run) = runs.last_mut() {
                run.n_columns += 1;
            }
            continue;
        }
        let text = if cell.has_contents() {
            cell.contents()
        } else {
            " "
        };
        let look = look(cell);
        match runs.last_mut() {
            Some(run) if run.look == look => {
                run.text.push_str(text);
                run.n_columns += 1;
            }
            _ => runs.push(Run {
                n_columns: 1,
                look,
                text: text.to_owned(),
            }),
        }
    }
    runs
}

impl Run {
    /// Shows other words; what follows moves.
    fn stand_in(&mut self, stand_ins: &[(String, &str)]) {
        for (words, shown) in stand_ins {
            let n_found = self.text.matches(words).count();
            self.text = self.text.replace(words, shown);
            self.n_columns -= n_found * words.len();
            self.n_columns += n_found * shown.len();
        }
    }

    fn draw(&self, x: usize, y: usize, add: &mut impl FnMut(std::fmt::Arguments)) {
        if let Some(paper) = &self.look.paper {
            let width = self.n_columns * WIDTH;
            add(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{HEIGHT}\" fill=\"{paper}\"/>\n"
            ));
        }
        let shown = self.text.trim_end();
        if shown.is_empty() {
            return;
        }
        let n_blank = self.text.chars().count() - shown.chars().count();
        let width = (self.n_columns - n_blank) * WIDTH;
        let Look { ink, .. } = &self.look;
        let mut more = String::new();
        for (is, word) in [
            (self.look.is_bold, " font-weight=\"bold\""),
            (self.look.is_dim, " fill-opacity=\"0.6\""),
            (self.look.is_italic, " font-style=\"italic\""),
            (self.look.is_underlined, " text-decoration=\"underline\""),
        ] {
            if is {
                more.push_str(word);
            }
        }
        let (base, text) = (y + BASE, escaped(shown));
        add(format_args!(
            "<text x=\"{x}\" y=\"{base}\" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\" \
             xml:space=\"preserve\" fill=\"{ink}\"{more}>{text}</text>\n"
        ));
    }
}

fn look(cell: &Cell) -> Look {
    let (mut ink, mut paper) = (colour(cell.fgcolor()), colour(cell.bgcolor()));
    if cell.inverse() {
        let swapped = ink.unwrap_or_else(|| INK.to_owned());
        ink = Some(paper.unwrap_or_else(|| PAPER.to_owned()));
        paper = Some(swapped);
    }
    Look {
        ink: ink.unwrap_or_else(|| INK.to_owned()),
        paper,
        is_bold: cell.bold(),
        is_dim: cell.dim(),
        is_italic: cell.italic(),
        is_underlined: cell.underline(),
    }
}

/// A colour as it is written, or none if it is that of the window.
fn colour(colour: Color) -> Option<String> {
    match colour {
        Color::Default => None,
        Color::Idx(n @ 0..16) => Some(COLOURS[usize::from(n)].to_owned()),
        Color::Idx(n @ 16..232) => {
            let step = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
            let n = n - 16;
            Some(hex(step(n / 36), step(n / 6 % 6), step(n % 6)))
        }
        Color::Idx(n) => {
            let grey = 8 + 10 * (n - 232);
            Some(hex(grey, grey, grey))
        }
        Color::Rgb(red, green, blue) => Some(hex(red, green, blue)),
    }
}

fn hex(red: u8, green: u8, blue: u8) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML has no way to say these.
            letter if letter.is_control() => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(bytes: &[u8]) -> String {
        let mut parser = vt100::Parser::new(2, 12, 0);
        parser.process(bytes);
        draw(&Picture {
            screen: parser.screen(),
            title: "a <title>",
            stand_ins: &[("tmp42".to_owned(), "T")],
        })
    }

    #[test]
    fn a_picture_has_colours_and_weights_on_a_grid_and_is_well_formed() {
        let svg =
            drawn("a<b \x1b[1;31mred\x1b[0m \x1b[7minv\x1b[0m\r\n漢 \x1b[3;38;5;208mo".as_bytes());
        expect_test::expect![[r##"
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 136 84" width="136" height="84" role="img" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="15">
            <title>a &lt;title&gt;</title>
            <rect width="136" height="84" rx="8" fill="#1b1e23"/>
            <circle cx="20" cy="16" r="5" fill="#e06c75"/>
            <circle cx="38" cy="16" r="5" fill="#e5c07b"/>
            <circle cx="56" cy="16" r="5" fill="#98c379"/>
            <text x="68" y="21" text-anchor="middle" fill="#7f848e" font-size="13">a &lt;title&gt;</text>
            <text x="14" y="46" textLength="27" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="#d7dae0">a&lt;b</text>
            <text x="50" y="46" textLength="27" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="#e06c75" font-weight="bold">red</text>
            <rect x="86" y="32" width="27" height="19" fill="#d7dae0"/>
            <text x="86" y="46" textLength="27" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="#1b1e23">inv</text>
            <text x="14" y="65" textLength="18" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="#d7dae0">漢</text>
            <text x="41" y="65" textLength="9" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="#ff8700" font-style="italic">o</text>
            </svg>
        "##]]
        .assert_eq(&svg);
    }

    #[test]
    fn what_is_another_in_every_run_is_shown_as_something_else() {
        let svg = drawn(b"tmp42/x \x1b[1my");
        assert!(svg.contains(">T/x</text>"), "{svg}");
        assert!(svg.contains("<text x=\"50\" y=\"46\""), "{svg}");
    }

    #[test]
    fn a_blank_screen_is_an_empty_window() {
        let svg = drawn(b"");
        assert_eq!(svg.matches("<text").count(), 1, "{svg}");
        assert!(svg.contains(">a &lt;title&gt;</text>"));
    }
}
