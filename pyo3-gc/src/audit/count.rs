//! The walk: every object's traverse is called twice, and the visits to each object are counted.

use std::ops::ControlFlow;

use super::heap::{AddressMap, Heap};
use super::progress::Progress;
use super::slips::{Digest, Slip, diagnose, group, rebase, who_moved};
use crate::heap::{Object, Type, references, traverse_of, type_of, visits};
use pyo3::ffi;

/// Stands in [`Cell::references`] for an object without a reference count.
pub(super) const UNCOUNTED: u32 = u32::MAX;

/// What is known of one object.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    /// References to it, with that of the audit; or [`UNCOUNTED`].
    pub(super) references: u32,
    /// Visits by those who own a reference for each.
    pub(super) visits: u32,
}

/// What is known of one type.
pub(super) struct TypeCount {
    pub(super) ty: Type,
    pub(super) traverse: Option<ffi::traverseproc>,
    /// How many objects have it.
    pub(super) objects: usize,
    /// How often an object visits it: the least and the most.
    pub(super) own: (u32, u32),
}

/// Everything counted.
pub(super) struct Count {
    /// One for each of [`Heap::objects`].
    pub(super) cells: Vec<Cell>,
    /// Visits by objects that may visit what they only borrow; as `cells`, or empty.
    pub(super) borrowed: Vec<u32>,
    pub(super) types: Types,
    /// Who slipped: type and slip, how many objects, the first of them.
    pub(super) slips: Vec<(Type, Slip, usize, Object)>,
}

/// Types by their addresses.
#[derive(Default)]
pub(super) struct Types {
    all: Vec<TypeCount>,
    index: AddressMap<usize, usize>,
}

impl Types {
    /// # Safety
    ///
    /// The type is alive, and the thread attached.
    unsafe fn of(&mut self, ty: Type) -> &mut TypeCount {
        let at = *self.index.entry(ty as usize).or_insert_with(|| {
            // SAFETY: the promise of the caller.
            let traverse = unsafe { traverse_of(ty) };
            self.all.push(TypeCount { ty, traverse, objects: 0, own: (u32::MAX, 0) });
            self.all.len() - 1
        });
        &mut self.all[at]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &TypeCount> {
        self.all.iter()
    }

    /// The traverse of a type that has been met.
    pub(super) fn traverse(&self, ty: Type) -> Option<ffi::traverseproc> {
        self.all[*self.index.get(&(ty as usize))?].traverse
    }
}

/// The reference count as it stands in a [`Cell`].
///
/// # Safety
///
/// The object is alive, and the thread attached.
#[inline]
pub(super) unsafe fn counted(object: Object) -> u32 {
    // SAFETY: the promise of the caller.
    unsafe { references(object) }.unwrap_or(UNCOUNTED)
}

/// Walks over the heap. `borrowers` are the types whose objects visit what they only borrow.
///
/// `None`, if `progress` broke it off.
pub(super) fn count(
    heap: &Heap<'_>,
    borrowers: &[Type],
    progress: &mut Progress<'_>,
) -> ControlFlow<(), Count> {
    let objects = heap.objects();
    // SAFETY: `heap` keeps its objects alive, and `'_` says that the thread is attached.
    let fresh = |&object| Cell { references: unsafe { counted(object) }, visits: 0 };
    let mut cells = objects.iter().map(fresh).collect::<Vec<_>>();
    let mut borrowed = vec![0_u32; if borrowers.is_empty() { 0 } else { objects.len() }];
    let mut types = Types::default();
    let (mut slips, mut strays) = (Vec::new(), Vec::new());

    for (at, &object) in objects.iter().enumerate() {
        progress.step(at)?;
        // SAFETY: `heap` keeps its objects alive.
        let ty = unsafe { type_of(object) };
        // SAFETY: and an object its type.
        let known = unsafe { types.of(ty) };
        known.objects += 1;
        let Some(traverse) = known.traverse else { continue };
        let borrows = borrowers.contains(&ty);
        let (mut own, mut moved, mut first, mut second) = (0, false, Digest::default(), Digest::default());
        let mut see = |target: Object| {
            // SAFETY: what is visited is alive.
            let references = unsafe { counted(target) };
            first.add(target, references);
            own += u32::from(target == ty.cast());
            if let Some(found) = heap.find(target) {
                moved |= references != cells[found].references;
                let count = if borrows { &mut borrowed[found] } else { &mut cells[found].visits };
                *count = count.saturating_add(1);
            }
        };
        // SAFETY: as above; `see` doesn't panic, since `find` answers with places in `cells`.
        let mut failed = unsafe { visits(object, traverse, &mut see) } != 0;
        // SAFETY: what is visited is alive.
        let mut see = |target: Object| second.add(target, unsafe { counted(target) });
        // SAFETY: as above.
        failed |= unsafe { visits(object, traverse, &mut see) } != 0;
        known.own = (known.own.0.min(own), known.own.1.max(own));
        if failed || moved || first != second {
            // SAFETY: as above.
            let slip = unsafe { diagnose(object, traverse, failed, (first, second)) };
            let moved = rebase(heap, &mut cells, object, traverse);
            match slip {
                Some(slip) => slips.push((ty, slip, object)),
                None => strays.extend(moved),
            }
        }
    }
    // SAFETY: as above.
    let moved =
        objects.iter().zip(&cells).filter(|(object, cell)| unsafe { counted(**object) } != cell.references);
    strays.extend(moved.map(|(&object, _)| object));
    slips.extend(who_moved(&strays, heap, &types));
    ControlFlow::Continue(Count { cells, borrowed, types, slips: group(slips) })
}
