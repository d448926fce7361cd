//! Natural order: runs of digits compare as numbers, other runs as bytes; ties by bytes.

use std::cmp::Ordering;

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
    fn very_long_numbers_do_not_overflow() {
        let (small, large) = ("9".repeat(50), format!("1{}", "0".repeat(50)));
        assert_eq!(compare(small.as_bytes(), large.as_bytes()), Ordering::Less);
    }
}
