//! Ctrl-C while the interpreter is busy: with a set of millions of texts, say, which it makes in one step.

#![cfg_attr(
    unix,
    expect(unsafe_code, reason = "the pipe is a number, and _exit is a function of C")
)]

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

/// Has Python begun to handle the signal?
static HANDLED: AtomicBool = AtomicBool::new(false);

/// Says that Python handles the signal: from here on it cleans up and ends in its own time.
#[pyfunction]
pub fn interruption_handled() {
    HANDLED.store(true, Ordering::SeqCst);
}

/// Ends the process with `code` and `message` when a byte comes through `pipe` and Python does not say within
/// `patience` milliseconds that it handles the signal.
///
/// Why not a thread of Python: it would wait, as the handler does, until the interpreter's step is done.
#[cfg(unix)]
#[pyfunction]
pub fn end_when_interrupted(pipe: i32, message: String, code: i32, patience: u64) {
    use std::fs::File;
    use std::io::{Read, Write, stderr};
    use std::os::fd::FromRawFd;
    use std::thread;
    use std::time::Duration;

    unsafe extern "C" {
        fn _exit(code: i32) -> !;
    }

    HANDLED.store(false, Ordering::SeqCst);
    // SAFETY: the caller gives the reading end of a pipe away.
    let mut pipe = unsafe { File::from_raw_fd(pipe) };
    thread::spawn(move || {
        if pipe.read_exact(&mut [0]).is_err() {
            return;
        }
        thread::sleep(Duration::from_millis(patience));
        if !HANDLED.load(Ordering::SeqCst) {
            let _ = writeln!(stderr(), "{message}");
            // SAFETY: it takes a number and does not return. `exit` would run what the busy thread may be using.
            unsafe { _exit(code) }
        }
    });
}

/// Where there are no such signals, nothing is ended.
#[cfg(not(unix))]
#[pyfunction]
pub fn end_when_interrupted(_pipe: i32, _message: String, _code: i32, _patience: u64) {}
