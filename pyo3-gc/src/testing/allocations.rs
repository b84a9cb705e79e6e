//! Whether a traverse makes Python objects.

use pyo3::intern;
use pyo3::prelude::*;

use super::observe::show_visits;
use crate::heap::{FREE_THREADED, Traverse};

/// Whether there are more or fewer blocks of Python's memory at any visit, or at the end, than before.
///
/// Never in a free-threaded build, where it could be another thread that asks for them. What comes from a free list, as
/// small tuples do, isn't seen, nor what is gone before the next visit.
/// [`sys.getallocatedblocks`](https://docs.python.org/3/library/sys.html#sys.getallocatedblocks)
pub(super) fn allocates(instance: &Bound<'_, PyAny>, traverse: Traverse<'_>) -> PyResult<bool> {
    if FREE_THREADED {
        return Ok(false);
    }
    let py = instance.py();
    let ask = py.import(intern!(py, "sys"))?.getattr(intern!(py, "getallocatedblocks"))?;
    // The answer is an object, which is gone when the next one is made.
    let blocks = || ask.call0()?.extract::<usize>();
    let before = blocks()?;
    let mut is_alike = true;
    show_visits(instance, traverse, |_| is_alike &= blocks().is_ok_and(|blocks| blocks == before));
    Ok(!is_alike || blocks()? != before)
}
