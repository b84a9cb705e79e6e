//! The real objects: how a node of each kind is made, looked into and cleared.

use std::rc::Rc;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;
use pyo3_gc::{PyGcArc, PyGcTraversable};

use super::classes::{
    BareObject, Class, Collections, Frozen, Guarded, Kept, Nested, Opaque, Open, Sub, Typed,
};
use super::graph::Id;
use super::kind::Kind;
use super::python::{Edges, Environment};
use super::shared_classes::{ArcFrozen, ArcOpen, GcArcFrozen, GcArcOpen, RcOpen};
use super::slot::{Fixed, Slot};
use super::value::{ArcContents, Births, GcArcContents, RcContents, Tag, Value};
use super::variant::{Inside, Variant};
use crate::support::{DropCounter, tp_clear};

/// What is known of a real node without holding it.
pub(crate) struct Real<'py> {
    pub(crate) kind: Kind,
    pub(crate) address: usize,
    pub(crate) dropped: DropCounter,
    /// If it can be referred to weakly.
    pub(crate) weak: Option<Bound<'py, PyWeakrefReference>>,
}

pub(crate) struct World<'py> {
    pub(crate) py: Python<'py>,
    pub(crate) environment: &'py Environment,
    /// By the ids of the model.
    pub(crate) nodes: Vec<Real<'py>>,
}

/// Does something with the class of ours that a kind of node has.
macro_rules! with_class {
    ($kind:expr, $Class:ident => $act:expr, else $other:expr) => {
        with_class!(@ $kind, $Class, $act, $other, [
            Open: Open, Sub: Sub, Collections: Collections, Nested: Nested, Bare: BareObject, Typed: Typed, Kept: Kept,
            Opaque: Opaque, Guarded: Guarded, Frozen: Frozen, ArcOpen: ArcOpen, ArcFrozen: ArcFrozen, RcOpen: RcOpen,
            GcArcOpen: GcArcOpen, GcArcFrozen: GcArcFrozen
        ])
    };
    (@ $kind:expr, $Class:ident, $act:expr, $other:expr, [$($variant:ident: $class:ident),+]) => {
        match $kind {
            $(Kind::$variant => {
                type $Class = $class;
                $act
            })+
            _ => $other,
        }
    };
}

impl<'py> World<'py> {
    pub(crate) fn new(py: Python<'py>) -> Self {
        Self { py, environment: Environment::get(py), nodes: Vec::new() }
    }

    /// Makes the next node.
    pub(crate) fn make(&mut self, kind: Kind, births: Vec<Option<Value>>) -> Value {
        let (py, dropped) = (self.py, DropCounter::default());
        let tag = Tag { id: self.nodes.len(), probe: Some(dropped.probe()) };
        let value = Self::make_value(py, self.environment, kind, tag, &mut Births::new(births));
        let weak = match &value {
            Value::Object(object) if kind.is_weakly_referable() => {
                Some(PyWeakrefReference::new(object.bind(py)).unwrap())
            }
            _ => None,
        };
        self.nodes.push(Real { kind, address: value.address(), dropped, weak });
        value
    }

    fn make_value(
        py: Python<'_>,
        environment: &Environment,
        kind: Kind,
        tag: Tag,
        births: &mut Births,
    ) -> Value {
        let object = match kind {
            _ if kind.is_python() => environment.make(py, kind, tag),
            Kind::Heir => {
                let heir = environment.heir(py);
                heir.borrow_mut().tag = tag;
                heir.into_any()
            }
            Kind::PairVariant | Kind::LockedVariant | Kind::ListVariant => {
                Variant::new(kind, Inside(tag), births).into_pyobject(py).unwrap().into_any()
            }
            Kind::ArcContents => {
                let fixed = births.maybe();
                return Value::Arc(Arc::new(ArcContents { fixed, tag, ..ArcContents::default() }));
            }
            Kind::RcContents => return Value::Rc(Rc::new(RcContents { tag, ..RcContents::default() })),
            Kind::GcArcContents => {
                let fixed = births.maybe();
                let contents = GcArcContents { fixed, tag, ..GcArcContents::default() };
                return Value::GcArc(PyGcArc::new(py, contents).unwrap());
            }
            _ => with_class!(kind, C => {
                Bound::new(py, <C as Class>::new(tag, births)).unwrap().into_any()
            }, else unreachable!("a kind of ours")),
        };
        Value::Object(object.unbind())
    }

