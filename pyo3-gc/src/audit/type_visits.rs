//! Types whose instances visit their type in another number than they own references to it.

use super::count::Count;
use super::heap::{AddressSet, Heap};
use super::tally::{Tally, TypeTally};
use crate::heap::Type;

/// A type, how often an instance should visit it, and how often one does.
pub(super) struct TypeVisits<'h> {
    pub(super) ty: Type<'h>,
    pub(super) objects: usize,
    pub(super) expected: u32,
    pub(super) visits: u32,
}

/// The types with other visits than are theirs to make. What isn't certain is told of the types `wanted` alone.
pub(super) fn type_visits<'h>(
    heap: &'h Heap<'_>,
    count: &Count<'h>,
    wanted: &AddressSet<Type<'h>>,
) -> Vec<TypeVisits<'h>> {
    let known = count.types.iter().filter(|known| known.traverse.is_some());
    let found = known.filter_map(|known| {
        let TypeTally { ty, objects, own: (least, most), .. } = *known;
        // Of a static type nothing is known; none owns a reference to that.
        let tally = heap.find(ty.address()).map(|at| count.tallies[at]);
        let is_wanted = wanted.contains(&ty);
        let (expected, visits, is_finding) = if !ty.is_heap_type() {
            (0, least, least > 0 && is_wanted)
        } else if most == 0 {
            (1, 0, is_wanted && tally.is_none_or(|tally| is_kept_by(objects, tally)))
        } else {
            let is_certain = tally.is_some_and(|tally| is_surplus(objects, least, tally));
            let is_likely = is_wanted && tally.is_some_and(Tally::is_over_visited);
            (1, least, least > 1 && (is_certain || is_likely))
        };
        is_finding.then_some(TypeVisits { ty, objects, expected, visits })
    });
    found.collect()
}

/// Whether the instances alone visit their type more often than anybody refers to it. If not, each may own it as a value,
/// too.
fn is_surplus(objects: usize, least: u32, ty: Tally) -> bool {
    ty.references().is_some_and(|references| least as usize * objects > references as usize)
}

/// Whether nothing but instances, each with the one reference that it doesn't show, may keep a type alive. Many are held by
/// Rust or C for as long as the process lives, and won't be collected in any case.
fn is_kept_by(objects: usize, ty: Tally) -> bool {
    ty.references().is_none_or(|references| references.saturating_sub(ty.visits) as usize <= objects)
}
