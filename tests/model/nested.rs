//! Types that name themselves, by box, by vector and by variant, and trait objects.

use std::mem;

use pyo3::prelude::*;
use pyo3_gc::{DynPyGcTraversable, PyGcTraversable};

use super::slot::{MODEL, Slot};
use super::value::{Item, Object, Value};

/// A list of boxes.
#[derive(PyGcTraversable, Default)]
pub(crate) struct Chain(Option<Box<Link>>);

#[derive(PyGcTraversable)]
struct Link {
    object: Object,
    #[pyo3_gc(recursive)]
    next: Chain,
}

impl Slot for Chain {
    fn put(&mut self, _: u8, value: Value) -> Option<Value> {
        if let Some(link) = &mut self.0 {
            return link.next.put(0, value);
        }
        self.0 = Some(Box::new(Link { object: Object::from_value(value), next: Self::default() }));
        None
    }

    fn take(&mut self, position: usize, _: u8) -> Value {
        let link = self.0.as_mut().expect(MODEL);
        if position > 0 {
            return link.next.take(position - 1, 0);
        }
        let next = mem::take(&mut link.next);
        mem::replace(self, next).0.expect(MODEL).object.into_value()
    }

    fn values(&self, py: Python<'_>) -> Vec<Value> {
        let mut values = Vec::new();
        let mut next = self;
        while let Some(link) = &next.0 {
            values.extend(link.object.value(py));
            next = &link.next;
        }
        values
    }
}

#[derive(PyGcTraversable, Default)]
pub(crate) enum Tree {
    #[default]
    Empty,
    Object(Object),
    Branches(Vec<Tree>),
    Fork {
        left: Box<Tree>,
        right: Option<Box<Tree>>,
    },
}

impl Tree {
    fn objects<'a>(&'a self, found: &mut Vec<&'a Object>) {
        match self {
            Self::Empty => {}
            Self::Object(object) => found.push(object),
            Self::Branches(branches) => branches.iter().for_each(|branch| branch.objects(found)),
            Self::Fork { left, right } => {
                left.objects(found);
                if let Some(right) = right {
                    right.objects(found);
                }
            }
        }
    }

    /// Takes out the object that comes after `position` others.
    fn take_at(&mut self, position: &mut usize) -> Option<Object> {
        match self {
            Self::Empty => None,
            Self::Object(_) if *position > 0 => {
                *position -= 1;
                None
            }
            Self::Object(_) => match mem::take(self) {
                Self::Object(object) => Some(object),
                _ => unreachable!(),
            },
            Self::Branches(branches) => branches.iter_mut().find_map(|branch| branch.take_at(position)),
            Self::Fork { left, right } => {
                left.take_at(position).or_else(|| right.as_mut()?.take_at(position))
            }
        }
    }
}

impl Slot for Tree {
    fn put(&mut self, key: u8, value: Value) -> Option<Value> {
        let (rest, leaf) = (mem::take(self), Self::Object(Object::from_value(value)));
        *self = match key % 3 {
            0 => Self::Branches(vec![rest, leaf]),
            _ => Self::Fork { left: Box::new(rest), right: Some(Box::new(leaf)) },
        };
        None
    }

    fn take(&mut self, mut position: usize, _: u8) -> Value {
        self.take_at(&mut position).expect(MODEL).into_value()
    }

    fn values(&self, py: Python<'_>) -> Vec<Value> {
        let mut objects = Vec::new();
        self.objects(&mut objects);
        objects.iter().filter_map(|object| object.value(py)).collect()
    }
}

pub(crate) trait Shape: DynPyGcTraversable + Send + Sync {
    fn owner(&self) -> &Object;
    fn into_owner(self: Box<Self>) -> Object;
}
pyo3_gc::dyn_traversable!(Shape);

#[derive(PyGcTraversable)]
struct Square(Object, u8);

impl Shape for Square {
    fn owner(&self) -> &Object {
        &self.0
    }

    fn into_owner(self: Box<Self>) -> Object {
        self.0
    }
}

impl Item for Box<dyn Shape> {
    fn from_value(value: Value) -> Self {
        Box::new(Square(Object::from_value(value), 3))
    }

    fn into_value(self) -> Value {
        Value::Object(self.into_owner())
    }

    fn value(&self, py: Python<'_>) -> Option<Value> {
        self.owner().value(py)
    }
}
