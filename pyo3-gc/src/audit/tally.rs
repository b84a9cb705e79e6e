//! What is counted of each object and of each type.

use super::heap::AddressMap;
use crate::heap::{Object, Traverse, Type};

/// What is known of one object.
#[derive(Clone, Copy)]
pub(super) struct Tally {
    /// The references to it, see [`counted`].
    pub(super) references: u32,
    /// Visits by those who own a reference for each.
    pub(super) visits: u32,
}

/// Stands for the references of an object without a reference count.
const UNCOUNTED: u32 = u32::MAX;

/// The references to an object, that of the audit included, so that they can be compared whatever they are.
#[inline]
pub(super) fn counted(object: Object<'_>) -> u32 {
    object.references().unwrap_or(UNCOUNTED)
}

impl Tally {
    #[inline]
    pub(super) fn new(object: Object<'_>) -> Self {
        Self { references: counted(object), visits: 0 }
    }

    /// The references to the object without that of the audit, if they are counted.
    pub(super) fn references(self) -> Option<u32> {
        (self.references != UNCOUNTED).then(|| self.references.saturating_sub(1))
    }

    /// Whether it is visited more often than it is referred to.
    pub(super) fn is_over_visited(self) -> bool {
        self.references().is_some_and(|references| self.visits > references)
    }
}

/// What is known of one type.
pub(super) struct TypeTally<'h> {
    pub(super) ty: Type<'h>,
    pub(super) traverse: Option<Traverse<'h>>,
    /// How many objects have it.
    pub(super) objects: usize,
    /// How often an object visits it: the least and the most.
    pub(super) own: (u32, u32),
}

/// The types of the tracked objects.
#[derive(Default)]
pub(super) struct Types<'h> {
    all: Vec<TypeTally<'h>>,
    index: AddressMap<Type<'h>, usize>,
}

impl<'h> Types<'h> {
    pub(super) fn of(&mut self, ty: Type<'h>) -> &mut TypeTally<'h> {
        let at = *self.index.entry(ty).or_insert_with(|| {
            self.all.push(TypeTally { ty, traverse: ty.traverse(), objects: 0, own: (u32::MAX, 0) });
            self.all.len() - 1
        });
        &mut self.all[at]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &TypeTally<'h>> {
        self.all.iter()
    }

    /// What is known of a type that has been met.
    pub(super) fn get(&self, ty: Type<'h>) -> Option<&TypeTally<'h>> {
        Some(&self.all[*self.index.get(&ty)?])
    }

    /// The traverse of a type that has been met.
    pub(super) fn traverse(&self, ty: Type<'h>) -> Option<Traverse<'h>> {
        self.get(ty)?.traverse
    }
}
