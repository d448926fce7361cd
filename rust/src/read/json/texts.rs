//! Texts in quotes, with their escapes.

use crate::errors::Bad;
use crate::read::json::tokens::{CELL_LIMIT, Tokens};

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
        return Err(Bad::text("binary", line, "", bytes));
    }
    Ok(text)
}
