//! What leads where from the instances of the wanted types: by the visits of objects, and by the memory of those that may
//! hide something. What leads to each other is found as [Tarjan] does.
//!
//! [Tarjan]: https://doi.org/10.1137/0201010

use std::ops::{ControlFlow, Range};

use pyo3::ffi;

use super::super::heap::{AddressMap, AddressSet, Heap};
use super::super::progress::Progress;
use super::super::wanted::{Kind, Shape, Wanted};
use super::blocks::{Blocks, LARGEST_BLOCK};
use super::layout::Content;
use super::memory::{Memory, PAGE, Place, WORD};
use crate::heap::{FREE_THREADED, Object};

/// An object or a block of memory.
pub(super) struct Node<'h> {
    pub(super) what: What<'h>,
    /// The same for nodes that lead to each other.
    pub(super) component: u32,
    /// Whether a pointer in it leads to memory that can't be looked through.
    pub(super) has_unread: bool,
    /// How many words in it lead to memory that isn't in use, as what is left over from before does.
    pub(super) stale: usize,
    /// Where in [`Graph::owned`] the blocks and instances stand that its memory leads to.
    pub(super) owned: Range<usize>,
    number: u32,
    low: u32,
}

pub(super) enum What<'h> {
    Object(Object<'h>, Option<Kind<'h>>),
    /// An instance that nothing but memory leads to: it may be none, and isn't asked anything.
    Hidden(usize, Kind<'h>),
    Block(Range<usize>, Content),
}

impl<'h> Node<'h> {
    /// An instance, and what is known of its type, if that was looked through.
    pub(super) fn kind(&self) -> Option<Kind<'h>> {
        match self.what {
            What::Object(_, kind) => kind,
            What::Hidden(_, kind) => Some(kind),
            What::Block(..) => None,
        }
    }

    /// Whether its memory seems to be its own making, not what was left there. One word may be what `malloc` rounded up.
    pub(super) fn is_credible(&self) -> bool {
        !matches!(self.what, What::Block(..)) || self.stale <= 1
    }

    pub(super) fn address(&self) -> usize {
        match &self.what {
            What::Object(object, _) => object.address(),
            What::Hidden(address, _) => *address,
            What::Block(range, _) => range.start,
        }
    }
}

/// Nodes by their numbers, and what was seen among them.
#[derive(Default)]
pub(super) struct Graph<'h> {
    pub(super) nodes: Vec<Node<'h>>,
    pub(super) owned: Vec<u32>,
    /// Words that are the address of an object with unexplained references: the node in whose memory they stand, and the
    /// place of the object in the heap.
    pub(super) words: Vec<(u32, usize)>,
    /// Visits to such objects by nodes whose memory was looked through.
    pub(super) shown: Vec<(u32, usize)>,
    of_place: Vec<u32>,
    of_address: AddressMap<usize, u32>,
}

/// No number, and no component.
const NONE: u32 = u32::MAX;

impl Graph<'_> {
    /// The node of one of the heap's objects, if something leads there.
    pub(super) fn of_place(&self, place: usize) -> Option<u32> {
        self.of_place.get(place).copied().filter(|node| *node != NONE)
    }
}

/// Follows what leads somewhere.
pub(super) struct Explorer<'a, 'h, 'py> {
    pub(super) heap: &'h Heap<'py>,
    pub(super) wanted: &'a Wanted<'h>,
    /// How many references of each object nobody visits.
    pub(super) left: &'a [u32],
    /// Nothing, where memory can't be looked at.
    pub(super) memory: Option<(&'a Memory<'a>, &'a Blocks)>,
    /// The namespaces of modules, by which everything leads to everything. They outlive what they have.
    namespaces: AddressSet<usize>,
    pub(super) graph: Graph<'h>,
    /// Nodes that have been begun, and aren't in a component.
    open: Vec<u32>,
    /// The successors of the nodes on the way, that still have to be gone to.
    ahead: Vec<u32>,
    words: Vec<usize>,
    begun: u32,
    components: u32,
}

