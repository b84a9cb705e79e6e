//! How collections lay out the block that they own, as far as it shows which part of the block is in use.

use std::ops::Range;

use super::malloc::{ALIGNMENT, most_rounded_up};
use super::memory::{PAGE, WORD};

/// What of a block is in use.
pub(super) enum Content {
    All,
    Table(Table),
    /// The items of a vector or a ring.
    Items(Vec<Range<usize>>),
}

/// The buckets of a hash table, and behind them a byte for each, whose highest bit is set if the bucket is empty.
/// [hashbrown, src/raw.rs]
pub(super) struct Table {
    control: usize,
    buckets: usize,
}

impl Table {
    /// hashbrown keeps the number of buckets, less one, beside the pointer to the control bytes.
    fn at(control: usize, neighbours: [usize; 2], block: &Range<usize>) -> Option<Self> {
        let numbers = neighbours.into_iter().filter_map(|mask| mask.checked_add(1));
        let numbers = numbers.filter(|it| it.is_power_of_two() && *it >= 4);
        numbers.map(|buckets| Self { control, buckets }).find(|table| table.fills(block))
    }

    /// Whether it fills a block: buckets that have room for a pointer, and behind the control bytes a group more of them,
    /// and what allocators round up.
    fn fills(&self, block: &Range<usize>) -> bool {
        const GROUP: usize = 16;
        let control_bytes = self.buckets..=self.buckets + GROUP + most_rounded_up(block);
        let buckets = self.control.saturating_sub(block.start);
        buckets / WORD >= self.buckets && control_bytes.contains(&block.end.saturating_sub(self.control))
    }

    /// Whether the word at an address belongs to a bucket that is in use; `words` are those of the block.
    fn is_used(&self, start: usize, address: usize, words: &[usize]) -> bool {
        let size = (self.control - start) / self.buckets;
        // The buckets come before the control bytes, the first one last.
        let bucket = self.control.checked_sub(address + 1).and_then(|distance| distance.checked_div(size));
        bucket.is_some_and(|bucket| {
            let at = self.control - start + bucket;
            let byte = words.get(at / WORD).map(|word| word.to_ne_bytes()[at % WORD]);
            byte.is_some_and(|byte| byte & 0x80 == 0)
        })
    }
}

impl Content {
    /// What the pointer at one place of `words` owns, if it leads to the block. `starting` tells the blocks that begin at
    /// an address.
    pub(super) fn of(
        words: &[usize],
        at: usize,
        block: &Range<usize>,
        starting: impl Fn(usize) -> Option<Range<usize>>,
    ) -> Self {
        let word = |distance: isize| at.checked_add_signed(distance).and_then(|at| words.get(at)).copied();
        let neighbours = [word(-1), word(1)].map(Option::unwrap_or_default);
        if let Some(table) = Table::at(words[at], neighbours, block) {
            return Self::Table(table);
        }
        match items(word, block, starting) {
            items if items.is_empty() => Self::All,
            items => Self::Items(items),
        }
    }

    /// Whether the word at an address is in use; `words` are those of the block, which begins at `start`.
    pub(super) fn is_used(&self, start: usize, address: usize, words: &[usize]) -> bool {
        match self {
            Self::All => true,
            Self::Table(table) => table.is_used(start, address, words),
            Self::Items(items) => items.iter().any(|range| range.contains(&address)),
        }
    }
}

