//! Leak suspects: references that no traverse explains, and who may hold them.

mod blocks;
mod credit;
mod graph;
mod known;
mod layout;
mod malloc;
mod memory;
mod pymalloc;
mod reach;
mod statics;

use std::collections::HashMap;
use std::ops::ControlFlow;

use self::blocks::Blocks;
use self::credit::Credit;
pub(super) use self::credit::Holders;
use self::graph::Explorer;
use self::known::Known;
use self::memory::Memory;
use self::statics::static_variables;
use super::count::Count;
use super::heap::Heap;
use super::maps::Maps;
use super::progress::Progress;
use super::wanted::Wanted;
use crate::heap::{Object, Type};

/// What was found about the types asked for.
#[derive(Default)]
pub(super) struct Suspects<'h> {
    pub(super) holders: Holders<'h>,
    /// What is held, but wasn't seen to lead back, and may be put down to the wrong holder.
    pub(super) hidden: Holders<'h>,
    /// How many instances, how many references, the first instance.
    pub(super) unexplained: HashMap<Type<'h>, (usize, usize, Object<'h>)>,
    /// How many instances own memory that couldn't be looked through.
    pub(super) unread: HashMap<Type<'h>, usize>,
}

/// A search for hidden references among the instances of the wanted types.
pub(super) struct Search<'a, 'h, 'py> {
    pub(super) heap: &'h Heap<'py>,
    pub(super) count: &'a Count<'h>,
    pub(super) wanted: &'a Wanted<'h>,
    pub(super) maps: &'a Maps,
    /// The version of CPython.
    pub(super) version: (u8, u8),
    /// The address of the type of frames.
    pub(super) frame_type: usize,
}

impl<'h> Search<'_, 'h, '_> {
    /// To be called while the world stands still.
    pub(super) fn run(self, progress: &Progress<'_>) -> ControlFlow<(), Suspects<'h>> {
        let Self { heap, count, wanted, maps, version, frame_type } = self;
        let mut left = unexplained(heap, count);
        let (mut running, mut on_stack) = (vec![0; left.len()], vec![0; left.len()]);
        progress.stage("reading what is owned by the interpreter and allocators", 1)?;
        let work = |words| progress.work(words);
        let memory = Memory::open(&work);
        let statics = memory.as_ref().map(|memory| static_variables(memory, maps)).unwrap_or_default();
        let memory = memory.as_ref().map(|memory| (memory, Blocks::find(memory, maps, &statics, version)));
        if let Some((memory, blocks)) = &memory {
            let (left, running, on_stack) = (&mut left, &mut running, &mut on_stack);
            Known { heap, memory, blocks, statics: &statics, version, frame_type, left, running, on_stack }
                .explain(maps);
        }
        progress.flow()?;
        let has_memory = memory.is_some();
        let memory = memory.as_ref().map(|(memory, blocks)| (*memory, blocks));
        let graph = Explorer::new(heap, wanted, &left, memory).explore(progress)?;
        let mut credit = Credit::new(heap, &graph, &mut left, &running);
        credit.memory();
        let unread = credit.unread();
        credit.reached(count, has_memory.then_some(&unread), &on_stack, progress)?;
        let unread = credit.near(unread);
        let Credit { holders, hidden, .. } = credit;
        let mut unread_types = HashMap::new();
        for ty in unread.iter().filter_map(|node| Some(graph.nodes[*node as usize].kind()?.ty)) {
            *unread_types.entry(ty).or_default() += 1;
        }
        let unexplained = rest(heap, wanted, &left, &running);
        ControlFlow::Continue(Suspects { holders, hidden, unexplained, unread: unread_types })
    }
}

/// How many references of each object nobody visits.
fn unexplained(heap: &Heap<'_>, count: &Count<'_>) -> Vec<u32> {
    let left = (0..heap.len()).map(|at| {
        let tally = count.tallies[at];
        let visits = tally.visits.saturating_add(count.borrowed.get(at).copied().unwrap_or(0));
        tally.references().map_or(0, |references| references.saturating_sub(visits))
    });
    left.collect()
}

/// What remains unexplained of the wanted types' own instances.
fn rest<'h>(
    heap: &'h Heap<'_>,
    wanted: &Wanted<'h>,
    left: &[u32],
    running: &[u32],
) -> HashMap<Type<'h>, (usize, usize, Object<'h>)> {
    let mut unexplained = HashMap::new();
    for (at, object) in heap.objects().enumerate() {
        let left = left[at].saturating_sub(running[at]);
        if left > 0 && wanted.contains(object.ty()) {
            let (objects, references, _) = unexplained.entry(object.ty()).or_insert((0, 0, object));
            *objects += 1;
            *references += left as usize;
        }
    }
    unexplained
}
