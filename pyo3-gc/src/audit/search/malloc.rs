//! The blocks that glibc's `malloc` has given out. [glibc, malloc/malloc.c and malloc/arena.c]
//!
//! Each arena is a row of chunks without gaps, and a chunk begins with its size: so where the first one begins, the others
//! are known. A pointer alone doesn't tell, since freed memory is full of headers that once were.

use std::ops::Range;

use super::memory::{Memory, PAGE, WORD};

/// How `malloc` aligns blocks, and what it puts before each.
pub(super) const ALIGNMENT: usize = 2 * WORD;

pub(super) const HEADER: usize = 2 * WORD;
const SMALLEST_CHUNK: usize = 2 * HEADER;
/// How threads' arenas are aligned.
const ARENA: usize = if WORD == 8 { 1 << 26 } else { 1 << 20 };
/// More than what comes before the first chunk of a thread's arena.
const ARENA_HEAD: usize = 1 << 12;

/// How often an arena is gone through, if other threads use it meanwhile.
const TRIES: usize = 4;

/// The flags in the low bits of a size: the chunk before is in use; this one has pages to itself.
const PREVIOUS_IN_USE: usize = 1;
const MAPPED: usize = 2;
const FLAGS: usize = 7;

/// The blocks in use of all arenas, in the order of their addresses.
pub(super) struct Chunks {
    used: Vec<Range<usize>>,
    /// The memory that the arenas have which were gone through.
    pub(super) arenas: Vec<Range<usize>>,
}

impl Chunks {
    /// Goes through the arenas among the `mappings`, which are in the order of their addresses; `main` is the one that the
    /// system calls the heap.
    pub(super) fn find(memory: &Memory<'_>, mappings: &[Range<usize>], main: Option<&Range<usize>>) -> Self {
        let mut reader = Reader { memory, freed: None };
        reader.freed = reader.freed_mark();
        let mut blocks = Vec::new();
        let mut arenas = Vec::with_capacity(mappings.len());
        for mapping in mappings {
            if Some(mapping) == main {
                let is_end = |end| end >= mapping.end; // it may have grown by now
                if (0..TRIES).any(|_| reader.add(mapping.clone(), is_end, &mut blocks)) {
                    arenas.push(mapping.clone());
                }
                continue;
            }
            // The system may have joined it with what was mapped beside it.
            let Some(first) = mapping.start.checked_next_multiple_of(ARENA) else { continue };
            for start in (first..mapping.end).step_by(ARENA) {
                (0..TRIES).any(|_| {
                    let Some(arena) = reader.threads_arena(start) else { return true };
                    let mut chunks = (start + HEADER..start + ARENA_HEAD).step_by(ALIGNMENT);
                    let is_one =
                        chunks.any(|chunk| reader.add(chunk..arena.end, |end| end == arena.end, &mut blocks));
                    if is_one {
                        arenas.push(start..start + ARENA); // it may have been larger
                    }
                    is_one
                });
            }
        }
        Self { used: blocks, arenas }
    }

    /// The block that an address lies in.
    pub(super) fn containing(&self, address: usize) -> Option<&Range<usize>> {
        last_with(&self.used, address)
    }
}

/// Of ranges in order the one that an address lies in.
pub(super) fn last_with(ranges: &[Range<usize>], address: usize) -> Option<&Range<usize>> {
    let after = ranges.partition_point(|range| range.start <= address);
    ranges[..after].last().filter(|range| range.contains(&address))
}

/// The block that begins at `start` and has pages to itself, if `header` is what stands before it.
pub(super) fn mapped_block(start: usize, header: usize) -> Option<Range<usize>> {
    let chunk = start.checked_sub(HEADER)?;
    let end = chunk.checked_add(header & !FLAGS)?;
    let is_mapped = header & FLAGS == MAPPED && chunk % PAGE == 0 && end % PAGE == 0 && end > start;
    is_mapped.then_some(start..end)
}

/// By how many bytes at most the block is longer than what was asked for.
pub(super) const fn most_rounded_up(block: &Range<usize>) -> usize {
    // Only one with pages to itself ends with a page.
    if block.end % PAGE == 0 { PAGE } else { SMALLEST_CHUNK }
}

