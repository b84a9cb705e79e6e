//! `#[traversable]` on types that PyO3's `FromPyObject` and `IntoPyObject` are derived for, with our keys beside theirs.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_gc::{PyGcTraversable, pyclass, pymethods, traversable};

use crate::support::{alone, cycle_is_collected, object};

/// Knows nothing of garbage collection.
#[derive(Clone, Debug, Default, PartialEq, FromPyObject, IntoPyObject, IntoPyObjectRef)]
#[pyo3(transparent)]
struct Handle(u64);

fn doubled(value: &Bound<'_, PyAny>) -> PyResult<Handle> {
    value.extract().map(|number: u64| Handle(2 * number))
}

#[traversable]
#[derive(FromPyObject, IntoPyObject, IntoPyObjectRef)]
#[pyo3(from_item_all, rename_all = "camelCase")]
struct Items {
    own_object: Py<PyAny>,
    #[pyo3(gc = false)]
    plain_handle: Handle,
    #[pyo3(item("renamed"), gc = false)]
    with_item: Handle,
    #[pyo3(gc = false, default)]
    absent: Handle,
    own_list: Vec<Py<PyAny>>,
}

#[traversable]
#[derive(FromPyObject)]
struct Attributes {
    #[pyo3(attribute("renamed"))]
    own: Option<Py<PyAny>>,
    #[pyo3(gc = false, attribute)]
    handle: Handle,
    #[pyo3(item, gc = false)]
    item: Handle,
    #[pyo3(item(7), gc = false, from_py_with = doubled)]
    seventh: Handle,
    #[pyo3(attribute("again"), gc = true)]
    again: Py<PyAny>,
    #[pyo3(attribute("handle"))]
    #[pyo3_gc(skip)]
    skipped: Handle,
}

#[traversable]
#[derive(Clone, Debug, FromPyObject, IntoPyObject, PartialEq)]
#[pyo3(transparent)]
struct TransparentHandle(#[pyo3(gc = false)] Handle);

#[traversable]
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(transparent)]
struct TransparentObject {
    object: Py<PyAny>,
}

