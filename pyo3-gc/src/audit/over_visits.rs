//! A second walk, for the objects with more visits than references: it counts anew, and asks who visits them.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use super::count::Count;
use super::heap::{AddressMap, Heap};
use super::progress::Progress;
use super::tally::Tally;
use crate::heap::{Object, Type};

/// An object with more visits than references.
pub(super) struct OverVisit<'h> {
    pub(super) object: Object<'h>,
    pub(super) references: u32,
    pub(super) visits: u32,
    pub(super) visitors: Vec<Visitors<'h>>,
}

/// The objects of one type that visit it.
pub(super) struct Visitors<'h> {
    pub(super) ty: Type<'h>,
    pub(super) objects: usize,
    pub(super) visits: usize,
    /// Whose visits were counted last.
    last: Object<'h>,
}

/// What both walks agree on; the most visits too many first.
pub(super) fn over_visits<'h>(
    heap: &'h Heap<'_>,
    count: &Count<'h>,
    borrowers: &[Type<'_>],
    progress: &Progress<'_>,
) -> ControlFlow<(), Vec<OverVisit<'h>>> {
    let suspects = heap.objects().zip(&count.tallies).filter(|(_, tally)| tally.is_over_visited());
    let suspects = suspects.filter_map(|(object, _)| {
        let references = Tally::new(object).references()?;
        Some((object.address(), OverVisit { object, references, visits: 0, visitors: Vec::new() }))
    });
    let mut suspects = suspects.collect::<AddressMap<_, _>>();
    if suspects.is_empty() {
        return ControlFlow::Continue(Vec::new());
    }
    progress.stage("looking for visits too many", heap.len())?;
    for object in heap.objects() {
        progress.step()?;
        if borrowers.contains(&object.ty()) {
            continue;
        }
        let Some(traverse) = count.types.traverse(object.ty()) else { continue };
        traverse.call(object, &mut |target| {
            if let Some(suspect) = suspects.get_mut(&target.address()) {
                suspect.visited_by(object);
            }
        });
    }
    let mut found = suspects.into_values().filter(|it| it.visits > it.references).collect::<Vec<_>>();
    found.sort_by_key(|it| (Reverse(it.visits - it.references), it.object));
    ControlFlow::Continue(found)
}

impl<'h> OverVisit<'h> {
    fn visited_by(&mut self, object: Object<'h>) {
        let ty = object.ty();
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
