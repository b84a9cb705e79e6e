//! Looks at the memory of this process without trusting a pointer: through the file that Linux has for it, where an
//! address that isn't there is an error, not a crash. Elsewhere nothing can be seen.

use std::collections::{HashSet, VecDeque};
use std::ops::Range;

use super::malloc::{ALIGNMENT, Blocks, mapped_block, most_rounded_up};
use super::maps::Maps;

/// The process's memory, as far as it can be read.
pub(super) struct Memory {
    source: Source,
    /// Where allocators keep what they give out.
    heaps: Vec<Range<usize>>,
    blocks: Blocks,
}

const WORD: usize = size_of::<usize>();
/// Larger ones are taken for a misread header.
const LARGEST_BLOCK: usize = 1 << 26;
/// How much of what one object owns is looked at.
const LARGEST_OBJECT: usize = 1 << 22;

/// What memory is read from.
struct Source {
    #[cfg(unix)]
    file: std::fs::File,
}

impl Source {
    /// Fills `bytes` from an address on; `None` if a part of it isn't there.
    #[cfg(unix)]
    fn read(&self, start: usize, bytes: &mut [u8]) -> Option<()> {
        use std::os::unix::fs::FileExt;
        self.file.read_exact_at(bytes, start as u64).ok()
    }

    #[cfg(not(unix))]
    fn read(&self, _: usize, _: &mut [u8]) -> Option<()> {
        None
    }

    /// The words of a range.
    fn words(&self, range: Range<usize>) -> Option<Vec<usize>> {
        let mut bytes = vec![0; range.len()];
        self.read(range.start, &mut bytes)?;
        let words =
            bytes.chunks_exact(WORD).map(|word| usize::from_ne_bytes(word.try_into().unwrap_or_default()));
        Some(words.collect())
    }
}

/// Some memory that an object owns.
struct Piece {
    range: Range<usize>,
    table: Option<Table>,
}

/// The buckets of a hash table, and behind them a byte for each, whose highest bit is set if the bucket is empty.
/// [hashbrown, src/raw.rs]
struct Table {
    control: usize,
    buckets: usize,
}

impl Table {
    /// The largest item of a table whose block is sought.
    const LARGEST_ITEM: usize = 256;

    /// hashbrown keeps the number of buckets, less one, beside the pointer to the control bytes.
    fn at(control: usize, neighbours: [usize; 2]) -> impl Iterator<Item = Self> {
        let numbers = neighbours.into_iter().filter_map(|mask| mask.checked_add(1));
        let numbers = numbers.filter(|it| it.is_power_of_two() && (4..LARGEST_BLOCK).contains(it));
        numbers.map(move |buckets| Self { control, buckets })
    }

    /// Whether it fills a block: buckets that have room for a pointer, and behind the control bytes a group more of them,
    /// and what `malloc` rounds up.
    fn fills(&self, block: &Range<usize>) -> bool {
        const GROUP: usize = 16;
        let control_bytes = self.buckets..=self.buckets + GROUP + most_rounded_up(block);
        let buckets = self.control.saturating_sub(block.start);
        buckets / WORD >= self.buckets && control_bytes.contains(&block.end.saturating_sub(self.control))
    }

    /// Where its block may begin. An item that holds a pointer is as large as several.
    fn starts(&self) -> impl Iterator<Item = usize> {
        let sizes = (WORD..=Self::LARGEST_ITEM).step_by(WORD);
        sizes.filter_map(|size| self.control.checked_sub(self.buckets.checked_mul(size)?))
    }

    /// Whether the word at an address belongs to a bucket that isn't in use; `bytes` are the control bytes.
    fn is_vacant(&self, start: usize, address: usize, bytes: &[u8]) -> bool {
        let size = (self.control - start) / self.buckets;
        // The buckets come before the control bytes, the first one last.
        let bucket = self.control.checked_sub(address + 1).and_then(|distance| distance.checked_div(size));
        bucket.and_then(|bucket| bytes.get(bucket)).is_none_or(|byte| byte & 0x80 != 0)
    }
}

impl Memory {
    /// `None` on systems without these files.
    pub(super) fn open() -> Option<Self> {
        let source = Source {
            #[cfg(unix)]
            file: std::fs::File::open("/proc/self/mem").ok()?,
        };
        let maps = Maps::read();
        let (mut heaps, mut main) = (Vec::new(), None);
        for mapping in maps.iter().filter(|mapping| mapping.is_writable) {
            let is_heap = mapping.path == "[heap]";
            if is_heap || mapping.path.is_empty() {
                main = main.or_else(|| is_heap.then(|| mapping.range.clone()));
                heaps.push(mapping.range.clone());
            }
        }
        let blocks = Blocks::find(&heaps, main.as_ref(), |start, bytes| source.read(start, bytes));
        Some(Self { source, heaps, blocks })
    }

