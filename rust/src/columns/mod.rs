//! Values enter one by one or as Arrow arrays, immutable columns and frames of them leave; imports
//! only `errors`.
//!
//! From the ground up: how a value lies in memory (`text`, `numbers`, `decimal`, `dictionary`), what
//! a column is (`column`), what makes one (`builder`, `arrow`, `lazy`), what is asked of one (`ids`,
//! `codes`), and the table they make (`frame`, with the `lines` its rows stand on).

pub mod arrow;
pub mod builder;
pub mod codes;
pub mod column;
pub mod decimal;
pub mod dictionary;
pub mod frame;
pub mod ids;
pub mod lazy;
pub mod lines;
pub mod numbers;
pub mod scan;
pub mod text;
pub mod utf8;
