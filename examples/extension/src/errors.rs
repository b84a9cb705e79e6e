//! The exceptions of the module.

use pyo3::create_exception;
use pyo3::exceptions::PyException;

create_exception!(pyo3_gc_graph, GraphError, PyException, "What can go wrong with a graph.");
create_exception!(pyo3_gc_graph, UnknownNode, GraphError, "The graph has no node of that name.");