    /// The words in a range that point to where a block could start.
    pub(super) fn pointers(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let words = self.source.words(range).unwrap_or_default().into_iter();
        words.filter(|word| word % ALIGNMENT == 0 && self.is_heap(*word))
    }

    /// One word.
    pub(super) fn word(&self, at: usize) -> Option<usize> {
        self.source.words(at..at.checked_add(WORD)?)?.first().copied()
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
        let mut queue = VecDeque::from([Piece { range, table: None }]);
        let (mut seen, mut bytes) = (HashSet::new(), 0);
        while let Some(Piece { range, table }) = queue.pop_front() {
            bytes += range.len();
            if bytes > LARGEST_OBJECT {
                return;
            }
            let words = self.source.words(range.clone()).unwrap_or_default();
            let table = table.and_then(|table| {
                let control = words.get((table.control - range.start) / WORD..)?.iter();
                Some((table, control.copied().flat_map(usize::to_ne_bytes).collect::<Vec<_>>()))
            });
            let is_vacant = |address| {
                table.as_ref().is_some_and(|(table, control)| table.is_vacant(range.start, address, control))
            };
            for (at, &word) in words.iter().enumerate() {
                if is_vacant(range.start + at * WORD) || !see(word) {
                    continue;
                }
                let neighbour = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or(0);
                let neighbours = [neighbour(at.checked_sub(1)), neighbour(at.checked_add(1))];
                let piece = self.piece(word, neighbours).filter(|piece| seen.insert(piece.range.start));
                queue.extend(piece.filter(|piece| !is_foreign(&piece.range)));
            }
        }
    }

    /// The block of `malloc`'s that a pointer leads to: to its start, or a little behind it, where a shared pointer's one
    /// or two counts end; or to the control bytes of a hash table. What points elsewhere is rarely an owner.
    fn piece(&self, pointer: usize, neighbours: [usize; 2]) -> Option<Piece> {
        if pointer % WORD != 0 || !self.is_heap(pointer) {
            return None;
        }
        let aligned = pointer - pointer % ALIGNMENT;
        let from_start =
            || [aligned, aligned.saturating_sub(ALIGNMENT)].into_iter().find_map(|start| self.block(start));
        let table = || {
            let mut tables = Table::at(pointer, neighbours);
            tables.find_map(|table| {
                let block = self.blocks.containing(pointer).cloned();
                let block = block.or_else(|| table.starts().find_map(|at| self.block(at)))?;
                table.fills(&block).then_some(Piece { range: block, table: Some(table) })
            })
        };
        let piece = table().or_else(|| Some(Piece { range: from_start()?, table: None }));
        piece.filter(|piece| piece.range.len() <= LARGEST_BLOCK)
    }

    /// Whether an address belongs to what `malloc` has given out.
    pub(super) fn is_in_block(&self, address: usize) -> bool {
        self.blocks.containing(address).is_some() || self.block(address).is_some()
    }

    /// The block that begins here.
    fn block(&self, start: usize) -> Option<Range<usize>> {
        let known = self.blocks.containing(start).filter(|block| block.start == start).cloned();
        known.or_else(|| mapped_block(start, self.word(start.checked_sub(WORD)?)?))
    }

    fn is_heap(&self, address: usize) -> bool {
        let after = self.heaps.partition_point(|heap| heap.start <= address);
        self.heaps[..after].last().is_some_and(|heap| heap.contains(&address))
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
    fn finds_what_blocks_hold_that_are_too_large_for_an_arena() {
        let table = (1..10_000).map(|key| (key, MARK + key)).collect::<std::collections::HashMap<_, _>>();
        let words = reachable(&(table, vec![MARK; 50_000]));
        assert_eq!(words.iter().filter(|&&word| word == MARK).count(), 50_000);
        let words = std::collections::HashSet::<_>::from_iter(words);
        assert!((1..10_000).all(|key| words.contains(&(MARK + key))));
    }

    #[test]
    fn finds_what_a_pointer_behind_the_counts_leads_to() {
        for counts in 0..=2 {
            let block = Box::new([MARK; 8]);
            assert!(reachable(&block[counts..].as_ptr()).contains(&MARK), "{counts}");
        }
    }

    #[test]
    fn finds_what_another_thread_has_made() {
        let value = std::thread::spawn(|| vec![Box::new([MARK; 40])]).join().expect("it doesn't panic");
        assert_eq!(reachable(&value).iter().filter(|&&word| word == MARK).count(), 40);
    }

    #[test]
    fn what_was_removed_from_a_hash_map_is_not_found() {
        let mut value = (0..100).map(|key| (key, MARK + key)).collect::<std::collections::HashMap<_, _>>();
        value.retain(|key, _| key % 2 == 0);
        let words = reachable(&value);
        assert!((0..100).all(|key| words.contains(&(MARK + key)) == (key % 2 == 0)));
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
