//! Objects of Python enter and leave as frames and columns; imports `read` and all below it, but
//! not `judge`.
//!
//! What Python calls to get a frame (`readers` for files, `dicts`, `documents` and `objects` for
//! what lies in memory), and what it may do with a column (`export`); and how Ctrl-C ends it while it is busy (`interruption`).

pub mod dicts;
pub mod documents;
pub mod export;
pub mod interruption;
pub mod objects;
pub mod readers;
