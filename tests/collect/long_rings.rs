//! Garbage is collected whatever its length and whatever its links are made of. CPython's containers have the trashcan,
//! which keeps the destructors of a chain off the stack; PyO3's classes don't. Each shape runs in a process of its own,
//! which a stack overflow would end.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};
use std::env;
use std::ffi::CStr;
use std::ops::Range;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFunction, PyList, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{
    DynPyGcTraversable, Graveyard, PyGcArc, PyGcPool, PyGcPooled, PyGcTraverseAs, pyclass, pymethods,
};

use crate::support::process::in_a_process_of_its_own;
use crate::support::stack::{USUAL_STACK, on_stack};
use crate::support::{DropCounter, DropProbe, HAS_GIL, alone, collect};

const MILLION: usize = 1_000_000;
/// More than ten times what the stack has room for.
const MANY: usize = 100_000;

/// Of a ring of each shape. `PYO3_GC_LINKS=1000000` takes an optimised build half a minute.
fn links() -> usize {
    env::var("PYO3_GC_LINKS").map_or(MANY, |links| links.parse().unwrap())
}

type Object = Py<PyAny>;

/// Makes a link that leads to another one.
type NewLink = fn(Python<'_>, Object, DropProbe) -> Object;

/// Makes a ring out of a chain.
#[pyclass]
struct Knot {
    first: Option<Object>,
    own: Option<Py<Knot>>,
}

#[pymethods]
impl Knot {}

/// A chain of so many links that ends with a knot: the first link, and the knot.
fn chain(py: Python<'_>, mut new: impl FnMut(Object) -> Object, length: usize) -> (Object, Bound<'_, Knot>) {
    let knot = Bound::new(py, Knot { first: None, own: None }).unwrap();
    let first = (0..length).fold(knot.clone().into_any().unbind(), |next, _| new(next));
    (first, knot)
}

/// A ring goes as a whole. And a chain of them, which an earlier collection has found alive, goes with
/// the garbage that it hangs from: the collector doesn't know that it ends, and clears none of it.
///
/// The links are made by each of `new` in turn.
fn is_collected(new: &'static [NewLink], length: usize) {
    on_stack(USUAL_STACK, move || {
        alone(|py| {
            let dropped = DropCounter::default();
            let chain = || {
                let mut turns = new.iter().cycle();
                chain(py, |next| turns.next().unwrap()(py, next, dropped.probe()), length)
            };

            let (first, knot) = chain();
            knot.borrow_mut().first = Some(first);
            assert_eq!(dropped.dropped(), 0);
            drop(knot);
            collect(py);
            assert_eq!(dropped.dropped(), length);

            let (first, knot) = chain();
            drop(knot);
            collect(py);
            let garbage = Bound::new(py, Knot { first: Some(first), own: None }).unwrap();
            garbage.borrow_mut().own = Some(garbage.clone().unbind());
            drop(garbage);
            assert_eq!(dropped.dropped(), length);
            py.import("gc").unwrap().call_method1("collect", (0,)).unwrap();
            assert_eq!(dropped.dropped(), 2 * length);
        });
    });
}

/// Classes with one field, and how to make its value out of the next link; `$all` has all of them, if `$are_tried`.
macro_rules! shapes {
    ($all:ident if $are_tried:expr; $($(#[$attr:meta])* $name:ident: $ty:ty = |$py:ident, $next:ident| $value:expr;)+) => {
        $(mod $name {
            use super::*;

            $(#[$attr])*
            struct Link {
                next: $ty,
                probe: DropProbe,
            }

            #[pymethods]
            impl Link {}

            pub(super) fn new($py: Python<'_>, $next: Object, probe: DropProbe) -> Object {
                let link = Link { next: $value, probe };
                Py::new($py, link).unwrap().into_any()
            }

            #[test]
            fn is_collected() {
                if $are_tried {
                    in_a_process_of_its_own(|| super::is_collected(&[new], links()));
                }
            }
        })+

        const $all: &[NewLink] = &[$($name::new),+];
    };
}

/// Links of all shapes in turn.
#[test]
fn a_million_of_all_shapes() {
    in_a_process_of_its_own(|| {
        is_collected(CLEARABLE, MILLION);
        if HAS_GIL {
            is_collected(UNCLEARABLE, MANY);
        }
    });
}

/// The same links once more, but all of one shape.
#[test]
fn a_million_of_one_shape() {
    in_a_process_of_its_own(|| is_collected(&[option::new], MILLION));
}

/// A part of a link.
#[pyo3_gc::traversable]
struct Part {
    name: String,
    next: Object,
}

impl Part {
    fn new(next: Object) -> Self {
        Self { name: "part".to_owned(), next }
    }
}

/// Has nothing to put in the place of its field.
#[pyo3_gc::traversable]
enum Either {
    Knot(Py<Knot>),
    Other(Py<Cons>, u8),
}

fn either(py: Python<'_>, next: Object) -> Either {
    match next.into_bound(py).cast_into::<Knot>() {
        Ok(knot) => Either::Knot(knot.unbind()),
        Err(next) => {
            let tail = Some(next.into_inner().unbind());
            Either::Other(Py::new(py, Cons { head: py.None(), tail }).unwrap(), 0)
        }
    }
}

#[derive(Clone)]
#[pyo3_gc::traversable]
struct Kept(Arc<Object>);

/// As if it were of another crate.
struct Slot(Option<Object>);

struct SlotOf;

// SAFETY: 1 and 4: one reference, visited once. 2: only reads. 3: passed on. 5: true. 6: an empty slot is one.
unsafe impl PyGcTraverseAs<Slot> for SlotOf {
    const MAY_CONTAIN_CYCLES: bool = true;

    fn traverse(slot: &Slot, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&slot.0)
    }

    fn clear_into<'g>(slot: &mut Slot, graveyard: &mut Graveyard<'g>)
    where
        Slot: 'g,
    {
        graveyard.bury_as::<Self, _>(Slot(slot.0.take()));
    }
}

#[pyo3_gc::traversable]
struct Slots {
    #[pyo3_gc(with = SlotOf)]
    first: Slot,
    #[pyo3_gc(with = Vec<SlotOf>)]
    rest: Vec<Slot>,
}

trait Observer: DynPyGcTraversable + Send + Sync {}
pyo3_gc::dyn_traversable!(Observer);
impl Observer for Part {}

/// An open end for classes that are frozen.
#[pyclass(frozen)]
struct Cons {
    head: Object,
    tail: Option<Object>,
}

#[pymethods]
impl Cons {}

shapes! {
    CLEARABLE if true;
    #[pyclass] bare: Object = |_py, next| next;
    #[pyclass] option: Option<Object> = |_py, next| Some(next);
    #[pyclass(dict, weakref, subclass)] open: Option<Object> = |_py, next| Some(next);
    #[pyclass] twice: (Option<Object>, Option<Object>) = |py, next| (Some(next.clone_ref(py)), Some(next));
    #[pyclass] often: Vec<Object> = |py, next| (0..20).map(|_| next.clone_ref(py)).collect();
    #[pyclass] vec: Vec<Object> = |_py, next| vec![next];
    #[pyclass] deque: VecDeque<Object> = |_py, next| VecDeque::from([next]);
    #[pyclass] list: LinkedList<Object> = |_py, next| LinkedList::from([next]);
    #[pyclass] slice: Box<[Object]> = |_py, next| Box::new([next]);
    #[pyclass] array: [Option<Object>; 3] = |_py, next| [None, Some(next), None];
    #[pyclass] map: HashMap<String, Object> = |_py, next| HashMap::from([("next".to_owned(), next)]);
    #[pyclass] tree: BTreeMap<u8, Object> = |_py, next| BTreeMap::from([(1, next)]);
    #[pyclass] tuple: Option<(String, Object)> = |_py, next| Some(("next".to_owned(), next));
    #[pyclass] tuples: Vec<(String, Object)> = |_py, next| vec![("next".to_owned(), next)];
    #[pyclass] part: Part = |_py, next| Part::new(next);
    #[pyclass] optional_part: Option<Part> = |_py, next| Some(Part::new(next));
    #[pyclass] parts: Vec<Part> = |_py, next| vec![Part::new(next)];
    #[pyclass] boxed: Option<Box<Part>> = |_py, next| Some(Box::new(Part::new(next)));
    #[pyclass] result: Result<u8, Option<Object>> = |_py, next| Err(Some(next));
    #[pyclass] range: Range<Option<Object>> = |_py, next| None..Some(next);
    #[pyclass] reverse: Reverse<Vec<Object>> = |_py, next| Reverse(vec![next]);
    #[pyclass] cow: Cow<'static, [Kept]> = |_py, next| Cow::Owned(vec![Kept(Arc::new(next))]);
    #[pyclass] dynamic: Box<dyn Observer> = |_py, next| Box::new(Part::new(next));
    #[pyclass] dynamics: Vec<Box<dyn Observer>> = |_py, next| vec![Box::new(Part::new(next))];
    #[pyclass] arc: Option<Arc<Part>> = |_py, next| Some(Arc::new(Part::new(next)));
    #[pyclass(unsendable)] rc: Rc<Option<Object>> = |_py, next| Rc::new(Some(next));
    #[pyclass(unsendable)] cell: Cell<Option<Object>> = |_py, next| Cell::new(Some(next));
    #[pyclass(unsendable)] ref_cell: RefCell<Vec<Object>> = |_py, next| RefCell::new(vec![next]);
    #[pyclass(unsendable)] once_cell: OnceCell<Object> = |_py, next| OnceCell::from(next);
    #[pyclass] once_lock: OnceLock<Part> = |_py, next| OnceLock::from(Part::new(next));
    #[pyclass] py_once_lock: PyOnceLock<Object> = |py, next| {
        let lock = PyOnceLock::new();
        assert!(lock.set(py, next).is_ok());
        lock
    };
    #[pyclass] iterator: std::vec::IntoIter<Object> = |_py, next| vec![next].into_iter();
    #[pyclass] stand_in: Slots = |py, next| Slots { first: Slot(Some(py.None())), rest: vec![Slot(Some(next))] };
    #[pyclass] stand_in_itself: Slots = |_py, next| Slots { first: Slot(Some(next)), rest: vec![] };
    #[pyclass(frozen)] frozen_mutex: Mutex<Option<Object>> = |_py, next| Mutex::new(Some(next));
    #[pyclass(frozen)] frozen_rw_lock: RwLock<Vec<Object>> = |_py, next| RwLock::new(vec![next]);
    #[pyclass] either_of_two: Option<Either> = |py, next| Some(either(py, next));
    #[pyclass] frozen_link: Option<Py<Cons>> = |py, next| {
        let tail = Some(Py::new(py, Cons { head: py.None(), tail: Some(next) }).unwrap().into_any());
        Some(Py::new(py, Cons { head: py.None(), tail }).unwrap())
    };
    // Nodes of ours are links, too.
    #[pyclass] gc_arc: PyGcArc<Mutex<Option<Object>>> = |py, next| PyGcArc::new(py, Mutex::new(Some(next))).unwrap();
    #[pyclass] gc_arc_option: Option<PyGcArc<Object>> = |py, next| Some(PyGcArc::new(py, next).unwrap());
    #[pyclass] gc_pool: (PyGcPool, PyGcPooled<PyAny>) = |py, next| {
        let pool = PyGcPool::new(py).unwrap();
        let next = pool.put(py, next);
        (pool, next)
    };
    // Other objects in between, of types with a trashcan and without.
    #[pyclass] python_list: Option<Py<PyList>> = |py, next| Some(PyList::new(py, [next]).unwrap().unbind());
    #[pyclass] python_tuple: Option<Py<PyTuple>> = |py, next| Some(PyTuple::new(py, [next]).unwrap().unbind());
    #[pyclass] python_dict: Py<PyDict> = |py, next| {
        let dict = PyDict::new(py);
        dict.set_item("next", next).unwrap();
        dict.unbind()
    };
}

