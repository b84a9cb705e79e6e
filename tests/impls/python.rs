//! PyO3's own types.

use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use pyo3_gc::PyGcTraversable;

use crate::support::field::field_tests;
use crate::support::{self, DropCounter, DropProbe, alone, collect, object, refcount, visits};

field_tests!(LetsGo {
    bare: Py<PyAny> = |own| own();
    once_lock: PyOnceLock<Py<PyAny>> = |own| Python::attach(|py| {
        let lock = PyOnceLock::new();
        lock.set(py, own()).unwrap();
        lock
    });
    once_lock_of_several: PyOnceLock<Vec<Py<PyAny>>> = |own| Python::attach(|py| {
        let lock = PyOnceLock::new();
        lock.set(py, vec![own(), own()]).unwrap();
        lock
    });
});

#[test]
fn a_bare_object_becomes_none() {
    alone(|py| {
        let mut field = object(py).unbind();
        field.clear();
        assert!(field.is_none(py));
    });
}

#[test]
fn a_typed_reference_is_visited_and_kept() {
    alone(|py| {
        let list = PyList::empty(py);
        let mut field = list.clone().unbind();
        let before = refcount(&list);
        field.clear();
        field.clear_interior();
        assert!(field.is(&list));
        assert_eq!(refcount(&list), before);
    });
}

/// References to a dict, one of which can be taken out.
#[pyclass]
#[derive(PyGcTraversable)]
struct Typed {
    kept: Py<PyDict>,
    optional: Option<Py<PyDict>>,
    probe: DropProbe,
}
support::hooks!(Typed);

