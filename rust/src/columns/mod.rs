//! Values enter one by one or as Arrow arrays, immutable columns and frames of them leave; imports
//! only `errors`.
//!
//! From the ground up: how values lie in memory and are read from bytes (`text`, `numbers`, `dictionary`); how a question
//! is asked of every row (`scan`) by the threads that share work (`workers`); what a column is (`column`), what makes
//! one (`builder`; `arrow` with `cells`, and with `capsules`, by which Python gets and gives Arrow data), its values as ids
//! and as codes (`ids`), and which of many ids are worth a look (`spelling`); the table they make, and tables one below the other (`frame`).

pub mod arrow;
pub mod builder;
pub mod cells;
pub mod column;
pub mod dictionary;
pub mod frame;
pub mod ids;
pub mod numbers;
pub mod scan;
pub mod spelling;
pub mod text;
pub mod workers;