/// The items in use, if the pointer, `word(0)`, stands beside a capacity that the block was made for, and a length. Of
/// several readings, what any of them has.
fn items(
    word: impl Fn(isize) -> Option<usize>,
    block: &Range<usize>,
    starting: impl Fn(usize) -> Option<Range<usize>>,
) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if word(0) != Some(block.start) {
        return found;
    }
    // Capacity and length, and what else a ring has: the place of its first item comes before its length.
    for (capacity, length, next) in [(-1, 1, 2), (1, 2, 3), (2, 1, 3)] {
        let (Some(capacity), Some(length)) = (word(capacity), word(length)) else { continue };
        let Some(size) = item_size(capacity, block).filter(|_| length <= capacity) else { continue };
        let item = |at: usize| block.start + at * size;
        found.push(item(0)..item(length));
        // It may also be the capacity of another vector.
        let is_another = |number| {
            let other = word(next + 1).and_then(&starting);
            other.is_some_and(|block| item_size(number, &block).is_some())
        };
        if let Some(ring) = word(next).filter(|ring| *ring <= capacity && !is_another(*ring)) {
            let end = length + ring;
            found.push(item(length)..item(end.min(capacity)));
            found.push(item(0)..item(end.saturating_sub(capacity)));
        }
    }
    // As C++ has them: where the items end, and where the room for them does.
    if let (Some(end), Some(room)) = (word(1), word(2)) {
        let is_vector =
            (block.start..=room).contains(&end) && is_filled(room.wrapping_sub(block.start), block);
        found.extend(is_vector.then_some(block.start..end));
    }
    found
}

/// The size of each of so many items that fill the block. Fewer than four fill any by chance, but for the smallest, which has
/// no room for two of more than a word.
fn item_size(capacity: usize, block: &Range<usize>) -> Option<usize> {
    let size = block.len().checked_div(capacity)? / WORD * WORD;
    let is_smallest = block.len() == 3 * WORD && capacity >= 2;
    ((capacity >= 4 || is_smallest) && size > 0 && is_filled(capacity.checked_mul(size)?, block))
        .then_some(size)
}

/// Whether a block may have been made for so many bytes.
fn is_filled(bytes: usize, block: &Range<usize>) -> bool {
    // What would be too small for a chunk of its own is given out with the one before it.
    let more = if block.end % PAGE == 0 { PAGE } else { 2 * ALIGNMENT };
    block.len().checked_sub(bytes).is_some_and(|rest| rest < more)
}

#[cfg(test)]
mod tests {
    use super::{Content, WORD};

    const START: usize = 0x10000;
    const OTHER: usize = 0x20000;

    /// Which of eight items are in use.
    fn used(words: [usize; 5]) -> Vec<usize> {
        let block = START..START + 8 * WORD + WORD;
        let at = words.iter().position(|word| *word == START).unwrap();
        let other = OTHER..OTHER + 8 * WORD;
        let content = Content::of(&words, at, &block, |start| (start == OTHER).then(|| other.clone()));
        (0..8).filter(|item| content.is_used(START, START + item * WORD, &[0; 9])).collect()
    }

    #[test]
    fn a_vector_shows_its_reserve() {
        for words in [[0, 8, START, 3, 99], [99, START, 8, 3, 99], [99, START, 3, 8, 99]] {
            assert_eq!(used(words), [0, 1, 2], "{words:?}");
        }
        assert_eq!(used([99, START, START + 3 * WORD, START + 8 * WORD, 99]), [0, 1, 2]);
        assert!(used([0, 8, START, 0, 99]).is_empty());
    }

    #[test]
    fn what_malloc_has_rounded_up_is_none_of_two_items() {
        let block = START..START + 3 * WORD;
        let content = Content::of(&[2, START, 2], 1, &block, |_| None);
        let used = [0, 1, 2].map(|at| content.is_used(START, START + at * WORD, &[0; 3]));
        assert_eq!(used, [true, true, false]);
    }

    #[test]
    fn a_ring_goes_over_its_end() {
        assert_eq!(used([0, 8, START, 6, 4]), (0..8).collect::<Vec<_>>()); // a vector of six, too
        assert_eq!(used([8, START, 2, 4, 99]), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn two_vectors_side_by_side_are_no_ring() {
        assert_eq!(used([8, START, 2, 8, OTHER]), [0, 1]);
    }

    #[test]
    fn what_fits_nothing_is_all_in_use() {
        for words in [[0, 5, START, 3, 99], [0, 8, START, 9, 99], [0, 2, START, 1, 99], [0, 0, START, 0, 0]] {
            assert_eq!(used(words).len(), 8, "{words:?}");
        }
    }
}
