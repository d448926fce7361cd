//! A path or bytes enter, a frame leaves, or the fact that is wrong with them; imports only
//! `columns` and `errors`.
//!
//! `source` opens a file and decompresses. Text is cut into `blocks`, which are read side by side by the
//! format: `trec` (with its `fields`), `delimited`, `jsonl`. `json` follows a plan through documents.
//! `parquet` and `ipc` come in columns; a build without the feature `files` has `no_parquet` and `no_ipc` in their places.
//! `signals` says how far a reader has come, and what ends it before its time.

pub mod blocks;
pub mod delimited;
pub mod fields;
#[cfg_attr(not(feature = "files"), path = "no_ipc.rs")]
pub mod ipc;
pub mod json;
pub mod jsonl;
#[cfg_attr(not(feature = "files"), path = "no_parquet.rs")]
pub mod parquet;
pub mod signals;
pub mod source;
pub mod trec;
