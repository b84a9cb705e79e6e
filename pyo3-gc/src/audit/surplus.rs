//! A second walk, for the objects with more visits than references: it counts anew, and asks who visits them.

use super::count::{Count, UNCOUNTED, counted};
use super::heap::{AddressMap, Heap};
use crate::heap::{Object, Type, type_of, visits};

/// An object with more visits than references.
pub(super) struct Surplus {
    pub(super) object: Object,
    pub(super) references: u32,
    pub(super) visits: u32,
    pub(super) visitors: Vec<Visitors>,
}

/// The objects of one type that visit it.
pub(super) struct Visitors {
    pub(super) ty: Type,
    pub(super) objects: usize,
    pub(super) visits: usize,
    /// Whose visits were counted last.
    last: Object,
}

/// What both walks agree on; the largest surplus first.
pub(super) fn surplus(heap: &Heap<'_>, count: &Count, borrowers: &[Type]) -> Vec<Surplus> {
    let suspects = heap
        .objects()
        .iter()
        .zip(&count.cells)
        .filter(|(_, cell)| cell.references != UNCOUNTED && cell.visits > owned(cell.references));
    let mut suspects = suspects
        .map(|(&object, _)| {
            // SAFETY: `heap` keeps its objects alive, and `'_` says that the thread is attached.
            let references = owned(unsafe { counted(object) });
            (object, Surplus { object, references, visits: 0, visitors: Vec::new() })
        })
        .collect::<AddressMap<_, _>>();
    if suspects.is_empty() {
        return Vec::new();
    }
    for &object in heap.objects() {
        // SAFETY: `heap` keeps its objects alive.
        let ty = unsafe { type_of(object) };
        let Some(traverse) = count.types.traverse(ty).filter(|_| !borrowers.contains(&ty)) else { continue };
        let mut see = |target: Object| {
            if let Some(suspect) = suspects.get_mut(&target) {
                suspect.visited_by(object, ty);
            }
        };
        // SAFETY: as above; `see` doesn't panic.
        unsafe { visits(object, traverse, &mut see) };
    }
    let mut surplus = suspects.into_values().filter(|it| it.visits > it.references).collect::<Vec<_>>();
    surplus.sort_by_key(|it| (std::cmp::Reverse(it.visits - it.references), it.object));
    surplus
}

/// Without the audit's own.
pub(super) fn owned(references: u32) -> u32 {
    references.saturating_sub(1)
}

impl Surplus {
    fn visited_by(&mut self, object: Object, ty: Type) {
        self.visits = self.visits.saturating_add(1);
        match self.visitors.iter_mut().find(|visitors| visitors.ty == ty) {
            Some(visitors) => {
                visitors.visits += 1;
                visitors.objects += usize::from(visitors.last != object);
                visitors.last = object;
            }
            None => self.visitors.push(Visitors { ty, objects: 1, visits: 1, last: object }),
        }
    }
}
