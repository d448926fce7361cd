//! What the grades of unjudged documents could make of a measure.

pub mod filling;
pub mod precision;
pub mod ratios;
