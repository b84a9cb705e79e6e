//! `PyGcArc`: the collector sees the true graph through shared contents.

use std::collections::HashSet;
use std::sync::Mutex;
use std::thread;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3_gc::{DynPyGcTraversable, PyGcArc, PyGcTraversable, pyclass, pymethods};

use crate::node;
use crate::support::{DropCounter, DropProbe, alone, collect, is_alive, object, visits, weak};

type Object = Py<PyAny>;

#[derive(PyGcTraversable)]
struct Shared {
    object: Mutex<Option<Object>>,
    probe: DropProbe,
}

impl Shared {
    fn holding(object: &Bound<'_, PyAny>, counter: &DropCounter) -> PyGcArc<Self> {
        let contents = Self { object: Mutex::new(Some(object.clone().unbind())), probe: counter.probe() };
        PyGcArc::new(object.py(), contents).unwrap()
    }

    fn is_whole(&self) -> bool {
        self.object.lock().unwrap().is_some()
    }
}

#[pyclass(weakref)]
struct Holder {
    shared: PyGcArc<Shared>,
}

#[pymethods]
impl Holder {}

fn holder<'py>(py: Python<'py>, shared: &PyGcArc<Shared>) -> Bound<'py, Holder> {
    Bound::new(py, Holder { shared: shared.clone_ref(py) }).unwrap()
}

#[test]
fn each_holder_visits_the_node_and_the_node_visits_the_contents_once() {
    alone(|py| {
        let object = object(py);
        let shared = Shared::holding(&object, &DropCounter::default());
        let holders = [holder(py, &shared), holder(py, &shared)];
        let node = node(&holders[0]);
        for holder in &holders {
            assert_eq!(visits(holder.as_any(), &node), 1);
            assert_eq!(visits(holder.as_any(), &object), 0);
        }
        assert_eq!(visits(&node, &object), 1);
        assert!(py.import("gc").unwrap().call_method1("is_tracked", (&node,)).unwrap().is_truthy().unwrap());
    });
}

#[test]
fn a_cycle_through_two_holders_in_garbage_is_collected() {
    alone(|py| {
        let (object, counter) = (object(py), DropCounter::default());
        let shared = Shared::holding(&object, &counter);
        object.setattr("holders", [holder(py, &shared), holder(py, &shared)]).unwrap();
        let weak = weak(&object);
        drop((object, shared));
        assert!(is_alive(&weak));
        collect(py);
        assert!(!is_alive(&weak));
        assert_eq!(counter.dropped(), 1);
    });
}

#[test]
fn a_live_holder_keeps_everything() {
    alone(|py| {
        let (object, counter) = (object(py), DropCounter::default());
        let shared = Shared::holding(&object, &counter);
        let (live, garbage) = (holder(py, &shared), holder(py, &shared));
        object.setattr("garbage", garbage).unwrap();
        let weak = weak(&object);
        drop((object, shared));
        for _ in 0..3 {
            collect(py);
            assert!(is_alive(&weak) && live.borrow().shared.is_whole());
        }
        drop(live);
        collect(py);
        assert!(!is_alive(&weak));
        assert_eq!(counter.dropped(), 1);
    });
}

#[test]
fn a_holder_on_the_rust_side_keeps_everything_and_its_reference_stays_valid_through_collections() {
    alone(|py| {
        let (object, counter) = (object(py), DropCounter::default());
        let shared = Shared::holding(&object, &counter);
        object.setattr("holder", holder(py, &shared)).unwrap();
        drop(object);
        let contents: &Shared = &shared;
        collect(py);
        assert!(contents.is_whole());
        assert_eq!(counter.dropped(), 0);
        drop(shared);
        collect(py);
        assert_eq!(counter.dropped(), 1);
    });
}

#[test]
fn nodes_that_refer_to_each_other_are_collected() {
    #[derive(PyGcTraversable)]
    struct Linked {
        next: Mutex<Option<PyGcArc<Linked>>>,
        probe: DropProbe,
    }
    alone(|py| {
        let counter = DropCounter::default();
        let link = || Linked { next: Mutex::new(None), probe: counter.probe() };
        let ring: Vec<_> = (0..10).map(|_| PyGcArc::new(py, link()).unwrap()).collect();
        for (i, node) in ring.iter().enumerate() {
            *node.next.lock().unwrap() = Some(ring[(i + 1) % 10].clone_ref(py));
        }
        collect(py);
        assert_eq!(counter.dropped(), 0);
        drop(ring);
        assert_eq!(counter.dropped(), 0, "the ring holds itself");
        collect(py);
        assert_eq!(counter.dropped(), 10);
    });
}

/// Neither the pointer nor contents without a lock can be cleared; an `Option` around the pointer can.
#[test]
fn without_a_lock_an_optional_pointer_breaks_the_cycle() {
    #[pyclass]
    struct Optional {
        shared: Option<PyGcArc<(Object, DropProbe)>>,
    }
    #[pymethods]
    impl Optional {}

    alone(|py| {
        let counter = DropCounter::default();
        let optional = Bound::new(py, Optional { shared: None }).unwrap();
        let shared = PyGcArc::new(py, (optional.clone().into_any().unbind(), counter.probe())).unwrap();
        optional.borrow_mut().shared = Some(shared);
        drop(optional);
        collect(py);
        assert_eq!(counter.dropped(), 1);
    });
}

