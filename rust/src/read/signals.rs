//! Work that ends before its time: Ctrl-C stops it, or a crate that it calls panics.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::Once;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors::Bad;
use crate::read::progress::Progress;

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
