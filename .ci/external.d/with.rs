//! Another crate of the same build, which turns the features on.

use either::Either;
use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable as _;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Choice {
    either: Either<Py<PyAny>, u8>,
}

#[pymethods]
impl Choice {}

fn main() -> PyResult<()> {
    const { assert!(Choice::MAY_CONTAIN_CYCLES) };
    Python::attach(|py| {
        let record = py.get_type::<without::Record>().call1((py.None(),))?;
        assert_eq!(record.call_method0("count")?.extract::<usize>()?, 5);
        let choice = Bound::new(py, Choice { either: Either::Left(record.unbind()) })?;
        assert!(choice.borrow().either.is_left());
        println!("built together");
        Ok(())
    })
}
