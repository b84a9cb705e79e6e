//! Everything that PyO3's `#[pymethods]` takes goes through ours, and the hooks are installed beside it.

use pyo3::basic::CompareOp;
use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use pyo3_gc::{pyclass, pymethods};

use crate::support::{alone, cycle_is_collected, object};

#[pyclass(subclass)]
#[derive(Default)]
struct Everything {
    own: Vec<Py<PyAny>>,
    number: i64,
    position: usize,
}

#[pymethods]
impl Everything {
    /// The docs of a class attribute.
    #[classattr]
    const ANSWER: i64 = 42;

    #[new]
    #[pyo3(signature = (*own, number = Self::ANSWER))]
    fn new(own: Vec<Py<PyAny>>, number: i64) -> Self {
        Self { own, number, position: 0 }
    }

    #[classattr]
    fn computed() -> &'static str {
        "computed"
    }

    #[getter]
    fn get_number(&self) -> i64 {
        self.number
    }

    #[setter]
    fn set_number(&mut self, number: i64) {
        self.number = number;
    }

    #[getter(double)]
    fn twice(&self) -> i64 {
        self.number * 2
    }

    #[classmethod]
    fn named(class: &Bound<'_, PyType>) -> PyResult<String> {
        Ok(class.name()?.to_string())
    }

    #[staticmethod]
    #[pyo3(name = "add")]
    fn sum(left: i64, right: i64) -> i64 {
        left + right
    }

    /// Adds a reference.
    #[pyo3(signature = (object, *others, **named))]
    fn push(
        mut slf: PyRefMut<'_, Self>,
        object: Py<PyAny>,
        others: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> usize {
        slf.own.push(object);
        slf.own.extend(others.iter().map(Bound::unbind));
        slf.own.extend(named.into_iter().flat_map(PyDictMethods::values).map(Bound::unbind));
        slf.own.len()
    }

    fn __repr__(&self) -> String {
        format!("<{}>", self.number)
    }

    fn __str__(&self) -> String {
        self.number.to_string()
    }

    fn __richcmp__(&self, other: &Self, op: CompareOp) -> bool {
        op.matches(self.number.cmp(&other.number))
    }

    fn __hash__(&self) -> u64 {
        self.number.unsigned_abs()
    }

    fn __bool__(&self) -> bool {
        self.number != 0
    }

    fn __int__(&self) -> i64 {
        self.number
    }

    fn __len__(&self) -> usize {
        self.own.len()
    }

    fn __contains__(&self, object: &Bound<'_, PyAny>) -> bool {
        self.own.iter().any(|own| own.is(object))
    }

    fn __getitem__(&self, py: Python<'_>, index: usize) -> Py<PyAny> {
        self.own[index].clone_ref(py)
    }

    fn __setitem__(&mut self, index: usize, object: Py<PyAny>) {
        self.own[index] = object;
    }

    fn __delitem__(&mut self, index: usize) {
        self.own.remove(index);
    }

    fn __add__(&self, right: i64) -> i64 {
        self.number + right
    }

    fn __radd__(&self, left: i64) -> i64 {
        left - self.number
    }

    fn __iadd__(&mut self, right: i64) {
        self.number += right;
    }

    fn __pow__(&self, exponent: u32, modulus: Option<i64>) -> i64 {
        self.number.pow(exponent) % modulus.unwrap_or(i64::MAX)
    }

    fn __neg__(&self) -> i64 {
        -self.number
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let object = self.own.get(self.position).map(|own| own.clone_ref(py));
        self.position += 1;
        object.ok_or_else(|| PyStopIteration::new_err(()))
    }

    #[pyo3(signature = (*arguments))]
    fn __call__(&self, arguments: &Bound<'_, PyTuple>) -> usize {
        arguments.len() + self.own.len()
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __exit__(
        &mut self,
        _class: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
        self.number = 0;
    }

    fn __getattr__(&self, name: &str) -> PyResult<i64> {
        match name {
            "dynamic" => Ok(self.number),
            _ => Err(pyo3::exceptions::PyAttributeError::new_err(name.to_owned())),
        }
    }
}

#[test]
fn methods_and_slots() {
    alone(|py| {
        let scope = PyDict::new(py);
        scope.set_item("Everything", py.get_type::<Everything>()).unwrap();
        let target = object(py);
        scope.set_item("target", &target).unwrap();
        let code = c"
e = Everything(target, None)
assert Everything.ANSWER == e.number == 42 and Everything.computed == 'computed'
e.number = 3
assert e.double == 6 and e.dynamic == 3 and not hasattr(e, 'static')
class Sub(Everything):
    pass
assert Sub.named() == 'Sub' and Everything.named() == 'Everything' and Everything.add(1, 2) == 3
assert e.push(1, target, key=target) == 5
assert e.push.__doc__ == 'Adds a reference.'
assert repr(e) == '<3>' and str(e) == '3' and int(e) == 3 and bool(e) and hash(e) == 3
assert e == Everything(number=3) and e < Everything(number=4)
assert len(e) == 5 and target in e and e not in e
assert e[0] is target
e[1] = target
del e[2]
assert list(e) == [target, target, target, target] and len(e) == 4
assert e + 1 == 4 and 1 + e == -2 and -e == -3 and e ** 2 == 9 and pow(e, 2, 4) == 1
e += 2
assert e.number == 5 and e(1, 2) == 6
with e as inner:
    assert inner is e
assert e.number == 0 and not e
";
        py.run(code, Some(&scope), None).unwrap();
        let holder = scope.get_item("e").unwrap().unwrap();
        scope.clear();
        cycle_is_collected(target, holder, 4);
    });
}

/// A block that a macro generates, for a class that another does.
macro_rules! holders {
    ($($name:ident { $(fn $method:ident($this:ident) -> $result:ty $body:block)* })*) => {$(
        #[pyclass]
        struct $name {
            own: Option<Py<PyAny>>,
        }

        #[pymethods]
        impl $name {
            #[new]
            fn new(own: Option<Py<PyAny>>) -> Self {
                Self { own }
            }

            $(fn $method(&$this) -> $result $body)*
        }
    )*};
}

holders! {
    One {}
    Two {
        fn is_empty(self) -> bool { self.own.is_none() }
    }
}

#[test]
fn by_macro() {
    alone(|py| {
        for class in [py.get_type::<One>(), py.get_type::<Two>()] {
            let target = object(py);
            let holder = class.call1((&target,)).unwrap();
            cycle_is_collected(target, holder, 1);
        }
        let empty = py.get_type::<Two>().call1((py.None(),)).unwrap().call_method0("is_empty").unwrap();
        assert!(empty.is_truthy().unwrap());
    });
}
