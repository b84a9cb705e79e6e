//! Correct support for CPython's cyclic garbage collector in PyO3 classes, without hand-written `__traverse__` and
//! `__clear__`.
//!
//! # The tour
//!
//! - [`#[pyclass]`](macro@pyclass) and [`#[pymethods]`](macro@pymethods) are PyO3's, with the hooks wired in. Import
//!   them in the place of those of PyO3's prelude; nothing else changes.
//!   [`prelude`] has both, for where two imports would be ambiguous.
//! - [`PyGcTraversable`](trait@PyGcTraversable) is the trait behind them, with its contract, and the derive for types
//!   that stand in the fields of a class. [`#[traversable]`](macro@traversable) is the derive for types that also derive
//!   `FromPyObject` or `IntoPyObject`.
//! - [`leaf!`] declares a type of yours that never owns a Python object. [`DynPyGcTraversable`] and
//!   [`dyn_traversable!`] let trait objects take part.
//! - [`PyGcOpaque`] hides a value from the collector, on purpose.
//! - [`PyGcArc`] is a shared pointer that the collector sees through, with [`PyGcWeak`] for its weak pointers, [`PyGcErr`] a
//!   Python error whose exception it sees.
//! - [`PyGcPool`] owns the objects of what it can't see into: closures, channels, `DashMap`, persistent maps.
//! - [`Graveyard`] is what a hand-written implementation moves into what it clears.
//! - [`drop_iteratively`] keeps the drop of a long chain off the stack.
//! - `testing`, behind the feature of that name, checks the hooks of a class, derived or by hand, in your tests.
//! - `audit`, behind the feature of that name, finds GC bugs in any extension module, whatever it is written in.
//!
//! ```
//! use pyo3::prelude::*;
//! use pyo3_gc::{pyclass, pymethods};
//!
//! #[pyclass]
//! struct Node {
//!     #[pyo3(get, set)]
//!     peer: Option<Py<PyAny>>,
//! }
//!
//! #[pymethods]
//! impl Node {}
//!
//! impl Drop for Node {
//!     fn drop(&mut self) {
//!         println!("collected");
//!     }
//! }
//!
//! # fn main() -> PyResult<()> {
//! Python::attach(|py| {
//!     let node = Bound::new(py, Node { peer: None })?;
//!     node.setattr("peer", &node)?; // a cycle
//!     drop(node);
//!     py.import("gc")?.call_method0("collect")?; // prints "collected"
//!     Ok(())
//! })
//! # }
//! ```
//!
//! # Features
//!
//! None is on by default.
//!
//! | feature | what it adds |
//! |---|---|
//! | `audit` | `audit`: counts visits against references over the whole heap, and looks for what holds unvisited ones |
//! | `testing` | `testing`: a conformance test for classes, drop probes, assertions about collections |
//! | `serde` | `Serialize` and `Deserialize` for [`PyGcOpaque`]; `Serialize` for the reports of an audit |
//! | `py-clone` | `Clone` for [`PyGcArc`], [`PyGcWeak`], [`PyGcErr`] and [`PyGcPool`], as for `Py` with PyO3's feature of that name, which it turns on; cloning panics while the thread is not attached |
//!
//! Each of the others covers the types of another crate, and has its name: see [the table](guide::impls#other-crates).
//! `all` turns on everything.
//!
//! # Going deeper
//!
//! [If your field is …](guide::fields) lists what stands in the fields of classes, each with what to write;
//! [implementations](guide::impls) lists all types that have one, and what clearing does to them.
//!
//! Two chapters, on [ownership](guide::ownership) and on [locks](guide::locks), say what the collector is told, and what
//! follows for shared pointers and for locks. The one on [pools](guide::pool) is about what the collector can't look into,
//! and [recipes](guide::recipes) has closures, iterators, channels and futures. `guide::audit` reads the reports of an audit.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod attached;
#[cfg(feature = "audit")]
pub mod audit;
mod class;
mod clearing;
mod drop;
mod dynamic;
mod error;
mod graveyard;
#[cfg(any(feature = "audit", feature = "testing"))]
mod heap;
mod hidden;
mod impls;
mod objects;
mod opaque;
mod pool;
mod probes;
mod shared;
mod stand_in;
#[cfg(feature = "testing")]
pub mod testing;
mod trashcan;
mod traversable;
#[cfg(any(feature = "audit", feature = "testing"))]
mod type_names;