impl<'a, 'h, 'py> Explorer<'a, 'h, 'py> {
    pub(super) fn new(
        heap: &'h Heap<'py>,
        wanted: &'a Wanted<'h>,
        left: &'a [u32],
        memory: Option<(&'a Memory<'a>, &'a Blocks)>,
    ) -> Self {
        let graph = Graph { of_place: vec![NONE; heap.len()], ..Graph::default() };
        Self {
            heap,
            wanted,
            left,
            memory,
            namespaces: namespaces(heap),
            graph,
            open: Vec::new(),
            ahead: Vec::new(),
            words: Vec::new(),
            begun: 0,
            components: 0,
        }
    }

    /// Goes through all that the wanted instances lead to.
    pub(super) fn explore(mut self, progress: &Progress<'_>) -> ControlFlow<(), Graph<'h>> {
        let (heap, wanted) = (self.heap, self.wanted);
        let is_wanted =
            |object: &Object<'_>| wanted.kind(object.ty().address()).is_some_and(|kind| kind.is_wanted);
        let mut roots = Vec::new();
        for (at, object) in heap.objects().enumerate().filter(|(_, object)| is_wanted(object)) {
            roots.push(self.object(Some(at), object));
        }
        for object in wanted.untracked.iter().filter(|object| is_wanted(object)) {
            roots.push(self.object(None, *object));
        }
        progress.stage("searching what the suspects lead to", self.graph.nodes.len())?;
        for root in roots {
            if self.graph.nodes[root as usize].number == NONE {
                self.connect(root, progress)?;
            }
        }
        ControlFlow::Continue(self.graph)
    }

    fn add(&mut self, what: What<'h>) -> u32 {
        let node =
            Node { what, component: NONE, has_unread: false, stale: 0, owned: 0..0, number: NONE, low: 0 };
        self.graph.nodes.push(node);
        u32::try_from(self.graph.nodes.len() - 1).unwrap_or(NONE)
    }

    /// The node of an object, with its place if it is one of the heap's.
    fn object(&mut self, place: Option<usize>, object: Object<'h>) -> u32 {
        let known = match place {
            Some(place) => self.graph.of_place[place],
            None => self.graph.of_address.get(&object.address()).copied().unwrap_or(NONE),
        };
        if known != NONE {
            return known;
        }
        let kind = self.wanted.kind(object.ty().address());
        let node = self.add(What::Object(object, kind));
        match place {
            Some(place) => self.graph.of_place[place] = node,
            None => drop(self.graph.of_address.insert(object.address(), node)),
        }
        node
    }

    /// The node of what isn't an object of the heap's.
    fn other(&mut self, address: usize, what: impl FnOnce() -> What<'h>) -> u32 {
        if let Some(known) = self.graph.of_address.get(&address) {
            return *known;
        }
        let node = self.add(what());
        self.graph.of_address.insert(address, node);
        node
    }

    /// Finds the components of all that a node leads to.
    fn connect(&mut self, root: u32, progress: &Progress<'_>) -> ControlFlow<()> {
        let mut way = vec![(root, self.ahead.len())];
        self.begin(root, progress)?;
        while let Some(&(node, start)) = way.last() {
            if self.ahead.len() > start {
                let next = self.ahead.pop().unwrap_or(node);
                let (number, component) =
                    (self.graph.nodes[next as usize].number, self.graph.nodes[next as usize].component);
                if number == NONE {
                    way.push((next, self.ahead.len()));
                    self.begin(next, progress)?;
                } else if component == NONE {
                    let low = &mut self.graph.nodes[node as usize].low;
                    *low = number.min(*low);
                }
                continue;
            }
            way.pop();
            let Node { number, low, .. } = self.graph.nodes[node as usize];
            if low == number {
                while let Some(member) = self.open.pop() {
                    self.graph.nodes[member as usize].component = self.components;
                    if member == node {
                        break;
                    }
                }
                self.components += 1;
            } else if let Some((before, _)) = way.last() {
                let before = &mut self.graph.nodes[*before as usize].low;
                *before = low.min(*before);
            }
        }
        ControlFlow::Continue(())
    }

    /// Notes where a node leads.
    fn begin(&mut self, node: u32, progress: &Progress<'_>) -> ControlFlow<()> {
        progress.step()?;
        self.words.clear();
        self.look(node);
        progress.total(self.graph.nodes.len());
        progress.work(self.words.len())
    }

    fn look(&mut self, node: u32) {
        let begun = &mut self.graph.nodes[node as usize];
        (begun.number, begun.low) = (self.begun, self.begun);
        self.begun += 1;
        self.open.push(node);
        let (memory, content) = match &mut begun.what {
            What::Object(object, kind) => {
                let (object, shape) = (*object, kind.and_then(|kind| kind.shape));
                self.visits(node, object, shape.is_some());
                (shape.map(|shape| (object.address(), shape)), Content::All)
            }
            What::Hidden(address, kind) => (kind.shape.map(|shape| (*address, shape)), Content::All),
            What::Block(range, content) => {
                let (range, content) = (range.clone(), std::mem::replace(content, Content::All));
                self.memory(node, range, &content);
                return;
            }
        };
        if let (Some((start, shape)), Some((source, _))) = (memory, self.memory) {
            let end = start + size_in_bytes(source, start, shape);
            self.memory(node, start + size_of::<ffi::PyObject>()..end, &content);
        }
    }

    fn visits(&mut self, node: u32, object: Object<'h>, is_looked_through: bool) {
        let heap = self.heap;
        let class = object.ty().address();
        object.visits(&mut |target| {
            let address = target.address();
            if let Some(place) = heap.find(address) {
                if is_looked_through && self.left[place] > 0 {
                    self.graph.shown.push((node, place));
                }
                if address != class && !self.namespaces.contains(&address) {
                    let next = self.object(Some(place), heap.object(place));
                    self.ahead.push(next);
                }
            } else if self.wanted.is_followed(target.ty().address()) {
                let target = heap.keep(target);
                let next = self.object(None, target);
                self.ahead.push(next);
            }
        });
    }

    /// Looks through the memory of a node.
    fn memory(&mut self, node: u32, range: Range<usize>, content: &Content) {
        let Some((memory, blocks)) = self.memory else { return };
        let owned = self.graph.owned.len();
        let mut words = std::mem::take(&mut self.words);
        words.clear();
        memory.each_word(range.clone(), |_, word| words.push(word));
        let own = self.graph.nodes[node as usize].address();
        for (at, &word) in words.iter().enumerate() {
            let is_pointer = word >= PAGE && word % WORD == 0 && word != own && blocks.is_heap(word);
            if !is_pointer || !content.is_used(range.start, range.start + at * WORD, &words) {
                continue;
            }
            if let Some(place) = self.heap.find(word) {
                if self.left[place] > 0 {
                    self.graph.words.push((node, place));
                    let next = self.object(Some(place), self.heap.object(place));
                    self.ahead.push(next);
                }
                continue;
            }
            if let Some(kind) = self.object_at(word) {
                if kind.shape.is_some() && !self.heap.is_own_list(word) {
                    let next = self.other(word, || What::Hidden(word, kind));
                    self.graph.owned.push(next);
                    self.ahead.push(next);
                }
                continue;
            }
            let block = match blocks.containing(memory, word) {
                Place::Used(block) if block.len() <= LARGEST_BLOCK => block,
                Place::Unused => {
                    self.graph.nodes[node as usize].stale += 1;
                    continue;
                }
                Place::Used(_) | Place::Unread => {
                    self.graph.nodes[node as usize].has_unread = true;
                    continue;
                }
            };
            if self.graph.of_address.contains_key(&block.start) || !self.is_foreign(&block) {
                let starting = |start| blocks.starting(memory, start);
                let content = Content::of(&words, at, &block, starting);
                if matches!(content, Content::Table(_)) || Blocks::is_beginning(&block, word) {
                    let next = self.other(block.start, || What::Block(block, content));
                    self.graph.owned.push(next);
                    self.ahead.push(next);
                }
            }
        }
        self.words = words;
        self.graph.nodes[node as usize].owned = owned..self.graph.owned.len();
    }

    /// What an object would be of that begins here, for all that is there.
    fn object_at(&self, address: usize) -> Option<Kind<'h>> {
        /// Where an object has its type. [CPython, Include/object.h]
        const TYPE_AT: usize = size_of::<ffi::PyObject>() - WORD;
        let (memory, blocks) = self.memory?;
        let kind = self.wanted.kind(memory.word(address.checked_add(TYPE_AT)?)?)?;
        let is_one = match blocks.containing(memory, address) {
            // Objects of a free-threaded build have an allocator of their own. [CPython, Objects/obmalloc.c]
            Place::Unread => true,
            Place::Unused => false,
            Place::Used(_) => !FREE_THREADED,
        };
        // A count of references, and from 3.14 on flags above it. [CPython, Include/object.h]
        let is_count = |word: u64| word & 0xFFFF_FFFF != 0 && word & 0xFFFF_0000_0000 == 0;
        let is_counted = FREE_THREADED || memory.word(address).is_some_and(|word| is_count(word as u64));
        (is_one && is_counted).then_some(kind)
    }

    /// Whether a block is an object's, behind what CPython puts before some.
    fn is_foreign(&self, block: &Range<usize>) -> bool {
        /// [CPython, `Include/internal/pycore_gc.h`]
        const HEADER: usize = 2 * WORD;
        let mut starts = (0..=2 * HEADER).step_by(HEADER).map(|header| block.start + header);
        starts.any(|start| start + HEADER < block.end && self.object_at(start).is_some())
    }
}

/// The dicts of all modules.
fn namespaces(heap: &Heap<'_>) -> AddressSet<usize> {
    let modules = heap.objects().filter(|object| {
        // SAFETY: the object is alive.
        unsafe { ffi::PyModule_Check(object.as_ptr()) != 0 }
    });
    let dicts = modules.flat_map(|module| {
        // SAFETY: a module that is alive. The dict is borrowed, and its address all that is taken.
        let dict = unsafe { ffi::PyModule_GetDict(module.as_ptr()) };
        [dict as usize, module.address()]
    });
    dicts.collect()
}

/// How much memory an instance takes.
fn size_in_bytes(memory: &Memory<'_>, start: usize, shape: Shape) -> usize {
    /// Where an object has the number of its items. [CPython, Include/object.h]
    const ITEMS_AT: usize = size_of::<ffi::PyObject>();
    if shape.item == 0 {
        return shape.basic;
    }
    let items = memory.word(start + ITEMS_AT).unwrap_or(0);
    let items = items.min(items.wrapping_neg()); // some types put a sign into the number
    shape.basic.saturating_add(items.saturating_mul(shape.item)).min(1 << 20)
}
