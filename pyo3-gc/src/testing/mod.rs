//! For the tests of your classes: whether cycles are collected, and whether the hooks of a class do what the collector
//! needs.
//!
//! - [`check_class`] tries one class on all that can be wrong with its hooks, and says what is, and the remedy. It works
//!   for hooks written by hand as well, in Rust or in C.
//! - [`assert_collected`] and [`assert_kept_alive`] build what you like, and observe what a collection does to it.
//! - [`DropCounter`] tells what is gone. A weak reference can't: CPython clears it as soon as its object is found to be
//!   garbage, be it that nothing is able to break the cycle, which then leaks.
//!   ([CPython's developer guide](https://github.com/python/cpython/blob/main/InternalDocs/garbage_collector.md))
//! - [`collect`] collects until nothing more goes.
//!
//! ```
//! use pyo3::prelude::*;
//! use pyo3_gc::testing::check_class;
//! use pyo3_gc::{pyclass, pymethods};
//!
//! #[pyclass]
//! struct Signal {
//!     handlers: Vec<Py<PyAny>>,
//!     last: Option<Py<PyAny>>,
//! }
//!
//! #[pymethods]
//! impl Signal {}
//!
//! # fn main() -> PyResult<()> {
//! Python::attach(|py| {
//!     let report = check_class(py, |sentinels| {
//!         let handlers = vec![sentinels.object("handler")?, sentinels.object("handler")?];
//!         Bound::new(py, Signal { handlers, last: Some(sentinels.object("last")?) })
//!     })?;
//!     report.assert_correct();
//!     Ok(())
//! })
//! # }
//! ```
//!
//! The tests of one binary run on several threads, as cargo has it. What stands here takes turns, with the automatic
//! collection switched off meanwhile, so that such tests don't disturb each other. All of it needs CPython.

mod allocations;
mod assert;
mod check;
mod collect;
mod declared;
mod display;
mod drops;
mod faults;
mod locked;
mod observe;
mod owned;
mod report;
mod sentinels;
mod serial;
mod steps;

pub use self::assert::{assert_collected, assert_kept_alive};
pub use self::check::{ClassCheck, check_class};
pub use self::collect::collect;
pub use self::drops::{DropCounter, DropProbe};
pub use self::report::{ClassReport, Declaration, Fault, Unchecked, Untried};
pub use self::sentinels::Sentinels;
pub use crate::hidden::HiddenField;