#[traversable]
#[derive(FromPyObject, IntoPyObject)]
struct Pair(Py<PyAny>, #[pyo3(gc = false)] Handle);

#[traversable]
#[derive(FromPyObject, IntoPyObject)]
enum Either {
    #[pyo3(transparent, annotation = "int")]
    Number(#[pyo3(gc = false)] Handle),
    #[pyo3(annotation = "(int, object)")]
    Pair(#[pyo3(gc = false)] Handle, Py<PyAny>),
    Named {
        #[pyo3(item("object"))]
        own: Py<PyAny>,
        #[pyo3(gc = false, item)]
        handle: Handle,
    },
    #[pyo3(transparent)]
    Other(Py<PyAny>),
}

/// Derives read what `cfg_attr` stands for.
#[cfg_attr(test, traversable)]
#[derive(IntoPyObject)]
#[cfg_attr(test, derive(FromPyObject))]
#[cfg_attr(any(), pyo3(transparent))]
struct Conditional {
    #[cfg_attr(test, pyo3(item("renamed"), gc = false))]
    handle: Handle,
    #[cfg_attr(test, cfg_attr(test, pyo3(gc = false, item)))]
    deep: Handle,
    #[cfg_attr(any(), pyo3(gc = false))]
    #[cfg_attr(not(any()), pyo3(item))]
    own: Py<PyAny>,
}

#[traversable]
#[derive(FromPyObject, IntoPyObject)]
struct Generic<T, U: Default> {
    #[pyo3(item)]
    value: T,
    #[pyo3(item, gc = false)]
    excluded: U,
}

/// The derive may stand there by hand, and the attribute above other attributes.
#[traversable]
#[derive(FromPyObject, PyGcTraversable)]
#[allow(dead_code, reason = "to have another attribute in between")]
struct Derived {
    #[pyo3(item, gc = false)]
    handle: Handle,
    #[pyo3(item)]
    own: Py<PyAny>,
}

/// No conversions at all.
#[traversable]
#[derive(Default)]
struct Plain {
    #[pyo3(gc = false)]
    handle: Handle,
    own: Vec<Py<PyAny>>,
}

/// Holds one of each in turn.
#[pyclass]
struct Holder {
    value: Value,
}

#[pymethods]
impl Holder {}

#[derive(PyGcTraversable)]
enum Value {
    Items(Items),
    Attributes(Attributes),
    Transparent(TransparentHandle, TransparentObject),
    Pair(Pair),
    Either([Either; 4]),
    Conditional(Conditional),
    Generic(Generic<Py<PyAny>, Handle>),
    Derived(Derived),
    Plain(Plain),
}

/// Evaluates `code` with the target in it, converts the result, and checks that it is visited and cleared in a class.
fn check<'py>(
    py: Python<'py>,
    code: &std::ffi::CStr,
    own: usize,
    convert: impl FnOnce(Bound<'py, PyAny>) -> PyResult<Value>,
) {
    let (scope, target) = (PyDict::new(py), object(py));
    scope.set_item("x", &target).unwrap();
    py.run(c"class Namespace(dict):\n    pass", Some(&scope), None).unwrap();
    let value = convert(py.eval(code, Some(&scope), None).unwrap()).unwrap();
    scope.clear();
    cycle_is_collected(target, Bound::new(py, Holder { value }).unwrap().into_any(), own);
}

#[test]
fn structs() {
    alone(|py| {
        let code = c"{'ownObject': x, 'plainHandle': 1, 'renamed': 2, 'ownList': [x, x, None]}";
        check(py, code, 3, |python| {
            let items: Items = python.extract()?;
            assert_eq!(
                (&items.plain_handle, &items.with_item, &items.absent),
                (&Handle(1), &Handle(2), &Handle(0))
            );
            let back = (&items).into_pyobject(py)?;
            assert_eq!(back.get_item("renamed")?.unwrap().extract::<u64>()?, 2);
            Ok(Value::Items(items))
        });

        let code = c"
(lambda n: (n.__dict__.update(renamed=x, handle=1, again=x), n)[1])(Namespace({'item': 2, 7: 3}))
";
        check(py, code, 2, |python| {
            let attributes: Attributes = python.extract()?;
            let handles = [&attributes.handle, &attributes.item, &attributes.seventh, &attributes.skipped];
            assert_eq!(handles.map(|handle| handle.0), [1, 2, 6, 1]);
            Ok(Value::Attributes(attributes))
        });

        check(py, c"[5, x]", 1, |python| {
            let (handle, object) = (python.get_item(0)?.extract()?, python.get_item(1)?.extract()?);
            assert_eq!(handle, TransparentHandle(Handle(5)));
            Ok(Value::Transparent(handle, object))
        });

        check(py, c"(x, 6)", 1, |python| {
            let pair: Pair = python.extract()?;
            assert_eq!(pair.1, Handle(6));
            Ok(Value::Pair(pair))
        });
    });
    const {
        assert!(!TransparentHandle::MAY_CONTAIN_CYCLES);
        assert!(TransparentObject::MAY_CONTAIN_CYCLES);
    }
}

#[test]
fn enums() {
    alone(|py| {
        check(py, c"[1, (2, x), {'object': x, 'handle': 3}, x]", 3, |python| {
            let either: [Either; 4] = python.extract()?;
            assert!(matches!(
                &either,
                [
                    Either::Number(Handle(1)),
                    Either::Pair(Handle(2), _),
                    Either::Named { handle: Handle(3), .. },
                    Either::Other(_)
                ]
            ));
            Ok(Value::Either(either))
        });
        assert!(Either::Number(Handle(4)).into_pyobject(py).unwrap().eq(4).unwrap());
        let named = Either::Named { own: py.None(), handle: Handle(5) }.into_pyobject(py).unwrap();
        assert!(named.get_item("handle").unwrap().eq(5).unwrap());
    });
}

#[test]
fn conditional_generic_and_plain() {
    alone(|py| {
        check(py, c"{'renamed': 1, 'deep': 2, 'own': x}", 1, |python| {
            let conditional: Conditional = python.extract()?;
            assert_eq!((&conditional.handle, &conditional.deep), (&Handle(1), &Handle(2)));
            Ok(Value::Conditional(conditional))
        });

        check(py, c"{'value': x, 'excluded': 1}", 1, |python| {
            let generic: Generic<Py<PyAny>, Handle> = python.extract()?;
            assert_eq!(generic.excluded, Handle(1));
            Ok(Value::Generic(generic))
        });

        check(py, c"{'handle': 1, 'own': x}", 1, |python| Ok(Value::Derived(python.extract()?)));

        check(py, c"[x, x]", 2, |python| {
            let plain = Plain { own: python.extract()?, ..Plain::default() };
            assert_eq!(plain.handle, Handle(0));
            Ok(Value::Plain(plain))
        });
    });
}
