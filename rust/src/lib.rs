//! The compiled core of idealrank: reads judgments and results, groups, joins, orders and ranks.
//!
//! Imports run one way: `errors`, `columns`, then `read`, then `rows`, `judge`, `holes` and `python`, which
//! do not know each other. `arrays`, `sums`, `pairs` and `flips` stand on `columns`; `fuzzing` and this file see everything.

mod arrays;
mod columns;
mod errors;
mod flips;
#[doc(hidden)]
pub mod fuzzing;
mod holes;
mod judge;
mod pairs;
mod python;
mod read;
mod rows;
mod sums;

/// `idealrank._core`.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::{
        columns::{
            column::Column,
            frame::{Frame, stacked},
        },
        errors::{BadInput, BadRow},
        flips::signed_sums,
        holes::{filling::merge_judgments, precision::max_ap_differences, ratios::max_ratios},
        judge::{
            judged::{Judged, judge},
            natural::natural_order,
            pool::Pool,
            run::Run,
        },
        pairs::{largest_scaled, pair_sums},
        python::{
            dicts::from_dicts,
            dicts::is_numbers_by_document,
            documents::read_objects,
            interruption::{end_when_interrupted, interruption_handled},
            objects::from_columns,
            readers::{
                arrow_file, from_arrow, read_arrow, read_delimited, read_json, read_jsonl,
                read_parquet, read_trec, sniff,
            },
        },
        read::signals::Progress,
        rows::splitter::{Rows, Splitter, column_names, parquet_size, query_hash, unpacked_ratio},
        sums::{exact_sum, running_sums, threads},
    };
}
