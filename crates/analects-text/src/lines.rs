//! Tells on which line a byte stands, so that a problem can name it.

/// The starts of all lines of a text; built once, asked often.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Indexes `text`; lines end at `\n`, as every editor counts them.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        Self {
            starts: std::iter::once(0)
                .chain(ends.map(|(at, _)| at + 1))
                .collect(),
        }
    }

    /// The line of byte `offset`, counted from one.
    #[must_use]
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_from_one_and_a_newline_belongs_to_its_line() {
        let index = LineIndex::new("ab\n\ncd");
        let lines: Vec<_> = (0..=6).map(|at| index.line(at)).collect();
        assert_eq!(lines, [1, 1, 1, 2, 3, 3, 3]);
    }
}
