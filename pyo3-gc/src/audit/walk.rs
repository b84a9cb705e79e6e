//! All that an audit does while the other threads stand still, but for the search for suspects.

use std::ops::ControlFlow;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::count::{Count, count};
use super::heap::Heap;
use super::over_visits::{OverVisit, over_visits};
use super::progress::Progress;
use super::untracked::Untracked;
use crate::heap::{FREE_THREADED, Type};

/// What was seen.
pub(super) struct Walk<'h> {
    pub(super) count: Count<'h>,
    pub(super) over_visits: Vec<OverVisit<'h>>,
}

/// Walks over the heap, as often as needed.
pub(super) fn walk<'h>(
    heap: &'h Heap<'_>,
    special: &'h Special<'_>,
    progress: &Progress<'_>,
) -> ControlFlow<(), Walk<'h>> {
    let borrowers = special.borrowers.iter().map(Type::of).collect::<Vec<_>>();
    let untracked = Untracked::new(special.untracked.iter().map(Type::of).collect());
    let count = count(heap, &borrowers, untracked, progress)?;
    let over_visits = over_visits(heap, &count, &borrowers, progress)?;
    ControlFlow::Continue(Walk { count, over_visits })
}

/// Types of CPython's own that keep other rules than the rest.
pub(super) struct Special<'py> {
    /// Their objects visit references that they only borrow. From 3.14 on a frame's evaluation stack can borrow from its
    /// locals, and shows both to every visitor but the collector's own; so it is in free-threaded builds. [CPython 3.14,
    /// `_PyGC_VisitStackRef` in Python/gc.c]
    borrowers: Vec<Bound<'py, PyType>>,
    /// Their objects needn't be tracked: dicts and tuples of what isn't, and the frames of running functions. [CPython,
    /// `untrack_tuples` in Modules/gcmodule.c, and Python/frame.c]
    untracked: [Bound<'py, PyType>; 3],
}

impl<'py> Special<'py> {
    pub(super) fn new(py: Python<'py>) -> PyResult<Self> {
        let types = py.import(intern!(py, "types"))?;
        let get = |name| PyResult::Ok(types.getattr(name)?.cast_into::<PyType>()?);
        let frame = get(intern!(py, "FrameType"))?;
        let borrowers = if py.version_info() < (3, 14) && !FREE_THREADED {
            Vec::new()
        } else {
            vec![
                frame.clone(),
                get(intern!(py, "GeneratorType"))?,
                get(intern!(py, "CoroutineType"))?,
                get(intern!(py, "AsyncGeneratorType"))?,
            ]
        };
        Ok(Self { borrowers, untracked: [py.get_type::<PyDict>(), py.get_type::<PyTuple>(), frame] })
    }
    /// The address of the type of frames.
    pub(super) fn frame_type(&self) -> usize {
        Type::of(&self.untracked[2]).address()
    }
}
