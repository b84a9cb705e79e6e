//! The blocks of memory that allocators have given out, as far as these are known.

use std::ops::Range;

use super::super::maps::Maps;
use super::malloc::{ALIGNMENT, Chunks, HEADER, last_with, mapped_block};
use super::memory::{Memory, PAGE, Place, WORD};
use super::pymalloc::Pools;

/// Larger ones are taken for a misread header.
pub(super) const LARGEST_BLOCK: usize = 1 << 26;

/// The blocks in use, by the allocator that they are from.
pub(super) struct Blocks {
    /// Where allocators have their memory.
    heaps: Vec<Range<usize>>,
    chunks: Chunks,
    /// Those of `malloc` that have pages to themselves.
    mapped: Vec<Range<usize>>,
    pools: Pools,
}

impl Blocks {
    /// `statics` are where libraries have their variables, which may end behind the library's file.
    pub(super) fn find(
        memory: &Memory<'_>,
        maps: &Maps,
        statics: &[(&str, Range<usize>)],
        version: (u8, u8),
    ) -> Self {
        let (mut heaps, mut main) = (Vec::new(), None);
        for mapping in maps.iter().filter(|mapping| mapping.is_writable) {
            let is_heap = mapping.path == "[heap]";
            // A name in `[anon:…]` is what an allocator calls it.
            if is_heap || mapping.path.is_empty() || mapping.path.starts_with("[anon") {
                main = main.or_else(|| is_heap.then(|| mapping.range.clone()));
                let variables =
                    statics.iter().find(|(_, variables)| variables.contains(&mapping.range.start));
                let start =
                    variables.map_or(mapping.range.start, |(_, range)| range.end.next_multiple_of(PAGE));
                heaps.extend((start < mapping.range.end).then_some(start..mapping.range.end));
            }
        }
        let chunks = Chunks::find(memory, &heaps, main.as_ref());
        let (mut mapped, mut pools) = (Vec::new(), Pools::new(version));
        for heap in &heaps {
            let mut at = heap.start.next_multiple_of(PAGE);
            while at < heap.end {
                let arena = last_with(&chunks.arenas, at).map(|arena| arena.end);
                let block = || {
                    let header = memory.word(at + WORD)?;
                    let block = mapped_block(at + HEADER, header)?;
                    let is_there = memory.word(at) == Some(0) && block.end <= heap.end;
                    is_there.then_some(block)
                };
                at = arena
                    .or_else(|| {
                        let block = block()?;
                        mapped.push(block.clone());
                        Some(block.end)
                    })
                    .or_else(|| pools.add(memory, at))
                    .unwrap_or(at + PAGE)
                    .max(at + PAGE);
            }
        }
        Self { heaps, chunks, mapped, pools }
    }

    /// Whether an address is one where allocators have their memory.
    #[inline]
    pub(super) fn is_heap(&self, address: usize) -> bool {
        last_with(&self.heaps, address).is_some()
    }

    /// The block that an address lies in, wherever in it.
    pub(super) fn containing(&self, memory: &Memory<'_>, address: usize) -> Place {
        if !self.is_heap(address) {
            return Place::Unused;
        }
        let known = match self.pools.containing(address) {
            Some(Place::Used(block)) => Some(block),
            Some(place) => return place,
            None => None,
        };
        let found = || self.chunks.containing(address).or_else(|| last_with(&self.mapped, address)).cloned();
        match known.or_else(found) {
            Some(block) => Place::Used(without_debugging(memory, block)),
            None if last_with(&self.chunks.arenas, address).is_some() => Place::Unused,
            // What `malloc` puts before a block of pages.
            None if last_with(&self.mapped, address + HEADER).is_some() => Place::Unused,
            None => Place::Unread,
        }
    }

    /// The block in use that begins at an address.
    pub(super) fn starting(&self, memory: &Memory, start: usize) -> Option<Range<usize>> {
        match self.containing(memory, start) {
            Place::Used(block) if block.start == start => Some(block),
            _ => None,
        }
    }

    /// Whether a pointer leads to the start of a block, or a little behind it, where a shared pointer's one or two counts end.
    /// What points elsewhere is rarely an owner.
    pub(super) fn is_beginning(block: &Range<usize>, pointer: usize) -> bool {
        pointer.wrapping_sub(block.start) < 2 * ALIGNMENT
    }
}

/// What is left of a block without what CPython's debugging allocators put around it: the size, a letter for the allocator,
/// and bytes that nobody should overwrite; behind it more of these, and a number. [CPython, `_PyMem_DebugRawAlloc` in
/// Objects/obmalloc.c]
fn without_debugging(memory: &Memory<'_>, block: Range<usize>) -> Range<usize> {
    const LETTER: usize = 0xFF;
    const GUARD: usize = (usize::MAX / LETTER * 0xFD) & !LETTER;
    let letters = b"rmo".map(|letter| GUARD | usize::from(letter));
    let is_debugging = memory.word(block.start + WORD).is_some_and(|guard| letters.contains(&guard));
    let size = if is_debugging { memory.word(block.start).map(usize::swap_bytes) } else { None };
    match size {
        Some(size) if size <= block.len() => block.start + 2 * WORD..block.start + 2 * WORD + size,
        _ => block,
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use std::ops::ControlFlow;

    use super::{Blocks, Maps, Memory, Place};

    fn memory() -> Memory<'static> {
        Memory::open(&|_| ControlFlow::Continue(())).expect("Linux has this file")
    }

    fn blocks() -> (Memory<'static>, Blocks) {
        let memory = memory();
        let maps = Maps::read();
        let blocks = Blocks::find(&memory, &maps, &[], (3, 9));
        (memory, blocks)
    }

    /// Of every size, so that `malloc` has them from everywhere.
    #[test]
    fn tells_what_is_in_use_from_what_was_given_back() {
        for size in [24, 40, 64, 100, 300, 2000, 300_000] {
            let make = || (0..40).map(|_| vec![1_u8; size]).collect::<Vec<_>>();
            let (used, freed) = (make(), make());
            let addresses = freed.iter().map(|block| block.as_ptr() as usize).collect::<Vec<_>>();
            let (memory, maps) = (memory(), Maps::read());
            drop(freed);
            let blocks = Blocks::find(&memory, &maps, &[], (3, 9));
            for block in &used {
                let found = blocks.containing(&memory, block.as_ptr() as usize);
                assert!(matches!(found, Place::Used(found) if found.len() >= size), "{size}");
            }
            let is_used = |address: &usize| blocks.starting(&memory, *address).is_some();
            let again = addresses.iter().filter(|address| is_used(address)).count();
            assert!(again < 10, "{again} of {size} bytes");
        }
    }

    #[test]
    fn what_another_thread_has_made() {
        let made = std::thread::spawn(|| Box::new([7; 40])).join().expect("it doesn't panic");
        let (memory, blocks) = blocks();
        assert!(matches!(blocks.containing(&memory, made.as_ptr() as usize), Place::Used(_)));
    }

    #[test]
    fn what_is_not_there_is_not_read() {
        let (memory, blocks) = blocks();
        assert_eq!(memory.word(8), None);
        assert!(memory.words(8..64).is_empty());
        assert!(matches!(blocks.containing(&memory, 8), Place::Unused));
    }
}
