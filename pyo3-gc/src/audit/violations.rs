//! What a traverse does that it mustn't: found by the walk, looked into here.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use super::heap::Heap;
use super::progress::Progress;
use super::tally::{Tally, Types, counted};
use crate::heap::{Object, Traverse, Type};

/// What the traverse of an object did that it mustn't.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Violation<'h> {
    Failed,
    Answers { first: usize, second: usize },
    References { of: Type<'h> },
}

/// Objects of one type that did the same.
pub(super) struct Violators<'h> {
    pub(super) ty: Type<'h>,
    pub(super) violation: Violation<'h>,
    pub(super) objects: usize,
    pub(super) first: Object<'h>,
}

/// The visits of one traverse in any order: two that are alike give the same digest.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Digest {
    pub(super) visits: usize,
    sum: u64,
}

impl Digest {
    #[inline]
    pub(super) fn add(&mut self, target: Object<'_>, references: u32) {
        let address = target.address() as u64;
        let mixed = (address ^ u64::from(references) << 48).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.visits += 1;
        self.sum = self.sum.wrapping_add(mixed ^ mixed >> 29);
    }
}

/// Looks closely at an object whose traverse succeeded, but slipped: two calls gave the digests `seen`, or it moved a
/// count. `None`, if it was the traverse of another that did.
pub(super) fn diagnose<'h>(
    heap: &'h Heap<'_>,
    object: Object<'h>,
    traverse: Traverse<'h>,
    seen: [Digest; 2],
) -> Option<Violation<'h>> {
    let look = || {
        let mut targets = Vec::new();
        traverse.call(object, &mut |target| targets.push((target.address(), counted(target))));
        targets.sort_unstable();
        targets
    };
    let during = look();
    // What isn't in the heap may be gone: it could be the traverse that let go of it.
    let after = during.iter().map(|&(target, count)| (target, heap.get(target).map_or(count, counted)));
    let after = after.collect::<Vec<_>>();
    let again = look();
    let moved = during.iter().zip(&after).chain(during.iter().zip(&again));
    let moved = moved.into_iter().find(|((before, count), (now, later))| before == now && count != later);
    if let Some(of) = moved.and_then(|((target, _), _)| type_of_visited(heap, object, traverse, *target)) {
        return Some(Violation::References { of });
    }
    let [first, second] = seen;
    (first != second).then_some(Violation::Answers { first: first.visits, second: second.visits })
}

/// The type of what the object visits at an address.
fn type_of_visited<'h>(
    heap: &'h Heap<'_>,
    object: Object<'h>,
    traverse: Traverse<'h>,
    address: usize,
) -> Option<Type<'h>> {
    let mut ty = heap.get(address).map(Object::ty);
    traverse.call(object, &mut |target| {
        if target.address() == address && ty.is_none() {
            ty = Some(heap.keep_type(target.ty()));
        }
    });
    ty
}

/// Whose traverse changes the reference counts of `strays`, objects that it doesn't visit.
pub(super) fn who_moved<'h>(
    heap: &'h Heap<'_>,
    types: &Types<'h>,
    strays: &[Object<'h>],
    progress: &Progress<'_>,
) -> ControlFlow<(), Vec<(Object<'h>, Violation<'h>)>> {
    /// More would take long, and tell no more.
    const WATCHED: usize = 8;
    let watched = &strays[..strays.len().min(WATCHED)];
    let mut violations = Vec::new();
    if watched.is_empty() {
        return ControlFlow::Continue(violations);
    }
    progress.stage("looking for what changes references", heap.len())?;
    for object in heap.objects() {
        progress.step()?;
        let Some(traverse) = types.traverse(object.ty()) else { continue };
        let counts = || watched.iter().map(|&object| counted(object)).collect::<Vec<_>>();
        let before = counts();
        traverse.call(object, &mut |_| ());
        if let Some(at) = before.iter().zip(counts()).position(|(&before, after)| before != after) {
            violations.push((object, Violation::References { of: watched[at].ty() }));
        }
    }
    ControlFlow::Continue(violations)
}

/// Takes the reference counts of what `object` visits as they are now, lest the next visitor be blamed. Returns those
/// that had changed.
pub(super) fn rebase<'h>(
    heap: &'h Heap<'_>,
    tallies: &mut [Tally],
    object: Object<'h>,
    traverse: Traverse<'h>,
) -> Vec<Object<'h>> {
    let mut targets = Vec::new();
    traverse.call(object, &mut |target| targets.extend(heap.find(target.address())));
    targets.retain(|&at| {
        let now = counted(heap.object(at));
        now != std::mem::replace(&mut tallies[at].references, now)
    });
    targets.into_iter().map(|at| heap.object(at)).collect()
}

/// Puts together what objects of one type did alike; what most of them did first.
pub(super) fn group<'h>(violations: Vec<(Object<'h>, Violation<'h>)>) -> Vec<Violators<'h>> {
    let violations = violations.into_iter().collect::<HashSet<_>>();
    let mut groups = HashMap::<(Type<'h>, Violation<'h>), (usize, Object<'h>)>::new();
    for (object, violation) in violations {
        let (objects, first) = groups.entry((object.ty(), violation)).or_insert((0, object));
        *objects += 1;
        *first = object.min(*first);
    }
    let groups = groups.into_iter();
    let mut groups = groups
        .map(|((ty, violation), (objects, first))| Violators { ty, violation, objects, first })
        .collect::<Vec<_>>();
    groups.sort_by_key(|group| (Reverse(group.objects), group.first));
    groups
}
