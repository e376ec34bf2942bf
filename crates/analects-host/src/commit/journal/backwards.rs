//! Reading a file of lines from its end.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// No line comes near this: not even a record that undoes a file of the largest size.
const MAX_LINE_BYTES: usize = 1024 * 1024 * 1024;

/// A few lines: most who look here want the last one.
const STEP_BYTES: usize = 8 * 1024;

/// The pieces between line ends, the last one first. That one is what stands after the last line end:
/// nothing, or a line that was never finished.
pub(super) struct Backwards<'a> {
    file: &'a File,
    /// How much of the file lies before what was read.
    start: u64,
    /// What was read and not yet given away.
    tail: Vec<u8>,
    step: usize,
    is_over: bool,
}

impl<'a> Backwards<'a> {
    pub(super) fn new(file: &'a File) -> io::Result<Self> {
        Ok(Self {
            start: file.metadata()?.len(),
            file,
            tail: Vec::new(),
            step: STEP_BYTES,
            is_over: false,
        })
    }

    /// The next piece, without its line end; `None` at the beginning of the file.
    pub(super) fn piece(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut searched = 0;
        while !self.is_over {
            let fresh = self.tail.len() - searched;
            let line_end = self
                .tail
                .iter()
                .take(fresh)
                .rposition(|&byte| byte == b'\n');
            if let Some(at) = line_end {
                let piece = self.tail.split_off(at + 1);
                self.tail.pop();
                return Ok(Some(piece));
            }
            searched = self.tail.len();
            if self.start == 0 {
                self.is_over = true;
                return Ok(Some(std::mem::take(&mut self.tail)));
            }
            if searched > MAX_LINE_BYTES {
                return Err(io::Error::other("the journal has no line ends"));
            }
            self.read_more()?;
        }
        Ok(None)
    }

    fn read_more(&mut self) -> io::Result<()> {
        // Twice as much each time a line goes on, so that a long one is not moved again and again.
        let step = self.step.max(self.tail.len()) as u64;
        let from = self.start.saturating_sub(step);
        let n_bytes = usize::try_from(self.start - from).unwrap_or_default();
        let mut read = Vec::with_capacity(n_bytes + self.tail.len());
        self.file.seek(SeekFrom::Start(from))?;
        self.file.take(self.start - from).read_to_end(&mut read)?;
        read.append(&mut self.tail);
        self.tail = read;
        self.start = from;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn pieces(text: &str, step: usize) -> Vec<String> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let mut backwards = Backwards::new(&file).unwrap();
        backwards.step = step;
        std::iter::from_fn(|| backwards.piece().unwrap())
            .map(|piece| String::from_utf8(piece).unwrap())
            .collect()
    }

    #[test]
    fn pieces_come_last_first_whatever_the_step() {
        for text in ["", "a", "a\n", "a\nb", "\n\nab\n", "one\ntwo\nthree\n"] {
            let expected: Vec<_> = text.split('\n').rev().collect();
            for step in [1, 2, 3, 100] {
                assert_eq!(pieces(text, step), expected, "{text:?} by {step}");
            }
        }
    }
}
