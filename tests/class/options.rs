//! Every option of PyO3's `#[pyclass]` goes through ours, and does there what it does in PyO3.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_gc::{pyclass, pymethods};

use crate::support::{alone, cycle_is_collected, object};

/// PyO3 under another path, as a crate sees it that re-exports it.
mod reexport {
    pub(crate) use pyo3 as other_name;
}

/// Two numbers.
///
/// And a second paragraph.
#[pyclass(
    name = "Point",
    module = "geometry.plane",
    get_all,
    set_all,
    rename_all = "camelCase",
    eq,
    weakref,
    from_py_object
)]
#[derive(Clone, PartialEq)]
struct Renamed {
    /// The one.
    first_value: i32,
    #[pyo3(name = "other")]
    second_value: i32,
}

#[pymethods]
impl Renamed {
    #[new]
    fn new(first: i32, second: i32) -> Self {
        Self { first_value: first, second_value: second }
    }
}

#[pyclass(frozen, eq, ord, hash, str = "no. {value}")]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Ordered {
    #[pyo3(get)]
    value: i32,
}

#[pymethods]
impl Ordered {
    #[new]
    fn new(value: i32) -> Self {
        Self { value }
    }
}

mod skipped {
    #![allow(deprecated, reason = "what 0.28 asks for is the only choice from 0.30 on")]

    #[pyo3_gc::pyclass(skip_from_py_object)]
    #[derive(Clone)]
    pub(super) struct Skipped {
        pub(super) own: [u8; 2],
    }
}

#[pyclass(get_all, set_all)]
struct GetAll {
    object: Py<PyAny>,
    list: Option<Vec<Py<PyAny>>>,
}

#[pymethods]
impl GetAll {}

#[pyclass(generic, frozen)]
struct Generic {
    items: Mutex<Vec<Py<PyAny>>>,
}

#[pymethods]
impl Generic {}

#[pyclass(unsendable)]
struct Unsendable {
    own: std::cell::RefCell<Vec<u8>>,
    #[pyo3(get)]
    object: Option<Py<PyAny>>,
}

#[pymethods]
impl Unsendable {}

#[pyclass(sequence, crate = "reexport::other_name")]
struct Sequence {
    items: Vec<Py<PyAny>>,
}

#[pymethods]
#[pyo3(crate = "reexport::other_name")]
impl Sequence {
    fn __len__(&self) -> usize {
        self.items.len()
    }

    fn __getitem__(&self, py: Python<'_>, index: usize) -> PyResult<Py<PyAny>> {
        let item = self.items.get(index).map(|item| item.clone_ref(py));
        item.ok_or_else(|| pyo3::exceptions::PyIndexError::new_err(index))
    }
}

#[pyclass(mapping)]
#[pyo3(name = "Table", module = "tables")]
struct Mapping {
    items: std::collections::HashMap<String, Py<PyAny>>,
}

#[pymethods]
impl Mapping {
    fn __getitem__(&self, py: Python<'_>, key: &str) -> Option<Py<PyAny>> {
        self.items.get(key).map(|item| item.clone_ref(py))
    }
}

/// All options at once that go together, with a comma at the end.
#[pyclass(name = "All", module = "everything", subclass, dict, weakref, get_all, generic)]
struct All {
    object: Option<Py<PyAny>>,
}

#[pymethods]
impl All {}

fn run(py: Python<'_>, names: &[(&str, Bound<'_, PyAny>)], code: &std::ffi::CStr) {
    let scope = PyDict::new(py);
    for (name, object) in names {
        scope.set_item(name, object).unwrap();
    }
    py.run(code, Some(&scope), None).unwrap();
    scope.clear();
}

