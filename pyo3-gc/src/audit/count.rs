//! The walk: every object's traverse is called twice, and the visits to each object are counted.

use std::ops::ControlFlow;

use super::heap::{AddressMap, Heap};
use super::progress::Progress;
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

/// What the traverse of an object did that it mustn't.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Slip {
    Failed,
    Answers { first: usize, second: usize },
    References { of: Type },
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

/// The visits of one traverse in any order: two that are alike give the same digest.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Digest {
    visits: usize,
    sum: u64,
}

impl Digest {
    #[inline]
    fn add(&mut self, target: Object, references: u32) {
        let mixed = (target as u64 ^ u64::from(references) << 48).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.visits += 1;
        self.sum = self.sum.wrapping_add(mixed ^ mixed >> 29);
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
    let mut slips = Vec::new();

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
            slips.extend(slip.map(|slip| (ty, slip, object)));
            rebase(heap, &mut cells, object, traverse);
        }
    }
    slips.extend(strays(heap, &cells, &types));
    ControlFlow::Continue(Count { cells, borrowed, types, slips: group(slips) })
}

/// Looks closely at an object whose traverse slipped. `None`, if it was the traverse of another that moved a count.
///
/// # Safety
///
/// As for [`visits`].
unsafe fn diagnose(
    object: Object,
    traverse: ffi::traverseproc,
    failed: bool,
    seen: (Digest, Digest),
) -> Option<Slip> {
    if failed {
        return Some(Slip::Failed);
    }
    let look = || {
        let mut targets = Vec::new();
        // SAFETY: what is visited is alive.
        let mut see = |target: Object| targets.push((target, unsafe { counted(target) }));
        // SAFETY: the promise of the caller.
        unsafe { visits(object, traverse, &mut see) };
        targets.sort_unstable();
        targets
    };
    let during = look();
    // SAFETY: they were visited, and nothing has run since that could let go of them.
    let after = during.iter().map(|&(target, _)| (target, unsafe { counted(target) })).collect::<Vec<_>>();
    let again = look();
    let moved = during.iter().zip(&after).chain(during.iter().zip(&again));
    match moved.into_iter().find(|((before, count), (now, later))| before == now && count != later) {
        // SAFETY: as above.
        Some(((target, _), _)) => Some(Slip::References { of: unsafe { type_of(*target) } }),
        None => (seen.0 != seen.1).then_some(Slip::Answers { first: seen.0.visits, second: seen.1.visits }),
    }
}

/// Who changed the reference counts of objects that it doesn't visit.
fn strays(heap: &Heap<'_>, cells: &[Cell], types: &Types) -> Vec<(Type, Slip, Object)> {
    /// More would take long, and tell no more.
    const WATCHED: usize = 8;
    // SAFETY: `heap` keeps its objects alive, and `'_` says that the thread is attached.
    let moved = |&(object, cell): &(&Object, &Cell)| unsafe { counted(*object) } != cell.references;
    let watched = heap.objects().iter().zip(cells).filter(moved).take(WATCHED);
    let watched = watched.map(|(&object, _)| object).collect::<Vec<_>>();
    let mut slips = Vec::new();
    for &object in heap.objects().iter().take_while(|_| !watched.is_empty()) {
        // SAFETY: `heap` keeps its objects alive.
        let ty = unsafe { type_of(object) };
        let Some(traverse) = types.traverse(ty) else { continue };
        // SAFETY: as above.
        let counts = || watched.iter().map(|&object| unsafe { counted(object) }).collect::<Vec<_>>();
        let before = counts();
        // SAFETY: as above.
        unsafe { visits(object, traverse, &mut |_| ()) };
        if let Some(at) = before.iter().zip(counts()).position(|(&before, after)| before != after) {
            // SAFETY: as above.
            slips.push((ty, Slip::References { of: unsafe { type_of(watched[at]) } }, object));
        }
    }
    slips
}

/// Takes what a traverse left of the reference counts for given, lest the next visitor be blamed.
fn rebase(heap: &Heap<'_>, cells: &mut [Cell], object: Object, traverse: ffi::traverseproc) {
    let mut targets = Vec::new();
    // SAFETY: `heap` keeps `object` alive, whose type's traverse this is.
    unsafe { visits(object, traverse, &mut |target| targets.extend(heap.find(target))) };
    for at in targets {
        // SAFETY: `heap` keeps its objects alive.
        cells[at].references = unsafe { counted(heap.objects()[at]) };
    }
}

/// Puts together what objects of one type did alike.
fn group(slips: Vec<(Type, Slip, Object)>) -> Vec<(Type, Slip, usize, Object)> {
    let mut groups = std::collections::HashMap::<(Type, Slip), (usize, Object)>::new();
    for (ty, slip, object) in slips {
        groups.entry((ty, slip)).or_insert((0, object)).0 += 1;
    }
    let mut groups = groups
        .into_iter()
        .map(|((ty, slip), (objects, first))| (ty, slip, objects, first))
        .collect::<Vec<_>>();
    groups.sort_by_key(|&(_, _, objects, first)| (std::cmp::Reverse(objects), first));
    groups
}