/// Reads the chunks. What it does must not allocate, which would change what it reads.
struct Reader<'a> {
    memory: &'a Memory<'a>,
    /// What `malloc` writes into the second word of a block that a thread keeps for its next use, to find double frees.
    freed: Option<usize>,
}

impl Reader<'_> {
    fn word(&self, at: usize) -> Option<usize> {
        self.memory.word(at)
    }

    fn freed_mark(&self) -> Option<usize> {
        let block = std::hint::black_box(vec![0_usize; 6]);
        let second = block.as_ptr() as usize + WORD;
        drop(block);
        self.memory.forget();
        self.word(second).filter(|&mark| mark != 0)
    }

    /// The part in use of a thread's arena, if one begins here: with a pointer to what all parts of the arena share, one to
    /// the part before, and the size. It may have grown since the mappings were read.
    fn threads_arena(&self, start: usize) -> Option<Range<usize>> {
        let (shared, size) = (self.word(start)?, self.word(start + 2 * WORD)?);
        let is_one = shared != 0 && size % PAGE == 0 && (ARENA_HEAD + 1..=ARENA).contains(&size);
        is_one.then(|| start..start + size)
    }

    /// Adds the blocks in use among the chunks, if they are some: if they lead to an end that `is_end` agrees to.
    fn add(
        &self,
        chunks: Range<usize>,
        is_end: impl Fn(usize) -> bool,
        blocks: &mut Vec<Range<usize>>,
    ) -> bool {
        let (known, mut count) = (blocks.len(), 0_usize);
        self.memory.forget();
        if !self.walk(chunks.clone(), |_| count += 1).is_some_and(is_end) {
            return false;
        }
        // Room for all of them, and for what other threads may do meanwhile.
        blocks.reserve(count + count / 8 + 8);
        self.memory.forget();
        let end = self.walk(chunks, |block| {
            if blocks.len() < blocks.capacity() {
                blocks.push(block);
            }
        });
        if end.is_none() {
            blocks.truncate(known);
        }
        end.is_some()
    }

    /// Whether a block is one of the small ones that an arena keeps for its next use, in lists that end with 0 and whose links
    /// are crossed with where they stand. [glibc 2.32, `PROTECT_PTR` in malloc/malloc.c]
    fn is_in_fastbin(&self, block: &Range<usize>) -> bool {
        const LARGEST: usize = 16 * WORD;
        let size = |chunk: usize| self.word(chunk + WORD).map(|header| header & !FLAGS);
        let own = size(block.start - HEADER);
        if own.is_none_or(|size| size > LARGEST) {
            return false;
        }
        self.word(block.start).is_some_and(|link| {
            let next = link ^ block.start >> 12;
            next == 0 || next % ALIGNMENT == 0 && size(next) == own
        })
    }

    /// Goes from chunk to chunk, and calls `each` with the blocks in use. Where that leads to; nowhere, if these aren't
    /// chunks, or if another thread changes them meanwhile.
    fn walk(&self, chunks: Range<usize>, mut each: impl FnMut(Range<usize>)) -> Option<usize> {
        let mut chunk = chunks.start;
        let mut header = self.word(chunk + WORD).filter(|header| header & PREVIOUS_IN_USE != 0)?;
        loop {
            let size = header & !FLAGS;
            if size < SMALLEST_CHUNK || size % ALIGNMENT != 0 {
                // Where an arena goes on elsewhere, two stubs end this part of it.
                let is_stub = size <= HEADER && chunks.end - chunk <= 2 * SMALLEST_CHUNK;
                return is_stub.then_some(chunks.end);
            }
            let next = chunk.checked_add(size)?;
            if next >= chunks.end {
                return Some(next);
            }
            let block = chunk + HEADER..next + WORD;
            let is_kept = self.freed.is_some() && self.word(block.start + WORD) == self.freed
                || self.is_in_fastbin(&block);
            header = self.word(next + WORD)?;
            if !is_kept && header & PREVIOUS_IN_USE != 0 {
                each(block);
            }
            chunk = next;
        }
    }
}
