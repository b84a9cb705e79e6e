//! A mistake in a type that others use: one error, at the mistake.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3(gc = no)] //~ mistake
    handle: RawHandle,
}

#[derive(PyGcTraversable)]
struct Server {
    connections: Vec<Connection>,
}

#[pyo3::pyclass]
struct Class {
    server: Server,
}

#[pyo3::pymethods]
impl Class {
    fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        self.server.traverse(visit)
    }

    fn __clear__(&mut self) {
        self.server.clear();
    }
}

const CYCLES: bool = Server::MAY_CONTAIN_CYCLES;

fn main() {}

//~ fix: gc = no => gc = false
