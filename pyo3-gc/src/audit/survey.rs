//! All that an audit does while the other threads stand still.

use std::ops::ControlFlow;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::count::{Count, count};
use super::heap::Heap;
use super::progress::Progress;
use super::surplus::{Surplus, surplus};
use super::suspects::untracked_types;
use crate::heap::{FREE_THREADED, Type};

/// What was seen.
pub(super) struct Survey {
    pub(super) count: Count,
    pub(super) surplus: Vec<Surplus>,
    /// Types of objects that are visited but not tracked, if leak suspects are wanted.
    pub(super) untracked: Vec<Type>,
}

/// Walks over the heap, as often as needed.
pub(super) fn take(
    heap: &Heap<'_>,
    borrowers: &[Type],
    with_untracked: bool,
    progress: &mut Progress<'_>,
) -> ControlFlow<(), Survey> {
    let count = count(heap, borrowers, progress)?;
    let surplus = surplus(heap, &count, borrowers);
    let untracked = if with_untracked { untracked_types(heap) } else { Vec::new() };
    ControlFlow::Continue(Survey { count, surplus, untracked })
}

/// The types whose objects visit references that they only borrow. From 3.14 on a frame's evaluation stack can borrow
/// from its locals, and shows both to every visitor but the collector's own; so it is in free-threaded builds.
/// [CPython 3.14, `_PyGC_VisitStackRef` in Python/gc.c]
pub(super) fn borrowers(py: Python<'_>) -> PyResult<Vec<Type>> {
    if py.version_info() < (3, 14) && !FREE_THREADED {
        return Ok(Vec::new());
    }
    let types = py.import(intern!(py, "types"))?;
    let names = [
        intern!(py, "FrameType"),
        intern!(py, "GeneratorType"),
        intern!(py, "CoroutineType"),
        intern!(py, "AsyncGeneratorType"),
    ];
    names.into_iter().map(|name| Ok(types.getattr(name)?.cast_into::<PyType>()?.as_type_ptr())).collect()
}
