//! Natural order: runs of digits compare as numbers, other runs as bytes; ties by bytes.

use std::cmp::Ordering;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

/// The order of ids. Runs of them that are in order already are only merged, as those of parts are.
#[pyfunction]
pub fn natural_order(py: Python<'_>, ids: Vec<PyBackedStr>) -> Bound<'_, PyArray1<i64>> {
    let mut order: Vec<i64> = (0..ids.len() as i64).collect();
    let id = |at: i64| ids[at as usize].as_bytes();
    py.detach(|| order.sort_by(|&a, &b| compare(id(a), id(b))));
    PyArray1::from_vec(py, order)
}

/// Compares two ids in natural order.
pub fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let (mut left, mut right) = (a, b);
    while let (Some(_), Some(_)) = (left.first(), right.first()) {
        let (x, y);
        (x, left) = split(left);
        (y, right) = split(right);
        match runs(x, y) {
            Ordering::Equal => (),
            other => return other,
        }
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

/// Sixteen bytes that order ids as `compare` does as far as they go; equal keys decide nothing.
///
/// A run of digits is written as a mark, its number of significant digits and these; other bytes
/// are raised by one, and a zero ends their run.
pub fn key(id: &[u8]) -> u128 {
    let (mut key, mut used, mut rest) = ([0; 16], 0, id);
    let mut put = |byte: u8| {
        let room = used < 16;
        if room {
            key[used] = byte;
            used += 1;
        }
        room
    };
    while !rest.is_empty() {
        let run;
        (run, rest) = split(rest);
        let whole = if run[0].is_ascii_digit() {
            let digits = significant(run);
            let size = digits.len().min(usize::from(u8::MAX)) as u8;
            put(b'0' + 1) && put(size) && digits.iter().all(|&digit| put(digit))
        } else {
            run.iter().all(|&byte| put(byte.saturating_add(1))) && put(0)
        };
        if !whole {
            break;
        }
    }
    u128::from_be_bytes(key)
}

/// The first run of digits or of other bytes, and what follows it.
fn split(text: &[u8]) -> (&[u8], &[u8]) {
    let digits = text[0].is_ascii_digit();
    let end = text.iter().position(|byte| byte.is_ascii_digit() != digits).unwrap_or(text.len());
    text.split_at(end)
}

fn runs(a: &[u8], b: &[u8]) -> Ordering {
    if a[0].is_ascii_digit() && b[0].is_ascii_digit() {
        let (a, b) = (significant(a), significant(b));
        return a.len().cmp(&b.len()).then_with(|| a.cmp(b));
    }
    a.cmp(b)
}

fn significant(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    &digits[zeros..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_inside_ids_count_as_numbers() {
        let sorted = ["", "1", "01", "2", "10", "a", "a2", "a02b", "a2b", "a10", "a-1", "ab1", "b"];
        for (at, a) in sorted.iter().enumerate() {
            for (other, b) in sorted.iter().enumerate() {
                let expected = if (*a, *b) == ("1", "01") || (*a, *b) == ("01", "1") {
                    a.cmp(b)
                } else {
                    at.cmp(&other)
                };
                assert_eq!(compare(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
            }
        }
    }

    #[test]
    fn keys_never_contradict_the_order() {
        let parts = ["", "0", "01", "9", "10", "a", "a\0", "-", "\0", "ü", "1234567890123456"];
        let mut ids = Vec::new();
        for a in parts {
            for b in parts {
                ids.extend(parts.map(|c| [a, b, c].concat()));
            }
        }
        for a in &ids {
            for b in &ids {
                let (a, b) = (a.as_bytes(), b.as_bytes());
                let keys = key(a).cmp(&key(b));
                assert!(keys == Ordering::Equal || keys == compare(a, b), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn very_long_numbers_do_not_overflow() {
        let (small, large) = ("9".repeat(50), format!("1{}", "0".repeat(50)));
        assert_eq!(compare(small.as_bytes(), large.as_bytes()), Ordering::Less);
    }
}
