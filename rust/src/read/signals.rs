//! Work that Ctrl-C ends.

use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::Bad;
use crate::read::progress::Progress;

const PAUSE: Duration = Duration::from_millis(50);

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