// In a free-threaded build the collector holds whatever it has found until that is cleared; what can't be, goes recursively
// then. CPython prevents that from 3.14 on.
shapes! {
    UNCLEARABLE if HAS_GIL;
    #[pyclass] pinned: Pin<Box<Option<Object>>> = |_py, next| Box::pin(Some(next));
    #[pyclass(frozen)] frozen_bare: Object = |_py, next| next;
    #[pyclass(frozen)] frozen_vec: Vec<Part> = |_py, next| vec![Part::new(next)];
    #[pyclass(frozen)] frozen_once: OnceLock<Object> = |_py, next| OnceLock::from(next);
    #[pyclass] gc_arcs: PyGcArc<Vec<PyGcArc<Part>>> = |py, next| {
        PyGcArc::new(py, vec![PyGcArc::new(py, Part::new(next)).unwrap()]).unwrap()
    };
}

/// Links that are made by Python code: `new(next, own)` makes one, which holds `own`, of the class `Open` of ours.
fn python_is_collected(code: &'static CStr) {
    on_stack(USUAL_STACK, move || {
        alone(|py| {
            let scope = PyDict::new(py);
            scope.set_item("Open", py.get_type::<Open>()).unwrap();
            scope.set_item("ByHand", py.get_type::<ByHand>()).unwrap();
            py.run(code, Some(&scope), None).unwrap();
            let new = scope.get_item("new").unwrap().unwrap().cast_into::<PyFunction>().unwrap();
            let link = |next| new.call1((next,)).unwrap().unbind();

            let before = instances();
            let (first, knot) = chain(py, link, MANY);
            knot.borrow_mut().first = Some(first);
            assert!(instances() >= before + MANY);
            drop(knot);
            collect(py);
            assert_eq!(instances(), before);
        });
    });
}