trait Shape: DynPyGcTraversable + Send + Sync {
    fn area(&self) -> u32;
}
pyo3_gc::dyn_traversable!(Shape);

#[derive(PyGcTraversable)]
struct Square {
    side: u32,
    object: Mutex<Option<Object>>,
    probe: DropProbe,
}

impl Shape for Square {
    fn area(&self) -> u32 {
        self.side * self.side
    }
}

#[test]
fn trait_objects_and_slices() {
    #[pyclass]
    struct Drawing {
        shapes: Vec<PyGcArc<dyn Shape>>,
        names: PyGcArc<[String]>,
    }
    #[pymethods]
    impl Drawing {}

    alone(|py| {
        let (object, counter) = (object(py), DropCounter::default());
        let square =
            Square { side: 3, object: Mutex::new(Some(object.clone().unbind())), probe: counter.probe() };
        let shape: Box<dyn Shape> = Box::new(square);
        let shape = PyGcArc::from_box(py, shape).unwrap();
        assert_eq!(shape.area(), 9);
        let names = PyGcArc::from_box(py, Box::from(["a".to_owned()])).unwrap();
        let shapes = vec![shape.clone_ref(py), shape];
        let drawing = Bound::new(py, Drawing { shapes, names }).unwrap();
        assert_eq!(drawing.borrow().shapes[0].area() as usize, 9 * drawing.borrow().names.len());
        object.setattr("drawing", drawing).unwrap();
        let weak = weak(&object);
        drop(object);
        collect(py);
        assert!(!is_alive(&weak));
        assert_eq!(counter.dropped(), 1);
    });
}

#[test]
fn it_can_be_dropped_while_detached() {
    alone(|py| {
        let counter = DropCounter::default();
        let shared = Shared::holding(&object(py), &counter);
        py.detach(|| thread::spawn(move || drop(shared)).join().unwrap());
        Python::attach(|_| ()); // PyO3 drops at the next attach what was dropped while detached
        collect(py);
        assert_eq!(counter.dropped(), 1);
    });
}

#[test]
fn many_threads_clone_read_and_drop() {
    alone(|py| {
        let counter = DropCounter::default();
        let shared = Shared::holding(&object(py), &counter);
        py.detach(|| {
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        for round in 0..200 {
                            assert!(shared.is_whole());
                            let clones = Python::attach(|py| [shared.clone_ref(py), shared.clone_ref(py)]);
                            if round % 20 == 0 {
                                Python::attach(collect);
                            }
                            assert!(clones.iter().all(|clone| PyGcArc::ptr_eq(clone, &shared)));
                        }
                    });
                }
            });
        });
        assert!(shared.is_whole());
        drop(shared);
        collect(py);
        assert_eq!(counter.dropped(), 1);
    });
}

#[test]
fn contents_that_panic_when_they_are_dropped_take_nothing_with_them() {
    struct Bomb;
    pyo3_gc::leaf!(Bomb);
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("a destructor that panics");
        }
    }
    alone(|py| {
        let counter = DropCounter::default();
        let bomb = PyGcArc::new(py, (Bomb, counter.probe())).unwrap();
        let bystander = Shared::holding(&object(py), &counter);
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(bomb)));
        std::panic::set_hook(hook);
        drop(result);
        assert_eq!(counter.dropped(), 1, "the other contents of the node are dropped all the same");
        collect(py);
        assert!(bystander.is_whole());
    });
}

#[test]
fn no_memory_for_the_node_is_a_python_error() {
    alone(|py| {
        // From CPython's own tests: lets every allocation fail.
        let Ok(testcapi) = py.import("_testcapi") else {
            eprintln!("this interpreter has no _testcapi");
            return;
        };
        let fail = testcapi.getattr("set_nomemory").unwrap();
        let recover = testcapi.getattr("remove_mem_hooks").unwrap();
        let counter = DropCounter::default();
        // What PyO3 creates at its first use is created now: without memory, it would wait for itself.
        drop(PyGcArc::new(py, counter.probe()).unwrap());
        py.eval(c"1 / 0", None, None).unwrap_err();

        fail.call1((0,)).unwrap();
        let result = PyGcArc::new(py, counter.probe());
        recover.call0().unwrap();
        let error = result.map(drop).unwrap_err();
        assert!(error.is_instance_of::<PyMemoryError>(py), "{error}");
        assert_eq!(counter.dropped(), 2, "the contents aren't leaked");
    });
}

#[test]
fn it_compares_hashes_and_prints_as_its_contents_do() {
    alone(|py| {
        let [a, b] = ["a", "b"].map(|name| PyGcArc::new(py, name.to_owned()).unwrap());
        let again = PyGcArc::new(py, "a".to_owned()).unwrap();
        assert!(a == again && a != b && a < b && !PyGcArc::ptr_eq(&a, &again));
        assert!(PyGcArc::ptr_eq(&a, &a.clone_ref(py)));
        assert_eq!(format!("{a} {a:?} {}", a.as_ref().len()), "a \"a\" 1");
        let set = HashSet::from([a]);
        assert!(set.contains(&again) && set.contains(&String::from("a")) && !set.contains(&b));
    });
}

#[test]
fn it_is_as_thread_safe_as_its_contents() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<PyGcArc<Shared>>();
    is_send_and_sync::<PyGcArc<dyn Shape>>();
}
