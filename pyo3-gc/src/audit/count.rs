//! The walk: every object's traverse is called twice, and the visits to each object are counted.

use std::ops::ControlFlow;

use super::heap::Heap;
use super::progress::Progress;
use super::tally::{Tally, Types, counted};
use super::untracked::Untracked;
use super::violations::{Digest, Violation, Violators, diagnose, group, rebase, who_moved};
use crate::heap::{Object, Type};

/// Everything counted.
pub(super) struct Count<'h> {
    /// One for each of [`Heap::objects`].
    pub(super) tallies: Vec<Tally>,
    /// Visits by objects that may visit what they only borrow; as `tallies`, or empty.
    pub(super) borrowed: Vec<u32>,
    pub(super) types: Types<'h>,
    pub(super) violators: Vec<Violators<'h>>,
    pub(super) untracked: Untracked<'h>,
}

/// Walks over the heap. `borrowers` are the types whose objects visit what they only borrow.
///
/// Breaks off where `progress` does.
pub(super) fn count<'h>(
    heap: &'h Heap<'_>,
    borrowers: &[Type<'_>],
    mut untracked: Untracked<'h>,
    progress: &Progress<'_>,
) -> ControlFlow<(), Count<'h>> {
    let mut tallies = heap.objects().map(Tally::new).collect::<Vec<_>>();
    let mut borrowed = vec![0_u32; if borrowers.is_empty() { 0 } else { heap.len() }];
    let mut types = Types::default();
    let (mut violations, mut strays) = (Vec::new(), Vec::new());

    progress.stage("counting visits", heap.len())?;
    for object in heap.objects() {
        progress.step()?;
        let known = types.of(object.ty());
        known.objects += 1;
        let Some(traverse) = known.traverse else { continue };
        let borrows = borrowers.contains(&known.ty);
        let (mut own, mut moved, [mut first, mut second]) = (0, false, [Digest::default(); 2]);
        let mut see = |target: Object<'_>| {
            let references = counted(target);
            first.add(target, references);
            own += u32::from(target == known.ty.as_object());
            if let Some(found) = heap.find(target.address()) {
                moved |= references != tallies[found].references;
                let count = if borrows { &mut borrowed[found] } else { &mut tallies[found].visits };
                *count = count.saturating_add(1);
            } else {
                untracked.meet(target);
            }
        };
        let mut succeeded = traverse.call(object, &mut see);
        succeeded &= traverse.call(object, &mut |target| second.add(target, counted(target)));
        known.own = (known.own.0.min(own), known.own.1.max(own));
        if !succeeded || moved || first != second {
            let violation = if succeeded {
                diagnose(heap, object, traverse, [first, second])
            } else {
                Some(Violation::Failed)
            };
            let moved = rebase(heap, &mut tallies, object, traverse);
            match violation {
                Some(violation) => violations.push((object, violation)),
                None => strays.extend(moved),
            }
        }
    }
    let moved = heap.objects().zip(&tallies).filter(|(object, tally)| counted(*object) != tally.references);
    strays.extend(moved.map(|(object, _)| object));
    violations.extend(who_moved(heap, &types, &strays, progress)?);
    ControlFlow::Continue(Count { tallies, borrowed, types, violators: group(violations), untracked })
}
