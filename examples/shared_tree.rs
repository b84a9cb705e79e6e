//! Shared ownership: a tree of Rust nodes that hold Python objects, shared by a long-lived validator and by a handle
//! that outlives a call. With `Arc`, and with `PyGcArc`.
//!
//! A hand-written hook that visits the tree from both owners would subtract each reference twice, and the collector
//! could destroy live objects. An `Arc` is visited by an owner that has it to itself, so that a cycle through a shared
//! tree is kept. A `PyGcArc` shows the collector the true graph, so that it isn't.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};
use pyo3_gc::{PyGcArc, pyclass, pymethods};

/// Inner nodes are shared as well; each belongs to its parent alone.
#[derive(pyo3_gc::PyGcTraversable)]
struct Tree {
    callback: Mutex<Option<Py<PyAny>>>,
    children: Vec<Arc<Tree>>,
}

impl Tree {
    fn calling(callback: &Bound<'_, PyAny>, depth: usize) -> Self {
        let child = || Arc::new(Self::calling(callback, depth - 1));
        Self {
            callback: Mutex::new(Some(callback.clone().unbind())),
            children: if depth == 0 { Vec::new() } else { vec![child(), child()] },
        }
    }

    /// How many callbacks are still there.
    fn callbacks(&self) -> usize {
        usize::from(self.callback.lock().unwrap().is_some())
            + self.children.iter().map(|child| child.callbacks()).sum::<usize>()
    }
}

/// A shared pointer, of either kind.
#[derive(pyo3_gc::PyGcTraversable)]
enum Shared {
    Arc(Arc<Tree>),
    PyGcArc(PyGcArc<Tree>),
}

impl Shared {
    fn new(py: Python<'_>, seen: bool, tree: Tree) -> PyResult<Self> {
        Ok(if seen { Self::PyGcArc(PyGcArc::new(py, tree)?) } else { Self::Arc(Arc::new(tree)) })
    }

    fn clone_ref(&self, py: Python<'_>) -> Self {
        match self {
            Self::Arc(tree) => Self::Arc(Arc::clone(tree)),
            Self::PyGcArc(tree) => Self::PyGcArc(tree.clone_ref(py)),
        }
    }

    fn tree(&self) -> &Tree {
        match self {
            Self::Arc(tree) => tree,
            Self::PyGcArc(tree) => tree,
        }
    }
}

/// Lives as long as its module, in the cases that this is modelled on.
#[pyclass(weakref)]
struct Validator {
    tree: Shared,
}

#[pymethods]
impl Validator {}

/// What a call returns, and shares the validator's tree.
#[pyclass(frozen)]
struct Handle {
    tree: Shared,
}

#[pymethods]
impl Handle {}

/// A validator whose callbacks refer back to it, and a handle; then the handle goes, or both are garbage.
fn run(py: Python<'_>, name: &str, seen: bool) -> PyResult<()> {
    let collect = || py.import("gc")?.call_method0("collect").map(drop);
    let new = || -> PyResult<_> {
        // An object with a `__dict__`, to be part of the cycle.
        let callback = py.eval(c"type('Callback', (), {})()", None, None)?;
        let tree = Shared::new(py, seen, Tree::calling(&callback, 3))?;
        let handle = Bound::new(py, Handle { tree: tree.clone_ref(py) })?;
        let validator = Bound::new(py, Validator { tree })?;
        callback.setattr("validator", &validator)?;
        Ok((PyWeakrefReference::new(&validator)?, callback, handle))
    };
    let state = |weak: &Bound<'_, PyWeakrefReference>| {
        if weak.upgrade().is_some() { "kept" } else { "freed" }
    };

    println!("{name}");
    let (validator, callback, handle) = new()?;
    drop(callback);
    collect()?;
    let callbacks = handle.get().tree.tree().callbacks();
    println!("  the handle is held:           {} with {callbacks} of 15 callbacks", state(&validator));
    drop(handle);
    collect()?;
    println!("  the handle is gone:           {}", state(&validator));

    let (validator, callback, handle) = new()?;
    callback.setattr("handle", handle)?;
    drop(callback);
    collect()?;
    println!("  both are part of the garbage: {}", state(&validator));
    Ok(())
}

fn main() -> PyResult<()> {
    Python::attach(|py| {
        run(py, "Arc<Tree>", false)?;
        run(py, "PyGcArc<Tree>", true)
    })
}

#[cfg(test)]
mod tests {
    use pyo3_gc::testing::check_class;

    use super::*;

    #[test]
    fn the_hooks_are_right() {
        Python::attach(|py| {
            for seen in [true, false] {
                let report = check_class(py, |sentinels| {
                    let tree = Tree::calling(sentinels.object("callback")?.bind(py), 2);
                    Bound::new(py, Validator { tree: Shared::new(py, seen, tree)? })
                });
                report.unwrap().assert_correct();
                let report = check_class(py, |sentinels| {
                    let tree = Tree::calling(sentinels.object("callback")?.bind(py), 2);
                    Bound::new(py, Handle { tree: Shared::new(py, seen, tree)? })
                });
                report.unwrap().assert_correct();
            }
        });
    }
}
