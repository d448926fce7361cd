//! Objects of Python enter and leave as frames and columns; imports `read` and all below it, but
//! not `judge`.

pub mod dicts;
pub mod export;
pub mod objects;
pub mod readers;
