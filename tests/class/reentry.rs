//! Clearing is safe against re-entry: whatever a destructor does to the very object that is being cleared, it finds
//! an empty field, which nobody borrows or locks. The failure would be an error, or a hang; so each test has a limit.

use std::ffi::CStr;
use std::io::Write;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, RwLock};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3::{PyClass, ffi};
use pyo3_gc::{pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect};

/// More than enough, also for a slow machine.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs `test` as [`alone`] does, and ends the process if it doesn't return: a hang keeps the interpreter from
/// everybody.
fn within_limit(test: impl FnOnce(Python<'_>) + Send) {
    thread::scope(|scope| {
        let (done, wait_for_done) = mpsc::channel();
        let running = scope.spawn(move || {
            alone(|py| {
                // Dropped on a panic too.
                let _done: mpsc::Sender<()> = done;
                test(py);
            });
        });
        if let Err(RecvTimeoutError::Timeout) = wait_for_done.recv_timeout(LIMIT) {
            // Not by a macro, whose output the test harness would keep to itself.
            let _ = writeln!(std::io::stderr(), "clearing hangs");
            std::process::abort();
        }
        running.join().unwrap();
    });
}

/// A class whose `put` takes an object into one of its fields, and whose `left` tells how many are in there.
trait Container: PyClass + Into<PyClassInitializer<Self>> {
    fn new(probe: DropProbe) -> Self;
}

/// Cleared through `&mut self`.
#[pyclass]
struct Open {
    objects: Vec<Py<PyAny>>,
    last: Option<Py<PyAny>>,
    probe: DropProbe,
}

#[pymethods]
impl Open {
    fn put(&mut self, object: Py<PyAny>) {
        self.objects.extend(self.last.replace(object));
    }

    /// Borrows exclusively, so that any borrow at all makes it fail.
    fn left(&mut self) -> usize {
        self.objects.len() + usize::from(self.last.is_some())
    }
}

impl Container for Open {
    fn new(probe: DropProbe) -> Self {
        Self { objects: Vec::new(), last: None, probe }
    }
}

/// Cleared through its locks, for which `left` waits.
#[pyclass(frozen)]
struct Locked {
    objects: Mutex<Vec<Py<PyAny>>>,
    last: RwLock<Option<Py<PyAny>>>,
    probe: DropProbe,
}

#[pymethods]
impl Locked {
    fn put(&self, object: Py<PyAny>) {
        let previous = self.last.write().unwrap().replace(object);
        self.objects.lock().unwrap().extend(previous);
    }

    fn left(&self) -> usize {
        self.objects.lock().unwrap().len() + usize::from(self.last.write().unwrap().is_some())
    }
}

impl Container for Locked {
    fn new(probe: DropProbe) -> Self {
        Self { objects: Mutex::default(), last: RwLock::default(), probe }
    }
}

type Inner = RwLock<Vec<Py<PyAny>>>;

/// A lock within a lock, in a class that is cleared through `&mut self`.
#[pyclass]
struct Nested {
    inner: Mutex<(Option<Py<PyAny>>, Inner)>,
    probe: DropProbe,
}

#[pymethods]
impl Nested {
    fn put(&mut self, object: Py<PyAny>) {
        let mut inner = self.inner.lock().unwrap();
        let previous = inner.0.replace(object);
        inner.1.write().unwrap().extend(previous);
    }

    fn left(&mut self) -> usize {
        let inner = self.inner.lock().unwrap();
        usize::from(inner.0.is_some()) + inner.1.write().unwrap().len()
    }
}

impl Container for Nested {
    fn new(probe: DropProbe) -> Self {
        Self { inner: Mutex::default(), probe }
    }
}

/// The destructor of a Rust value comes back, by the reference that closes the cycle.
#[pyclass]
struct ComesBack {
    #[pyo3_gc(clear = false)] // its `Drop` needs it
    container: Py<PyAny>,
    found: Py<PyList>,
}

#[pymethods]
impl ComesBack {}

impl Drop for ComesBack {
    fn drop(&mut self) {
        Python::attach(|py| {
            let left = self.container.bind(py).call_method0("left");
            self.found
                .bind(py)
                .append(left.map_or_else(|error| error.to_string(), |left| left.to_string()))
                .unwrap();
        });
    }
}

fn drop_comes_back<C: Container>() {
    within_limit(|py| {
        let (dropped, found) = (DropCounter::default(), PyList::empty(py));
        let container = Bound::new(py, C::new(dropped.probe())).unwrap();
        for _ in 0..3 {
            let container = container.clone().into_any();
            let comes_back =
                ComesBack { container: container.clone().unbind(), found: found.clone().unbind() };
            container.call_method1("put", (Bound::new(py, comes_back).unwrap(),)).unwrap();
        }
        collect(py);
        assert_eq!((found.len(), dropped.dropped()), (0, 0), "still held");
        drop(container);
        collect(py);
        assert_eq!(found.extract::<Vec<String>>().unwrap(), ["0", "0", "0"]);
        assert_eq!(dropped.dropped(), 1);
    });
}

/// Calls `left` of a container that is being cleared: the collector holds it meanwhile, and all weak references to it
/// are gone by then.
#[pyfunction]
fn left(py: Python<'_>, address: usize) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: called only by the destructors below, of objects that nobody but the container at the address holds.
    let container = unsafe { Bound::from_borrowed_ptr(py, address as *mut ffi::PyObject) };
    container.call_method0("left")
}

/// Python code comes back: `code` makes `objects` of which it is told when they are dropped. They are hidden from the
/// collector, which would otherwise find them to be garbage, and tell, before it clears anything.
fn python_comes_back<C: Container>(code: &'static CStr) {
    within_limit(|py| {
        let (dropped, scope) = (DropCounter::default(), PyDict::new(py));
        let gc = py.import("gc").unwrap();
        scope.set_item("found", PyList::empty(py)).unwrap();
        scope.set_item("left", wrap_pyfunction!(left, py).unwrap()).unwrap();
        py.run(code, Some(&scope), None).unwrap();
        gc.call_method0("freeze").unwrap();

        let container = Bound::new(py, C::new(dropped.probe())).unwrap();
        scope.set_item("address", container.as_ptr() as usize).unwrap();
        scope.set_item("container", &container).unwrap();
        let fill = c"
for object in objects:
    container.put(object)
container.put(container)
del object, objects, container
";
        py.run(fill, Some(&scope), None).unwrap();
        drop(container);
        let found = || scope.get_item("found").unwrap().unwrap().extract::<Vec<usize>>().unwrap();
        assert_eq!((found().len(), dropped.dropped()), (0, 0), "still in a cycle");
        collect(py);
        assert_eq!(found(), [0, 0, 0]);
        assert_eq!(dropped.dropped(), 1);
        gc.call_method0("unfreeze").unwrap();
    });
}

const FINALIZERS: &CStr = c"
class ComesBack:
    def __del__(self):
        found.append(left(address))
objects = [ComesBack() for _ in range(3)]
";

const CALLBACKS: &CStr = c"
import weakref
class Object:
    pass
objects = [Object() for _ in range(3)]
references = [weakref.ref(object, lambda _: found.append(left(address))) for object in objects]
";

macro_rules! tests {
    ($($module:ident: $class:ident;)+) => {$(
        mod $module {
            use super::*;

            #[test]
            fn finalizer() {
                python_comes_back::<$class>(FINALIZERS);
            }

            #[test]
            fn weak_reference_callback() {
                python_comes_back::<$class>(CALLBACKS);
            }

            #[test]
            fn rust_drop() {
                drop_comes_back::<$class>();
            }
        }
    )+};
}
tests! {
    open: Open;
    locked: Locked;
    nested: Nested;
}