static INSTANCES: AtomicUsize = AtomicUsize::new(0);

fn instances() -> usize {
    INSTANCES.load(Ordering::SeqCst)
}

/// Counts itself.
struct Counted;
pyo3_gc::leaf!(Counted);

impl Counted {
    fn new() -> Self {
        INSTANCES.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        INSTANCES.fetch_sub(1, Ordering::SeqCst);
    }
}

/// For Python code to chain and to derive from.
#[pyclass(subclass)]
struct Open {
    #[pyo3(get, set)]
    next: Option<Object>,
    _counted: Counted,
}

#[pymethods]
impl Open {
    #[new]
    #[pyo3(signature = (next = None))]
    fn new(next: Option<Object>) -> Self {
        Self { next, _counted: Counted::new() }
    }

    #[allow(clippy::unused_self, reason = "what makes it a method")]
    fn method(&self) {}
}

/// With hooks by hand, as PyO3 has them.
#[pyo3::pyclass]
struct ByHand {
    next: Option<Object>,
    _counted: Counted,
}

#[pyo3::pymethods]
impl ByHand {
    #[new]
    fn new(next: Object) -> Self {
        Self { next: Some(next), _counted: Counted::new() }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.next)
    }

    fn __clear__(&mut self) {
        self.next = None;
    }
}

