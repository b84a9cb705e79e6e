//! Inheritance, and what PyO3 adds to our hooks: the base, the `__dict__` and the type object are visited as often as in
//! a class with hooks by hand through PyO3's own macros.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyType};
use pyo3_gc::{pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, cycle_is_collected, object, visits};

/// The same classes for two pairs of macros.
macro_rules! family {
    ($module:ident, $krate:ident $(, #[$derive:meta], { $($hooks:tt)* })?) => {
        mod $module {
            use pyo3::types::PyType;
            use pyo3::{Bound, Py, PyAny, PyClassInitializer, Python};
            use $krate::{pyclass, pymethods};

            #[pyclass(subclass)]
            $(#[$derive])?
            pub(super) struct Base {
                own: Py<PyAny>,
            }

            #[pymethods]
            impl Base {
                #[new]
                fn new(own: Py<PyAny>) -> Self {
                    Self { own }
                }

                $($($hooks)*)?
            }

            #[pyclass(extends = Base, subclass)]
            $(#[$derive])?
            pub(super) struct Child {
                own: (Py<PyAny>, Py<PyAny>),
            }

            #[pymethods]
            impl Child {
                #[new]
                fn new(base: Py<PyAny>, left: Py<PyAny>, right: Py<PyAny>) -> PyClassInitializer<Self> {
                    PyClassInitializer::from(Base { own: base }).add_subclass(Self { own: (left, right) })
                }

                $($($hooks)*)?
            }

            #[pyclass(extends = Child, dict, weakref, subclass)]
            $(#[$derive])?
            pub(super) struct Grandchild {
                own: Option<Py<PyAny>>,
            }

            #[pymethods]
            impl Grandchild {
                #[new]
                fn new(own: Py<PyAny>) -> PyClassInitializer<Self> {
                    let again = || Python::attach(|py| own.clone_ref(py));
                    PyClassInitializer::from(Base { own: again() })
                        .add_subclass(Child { own: (again(), again()) })
                        .add_subclass(Self { own: Some(own) })
                }

                $($($hooks)*)?
            }

            // Under the stable ABI, PyO3 extends builtin classes from Python 3.12 on.
            #[cfg(any(not(Py_LIMITED_API), Py_3_12))]
            #[pyclass(extends = pyo3::types::PyDict, subclass)]
            $(#[$derive])?
            pub(super) struct OfDict {
                #[pyo3(get, set)]
                own: Option<Py<PyAny>>,
            }

            #[cfg(any(not(Py_LIMITED_API), Py_3_12))]
            #[pymethods]
            impl OfDict {
                #[new]
                #[pyo3(signature = (*_ignored))]
                fn new(_ignored: &Bound<'_, PyAny>) -> Self {
                    Self { own: None }
                }

                $($($hooks)*)?
            }

            #[cfg(any(not(Py_LIMITED_API), Py_3_12))]
            #[pyclass(extends = pyo3::exceptions::PyException)]
            $(#[$derive])?
            pub(super) struct OfException {
                #[pyo3(get, set)]
                own: Option<Py<PyAny>>,
            }

            #[cfg(any(not(Py_LIMITED_API), Py_3_12))]
            #[pymethods]
            impl OfException {
                #[new]
                #[pyo3(signature = (*_ignored))]
                fn new(_ignored: &Bound<'_, PyAny>) -> Self {
                    Self { own: None }
                }

                $($($hooks)*)?
            }

            pub(super) fn family(py: Python<'_>) -> Vec<Bound<'_, PyType>> {
                Vec::from([
                    py.get_type::<Base>(),
                    py.get_type::<Child>(),
                    py.get_type::<Grandchild>(),
                    #[cfg(any(not(Py_LIMITED_API), Py_3_12))]
                    py.get_type::<OfDict>(),
                    #[cfg(any(not(Py_LIMITED_API), Py_3_12))]
                    py.get_type::<OfException>(),
                ])
            }
        }
    };
}

family!(ours, pyo3_gc);
family!(by_hand, pyo3, #[derive(pyo3_gc::PyGcTraversable)], {
    fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        pyo3_gc::PyGcTraversable::traverse(self, visit)
    }

    fn __clear__(&mut self) {
        pyo3_gc::PyGcTraversable::clear(self);
    }
});

/// No hooks, and nothing to show: a GC type only where PyO3 makes every class one, and then visits its type.
#[pyo3::pyclass]
struct Plain;

fn pyo3_visits_the_type(py: Python<'_>) -> bool {
    // SAFETY: the class is alive.
    let flags = unsafe { ffi::PyType_GetFlags(py.get_type::<Plain>().as_type_ptr()) };
    flags & ffi::Py_TPFLAGS_HAVE_GC != 0
}

/// Instances of all classes of a family, and of Python classes derived from them, each with the number of references
/// to `target` that it owns.
fn instances<'py>(
    py: Python<'py>,
    family: Vec<Bound<'py, PyType>>,
    target: &Bound<'py, PyAny>,
) -> Vec<(Bound<'py, PyAny>, usize)> {
    let scope = PyDict::new(py);
    scope.set_item("family", PyList::new(py, family).unwrap()).unwrap();
    scope.set_item("x", target).unwrap();
    let code = c"
Base, Child, Grandchild, *builtin = family

class SubBase(Base):
    pass
class SubChild(Child):
    __slots__ = ('slot',)
class SubSubChild(SubChild):
    pass
class SubGrandchild(Grandchild):
    pass

def sub_child():
    o = SubChild(x, x, x)
    o.slot = x
    return o
def of_dict(c):
    o = c()
    o['x'] = o.own = x
    return o
def of_exception():
    o = OfException(x)
    o.own = x
    return o

instances = [
    (Base(x), 1), (Child(x, x, x), 3), (Grandchild(x), 4),
    (SubBase(x), 1), (sub_child(), 4), (SubSubChild(x, x, x), 3), (SubGrandchild(x), 4),
]
if builtin:
    OfDict, OfException = builtin
    class SubOfDict(OfDict):
        pass
    instances += (of_dict(OfDict), 2), (of_dict(SubOfDict), 2), (of_exception(), 1)
";
    py.run(code, Some(&scope), None).unwrap();
    let instances = scope.get_item("instances").unwrap().unwrap().extract().unwrap();
    scope.clear();
    instances
}

#[test]
fn everything_once() {
    alone(|py| {
        let target = object(py);
        let ours = instances(py, ours::family(py), &target);
        let by_hand = instances(py, by_hand::family(py), &target);
        let expected = usize::from(pyo3_visits_the_type(py));
        for ((ours, own), (by_hand, _)) in ours.iter().zip(&by_hand) {
            let class = ours.get_type();
            assert_eq!(visits(ours, &target), *own, "{class}");
            assert_eq!(visits(ours, &class), visits(by_hand, &by_hand.get_type()), "{class}");
            assert_eq!(visits(ours, &class), expected, "{class}");
        }
    });
}

#[test]
fn cycles_are_collected() {
    alone(|py| {
        let count = instances(py, ours::family(py), &object(py)).len();
        for index in 0..count {
            let target = object(py);
            let (holder, own) = instances(py, ours::family(py), &target).swap_remove(index);
            cycle_is_collected(target, holder, own);
        }
    });
}

/// What is only in the base, only in the builtin base, or only in the child.
#[test]
fn cycles_of_one_level_are_collected() {
    alone(|py| {
        let dropped = DropCounter::default();
        let levels = |upper, lower| {
            let init = PyClassInitializer::from(Upper { own: None, probe: dropped.probe() })
                .add_subclass(Lower { own: None, probe: dropped.probe() });
            let object = Bound::new(py, init).unwrap();
            let own = |wanted: bool| wanted.then(|| object.clone().into_any().unbind());
            object.as_super().borrow_mut().own = own(upper);
            object.borrow_mut().own = own(lower);
            assert_eq!(visits(&object, &object), usize::from(upper) + usize::from(lower));
        };
        levels(true, false);
        assert_eq!(dropped.dropped(), 0);
        collect(py);
        assert_eq!(dropped.dropped(), 2);
        levels(false, true);
        collect(py);
        assert_eq!(dropped.dropped(), 4);
        levels(true, true);
        collect(py);
        assert_eq!(dropped.dropped(), 6);

        // A leaf that extends an owner, with no block of its own.
        let init = PyClassInitializer::from(Upper { own: None, probe: dropped.probe() })
            .add_subclass(LeafOfUpper(7));
        let leaf = Bound::new(py, init).unwrap();
        leaf.as_super().borrow_mut().own = Some(leaf.clone().into_any().unbind());
        assert_eq!((visits(&leaf, &leaf), leaf.borrow().0), (1, 7));
        drop(leaf);
        collect(py);
        assert_eq!(dropped.dropped(), 7);

        // An owner that extends a leaf.
        let init =
            PyClassInitializer::from(Leaf).add_subclass(OwnerOfLeaf { own: None, probe: dropped.probe() });
        let owner = Bound::new(py, init).unwrap();
        owner.borrow_mut().own = Some(owner.clone().into_any().unbind());
        drop(owner);
        collect(py);
        assert_eq!(dropped.dropped(), 8);
    });
}

/// Through the items of a dict that a class of ours extends.
#[test]
#[cfg(any(not(Py_LIMITED_API), Py_3_12))]
fn a_cycle_of_items_is_collected() {
    alone(|py| {
        let class = py.get_type::<ours::OfDict>();
        let (holder, target) = (class.call0().unwrap(), object(py));
        holder.setattr("own", [&holder]).unwrap();
        holder.set_item("itself", &holder).unwrap();
        holder.set_item("target", &target).unwrap();
        cycle_is_collected(target, holder, 1);
    });
}

#[pyclass(subclass)]
struct Upper {
    own: Option<Py<PyAny>>,
    probe: DropProbe,
}

#[pymethods]
impl Upper {}

#[pyclass(extends = Upper)]
struct Lower {
    own: Option<Py<PyAny>>,
    probe: DropProbe,
}

#[pymethods]
impl Lower {}

#[pyclass(extends = Upper)]
struct LeafOfUpper(u8);

#[pyclass(subclass, frozen)]
struct Leaf;

#[pyclass(extends = Leaf)]
struct OwnerOfLeaf {
    own: Option<Py<PyAny>>,
    probe: DropProbe,
}

#[pymethods]
impl OwnerOfLeaf {}
