//! Two types that contain each other, without a mark.

use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::PyGcTraversable;

struct Slot<T>(*mut T);

// SAFETY: what the pointer points to is owned, and asked; this test never runs.
unsafe impl<T: PyGcTraversable> PyGcTraversable for Slot<T> {
    const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;

    fn traverse(&self, _: PyVisit<'_>) -> Result<(), PyTraverseError> {
        unreachable!()
    }

    fn clear(&mut self) {}
}

#[derive(PyGcTraversable)]
struct Tree {
    name: String,
    root: Slot<Branch>, //~ mistake
}

#[derive(PyGcTraversable)]
struct Branch {
    name: String,
    subtrees: Slot<Tree>,
}

const CYCLES: bool = Tree::MAY_CONTAIN_CYCLES;

fn main() {}

//~ fix: subtrees: => #[pyo3_gc(recursive)] subtrees:
