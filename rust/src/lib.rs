//! The compiled core of idealrank: reads judgments and results, groups, joins, orders and ranks.

mod arrays;
mod blocks;
mod cells;
mod chunks;
mod coded;
mod codes;
mod columns;
mod conflict;
mod decimal;
mod delimited;
mod dicts;
mod duplicates;
mod errors;
mod export;
mod fields;
mod files;
mod frame;
#[doc(hidden)]
pub mod fuzzing;
mod groups;
mod held;
mod ids;
mod ipc;
mod join;
mod jsonl;
mod judged;
mod lines;
mod natural;
mod numbers;
mod objects;
mod order;
mod places;
mod pool;
mod progress;
mod readers;
mod run;
mod scan;
mod signals;
mod source;
mod sums;
mod text;
mod trec;
mod views;

/// `idealrank._core`.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::{
        columns::Column,
        dicts::from_dicts,
        errors::{BadInput, BadRow},
        files::{from_arrow, read_arrow, read_parquet},
        frame::Frame,
        judged::{Judged, judge},
        objects::from_columns,
        pool::Pool,
        progress::Progress,
        readers::{read_delimited, read_jsonl, read_trec},
        run::Run,
        source::sniff,
        sums::{exact_sum, running_sums, threads},
    };
}
