//! Long chains of instances, each of which owns the next. CPython tears chains of its own classes down link by link, with
//! its trashcan. PyO3's `tp_dealloc` has none: a chain that goes by its reference counts overflows the stack, whoever
//! wrote the hooks. But a chain that is collected goes link by link, too.

use std::ffi::{CStr, CString};
use std::sync::Mutex;

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_gc::{pyclass, pymethods};

use crate::support::stack::{Noting, USUAL_STACK, on_stack, spread};
use crate::support::{DropCounter, DropProbe, alone, collect};

const MILLION: usize = 1_000_000;
/// More than ten times what the stack has room for.
const MANY: usize = 100_000;

type Initializer<L> = PyClassInitializer<L>;

/// A class whose instances can be chained.
trait Link: PyClass {
    fn new(py: Python<'_>, next: Option<Py<Self>>, probe: DropProbe) -> Initializer<Self>;
    fn lead_to(link: &Bound<'_, Self>, next: Py<Self>);
}

macro_rules! links {
    ($(
        $(#[$attr:meta])*
        struct $class:ident { $field:ident: $ty:ty, }
        new |$py:ident, $next:ident| $new:expr,
        lead_to |$link:ident, $to:ident| $lead_to:expr;
    )+) => {$(
        $(#[$attr])*
        struct $class {
            $field: $ty,
            probe: DropProbe,
        }

        #[pymethods]
        impl $class {}

        impl Link for $class {
            fn new($py: Python<'_>, $next: Option<Py<Self>>, probe: DropProbe) -> Initializer<Self> {
                Self { $field: $new, probe }.into()
            }

            fn lead_to($link: &Bound<'_, Self>, $to: Py<Self>) {
                $lead_to
            }
        }
    )+};
}

links! {
    #[pyclass]
    struct Typed { next: Option<Py<Typed>>, }
    new |_py, next| next,
    lead_to |link, next| link.borrow_mut().next = Some(next);

    #[pyclass(dict, weakref, subclass)]
    struct Untyped { next: Option<Py<PyAny>>, }
    new |_py, next| next.map(Py::into_any),
    lead_to |link, next| link.borrow_mut().next = Some(next.into_any());

    #[pyclass(unsendable)]
    struct Bare { next: Py<PyAny>, }
    new |py, next| next.map_or_else(|| py.None(), Py::into_any),
    lead_to |link, next| link.borrow_mut().next = next.into_any();

    #[pyclass(frozen)]
    struct Frozen { next: Mutex<Option<Py<Frozen>>>, }
    new |_py, next| Mutex::new(next),
    lead_to |link, next| *link.get().next.lock().unwrap() = Some(next);
}

/// Chained by its base class.
#[pyclass(extends = Untyped)]
struct Derived {}

#[pymethods]
impl Derived {}

impl Link for Derived {
    fn new(_: Python<'_>, next: Option<Py<Self>>, probe: DropProbe) -> Initializer<Self> {
        let base = Untyped { next: next.map(Py::into_any), probe };
        PyClassInitializer::from(base).add_subclass(Self {})
    }

    fn lead_to(link: &Bound<'_, Self>, next: Py<Self>) {
        link.borrow_mut().into_super().next = Some(next.into_any());
    }
}

/// A chain of so many links: the first and the last.
fn chain<'py, L: Link>(py: Python<'py>, length: usize, links: &DropCounter) -> [Bound<'py, L>; 2] {
    let new = |next| Bound::new(py, L::new(py, next, links.probe())).unwrap();
    let last = new(None);
    let first = (1..length).fold(last.clone(), |first, _| new(Some(first.unbind())));
    [first, last]
}

/// In a ring: the collector finds all links, and clears one after the other.
fn is_collected<L: Link>(length: usize) {
    on_stack(USUAL_STACK, move || {
        alone(|py| {
            let links = DropCounter::default();
            let [first, last] = chain::<L>(py, length, &links);
            L::lead_to(&last, first.clone().unbind());
            drop(last);
            collect(py);
            assert_eq!(links.dropped(), 0, "somebody holds the first one");
            drop(first);
            collect(py);
            assert_eq!(links.dropped(), length);
        });
    });
}

#[test]
fn a_million_links_are_collected() {
    is_collected::<Typed>(MILLION);
}

#[test]
fn links_of_every_kind_are_collected() {
    is_collected::<Untyped>(MANY);
    is_collected::<Bare>(MANY);
    is_collected::<Frozen>(MANY);
    is_collected::<Derived>(MANY);
}

/// The measure of all this: the same as [`a_million_links_are_collected`], and by its reference counts.
#[test]
fn so_is_a_chain_of_a_python_class() {
    on_stack(USUAL_STACK, || {
        alone(|py| {
            let code = CString::new(format!(
                "
import gc

dropped = 0

class Link:
    __slots__ = ('next', '__weakref__')

    def __del__(self):
        global dropped
        dropped += 1

for is_ring in True, False:
    first = last = Link()
    for _ in range({MILLION} - 1):
        last.next = last = Link()
    last.next = first if is_ring else None
    dropped = 0
    del first, last
    assert dropped == (0 if is_ring else {MILLION}), dropped
    gc.collect()
    assert dropped == {MILLION}, dropped
"
            ));
            py.run(&code.unwrap(), Some(&PyDict::new(py)), None).unwrap();
        });
    });
}

/// A link that can be garbage without the rest of the chain.
#[pyclass(subclass, get_all, set_all)]
#[derive(Default)]
struct Fork {
    own: Option<Py<PyAny>>,
    next: Option<Py<PyAny>>,
}

#[pymethods]
impl Fork {
    #[new]
    fn new() -> Self {
        Self::default()
    }
}

fn with_forks(code: &CStr) {
    alone(|py| {
        let scope = PyDict::new(py);
        scope.set_item("Fork", py.get_type::<Fork>()).unwrap();
        py.run(code, Some(&scope), None).unwrap();
    });
}

#[test]
fn a_link_that_somebody_holds_stays_whole() {
    with_forks(
        c"
import gc
held, garbage = Fork(), Fork()
held.next = last = Fork()
garbage.own, garbage.next = garbage, held
del garbage
assert gc.collect() > 0
assert held.next is last
",
    );
}

/// The collector calls the finalizers of what it has found. Of what goes with that, from an older generation, it
/// doesn't: that is left to the deallocator.
#[test]
fn a_finalizer_finds_a_whole_link() {
    with_forks(
        c"
import gc
found = []
class WithDel(Fork):
    def __del__(self):
        found.append(self.next is not None)
old = WithDel()
old.next = Fork()
gc.collect()
young = WithDel()
young.own, young.next = young, old
del young, old
gc.collect(0)
assert found == [True, True], found
",
    );
}

/// The same class with hooks by hand.
mod by_hand {
    use pyo3::prelude::*;
    use pyo3::{PyTraverseError, PyVisit};

    use super::Noting;

    #[pyclass]
    pub(super) struct Link {
        pub(super) next: Option<Py<Link>>,
        pub(super) _noting: Noting,
    }

    #[pymethods]
    impl Link {
        fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
            visit.call(&self.next)
        }

        fn __clear__(&mut self) {
            self.next = None;
        }
    }
}

/// By their reference counts, links are dropped recursively: by PyO3, and with no more stack than under hooks by hand.
#[test]
fn dropping_takes_the_stack_that_pyo3_takes() {
    #[pyclass]
    struct Link {
        next: Option<Py<Link>>,
        _noting: Noting,
    }

    #[pymethods]
    impl Link {}

    const LINKS: usize = 500;
    fn per_link<L: Into<PyClassInitializer<L>> + PyClass>(
        py: Python<'_>,
        new: fn(Option<Py<L>>) -> L,
    ) -> usize {
        let first = (0..LINKS).fold(None, |next, _| Some(Py::new(py, new(next)).unwrap()));
        spread(|| drop(first)) / (LINKS - 1)
    }

    on_stack(USUAL_STACK, || {
        alone(|py| {
            let ours = per_link(py, |next| Link { next, _noting: Noting });
            let by_hand = per_link(py, |next| by_hand::Link { next, _noting: Noting });
            println!("stack for each link: {ours} bytes, with hooks by hand {by_hand}");
            assert!(ours <= by_hand);
        });
    });
}