macro_rules! python {
    ($($name:ident: $code:expr;)+) => {$(
        mod $name {
            #[test]
            fn is_collected() {
                crate::support::process::in_a_process_of_its_own(|| super::python_is_collected($code));
            }
        }
    )+};
}

python! {
    by_hand: c"
def new(next):
    return Open(ByHand(next))
";
    subclass: c"
class Sub(Open): pass

def new(next):
    return Sub(next)
";
    subclass_by_its_dict: c"
class Sub(Open): pass

def new(next):
    link = Sub()
    link.other = next
    return link
";
    subclass_in_between: c"
class Sub(Open): pass

def new(next):
    link = Sub()
    link.other = Open(next)
    return Open(link)
";
    python_class_in_between: c"
class Other: pass

def new(next):
    other = Other()
    other.next = next
    return Open(other)
";
    closure: c"
def new(next):
    return Open(lambda: next)
";
    generator: c"
def generate(next):
    yield next

def new(next):
    generator = generate(next)
    return Open(generator)
";
    partial: c"
import functools

def new(next):
    return Open(functools.partial(print, next))
";
    collections_deque: c"
from collections import deque

def new(next):
    return Open(deque([next]))
";
    set_of_one: c"
def new(next):
    return Open({next})
";
    list_iterator: c"
def new(next):
    return Open(iter([next]))
";
    bound_method: c"
def new(next):
    return Open(getattr(next, 'method', next))
";
    exception: c"
def new(next):
    return Open(ValueError(next))
";
}
