//! Classes and their blocks in different places, and the ways in which a module takes them.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

use crate::support::{alone, cycle_is_collected, object};

/// A class with a type alias for a name, and a block on that.
#[pyclass]
struct Aliased {
    own: Option<Py<PyAny>>,
}

type Alias = Aliased;

#[pymethods]
impl Alias {
    #[new]
    fn new(own: Py<PyAny>) -> Self {
        Self { own: Some(own) }
    }
}

mod elsewhere {
    #[pyo3_gc::pyclass]
    pub(crate) struct Declared {
        pub(crate) own: Option<pyo3::Py<pyo3::PyAny>>,
    }
}

#[pymethods]
impl elsewhere::Declared {
    #[new]
    fn new(own: Py<PyAny>) -> Self {
        Self { own: Some(own) }
    }
}

#[test]
fn by_path() {
    alone(|py| {
        let target = object(py);
        let holder = Aliased { own: Some(target.clone().unbind()) };
        cycle_is_collected(target, Bound::new(py, holder).unwrap().into_any(), 1);
        let target = object(py);
        let holder = elsewhere::Declared { own: Some(target.clone().unbind()) };
        cycle_is_collected(target, Bound::new(py, holder).unwrap().into_any(), 1);
    });
}

/// The classes in a module: exported by name, or because the module sees `#[pyclass]` on them.
#[pyo3::pymodule]
mod declared {
    // In a module that a macro expands, PyO3's prelude and our two names would be ambiguous (E0659).
    use pyo3_gc::prelude::*;

    #[pymodule_export]
    use super::Aliased;

    #[pyclass]
    struct Inside {
        #[pyo3(get, set)]
        own: Option<Py<PyAny>>,
    }

    #[pymethods]
    impl Inside {
        #[new]
        fn new() -> Self {
            Self { own: None }
        }
    }
}

#[pyo3::pymodule]
fn by_function(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<elsewhere::Declared>()
}

#[test]
fn in_a_module() {
    alone(|py| {
        let module = pyo3::wrap_pymodule!(declared)(py).into_bound(py);
        let inside = module.getattr("Inside").unwrap();
        assert_eq!(inside.getattr("__module__").unwrap().to_string(), "declared");
        let (target, holder) = (object(py), inside.call0().unwrap());
        holder.setattr("own", &target).unwrap();
        cycle_is_collected(target, holder, 1);

        let target = object(py);
        let holder = module.getattr("Aliased").unwrap().call1((&target,)).unwrap();
        cycle_is_collected(target, holder, 1);

        let module = pyo3::wrap_pymodule!(by_function)(py).into_bound(py);
        let target = object(py);
        let holder = module.getattr("Declared").unwrap().call1((&target,)).unwrap();
        cycle_is_collected(target, holder, 1);
    });
}
