//! Leak suspects: references that no traverse explains, and who may hold them.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use pyo3::ffi;

use super::count::{Count, UNCOUNTED};
use super::heap::{AddressMap, AddressSet, Heap};
use super::memory::Memory;
use super::report::Evidence;
use super::surplus::owned;
use crate::heap::{FREE_THREADED, Object, Type, traverse_of, type_of, visits};

/// Types, and the sizes of their instances in bytes.
pub(super) type Shapes = AddressMap<Type, Shape>;

/// What an instance of a type takes.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) basic: usize,
    pub(super) item: usize,
}

/// What was found about the types asked for.
#[derive(Default)]
pub(super) struct Suspects {
    /// The holding type, whether it is tracked.
    pub(super) holders: HashMap<(Type, bool), Holding>,
    /// How many instances, how many references, the first instance.
    pub(super) unexplained: HashMap<Type, (usize, usize, Object)>,
    pub(super) evidence: Option<Evidence>,
}

/// What the instances of one type hold.
#[derive(Default)]
pub(super) struct Holding {
    pub(super) objects: usize,
    pub(super) held: HashMap<Type, usize>,
}

/// The types of the objects that aren't tracked.
pub(super) fn untracked_types(heap: &Heap<'_>) -> Vec<Type> {
    // SAFETY: what is visited is alive.
    let types = untracked(heap).into_iter().map(|object| unsafe { type_of(object) });
    types.collect::<AddressSet<_>>().into_iter().collect()
}

/// The objects that aren't tracked, as far as tracked ones lead to them, be it through a dict that CPython has untracked
/// because nothing in it is.
fn untracked(heap: &Heap<'_>) -> AddressSet<Object> {
    let mut found = AddressSet::default();
    for &object in heap.objects() {
        let mut queue = vec![object];
        while let Some(object) = queue.pop() {
            each_visit(heap, object, |target| {
                if heap.find(target).is_none() && found.insert(target) {
                    queue.push(target);
                }
            });
        }
    }
    found
}

/// Looks for hidden references among the instances of the types `wanted`; `others` are those of all other objects.
pub(super) fn suspects(heap: &Heap<'_>, count: &Count, wanted: &Shapes, others: &Shapes) -> Suspects {
    let mut search =
        Search { heap, wanted, others, left: unexplained(heap, count), found: Suspects::default() };
    if let Some(memory) = Memory::open() {
        search.found.evidence = Some(Evidence::Memory);
        search.in_memory(&memory);
    } else {
        search.found.evidence = Some(Evidence::Reaches);
        search.by_reach();
    }
    search.rest();
    search.found
}

/// How many references of each object nobody visits; objects without such are left out.
fn unexplained(heap: &Heap<'_>, count: &Count) -> AddressMap<Object, u32> {
    let left = heap.objects().iter().enumerate().filter_map(|(at, &object)| {
        let cell = count.cells[at];
        let visits = cell.visits.saturating_add(count.borrowed.get(at).copied().unwrap_or(0));
        let left = owned(cell.references).saturating_sub(visits);
        (cell.references != UNCOUNTED && left > 0).then_some((object, left))
    });
    left.collect()
}

/// Calls `see` with each object that `object` visits: one that is tracked, or that CPython has untracked. Others have
/// nothing to visit, even where their type, as `type` itself, has a traverse.
fn each_visit(heap: &Heap<'_>, object: Object, mut see: impl FnMut(Object)) {
    // SAFETY: the object is alive: kept by the heap, or owned by such a one.
    let ty = unsafe { type_of(object) };
    let untracked = [&raw mut ffi::PyDict_Type, &raw mut ffi::PyTuple_Type];
    if heap.find(object).is_none() && !untracked.contains(&ty) {
        return;
    }
    // SAFETY: and so is its type.
    if let Some(traverse) = unsafe { traverse_of(ty) } {
        // SAFETY: as above; none of the callers' closures panics.
        unsafe { visits(object, traverse, &mut see) };
    }
}

struct Search<'a, 'py> {
    heap: &'a Heap<'py>,
    wanted: &'a Shapes,
    others: &'a Shapes,
    /// References still to be explained.
    left: AddressMap<Object, u32>,
    found: Suspects,
}

impl Search<'_, '_> {
    /// The instances of the wanted types.
    fn instances(&self) -> Vec<Object> {
        let all = self.heap.objects().iter().copied().chain(untracked(self.heap));
        // SAFETY: alive: kept by the heap, or owned by such a one.
        let mut instances =
            all.filter(|&object| self.wanted.contains_key(&unsafe { type_of(object) })).collect::<Vec<_>>();
        instances.sort_unstable();
        instances
    }

    /// The blocks of memory that objects of other types point to, and so own, or share with their like.
    fn claimed(&self, memory: &Memory) -> AddressSet<usize> {
        let mut claimed = AddressSet::default();
        for &object in self.heap.objects() {
            // SAFETY: the heap keeps its objects alive.
            let ty = unsafe { type_of(object) };
            if let Some(shape) = self.others.get(&ty) {
                let start = object as usize;
                claimed.extend(memory.pointers(start..start + shape.basic));
            }
        }
        claimed
    }

