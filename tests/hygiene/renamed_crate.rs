//! The derive where the crate goes by another name: `#[pyo3_gc(crate = "…")]`.

#![deny(warnings)]
#![allow(dead_code, reason = "that it compiles is most of the test")]

/// As a framework would export it.
pub(crate) mod framework {
    pub(crate) mod internals {
        pub(crate) use pyo3_gc as gc;
        pub(crate) use pyo3_gc::*;
    }
    pub(crate) use internals::gc::PyGcTraversable as Traverse;
}
use pyo3_gc as renamed;

/// What a path from the extern prelude would find instead.
mod pyo3_gc_shadow {
    pub(crate) struct PyGcTraversable;
}

struct Foreign;

mod by_path {
    use pyo3::prelude::*;

    use super::Foreign;
    // Whatever else goes by the names of the import that the expansion makes.
    use super::pyo3_gc_shadow as private;
    use crate::renamed_crate::framework::Traverse;

    #[derive(Traverse)]
    #[pyo3_gc(crate = "crate::renamed_crate::framework::internals")]
    struct Glob<T> {
        object: Option<Py<PyAny>>,
        value: Vec<T>,
        #[pyo3(gc = false)]
        excluded: Foreign,
        #[pyo3(gc = false)]
        generic: (Foreign, T),
    }

    #[derive(Traverse)]
    #[pyo3_gc(crate = "super::framework::internals::gc", bound = "T: Traverse")]
    enum Renamed<T> {
        Unit,
        Value(T, Box<Self>),
    }

    #[derive(super::renamed::PyGcTraversable)]
    #[pyo3_gc(crate = "super::renamed")]
    struct Relative(Option<Py<PyAny>>, Vec<Self>);

    #[derive(super::renamed::PyGcTraversable)]
    #[pyo3_gc(crate = "::pyo3_gc")]
    struct Absolute(Option<Py<PyAny>>, #[pyo3(gc = false)] private::PyGcTraversable);

    #[derive(Traverse)]
    #[pyo3_gc(crate = "pyo3_gc")]
    pub(crate) struct Several {
        pub(crate) glob: Glob2,
    }
    #[derive(Traverse)]
    #[pyo3_gc(crate = "crate::renamed_crate::renamed")]
    pub(crate) struct Glob2(u8);

    #[test]
    fn works_as_by_the_usual_name() {
        const { assert!(Glob::<u8>::MAY_CONTAIN_CYCLES) };
        const { assert!(Relative::MAY_CONTAIN_CYCLES) };
        const { assert!(Absolute::MAY_CONTAIN_CYCLES) };
        const { assert!(!Several::MAY_CONTAIN_CYCLES) };
        const { assert!(!Renamed::<u8>::MAY_CONTAIN_CYCLES) };
        Renamed::<u8>::Unit.clear();
    }
}

/// A framework's own macro hands its own path on.
macro_rules! class {
    ($name:ident { $($field:ident: $ty:ty),* $(,)? }) => {
        #[derive($crate::renamed_crate::framework::internals::PyGcTraversable)]
        #[pyo3_gc(crate = "crate::renamed_crate::framework::internals")]
        struct $name {
            $($field: $ty,)*
        }
    };
}

class!(Declared { object: Option<pyo3::Py<pyo3::PyAny>>, items: Vec<Declared> });

#[test]
fn in_a_function_body() {
    mod inner {
        pub(super) use pyo3_gc as again;
    }
    #[derive(renamed::PyGcTraversable)]
    #[pyo3_gc(crate = "renamed")]
    struct Local<T>(T);
    const { assert!(!<Local<u8> as inner::again::PyGcTraversable>::MAY_CONTAIN_CYCLES) };
    const { assert!(<Declared as framework::Traverse>::MAY_CONTAIN_CYCLES) };
}
