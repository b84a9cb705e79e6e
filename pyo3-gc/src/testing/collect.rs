//! Collects to the end.

use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::serial::one_at_a_time;
use crate::heap::require_cpython;

/// A leaked cycle that nothing can break is found again by every round.
const ROUNDS: usize = 10;

/// How many milliseconds to wait for a collection of another thread to end.
const PATIENCE: usize = 2_000;

/// Collects until nothing more goes.
///
/// What a destructor lets go of may be a cycle that only the next round finds, and free-threaded builds need several
/// rounds anyway. Objects that were dropped by threads that weren't attached, which PyO3 keeps until later, go as well.
///
/// # Errors
///
/// - `RuntimeError`, if another collection is running and doesn't end, because it waits for this one: in a `__del__`, or
///   in one of [`gc.callbacks`](https://docs.python.org/3/library/gc.html#gc.callbacks);
/// - `NotImplementedError` on an interpreter other than CPython.
///
/// # Examples
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3::types::PyList;
/// use pyo3_gc::testing::{DropCounter, collect};
///
/// # fn main() -> PyResult<()> {
/// Python::attach(|py| {
///     let drops = DropCounter::new();
///     let list = PyList::new(py, [drops.object(py)?])?;
///     list.append(&list)?; // a cycle
///     drop(list);
///     assert_eq!(drops.dropped(), 0);
///     collect(py)?;
///     assert_eq!(drops.dropped(), 1);
///     Ok(())
/// })
/// # }
/// ```
pub fn collect(py: Python<'_>) -> PyResult<()> {
    collect_in_rounds(py).map(drop)
}

/// Collects, and says in how many rounds.
///
/// `gc.collect()` does nothing, and returns 0, while another thread's collection is running, which may have begun before
/// there was anything to find. [CPython, `gc_collect_main` in Python/gc.c] So each round looks for garbage of its own.
pub(super) fn collect_in_rounds(py: Python<'_>) -> PyResult<usize> {
    require_cpython(py, "pyo3_gc::testing")?;
    one_at_a_time(py, || {
        let gc = py.import(intern!(py, "gc"))?;
        let (mut rounds, mut vain) = (0, 0);
        while rounds < ROUNDS {
            // PyO3 drops what was left to it when it attaches again.
            py.detach(|| ());
            make_garbage(py)?;
            match gc.call_method0(intern!(py, "collect"))?.extract()? {
                0 if vain == PATIENCE => {
                    return Err(PyRuntimeError::new_err("another collection is running, and doesn't end"));
                }
                0 => {
                    vain += 1;
                    py.detach(|| thread::sleep(Duration::from_millis(1)));
                }
                found => {
                    rounds += 1;
                    if found == GARBAGE {
                        break;
                    }
                }
            }
        }
        Ok(rounds)
    })
}

/// How many objects [`make_garbage`] leaves for the collector.
const GARBAGE: usize = 1;

fn make_garbage(py: Python<'_>) -> PyResult<()> {
    let list = PyList::empty(py);
    list.append(&list)
}