#[test]
fn typed_references_are_visited() {
    alone(|py| {
        let (one, other) = (PyDict::new(py), PyDict::new(py));
        let dropped = DropCounter::default();
        let optional = Some(other.clone().unbind());
        let typed = Typed { kept: one.clone().unbind(), optional, probe: dropped.probe() };
        let holder = Bound::new(py, typed).unwrap().into_any();
        assert_eq!(visits(&holder, &one), 1);
        assert_eq!(visits(&holder, &other), 1);

        one.set_item("holder", &holder).unwrap();
        other.set_item("holder", &holder).unwrap();
        drop((one, other));
        collect(py);
        assert_eq!(dropped.dropped(), 0);

        drop(holder);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

/// A class that refers to its own kind.
#[pyclass]
#[derive(PyGcTraversable)]
struct Node {
    next: Option<Py<Node>>,
    probe: DropProbe,
}
support::hooks!(Node);

#[test]
fn an_optional_typed_reference_to_itself_is_let_go_of() {
    alone(|py| {
        let dropped = DropCounter::default();
        let node = Bound::new(py, Node { next: None, probe: dropped.probe() }).unwrap();
        node.borrow_mut().next = Some(node.clone().unbind());
        collect(py);
        assert_eq!(dropped.dropped(), 0);
        assert!(node.borrow().next.is_some());
        drop(node);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

/// Leaves, although they own a Python object.
#[pyclass]
#[derive(PyGcTraversable)]
struct Backed {
    text: PyBackedStr,
    bytes: Option<PyBackedBytes>,
    probe: DropProbe,
}
support::hooks!(Backed);

/// An instance of a subclass of `base`, which has a `__dict__`.
fn with_dict<'py>(base: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    let globals = PyDict::new(base.py());
    globals.set_item("value", base).unwrap();
    base.py().eval(c"type('Sub', (type(value),), {})(value)", Some(&globals), None).unwrap()
}

/// The price of a leaf: a cycle through the `__dict__` of such a string leaks. Nothing is taken away from it, either.
#[test]
fn backed_strings_are_leaves() {
    const { assert!(!PyBackedStr::MAY_CONTAIN_CYCLES && !PyBackedBytes::MAY_CONTAIN_CYCLES) };
    alone(|py| {
        let (text, bytes) =
            (with_dict(&PyString::new(py, "some text")), with_dict(&PyBytes::new(py, b"bytes")));
        let dropped = DropCounter::default();
        let holder = Backed {
            text: text.extract().unwrap(),
            bytes: Some(bytes.extract().unwrap()),
            probe: dropped.probe(),
        };
        let holder = Bound::new(py, holder).unwrap();
        assert_eq!(visits(holder.as_any(), &text), 0);
        assert_eq!(visits(holder.as_any(), &bytes), 0);
        holder.borrow_mut().clear();
        assert_eq!(&*holder.borrow().text, "some text");
        assert_eq!(holder.borrow().bytes.as_deref(), Some(b"bytes".as_slice()));

        bytes.setattr("holder", &holder).unwrap();
        drop(holder);
        collect(py);
        assert_eq!(dropped.dropped(), 0);
        bytes.delattr("holder").unwrap();
        assert_eq!(dropped.dropped(), 1);
    });
}

#[cfg(any(not(Py_LIMITED_API), Py_3_11))]
mod buffers {
    use pyo3::buffer::{PyBuffer, PyUntypedBuffer};
    use pyo3::types::PyByteArray;

    use super::*;

    /// Reads its buffer when it is dropped, in safe code.
    #[pyclass]
    #[derive(PyGcTraversable)]
    struct Reader {
        buffer: PyBuffer<u8>,
        untyped: Option<PyUntypedBuffer>,
        read: std::sync::mpsc::Sender<Vec<u8>>,
    }
    support::hooks!(Reader);

    impl Drop for Reader {
        fn drop(&mut self) {
            let bytes = Python::attach(|py| self.buffer.to_vec(py));
            self.read.send(bytes.unwrap()).unwrap();
        }
    }

    /// What to write instead, where a cycle can run through the exporter.
    #[pyclass]
    #[derive(PyGcTraversable)]
    struct Lender {
        source: Option<Py<PyAny>>,
        probe: DropProbe,
    }
    support::hooks!(Lender {
        fn first(&self, py: Python<'_>) -> PyResult<Option<u8>> {
            let source = self.source.as_ref().unwrap();
            Ok(PyBuffer::get(source.bind(py))?.to_vec(py)?.first().copied())
        }
    });

    #[test]
    fn an_exporter_that_is_asked_each_time_is_collected() {
        alone(|py| {
            let (memory, dropped) = (with_dict(&PyByteArray::new(py, &[7; 10])), DropCounter::default());
            let lender = Lender { source: Some(memory.clone().unbind()), probe: dropped.probe() };
            let lender = Bound::new(py, lender).unwrap();
            assert_eq!(lender.borrow().first(py).unwrap(), Some(7));
            memory.setattr("lender", &lender).unwrap();
            drop((memory, lender));
            assert_eq!(dropped.dropped(), 0);
            collect(py);
            assert_eq!(dropped.dropped(), 1);
        });
    }

    /// A collector that saw the exporter would clear it before the reader: `memoryview` lets go of the memory then,
    /// exported or not.
    #[test]
    fn the_memory_of_a_buffer_outlives_its_reader() {
        const { assert!(!PyBuffer::<u8>::MAY_CONTAIN_CYCLES && !PyUntypedBuffer::MAY_CONTAIN_CYCLES) };
        alone(|py| {
            let memory = with_dict(&PyByteArray::new(py, &[7; 1000]));
            let view =
                py.import("builtins").unwrap().getattr("memoryview").unwrap().call1((&memory,)).unwrap();
            let (read, reads) = std::sync::mpsc::channel();
            let untyped = Some(PyUntypedBuffer::get(&view).unwrap());
            let reader = Reader { buffer: PyBuffer::get(&view).unwrap(), untyped, read };
            let reader = Bound::new(py, reader).unwrap();
            assert_eq!(visits(reader.as_any(), &view), 0);
            reader.borrow_mut().clear();
            assert_eq!(reader.borrow().buffer.to_vec(py).unwrap(), [7; 1000]);

            // memory → list → reader → view → memory; the list holds itself, so that it outlives the memory.
            let list = PyList::new(py, [reader.into_any()]).unwrap();
            list.append(&list).unwrap();
            memory.setattr("list", &list).unwrap();
            drop(memory);
            collect(py); // for the collector, the view now comes before the memory
            drop(view);
            drop(list);
            collect(py);
            assert!(reads.try_recv().is_err(), "such a cycle leaks");
        });
    }
}

#[test]
fn an_empty_once_lock_stays_usable() {
    alone(|py| {
        let mut lock = PyOnceLock::new();
        lock.set(py, py.None()).unwrap();
        lock.clear();
        assert!(lock.get(py).is_none());
        lock.set(py, object(py).unbind()).unwrap();
        lock.clear_interior();
        assert!(lock.get(py).is_some(), "a shared cell that was written stays so");
    });
}
