//! Which line of the source a row stands on.

/// From row `breaks[i].0` on, rows stand on consecutive lines from `breaks[i].1`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    breaks: Vec<(u32, u64)>,
    /// Line minus row since the last break, wrapping around.
    ahead: u64,
}

impl Lines {
    /// Says that `row` stands on `line` (1-based); rows come in order.
    pub fn push(&mut self, row: usize, line: u64) {
        // Several rows may stand on one line, so that rows run ahead of lines.
        let ahead = line.wrapping_sub(row as u64);
        if ahead != self.ahead {
            self.ahead = ahead;
            self.breaks.push((row as u32, line));
        }
    }

    /// Puts `part`, whose rows and lines count from a block's start, behind these.
    pub fn append(&mut self, rows: usize, lines: u64, part: &mut Lines) {
        for (row, line) in part.breaks.drain(..) {
            self.push(rows + row as usize, lines + line);
        }
        part.ahead = 0;
    }

    /// The line of a row.
    pub fn line(&self, row: usize) -> u64 {
        let at = self.breaks.partition_point(|&(first, _)| first as usize <= row);
        match at.checked_sub(1).map(|at| self.breaks[at]) {
            Some((first, line)) => line + (row - first as usize) as u64,
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_know_their_lines_across_blocks() {
        let (mut whole, mut part) = (Lines::default(), Lines::default());
        for (row, line) in [(0, 1), (1, 2), (2, 5)] {
            part.push(row, line);
        }
        whole.append(0, 0, &mut part);
        part.push(0, 2);
        whole.append(3, 5, &mut part);
        assert_eq!((0..4).map(|row| whole.line(row)).collect::<Vec<_>>(), [1, 2, 5, 7]);
        assert_eq!(whole.breaks.len(), 3);
    }

    #[test]
    fn several_rows_may_stand_on_one_line() {
        let mut lines = Lines::default();
        for (row, line) in [(0, 1), (1, 1), (2, 1), (3, 2)] {
            lines.push(row, line);
        }
        assert_eq!((0..4).map(|row| lines.line(row)).collect::<Vec<_>>(), [1, 1, 1, 2]);
    }
}
