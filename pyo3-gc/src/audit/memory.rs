//! Looks at the memory of this process without trusting a pointer: through the file that Linux has for it, where an
//! address that isn't there is an error, not a crash. Elsewhere nothing can be seen.

use std::collections::{HashSet, VecDeque};
use std::ops::Range;

/// The process's memory, as far as it can be read.
pub(super) struct Memory {
    #[cfg(target_os = "linux")]
    file: std::fs::File,
    /// Where allocators keep what they give out.
    heaps: Vec<Range<usize>>,
    /// What glibc writes into the second word of a block that is freed, to find double frees.
    freed: Option<usize>,
}

const WORD: usize = size_of::<usize>();
/// What glibc's `malloc` puts before each block, and what it aligns blocks to. [glibc, malloc/malloc.c]
const HEADER: usize = 2 * WORD;
/// Larger ones are taken for a misread header.
const LARGEST_BLOCK: usize = 1 << 26;
/// More than the variables of a library take that aren't in its file.
const LARGEST_VARIABLES: usize = 1 << 21;
/// The largest item of a hash table whose block is sought.
const LARGEST_ITEM: usize = 256;
/// How much of what one object owns is looked at.
const LARGEST_OBJECT: usize = 1 << 22;

impl Memory {
    #[cfg(target_os = "linux")]
    pub(super) fn open() -> Option<Self> {
        let file = std::fs::File::open("/proc/self/mem").ok()?;
        let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
        let mut heaps = Vec::new();
        let mut file_ends = 0;
        for line in maps.lines() {
            let mut columns = line.split_ascii_whitespace();
            let (range, rights, path) = (columns.next()?, columns.next()?, columns.nth(3));
            let (start, end) = range.split_once('-')?;
            let bound = |hex| usize::from_str_radix(hex, 16).ok();
            let range = bound(start)?..bound(end)?;
            // What follows a library without a gap are its variables, unless something else has grown onto them.
            let is_file = path.is_some_and(|path| !path.starts_with('['));
            let is_variables = range.start == file_ends && range.len() < LARGEST_VARIABLES;
            if is_file {
                file_ends = range.end;
            } else if rights.starts_with("rw") && path.is_none_or(|path| path == "[heap]") && !is_variables {
                heaps.push(range);
            }
        }
        let mut memory = Self { file, heaps, freed: None };
        let block = std::hint::black_box(vec![0_usize; 6]);
        let second = block.as_ptr() as usize + WORD;
        drop(block);
        memory.freed = memory.word(second).filter(|&mark| mark != 0);
        Some(memory)
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn open() -> Option<Self> {
        None
    }

    /// The words of a range; `None` if a part of it isn't there.
    #[cfg(target_os = "linux")]
    fn words(&self, range: Range<usize>) -> Option<Vec<usize>> {
        use std::os::unix::fs::FileExt;
        let mut bytes = vec![0; range.len()];
        self.file.read_exact_at(&mut bytes, range.start as u64).ok()?;
        let words =
            bytes.chunks_exact(WORD).map(|word| usize::from_ne_bytes(word.try_into().unwrap_or_default()));
        Some(words.collect())
    }

    #[cfg(not(target_os = "linux"))]
    fn words(&self, _: Range<usize>) -> Option<Vec<usize>> {
        None
    }

    /// The words in a range that point to where a block could start.
    pub(super) fn pointers(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let words = self.words(range).unwrap_or_default().into_iter();
        words.filter(|word| word % HEADER == 0 && self.heap(*word).is_some())
    }

    /// One word.
    pub(super) fn word(&self, at: usize) -> Option<usize> {
        self.words(at..at.checked_add(WORD)?)?.first().copied()
    }

    /// Hands each word in `range`, and in the blocks that are reached from there by pointers, to `see`, which says
    /// whether it may be followed. What allocators left in a gap between fields looks like a pointer, too: `is_foreign`
    /// says which blocks surely aren't the object's own.
    pub(super) fn reach(
        &self,
        range: Range<usize>,
        mut see: impl FnMut(usize) -> bool,
        is_foreign: impl Fn(&Range<usize>) -> bool,
    ) {
        let (mut seen, mut queue, mut bytes) = (HashSet::new(), VecDeque::from([range]), 0);
        while let Some(range) = queue.pop_front() {
            bytes += range.len();
            if bytes > LARGEST_OBJECT {
                return;
            }
            let words = self.words(range).unwrap_or_default();
            for (at, &word) in words.iter().enumerate() {
                if !see(word) {
                    continue;
                }
                let neighbour = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or(0);
                let neighbours = [neighbour(at.checked_sub(1)), neighbour(at.checked_add(1))];
                if let Some(block) = self.block(word, neighbours).filter(|block| seen.insert(block.start)) {
                    if !is_foreign(&block) {
                        queue.push_back(block);
                    }
                }
            }
        }
    }

    /// The block of `malloc`'s that the pointer leads to: to its start, or a little behind it, where a shared pointer's
    /// counts end; or to the control bytes of a hash table, which end it. What points elsewhere is rarely an owner.
    fn block(&self, pointer: usize, neighbours: [usize; 2]) -> Option<Range<usize>> {
        let heap = self.heap(pointer)?;
        let aligned = pointer & !(HEADER - 1);
        if let Some(block) =
            self.block_at(aligned, heap).or_else(|| self.block_at(aligned.checked_sub(HEADER)?, heap))
        {
            return Some(block);
        }
        // Beside the pointer, hashbrown keeps the number of buckets, less one; behind it there is a byte for each, and for
        // one group more. [hashbrown, src/raw.rs]
        let buckets = neighbours
            .into_iter()
            .filter_map(|mask| mask.checked_add(1))
            .find(|it| it.is_power_of_two() && (4..LARGEST_BLOCK).contains(it))?;
        let from = aligned.saturating_sub((buckets * LARGEST_ITEM).min(LARGEST_BLOCK)).max(heap.start);
        let words = self.words(from..aligned)?;
        let starts = (from + HEADER..aligned).rev().filter(|start| start % HEADER == 0);
        starts
            .filter(|start| {
                let size = words[(start - WORD - from) / WORD] & !7;
                let ends = pointer + buckets - start;
                (ends..ends + 4 * HEADER).contains(&size)
            })
            .find_map(|start| self.block_at(start, heap))
    }

    /// The block that starts here, if the headers before and behind it look like `malloc`'s.
    fn block_at(&self, start: usize, heap: &Range<usize>) -> Option<Range<usize>> {
        const IN_USE: usize = 1;
        const MAPPED: usize = 2;
        const FLAGS: usize = 7;
        let header = self.word(start.checked_sub(WORD)?)?;
        let size = header & !FLAGS;
        if size < 2 * HEADER || size % HEADER != 0 || size > LARGEST_BLOCK || start + size > heap.end + HEADER
        {
            return None;
        }
        if header & MAPPED != 0 {
            return Some(start..start + size - HEADER);
        }
        let next = self.word(start + size - WORD)?;
        if self.freed.is_some_and(|freed| self.word(start + WORD) == Some(freed)) {
            return None;
        }
        let plausible = next & IN_USE != 0 && next & !FLAGS >= HEADER && (next & !FLAGS) % HEADER == 0;
        plausible.then_some(start..start + size - WORD)
    }

    fn heap(&self, address: usize) -> Option<&Range<usize>> {
        let after = self.heaps.partition_point(|heap| heap.start <= address);
        self.heaps[..after].last().filter(|heap| heap.contains(&address))
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::Memory;

    /// The words that can be reached from `value`'s own memory.
    fn reachable<T>(value: &T) -> Vec<usize> {
        let memory = Memory::open().expect("Linux has this file");
        let start = std::ptr::from_ref(value) as usize;
        let mut words = Vec::new();
        let see = |word| {
            words.push(word);
            true
        };
        memory.reach(start..start + size_of::<T>(), see, |_| false);
        words
    }

    const MARK: usize = 0x5EED_CAFE_F00D;

    #[test]
    fn finds_what_boxes_vectors_and_shared_pointers_lead_to() {
        let value = std::sync::Arc::new(vec![Box::new((1_usize, MARK))]);
        assert!(reachable(&value).contains(&MARK));
    }

    #[test]
    fn finds_what_a_hash_map_holds() {
        let value = (0..100).map(|key| (key, MARK + key)).collect::<std::collections::HashMap<_, _>>();
        let words = reachable(&value);
        assert!((0..100).all(|key| words.contains(&(MARK + key))));
    }

    #[test]
    fn what_is_not_there_is_not_read() {
        let memory = Memory::open().expect("Linux has this file");
        assert_eq!(memory.word(8), None);
        assert!(reachable(&[usize::MAX, 8, 0x1000]).len() == 3);
    }

    #[test]
    fn ends_in_a_loop() {
        let mut value = Box::new([0_usize; 4]);
        value[0] = std::ptr::from_ref(&*value) as usize;
        assert_eq!(reachable(&value).len(), 6); // the box, the array, and a word that malloc rounded up
    }
}
