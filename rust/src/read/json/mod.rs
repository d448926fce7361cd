//! JSON documents of any shape, read by a plan that says where their rows lie.
//!
//! `tokens` takes a stream apart, `plan` says which values of it are cells of which table, `walk`
//! follows the plan through the tokens, and `table` gathers the rows.

pub mod plan;
pub mod table;
pub mod tokens;
pub mod walk;
