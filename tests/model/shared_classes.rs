//! The classes under test that hold shared pointers.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};

use pyo3::prelude::*;
use pyo3_gc::{PyGcArc, pyclass, pymethods};

use super::classes::{Act, Class, class};
use super::slot::{Bare, Fixed, Slot};
use super::value::{ArcContents, Births, GcArcContents, Object, RcContents, Tag};

#[pyclass]
pub(crate) struct ArcOpen {
    bare: Bare<Arc<ArcContents>>,
    optional: Option<Arc<ArcContents>>,
    list: Vec<Arc<ArcContents>>,
    tag: Tag,
}

#[pymethods]
impl ArcOpen {}

class!(
    ArcOpen,
    |tag, births| Self { bare: Bare(births.one()), optional: None, list: Vec::new(), tag },
    mut |this| [&mut this.bare, &mut this.optional, &mut this.list]
);

#[pyclass(frozen)]
pub(crate) struct ArcFrozen {
    bare: Bare<Arc<ArcContents>>,
    locked: Mutex<Option<Arc<ArcContents>>>,
    tag: Tag,
}

#[pymethods]
impl ArcFrozen {}

class!(
    ArcFrozen,
    |tag, births| Self { bare: Bare(births.one()), locked: Mutex::default(), tag },
    frozen | this | [&mut Fixed(&this.bare), &mut &this.locked]
);

#[pyclass(unsendable, weakref)]
pub(crate) struct RcOpen {
    bare: Bare<Rc<RcContents>>,
    optional: Option<Rc<RcContents>>,
    cell: Cell<Option<Object>>,
    tag: Tag,
}

#[pymethods]
impl RcOpen {}

class!(
    RcOpen,
    |tag, births| Self { bare: Bare(births.one()), optional: None, cell: Cell::default(), tag },
    mut |this| [&mut this.bare, &mut this.optional, &mut this.cell]
);

#[pyclass]
pub(crate) struct GcArcOpen {
    bare: Bare<PyGcArc<GcArcContents>>,
    optional: Option<PyGcArc<GcArcContents>>,
    tag: Tag,
}

#[pymethods]
impl GcArcOpen {}

class!(
    GcArcOpen,
    |tag, births| Self { bare: Bare(births.one()), optional: None, tag },
    mut |this| [&mut this.bare, &mut this.optional]
);

#[pyclass(frozen)]
pub(crate) struct GcArcFrozen {
    bare: Bare<PyGcArc<GcArcContents>>,
    list: RwLock<Vec<PyGcArc<GcArcContents>>>,
    tag: Tag,
}

#[pymethods]
impl GcArcFrozen {}

class!(
    GcArcFrozen,
    |tag, births| Self { bare: Bare(births.one()), list: RwLock::default(), tag },
    frozen | this | [&mut Fixed(&this.bare), &mut &this.list]
);
