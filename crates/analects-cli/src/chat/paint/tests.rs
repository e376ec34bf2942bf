//! What stands on a screen in the end, seen by a terminal.

mod hostile;
mod looks;
mod streams;

use super::*;

const RICH: PaintOptions = PaintOptions {
    style: Style::Rich,
    has_color: true,
    size: Size {
        width: 80,
        height: 24,
    },
};

/// More rows than any terminal that we paint on here has: nothing is lost above its edge.
const MAX_SCROLL: usize = 5000;

fn sized(width: usize, height: usize) -> PaintOptions {
    let size = Size { width, height };
    PaintOptions { size, ..RICH }
}

/// Everything that is written for `pieces` that come `step_ms` after one another.
fn streamed<'a>(
    pieces: impl IntoIterator<Item = &'a str>,
    step_ms: u64,
    options: PaintOptions,
) -> String {
    let mut paint = Paint::new(options);
    let mut out = Vec::new();
    let mut now_ms = 0;
    for piece in pieces {
        paint.text(&mut out, piece, now_ms).unwrap();
        now_ms += step_ms;
    }
    paint.end(&mut out, now_ms).unwrap();
    String::from_utf8(out).unwrap()
}

/// A terminal that was sent `bytes`.
fn terminal(bytes: &str, size: Size) -> vt100::Parser {
    let rows = u16::try_from(size.height).unwrap();
    let columns = u16::try_from(size.width).unwrap();
    let mut parser = vt100::Parser::new(rows, columns, MAX_SCROLL);
    parser.process(bytes.as_bytes());
    parser
}

/// Everything that a terminal shows, and what can be scrolled back to.
fn page(bytes: &str, size: Size) -> String {
    let mut parser = terminal(bytes, size);
    parser.screen_mut().set_scrollback(usize::MAX);
    let mut lines = Vec::new();
    loop {
        let n_above = parser.screen().scrollback();
        let width = parser.screen().size().1;
        if n_above == 0 {
            lines.extend(parser.screen().rows(0, width));
            break;
        }
        lines.extend(parser.screen().rows(0, width).take(1));
        parser.screen_mut().set_scrollback(n_above - 1);
    }
    let page: Vec<_> = lines.iter().map(|line| line.trim_end()).collect();
    page.join("\n").trim_end().to_owned()
}

/// The sequences that are allowed, and nothing else that drives a terminal.
fn assert_tame(bytes: &str) {
    let mut rest = bytes;
    while let Some(at) = rest.find(|c: char| c.is_control() && c != '\n') {
        rest = &rest[at..];
        let end = match rest.strip_prefix("\u{1b}[") {
            None => {
                assert!(rest.starts_with('\r'), "{:?}", &rest[..rest.len().min(20)]);
                1
            }
            Some(sequence) => {
                let end = sequence.find(|c: char| c.is_ascii_alphabetic()).unwrap();
                let (parameters, last) = sequence.split_at(end);
                let is_numbers = parameters.chars().all(|c| c.is_ascii_digit() || c == ';');
                let is_fine = match last.as_bytes()[0] {
                    b'm' | b'A' => is_numbers,
                    b'K' | b'J' => parameters.is_empty(),
                    b'h' | b'l' => parameters == "?2026",
                    _ => false,
                };
                assert!(is_fine, "{:?}", &sequence[..=end]);
                2 + end + 1
            }
        };
        rest = &rest[end..];
    }
}

/// `text` in pieces of about `n` bytes.
fn pieces(text: &str, n: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (head, tail) = rest.split_at(rest.ceil_char_boundary(n.min(rest.len())));
        pieces.push(head);
        rest = tail;
    }
    pieces
}
