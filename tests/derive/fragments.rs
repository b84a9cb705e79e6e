//! Attributes that `macro_rules!` fragments hand over are read like any others.

#![allow(dead_code, reason = "that it compiles is most of the test")]

use pyo3_gc::PyGcTraversable;

struct Foreign;

macro_rules! declare {
    ($name:ident, $($meta:meta),*) => {
        #[derive(PyGcTraversable)]
        struct $name {
            #[pyo3($($meta),*)]
            field: Foreign,
        }
    };
}
declare!(Metas, gc = false);
declare!(AmongMetas, default = Foreign, gc = false);

macro_rules! through_two {
    ($name:ident, $($meta:meta),*) => { declare!($name, $($meta),*); };
}
through_two!(Nested, gc = false);

macro_rules! declare_ours {
    ($name:ident, $($meta:meta),*) => {
        #[derive(PyGcTraversable)]
        struct $name {
            #[pyo3_gc($($meta),*)]
            field: Foreign,
        }
    };
}
declare_ours!(Ours, skip);

macro_rules! whole {
    ($name:ident, $meta:meta) => {
        #[derive(PyGcTraversable)]
        struct $name {
            #[$meta]
            field: Foreign,
        }
    };
}
whole!(Whole, pyo3(gc = false));
whole!(WholeOurs, pyo3_gc(skip));

macro_rules! pieces {
    ($name:ident, $key:ident, $value:literal) => {
        #[derive(PyGcTraversable)]
        struct $name {
            #[pyo3($key = $value)]
            field: Foreign,
        }
    };
    ($name:ident, path $key:path, $value:expr) => {
        #[derive(PyGcTraversable)]
        struct $name {
            #[pyo3($key = $value)]
            field: Foreign,
        }
    };
}
pieces!(Pieces, gc, false);
pieces!(PathAndExpression, path gc, false);

macro_rules! bounded {
    ($name:ident, $($meta:meta),*) => {
        #[derive(PyGcTraversable)]
        #[pyo3_gc($($meta),*)]
        struct $name<T> {
            field: T,
        }
    };
}
bounded!(Bounded, crate = "::pyo3_gc", bound = "T: pyo3_gc::PyGcTraversable");

#[test]
fn compiles() {}
