//! The classes under test, with their fields as slots: one for each kind of node that is neither Python's own nor a shared
//! pointer's.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Mutex, OnceLock, RwLock};

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3_gc::{PyGcOpaque, pyclass, pymethods};

use super::nested::{Chain, Shape, Tree};
use super::slot::{Bare, Fixed, Slot};
use super::value::{Births, Object, Tag, none};
use crate::support::key::Key;

/// What is done to a field.
pub(crate) type Act<'a> = &'a mut dyn FnMut(&mut dyn Slot);

/// A class under test.
pub(crate) trait Class: PyClass {
    /// An object that holds nothing but what it is born with.
    fn new(tag: Tag, births: &mut Births) -> PyClassInitializer<Self>;

    fn id(object: &Bound<'_, Self>) -> usize;

    /// Lends one of the fields, by its number in the model. The object is borrowed meanwhile.
    fn with_slot(object: &Bound<'_, Self>, index: usize, act: Act<'_>);
}

/// How a class is made, and its fields: by name, and what is lent of each.
macro_rules! class {
    ($class:ident, |$tag:ident, $births:ident| $new:expr, mut |$this:ident| [$($slot:expr),+ $(,)?]) => {
        class!($class, |$tag, $births| $new, |object| &mut *object.borrow_mut(), |$this| [$($slot),+]);
    };
    ($class:ident, |$tag:ident, $births:ident| $new:expr, frozen |$this:ident| [$($slot:expr),+ $(,)?]) => {
        class!($class, |$tag, $births| $new, |object| object.get(), |$this| [$($slot),+]);
    };
    (
        $class:ident,
        |$tag:ident, $births:ident| $new:expr,
        |$object:ident| $borrow:expr,
        |$this:ident| [$($slot:expr),+]
    ) => {
        impl Class for $class {
            fn new($tag: Tag, $births: &mut Births) -> PyClassInitializer<Self> {
                let _: &Births = $births;
                PyClassInitializer::from($new)
            }

            fn id(object: &Bound<'_, Self>) -> usize {
                object.borrow().tag.id
            }

            fn with_slot($object: &Bound<'_, Self>, index: usize, act: Act<'_>) {
                let $this = $borrow;
                let slots: &mut [&mut dyn Slot] = &mut [$($slot),+];
                act(slots[index]);
            }
        }
    };
}

pub(crate) use class;

#[pyclass(subclass, weakref)]
#[derive(Default)]
pub(crate) struct Open {
    one: Option<Object>,
    list: Vec<Object>,
    map: HashMap<u8, Object>,
    keys: HashMap<Key, u8>,
    pub(crate) tag: Tag,
}

#[pymethods]
impl Open {
    /// For subclasses in Python.
    #[new]
    fn without_tag() -> Self {
        Self::default()
    }
}

class!(Open, |tag, _births| Self { tag, ..Self::default() }, mut |this| [
    &mut this.one,
    &mut this.list,
    &mut this.map,
    &mut this.keys,
]);

#[pyclass(extends = Open)]
pub(crate) struct Sub {
    own: Option<Object>,
}

#[pymethods]
impl Sub {}

impl Sub {
    const BASE_SLOTS: usize = super::kind::Kind::Open.slots().len();
}

impl Class for Sub {
    fn new(tag: Tag, births: &mut Births) -> PyClassInitializer<Self> {
        <Open as Class>::new(tag, births).add_subclass(Self { own: None })
    }

    fn id(object: &Bound<'_, Self>) -> usize {
        Open::id(object.as_super())
    }

    fn with_slot(object: &Bound<'_, Self>, index: usize, act: Act<'_>) {
        if index < Self::BASE_SLOTS {
            Open::with_slot(object.as_super(), index, act);
        } else {
            act(&mut object.borrow_mut().own);
        }
    }
}

#[pyclass(weakref)]
pub(crate) struct Collections {
    deque: VecDeque<Object>,
    tree: BTreeMap<u8, Object>,
    array: (u8, [Option<Object>; 12]),
    result: Result<Bare<Object>, u8>,
    tag: Tag,
}

#[pymethods]
impl Collections {}

class!(
    Collections,
    |tag, _births| Self {
        deque: VecDeque::new(),
        tree: BTreeMap::new(),
        array: (7, Default::default()),
        result: Err(0),
        tag
    },
    mut |this| [&mut this.deque, &mut this.tree, &mut this.array.1, &mut this.result]
);

#[pyclass]
#[derive(Default)]
pub(crate) struct Nested {
    chain: Chain,
    tree: Tree,
    shapes: Vec<Box<dyn Shape>>,
    tag: Tag,
}

#[pymethods]
impl Nested {}

class!(Nested, |tag, _births| Self { tag, ..Self::default() }, mut |this| [
    &mut this.chain,
    &mut this.tree,
    &mut this.shapes,
]);

#[pyclass(weakref, name = "Bare")]
pub(crate) struct BareObject {
    object: Bare<Object>,
    tag: Tag,
}

#[pymethods]
impl BareObject {}

class!(
    BareObject,
    |tag, _births| Self { object: Bare(none()), tag },
    mut |this| [&mut this.object]
);

#[pyclass]
pub(crate) struct Typed {
    target: Bare<Py<Open>>,
    other: Option<Object>,
    tag: Tag,
}

#[pymethods]
impl Typed {}

class!(
    Typed,
    |tag, births| Self { target: Bare(births.one()), other: None, tag },
    mut |this| [&mut this.target, &mut this.other]
);

#[pyclass(weakref)]
#[derive(Default)]
pub(crate) struct Kept {
    #[pyo3_gc(clear = false)]
    list: Vec<Object>,
    other: Option<Object>,
    tag: Tag,
}

#[pymethods]
impl Kept {}

class!(Kept, |tag, _births| Self { tag, ..Self::default() }, mut |this| [&mut this.list, &mut this.other]);

#[pyclass(weakref)]
#[derive(Default)]
pub(crate) struct Opaque {
    hidden: PyGcOpaque<Vec<Object>>,
    /// Hidden parts of what is cleared as a whole.
    mixed: Vec<(PyGcOpaque<Object>, Option<Object>)>,
    seen: Option<Object>,
    tag: Tag,
}

#[pymethods]
impl Opaque {}

class!(Opaque, |tag, _births| Self { tag, ..Self::default() }, mut |this| [
    &mut *this.hidden,
    &mut this.mixed,
    &mut this.seen,
]);

#[pyclass]
#[derive(Default)]
pub(crate) struct Guarded {
    mutex: Mutex<Vec<Object>>,
    rw_lock: RwLock<Option<Object>>,
    once: OnceLock<Object>,
    tag: Tag,
}

#[pymethods]
impl Guarded {}

class!(Guarded, |tag, _births| Self { tag, ..Self::default() }, mut |this| [
    &mut &this.mutex,
    &mut &this.rw_lock,
    &mut &this.once,
]);

#[pyclass(frozen, weakref)]
pub(crate) struct Frozen {
    mutex: Mutex<Vec<Object>>,
    rw_lock: RwLock<Option<Object>>,
    once: OnceLock<Object>,
    fixed: Option<Object>,
    tag: Tag,
}

#[pymethods]
impl Frozen {}

class!(
    Frozen,
    |tag, births| Self {
        mutex: Mutex::default(),
        rw_lock: RwLock::default(),
        once: OnceLock::new(),
        fixed: births.maybe(),
        tag
    },
    frozen | this | [&mut &this.mutex, &mut &this.rw_lock, &mut &this.once, &mut Fixed(&this.fixed)]
);
