//! Which texts of a column are worth a look: those among others, those spelled alike, the odd, the first and the last.

use std::collections::HashSet;

use foldhash::fast::RandomState;
use rayon::prelude::*;

use crate::columns::dictionary::KEYED;
use crate::columns::ids::Seen;
use crate::columns::text::Texts;
use crate::columns::workers::shared;

/// Texts that others are looked up among.
pub struct Known<'a> {
    texts: &'a Texts,
    seen: Seen,
}

impl<'a> Known<'a> {
    pub fn new(texts: &'a Texts) -> Known<'a> {
        let mut seen = Seen::default();
        seen.reset(texts.len());
        for (place, &view) in texts.views.iter().enumerate() {
            let same = |other: usize| texts.same(texts.views[other], texts, view);
            seen.insert(KEYED.text(texts, view), place, same);
        }
        Known { texts, seen }
    }

    fn place(&self, others: &Texts, view: u128) -> Option<usize> {
        let same = |place: usize| others.same(view, self.texts, self.texts.views[place]);
        self.seen.find(KEYED.text(others, view), same)
    }
}

fn places(texts: &Texts, wanted: impl Fn(usize) -> bool + Sync + Send) -> Vec<i64> {
    let rows = || (0..texts.len()).into_par_iter();
    shared(|| rows().filter(|&row| wanted(row)).map(|row| row as i64).collect())
}

/// The places of the texts that are known, and of each the first place among these.
pub fn among(texts: &Texts, known: &Known<'_>) -> (Vec<i64>, Vec<i64>) {
    let found = |row: usize| Some((row as i64, known.place(texts, texts.views[row])? as i64));
    shared(|| (0..texts.len()).into_par_iter().filter_map(found).unzip())
}

/// The first and the last in order of the texts that are neither known nor empty.
pub fn ends(texts: &Texts, known: &Known<'_>) -> Option<(String, String)> {
    let rows = || {
        let all = (0..texts.len()).into_par_iter();
        all.filter(|&row| {
            texts.views[row] as u32 > 0 && known.place(texts, texts.views[row]).is_none()
        })
    };
    let order = |a: &usize, b: &usize| texts.compare(texts.views[*a], texts, texts.views[*b]);
    let (first, last) = shared(|| (rows().min_by(order), rows().max_by(order)));
    Some((texts.string(first?), texts.string(last?)))
}

/// The places of the texts that are not of printable ASCII.
pub fn odd(texts: &Texts) -> Vec<i64> {
    places(texts, |row| !is_printable(texts.bytes(row, &mut [0; 16])))
}

fn is_printable(text: &[u8]) -> bool {
    text.iter().all(|byte| (b' '..=b'~').contains(byte))
}

/// The places of the texts that have one of these spellings without capitals and leading zeros, and of those whose
/// spelling needs more of a look: that are not of ASCII, have blanks, or may be addresses.
pub fn spelled_as(texts: &Texts, spellings: &Texts) -> Vec<i64> {
    let mut scratch = [0; 16];
    let spellings: HashSet<Vec<u8>, RandomState> =
        (0..spellings.len()).map(|row| spellings.bytes(row, &mut scratch).to_vec()).collect();
    let pieces = |row: usize, (folded, scratch): &mut (Vec<u8>, [u8; 16])| {
        let text = texts.bytes(row, scratch);
        let plain = text.iter().all(|byte| (b'!'..=b'~').contains(byte) && *byte != b'%');
        fold(text, folded);
        !plain
            || text.windows(3).any(|part| part == b"://")
            || spellings.contains(folded.as_slice())
    };
    let rows = || (0..texts.len()).into_par_iter();
    shared(|| {
        let wanted =
            rows().map_init(|| (Vec::new(), [0; 16]), |held, row| (row, pieces(row, held)));
        wanted.filter(|found| found.1).map(|found| found.0 as i64).collect()
    })
}

/// Puts the text without capitals, and without zeros before a digit and after none, into `folded`.
fn fold(text: &[u8], folded: &mut Vec<u8>) {
    folded.clear();
    let mut number = false;
    for (at, byte) in text.iter().enumerate() {
        let before_digit = text.get(at + 1).is_some_and(u8::is_ascii_digit);
        if *byte == b'0' && !number && before_digit {
            continue;
        }
        number = byte.is_ascii_digit();
        folded.push(byte.to_ascii_lowercase());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(all: &[&str]) -> Texts {
        all.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn spellings_without_capitals_and_leading_zeros() {
        let fold = |text: &str| {
            let mut folded = Vec::new();
            fold(text.as_bytes(), &mut folded);
            String::from_utf8_lossy(&folded).into_owned()
        };
        let all = ["D007", "a0", "0", "00", "100", "a00b", "0x01", "1.05"];
        let folded = ["d7", "a0", "0", "0", "100", "a0b", "0x1", "1.5"];
        assert_eq!(all.map(fold), folded);
    }

    #[test]
    fn what_is_worth_a_look() {
        let all = texts(&["D007", "d8", "a b", "é", "x%20", "http://a", "", "a\u{7f}"]);
        assert_eq!(spelled_as(&all, &texts(&["d7"])), [0, 2, 3, 4, 5, 7]);
        assert_eq!(odd(&all), [3, 7]);
        let known = texts(&["d8", "é", "nothing of these, and longer"]);
        assert_eq!(among(&all, &Known::new(&known)), (vec![1, 3], vec![0, 1]));
        let ends = ends(&all, &Known::new(&known));
        assert_eq!(ends, Some(("D007".to_owned(), "x%20".to_owned())));
    }
}
