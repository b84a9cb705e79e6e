//! Leak suspects: references that no traverse explains, and who may hold them.

use std::collections::{HashMap, VecDeque};
use std::ops::{ControlFlow, Range};

use pyo3::ffi;

use super::count::Count;
use super::finding::Evidence;
use super::heap::{AddressMap, AddressSet, Heap};
use super::memory::Memory;
use super::progress::Progress;
use super::wanted::{Shape, Wanted, each_untracked};
use crate::heap::{FREE_THREADED, Object, Type};

/// What was found about the types asked for.
#[derive(Default)]
pub(super) struct Suspects<'h> {
    /// The holding type, whether it is tracked.
    pub(super) holders: HashMap<(Type<'h>, bool), Holding<'h>>,
    /// How many instances, how many references, the first instance.
    pub(super) unexplained: HashMap<Type<'h>, (usize, usize, Object<'h>)>,
}

/// What the instances of one type hold.
pub(super) struct Holding<'h> {
    pub(super) objects: usize,
    pub(super) held: HashMap<Type<'h>, usize>,
    pub(super) evidence: Evidence,
}

/// Looks for hidden references among the instances of the wanted types.
pub(super) fn suspects<'h>(
    heap: &'h Heap<'_>,
    count: &Count<'h>,
    wanted: &Wanted<'h>,
    progress: &mut Progress<'_>,
) -> ControlFlow<(), Suspects<'h>> {
    let mut search = Search { heap, wanted, left: unexplained(heap, count), found: Suspects::default() };
    match Memory::open() {
        Some(memory) => search.in_memory(&memory, progress)?,
        None => search.by_reach(progress)?,
    }
    search.rest();
    ControlFlow::Continue(search.found)
}

/// How many references of each object nobody visits; objects without such are left out.
fn unexplained<'h>(heap: &'h Heap<'_>, count: &Count<'_>) -> AddressMap<Object<'h>, u32> {
    let left = heap.objects().enumerate().filter_map(|(at, object)| {
        let tally = count.tallies[at];
        let visits = tally.visits.saturating_add(count.borrowed.get(at).copied().unwrap_or(0));
        let left = tally.references()?.saturating_sub(visits);
        (left > 0).then_some((object, left))
    });
    left.collect()
}

/// An instance of a wanted type.
#[derive(Clone, Copy)]
struct Instance<'h> {
    address: usize,
    ty: Type<'h>,
    /// `None` if nothing but memory leads to it: it may be none, and isn't asked anything.
    object: Option<Object<'h>>,
}

struct Search<'a, 'h, 'py> {
    heap: &'h Heap<'py>,
    wanted: &'a Wanted<'h>,
    /// References still to be explained.
    left: AddressMap<Object<'h>, u32>,
    found: Suspects<'h>,
}

