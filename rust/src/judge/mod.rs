//! Columns of judgments and results enter, judged lists leave; imports only `arrays`, `columns` and
//! `errors`.
//!
//! Rows are gathered into `groups` by query, their `duplicates` settled: judgments make a `pool`,
//! results a `run`. An `order` ranks the results, `join` finds their judgments, and `judged` holds
//! what came of it.

pub mod conflict;
pub mod duplicates;
pub mod groups;
pub mod join;
pub mod judged;
pub mod natural;
pub mod order;
pub mod places;
pub mod pool;
pub mod run;
