//! A source enters, and its rows leave with the hash of their query, for an engine that divides them by it; imports only
//! `read` and below.
//!
//! `text_records` finds records of text, which stay as they are; `tables` reads rows of Parquet and Arrow files. Both
//! name each row's place in its source. `hashing` says what a query's hash is; `splitter` is what Python calls.

pub mod hashing;
pub mod splitter;
#[cfg_attr(not(feature = "files"), path = "no_tables.rs")]
pub mod tables;
pub mod text_records;