#[test]
fn names_docs_and_attributes() {
    alone(|py| {
        let class = py.get_type::<Renamed>().into_any();
        let code = c"
import weakref
assert (Point.__name__, Point.__module__) == ('Point', 'geometry.plane')
assert Point.__doc__ == 'Two numbers.\\n\\nAnd a second paragraph.', Point.__doc__
assert Point.firstValue.__doc__ == 'The one.'
point = Point(1, 2)
point.firstValue += 2
point.other = 4
assert point == Point(3, 4) and point != Point(3, 5)
assert not hasattr(point, 'first_value') and not hasattr(point, '__dict__')
assert weakref.ref(point)() is point
";
        run(py, &[("Point", class.clone())], code);
        let point: Renamed = class.call1((5, 6)).unwrap().extract().unwrap();
        assert!(point == Renamed::new(5, 6));
    });
}

#[test]
fn comparison_and_hash() {
    alone(|py| {
        let code = c"
one, two = Ordered(1), Ordered(2)
assert one < two and two >= one and one == Ordered(1) and hash(one) == hash(Ordered(1))
assert sorted([two, one])[0].value == 1 and str(two) == 'no. 2'
";
        run(py, &[("Ordered", py.get_type::<Ordered>().into_any())], code);

        let skipped = Bound::new(py, skipped::Skipped { own: [1, 2] }).unwrap();
        assert_eq!(skipped.borrow().clone().own, [1, 2]);
    });
}

#[test]
fn get_all_and_set_all() {
    alone(|py| {
        let target = object(py);
        let holder = GetAll { object: py.None(), list: None };
        let holder = Bound::new(py, holder).unwrap().into_any();
        let code = c"
holder.object = target
holder.list = [target, target]
assert holder.object is target and holder.list[1] is target
";
        run(py, &[("holder", holder.clone()), ("target", target.clone())], code);
        cycle_is_collected(target, holder, 3);
    });
}

#[test]
fn generic() {
    alone(|py| {
        let class = py.get_type::<Generic>();
        run(py, &[("Generic", class.into_any())], c"assert Generic[int].__origin__ is Generic");
        let target = object(py);
        let holder = Generic { items: Mutex::new(vec![target.clone().unbind()]) };
        cycle_is_collected(target, Bound::new(py, holder).unwrap().into_any(), 1);
    });
}

#[test]
fn unsendable() {
    alone(|py| {
        let target = object(py);
        let holder = Unsendable { own: std::cell::RefCell::default(), object: Some(target.clone().unbind()) };
        holder.own.borrow_mut().push(1);
        cycle_is_collected(target, Bound::new(py, holder).unwrap().into_any(), 1);
    });
}

#[test]
fn sequence_mapping_and_the_path_of_pyo3() {
    alone(|py| {
        let target = object(py);
        let holder = Sequence { items: vec![target.clone().unbind(), py.None()] };
        let holder = Bound::new(py, holder).unwrap().into_any();
        run(py, &[("s", holder.clone())], c"assert len(s) == 2 and list(s)[1] is None and s[0] is not None");
        cycle_is_collected(target, holder, 1);

        let target = object(py);
        let items = [(String::from("key"), target.clone().unbind())].into();
        let holder = Bound::new(py, Mapping { items }).unwrap().into_any();
        let code = c"
import gc
assert (type(table).__name__, type(table).__module__) == ('Table', 'tables')
assert table['key'] is target and table['other'] is None
";
        run(py, &[("table", holder.clone()), ("target", target.clone())], code);
        cycle_is_collected(target, holder, 1);
    });
}

#[test]
fn many_at_once() {
    alone(|py| {
        let target = object(py);
        let holder = Bound::new(py, All { object: Some(target.clone().unbind()) }).unwrap().into_any();
        let code = c"
import weakref
assert (type(holder).__name__, type(holder).__module__) == ('All', 'everything')
holder.other = 1
assert weakref.ref(holder)() is holder and holder.other == 1
assert type(holder)[int].__origin__ is type(holder)
";
        run(py, &[("holder", holder.clone())], code);
        cycle_is_collected(target, holder, 1);
    });
}

#[pyclass(new = "from_fields")]
struct Made {
    own: Option<Py<PyAny>>,
}

#[pymethods]
impl Made {}

#[test]
fn a_generated_constructor() {
    alone(|py| {
        let target = object(py);
        let made = py.get_type::<Made>().call1((&target,)).unwrap();
        cycle_is_collected(target, made, 1);
    });
}
