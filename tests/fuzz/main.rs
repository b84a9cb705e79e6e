//! The macros, given items that are made at random. See `generate/mod.rs` for how to run more, and how to repeat a failure.

#![allow(unexpected_cfgs, reason = "the macro crate has features that this one hasn't")]

// The modules of the macro crate, to be called as functions.

#[path = "../../pyo3-gc-macros/src/advice.rs"]
mod advice;
#[path = "../../pyo3-gc-macros/src/attr.rs"]
mod attr;
#[path = "../../pyo3-gc-macros/src/bounds.rs"]
mod bounds;
#[path = "../../pyo3-gc-macros/src/check.rs"]
mod check;
#[path = "../../pyo3-gc-macros/src/errors.rs"]
mod errors;
#[path = "../../pyo3-gc-macros/src/exclusion.rs"]
mod exclusion;
#[path = "../../pyo3-gc-macros/src/expand.rs"]
mod expand;
#[path = "../../pyo3-gc-macros/src/hidden.rs"]
mod hidden;
#[path = "../../pyo3-gc-macros/src/leaves.rs"]
mod leaves;
#[path = "../../pyo3-gc-macros/src/meta.rs"]
mod meta;
#[path = "../../pyo3-gc-macros/src/model.rs"]
mod model;
#[path = "../../pyo3-gc-macros/src/names.rs"]
mod names;
#[path = "../../pyo3-gc-macros/src/pyclass.rs"]
mod pyclass;
#[path = "../../pyo3-gc-macros/src/pymethods.rs"]
mod pymethods;
#[path = "../../pyo3-gc-macros/src/recursion.rs"]
mod recursion;
#[path = "../../pyo3-gc-macros/src/rewrite.rs"]
mod rewrite;

mod compile;
mod expansion;
mod generate;
#[path = "../support/project.rs"]
mod project;
