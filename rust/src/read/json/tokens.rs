//! A JSON text token by token, from a stream: only the token at hand is in memory.

use crate::columns::builder::Cell;
use crate::errors::Bad;
use crate::read::source::Input;

/// Bytes that are read at a time.
const PIECE: usize = if cfg!(fuzzing) { 1 << 6 } else { 1 << 18 };

/// The longest text or number that is kept.
pub const CELL_LIMIT: usize = 1 << 24;

pub struct Tokens<'a> {
    pub(super) input: Input<'a>,
    pub(super) buffer: Vec<u8>,
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) over: bool,
    pub(super) line: u64,
    pub(super) unescaped: Vec<u8>,
}

impl<'a> Tokens<'a> {
    pub fn new(input: Input<'a>) -> Result<Tokens<'a>, Bad> {
        let buffer = vec![0; PIECE];
        let (at, end, line) = (0, 0, 1);
        let mut tokens =
            Tokens { input, buffer, at, end, over: false, line, unescaped: Vec::new() };
        tokens.available(3)?;
        if tokens.buffer[..tokens.end].starts_with(b"\xef\xbb\xbf") {
            tokens.at = 3;
        }
        Ok(tokens)
    }

    /// The line of the next token, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    pub fn corrupt(&self, detail: impl Into<String>) -> Bad {
        let shown = &self.buffer[self.at.min(self.end)..self.end.min(self.at + 100)];
        Bad::text("corrupt", self.line, "", shown).detail(detail)
    }

    /// Reads on; everything before `at` is forgotten. False at the end of the stream.
    pub(super) fn more(&mut self) -> Result<bool, Bad> {
        if self.over {
            return Ok(false);
        }
        self.buffer.copy_within(self.at..self.end, 0);
        (self.at, self.end) = (0, self.end - self.at);
        if self.end > CELL_LIMIT {
            return Err(Bad::text("cell_too_long", self.line, "", &self.buffer[..100]));
        }
        if self.buffer.len() < self.end + PIECE {
            self.buffer.resize(self.end + PIECE, 0);
        }
        let got = self.input.fill(&mut self.buffer[self.end..self.end + PIECE])?;
        self.end += got;
        self.over = got < PIECE;
        Ok(got > 0)
    }

    /// Are there `count` more bytes?
    pub(super) fn available(&mut self, count: usize) -> Result<bool, Bad> {
        while self.end - self.at < count {
            if !self.more()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The first byte of the next token; `None` at the end of the text.
    #[inline]
    pub fn peek(&mut self) -> Result<Option<u8>, Bad> {
        loop {
            while self.at < self.end {
                match self.buffer[self.at] {
                    b' ' | b'\t' | b'\r' => (),
                    b'\n' => self.line += 1,
                    byte => return Ok(Some(byte)),
                }
                self.at += 1;
            }
            if !self.more()? {
                return Ok(None);
            }
        }
    }

    /// The first byte of a token that must be there.
    #[inline]
    pub fn must(&mut self) -> Result<u8, Bad> {
        self.peek()?.ok_or_else(|| self.corrupt("the text ends early"))
    }

    /// Passes over a sign that must come next.
    #[inline]
    pub fn pass(&mut self, sign: u8) -> Result<(), Bad> {
        if self.must()? == sign {
            self.at += 1;
            return Ok(());
        }
        Err(self.corrupt(format!("expected '{}'", sign as char)))
    }

    /// Is there another item before `close`? Passes over the comma, or over `close` at the end.
    #[inline]
    pub fn another(&mut self, close: u8, first: bool) -> Result<bool, Bad> {
        match self.must()? {
            byte if byte == close => {
                self.at += 1;
                Ok(false)
            }
            _ if first => Ok(true),
            b',' => {
                self.at += 1;
                if self.must()? == close {
                    return Err(self.corrupt("a comma before the end"));
                }
                Ok(true)
            }
            _ => Err(self.corrupt(format!("expected ',' or '{}'", close as char))),
        }
    }

    /// A number, a truth value or null; NaN and Infinity as Python writes them.
    pub fn plain(&mut self) -> Result<Cell<'static>, Bad> {
        let mut size = 0;
        loop {
            let word = &self.buffer[self.at..self.end];
            size += word[size..]
                .iter()
                .position(|byte| !(byte.is_ascii_alphanumeric() || b"+-.".contains(byte)))
                .unwrap_or(word.len() - size);
            if size < word.len() || !self.more()? {
                break;
            }
        }
        let cell = cell_of(&self.buffer[self.at..self.at + size]);
        let cell = cell.ok_or_else(|| self.corrupt("expected a value"))?;
        self.at += size;
        Ok(cell)
    }
}

fn cell_of(word: &[u8]) -> Option<Cell<'static>> {
    match word {
        b"null" => return Some(Cell::Missing),
        b"true" => return Some(Cell::Bool(true)),
        b"false" => return Some(Cell::Bool(false)),
        b"NaN" => return Some(Cell::Float(f64::NAN)),
        b"Infinity" => return Some(Cell::Float(f64::INFINITY)),
        b"-Infinity" => return Some(Cell::Float(f64::NEG_INFINITY)),
        _ => (),
    }
    let digits = word.strip_prefix(b"-").unwrap_or(word);
    if !digits.first()?.is_ascii_digit() || !digits.last()?.is_ascii_digit() {
        return None;
    }
    let text = std::str::from_utf8(word).ok()?;
    if digits.iter().all(u8::is_ascii_digit) {
        // An id may have more digits than an integer holds.
        return Some(text.parse().map_or_else(|_| Cell::Text(text.to_owned().into()), Cell::Int));
    }
    text.parse().ok().map(Cell::Float)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Result<Vec<Cell<'static>>, Bad> {
        let mut tokens = Tokens::new(Input::of(text.as_bytes())?)?;
        tokens.pass(b'[')?;
        let (mut cells, mut first) = (Vec::new(), true);
        while tokens.another(b']', first)? {
            first = false;
            cells.push(match tokens.must()? {
                b'"' => Cell::Text(tokens.text()?.to_owned().into()),
                _ => tokens.plain()?,
            });
        }
        Ok(cells)
    }

    #[test]
    fn values_are_what_they_say() {
        let text =
            r#" [ "a\n\"\u00e9\ud83d\ude00", 12, -0.5e1 , true,null, 123456789012345678901 ]"#;
        let expected = [
            Cell::Text("a\n\"é😀".into()),
            Cell::Int(12),
            Cell::Float(-5.0),
            Cell::Bool(true),
            Cell::Missing,
            Cell::Text("123456789012345678901".into()),
        ];
        assert_eq!(cells(text).expect("valid"), expected);
    }

    #[test]
    fn faults_are_refused() {
        for text in ["[1,]", "[1 2]", "[\"a", "[1", "[01x]", "[\"\\ud800\"]", "[\"\\q\"]", "[.5]"] {
            assert!(cells(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_value_is_passed_over_whole_across_pieces() {
        let long =
            format!("{{\"a\": [\"{}\\\\\", {{\"b\": \"x\\\"\"}}], \"c\": 1}} 7", "y".repeat(PIECE));
        let mut tokens = Tokens::new(Input::of(long.as_bytes()).unwrap()).unwrap();
        let mut copy = Vec::new();
        tokens.skip(Some(&mut copy)).expect("valid");
        assert_eq!(
            copy.len(),
            long.len() - 2 - long.matches(": ").count() - long.matches(", ").count()
        );
        assert_eq!(tokens.plain().map_err(|_| ()).ok(), None);
        assert_eq!(tokens.peek().unwrap(), Some(b'7'));
    }
}
