//! A JSON text token by token, from a stream: only the token at hand is in memory. Texts lose their quotes and escapes,
//! and values that no cell needs are passed over.

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

/// The longest text that is read byte by byte.
const SHORT: usize = 24;

/// Which bytes end a text of plain signs: the quote, backslashes, and all that is not ASCII or cannot be seen.
const PLAIN: [u8; 256] = {
    let (mut table, mut byte) = ([0; 256], 0);
    while byte < 256 {
        table[byte] = (byte < 32 || byte > 126 || byte == 34 || byte == 92) as u8;
        byte += 1;
    }
    table
};

impl Tokens<'_> {
    /// A text, without its quotes and escapes.
    pub fn text(&mut self) -> Result<&str, Bad> {
        self.pass(b'"')?;
        let start = self.at;
        let near = &self.buffer[start..self.end.min(start + SHORT)];
        // Most texts are short and plain: a search for two signs would take longer to begin than to end.
        let plain = near.iter().position(|&byte| PLAIN[byte as usize] != 0);
        if let Some(size) = plain.filter(|&size| near[size] == b'"') {
            self.at = start + size + 1;
            return Ok(std::str::from_utf8(&self.buffer[start..start + size]).expect("plain signs"));
        }
        let mut size = 0;
        loop {
            let rest = &self.buffer[self.at + size..self.end];
            match memchr::memchr2(b'"', b'\\', rest) {
                Some(found) if rest[found] == b'"' => {
                    let (start, end) = (self.at, self.at + size + found);
                    self.at = end + 1;
                    return checked(&self.buffer[start..end], self.line);
                }
                Some(found) => return self.escaped(size + found),
                None => size += rest.len(),
            }
            if !self.more()? {
                return Err(self.corrupt("the text ends within quotes"));
            }
        }
    }

    /// A text whose first backslash stands after `plain` bytes.
    fn escaped(&mut self, plain: usize) -> Result<&str, Bad> {
        self.unescaped.clear();
        self.unescaped.extend_from_slice(&self.buffer[self.at..self.at + plain]);
        self.at += plain;
        loop {
            if !self.available(1)? {
                return Err(self.corrupt("the text ends within quotes"));
            }
            let rest = &self.buffer[self.at..self.end];
            let size = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
            self.unescaped.extend_from_slice(&rest[..size]);
            let sign = rest.get(size).copied();
            self.at += size;
            if self.unescaped.len() > CELL_LIMIT {
                return Err(Bad::text("cell_too_long", self.line, "", &self.unescaped[..100]));
            }
            match sign {
                Some(b'"') => {
                    self.at += 1;
                    return checked(&self.unescaped, self.line);
                }
                Some(_) => self.escape()?,
                None => (),
            }
        }
    }

    fn escape(&mut self) -> Result<(), Bad> {
        if !self.available(2)? {
            return Err(self.corrupt("the text ends within quotes"));
        }
        let plain = match self.buffer[self.at + 1] {
            sign @ (b'"' | b'\\' | b'/') => sign,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => return self.unicode(),
            _ => return Err(self.corrupt("an unknown escape")),
        };
        self.unescaped.push(plain);
        self.at += 2;
        Ok(())
    }

    fn unicode(&mut self) -> Result<(), Bad> {
        let mut unit = self.unit()?;
        if (0xd800..0xdc00).contains(&unit)
            && self.available(2)?
            && self.buffer[self.at..].starts_with(b"\\u")
        {
            let low = self.unit()?;
            if !(0xdc00..0xe000).contains(&low) {
                return Err(self.corrupt("half a character"));
            }
            unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        }
        let sign = char::from_u32(unit).ok_or_else(|| self.corrupt("half a character"))?;
        self.unescaped.extend_from_slice(sign.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    /// The four digits of an escape.
    fn unit(&mut self) -> Result<u32, Bad> {
        if !self.available(6)? {
            return Err(self.corrupt("the text ends within quotes"));
        }
        let digits = &self.buffer[self.at + 2..self.at + 6];
        let unit = std::str::from_utf8(digits).ok().filter(|text| !text.starts_with('+'));
        let unit = unit.and_then(|text| u32::from_str_radix(text, 16).ok());
        let unit = unit.ok_or_else(|| self.corrupt("an unknown escape"))?;
        self.at += 6;
        Ok(unit)
    }
}

fn checked(bytes: &[u8], line: u64) -> Result<&str, Bad> {
    let text =
        simdutf8::basic::from_utf8(bytes).map_err(|_| Bad::text("not_utf8", line, "", bytes))?;
    if bytes.iter().any(|&byte| byte < b' ') && bytes.contains(&0) {
        return Err(Bad::text("nul", line, "", bytes));
    }
    Ok(text)
}

/// How many lists and objects may lie within each other where values are passed over.
const DEPTH_LIMIT: usize = 10_000;

impl Tokens<'_> {
    /// Passes over a value; `copy` takes its text.
    pub fn skip(&mut self, mut copy: Option<&mut Vec<u8>>) -> Result<(), Bad> {
        let mut open: Vec<u8> = Vec::new();
        loop {
            let byte = self.must()?;
            let start = self.at;
            match byte {
                b'"' => self.skip_text(copy.as_deref_mut())?,
                b'{' | b'[' => {
                    open.push(byte + 2);
                    self.at += 1;
                }
                b'}' | b']' if open.last() == Some(&byte) => {
                    open.pop();
                    self.at += 1;
                }
                b',' | b':' if !open.is_empty() => self.at += 1,
                _ => {
                    self.plain()?;
                    if let Some(copy) = copy.as_deref_mut() {
                        // The word was whole when it was read, so it ends here.
                        let size = self.buffer[..self.at]
                            .iter()
                            .rev()
                            .take_while(|byte| {
                                byte.is_ascii_alphanumeric() || b"+-.".contains(byte)
                            })
                            .count();
                        copy.extend_from_slice(&self.buffer[self.at - size..self.at]);
                    }
                }
            }
            if let Some(copy) = copy.as_deref_mut().filter(|_| b"{}[],:".contains(&byte)) {
                copy.extend_from_slice(&self.buffer[start..=start]);
            }
            if open.len() > DEPTH_LIMIT {
                return Err(Bad::text("too_deep", self.line, "", b""));
            }
            if copy.as_ref().is_some_and(|copy| copy.len() > CELL_LIMIT) {
                return Err(Bad::text("cell_too_long", self.line, "", b""));
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    fn skip_text(&mut self, mut copy: Option<&mut Vec<u8>>) -> Result<(), Bad> {
        let mut from = 1;
        loop {
            let rest = &self.buffer[self.at + from..self.end];
            let found = memchr::memchr2(b'"', b'\\', rest);
            let (size, done) = match found {
                Some(found) if rest[found] == b'"' => (from + found + 1, true),
                // What follows a backslash is passed over with it.
                Some(found) if found + 1 < rest.len() => (from + found + 2, false),
                Some(found) => (from + found, false),
                None => (from + rest.len(), false),
            };
            if let Some(copy) = copy.as_deref_mut() {
                copy.extend_from_slice(&self.buffer[self.at..self.at + size]);
            }
            self.at += size;
            if done {
                return Ok(());
            }
            from = 0;
            if !self.available(2)? {
                return Err(self.corrupt("the text ends within quotes"));
            }
        }
    }
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
