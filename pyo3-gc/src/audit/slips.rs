//! What a traverse does that it mustn't: found by the walk, looked into here.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use pyo3::ffi;

use super::count::{Cell, Types, counted};
use super::heap::Heap;
use crate::heap::{Object, Type, type_of, visits};

/// What the traverse of an object did that it mustn't.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Slip {
    Failed,
    Answers { first: usize, second: usize },
    References { of: Type },
}

/// The visits of one traverse in any order: two that are alike give the same digest.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Digest {
    pub(super) visits: usize,
    sum: u64,
}

impl Digest {
    #[inline]
    pub(super) fn add(&mut self, target: Object, references: u32) {
        let mixed = (target as u64 ^ u64::from(references) << 48).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.visits += 1;
        self.sum = self.sum.wrapping_add(mixed ^ mixed >> 29);
    }
}

/// Looks closely at an object whose traverse slipped. `None`, if it was the traverse of another that moved a count.
///
/// # Safety
///
/// As for [`visits`].
pub(super) unsafe fn diagnose(
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

/// Whose traverse changes the reference counts of `strays`, objects that it doesn't visit.
pub(super) fn who_moved(strays: &[Object], heap: &Heap<'_>, types: &Types) -> Vec<(Type, Slip, Object)> {
    /// More would take long, and tell no more.
    const WATCHED: usize = 8;
    let watched = &strays[..strays.len().min(WATCHED)];
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

/// Takes the reference counts of what `object` visits as they are now, lest the next visitor be blamed. Returns those
/// that had changed.
pub(super) fn rebase(
    heap: &Heap<'_>,
    cells: &mut [Cell],
    object: Object,
    traverse: ffi::traverseproc,
) -> Vec<Object> {
    let mut targets = Vec::new();
    // SAFETY: `heap` keeps `object` alive, whose type's traverse this is.
    unsafe { visits(object, traverse, &mut |target| targets.extend(heap.find(target))) };
    targets.retain(|&at| {
        // SAFETY: `heap` keeps its objects alive.
        let now = unsafe { counted(heap.objects()[at]) };
        now != std::mem::replace(&mut cells[at].references, now)
    });
    targets.into_iter().map(|at| heap.objects()[at]).collect()
}

/// Puts together what objects of one type did alike.
pub(super) fn group(slips: Vec<(Type, Slip, Object)>) -> Vec<(Type, Slip, usize, Object)> {
    let slips = slips.into_iter().collect::<HashSet<_>>();
    let mut groups = HashMap::<(Type, Slip), (usize, Object)>::new();
    for (ty, slip, object) in slips {
        let (objects, first) = groups.entry((ty, slip)).or_insert((0, object));
        *objects += 1;
        *first = object.min(*first);
    }
    let mut groups = groups
        .into_iter()
        .map(|((ty, slip), (objects, first))| (ty, slip, objects, first))
        .collect::<Vec<_>>();
    groups.sort_by_key(|&(_, _, objects, first)| (Reverse(objects), first));
    groups
}
