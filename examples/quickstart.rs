use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;
#[pyclass]
#[derive(PyGcTraversable)]
pub struct N {
    #[pyo3(get, set)]
    v: Option<Py<PyAny>>,
    k: Vec<Py<N>>,
    #[pyo3_gc(skip)]
    b: Box<dyn Fn() + Send + Sync>,
    t: Option<Box<Tree>>,
}
#[derive(PyGcTraversable)]
struct Tree {
    next: Option<Box<Tree>>,
    kids: Vec<Tree>,
    p: Vec<(Tree, Py<PyAny>)>,
    q: Vec<Py<Tree>>,
}
#[pymethods]
impl N {
    fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        PyGcTraversable::traverse(self, visit)
    }
    fn __clear__(&mut self) {
        PyGcTraversable::clear(self)
    }
}
fn main() {
    Python::attach(|py| {
        let n = Bound::new(py, N { v: None, k: vec![], b: Box::new(|| ()), t: None }).unwrap();
        n.setattr("v", &n).unwrap();
        let w = py.import("weakref").unwrap();
        let _ = w;
        drop(n);
        let c: i32 = py.import("gc").unwrap().call_method0("collect").unwrap().extract().unwrap();
        println!("{c} {}", N::MAY_CONTAIN_CYCLES)
    });
}
