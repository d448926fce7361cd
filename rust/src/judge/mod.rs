//! Columns of judgments and results enter, judged lists leave; imports only `arrays`, `columns` and
//! `errors`.
//!
//! Rows are put into `groups` by query, in `natural` order, and their `duplicates` are settled:
//! judgments make a `pool`, results a `run` (of its `rows`, `rolled` up if several of its rows are one unit), whose
//! ranks may leave places out or be in `conflict` with its scores, and whose rows stand in a `sequence`. An `order` ranks the results, `join` finds
//! their judgments, and `judged` holds what came of it.

pub mod conflict;
pub mod duplicates;
pub mod groups;
pub mod join;
pub mod judged;
pub mod natural;
pub mod order;
pub mod pool;
pub mod rolled;
pub mod rows;
pub mod run;
pub mod sequence;
