//! Shared pointers: `PyGcArc` against `Arc`, and against a class that somebody would write by hand for the purpose.
//! Creating, cloning, reading and collecting a million of them.

use std::hint::black_box;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{PyGcArc, PyGcTraversable};

use support::{Times, is_measuring, timed, turns};

mod support;

/// What is shared.
#[derive(PyGcTraversable)]
struct Contents {
    value: u64,
    object: Mutex<Option<Py<PyAny>>>,
}

impl Contents {
    fn new(value: u64) -> Self {
        Self { value, object: Mutex::new(None) }
    }
}

/// The node by hand.
#[pyclass(frozen)]
struct Node {
    contents: Contents,
}

#[pymethods]
impl Node {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.contents.object.try_lock() {
            Ok(object) => visit.call(&*object),
            Err(_) => Ok(()),
        }
    }

    fn __clear__(&self) {
        if let Ok(mut object) = self.contents.object.try_lock() {
            let object = object.take();
            drop(object);
        }
    }
}

/// One way to share.
struct Contender<P> {
    name: &'static str,
    create: fn(Python<'_>, u64) -> P,
    clone: fn(Python<'_>, &P) -> P,
    read: fn(&P) -> u64,
}

const PY_GC_ARC: Contender<PyGcArc<Contents>> = Contender {
    name: "PyGcArc",
    create: |py, value| PyGcArc::new(py, Contents::new(value)).unwrap(),
    clone: |py, pointer| pointer.clone_ref(py),
    read: |pointer| pointer.value,
};

const ARC: Contender<Arc<Contents>> = Contender {
    name: "Arc",
    create: |_, value| Arc::new(Contents::new(value)),
    clone: |_, pointer| Arc::clone(pointer),
    read: |pointer| pointer.value,
};

const BY_HAND: Contender<Py<Node>> = Contender {
    name: "by hand",
    create: |py, value| Py::new(py, Node { contents: Contents::new(value) }).unwrap(),
    clone: |py, pointer| pointer.clone_ref(py),
    read: |pointer| pointer.get().contents.value,
};

/// What is measured, in this order.
const OPERATIONS: [&str; 5] = ["create", "clone", "read", "collect, alive", "drop"];

impl<P> Contender<P> {
    fn run(&self, py: Python<'_>, count: u64) -> PyResult<[Duration; 5]> {
        let gc = py.import("gc")?;
        gc.call_method0("collect")?;
        let (create, pointers) =
            timed(|| (0..count).map(|value| (self.create)(py, value)).collect::<Vec<_>>());
        let (clone, clones) =
            timed(|| pointers.iter().map(|pointer| (self.clone)(py, pointer)).collect::<Vec<_>>());
        let (read, sum) =
            timed(|| pointers.iter().map(|pointer| black_box((self.read)(pointer))).sum::<u64>());
        assert_eq!(sum, count * (count - 1) / 2);
        let (alive, collected) = timed(|| gc.call_method0("collect"));
        collected?;
        let (dropped, ()) = timed(|| drop((clones, pointers)));
        Ok([create, clone, read, alive, dropped])
    }
}

fn main() -> PyResult<()> {
    let (count, rounds) = if is_measuring() { (1_000_000, 7) } else { (1_000, 1) };
    Python::attach(|py| {
        let gc = py.import("gc")?;
        gc.call_method0("disable")?;
        gc.call_method0("freeze")?;

        let mut times = OPERATIONS.map(|_| Times::<3>::new());
        for turn in turns::<3>(rounds) {
            let taken = match turn {
                0 => PY_GC_ARC.run(py, count)?,
                1 => ARC.run(py, count)?,
                _ => BY_HAND.run(py, count)?,
            };
            for (times, taken) in times.iter_mut().zip(taken) {
                times.push(turn, taken);
            }
        }

        println!(
            "{:<16} {:>12} {:>12} {:>12} {:>8} {:>10}",
            format!("{count} of them"),
            PY_GC_ARC.name,
            ARC.name,
            BY_HAND.name,
            "/Arc",
            "/by hand"
        );
        for (operation, times) in OPERATIONS.iter().zip(&times) {
            println!(
                "{operation:<16} {:>12.1?} {:>12.1?} {:>12.1?} {:>8.2} {:>10.2}",
                times.median(0),
                times.median(1),
                times.median(2),
                times.ratio(0, 1),
                times.ratio(0, 2)
            );
        }
        Ok(())
    })
}
