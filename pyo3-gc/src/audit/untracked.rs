//! Objects that the collector would track, had somebody told it to: instances of a type whose other instances are
//! tracked. What a freelist hands out again is easily forgotten. (PyO3/pyo3#6442)

use super::heap::{AddressMap, AddressSet};
use super::tally::{TypeTally, Types};
use crate::heap::{Object, Type};

/// The objects that aren't tracked, and are visited by one that is.
pub(super) struct Untracked<'h> {
    /// Types whose instances CPython untracks itself, or tracks late.
    exempt: Vec<Type<'h>>,
    /// Whether the collector knows a type, by its address.
    known: AddressMap<usize, bool>,
    /// The type that was met last, and whether the collector knows it.
    last: (usize, bool),
    seen: AddressSet<usize>,
    /// By the address of their type.
    found: AddressMap<usize, Forgotten>,
}

/// The untracked instances of one type.
#[derive(Default)]
pub(super) struct Forgotten {
    pub(super) objects: usize,
    /// The address of one of them.
    pub(super) first: usize,
    /// How many references to tracked objects they hold.
    pub(super) held: usize,
}

impl<'h> Untracked<'h> {
    pub(super) fn new(exempt: Vec<Type<'h>>) -> Self {
        Self {
            exempt,
            known: AddressMap::default(),
            last: (0, false),
            seen: AddressSet::default(),
            found: AddressMap::default(),
        }
    }

    /// Looks at an object that isn't in the heap. It keeps no reference, which would change what the walk sees.
    #[inline]
    pub(super) fn meet(&mut self, object: Object<'_>) {
        let ty = object.ty();
        if self.last.0 != ty.address() {
            let exempt = &self.exempt;
            let is_known =
                || ty.traverse().is_some() && !exempt.iter().any(|it| it.address() == ty.address());
            self.last = (ty.address(), *self.known.entry(ty.address()).or_insert_with(is_known));
        }
        // A class isn't what a freelist hands out, and free-threaded builds keep some out of the collector: those of `_ctypes`,
        // as seen on 3.13.
        if self.last.1 && !object.is_tracked() && !object.is_type() && self.seen.insert(object.address()) {
            self.add(object);
        }
    }

    fn add(&mut self, object: Object<'_>) {
        let mut held = 0;
        let class = object.ty().as_object();
        object.visits(&mut |target| held += usize::from(target != class && target.is_tracked()));
        if held > 0 {
            let found = self.found.entry(class.address()).or_default();
            found.objects += 1;
            found.held += held;
            if found.objects == 1 {
                found.first = object.address();
            }
        }
    }

    /// Those of types whose other instances are tracked, and what is known of these.
    pub(super) fn forgotten<'a>(
        &'a self,
        types: &'a Types<'h>,
    ) -> impl Iterator<Item = (&'a TypeTally<'h>, &'a Forgotten)> {
        types.iter().filter_map(|known| Some((known, self.found.get(&known.ty.address())?)))
    }
}
