//! Values enter one by one or as Arrow arrays, immutable columns and frames of them leave; imports
//! only `errors`.
//!
//! From the ground up: how values lie in memory (`text`, `text_builder`, `numbers`, `dictionary`) and are read from
//! bytes (`utf8`, `decimal`); how a question is asked of every row (`scan`) by the threads that share work
//! (`workers`); what a column is
//! (`column`), what makes one (`builder`; `arrow` with `casting`, `nested` and `printing`; `lazy`), how Python gets and
//! gives Arrow data (`capsules`), and its values as ids and as numbers
//! (`ids`, `codes`), where one was `seen` before, the `units` of ids; the table they make, the lines its rows stand on, and
//! tables one below the other (`frame`, `lines`, `stacking`).

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
pub mod lazy;
pub mod lines;
pub mod nested;
pub mod numbers;
pub mod printing;
pub mod scan;
pub mod seen;
pub mod stacking;
pub mod text;
pub mod text_builder;
pub mod units;
pub mod utf8;
pub mod workers;
