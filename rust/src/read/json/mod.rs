//! JSON documents of any shape, read by a plan that says where their rows lie.
//!
//! `tokens` takes a stream apart, and passes over what is not needed; `plan` says which values are
//! cells of which table, `walk` follows it, `table` gathers the rows, and `documents` reads a whole
//! text.

pub mod documents;
pub mod plan;
pub mod table;
pub mod tokens;
pub mod walk;
