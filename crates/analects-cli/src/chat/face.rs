//! What the terminal can display: colour, width, overwriting.

use std::io;

use analects_world::Surroundings;

use super::paint::{PaintOptions, Size, Style};
use super::voice::Detail;
use crate::args::{Cli, Color};

/// How a chat looks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Face {
    pub(crate) style: Style,
    pub(crate) has_color: bool,
    pub(crate) detail: Detail,
}

impl Face {
    /// As the terminal, the flags and the environment say.
    pub(crate) fn of(cli: &Cli, around: &Surroundings) -> Self {
        let is_dumb = around.var("TERM").is_none_or(|term| term == "dumb");
        let style = match is_dumb || cli.talk.screen_reader {
            true => Style::Lines,
            false => Style::Rich,
        };
        Self {
            style,
            has_color: match cli.global.color {
                Color::Always => true,
                Color::Never => false,
                Color::Auto => style == Style::Rich && around.var("NO_COLOR").is_none(),
            },
            detail: match (cli.global.quiet, cli.global.verbose) {
                (true, _) => Detail::Errors,
                (_, true) => Detail::All,
                _ => Detail::Usual,
            },
        }
    }

    pub(crate) fn paint(self) -> PaintOptions {
        PaintOptions {
            style: self.style,
            has_color: self.has_color,
            size: size().unwrap_or(Size {
                width: 80,
                height: 24,
            }),
        }
    }
}

/// How large the screen is now.
pub(crate) fn size() -> Option<Size> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    let (width, height) = (usize::from(size.ws_col), usize::from(size.ws_row));
    (width > 0 && height > 0).then_some(Size { width, height })
}