    /// Looks through the memory of each instance for the addresses of objects.
    fn in_memory(&mut self, memory: &Memory) {
        /// Where an object has its type. [CPython, Include/object.h]
        const TYPE_AT: usize = if FREE_THREADED { 24 } else { size_of::<usize>() };
        /// What CPython puts in front of some objects. [CPython, `Include/internal/pycore_gc.h`]
        const HEADER: usize = 2 * size_of::<usize>();
        let claimed = self.claimed(memory);
        let types = self.wanted.keys().chain(self.others.keys());
        let types = types.map(|&ty| (ty as usize, ty)).collect::<AddressMap<_, _>>();
        let object_type = |address: usize| {
            let at = address.checked_add(TYPE_AT).filter(|_| address % size_of::<usize>() == 0)?;
            types.get(&memory.word(at)?).filter(|_| may_be_object(memory, address))
        };
        let mut queue = VecDeque::from(self.instances());
        let mut known = queue.iter().copied().collect::<AddressSet<_>>();
        while let Some(holder) = queue.pop_front() {
            // SAFETY: alive: an instance, or owned by one.
            let ty = unsafe { type_of(holder) };
            let Some(&shape) = self.wanted.get(&ty) else { continue };
            let mut shown = AddressMap::<Object, u32>::default();
            each_visit(self.heap, holder, |target| *shown.entry(target).or_default() += 1);
            let mut hidden = Vec::new();
            let start = holder as usize;
            let see = |word: usize| {
                let target = word as Object;
                if word == start || word == ty as usize {
                    return false;
                }
                if self.heap.find(target).is_some() {
                    hidden.push(target);
                    return false;
                }
                match object_type(word) {
                    None => true,
                    Some(ty) => {
                        if self.wanted.contains_key(ty) && known.insert(target) {
                            queue.push_back(target);
                        }
                        false
                    }
                }
            };
            // What a collector's header, or the pointers before it, may stand in front of.
            let is_foreign = |block: &Range<usize>| {
                let headers = (0..=2 * HEADER).step_by(HEADER).filter(|header| header + HEADER < block.len());
                claimed.contains(&block.start)
                    || headers.into_iter().any(|header| object_type(block.start + header).is_some())
            };
            memory.reach(start..start + size_in_bytes(holder, shape), see, is_foreign);
            hidden.retain(|target| match shown.get_mut(target) {
                Some(visits) if *visits > 0 => {
                    *visits -= 1;
                    false
                }
                _ => true,
            });
            self.holds(holder, &hidden);
        }
    }

    /// Where memory can't be looked at: an object with hidden references that leads to an instance which shows nothing.
    fn by_reach(&mut self) {
        /// More would take too long, and tell no more.
        const STEPS: usize = 10_000;
        let suspects = self.left.keys().copied().collect::<Vec<_>>();
        for suspect in suspects.into_iter().take(STEPS) {
            let (mut seen, mut queue) = (AddressSet::default(), VecDeque::from([suspect]));
            let holder = loop {
                let Some(object) = queue.pop_front() else { break None };
                // SAFETY: alive: tracked, or visited by who is.
                let ty = unsafe { type_of(object) };
                let mut shows = false;
                each_visit(self.heap, object, |target| {
                    shows |= target != ty.cast();
                    if seen.len() < STEPS && seen.insert(target) {
                        queue.push_back(target);
                    }
                });
                if !shows && self.wanted.contains_key(&ty) {
                    break Some(object);
                }
            };
            if let Some(holder) = holder {
                self.holds(holder, &[suspect]);
            }
        }
    }

    /// Explains references to `targets` by `holder`, as far as they are unexplained.
    fn holds(&mut self, holder: Object, targets: &[Object]) {
        let mut held = HashMap::<Type, usize>::new();
        for target in targets {
            if let Some(left) = self.left.get_mut(target).filter(|left| **left > 0) {
                *left -= 1;
                // SAFETY: the heap keeps its objects alive.
                *held.entry(unsafe { type_of(*target) }).or_default() += 1;
            }
        }
        if held.is_empty() {
            return;
        }
        // SAFETY: alive, see the callers.
        let ty = unsafe { type_of(holder) };
        let holding = self.found.holders.entry((ty, self.heap.find(holder).is_some())).or_default();
        holding.objects += 1;
        for (ty, references) in held {
            *holding.held.entry(ty).or_default() += references;
        }
    }

    /// What remains unexplained of the wanted types' own instances.
    fn rest(&mut self) {
        for &object in self.heap.objects() {
            // SAFETY: the heap keeps its objects alive.
            let ty = unsafe { type_of(object) };
            let Some(&left) = self.left.get(&object).filter(|left| **left > 0) else { continue };
            if self.wanted.contains_key(&ty) {
                let (objects, references, _) = self.found.unexplained.entry(ty).or_insert((0, 0, object));
                *objects += 1;
                *references += left as usize;
            }
        }
    }
}

/// Whether an object may begin here, for all that is there but a type's address, which can be left over from something
/// else.
fn may_be_object(memory: &Memory, address: usize) -> bool {
    if FREE_THREADED {
        // Objects have an allocator of their own. [CPython, Objects/obmalloc.c]
        return !memory.is_in_block(address);
    }
    // A count of references, and from 3.14 on flags above it. [CPython, Include/object.h]
    let count = memory.word(address).map(|word| word as u64);
    count.is_some_and(|count| count & 0xFFFF_FFFF != 0 && count & 0xFFFF_0000_0000 == 0)
}

/// How much memory an instance takes.
fn size_in_bytes(object: Object, shape: Shape) -> usize {
    if shape.item == 0 {
        return shape.basic;
    }
    // SAFETY: alive, see the callers; a type whose instances have items has their number in each.
    let items = unsafe { pyo3::ffi::Py_SIZE(object) };
    shape.basic.saturating_add(items.unsigned_abs().saturating_mul(shape.item)).min(1 << 20)
}