    /// What the node says that it is.
    pub(crate) fn id(&self, kind: Kind, value: &Value) -> Id {
        match value {
            Value::Arc(contents) => contents.tag.id,
            Value::Rc(contents) => contents.tag.id,
            Value::GcArc(contents) => contents.tag.id,
            Value::Object(object) => {
                let object = object.bind(self.py);
                match kind {
                    _ if kind.is_python() => Edges::of(object).id(),
                    Kind::Heir => Open::id(object.cast().unwrap()),
                    Kind::PairVariant | Kind::LockedVariant | Kind::ListVariant => {
                        object.cast::<Variant>().unwrap().get().id()
                    }
                    _ => {
                        with_class!(kind, C => C::id(object.cast().unwrap()), else unreachable!("a kind of ours"))
                    }
                }
            }
        }
    }

    /// Clears a node, as the collector does it: an object by its class's slot, contents by the trait.
    pub(crate) fn clear(&self, value: &mut Value) {
        match value {
            Value::Object(object) => {
                let object = object.bind(self.py);
                // CPython 3.11 crashes when attributes are read that were set, cleared and set again, of any class in
                // Python: `a.x = 1`, clear, `a.y = 1`, `vars(a)`. It doesn't once `vars(a)` was asked for.
                drop(object.getattr_opt("__dict__").unwrap());
                tp_clear(object);
            }
            Value::Arc(contents) => contents.clear(),
            Value::Rc(contents) => contents.clear(),
            // Through the pointer: it has nothing to clear itself.
            Value::GcArc(contents) => (**contents).clear_interior(),
        }
    }
}

/// Lends a field of a node that `value` holds.
pub(crate) fn with_slot<R>(
    py: Python<'_>,
    kind: Kind,
    value: &Value,
    index: usize,
    act: impl FnOnce(&mut dyn Slot) -> R,
) -> R {
    let (mut act, mut answer) = (Some(act), None);
    let mut act = |slot: &mut dyn Slot| answer = act.take().map(|act| act(slot));
    match value {
        Value::Arc(contents) => match index {
            0 => act(&mut &contents.objects),
            1 => act(&mut &contents.next),
            _ => act(&mut Fixed(&contents.fixed)),
        },
        Value::Rc(contents) => match index {
            0 => act(&mut &contents.objects),
            _ => act(&mut &contents.next),
        },
        Value::GcArc(contents) => match index {
            0 => act(&mut &contents.objects),
            1 => act(&mut &contents.next),
            2 => act(&mut Fixed(&contents.fixed)),
            _ => act(&mut &contents.arc),
        },
        Value::Object(object) => {
            let object = object.bind(py);
            match kind {
                _ if kind.is_python() => act(&mut Edges::of(object)),
                Kind::Heir if index < Kind::Open.slots().len() => {
                    Open::with_slot(object.cast().unwrap(), index, &mut act);
                }
                Kind::Heir => act(&mut Edges::Attributes(object)),
                Kind::PairVariant | Kind::LockedVariant | Kind::ListVariant => {
                    object.cast::<Variant>().unwrap().get().with_slot(index, &mut act);
                }
                _ => with_class!(kind, C => C::with_slot(object.cast().unwrap(), index, &mut act),
                    else unreachable!("a kind of ours")),
            }
        }
    }
    answer.expect("the slot was lent")
}
