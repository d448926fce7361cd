//! Values enter one by one or as Arrow arrays, immutable columns and frames of them leave; imports
//! only `errors`.
//!
//! From the ground up: how values lie in memory (`text`, `text_builder`, `numbers`, `dictionary`) and are read from
//! bytes (`utf8`, `decimal`); how a question is asked of every row (`scan`) by the threads that share work
//! (`workers`); what a column is (`column`), what makes one (`builder`; `arrow` with `casting`, `nested` and
//! `printing`), how Python gets and gives Arrow data (`capsules`), and its values as ids and as numbers (`ids`,
//! `codes`); the table they make, and tables one below the other (`frame`).

pub mod arrow;
pub mod builder;
pub mod capsules;
pub mod casting;
pub mod codes;
pub mod column;
pub mod decimal;
pub mod dictionary;
pub mod frame;
pub mod ids;
pub mod nested;
pub mod numbers;
pub mod printing;
pub mod scan;
pub mod text;
pub mod text_builder;
pub mod utf8;
pub mod workers;
