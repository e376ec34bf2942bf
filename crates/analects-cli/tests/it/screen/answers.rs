//! What a terminal says by itself: programs ask where the cursor is, what it can do, how it tells keys.

use vt100::Callbacks;

/// What was asked and is not answered yet, and what was agreed on.
#[derive(Default)]
pub(super) struct Answers {
    replies: Vec<u8>,
    /// How keys are told, one number for everybody who asked for something else than before.
    keyboards: Vec<u16>,
}

/// How keys are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyboard {
    /// By bytes that have stood for them since there are terminals.
    Plain,
    /// So that Escape is no beginning of something else: `ESC [ 27 u`.
    Distinct,
}

impl Answers {
    /// What is to be sent.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.replies)
    }

    pub(super) fn keyboard(&self) -> Keyboard {
        match self.flags() & 1 {
            0 => Keyboard::Plain,
            _ => Keyboard::Distinct,
        }
    }

    fn flags(&self) -> u16 {
        self.keyboards.last().copied().unwrap_or(0)
    }

    fn reply(&mut self, text: &str) {
        self.replies.extend_from_slice(text.as_bytes());
    }
}

impl Callbacks for Answers {
    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        mark: Option<u8>,
        _: Option<u8>,
        params: &[&[u16]],
        letter: char,
    ) {
        let first = params.first().and_then(|param| param.first()).copied();
        let first = first.unwrap_or(0);
        match (mark, letter, first) {
            // All is well.
            (None, 'n', 5) => self.reply("\x1b[0n"),
            (None, 'n', 6) => {
                let (row, column) = screen.cursor_position();
                // Past the last column there is no place to be, until something is written there.
                let column = column.min(screen.size().1 - 1);
                self.reply(&format!("\x1b[{};{}R", row + 1, column + 1));
            }
            // A terminal with colours.
            (None, 'c', 0) => self.reply("\x1b[?62;22c"),
            (Some(b'>'), 'c', 0) => self.reply("\x1b[>1;10;0c"),
            (Some(b'?'), 'u', _) => self.reply(&format!("\x1b[?{}u", self.flags() & 1)),
            (Some(b'>'), 'u', flags) => self.keyboards.push(flags),
            (Some(b'<'), 'u', n) => {
                let left = self.keyboards.len().saturating_sub(usize::from(n.max(1)));
                self.keyboards.truncate(left);
            }
            _ => {}
        }
    }
}
