//! A path or bytes enter, a frame leaves, or the fact that is wrong with them; imports only
//! `columns` and `errors`.
//!
//! `source` opens a file, or a `piece` of one, and decompresses. Text is cut into `blocks`, which are read side by side by the
//! format: `trec` (with its `fields`), `delimited`, `jsonl`. `json` follows a plan through documents.
//! `parquet` and `ipc` come in columns.
//! `signals` says how far a reader has come, and what ends it before its time.

pub mod blocks;
pub mod delimited;
pub mod fields;
#[cfg(feature = "files")]
pub mod ipc;
pub mod json;
pub mod jsonl;
#[cfg(feature = "files")]
pub mod parquet;
pub mod piece;
pub mod signals;
pub mod source;
pub mod trec;

/// The readers that a build without the feature `files` has in their places: each says that it is left out.
#[cfg(not(feature = "files"))]
pub mod left_out;
#[cfg(not(feature = "files"))]
pub use left_out::{ipc, parquet};