/// PyO3's prelude with our two attributes in the place of its own, for where a second import would be ambiguous (E0659):
/// in a `#[pymodule] mod`, which a macro expands.
///
/// Never import it beside PyO3's prelude, nor `pyo3_gc::*`: rustc then takes the attributes of the first line. If those are
/// PyO3's, the class has no hooks, and leaks. All that tells is a warning, "`pyclass` is ambiguous", which Rust will make an
/// error ([rust-lang/rust#114095](https://github.com/rust-lang/rust/issues/114095)); make it one today by
/// `#![deny(ambiguous_glob_imports)]`.
///
/// ```
/// #[pyo3::pymodule]
/// mod shapes {
///     use pyo3_gc::prelude::*;
///
///     #[pyclass]
///     struct Shape {
///         owner: Option<Py<PyAny>>,
///     }
///
///     #[pymethods]
///     impl Shape {}
/// }
/// ```
pub mod prelude {
    pub use pyo3::prelude::*;

    pub use crate::{pyclass, pymethods};
}

/// What the expansions of the macros name. Not part of the public interface: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use core::result::Result::{Err, Ok};
    pub use pyo3::{Bound, PyVisit, pyclass, pymethods};

    pub use crate::class::{BothInstallHooks_WritePymethodsGcFalseOnOne, Hooks, LeftAlone, NoHooks};
    pub use crate::dynamic::{HasSupertrait, NotAsked, Object};
    pub use crate::graveyard::{bury_default, bury_whole, clear_interior_now, clear_now};
    pub use crate::hidden::HiddenFields;
    pub use crate::probes::{NotComposed, NotTraversable, Parts, Probe, is_conditional};
    pub use crate::stand_in::PyGcTraverseAs;
    pub use crate::traversable::{TraverseResult, again};
}

/// The chapters behind the reference.
#[cfg(any(doc, doctest))]
pub mod guide {
    #[cfg(feature = "audit")]
    #[doc = include_str!("../docs/audit.md")]
    pub mod audit {}
    #[doc = include_str!("../docs/fields.md")]
    pub mod fields {}
    #[doc = include_str!("../docs/impls.md")]
    pub mod impls {}
    #[doc = include_str!("../docs/locks.md")]
    pub mod locks {}
    #[doc = include_str!("../docs/ownership.md")]
    pub mod ownership {}
    #[doc = include_str!("../docs/pool.md")]
    pub mod pool {}
    #[doc = include_str!("../docs/recipes.md")]
    pub mod recipes {}
}

pub use drop::drop_iteratively;
pub use dynamic::DynPyGcTraversable;
pub use error::PyGcErr;
pub use graveyard::Graveyard;
pub use opaque::PyGcOpaque;
pub use pool::{PyGcPool, PyGcPooled};
pub use shared::{PyGcArc, PyGcWeak};
pub use stand_in::{PyGcSame, PyGcTraverseAs};
pub use traversable::PyGcTraversable;

#[doc = include_str!("../docs/derive.md")]
pub use pyo3_gc_macros::PyGcTraversable;
#[doc = include_str!("../docs/pyclass.md")]
pub use pyo3_gc_macros::pyclass;
#[doc = include_str!("../docs/pymethods.md")]
pub use pyo3_gc_macros::pymethods;
#[doc = include_str!("../docs/traversable.md")]
pub use pyo3_gc_macros::traversable;

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ReadmeDoctests;
