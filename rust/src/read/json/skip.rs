//! Values that no cell needs: only whether they end matters.

use crate::errors::Bad;
use crate::read::json::tokens::{CELL_LIMIT, Tokens};

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