impl<'h> Search<'_, 'h, '_> {
    /// The instances of the wanted types, as far as objects lead to them.
    fn instances(&self) -> Vec<Instance<'h>> {
        let tracked = self.heap.objects().filter(|object| self.wanted.contains(object.ty()));
        let mut instances = tracked.collect::<Vec<_>>();
        each_untracked(self.heap, |object| {
            if self.wanted.types.iter().any(|ty| ty.address() == object.ty().address()) {
                instances.push(self.heap.keep(object));
            }
        });
        instances.sort_unstable();
        let instances = instances.into_iter().map(|object| Instance {
            address: object.address(),
            ty: object.ty(),
            object: Some(object),
        });
        instances.collect()
    }

    /// The blocks of memory that objects of other types point to, and so own, or share with their like.
    fn claimed(&self, memory: &Memory) -> AddressSet<usize> {
        let mut claimed = AddressSet::default();
        for object in self.heap.objects().filter(|object| !self.wanted.contains(object.ty())) {
            if let Some(shape) = self.wanted.shape(object.ty()) {
                let start = object.address();
                claimed.extend(memory.pointers(start..start + shape.basic));
            }
        }
        claimed
    }

    /// Looks through the memory of each instance for the addresses of objects.
    fn in_memory(&mut self, memory: &Memory, progress: &mut Progress<'_>) -> ControlFlow<()> {
        /// Where an object has its type. [CPython, Include/object.h]
        const TYPE_AT: usize = if FREE_THREADED { 24 } else { size_of::<usize>() };
        /// What CPython puts in front of some objects. [CPython, `Include/internal/pycore_gc.h`]
        const HEADER: usize = 2 * size_of::<usize>();
        let claimed = self.claimed(memory);
        let types = self.wanted.shapes.keys().map(|&ty| (ty.address(), ty)).collect::<AddressMap<_, _>>();
        let object_type = |address: usize| {
            let at = address.checked_add(TYPE_AT).filter(|_| address % size_of::<usize>() == 0)?;
            types.get(&memory.word(at)?).filter(|_| may_be_object(memory, address))
        };
        let mut instances = self.instances();
        let mut known = instances.iter().map(|instance| instance.address).collect::<AddressSet<_>>();
        let mut at = 0;
        while let Some(&holder) = instances.get(at) {
            progress.total = instances.len();
            progress.step(at)?;
            at += 1;
            let Instance { address: start, ty, object } = holder;
            let Some(shape) = self.wanted.shape(ty) else { continue };
            let mut shown = AddressMap::<usize, u32>::default();
            if let Some(object) = object {
                object.visits(&mut |target| *shown.entry(target.address()).or_default() += 1);
            }
            let mut hidden = Vec::new();
            let see = |word: usize| {
                if word == start || word == ty.address() {
                    return false;
                }
                if let Some(target) = self.heap.get(word) {
                    hidden.push(target);
                    return false;
                }
                let Some(&ty) = object_type(word) else { return true };
                if self.wanted.contains(ty) && known.insert(word) {
                    instances.push(Instance { address: word, ty, object: None });
                }
                false
            };
            // What a collector's header, or the pointers before it, may stand in front of.
            let is_foreign = |block: &Range<usize>| {
                let headers = (0..=2 * HEADER).step_by(HEADER).filter(|header| header + HEADER < block.len());
                claimed.contains(&block.start)
                    || headers.into_iter().any(|header| object_type(block.start + header).is_some())
            };
            memory.reach(start..start + size_in_bytes(memory, start, shape), see, is_foreign);
            hidden.retain(|target| match shown.get_mut(&target.address()) {
                Some(visits) if *visits > 0 => {
                    *visits -= 1;
                    false
                }
                _ => true,
            });
            self.holds(start, ty, &hidden, Evidence::Memory);
        }
        ControlFlow::Continue(())
    }

    /// Where memory can't be looked at: an object with hidden references that leads to an instance which shows nothing.
    fn by_reach(&mut self, progress: &mut Progress<'_>) -> ControlFlow<()> {
        /// More would take too long, and tell no more.
        const STEPS: usize = 10_000;
        let suspects = self.left.keys().copied().take(STEPS).collect::<Vec<_>>();
        progress.total = suspects.len();
        for (at, suspect) in suspects.into_iter().enumerate() {
            progress.step(at)?;
            let (mut seen, mut queue) = (AddressSet::default(), VecDeque::from([suspect]));
            let holder = loop {
                let Some(object) = queue.pop_front() else { break None };
                let ty = object.ty();
                let mut shows = false;
                object.visits(&mut |target| {
                    shows |= target != ty.as_object();
                    if seen.len() < STEPS && seen.insert(target.address()) {
                        queue.push_back(self.heap.keep(target));
                    }
                });
                if !shows && self.wanted.contains(ty) {
                    break Some(object);
                }
            };
            if let Some(holder) = holder {
                self.holds(holder.address(), holder.ty(), &[suspect], Evidence::Reaches);
            }
        }
        ControlFlow::Continue(())
    }

    /// Explains references to `targets` by `holder`, as far as they are unexplained.
    fn holds(&mut self, holder: usize, ty: Type<'h>, targets: &[Object<'h>], evidence: Evidence) {
        let mut held = HashMap::<Type<'h>, usize>::new();
        for target in targets {
            if let Some(left) = self.left.get_mut(target).filter(|left| **left > 0) {
                *left -= 1;
                *held.entry(target.ty()).or_default() += 1;
            }
        }
        if held.is_empty() {
            return;
        }
        let is_tracked = self.heap.find(holder).is_some();
        let new = Holding { objects: 0, held: HashMap::default(), evidence };
        let holding = self.found.holders.entry((ty, is_tracked)).or_insert(new);
        holding.objects += 1;
        for (ty, references) in held {
            *holding.held.entry(ty).or_default() += references;
        }
    }

    /// What remains unexplained of the wanted types' own instances.
    fn rest(&mut self) {
        for object in self.heap.objects() {
            let ty = object.ty();
            let Some(&left) = self.left.get(&object).filter(|left| **left > 0) else { continue };
            if self.wanted.contains(ty) {
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
fn size_in_bytes(memory: &Memory, start: usize, shape: Shape) -> usize {
    /// Where an object has the number of its items. [CPython, Include/object.h]
    const ITEMS_AT: usize = size_of::<ffi::PyObject>();
    if shape.item == 0 {
        return shape.basic;
    }
    // Some types put a sign into the number.
    let items = memory.word(start + ITEMS_AT).unwrap_or(0);
    let items = items.min(items.wrapping_neg());
    shape.basic.saturating_add(items.saturating_mul(shape.item)).min(1 << 20)
}
