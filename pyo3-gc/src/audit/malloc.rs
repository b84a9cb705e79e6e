//! The blocks that glibc's `malloc` has given out. [glibc, malloc/malloc.c and malloc/arena.c]
//!
//! Each arena is a row of chunks without gaps, and a chunk begins with its size: so where the first one begins, the others
//! are known. A pointer alone doesn't tell, since freed memory is full of headers that once were.

use std::ops::Range;

/// How `malloc` aligns blocks, and what it puts before each.
pub(super) const ALIGNMENT: usize = 2 * WORD;

const WORD: usize = size_of::<usize>();
const HEADER: usize = 2 * WORD;
const SMALLEST_CHUNK: usize = 2 * HEADER;
/// How the blocks are aligned that are too large for an arena, and how threads' arenas are.
const PAGE: usize = 4096;
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
pub(super) struct Blocks(Vec<Range<usize>>);

impl Blocks {
    /// Goes through the arenas among the `mappings`, which are in the order of their addresses; `main` is the one that the
    /// system calls the heap. `read` fills a buffer from an address on, if there is so much memory.
    pub(super) fn find(
        mappings: &[Range<usize>],
        main: Option<&Range<usize>>,
        read: impl Fn(usize, &mut [u8]) -> Option<()>,
    ) -> Self {
        let mut reader = Reader { read, page: 0, bytes: vec![0; PAGE], freed: None };
        reader.freed = reader.freed_mark();
        let mut blocks = Vec::new();
        for mapping in mappings {
            if Some(mapping) == main {
                let is_end = |end| end >= mapping.end; // it may have grown by now
                (0..TRIES).any(|_| reader.add(mapping.clone(), is_end, &mut blocks));
                continue;
            }
            // The system may have joined it with what was mapped beside it.
            let Some(first) = mapping.start.checked_next_multiple_of(ARENA) else { continue };
            for start in (first..mapping.end).step_by(ARENA) {
                (0..TRIES).any(|_| {
                    let Some(arena) = reader.threads_arena(start..mapping.end) else { return true };
                    let mut chunks = (start + HEADER..start + ARENA_HEAD).step_by(ALIGNMENT);
                    chunks.any(|chunk| reader.add(chunk..arena.end, |end| end == arena.end, &mut blocks))
                });
            }
        }
        Self(blocks)
    }

    /// The block that an address lies in.
    pub(super) fn containing(&self, address: usize) -> Option<&Range<usize>> {
        let after = self.0.partition_point(|block| block.start <= address);
        self.0[..after].last().filter(|block| block.contains(&address))
    }
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

/// Reads single words, a page at a time. What it does must not allocate, which would change what it reads.
struct Reader<F> {
    read: F,
    /// What was read last, or 0.
    page: usize,
    bytes: Vec<u8>,
    /// What `malloc` writes into the second word of a block that a thread keeps for its next use, to find double frees.
    freed: Option<usize>,
}

impl<F: Fn(usize, &mut [u8]) -> Option<()>> Reader<F> {
    fn word(&mut self, at: usize) -> Option<usize> {
        let page = at & !(PAGE - 1);
        if self.page != page {
            self.page = 0;
            (self.read)(page, &mut self.bytes)?;
            self.page = page;
        }
        let word = self.bytes.get(at - page..)?.first_chunk::<WORD>()?;
        Some(usize::from_ne_bytes(*word))
    }

    fn freed_mark(&mut self) -> Option<usize> {
        let block = std::hint::black_box(vec![0_usize; 6]);
        let second = block.as_ptr() as usize + WORD;
        drop(block);
        self.word(second).filter(|&mark| mark != 0)
    }

    /// The part in use of a thread's arena, if one begins with this memory: with a pointer to what all parts of the arena
    /// share, one to the part before, and the size.
    fn threads_arena(&mut self, memory: Range<usize>) -> Option<Range<usize>> {
        let (shared, size) = (self.word(memory.start)?, self.word(memory.start + 2 * WORD)?);
        let is_one = shared != 0 && size % PAGE == 0 && (ARENA_HEAD + 1..=memory.len()).contains(&size);
        is_one.then(|| memory.start..memory.start + size)
    }

    /// Adds the blocks in use among the chunks, if they are some: if they lead to an end that `is_end` agrees to.
    fn add(
        &mut self,
        chunks: Range<usize>,
        is_end: impl Fn(usize) -> bool,
        blocks: &mut Vec<Range<usize>>,
    ) -> bool {
        let (known, mut count) = (blocks.len(), 0_usize);
        self.page = 0;
        if !self.walk(chunks.clone(), |_| count += 1).is_some_and(is_end) {
            return false;
        }
        // Room for all of them, and for what other threads may do meanwhile.
        blocks.reserve(count + count / 8 + 8);
        self.page = 0;
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

    /// Goes from chunk to chunk, and calls `each` with the blocks in use. Where that leads to; nowhere, if these aren't
    /// chunks, or if another thread changes them meanwhile.
    fn walk(&mut self, chunks: Range<usize>, mut each: impl FnMut(Range<usize>)) -> Option<usize> {
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
            let is_kept = self.freed.is_some() && self.word(block.start + WORD) == self.freed;
            header = self.word(next + WORD)?;
            if !is_kept && header & PREVIOUS_IN_USE != 0 {
                each(block);
            }
            chunk = next;
        }
    }
}
