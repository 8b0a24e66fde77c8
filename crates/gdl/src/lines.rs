//! Byte offsets to lines and columns.

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    text: Box<str>,
}

/// A place in a text as people count: both from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl LineIndex {
    /// Looks through a text once. A line ends with `\n`, `\r\n` or `\r`.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = |&at: &usize| bytes[at] == b'\n' || (bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
        let starts = std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|at| at as u32 + 1)).collect();
        Self { starts, text: text.into() }
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The line of a byte, from 0.
    pub(crate) fn line(&self, byte: u32) -> usize {
        self.starts.partition_point(|&start| start <= byte) - 1
    }

    /// The first byte of a line.
    pub(crate) fn start(&self, line: usize) -> usize {
        self.starts[line] as usize
    }

    /// One past the last byte of a line, its line end included.
    pub(crate) fn end(&self, line: usize) -> usize {
        self.starts.get(line + 1).map_or(self.text.len(), |&start| start as usize)
    }

    /// The place of a byte; a byte past the end is taken for the end.
    pub fn position(&self, byte: u32) -> Position {
        let byte = byte.min(self.text.len() as u32);
        let line = self.line(byte);
        let start = self.start(line);
        let continues = |byte: u8| byte & 0b1100_0000 == 0b1000_0000;
        let before = &self.text.as_bytes()[start..byte as usize];
        Position { line: line + 1, column: before.iter().filter(|&&byte| !continues(byte)).count() + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::{LineIndex, Position};

    #[test]
    fn lines_and_columns_count_from_one() {
        let index = LineIndex::new("ab\ncé d\r\ne\rf");
        let cases =
            [(0, 1, 1), (2, 1, 3), (3, 2, 1), (4, 2, 2), (6, 2, 3), (7, 2, 4), (10, 3, 1), (12, 4, 1), (13, 4, 2), (99, 4, 2)];
        for (byte, line, column) in cases {
            assert_eq!(index.position(byte), Position { line, column }, "byte {byte}");
        }
    }
}
