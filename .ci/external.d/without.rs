//! A crate that knows no feature of `pyo3-gc`, and excludes types that it has no impl for.

use either::Either;
use pyo3_gc::{pyclass, pymethods};
use uuid::Uuid;

#[derive(pyo3_gc::PyGcTraversable)]
pub struct Named<T> {
    #[pyo3(gc = false)]
    pub id: T,
}

#[pyclass]
pub struct Record {
    #[pyo3(gc = false)]
    id: Either<u8, u16>,
    #[pyo3(gc = false)]
    ids: Vec<Either<u8, u16>>,
    #[pyo3(gc = false)]
    named: Option<Uuid>,
    nested: Named<Uuid>,
    value: Option<pyo3::Py<pyo3::PyAny>>,
}

#[pymethods]
impl Record {
    #[new]
    fn new(value: pyo3::Py<pyo3::PyAny>) -> Self {
        let (id, ids) = (Either::Left(1), vec![Either::Right(2)]);
        Self { id, ids, named: None, nested: Named { id: Uuid::nil() }, value: Some(value) }
    }

    fn count(&self) -> usize {
        let id = self.id.either(usize::from, usize::from);
        id + self.ids.len() + usize::from(self.named.is_none()) + usize::from(self.nested.id.is_nil())
            + usize::from(self.value.is_some())
    }
}
