//! Questions about every row, answered in pieces side by side.

use std::ops::Range;

use rayon::prelude::*;

use crate::columns::workers::shared;

/// Rows handled in one piece of parallel work.
pub const PIECE: usize = 1 << 16;

/// What `of` makes of the rows in pieces, one behind the other; of one piece it is made here.
pub fn each_piece<T: Send>(rows: usize, of: impl Fn(Range<usize>) -> T + Sync + Send) -> Vec<T> {
    if rows <= PIECE {
        return if rows == 0 { Vec::new() } else { vec![of(0..rows)] };
    }
    shared(|| pieces(rows).map(of).collect())
}

fn pieces(rows: usize) -> impl IndexedParallelIterator<Item = Range<usize>> {
    let piece = move |at| at * PIECE..rows.min((at + 1) * PIECE);
    (0..rows.div_ceil(PIECE)).into_par_iter().map(piece)
}

/// The first row that passes.
pub fn first(rows: usize, test: impl Fn(usize) -> bool + Sync) -> Option<usize> {
    if rows <= PIECE {
        return (0..rows).find(|&row| test(row));
    }
    shared(|| pieces(rows).find_map_first(|mut piece| piece.find(|&row| test(row))))
}

/// Does any value pass? Asked of all values of a piece, which takes no branch for each.
pub fn any<T: Copy + Sync>(values: &[T], test: impl Fn(T) -> bool + Sync) -> bool {
    let some = |values: &[T]| values.iter().fold(0u8, |any, &value| any | u8::from(test(value)));
    if values.len() <= PIECE {
        return some(values) != 0;
    }
    shared(|| values.par_chunks(PIECE).any(|piece| some(piece) != 0))
}

/// How many rows pass.
pub fn count(rows: usize, test: impl Fn(usize) -> bool + Sync) -> usize {
    if rows <= PIECE {
        return (0..rows).filter(|&row| test(row)).count();
    }
    shared(|| pieces(rows).map(|piece| piece.filter(|&row| test(row)).count()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_every_row_once() {
        for rows in [0, 1, PIECE - 1, PIECE, 3 * PIECE + 7] {
            assert_eq!(count(rows, |_| true), rows);
            assert_eq!(first(rows, |row| row + 1 == rows), rows.checked_sub(1));
            assert_eq!(
                first(rows, |row| row % 5 == 4 && row > 2 * PIECE),
                (2 * PIECE + 1..rows).find(|row| row % 5 == 4)
            );
        }
    }
}
