//! The threads that share work.

#![expect(
    unsafe_code,
    reason = "a lock may be held at the moment of a fork; an atomic pointer never is"
)]

use std::process;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The pool of one process.
struct Own {
    process: u32,
    pool: ThreadPool,
}

static OWN: AtomicPtr<Own> = AtomicPtr::new(ptr::null_mut());

/// Runs `work` where parallel iterators use the threads of this process.
///
/// Why not rayon's global pool: a process that was forked from one that had used it has the pool, and none of its
/// threads, and waits for them for ever. Python's multiprocessing forks by default on Linux up to 3.13. Nothing
/// here is locked, since a lock may be held at the moment of a fork and is then never released in the child.
///
/// Wrap the parallel iterator alone: a thread of the pool that waits may take up other work, which must not need
/// a value that the first is just making.
pub fn shared<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    own().pool.install(work)
}

/// Rows that one thread works on alone: to wake the others would take longer, by far on a busy machine.
pub const ALONE: usize = 1 << 12;

/// How many threads share work.
pub fn threads() -> usize {
    own().pool.current_num_threads()
}

fn own() -> &'static Own {
    let found = OWN.load(Ordering::Acquire);
    // SAFETY: the pointer is null or came from `Box::leak` below, and what it points to is never freed or changed.
    let known = unsafe { found.as_ref() };
    if let Some(own) = known.filter(|own| own.process == process::id()) {
        return own;
    }
    let pool = ThreadPoolBuilder::new().build().or_else(|_| {
        // A limit on threads: one is enough to go on.
        ThreadPoolBuilder::new().num_threads(1).build()
    });
    let own = Own { process: process::id(), pool: pool.expect("a thread can be started") };
    let made: &'static mut Own = Box::leak(Box::new(own));
    let made = ptr::from_mut(made);
    let now = match OWN.compare_exchange(found, made, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => made,
        Err(other) => other, // another thread was faster; the threads of this pool sleep
    };
    // SAFETY: as above; `now` is not null.
    unsafe { &*now }
}
