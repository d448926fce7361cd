//! How far a reader has come, and what ends it before its time: Ctrl-C, or a crate that panics.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Once};
use std::time::Duration;
use std::{io, thread};

use pyo3::prelude::*;

use crate::errors::Bad;

const PAUSE: Duration = Duration::from_millis(50);

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` in a thread of its own; a signal whose handler raises stops it and is raised.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    progress: &Progress,
    work: impl FnOnce() -> Result<T, Bad> + Send,
) -> PyResult<T> {
    let (done, mut finished) = channel();
    thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let _done = done;
            work()
        });
        let mut raised = Ok(());
        while py.detach(|| waits(&mut finished)) {
            raised = raised.and(py.check_signals().inspect_err(|_| progress.stop()));
        }
        let result = py.detach(|| worker.join()).unwrap_or_else(|panic| resume_unwind(panic));
        raised.and(result.map_err(PyErr::from))
    })
}

/// Is the work still going on after a pause?
fn waits(finished: &mut Receiver<()>) -> bool {
    finished.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout)
}

/// Runs a reader that is known to panic on some broken files; such a panic is an error, and not printed.
pub fn guarded<T>(read: impl FnOnce() -> Result<T, Bad>) -> Result<T, Bad> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                print(panic);
            }
        }));
    });
    let before = GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(before);
    result.unwrap_or_else(|_| Err(Bad::corrupt("unreadable structure")))
}

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
