//! What can be wrong with the input, as facts; Python writes the sentences.

use std::io;

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

create_exception!(
    idealrank._core,
    BadInput,
    PyException,
    "Bad text: args are (kind, line, column, value, detail); line is 1-based, 0 = unknown."
);
create_exception!(
    idealrank._core,
    BadRow,
    PyException,
    "A bad row: args are (kind, row, column, value, detail, other_row); rows are 0-based, -1 = none."
);

/// A value is quoted up to this many characters.
const QUOTED: usize = 100;

#[derive(Debug)]
pub enum Bad {
    Text {
        kind: &'static str,
        line: u64,
        column: String,
        value: String,
        detail: String,
    },
    Row {
        kind: &'static str,
        row: usize,
        column: String,
        value: String,
        detail: String,
        other: i64,
    },
    Io(io::Error),
    Py(PyErr),
}

impl Bad {
    pub fn text(kind: &'static str, line: u64, column: &str, value: &[u8]) -> Bad {
        Bad::Text {
            kind,
            line,
            column: column.to_owned(),
            value: quoted(value),
            detail: String::new(),
        }
    }

    pub fn row(kind: &'static str, row: usize, column: &str, value: &[u8]) -> Bad {
        let (column, value, detail) = (column.to_owned(), quoted(value), String::new());
        Bad::Row { kind, row, column, value, detail, other: -1 }
    }

    /// A word that is none of those that `what` may be.
    pub fn unknown(what: &str, word: &str) -> Bad {
        Bad::Py(PyValueError::new_err(format!("no {what} '{word}'")))
    }

    pub fn detail(mut self, text: impl Into<String>) -> Bad {
        match &mut self {
            Bad::Text { detail, .. } | Bad::Row { detail, .. } => *detail = text.into(),
            Bad::Io(_) | Bad::Py(_) => (),
        }
        self
    }

    /// The same fact when `lines` lines come before the block it was found in.
    pub fn after(mut self, lines: u64) -> Bad {
        if let Bad::Text { line, .. } = &mut self {
            *line += if *line == 0 { 0 } else { lines };
        }
        self
    }

    /// A file that only a build with the feature `files` reads.
    #[cfg(not(feature = "files"))]
    pub fn left_out() -> Bad {
        Bad::text("left_out", 0, "", b"")
    }

    pub fn corrupt(error: impl std::fmt::Display) -> Bad {
        let words: Vec<String> = error.to_string().split_whitespace().map(str::to_owned).collect();
        Bad::text("corrupt", 0, "", b"").detail(words.join(" "))
    }
}

fn quoted(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

impl From<io::Error> for Bad {
    fn from(error: io::Error) -> Bad {
        Bad::Io(error)
    }
}

impl From<PyErr> for Bad {
    fn from(error: PyErr) -> Bad {
        Bad::Py(error)
    }
}

impl From<Bad> for PyErr {
    fn from(bad: Bad) -> PyErr {
        match bad {
            Bad::Text { kind, line, column, value, detail } => {
                BadInput::new_err((kind, line, column, value, detail))
            }
            Bad::Row { kind, row, column, value, detail, other } => {
                BadRow::new_err((kind, row, column, value, detail, other))
            }
            Bad::Io(error) => error.into(),
            Bad::Py(error) => error,
        }
    }
}
