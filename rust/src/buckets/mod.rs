//! A source enters, and its buckets leave: all rows of a query are in one of them, in their order;
//! imports only `read` and below.
//!
//! `assignment` says which bucket a query belongs to, by the hashes of `hashing`. If a file's rows are
//! in the order of the buckets, each is one of its `pieces`, and nothing is copied; else a file per
//! bucket is written. `text_records` finds records of text and copies them as they are; `tables` reads
//! rows of Parquet and Arrow files and copies them. `pieces` also finds the line or row of the source
//! that a row of a bucket came from. `splitter` is what Python calls.

pub mod assignment;
pub mod hashing;
pub mod pieces;
pub mod splitter;
#[cfg_attr(not(feature = "files"), path = "no_tables.rs")]
pub mod tables;
pub mod text_records;
