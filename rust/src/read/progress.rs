//! How far a reader has come.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pyo3::prelude::*;

/// Bytes read so far and bytes in all; safe to look at from another thread.
#[pyclass(frozen, from_py_object, module = "idealrank._core")]
#[derive(Clone, Default)]
pub struct Progress {
    done: Arc<AtomicU64>,
    total: Arc<AtomicU64>,
    stopped: Arc<AtomicBool>,
}

impl Progress {
    pub fn add(&self, bytes: u64) {
        self.done.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Bytes taken from the source so far.
    pub fn taken(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Makes the read that this belongs to fail at its next piece.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub fn check(&self) -> io::Result<()> {
        if self.stopped.load(Ordering::Relaxed) { Err(io::Error::other("stopped")) } else { Ok(()) }
    }

    pub fn expect(&self, bytes: u64) {
        self.total.store(bytes, Ordering::Relaxed);
    }
}

#[pymethods]
impl Progress {
    #[new]
    fn new() -> Progress {
        Progress::default()
    }

    /// Bytes of the source read so far (compressed bytes of a compressed source).
    #[getter]
    fn done(&self) -> u64 {
        self.taken()
    }

    /// Bytes in the source; 0 until it is open.
    #[getter]
    fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }
}
