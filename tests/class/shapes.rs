//! `#[pyclass]` on every shape of item that PyO3 makes a class of: what its fields own is visited, and let go of.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

use crate::support::{self, DropCounter, DropProbe, alone, collect, cycle_is_collected, object};

/// Knows nothing of garbage collection.
#[derive(Clone, FromPyObject, IntoPyObject, IntoPyObjectRef)]
struct Handle(u64);

#[derive(PyGcTraversable)]
struct Slot<T, const N: usize> {
    values: [Option<T>; N],
    next: Option<Box<Slot<T, N>>>,
}

#[pyclass]
struct Named {
    bare: Py<PyAny>,
    optional: Option<Py<PyAny>>,
    list: Vec<Py<PyAny>>,
    slots: Slot<Py<PyAny>, 2>,
    #[pyo3(gc = false)]
    handle: Handle,
}

#[pymethods]
impl Named {}

#[pyclass]
struct Tuple(#[pyo3(get, name = "first")] Option<Py<PyAny>>, #[pyo3(gc = false)] Handle, Vec<Py<PyAny>>);

#[pymethods]
impl Tuple {}

#[pyclass]
struct Unit;

#[pyclass]
struct Braces {}

#[pymethods]
impl Braces {}

/// No reference, no hooks: a class like this needs no `#[pymethods]`.
#[pyclass]
struct Leaf {
    #[pyo3(get)]
    name: String,
}

#[pyclass(eq, eq_int, from_py_object)]
#[derive(Clone, PartialEq)]
enum Simple {
    #[pyo3(name = "RED")]
    Red = 3,
    Green,
}

#[pyclass]
enum Complex {
    Object(Py<PyAny>),
    Pair {
        left: Py<PyAny>,
        #[pyo3(gc = false)]
        handle: Handle,
        right: Option<Py<PyAny>>,
    },
    #[pyo3(constructor = (_0, _1 = Handle(7)))]
    Counted(Vec<Py<PyAny>>, #[pyo3(gc = false)] Handle),
    Empty {},
}

#[pymethods]
impl Complex {
    fn kind(&self) -> String {
        match self {
            Self::Object(_) => String::from("object"),
            Self::Pair { handle, .. } => format!("pair {}", handle.0),
            Self::Counted(objects, handle) => format!("{} objects, {}", objects.len(), handle.0),
            Self::Empty {} => String::from("empty"),
        }
    }
}

macro_rules! class {
    ($(#[$attribute:meta])* $name:ident<$own:ty> { $($key:ident = $value:literal)? }) => {
        $(#[$attribute])*
        #[pyclass]
        struct $name {
            own: $own,
            #[pyo3($($key = $value)?)]
            handle: Handle,
        }

        #[pymethods]
        impl $name {}
    };
}
class!(#[doc = "By macro."] ByMacro<Option<Py<PyAny>>> { gc = false });

mod inner {
    use pyo3::prelude::*;

    /// Named by their paths, and seen from outside.
    #[pyo3_gc::pyclass]
    pub(crate) struct r#Type {
        pub(crate) r#in: Option<Py<PyAny>>,
    }

    #[pyo3_gc::pymethods]
    impl r#Type {}
}

#[test]
fn structs() {
    alone(|py| {
        let target = object(py);
        let own = || target.clone().unbind();
        let named = Named {
            bare: own(),
            optional: Some(own()),
            list: vec![own(), own()],
            slots: Slot {
                values: [Some(own()), None],
                next: Some(Box::new(Slot { values: [None, Some(own())], next: None })),
            },
            handle: Handle(1),
        };
        assert_eq!(named.handle.0, 1);
        let named = Bound::new(py, named).unwrap();
        cycle_is_collected(target, named.into_any(), 6);

        let target = object(py);
        let tuple = Tuple(Some(target.clone().unbind()), Handle(2), vec![target.clone().unbind(), py.None()]);
        assert_eq!(tuple.1.0, 2);
        let tuple = Bound::new(py, tuple).unwrap();
        assert!(tuple.getattr("first").unwrap().is(&target));
        cycle_is_collected(target, tuple.into_any(), 2);
    });
}

#[test]
fn macro_generated_and_in_a_module() {
    alone(|py| {
        let target = object(py);
        let by_macro = ByMacro { own: Some(target.clone().unbind()), handle: Handle(3) };
        assert_eq!(by_macro.handle.0, 3);
        let by_macro = Bound::new(py, by_macro).unwrap();
        let doc: String = by_macro.getattr("__doc__").unwrap().extract().unwrap();
        assert_eq!(doc, "By macro.");
        cycle_is_collected(target, by_macro.into_any(), 1);

        let target = object(py);
        let typed = Bound::new(py, inner::r#Type { r#in: Some(target.clone().unbind()) }).unwrap();
        assert_eq!(typed.get_type().name().unwrap(), "Type");
        cycle_is_collected(target, typed.into_any(), 1);
    });
}

#[test]
fn in_a_function() {
    #[pyclass(frozen)]
    struct Local {
        own: Mutex<Vec<Py<PyAny>>>,
        probe: DropProbe,
    }

    #[pymethods]
    impl Local {}

    alone(|py| {
        let dropped = DropCounter::default();
        let local = Local { own: Mutex::default(), probe: dropped.probe() };
        let local = Bound::new(py, local).unwrap();
        local.get().own.lock().unwrap().push(local.clone().into_any().unbind());
        assert_eq!(support::visits(local.as_any(), local.as_any()), 1);
        drop(local);
        assert_eq!(dropped.dropped(), 0);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

#[test]
fn without_references() {
    const {
        assert!(!Unit::MAY_CONTAIN_CYCLES);
        assert!(!Braces::MAY_CONTAIN_CYCLES);
        assert!(!Leaf::MAY_CONTAIN_CYCLES);
        assert!(!Simple::MAY_CONTAIN_CYCLES);
        assert!(Complex::MAY_CONTAIN_CYCLES);
    }
    alone(|py| {
        let scope = PyDict::new(py);
        scope.set_item("unit", Bound::new(py, Unit).unwrap()).unwrap();
        scope.set_item("braces", Bound::new(py, Braces {}).unwrap()).unwrap();
        scope.set_item("leaf", Bound::new(py, Leaf { name: String::from("oak") }).unwrap()).unwrap();
        scope.set_item("Simple", py.get_type::<Simple>()).unwrap();
        let code = c"
import gc
assert gc.collect() >= 0
assert leaf.name == 'oak'
assert Simple.RED == 3 and int(Simple.Green) == 4 and Simple.RED != Simple.Green
assert [type(x).__name__ for x in (unit, braces)] == ['Unit', 'Braces']
for x in (unit, braces, leaf, Simple.RED):
    assert gc.get_referents(x) in ([], [type(x)])
";
        py.run(code, Some(&scope), None).unwrap();
        let red = scope.get_item("Simple").unwrap().unwrap().getattr("RED").unwrap();
        assert!(red.extract::<Simple>().unwrap() == Simple::Red);
    });
}

#[test]
fn complex_enums() {
    alone(|py| {
        for (constructor, own, kind) in [
            (c"Complex.Object(target)", 1, "object"),
            (c"Complex.Pair(left=target, handle=4, right=target)", 2, "pair 4"),
            (c"Complex.Pair(target, 5, None)", 1, "pair 5"),
            (c"Complex.Counted([target, None, target])", 2, "3 objects, 7"),
        ] {
            let (target, scope) = (object(py), PyDict::new(py));
            scope.set_item("Complex", py.get_type::<Complex>()).unwrap();
            scope.set_item("target", &target).unwrap();
            let holder = py.eval(constructor, Some(&scope), None).unwrap();
            assert_eq!(holder.call_method0("kind").unwrap().extract::<String>().unwrap(), kind);
            assert!(support::visits(&holder, &holder.get_type()) <= 1);
            drop(scope);
            cycle_is_collected(target, holder, own);
        }
        let empty = py.get_type::<Complex>().getattr("Empty").unwrap().call0().unwrap();
        assert_eq!(empty.call_method0("kind").unwrap().extract::<String>().unwrap(), "empty");
        collect(py);
    });
}
