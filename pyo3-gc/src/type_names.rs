//! What types are called, for the reports of the audit and of the tests of classes.

use std::fmt::{self, Display, Formatter};

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

/// Names types without asking their metaclass, which could run Python code: through the getters of `type` itself.
pub(crate) struct TypeNames<'py> {
    module: Bound<'py, PyAny>,
    qualname: Bound<'py, PyAny>,
}

impl<'py> TypeNames<'py> {
    pub(crate) fn new(py: Python<'py>) -> PyResult<Self> {
        let getters = py.get_type::<PyType>().getattr(intern!(py, "__dict__"))?;
        Ok(Self {
            module: getters.get_item(intern!(py, "__module__"))?,
            qualname: getters.get_item(intern!(py, "__qualname__"))?,
        })
    }

    #[cfg(feature = "testing")]
    pub(crate) fn of(&self, ty: &Bound<'py, PyType>) -> String {
        self.name(ty).to_string()
    }

    pub(crate) fn name(&self, ty: &Bound<'py, PyType>) -> TypeName {
        let get = |getter: &Bound<'py, PyAny>| {
            let name = getter.call_method1(intern!(ty.py(), "__get__"), (ty,)).ok()?;
            name.cast_into_exact::<PyString>().ok()?.extract::<String>().ok()
        };
        let qualname = get(&self.qualname).unwrap_or_else(|| "a type without a name".to_owned());
        TypeName { module: get(&self.module), qualname }
    }
}

/// What a type is called: `module.QualName`; without the module for builtins.
#[derive(Clone)]
pub(crate) struct TypeName {
    pub(crate) module: Option<String>,
    pub(crate) qualname: String,
}

impl Display for TypeName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { module, qualname } = self;
        match module {
            Some(module) if module != "builtins" => write!(f, "{module}.{qualname}"),
            _ => write!(f, "{qualname}"),
        }
    }
}
