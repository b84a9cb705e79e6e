//! Owners that no traverse shows and that can be counted: static variables of the interpreter and of modules, the
//! interpreter's own structures, the variables of running functions, and what types keep of their subclasses.

use std::ops::Range;

use pyo3::ffi;

use super::super::heap::{AddressSet, Heap};
use super::super::maps::Maps;
use super::blocks::Blocks;
use super::memory::{Memory, Place, WORD};
use crate::heap::{FREE_THREADED, Object};

/// What is looked through, and the hidden references that are still to be explained.
pub(super) struct Known<'a, 'h, 'py> {
    pub(super) heap: &'h Heap<'py>,
    pub(super) memory: &'a Memory<'a>,
    pub(super) blocks: &'a Blocks,
    pub(super) statics: &'a [(&'a str, Range<usize>)],
    pub(super) version: (u8, u8),
    /// The address of the type of frames.
    pub(super) frame_type: usize,
    pub(super) left: &'a mut [u32],
    /// How many references running functions seem to have. They leave much behind on their stacks.
    pub(super) running: &'a mut [u32],
    /// And those of this thread in C and Rust.
    pub(super) on_stack: &'a mut [u32],
}

impl Known<'_, '_, '_> {
    /// Takes the references of these owners from those that are left.
    pub(super) fn explain(&mut self, maps: &Maps) {
        // How they are laid out is known of these versions.
        let is_known = ((3, 9)..=(3, 14)).contains(&self.version);
        let threads = if is_known { self.threads() } else { Vec::new() };
        let structures =
            threads.iter().filter_map(|at| self.blocks.starting(self.memory, *at)).collect::<Vec<_>>();
        let cpython = maps.file(&raw const ffi::PyType_Type as usize);
        let mut own = structures.clone();
        for (file, range) in self.statics {
            self.variables(range.clone(), Some(*file) == cpython);
            own.extend(Some(range.clone()).filter(|_| Some(*file) == cpython));
        }
        for range in structures {
            self.variables(range, true);
        }
        self.follow(&own);
        if is_known {
            self.subclasses();
        }
        for range in threads.iter().flat_map(|thread| self.stacks(*thread)).collect::<Vec<_>>() {
            for word in self.memory.words(range) {
                self.possible(word);
            }
        }
        let here = std::ptr::from_ref(&threads) as usize;
        for word in maps.at(here).map(|stack| self.memory.words(here..stack.range.end)).unwrap_or_default() {
            if let Some(at) = self.heap.find(word) {
                self.on_stack[at] = self.on_stack[at].saturating_add(1);
            }
        }
    }

    /// Each word that is the address of an object is a reference to it, unless it stands in a row of pointers: such are the
    /// lists that the interpreter and modules have of objects to be used again, and what was in them stays.
    /// The interpreter also leaves addresses behind that it has used, and owns few but types and modules.
    fn variables(&mut self, range: Range<usize>, is_cpythons: bool) {
        const ROW: usize = 4;
        let words = self.memory.words(range);
        let mut rest = &*words;
        while !rest.is_empty() {
            let row = rest.iter().take_while(|&&word| self.blocks.is_heap(word)).count();
            let (now, later) = rest.split_at(row.max(1));
            for &word in now {
                let is_class = |at| is_class(self.heap.object(at));
                match self.heap.find(word) {
                    Some(at) if row < ROW && !is_cpythons || is_class(at) => self.certain(at),
                    _ => self.possible(word),
                }
            }
            rest = later;
        }
    }

    /// The interpreter has lists in memory, such as that of what is to be done at its exit.
    fn follow(&mut self, from: &[Range<usize>]) {
        const DEPTH: usize = 2;
        const BLOCKS: usize = 1 << 14;
        let is_type = |word: usize| {
            from.iter().any(|range| range.contains(&word))
                || self.heap.get(word).and_then(Object::as_type).is_some()
        };
        // What has a type is an object, and shows what it has; the collector's lists lead to what stands before some.
        let is_object = |start: usize| {
            [1, 3, 5].iter().any(|at| self.memory.word(start + at * WORD).is_some_and(is_type))
        };
        let (mut seen, mut ranges) = (AddressSet::default(), from.to_vec());
        for _ in 0..DEPTH {
            let mut next = Vec::new();
            for word in ranges.into_iter().flat_map(|range| self.memory.words(range)) {
                let block = self.blocks.starting(self.memory, word).filter(|_| !is_object(word));
                next.extend(block.filter(|block| seen.len() < BLOCKS && seen.insert(block.start)));
            }
            for word in next.iter().flat_map(|range| self.memory.words(range.clone())) {
                if let Some(at) = self.heap.find(word) {
                    self.running[at] = self.running[at].saturating_add(1);
                }
            }
            ranges = next;
        }
    }

    fn certain(&mut self, at: usize) {
        self.left[at] = self.left[at].saturating_sub(1);
    }

    fn possible(&mut self, word: usize) {
        if let Some(at) = self.heap.find(word) {
            self.running[at] = self.running[at].saturating_add(1);
        }
    }

    /// Where the interpreter and its threads are.
    fn threads(&self) -> Vec<usize> {
        /// More threads than a process has.
        const THREADS: usize = 1 << 16;
        // SAFETY: the thread is attached.
        let this = unsafe { ffi::PyThreadState_Get() } as usize;
        // A thread begins with the one before, the one behind, and the interpreter. [CPython 3.9 to 3.14,
        // Include/cpython/pystate.h]
        let Some(interpreter) = self.memory.word(this + 2 * WORD) else { return vec![this] };
        let neighbour = |thread: usize, at: usize| {
            let next = self.memory.word(thread + at * WORD)?;
            (self.memory.word(next + 2 * WORD)? == interpreter).then_some(next)
        };
        let behind = std::iter::successors(Some(this), |thread| neighbour(*thread, 1)).take(THREADS);
        let before = std::iter::successors(neighbour(this, 0), |thread| neighbour(*thread, 0)).take(THREADS);
        behind.chain(before).chain([interpreter]).collect()
    }

    /// The variables of the functions that a thread runs, and what is left over from others. From 3.11 on they stand in
    /// chunks of memory, to which the thread has three pointers in a row: to the chunk, to the end of what is in use, and to
    /// the end. [CPython 3.11, `_PyStackChunk` in Include/cpython/pystate.h] Before, they stand in frames, each of which has
    /// the one before in front of them. [CPython 3.10, Include/cpython/frameobject.h]
    fn stacks(&self, thread: usize) -> Vec<Range<usize>> {
        /// The chunk before, the size, and how much is in use.
        const HEADER: usize = 3 * WORD;
        /// How large a thread is, at most.
        const THREAD: usize = 1 << 10;
        let words = self.memory.words(thread..thread + THREAD);
        let chunk = |start: usize, end: usize| {
            let [before, size, used] = [0, 1, 2].map(|at| self.memory.word(start + at * WORD));
            (start + size? == end).then_some((before?, used?))
        };
        let current = words.windows(3).find_map(|words| {
            let &[start, top, end] = words else { return None };
            let is_possible = start % 4096 == 0 && start + HEADER <= top && top <= end && start > 0;
            let (before, _) = if is_possible { chunk(start, end)? } else { return None };
            Some((start + HEADER..top, before))
        });
        let Some((used, mut before)) = current else { return self.frames(thread) };
        let mut chunks = vec![used];
        while before != 0 && chunks.len() < 1 << 16 {
            let Some(size) = self.memory.word(before + WORD) else { break };
            let Some((next, used)) = chunk(before, before + size).filter(|(_, used)| used * WORD <= size)
            else {
                break;
            };
            chunks.push(before + HEADER..before + HEADER + used * WORD);
            before = next;
        }
        chunks
    }

    /// The frames of the functions that a thread runs, before CPython 3.11.
    fn frames(&self, thread: usize) -> Vec<Range<usize>> {
        const BEFORE_AT: usize = 3 * WORD;
        let frame = |at: usize| {
            let frame = self.memory.word(at + BEFORE_AT)?;
            (self.memory.word(frame + WORD)? == self.frame_type).then_some(frame)
        };
        let frames = std::iter::successors(frame(thread), |at| frame(*at)).take(1 << 20);
        let block = |frame| match self.blocks.containing(self.memory, frame) {
            Place::Used(block) => Some(block),
            _ => None,
        };
        frames.filter_map(block).collect()
    }

    /// Types keep a dict of weak references to their subclasses, which they don't show. [CPython, `type_traverse` in
    /// Objects/typeobject.c]
    fn subclasses(&mut self) {
        /// Where it stands. [CPython 3.9 to 3.14, Include/cpython/object.h]
        const SUBCLASSES_AT: usize = if FREE_THREADED { 47 } else { 45 };
        for ty in self.heap.objects().filter_map(Object::as_type) {
            let word = self.memory.word(ty.address() + SUBCLASSES_AT * WORD);
            if let Some(at) = word.and_then(|word| self.heap.find(word)) {
                self.certain(at);
            }
        }
    }
}

/// Whether an object is a type or a module, which aren't used again.
fn is_class(object: Object<'_>) -> bool {
    // SAFETY: the object is alive.
    object.as_type().is_some() || unsafe { ffi::PyModule_Check(object.as_ptr()) } != 0
}
